"""The values of a table file: each is checked, and a wrong one is a problem with its line."""

import math
import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, NoReturn

from magicert.board import CHESS, MOST_SQUARES, Board
from magicert.problem import Problem, listed
from magicert.table import model
from magicert.table.model import HALF_BOARD, MAX_BUFFER

# Which line of a TOML file a key stands on: the TOML reader itself does not say.
#
# This walks over text that a real TOML reader judges; it finds places, not errors,
# except that it also notices a key that is defined twice, so that all of those can be
# reported. Where the text is not TOML it stops and keeps what it has.

KeyPath = tuple[str | int, ...]
"""A key path with list positions: ("rook", "magic", 3)."""

_KEY = re.compile(
    r"""(?P<bare>[A-Za-z0-9_-]+)|"(?P<basic>(?:[^"\\\n]|\\.)*)"|'(?P<literal>[^'\n]*)'"""
)
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'",
    re.DOTALL,
)
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_SCALAR = re.compile(r"[^\s,\]}#=\[{]+(?: [0-9][^\s,\]}#]*)?")
_MAX_NESTING = 60
_MAX_PARTS = 20


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key or section that was already defined: characters [start, end) define it again."""

    path: KeyPath
    first_line: int
    line: int
    start: int
    end: int


@dataclass(slots=True)
class Places:
    """The line of every key path found, and the duplicates.

    `too_deep` is the line where values or keys nest deeper than any table's: what is
    built like that only wants to exhaust its reader.
    """

    lines: dict[KeyPath, int] = field(default_factory=dict)
    duplicates: list[Duplicate] = field(default_factory=list)
    too_deep: int | None = None

    def line(self, path: KeyPath) -> int | None:
        """The line of a path, or of its nearest ancestor that has one."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None


def locate(text: str) -> Places:
    """Find the place of every key of a TOML text."""
    walker = _Walker(text)
    with suppress(_NotTomlError):
        walker.document()
    return walker.outcome


class _NotTomlError(Exception):
    pass


