"""The texts that a language spells in its own way, and what is put into all of them.

In the texts, `$word` stands for what `write` puts there.
"""

import re
from collections.abc import Mapping
from string import Template
from typing import ClassVar

from magicert.compact.emit.expression import Dialect
from magicert.compact.emit.moves import CHESS_FRAME
from magicert.compact.emit.spelling import camel, identifier, title
from magicert.compact.emit.unit import PieceUnit


class Texts(Dialect):
    """The texts of one language. Those without a value have no default."""

    suffix: str
    """The ending of a file."""
    scope_option = ""
    """The option that says where the names live: "prefix", "namespace", "package" or none."""
    scope = ""
    """Where they live without that option."""
    scope_form = r"[A-Za-z_]\w*"
    """What the option may say."""
    stem = "magics"
    """What the file is called, if nobody says."""
    usage: str
    """How an engine uses the file: prose, and behind four spaces lines that compile."""
    comment = "//"
    helpers: ClassVar[Mapping[str, str]] = {}
    """Functions that this language lacks: name and text, printed only where they are used.
    No text calls another. Amounts of rotation are taken modulo the width in them.
    """
    kinds: ClassVar[Mapping[int, str]]
    """The types of entries by their bits: 8, 16 and 64, and 128 where the language has them."""

    file: str
    """The whole file: $heading, $imports, $columns, $buffers, $helpers, $lookups, $filling."""
    filling: str
    """What a file has that is not literal: $walk, $subsets, $fills (and checks)."""
    column: str
    """A column: $PIECE, $column ..., its $kind and $items."""
    read: str
    """How a column is read: $PIECE, $column ..."""
    empty: str
    """An empty buffer: $array, $kind, $length."""
    finished: str
    """A finished buffer: the same and $items."""
    function: str
    """A lookup: $called, $public, $expression, and the words of a piece."""
    walk: str
    walk_moves = ""
    """The walk of any piece on any board: $across, $up, $most_steps, $most_regions, $pieces. A
    language without it serves chess only.
    """
    piece_moves = move = region = ""
    """A piece in it: $steps and $regions, and how many; one step: $rule, $x, $y, $limit; one
    region: $left, $low, $right, $high.
    """
    rules: ClassVar[Mapping[str, str]] = {}
    """The rules of steps by their names in `moves`."""
    stepping = walked = walked_moves = ""
    """The steps at the top of a chess piece's loop; how a loop calls either walk."""
    write_any = ""
    """Write an attack set. As an empty one looks like a free entry, all is checked behind."""
    search_sets = fill_many_levels = ""
    """A binary search among sorted attack sets, and `fill_levels` with it: for pieces that have
    thousands of them on a square.
    """
    listed = ""
    """What the array of a piece's records is called."""
    before_wide = after_wide = ""
    """What stands around code with words of 128 bits."""
    subsets = ""
    """The subsets of a mask, for the fill routine of two levels."""
    fill: str
    """The loop over the lookups of one piece, by the words of a piece; $write is what is done
    there, with $array and `slot` and what was reached.
    """
    write_once: str
    """Write an attack set, but change none."""
    add_layer: str
    """Write the ones of an attack set into an entry that others use, too."""
    check_layer: str
    """Compare what a layered table yields with the walk. It stands behind all that is written."""
    fill_levels: str
    """The loop that fills a buffer and the attack sets of one piece."""
    check_levels: str
    """The loop that compares every lookup of one piece with the walk. It stands behind all
    loops that fill, because squares may share slots.
    """

    indent = "    "
    """What stands before the items of an array."""
    step = ("{", "}")
    """The brackets around a step of the walk."""
    public = ""
    """What makes a function callable from another file."""
    column_kinds = ("", "")
    """The types of a column of places in a buffer, and of any other column."""
    array_name = "$NAME"
    """What a buffer is called: $name, $Name, $NAME."""
    call = "$piece$Name"
    """What a lookup function is called: $piece, $name ..."""
    either = "square < 32 ? $lower : $upper"
    """One expression for ranks 1 to 4, another for the others."""
    mirrored = "square ^ 56"
    """The square on the other half of the board."""
    addend, addend_32, addend_128 = "($index)", "", ""
    """An index as what can be added to an offset; one of 32 or 128 bits, where that makes a
    difference.
    """
    read_number = "$found"
    """A number from a buffer, as one that can be added to a start."""

    bits, frame = 64, CHESS_FRAME
    """The bits of a bitboard, and how squares are numbered: of the unit that is written."""

    def write(self, text: str, **words: object) -> str:
        """A text with its words put in, and those that say what the file is called."""
        identifier = re.sub(r"\W", "_", self.stem)
        filename, wide = f"{self.stem}{self.suffix}", self.bits > 64
        own = {
            "own": self.own,
            "scope": self.scope,
            "SCOPE": re.sub(r"\W+", "_", self.scope).strip("_").upper() or "MAGICS",
            "stem": identifier,
            "Stem": title(identifier),
            "filename": filename,
            "bitboard": self.kinds[self.bits],
            "std": "std::" * (not wide),
            "across": self.frame.across,
            "up": self.frame.up,
            "before_wide": Template(self.before_wide).substitute(filename=filename) * wide,
            "after_wide": self.after_wide * wide,
        }
        return Template(text).substitute({**own, **words})

    def names(self, piece: PieceUnit, column: str) -> dict[str, str]:
        """A piece and a column in small letters, capitals, and with a capital."""
        name = identifier(piece.piece)
        return {
            "piece": name, "Piece": camel(name), "PIECE": name.upper(),
            "column": column, "Column": camel(column), "COLUMN": column.upper(),
        }  # fmt: skip
