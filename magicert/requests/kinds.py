"""What an option can hold: how it is read from a command line, and what Python may give."""

import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from magicert.board import CHESS, Board, Piece, bitboard, parse_board
from magicert.problem import suggestion

Given = Mapping[str, Any]
"""The other values of a question, by field: which squares there are depends on the board."""


class Kind:
    """A text. `metavar` is what help calls it; the texts in `choices` are all there are, if any."""

    metavar: str | None = None
    choices: Collection[str] = ()

    def read(self, text: str, given: Given) -> Any:  # noqa: ANN401
        """What a word of a command line says. Raises ValueError for what is wrong with it."""
        return text

    def accept(self, value: Any, given: Given) -> Any:  # noqa: ANN401
        """The same for a value of Python. Raises ValueError."""
        if not isinstance(value, str):
            raise ValueError(f"{value!r}: expected a text")
        return self.read(value, given)

    def written(self, value: Any) -> str:  # noqa: ANN401
        """The word of a command line that says this."""
        return str(value)

    def complete(self, begun: str) -> Iterable[str]:
        """Words that begin so."""
        return [word for word in self.choices if word.startswith(begun)]


TEXT = Kind()


class Flag(Kind):
    """Yes or no: an option without a word behind it."""

    def accept(self, value: Any, given: Given) -> bool:  # noqa: ANN401
        """True or False."""
        if not isinstance(value, bool):
            raise ValueError(f"{value!r}: expected True or False")
        return value


class WholeNumber(Kind):
    """A whole number from `least` to `most`."""

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, given: Given) -> int:
        """A decimal number."""
        try:
            return self.accept(int(text), given)
        except ValueError:
            raise ValueError(f"{text!r}: expected {self.expected}") from None

    def accept(self, value: Any, given: Given) -> int:  # noqa: ANN401
        """Any whole number of Python's, numpy's too."""
        try:
            number = operator.index(value)
        except TypeError:
            number = None
        if number is None or isinstance(value, bool) or not self.has(number):
            raise ValueError(f"{value!r}: expected {self.expected}")
        return number

    def has(self, number: int) -> bool:
        """Whether it is in the range."""
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)

    @property
    def expected(self) -> str:
        """The range in words."""
        if self.least is None:
            return "a whole number"
        return f"{self.least} to {self.most}" if self.most is not None else f"{self.least} or more"


class Unsigned(Kind):
    """An unsigned number of so many bits: "0x1f", or "31"."""

    metavar = "NUMBER"

    def __init__(self, bits: int, example: str) -> None:
        self.bits = bits
        self.example = example

    def read(self, text: str, given: Given) -> int:
        """The number."""
        if not re.fullmatch("0[xX][0-9a-fA-F]+|[0-9]+", text):
            raise ValueError(f"{text!r}: expected a number such as {self.example}")
        number = int(text, 16 if text[:2] in ("0x", "0X") else 10)
        if number >> self.bits:
            raise ValueError(f"{text}: expected at most {self.bits} bits")
        return number

    def accept(self, value: Any, given: Given) -> int:  # noqa: ANN401
        """A number of Python's, too."""
        return super().accept(hex(value) if isinstance(value, int) else value, given)

    def written(self, value: int) -> str:
        """In hexadecimal digits."""
        return f"{value:#x}"


class Occupancy(Unsigned):
    """A set of squares: "e6,c4", "0x1000", or "" for none."""

    metavar = "SQUARES"

    def __init__(self) -> None:
        super().__init__(0, "")

    def read(self, text: str, given: Given) -> int:
        """The bitboard, a1=0."""
        board = given.get("board") or CHESS
        text = text.strip().lower()
        if text.startswith("0x"):
            if not re.fullmatch("0x[0-9a-f]+", text):
                raise ValueError(f"{text!r}: expected a bitboard such as 0x1000")
            if int(text, 16) >> board.word:
                raise ValueError(f"{text}: expected at most {board.word} bits")
            return int(text, 16)
        try:
            return bitboard(board.parse(name) for name in text.replace(",", " ").split())
        except ValueError as error:
            raise ValueError(f"{error}; or a bitboard such as 0x1000") from None


class OneOf(Kind):
    """One of some words."""

    def __init__(self, words: Iterable[str]) -> None:
        self.choices = tuple(words)

    def read(self, text: str, given: Given) -> str:
        """The word; what is nearly one is suggested."""
        if text not in self.choices:
            hint = suggestion(text, self.choices) or f"expected one of {', '.join(self.choices)}"
            raise ValueError(f"{text!r}: {hint}")
        return text


class File(Kind):
    """A path. `there` says that it must exist, `output` that it is written; it may be a file, a
    `folder`, or with None either.
    """

    metavar = "FILE"

    def __init__(
        self, *, there: bool = False, output: bool = False, folder: bool | None = False
    ) -> None:
        self.there = there
        self.output = output
        self.folder = folder

    def read(self, text: str, given: Given) -> Path:
        """The path."""
        return self.accept(text, given)

    def accept(self, value: str | PathLike[str], given: Given) -> Path:
        """A path of Python's, too."""
        try:
            text = fspath(value)
        except TypeError:
            raise ValueError(f"{type(value).__name__}: expected a path") from None
        if not text:
            raise ValueError("an empty path")
        return Path(text)