class _Walker:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.outcome = self.places = Places()
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.array_tables: dict[KeyPath, int] = {}

    def line(self, at: int) -> int:
        return bisect_right(self.newlines, at - 1) + 1

    def document(self) -> None:
        section: KeyPath = ()
        repeated: Duplicate | None = None
        while True:
            self.skip(_BLANK)
            if self.at >= len(self.text):
                break
            start = self.at
            if self.text[self.at] == "[":
                if repeated is not None:
                    self.close(repeated, start)
                section, repeated = self.section()
            else:
                self.statement(section, inside_repeated=repeated is not None)
        if repeated is not None:
            self.close(repeated, len(self.text))

    def close(self, repeated: Duplicate, end: int) -> None:
        self.places.duplicates.append(replace(repeated, end=end))

    def section(self) -> tuple[KeyPath, Duplicate | None]:
        start, line = self.at, self.line(self.at)
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path = self.key()
        self.expect("]]" if many else "]")
        if many:
            number = self.array_tables.get(path, 0)
            self.array_tables[path] = number + 1
            self.places.lines.setdefault((*path, number), line)
            return (*path, number), None
        if path in self.places.lines:
            first = self.places.lines[path]
            return path, Duplicate(path, first, line, start, start)
        self.places.lines[path] = line
        return path, None

    def statement(self, section: KeyPath, inside_repeated: bool) -> None:
        start, line = self.at, self.line(self.at)
        path = section + self.key()
        self.expect("=")
        self.skip(_SPACE)
        if inside_repeated or path in self.places.lines:
            first = self.places.lines.get(path)
            places, self.places = self.places, Places()
            self.value(path, 0)
            self.places = places
            if not inside_repeated and first is not None:
                self.places.duplicates.append(Duplicate(path, first, line, start, self.at))
            return
        self.places.lines[path] = line
        self.value(path, 0)

    def key(self) -> KeyPath:
        parts: list[str | int] = []
        while True:
            self.skip(_SPACE)
            match = _KEY.match(self.text, self.at)
            if not match:
                raise _NotTomlError
            self.at = match.end()
            parts.append(match["bare"] or match["basic"] or match["literal"] or "")
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            if len(parts) == _MAX_PARTS:
                self.give_up()
            self.at += 1

    def value(self, path: KeyPath, nesting: int) -> None:
        if nesting > _MAX_NESTING:
            self.give_up()
        if self.text.startswith("[", self.at):
            self.array(path, nesting)
        elif self.text.startswith("{", self.at):
            self.inline_table(path, nesting)
        else:
            match = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            if not match:
                raise _NotTomlError
            self.at = match.end()

    def array(self, path: KeyPath, nesting: int) -> None:
        self.at += 1
        number = 0
        while True:
            self.skip(_BLANK)
            if self.text.startswith("]", self.at):
                self.at += 1
                return
            self.places.lines[(*path, number)] = self.line(self.at)
            self.value((*path, number), nesting + 1)
            number += 1
            self.skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1

    def inline_table(self, path: KeyPath, nesting: int) -> None:
        self.at += 1
        comma = self.at
        while True:
            self.skip(_BLANK)
            if self.text.startswith("}", self.at):
                self.at += 1
                return
            # What is blanked takes the comma before it along, or the rest is not TOML.
            start, line = comma, self.line(self.at)
            inner = path + self.key()
            self.expect("=")
            self.skip(_SPACE)
            if inner in self.places.lines:
                first = self.places.lines[inner]
                self.value(inner, nesting + 1)
                self.places.duplicates.append(Duplicate(inner, first, line, start, self.at))
            else:
                self.places.lines[inner] = line
                self.value(inner, nesting + 1)
            self.skip(_BLANK)
            comma = self.at
            if self.text.startswith(",", self.at):
                self.at += 1

    def give_up(self) -> NoReturn:
        self.outcome.too_deep = self.line(self.at)
        raise _NotTomlError

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def expect(self, text: str) -> None:
        self.skip(_SPACE)
        if not self.text.startswith(text, self.at):
            raise _NotTomlError
        self.at += len(text)


# How keys, values and limits are named in messages.


def key_text(path: KeyPath) -> str:
    """A key path as people write it: "rook.magic[3]"."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def value_text(value: object) -> str:
    """A short description of a value that has the wrong type or size."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            sign = "-" if value < 0 else ""
            large = value.bit_length() > 100
            return f"{sign}2^{value.bit_length() - 1} or more" if large else str(value)
        case float():
            return f"{value:.3e}" if 1e30 <= abs(value) < math.inf else str(value)
        case str():
            return repr(value if len(value) <= 40 else value[:37] + "...")
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a section"
        case _:
            return f"{type(value).__name__} {value}"


def limit_text(number: int) -> str:
    """A limit, as a power of two where that is what it is."""
    power = (number + 1).bit_length() - 1
    if number + 1 == 1 << power and power > 10:
        return f"2^{power} - 1"
    power = number.bit_length() - 1
    return f"2^{power}" if number == 1 << power and power > 10 else str(number)


LONGEST_WORD = MOST_SQUARES
_HEX = re.compile(r"0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*")


