"""Words of a user as values: numbers, times, sets of squares. Each function raises ValueError.

The command line and the Python functions read them here, so that both say the same of a wrong one.
`Arguments` turns the errors into one of the input, with the names of the arguments.
"""

import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar

from magicert.board import CHESS, Board, bitboard, parse_board, squares_of
from magicert.problem import InputError, Problem, suggestion

Value = TypeVar("Value")


def whole_number(value: Any, least: int | None = None, most: int | None = None) -> int:  # noqa: ANN401
    """A whole number from `least` to `most`; no bool, and no float."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if (
        number is None
        or isinstance(value, bool)
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        raise ValueError(f"{value!r}: expected {range_text(least, most)}")
    return number


def range_text(least: int | None, most: int | None) -> str:
    """What a whole number may be."""
    if least is None:
        return "a whole number"
    return f"{least} to {most}" if most is not None else f"{least} or more"


def parse_unsigned(text: str, bits: int, example: str) -> int:
    """An unsigned number of so many bits: "0x1f", or "31"."""
    if not re.fullmatch("0[xX][0-9a-fA-F]+|[0-9]+", text):
        raise ValueError(f"{text!r}: expected a number such as {example}")
    number = int(text, 16 if text[:2] in ("0x", "0X") else 10)
    if number >> bits:
        raise ValueError(f"{text}: expected at most {bits} bits")
    return number


def parse_duration(text: str) -> float:
    """A time such as "90", "90s", "10m" or "2h", in seconds."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1.0)
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise ValueError(f"{text!r}: expected a time such as 90s, 10m or 2h")
    return seconds


def duration_text(seconds: float) -> str:
    """The shortest text that `parse_duration` reads as this time."""
    units = {"h": 3600, "m": 60}
    whole = (f"{seconds / many:g}{unit}" for unit, many in units.items() if seconds % many == 0)
    return next(whole, f"{seconds:g}s")


def seconds_of(value: Any) -> float:  # noqa: ANN401
    """A time in seconds, more than 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value > 0 or math.isinf(value):
        raise ValueError(f"{value!r}: expected more than 0")
    return float(value)


def choice(value: Any, choices: Collection[str]) -> str:  # noqa: ANN401
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        near = suggestion(value, choices) if isinstance(value, str) else ""
        expected = f"expected one of {', '.join(choices)}"
        raise ValueError(f"{value!r}: {near or expected}")
    return str(value)


def text(value: Any) -> str:  # noqa: ANN401
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r}: expected a text")
    return value


def several(value: Any, what: str) -> tuple[Any, ...]:  # noqa: ANN401
    """One text or path, or several of them."""
    if isinstance(value, str | bytes | PathLike):
        return (value,)
    if not isinstance(value, Iterable):
        raise ValueError(f"{value!r}: expected {what}, or several")
    return tuple(value)


def flag(value: Any) -> bool:  # noqa: ANN401
    """True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r}: expected True or False")
    return value


def path_of(value: Any) -> Path:  # noqa: ANN401
    """A path that is not empty."""
    try:
        name: str | bytes = fspath(value)
    except TypeError:
        raise ValueError(f"{type(value).__name__}: expected a path") from None
    if not name:
        raise ValueError("an empty path")
    if not isinstance(name, str) or "\0" in name:
        raise ValueError(f"{name!r}: expected a path")
    return Path(name)


def board_of(value: str | Board | None) -> Board:
    """A board by its files and ranks, such as "9x10"; None is that of chess."""
    if value is None or isinstance(value, Board):
        return value or CHESS
    return parse_board(text(value))


LOWEST_BIT = "lowest-bit"
"""In the place of a piece: the 64 words of one bit, each with a value of its own. A formula that
keeps them apart in 64 slots finds the number of a word's lowest bit, as Glaurung's fold hash does.
"""


def piece_text(
    name: str, board: Board | None = None, *, called: bool = False, others: Collection[str] = ()
) -> str:
    """A piece by its name, or in Betza's notation, with its regions on a board; it stays a text.
    With `called` it may have a name of its own, as in cannon=pR. `others` are words that stand in
    the place of a piece.
    """
    from magicert.betza import parse_piece

    if name not in others:
        parse_piece(name.rpartition("=")[2] if called else name, board)
    return name


