"""From a TOML file to a `Table`, strictly: every problem is reported, nothing is guessed.

Sizes that the file claims are compared with limits before anything is made of them.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from magicert.board import CHESS, Piece, orders, parse_board
from magicert.problem import InputError, Problem, listed, suggestion
from magicert.table.locate import KeyPath, Places, locate
from magicert.table.model import HALF_BOARD, WHOLE_BOARD, PieceTable, Provenance, Table, TwoLevel
from magicert.table.pieces import is_piece, piece_table
from magicert.table.values import Values, found_text, key_text

# Which buffers a table has: one or two levels, and the files of finished ones.


def two_level(values: Values, document: dict[str, Any]) -> TwoLevel | None:
    """What the file says of a second level, if it has one."""
    if "two_level" not in document:
        return None
    path: KeyPath = ("two_level",)
    section = values.section(document["two_level"], path)
    values.known(path, section, ("entry_bits", "words", "literal_words"))
    bits = section.get("entry_bits")
    if bits not in (8, 16) or isinstance(bits, bool | float):
        found = "missing" if bits is None else found_text(bits)
        values.problem((*path, "entry_bits"), f"{found}: expected 8 or 16")
        bits = 8
    words = values.size(section, (*path, "words"))
    literal_words = values.sidecar(section, (*path, "literal_words"))
    if (words is None) != (literal_words is None):
        given, lacks = ("words", "literal_words")[:: 1 if literal_words is None else -1]
        values.problem((*path, lacks), f"missing: expected with {given}")
    return TwoLevel(bits, words, literal_words)


def literal_pairs(
    values: Values, document: dict[str, Any], pieces: Iterable[str], shared: bool
) -> None:
    """In a two-level table a finished buffer needs its attack sets, and they need it. They are
    of a piece, or words that all pieces share.
    """
    levels = document.get("two_level")
    words = isinstance(levels, dict) and "literal_words" in levels
    for piece in pieces if levels is not None else ():
        section = document[piece]
        if not isinstance(section, dict):
            continue
        literal = "literal" in (document if shared else section)
        if words:
            _words_of_all(values, section, piece, literal)
            continue
        if literal and "literal_sets" not in section:
            values.problem((piece, "literal_sets"), "missing: expected with a literal")
        if not literal and "literal_sets" in section:
            values.problem((piece, "literal_sets"), "without a literal: expected both")


def _words_of_all(values: Values, section: dict[str, Any], piece: str, literal: bool) -> None:
    """What a piece has, and has not, where all pieces share the words of the second level."""
    for key in ("attack_sets", "literal_sets"):
        if key in section:
            message = "with two_level.literal_words: expected one or the other"
            values.problem((piece, key), message)
    if not literal:
        values.problem(("two_level", "literal_words"), "without a literal: expected both")
    if "set_offset" not in section:
        values.problem((piece, "set_offset"), "missing: expected with literal_words")


# A table file's keys at the top, its sections, and the table that they make.

FORMAT_VERSION = 1
_FILES_AND_RANKS = re.compile(r"[1-9][0-9]{0,2}x[1-9][0-9]{0,2}", re.ASCII)
_TOP_KEYS = (
    "magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "literal",
    "two_level", "provenance",
)  # fmt: skip
_PROVENANCE_KEYS = tuple(f.name for f in fields(Provenance))


def read_document(values: Values, document: dict[str, Any]) -> Table:
    """The table of a document; what is wrong goes to the problems of `values`."""
    _version(values, document)
    pieces = [key for key in document if key not in _TOP_KEYS and is_piece(key, document[key])]
    _known(values, document, pieces)
    half_board = _board(values, document)
    order, listing = _orders(values, document)
    shared = values.choice(document, ("buffer",), ("shared", "separate"), "separate") == "shared"
    if not shared:
        for key in ("buffer_size", "literal"):
            if key in document:
                message = 'only for buffer = "shared": expected under each piece'
                values.problem((key,), message)
    levels = two_level(values, document)
    if half_board:
        _refuse_with_half(values, document)
    literal_pairs(values, document, pieces, shared)
    if not pieces:
        chess = values.board == CHESS
        expected = "no [rook] and no [bishop]" if chess else "no piece's section, such as [rook]"
        values.problem((), f"{expected}: expected at least one")
    return Table(
        name=values.text(document, ("name",), required=True),
        pieces=_pieces(values, document, pieces, shared, levels is not None),
        order=order,
        listing=listing,
        shared=shared,
        buffer_size=values.size(document, ("buffer_size",)),
        literal=values.sidecar(document, ("literal",)),
        two_level=levels,
        provenance=_provenance(values, document),
        half_board=half_board,
        board=values.board,
    )


def _pieces(
    values: Values, document: dict[str, Any], names: list[str], shared: bool, two_level: bool
) -> dict[str, PieceTable]:
    """In the file's order: a shared buffer without offsets is filled in that order."""
    found = {}
    for name in names:
        section = values.section(document[name], (name,))
        piece = piece_table(values, section, name, shared, two_level)
        if piece is not None:
            found[piece.piece] = piece
    return found


