"""What a question is: a dataclass whose fields say of themselves all that is to be said.

    @dataclass(frozen=True, slots=True)
    class Find(Request[Answer]):
        begins = ("find",)
        piece: Annotated[str, Option(kind=OfPiece(), argument=True)]
        bits: int | None = option(None, "Index bits.", WholeNumber(1, 32), "K")

The command line, the Python functions, commands in files and the documents are made from these.
First the kinds: what an option can hold, how a command line says it, what Python may give.
"""

import math
import operator
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_origin

from magicert.board import CHESS, Board, Piece, bitboard, parse_board
from magicert.outcome import Observer, OutcomeKind, Watch, status_of
from magicert.problem import InputError, Problem, suggestion

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
        return [word for word in self.choices if word.startswith(begun)]


TEXT = Kind()


class Flag(Kind):
    """Yes or no: an option without a word behind it."""

    def accept(self, value: Any, given: Given) -> bool:  # noqa: ANN401
        if not isinstance(value, bool):
            raise ValueError(f"{value!r}: expected True or False")
        return value


class WholeNumber(Kind):
    """A whole number from `least` to `most`."""

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, given: Given) -> int:
        try:
            return self.accept(int(text), given)
        except ValueError:
            raise ValueError(f"{text!r}: expected {self.expected}") from None

    def accept(self, value: Any, given: Given) -> int:  # noqa: ANN401
        try:
            number = operator.index(value)
        except TypeError:
            number = None
        if number is None or isinstance(value, bool) or not self.has(number):
            raise ValueError(f"{value!r}: expected {self.expected}")
        return number

    def has(self, number: int) -> bool:
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)

    @property
    def expected(self) -> str:
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
        if not re.fullmatch("0[xX][0-9a-fA-F]+|[0-9]+", text):
            raise ValueError(f"{text!r}: expected a number such as {self.example}")
        number = int(text, 16 if text[:2] in ("0x", "0X") else 10)
        if number >> self.bits:
            raise ValueError(f"{text}: expected at most {self.bits} bits")
        return number

    def accept(self, value: Any, given: Given) -> int:  # noqa: ANN401
        return super().accept(hex(value) if isinstance(value, int) else value, given)

    def written(self, value: int) -> str:
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
        if text not in self.choices:
            hint = suggestion(text, self.choices) or f"expected one of {', '.join(self.choices)}"
            raise ValueError(f"{text!r}: {hint}")
        return text


class File(Kind):
    """A path. `there` says that it must exist, `output` that it is written, `stream` that "-" is
    standard output; it may be a file, a `folder`, or with None either.
    """

    metavar = "FILE"

    def __init__(
        self, *, there: bool = False, output: bool = False, stream: bool = False,
        folder: bool | None = False,
    ) -> None:  # fmt: skip
        self.there = there
        self.output = output
        self.stream = stream
        self.folder = folder

    def read(self, text: str, given: Given) -> Path:
        return self.accept(text, given)

    def accept(self, value: str | PathLike[str], given: Given) -> Path:
        try:
            text = fspath(value)
        except TypeError:
            raise ValueError(f"{type(value).__name__}: expected a path") from None
        if not text:
            raise ValueError("an empty path")
        if text == "-" and self.output and not self.stream:
            raise ValueError(
                "'-': expected a file's name, for it is not written to standard output"
            )
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
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not value > 0 or math.isinf(value):
            raise ValueError(f"{value!r}: expected more than 0")
        return float(value)

    def written(self, value: float) -> str:
        units = {"h": 3600, "m": 60}
        whole = (f"{value / many:g}{unit}" for unit, many in units.items() if value % many == 0)
        return next(whole, f"{value:g}s")


class OnBoard(Kind):
    """A board by its files and ranks: 9x10."""

    metavar = "FILESxRANKS"

    def read(self, text: str, given: Given) -> Board:
        return parse_board(text)

    def accept(self, value: str | Board, given: Given) -> Board:
        return value if isinstance(value, Board) else super().accept(value, given)


class OfPiece(Kind):
    """A piece by its name, or in Betza's notation. With `called` it may have a name of its own, as
    in cannon=pR. `others` are words that stand in the place of a piece.
    """

    metavar = "PIECE"

    def __init__(self, *, called: bool = False, others: tuple[str, ...] = ()) -> None:
        self.called = called
        self.others = others
        self.choices = (*(piece.value for piece in Piece), *others)

    def read(self, text: str, given: Given) -> str:
        from magicert.betza import parse_piece

        if text not in self.others:
            parse_piece(text.rpartition("=")[2] if self.called else text)
        return str(text)


