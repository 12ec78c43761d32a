"""What the user fixes by hand, and the columns that this means in a source."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from magicert.board import Board
from magicert.formula import Formula
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem, suggestion
from magicert.table.model import MaskRule, Values
from magicert.verify.source.columns import MAGIC_WORDS, Column, Kind, beyond_32
from magicert.verify.source.contents import Contents
from magicert.verify.source.variant import CHESS_VARIANT, Variant, split_words

FOLDED = "(u64((occ & mask) | ((occ & mask) >> 63)) * magic) >> (64 - bits)"
"""A board of 81 squares, folded to 64 bits before it is multiplied, as shogi engines do it."""
MAGIC_NAMES = frozenset(MAGIC_WORDS)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The parts of a reading that are given by hand; empty where nothing is.

    `lists` maps (piece, parameter) to the name of a list, as it is reported, perhaps with
    its line or its file behind a colon; or to a number. `bits` is "popcount" or a number.
    """

    formula: Formula | None = None
    lists: Mapping[tuple[str, str], str] = field(default_factory=dict)
    order: str = ""
    bits: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()
    """The pieces that are wanted; none: both, unless the files' names say one."""

    board: Board | None = None
    """The board that is named, if one is."""
    variant: Variant = CHESS_VARIANT
    """What is looked for; with a board and lists that are named, other than chess."""
    implied: frozenset[tuple[str, str]] = frozenset()
    """The keys of `lists` that only say which list is which piece's."""
    masks: Mapping[str, MaskRule] = field(default_factory=dict)
    """The rules of masks that are given by hand."""

    as_written: bool = False
    """Lists are taken as they stand: in their own order, with the offsets and shifts that are
    written; no other reading is tried.
    """
    options: str = ""
    """The options that say the same on a command line."""
    origin: str = "given by hand"
    """Where the board and the pieces are said."""

    def settles(self, piece: str, parameter: str) -> bool:
        """Has the user said that a list is meant as it stands?"""
        key = (piece, parameter)
        return key in self.lists and key not in self.implied

    def names(self, piece: str, column: Column) -> bool:
        """Has the user named this very list for the piece?"""
        texts = (text for (owner, p), text in self.lists.items() if self.settles(owner, p))
        return any(_is_called(column, column.name, text) for text in texts)

    def says_all(self, piece: str) -> bool:
        """Are the list, the formula and the bits of a piece given?"""
        listed = self.as_written or self.settles(piece, "magic")
        counted = {(piece, "bits"), (piece, "shift")} & self.lists.keys()
        return listed and self.formula is not None and (piece in self.bits or bool(counted))

    @property
    def options_left(self) -> str:
        """The options that were not given and say more of a reading."""
        options = {"--scheme": self.formula, "--bits": self.bits, "--order": self.order}
        free = [name for name, value in options.items() if not value]
        last = free.pop() if free else "--map PIECE.magic=LIST"
        return f"{', '.join(free)} or {last}" if free else last

    def column(self, contents: Contents, piece: str, parameter: str) -> Column | None:
        """The list that a parameter is pinned to. InputError if the source has no such list."""
        name = self.lists.get((piece, parameter))
        if name is None or _number(name) is not None:
            return None
        columns = _called(contents, name)
        if len({*map(_place, columns)}) == 1:
            return columns[0]
        key = self._key(piece, parameter)
        if not columns:
            raise InputError([_no_list(contents, name, key)])
        raise InputError([_several(name, dict.fromkeys(called(contents, c) for c in columns), key)])

    def magics(self, contents: Contents, piece: str) -> list[Column]:
        """The columns of magics in the list that is the piece's; none where none is given."""
        name = self.lists.get((piece, "magic"))
        if name is None or not contents.variant.by_hand or _called(contents, name):
            column = self.column(contents, piece, "magic")
            return [column] if column is not None else []
        columns = _of_list(contents, name)
        places = sorted({(column.file, column.first_line) for column in columns})
        key = self._key(piece, "magic")
        if len(places) > 1:
            raise InputError([_several(name, [f"{name}:{line}" for _, line in places], key)])
        possible = [column for column in columns if column.could_be_magic]
        if not possible:
            if columns:
                shown = ", ".join(column.name for column in columns[:8])
                message = (
                    f"no field of {name} could be magics: add --map {piece}.magic=... to say which"
                )
                raise InputError([Problem(f"{message} ({shown})", key=key)])
            raise InputError([_no_list(contents, name, key)])
        named = [column for column in possible if column.says(MAGIC_WORDS)]
        # A list whose own name says magic says it of all its fields: their own names decide.
        telling = [c for c in named if not MAGIC_NAMES.isdisjoint(split_words(c.field))]
        return telling or sorted(possible, key=lambda column: not column.halves)

    def _key(self, piece: str, parameter: str) -> str:
        return f"--map {piece}.{parameter}" if self.settles(piece, parameter) else "--piece"

    def count(
        self, contents: Contents, piece: str
    ) -> tuple[Kind, Values, str, Column | None] | None:
        """The index's bits or shift, if they are given by hand: kind, values, words, list."""
        bits = self.bits.get(piece)
        if bits is not None:
            return "bits", (int(bits),), f"{bits}, given by hand", None
        for parameter in ("bits", "shift"):
            text = self.lists.get((piece, parameter))
            number = _number(text) if text else None
            if number is not None:
                halves = self.formula is not None and "32" in self.formula.text
                beyond = beyond_32(number)
                kind: Kind = "bits" if parameter == "bits" else "shift32" if halves else beyond
                return kind, (number,), f"{number}, given by hand", None
            column = self.column(contents, piece, parameter)
            if column is not None:
                parameter_kind = column.shift_kind or ("bits" if parameter == "bits" else "shift")
                return parameter_kind, column.words, column.where, column
        return None

    def fill(
        self,
        contents: Contents,
        piece: str,
        formula: Formula,
        magic: Column,
        parameters: dict[str, Values],
        sources: dict[str, str],
    ) -> bool:
        """Give the formula's other names their values; False if one has none."""
        for name in sorted(formula.names - {OCCUPANCY, "mask"} - parameters.keys()):
            text = self.lists.get((piece, name))
            number = _number(text) if text else None
            column = self.column(contents, piece, name) or _by_name(contents, piece, magic, name)
            if number is not None:
                parameters[name], sources[name] = (number,), f"{number}, given by hand"
            elif column is not None:
                parameters[name], sources[name] = column.words, column.where
            else:
                return False
        return True