def _version(values: Values, document: dict[str, Any]) -> None:
    if "magicert" not in document:
        values.problem((), f"no format version: expected magicert = {FORMAT_VERSION}")
    elif type(document["magicert"]) is not int or document["magicert"] != FORMAT_VERSION:
        found = found_text(document["magicert"])
        values.problem(("magicert",), f"format version {found}: expected {FORMAT_VERSION}")


def _known(values: Values, document: dict[str, Any], pieces: list[str]) -> None:
    keys = (*_TOP_KEYS, *Piece)
    for key, value in document.items():
        if key in _TOP_KEYS or key in pieces:
            continue
        message = f"unknown key: expected one of {listed(keys)}"
        if isinstance(value, dict):
            message += ", or another piece's section, with an index"
            near = suggestion(key, keys)
            message += f": {near}" if near else ""
        values.problem((key,), message)


def _board(values: Values, document: dict[str, Any]) -> bool:
    """Take the board from the document; whether the table is a half board."""
    board = document.get("board", WHOLE_BOARD)
    if board in (WHOLE_BOARD, HALF_BOARD):
        values.rows = CHESS.squares if board == WHOLE_BOARD else CHESS.squares // 2
        return bool(board == HALF_BOARD)
    values.rows = None
    if not isinstance(board, str) or not _FILES_AND_RANKS.fullmatch(board):
        expected = f"one of {WHOLE_BOARD}, {HALF_BOARD}, or files and ranks, such as 12x10"
        values.problem(("board",), f"{found_text(board)}: expected {expected}")
        return False
    try:
        values.board = parse_board(board)
        values.rows = values.board.squares
    except ValueError as error:
        values.problem(("board",), str(error))
    return False


def _orders(values: Values, document: dict[str, Any]) -> tuple[str, str]:
    if values.rows is None:  # corners of a board that is not known
        return "a1", "a1"
    known = orders(values.board)
    order = values.choice(document, ("order",), known, "a1")
    return order, values.choice(document, ("listing",), known, order)


def _refuse_with_half(values: Values, document: dict[str, Any]) -> None:
    """Swapped bytes are swapped ranks only where everything begins with a1; two levels are not
    offered.
    """
    for key in ("order", "listing"):
        if document.get(key, "a1") in orders(CHESS)[1:]:
            found = found_text(document[key])
            values.problem((key,), f'{found}: expected "a1" with board = "{HALF_BOARD}"')
    if "two_level" in document:
        message = f'a two-level table: expected one level with board = "{HALF_BOARD}"'
        values.problem(("two_level",), message)


def _provenance(values: Values, document: dict[str, Any]) -> Provenance:
    path: KeyPath = ("provenance",)
    section = values.section(document.get("provenance", {}), path)
    values.known(path, section, _PROVENANCE_KEYS)
    given: dict[str, Any] = {
        key: values.text(section, (*path, key))
        for key in _PROVENANCE_KEYS
        if key in section and key != "seed"
    }
    seed = section.get("seed")
    if seed is not None:
        given["seed"] = values.integer(seed, (*path, "seed"), 0, (1 << 64) - 1, "a seed")
    return Provenance(**given)