class Duration(Kind):
    """A time, in seconds: "90", "90s", "10m" or "2h"."""

    metavar = "TIME"

    def read(self, text: str, given: Given) -> float:
        """The seconds: more than 0."""
        units = {"s": 1.0, "m": 60.0, "h": 3600.0}
        number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1.0)
        try:
            seconds = float(number) * unit
        except ValueError:
            seconds = -1.0
        if not 0 < seconds < 1e9:
            raise ValueError(f"{text!r}: expected a time such as 90s, 10m or 2h")
        return seconds

    def accept(self, value: Any, given: Given) -> float:  # noqa: ANN401
        """A number of seconds."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not value > 0 or math.isinf(value):
            raise ValueError(f"{value!r}: expected more than 0")
        return float(value)

    def written(self, value: float) -> str:
        """In hours, minutes or seconds."""
        units = {"h": 3600, "m": 60}
        whole = (f"{value / many:g}{unit}" for unit, many in units.items() if value % many == 0)
        return next(whole, f"{value:g}s")


class OnBoard(Kind):
    """A board by its files and ranks: 9x10."""

    metavar = "FILESxRANKS"

    def read(self, text: str, given: Given) -> Board:
        """The board."""
        return parse_board(text)

    def accept(self, value: str | Board, given: Given) -> Board:
        """A board, or its name."""
        return value if isinstance(value, Board) else super().accept(value, given)


class OfPiece(Kind):
    """A piece of chess by name; on a board that is named any piece, in Betza's notation too.

    With `called` it may have a name of its own, as in cannon=pR.
    """

    metavar = "PIECE"
    choices = tuple(piece.value for piece in Piece)

    def __init__(self, *, called: bool = False) -> None:
        self.called = called

    def read(self, text: str, given: Given) -> str:
        """The piece as it was given, once it is known to be one."""
        if given.get("board") is None and text not in self.choices:
            hint = suggestion(text, self.choices) or f"expected one of {', '.join(self.choices)}"
            raise ValueError(f"{text!r}: {hint}")
        from magicert.betza import parse_piece

        parse_piece(text.rpartition("=")[2] if self.called else text)
        return str(text)


class OfSquare(Kind):
    """A square by name, a1..h8 or of the board that is given. It stays a text: which bit it is,
    the order says. In Python it may be a bit.
    """

    metavar = "SQUARE"

    def read(self, text: str, given: Given) -> str:
        """The name."""
        board = given.get("board") or CHESS
        try:
            board.parse(text.lower())
        except ValueError as error:
            turned = text.lower()[::-1]
            near = turned in map(board.name, range(board.squares))
            raise ValueError(f"{error}{f'; did you mean {turned}?' if near else ''}") from None
        return text.lower()

    def accept(self, value: Any, given: Given) -> str | int:  # noqa: ANN401
        """A name or a bit."""
        board = given.get("board") or CHESS
        expected = f"{value!r}: expected a1..{board.name(board.squares - 1)}, "
        expected += f"or 0..{board.squares - 1}"
        try:
            if isinstance(value, str):
                board.parse(value.lower())
                return value.lower()
            number = operator.index(value)
        except (ValueError, TypeError):
            raise ValueError(expected) from None
        if isinstance(value, bool) or not 0 <= number < board.squares:
            raise ValueError(expected)
        return number

    def complete(self, begun: str) -> Iterable[str]:
        """Squares of chess."""
        names = map(CHESS.name, range(CHESS.squares))
        return [name for name in names if name.startswith(begun)]


class Pairs(Kind):
    """NAME=VALUE, as often as wanted: a mapping."""

    metavar = "NAME=VALUE"

    def accept(self, value: Any, given: Given) -> Mapping[str, str]:  # noqa: ANN401
        """A mapping, or texts NAME=VALUE. Raises ValueError with those that are none."""
        if isinstance(value, Mapping):
            return {str(name): str(text) for name, text in value.items()}
        wrong = [text for text in value if not re.match("[^=]+=", text)]
        if wrong:
            raise ValueError(*(f"-O {text}: expected NAME=VALUE" for text in wrong))
        return dict(text.partition("=")[::2] for text in value)


class ShippedName(Kind):
    """The name of something that ships, looked up by `find` (str: later); with `files` a path as
    well.
    """

    def __init__(
        self,
        metavar: str | None,
        names: Callable[[], Collection[str]],
        find: Callable[[str], Any],
        *,
        files: bool = True,
    ) -> None:
        self.metavar = metavar
        self.names = names
        self.find = find
        self.files = files

    def read(self, text: str, given: Given) -> Path:
        """The path."""
        return self.find(text)

    def accept(self, value: Any, given: Given) -> Path:  # noqa: ANN401
        """A name or a path."""
        return self.find(value if self.find is str else str(File().accept(value, given)))

    def written(self, value: Any) -> str:  # noqa: ANN401
        """The file's name: where it lies says nothing elsewhere."""
        return Path(value).name

    def complete(self, begun: str) -> Iterable[str]:
        """Names that begin so."""
        return [name for name in self.names() if name.startswith(begun)]


USUAL_KINDS: Mapping[type, Kind] = {bool: Flag(), int: WholeNumber(), Path: File()}
"""The kinds of fields that name none, by their types."""