def _by_name(contents: Contents, piece: str, magic: Column, name: str) -> Column | None:
    name_words = split_words(name)
    for column in contents.columns:
        if name_words <= column.name_words and (
            column.group == magic.group or column.named_piece in (None, piece)
        ):
            return column
    return None


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _called(contents: Contents, name: str) -> list[Column]:
    """The columns of a name, as it is reported, perhaps with its line or file."""
    # A list's own last name is enough where it is unique.
    ending = re.compile(rf"(?:^|[.\]]){re.escape(name)}$")
    return [column for column in contents.columns if _is_called(column, column.name, name)] or [
        column for column in contents.columns if ending.search(column.name)
    ]


def _is_called(column: Column, list_name: str, name: str) -> bool:
    rest = name.removeprefix(list_name)
    return name.startswith(list_name) and (
        rest in column.places or column.name + rest in column.called
    )


def called(contents: Contents, column: Column) -> str:
    """What says a column in an option, and no other: its name, with its line or file if needed."""
    *shorter, last = column.called
    return next(
        (n for n in shorter if n and {*map(_place, _called(contents, n))} == {_place(column)}), last
    )


def _place(column: Column) -> tuple[str, int, str, str]:
    return column.file, column.first_line, column.part, column.name


def map_option(piece: str, parameter: str, name: str) -> str:
    """The option that says which list a parameter is, for a shell."""
    return f"--map {shlex.quote(f'{piece}.{parameter}={name}')}"


def _of_list(contents: Contents, name: str) -> list[Column]:
    """The columns of the list of a name, perhaps with its line or file; those of `name = {{`
    where there is none other.
    """
    names = {c: {part.list_name for part in c.halves or (c,)} for c in contents.columns}
    lists = [
        (c, min(list_names)) for c, list_names in names.items() if len(list_names) == 1
    ]  # not halves of two
    return [column for column, list_names in lists if _is_called(column, list_names, name)] or [
        column
        for column, list_names in lists
        if _is_called(column, list_names.removesuffix("[0]"), name)
    ]


def _several(name: str, lists: Iterable[str], key: str) -> Problem:
    return Problem(f"{name!r} is more than one list: say {', '.join([*lists][:8])}", key=key)


def _no_list(contents: Contents, name: str, key: str) -> Problem:
    """Why there is no list of a name: it has another length, or is called otherwise."""
    squares = contents.variant.squares
    plain = name.rpartition(":")[0] or name
    for no in contents.refused:
        if no.name in (name, plain):
            return Problem(no.message, key=f"{key} {name}", file=no.file, line=no.line)
    for source in contents.sources:
        for number_list in source.lists:
            count = len(number_list.row.items)
            if number_list.name in (name, plain) and count != squares:
                message = f"{number_list.name} has {count} items: expected {squares}, one a square"
                return Problem(
                    message, key=f"{key} {name}", file=number_list.file, line=number_list.line
                )
    known = sorted({c.name for c in contents.columns if c.name})
    near = suggestion(name, known)
    expected = f"expected one of {', '.join(known[:24]) or 'none'}"
    return Problem(
        f"no list {name!r} of {squares}: {near + ' ' if near else ''}{expected}", key=key
    )