MAX_FILE = 1 << 19
"""Largest table file, in bytes; 128 squares need about 10 KB."""
MAX_PROBLEMS = 200
"""Most problems reported of one file; the rest are counted."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table with the file that it came from and the SHA-256 of that file's bytes."""

    table: Table
    path: Path
    sha256: str
    places: Places

    @classmethod
    def unsaved(cls, table: Table, name: str) -> "TableFile":
        """A table that comes from no file; `name` stands for the file in messages."""
        return cls(table, Path(name), "", Places())

    def __repr__(self) -> str:
        return f"<TableFile {self.path.name}: {self.table!r}>"

    def line(self, *path: str | int) -> int | None:
        """The line of a key, or of the nearest section around it."""
        return self.places.line(path)


def read_table(path: Path) -> TableFile:
    """Read a table file; InputError with every problem, OSError if it cannot be opened."""
    with path.open("rb") as stream:
        data = stream.read(MAX_FILE + 1)
    return parse_table(data, path)


def parse_table(data: bytes, path: Path) -> TableFile:
    """Read a table from the bytes of a file; `path` names it in messages."""
    file = str(path)
    if len(data) > MAX_FILE:
        message = f"file larger than {MAX_FILE:,} bytes: expected a table of 128 squares"
        raise InputError([Problem(message, file=file)])
    problems: list[Problem] = []
    text = _decode(data, file, problems)
    places = locate(text)
    for twice in places.duplicates:
        message = f"defined twice: the first is on line {twice.first_line}"
        problems.append(Problem(message, file, key_text(twice.path), twice.line))
    if places.too_deep is not None:
        message = "lists or keys nested too deeply: expected a table"
        raise InputError([*problems, Problem(message, file, "", places.too_deep)])
    document = _toml(_without_duplicates(text, places), file, problems)
    table = None if document is None else read_document(Values(file, places, problems), document)
    if problems or table is None:
        problems.sort(key=lambda problem: problem.line or 0)
        more = len(problems) - MAX_PROBLEMS
        if more > 0:
            problems[MAX_PROBLEMS:] = [Problem(f"and {more:,} problems more", file)]
        raise InputError(problems)
    return TableFile(table, path, hashlib.sha256(data).hexdigest(), places)


def table_of(document: dict[str, Any], file: str = "") -> Table:
    """The table that a document says which is already in memory, with the same checks.

    Raises InputError with every problem, named by its key.
    """
    problems: list[Problem] = []
    table = read_document(Values(file, Places(), problems), document)
    if problems or table is None:
        raise InputError(problems)
    return table


def _decode(data: bytes, file: str, problems: list[Problem]) -> str:
    # Universal newlines, as TOML has it; a byte-order mark is no error.
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        problems.append(Problem(f"{found} is not UTF-8: expected UTF-8 text", file, "", line))
        return data.decode("utf-8", errors="replace")


def _without_duplicates(text: str, places: Places) -> str:
    """Blank every second definition, so that the rest of the file can be checked as well."""
    for twice in reversed(places.duplicates):
        blank = "\n" * text.count("\n", twice.start, twice.end)
        # Lines must keep their numbers; the statement's end keeps its own line break.
        text = text[: twice.start] + blank + text[twice.end :]
    return text


def _toml(text: str, file: str, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, and int() on absurdly long digits
        message, _, place = str(error).partition(" (at ")
        if not isinstance(error, tomllib.TOMLDecodeError):
            message = "a number of thousands of digits: expected a 64-bit word"
        match = re.match(r"line (\d+), column (\d+)", place)
        problems.append(
            Problem(
                f"not TOML: {message}", file, "", int(match[1]) if match else text.count("\n") + 1
            )
        )
    return None