def option_texts(values: Any) -> dict[str, str]:  # noqa: ANN401
    """Options of an engine by name: of a mapping, or of texts NAME=VALUE."""
    if isinstance(values, Mapping):
        return {str(name): str(value) for name, value in values.items()}
    words = [text(word) for word in several(values, "NAME=VALUE")]
    wrong = [word for word in words if "=" not in word[1:]]
    if wrong:
        raise InputError(Problem(f"-O {word}: expected NAME=VALUE") for word in wrong)
    return dict(word.partition("=")[::2] for word in words)


def square_text(name: str, board: Board = CHESS) -> str:
    """The name of a square of a board, in lower case. It stays a text: which bit it is, the square
    order says.
    """
    try:
        board.parse(name.lower())
    except ValueError as error:
        turned = name.lower()[::-1]
        near = turned in map(board.name, range(board.squares))
        raise ValueError(f"{error}{f'; did you mean {turned}?' if near else ''}") from None
    return name.lower()


def square_or_bit(value: Any, board: Board = CHESS) -> str | int:  # noqa: ANN401
    """A square of a board by name, or by its bit."""
    try:
        named = value.lower() if isinstance(value, str) else whole_number(value)
        square = board.parse_corner(named) if isinstance(named, str) else named
        board.name(square)
    except ValueError:
        last = board.name(board.squares - 1)
        expected = f"expected a1..{last}, or 0..{board.squares - 1}"
        raise ValueError(f"{value!r}: {expected}") from None
    board.check_no_hole(square)
    return named


def parse_occupancy(words: str, board: Board = CHESS) -> int:
    """A set of squares, "e6,c4" or "0x1000", or "" for none, as a bitboard with a1 = 0."""
    words = words.strip().lower()
    if words.startswith("0x"):
        if not re.fullmatch("0x[0-9a-f]+", words):
            raise ValueError(f"{words!r}: expected a bitboard such as 0x1000")
        if int(words, 16) >> board.word:
            raise ValueError(f"{words}: expected at most {board.word} bits")
        if int(words, 16) >> board.squares:
            raise ValueError(f"{words}: {board} has {board.squares} squares: expected no more bits")
        for square in squares_of(int(words, 16) & board.holes):
            board.check_no_hole(square)
        return int(words, 16)
    try:
        return bitboard(board.parse(name) for name in words.replace(",", " ").split())
    except ValueError as error:
        raise ValueError(f"{error}; or a bitboard such as 0x1000") from None


class Arguments:
    """Collects what is wrong with the arguments of a function, and raises all of it at once.

    arguments = Arguments()
    bits = arguments.read("bits", bits, lambda value: whole_number(value, 1, 32))
    arguments.refuse()
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def read(self, key: str, value: Any, parse: Callable[[Any], Value]) -> Any:  # noqa: ANN401
        """The value as `parse` reads it; None, and a problem named `key`, where it is wrong."""
        try:
            return parse(value)
        except InputError as error:
            self.problems += error.problems
        except ValueError as error:
            self.problems += [Problem(str(message), key=key) for message in error.args]
        return None

    def optional(self, key: str, value: Any, parse: Callable[[Any], Value]) -> Any:  # noqa: ANN401
        """The same, where None stays None."""
        return None if value is None else self.read(key, value, parse)

    def refuse(self) -> None:
        """InputError with everything that was wrong."""
        if self.problems:
            raise InputError(self.problems)


def read_arguments(
    function: Callable[..., Any],
    values: Mapping[str, Any],
    readers: Mapping[str, Callable[[Any], Any]],
) -> dict[str, Any]:
    """The arguments of a call of `function`, each as its reader reads it; None stays where it is
    the default. A board is read first: which squares there are depends on it.

    Raises InputError, which names every wrong argument.
    """
    defaults = _defaults(function)
    arguments = Arguments()
    board = arguments.optional("board", values.get("board"), board_of)
    readers = {
        "board": lambda _: board, "square": lambda value: square_or_bit(value, board or CHESS),
        **readers,
    }  # fmt: skip
    read = {}
    for name, value in values.items():
        take = arguments.optional if defaults[name] is None else arguments.read
        read[name] = take(name, value, readers[name])
    arguments.refuse()
    return read


def call_text(function: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """A call of a public function with these arguments, as a file's provenance records it: those
    that are the default are left out.
    """
    defaults = _defaults(function)
    words = [
        f"{name}={(str(value) if isinstance(value, Board | Path) else value)!r}"
        for name, value in values.items()
        if value not in (None, (), {}) and value != defaults[name]
    ]
    return f"magicert.{function.__name__}({', '.join(words)})"


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The defaults of a function's arguments; those without one have a default that nothing is."""
    from inspect import signature

    return {name: parameter.default for name, parameter in signature(function).parameters.items()}
