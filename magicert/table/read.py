"""From a TOML file to a `Table`, strictly: every problem is reported, nothing is guessed.

Sizes that the file claims are compared with limits before anything is made of them.
"""

import hashlib
import re
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from magicert.board import Piece
from magicert.formula import Formula, parse
from magicert.formula.tokens import tokenize
from magicert.formula.tree import FUNCTIONS, LINE, OCCUPANCY, WORD
from magicert.problem import InputError, Problem, listed
from magicert.square_order import ORDERS
from magicert.table.locate import KeyPath, Places, locate
from magicert.table.model import (
    HALF_BOARD,
    MAX_BUFFER,
    WHOLE_BOARD,
    PieceTable,
    Provenance,
    Table,
    TwoLevel,
    Values,
)
from magicert.table.words import found_text, key_text, limit_text

FORMAT_VERSION = 1
MAX_FILE = 1 << 19
"""Largest table file, in bytes; 128 squares need about 10 KB."""
MAX_PROBLEMS = 200
"""Most problems reported of one file; the rest are counted."""
MAX_OFFSET = 1 << 40

_HEX = re.compile(r"0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

_TOP_KEYS = (
    "magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "literal",
    "two_level", "provenance", "rook", "bishop",
)  # fmt: skip
_PIECE_KEYS = (
    "index", "result", "offset", "square_size", "buffer_size", "literal",
    "attack_sets", "set_offset", "literal_sets",
)  # fmt: skip
_PROVENANCE_KEYS = tuple(f.name for f in fields(Provenance))


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table with the file that it came from and the SHA-256 of that file's bytes."""

    table: Table
    path: Path
    sha256: str
    places: Places = field(repr=False)

    @classmethod
    def unsaved(cls, table: Table, name: str) -> "TableFile":
        """A table that comes from no file; `name` stands for the file in messages."""
        return cls(table, Path(name), "", Places())

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
    table = _Reader(file, places, problems).table(document) if document is not None else None
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
    table = _Reader(file, Places(), problems).table(document)
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


class _Reader:
    """Turns the document into a Table and collects the problems on the way."""

    def __init__(self, file: str, places: Places, problems: list[Problem]) -> None:
        self.file = file
        self.places = places
        self.problems = problems
        self.rows = 64

    def problem(self, path: KeyPath, message: str) -> None:
        line = self.places.line(path)
        self.problems.append(Problem(message, self.file, key_text(path), line))

    def table(self, document: dict[str, Any]) -> Table | None:
        self.version(document)
        self.known((), document, _TOP_KEYS)
        order = self.choice(document, ("order",), ORDERS, "a1")
        shared = self.choice(document, ("buffer",), ("shared", "separate"), "separate") == "shared"
        if not shared:
            for key in ("buffer_size", "literal"):
                if key in document:
                    self.problem((key,), 'only for buffer = "shared": expected under each piece')
        two_level = self.two_level(document)
        half_board = self.half_board(document)
        self.literal_pairs(document, shared, two_level is not None)
        # In the file's order: a shared buffer without offsets is filled in that order.
        pieces = {
            piece: piece_table
            for piece in map(Piece, (key for key in document if key in set(Piece)))
            if (piece_table := self.piece(document[piece], piece, shared, two_level is not None))
        }
        if not any(piece in document for piece in Piece):
            self.problem((), "no [rook] and no [bishop]: expected at least one")
        return Table(
            name=self.text(document, ("name",), required=True),
            pieces=pieces,
            order=order,
            listing=self.choice(document, ("listing",), ORDERS, order),
            shared=shared,
            buffer_size=self.size(document, ("buffer_size",)),
            literal=self.sidecar(document, ("literal",)),
            two_level=two_level,
            provenance=self.provenance(document),
            half_board=half_board,
        )

    def version(self, document: dict[str, Any]) -> None:
        if "magicert" not in document:
            self.problem((), f"no format version: expected magicert = {FORMAT_VERSION}")
        elif type(document["magicert"]) is not int or document["magicert"] != FORMAT_VERSION:
            found = found_text(document["magicert"])
            self.problem(("magicert",), f"format version {found}: expected {FORMAT_VERSION}")

    def known(self, section: KeyPath, document: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in document:
            if key not in keys:
                self.problem((*section, key), f"unknown key: expected one of {listed(keys)}")

    def section(self, value: object, path: KeyPath) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        self.problem(path, f"{found_text(value)}: expected a section [{key_text(path)}]")
        return {}

    def half_board(self, document: dict[str, Any]) -> bool:
        """Whether the lists are of ranks 1 to 4 only. Then everything begins with a1, so that
        swapped bytes are swapped ranks; two levels are not offered.
        """
        if self.choice(document, ("board",), (WHOLE_BOARD, HALF_BOARD), WHOLE_BOARD) == WHOLE_BOARD:
            return False
        self.rows = 32
        for key in ("order", "listing"):
            if document.get(key, "a1") in ORDERS[1:]:
                found = found_text(document[key])
                self.problem((key,), f'{found}: expected "a1" with board = "{HALF_BOARD}"')
        if "two_level" in document:
            message = f'a two-level table: expected one level with board = "{HALF_BOARD}"'
            self.problem(("two_level",), message)
        return True

    def two_level(self, document: dict[str, Any]) -> TwoLevel | None:
        if "two_level" not in document:
            return None
        section = self.section(document["two_level"], ("two_level",))
        self.known(("two_level",), section, ("entry_bits", "words", "literal_words"))
        bits = section.get("entry_bits")
        if bits not in (8, 16) or isinstance(bits, bool | float):
            found = "missing" if bits is None else found_text(bits)
            self.problem(("two_level", "entry_bits"), f"{found}: expected 8 or 16")
            bits = 8
        path: KeyPath = ("two_level",)
        words = self.size(section, (*path, "words"))
        literal_words = self.sidecar(section, (*path, "literal_words"))
        if (words is None) != (literal_words is None):
            given, lacks = ("words", "literal_words")[:: 1 if literal_words is None else -1]
            self.problem((*path, lacks), f"missing: expected with {given}")
        return TwoLevel(bits, words, literal_words)

    def literal_pairs(self, document: dict[str, Any], shared: bool, two_level: bool) -> None:
        """In a two-level table a finished buffer needs its attack sets, and they need it. They are
        of a piece, or words that both pieces share.
        """
        levels = document.get("two_level")
        words = isinstance(levels, dict) and "literal_words" in levels
        for piece in Piece:
            section = document.get(piece.value)
            if not two_level or not isinstance(section, dict):
                continue
            literal = "literal" in (document if shared else section)
            if words:
                self.words_of_both(section, piece, literal)
                continue
            if literal and "literal_sets" not in section:
                self.problem((piece.value, "literal_sets"), "missing: expected with a literal")
            if not literal and "literal_sets" in section:
                self.problem((piece.value, "literal_sets"), "without a literal: expected both")

    def words_of_both(self, section: dict[str, Any], piece: Piece, literal: bool) -> None:
        """What a piece has, and has not, where both pieces share the words of the second level."""
        for key in ("attack_sets", "literal_sets"):
            if key in section:
                message = "with two_level.literal_words: expected one or the other"
                self.problem((piece.value, key), message)
        if not literal:
            self.problem(("two_level", "literal_words"), "without a literal: expected both")
        if "set_offset" not in section:
            self.problem((piece.value, "set_offset"), "missing: expected with literal_words")

    def provenance(self, document: dict[str, Any]) -> Provenance:
        path: KeyPath = ("provenance",)
        section = self.section(document.get("provenance", {}), path)
        self.known(path, section, _PROVENANCE_KEYS)
        values: dict[str, Any] = {
            key: self.text(section, (*path, key))
            for key in _PROVENANCE_KEYS
            if key in section and key != "seed"
        }
        seed = section.get("seed")
        if seed is not None:
            values["seed"] = self.integer(seed, (*path, "seed"), 0, (1 << 64) - 1, "a seed")
        return Provenance(**values)

    def piece(
        self, value: object, piece: Piece, shared: bool, two_level: bool
    ) -> PieceTable | None:
        path: KeyPath = (piece.value,)
        section = self.section(value, path)
        given = {key for key in section if key not in _PIECE_KEYS and _NAME.fullmatch(key)} - {
            OCCUPANCY,
            *FUNCTIONS,
        }
        formula = self.formula(section, path, given)
        result = self.result(section, path, given)
        # A formula that does not parse still shows which names it means to use.
        tokens = tokenize(f"{section.get('index', '')} {section.get('result', '')}", [])
        used = {t.text for t in tokens if t.kind == "name"} - {OCCUPANCY, *FUNCTIONS}
        if "result" in section:
            used.discard(WORD)
        parameters = {
            key: self.values(section[key], (*path, key), 0, (1 << 64) - 1, "a 64-bit word")
            for key in section
            if key not in _PIECE_KEYS and self.is_parameter(key, used, given, path)
        }
        for key in ("buffer_size", "literal"):
            if shared and key in section:
                self.problem((*path, key), 'buffer = "shared": expected at the top of the file')
        for key in ("attack_sets", "set_offset", "literal_sets"):
            if not two_level and key in section:
                self.problem((*path, key), "only for a table with [two_level]")
        table = PieceTable(
            piece=piece,
            index=formula or parse("0"),
            parameters=parameters,
            result=result,
            offset=self.optional(section, (*path, "offset"), -MAX_OFFSET, MAX_OFFSET, "an offset"),
            square_size=self.optional(section, (*path, "square_size"), 1, MAX_BUFFER, "a size"),
            buffer_size=self.size(section, (*path, "buffer_size")),
            literal=self.sidecar(section, (*path, "literal")),
            attack_sets=self.size(section, (*path, "attack_sets")),
            set_offset=self.optional(section, (*path, "set_offset"), 0, MAX_BUFFER, "an offset"),
            literal_sets=self.sidecar(section, (*path, "literal_sets")),
        )
        return table if formula else None

    def is_parameter(self, key: str, used: set[str], given: set[str], path: KeyPath) -> bool:
        if key not in given:
            self.problem((*path, key), f"{key!r} cannot be the name of a parameter")
            return False
        if key not in used and key != "mask":
            names, keys = listed(sorted(used)) or "none", listed(_PIECE_KEYS)
            message = f"unknown key: the index formula uses {names}; other keys are {keys}"
            self.problem((*path, key), message)
        return True

    def formula(self, section: dict[str, Any], path: KeyPath, given: set[str]) -> Formula | None:
        """The formula of the index."""
        key = (*path, "index")
        text = self.text(section, key, required=True)
        return self.parsed(text, key, given | {"mask"}, OCCUPANCY)

    def result(self, section: dict[str, Any], path: KeyPath, given: set[str]) -> Formula | None:
        """The formula that makes the attack set from the loaded word, if there is one."""
        if "result" not in section:
            return None
        key = (*path, "result")
        text = self.text(section, key, required=True)
        return self.parsed(text, key, given | {OCCUPANCY, "mask", LINE}, WORD)

    def parsed(self, text: str, key: KeyPath, names: set[str], needed: str) -> Formula | None:
        """A formula that must use `needed`; None if it is none."""
        if not text:
            return None
        try:
            formula = parse(text, names | {needed})
        except InputError as error:
            line = self.places.line(key)
            self.problems.extend(p.at(self.file, key_text(key), line) for p in error.problems)
            return None
        if needed not in formula.names:
            self.problem(key, f"the formula {text[:60]!r} does not use {needed}")
        return formula

    def optional(
        self, section: dict[str, Any], path: KeyPath, low: int, high: int, what: str
    ) -> Values | None:
        key = path[-1]
        assert isinstance(key, str)
        return self.values(section[key], path, low, high, what) if key in section else None

    def values(self, value: object, path: KeyPath, low: int, high: int, what: str) -> Values:
        """A scalar or a value a row; each wrong one is a problem of its own."""
        if not isinstance(value, list):
            return (self.integer(value, path, low, high, what),)
        if len(value) != self.rows:
            square = "square" if self.rows == 64 else f"square of {HALF_BOARD}"
            expected = f"expected {self.rows}, one a {square}, or one for all"
            self.problem(path, f"{len(value)} values: {expected}")
            value = value[: self.rows]  # what is too long is not looked at further
        return tuple(
            self.integer(item, (*path, place), low, high, what) for place, item in enumerate(value)
        )

    def integer(self, value: object, path: KeyPath, low: int, high: int, what: str) -> int:
        number: int | None = None
        if isinstance(value, int) and not isinstance(value, bool):
            number = value
        elif isinstance(value, str) and _HEX.fullmatch(value):
            number = int(value, 16)
        if number is None:
            expected = f'expected {what}: an integer, or hexadecimal text such as "0x1f"'
            self.problem(path, f"{found_text(value)}: {expected}")
            return low if low > 0 else 0
        if not low <= number <= high:
            found = hex(number) if isinstance(value, str) else found_text(number)
            found = found if len(found) <= 40 else found[:37] + "..."
            limits = f"{low} to {limit_text(high)}"
            self.problem(path, f"{found}: expected {what} from {limits}")
            return low if low > 0 else 0
        return number

    def size(self, section: dict[str, Any], path: KeyPath) -> int | None:
        key = path[-1]
        if key not in section:
            return None
        return self.integer(section[str(key)], path, 1, MAX_BUFFER, "a size in slots")

    def text(self, section: dict[str, Any], path: KeyPath, required: bool = False) -> str:
        key = str(path[-1])
        if key not in section:
            if required:
                self.problem(path, f"missing: expected {key} = text")
            return ""
        value = section[key]
        if not isinstance(value, str):
            self.problem(path, f"{found_text(value)}: expected text")
            return ""
        if required and not value.strip():
            self.problem(path, "empty: expected text")
        return value

    def choice(
        self, section: dict[str, Any], path: KeyPath, choices: tuple[str, ...], default: str
    ) -> str:
        value = section.get(str(path[-1]), default)
        if value in choices:
            return str(value)
        self.problem(path, f"{found_text(value)}: expected one of {', '.join(choices)}")
        return default

    def sidecar(self, section: dict[str, Any], path: KeyPath) -> str | None:
        if path[-1] not in section:
            return None
        name = self.text(section, path, required=True)
        if not name:
            return None
        pure = PurePosixPath(name)
        if pure.is_absolute() or ".." in pure.parts or "\\" in name or "\0" in name:
            self.problem(path, f"{found_text(name)}: expected a file beside the table file")
            return None
        return name