class Values:
    """Reads values by their key paths and collects the problems on the way.

    `board` and `rows` are what the file says of its board, once that is known; where it cannot
    be read, `rows` is None, and lists may be of any length.
    """

    def __init__(self, file: str, places: Places, problems: list[Problem]) -> None:
        self.file = file
        self.places = places
        self.problems = problems
        self.board: Board = CHESS
        self.rows: int | None = CHESS.squares

    def problem(self, path: KeyPath, message: str) -> None:
        line = self.places.line(path)
        self.problems.append(Problem(message, self.file, key_text(path), line))

    def known(self, section: KeyPath, document: dict[str, Any], keys: tuple[str, ...]) -> None:
        """Refuse keys of a section that are none of `keys`."""
        for key in document:
            if key not in keys:
                self.problem((*section, key), f"unknown key: expected one of {listed(keys)}")

    def section(self, value: object, path: KeyPath) -> dict[str, Any]:
        """A section; an empty one instead of anything else."""
        if isinstance(value, dict):
            return value
        self.problem(path, f"{value_text(value)}: expected a section [{key_text(path)}]")
        return {}

    def word(self, value: object, path: KeyPath) -> model.Values:
        """A word of the board, or one a row."""
        width = self.board.word if self.rows is not None else LONGEST_WORD
        return self.values(value, path, 0, (1 << width) - 1, f"a {width}-bit word")

    def optional(
        self, section: dict[str, Any], path: KeyPath, low: int, high: int, what: str
    ) -> model.Values | None:
        """The values of a key that may be missing."""
        key = path[-1]
        assert isinstance(key, str)
        return self.values(section[key], path, low, high, what) if key in section else None

    def values(self, value: object, path: KeyPath, low: int, high: int, what: str) -> model.Values:
        """A scalar or a value a row; each wrong one is a problem of its own."""
        if not isinstance(value, list):
            return (self.integer(value, path, low, high, what),)
        if self.rows is not None and len(value) != self.rows:
            half = self.rows < self.board.squares
            squares = f"square of {HALF_BOARD}" if half else "square"
            if self.board != CHESS:
                squares = f"square of {self.board}" + ", holes too" * bool(self.board.holes)
            expected = f"expected {self.rows}, one a {squares}, or one for all"
            self.problem(path, f"{len(value)} values: {expected}")
            value = value[: self.rows]  # what is too long is not looked at further
        return tuple(
            self.integer(item, (*path, place), low, high, what) for place, item in enumerate(value)
        )

    def integer(self, value: object, path: KeyPath, low: int, high: int, what: str) -> int:
        """A number between limits, as an integer or as hexadecimal text."""
        number: int | None = None
        if isinstance(value, int) and not isinstance(value, bool):
            number = value
        elif isinstance(value, str) and _HEX.fullmatch(value):
            number = int(value, 16)
        if number is None:
            expected = f'expected {what}: an integer, or hexadecimal text such as "0x1f"'
            self.problem(path, f"{value_text(value)}: {expected}")
            return low if low > 0 else 0
        if not low <= number <= high:
            actual = hex(number) if isinstance(value, str) else value_text(number)
            actual = actual if len(actual) <= 40 else actual[:37] + "..."
            limits = f"{low} to {limit_text(high)}"
            self.problem(path, f"{actual}: expected {what} from {limits}")
            return low if low > 0 else 0
        return number

    def size(self, section: dict[str, Any], path: KeyPath) -> int | None:
        """A size in slots that may be missing."""
        key = path[-1]
        if key not in section:
            return None
        return self.integer(section[str(key)], path, 1, MAX_BUFFER, "a size in slots")

    def text(self, section: dict[str, Any], path: KeyPath, required: bool = False) -> str:
        """A text; "" where there is none."""
        key = str(path[-1])
        if key not in section:
            if required:
                self.problem(path, f"missing: expected {key} = text")
            return ""
        value = section[key]
        if not isinstance(value, str):
            self.problem(path, f"{value_text(value)}: expected text")
            return ""
        if required and not value.strip():
            self.problem(path, "empty: expected text")
        return value

    def choice(
        self, section: dict[str, Any], path: KeyPath, choices: tuple[str, ...], default: str
    ) -> str:
        """One of some words; the default where there is none."""
        value = section.get(str(path[-1]), default)
        if value in choices:
            return str(value)
        self.problem(path, f"{value_text(value)}: expected one of {', '.join(choices)}")
        return default

    def sidecar(self, section: dict[str, Any], path: KeyPath) -> str | None:
        """The name of a file beside the table file, which may be missing."""
        if path[-1] not in section:
            return None
        name = self.text(section, path, required=True)
        if not name:
            return None
        pure = PurePosixPath(name)
        if pure.is_absolute() or ".." in pure.parts or "\\" in name or "\0" in name:
            self.problem(path, f"{value_text(name)}: expected a file beside the table file")
            return None
        return name
