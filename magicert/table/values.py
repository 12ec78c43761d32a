"""The values of a table file: each one is checked, and every wrong one is a problem."""

import math
import re
from pathlib import PurePosixPath
from typing import Any

from magicert.board import CHESS, Board
from magicert.problem import Problem, listed
from magicert.table import model
from magicert.table.locate import KeyPath, Places
from magicert.table.model import HALF_BOARD, MAX_BUFFER

# How keys, values and limits are named in messages.


def key_text(path: KeyPath) -> str:
    """A key path as people write it: "rook.magic[3]"."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def found_text(value: object) -> str:
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


LONGEST_WORD = 128
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
        """Note a problem at a key."""
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
        self.problem(path, f"{found_text(value)}: expected a section [{key_text(path)}]")
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
                squares = f"square of {self.board}"
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
            self.problem(path, f"{found_text(value)}: expected text")
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
        self.problem(path, f"{found_text(value)}: expected one of {', '.join(choices)}")
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
            self.problem(path, f"{found_text(name)}: expected a file beside the table file")
            return None
        return name