class OfSquare(Kind):
    """A square by name, a1..h8 or of the board that is given. It stays a text: which bit it is,
    the order says. In Python it may be a bit.
    """

    metavar = "SQUARE"

    def read(self, text: str, given: Given) -> str:
        board = given.get("board") or CHESS
        try:
            board.parse(text.lower())
        except ValueError as error:
            turned = text.lower()[::-1]
            near = turned in map(board.name, range(board.squares))
            raise ValueError(f"{error}{f'; did you mean {turned}?' if near else ''}") from None
        return text.lower()

    def accept(self, value: Any, given: Given) -> str | int:  # noqa: ANN401
        board = given.get("board") or CHESS
        expected = f"{value!r}: expected a1..{board.name(board.squares - 1)}, "
        expected += f"or 0..{board.squares - 1}"
        try:
            if isinstance(value, str):
                board.parse(value.lower())
                return value.lower()
            return WholeNumber(0, board.squares - 1).accept(value, given)
        except ValueError:
            raise ValueError(expected) from None

    def complete(self, begun: str) -> Iterable[str]:
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
        return self.find(text)

    def accept(self, value: Any, given: Given) -> Path:  # noqa: ANN401
        return self.find(value if self.find is str else str(File().accept(value, given)))

    def written(self, value: Any) -> str:  # noqa: ANN401
        """The name of what ships, else the file's: where it lies says nothing elsewhere."""
        path = Path(value)
        ships = path.stem in self.names() and self.find(path.stem) == path
        return path.stem if ships else path.name

    def complete(self, begun: str) -> Iterable[str]:
        return [name for name in self.names() if name.startswith(begun)]


USUAL_KINDS: Mapping[type, Kind] = {bool: Flag(), int: WholeNumber(), Path: File()}
"""The kinds of fields that name none, by their types."""


# Options, fields and requests.

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Option:
    """What a field of a request is called, and what it means; `kind` None is that of its type.

    `flags` are its names on a command line (the field's own, if none are given); `argument` says
    that it has none there. `several` are given one by one. `seldom` ones only --help-all shows.
    Of a provenance's command those are left out that do not change the result (`told` False); those
    that are `always` told stand there even with their default. Those that others depend on are read
    `first`.
    """

    help: str = ""
    kind: Kind | None = None
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    panel: str | None = None
    argument: bool = False
    several: bool = False
    seldom: bool = False
    shows_default: bool = False
    told: bool = True
    always: bool = False
    first: bool = False
    last: bool = False


def option(default: Any, help: str = "", *words: Any, **more: Any) -> Any:  # noqa: A002, ANN401
    """A field with a default (or MISSING), and its option: more of what Option takes."""
    made = {"default_factory": dict} if default == {} else {"default": default}
    return field(**made, metadata={"option": Option(help, *words, **more)})


budget = partial(
    option, None, "Stop after 90s, 10m or 2h.", Duration(), flags=("--budget",),
    panel="How to answer it", told=False,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RequestField:
    """A field with its option. `default` is MISSING where it has none."""

    name: str
    option: Option
    kind: Kind
    default: Any

    @property
    def flags(self) -> tuple[str, ...]:
        """Its names on a command line."""
        return self.option.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def flag(self) -> str:
        return next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])

    def is_given(self, value: Any) -> bool:  # noqa: ANN401
        return value not in (None, (), {}) and (self.default is MISSING or value != self.default)

    def words(self, value: Any) -> list[str]:  # noqa: ANN401
        if isinstance(self.kind, Flag):
            flags = self.flag.split("/")
            return [flags[0] if value else flags[1]]
        if isinstance(value, Mapping):
            values = [f"{name}={text}" for name, text in sorted(value.items())]
        else:
            values = list(value) if self.option.several else [value]
        written = [self.kind.written(one) for one in values]
        if self.option.argument:
            return written
        return [word for one in written for word in (min(self.flags, key=len), one)]


def asked_by(request: type) -> Iterator[RequestField]:
    """All options of a request, or of another dataclass, in its order."""
    for own in fields(request):
        noted = get_args(own.type)[1:] if get_origin(own.type) is Annotated else ()
        for said in (*own.metadata.values(), *noted):
            if isinstance(said, Option):
                yield RequestField(own.name, said, said.kind or _usual_kind(own), _default(own))


def in_order(request: "type[Request[Any]]") -> list[RequestField]:
    """The same, those first that others depend on, and those last that are no part of it."""
    return sorted(asked_by(request), key=lambda one: (not one.option.first, one.option.last))


def _usual_kind(own: Field[Any]) -> Kind:
    types = get_args(own.type) or (own.type,)
    return next((USUAL_KINDS[one] for one in types if one in USUAL_KINDS), TEXT)


def _default(own: Field[Any]) -> Any:  # noqa: ANN401
    return own.default if own.default_factory is MISSING else own.default_factory()


@dataclass(frozen=True, slots=True)
class Request(ABC, Generic[Result]):
    """A question. Raises InputError, with all that is wrong, when it is made.

    `begins` are the first words of its command; `hoped` is the kind of outcome that is a yes.
    """

    program: ClassVar[tuple[str, ...]] = ("magicert",)
    begins: ClassVar[tuple[str, ...]] = ()
    hoped: ClassVar[OutcomeKind] = OutcomeKind.EXISTS
    _: KW_ONLY
    observer: Observer | None = field(default=None, compare=False, repr=False)
    """Who watches, where a program asks."""

    @abstractmethod
    def run(self, watch: Watch) -> Result:
        """Answer it; whoever watches is told of each phase."""

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        given: dict[str, Any] = {}
        for one in in_order(type(self)):
            value = getattr(self, one.name)
            if value is None and one.default is MISSING:
                problems.append(Problem("expected a value", key=one.name))
                continue
            if value is None or (one.default is not MISSING and value is one.default):
                given[one.name] = value
                continue
            try:
                given[one.name] = _accepted(one, value, given)
            except InputError as error:
                problems += error.problems
            except ValueError as error:
                key = "" if isinstance(one.kind, Pairs) else one.name
                problems += [Problem(str(message), key=key) for message in error.args]
            else:
                object.__setattr__(self, one.name, given[one.name])
        problems += () if problems else self.problems()
        if problems:
            raise InputError(problems)

    def problems(self) -> Iterator[Problem]:
        yield from ()

    def only_with(self, what: str, *names: str) -> Iterator[Problem]:
        """The options of these names that are given, where what they belong to is not."""
        for one in asked_by(type(self)):
            if one.name in names and one.is_given(getattr(self, one.name)):
                yield Problem(f"{one.flag}: expected together with {what}")

    def exit_status(self, found: Result) -> int:
        verdict = getattr(found, "verdict", OutcomeKind.ERROR)
        return status_of(getattr(found, "kind", verdict), self.hoped)

    def tells(self, one: RequestField, value: object) -> bool:
        always = one.option.always and value is not None
        return one.option.told and (always or one.is_given(value))

    @property
    def command(self) -> str:
        """The command that gives the same result; it names what differs from the defaults."""
        words = [*self.program, *self.begins]
        for one in in_order(type(self)):
            value = getattr(self, one.name)
            if self.tells(one, value):
                words += one.words(value)
        return shlex.join(words)

    @property
    def outputs(self) -> Iterable[Path]:
        """The files that it writes; "-" is standard output."""
        return [path for path in self._files(output=True) if str(path) != "-"]

    @property
    def dear(self) -> list[Path]:
        """Outputs that take long: one that is there is written over with --force only."""
        return []

    @property
    def folders(self) -> list[Path]:
        return []

    @property
    def inputs(self) -> list[Path]:
        return self._files(output=False)

    def _files(self, *, output: bool) -> list[Path]:
        found: list[Path] = []
        for one in asked_by(type(self)):
            is_shipped = isinstance(one.kind, ShippedName) and not output
            if is_shipped or (isinstance(one.kind, File) and one.kind.output is output):
                value = getattr(self, one.name)
                values = value if isinstance(value, tuple) else (value,)
                found += [Path(path) for path in values if isinstance(path, str | Path)]
        return found


def _accepted(one: RequestField, value: Any, given: Mapping[str, Any]) -> Any:  # noqa: ANN401
    kind = one.kind
    if one.option.several and not isinstance(kind, Pairs):
        value = (value,) if isinstance(value, str) else value
        return tuple(kind.accept(part, given) for part in value)
    return kind.accept(value, given)
