"""The types of words that chess needs on a command line, and options that several commands have."""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.arguments import (
    duration_text,
    option_texts,
    parse_duration,
    parse_occupancy,
    parse_unsigned,
    piece_text,
    range_text,
    square_text,
    whole_number,
)
from magicert.board import CHESS, ORDERS, Board, parse_board
from magicert.chess import Piece
from magicert.commands.command import OutputPath, option
from magicert.data import find_table, tables_by_name
from magicert.engine import ENGINES, load
from magicert.problem import suggestion

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

QUESTION = "The question"
WORK = "How to answer it"


class Word(click.ParamType[Any]):
    """A word that `read` turns into a value; what it cannot read it refuses with a ValueError."""

    name = "text"
    choices: Collection[str] = ()
    """What a shell completes it to."""

    def read(self, text: str, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The value that a word stands for."""
        return text

    def write(self, value: Any) -> str:  # noqa: ANN401
        """The word that stands for a value."""
        return str(value)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        if not isinstance(value, str):
            return value
        try:
            return self.read(value, ctx)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def words(self, begun: str) -> Iterable[str]:
        return [word for word in self.choices if word.startswith(begun)]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words(incomplete)]


class Choice(click.Choice[str]):
    """One of some words; what is nearly one is suggested."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401
        near = suggestion(str(value), self.choices)
        return f"{value!r}: {near}{' ' * bool(near)}expected one of {', '.join(self.choices)}"


class WholeNumber(click.IntRange):
    """A whole number from `min` to `max`."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        try:
            number = int(value)
        except ValueError:
            number = value
        try:
            return whole_number(number, self.min, self.max)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def _describe_range(self) -> str:
        """What stands behind an option's help."""
        limited = self.min is not None
        return range_text(self.min, self.max) if limited else ""


class Suggested(Word):
    """Any text; a shell offers the words that are usual. `words_of` is called when they are
    wanted.
    """

    def __init__(self, words_of: Callable[[], Iterable[str]]) -> None:
        self.words_of = words_of

    def words(self, begun: str) -> Iterable[str]:
        return [word for word in self.words_of() if word.startswith(begun)]


class Duration(Word):
    """A time: 90s, 10m or 2h."""

    name = "time"

    def read(self, text: str, ctx: click.Context | None) -> float:
        return parse_duration(text)

    def write(self, value: float) -> str:
        return duration_text(value)


class Unsigned(Word):
    """An unsigned number of so many bits."""

    name = "number"

    def __init__(self, bits: int, example: str) -> None:
        self.bits = bits
        self.example = example

    def read(self, text: str, ctx: click.Context | None) -> int:
        return parse_unsigned(text, self.bits, self.example)

    def write(self, value: int) -> str:
        return f"{value:#x}"


class BoardSize(Word):
    """A board by its files and ranks: 9x10."""

    name = "filesxranks"

    def read(self, text: str, ctx: click.Context | None) -> Board:
        return parse_board(text)


def board_given(ctx: click.Context | None) -> Board:
    """The board of the running command: options that name one are read first (`is_eager`)."""
    board = None if ctx is None else ctx.params.get("board")
    return board if isinstance(board, Board) else CHESS  # click has a value of its own for none


class OrderName(Choice):
    """A square order of chess's board; what asks about it has no other."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401
        if board_given(ctx) != CHESS:
            return f"{value!r}: --order is only for rooks and bishops of chess: expected none"
        return super().get_invalid_choice_message(value, ctx)


class PieceName(Word):
    """A piece by its name, or in Betza's notation, with its regions. With `called` it may have a
    name of its own, as in cannon=pR. `others` are words that stand in the place of a piece.
    """

    name = "piece"

    def __init__(self, *, called: bool = False, others: tuple[str, ...] = ()) -> None:
        self.called = called
        self.others = others
        self.choices = (*(piece.value for piece in Piece), *others)

    def read(self, text: str, ctx: click.Context | None) -> str:
        return piece_text(text, board_given(ctx), called=self.called, others=self.others)


class SquareName(Word):
    """A square by name, a1..h8 or of the board that is given."""

    name = "square"

    def read(self, text: str, ctx: click.Context | None) -> str:
        return square_text(text, board_given(ctx))

    def words(self, begun: str) -> Iterable[str]:
        names = map(CHESS.name, range(CHESS.squares))
        return [name for name in names if name.startswith(begun)]


class Squares(Unsigned):
    """A set of squares: "e6,c4", "0x1000", or "" for none."""

    name = "squares"

    def __init__(self) -> None:
        super().__init__(0, "")

    def read(self, text: str, ctx: click.Context | None) -> int:
        return parse_occupancy(text, board_given(ctx))


def scheme_names() -> Iterable[str]:
    """The schemes that have a name; a formula may stand in its place."""
    from magicert.scheme import SCHEMES

    return SCHEMES


class ShippedName(Word):
    """The name of something that ships, looked up by `find` (str: later); with `files` a path as
    well.
    """

    def __init__(
        self,
        names: Callable[[], Collection[str]],
        find: Callable[[str], Any],
        *,
        files: bool = True,
    ) -> None:
        self.names = names
        self.find = find
        self.files = files

    def read(self, text: str, ctx: click.Context | None) -> Any:  # noqa: ANN401
        return self.find(text)

    def write(self, value: Any) -> str:  # noqa: ANN401
        """The name of what ships, else the file's: where it lies says nothing elsewhere."""
        path = Path(value)
        ships = path.stem in self.names() and self.find(path.stem) == path
        return path.stem if ships else path.name

    def words(self, begun: str) -> Iterable[str]:
        return [name for name in self.names() if name.startswith(begun)]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        items = super().shell_complete(ctx, param, incomplete)
        return [*items, CompletionItem(incomplete, type="file")] if self.files else items


TABLE = ShippedName(tables_by_name, find_table)
"""A table file, or a table that ships: its path."""
TABLE_NAME = ShippedName(tables_by_name, str)
"""The same as a text, which is looked up later."""
SCHEME = Suggested(scheme_names)
FILE = click.Path(dir_okay=False, path_type=Path)


def name_value_pairs(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """The callback of an option NAME=VALUE that is given as often as wanted: a mapping. `-O help`
    asks what there is.
    """
    return {"help": ""} if "help" in values else option_texts(values)


def show_engine_options(values: Mapping[str, Any]) -> None:
    """Answer `-O help`, which ends the command: what options the engine that is named has, or the
    usual one.
    """
    if "help" in values["options"]:
        for each in load(values["engine"] or next(iter(ENGINES))).OPTIONS:
            click.echo(f"{each.name}={each.default}  {each.help}")
        click.get_current_context().exit()


# Options of several commands. Each takes what `Option` takes, to say what is different.

Decorator = Callable[[Any], Any]


def _shared(*flags: str, **usual: Any) -> Callable[..., Decorator]:  # noqa: ANN401
    """An option that several commands have, each with differences of its own."""

    def decorator(**different: Any) -> Decorator:  # noqa: ANN401
        return option(*flags, **{**usual, **different})

    return decorator


bits = _shared("--bits", type=WholeNumber(), metavar="K", panel=QUESTION,
               help="Index bits; if not given, popcount(mask).")  # fmt: skip
scheme = _shared(
    "--scheme", type=SCHEME, default="white", show_default=True, metavar="TEXT", panel=QUESTION,
    help="A scheme or a formula.",
)  # fmt: skip
board = _shared(
    "--board", type=BoardSize(), metavar="FILESxRANKS", panel=QUESTION, is_eager=True,
    help="A board such as 9x10; pieces by name or in Betza's notation (docs/boards.md).",
)  # fmt: skip
form = _shared("--form", type=Choice(["whole", "lines", "pairs"]), seldom=True)
masks = _shared(
    "--masks", type=Choice(["usual", "least"]), seldom=True,
    help="If not given: least, which leaves out squares that cannot matter.",
)  # fmt: skip
order = _shared(
    "--order", type=OrderName(ORDERS), default=ORDERS[0], show_default=True, panel=QUESTION,
    help="Your square order, by its bit 0: with a8, the square a8 is bit 0.",
)  # fmt: skip
largest_index = _shared(
    "--largest-index", type=WholeNumber(), metavar="N", panel=QUESTION, seldom=True,
    help="The largest index allowed.",
)  # fmt: skip
engine = _shared(
    "--engine", type=Choice(tuple(ENGINES)), panel=WORK,
    help="If not given: trial; where magics are rare or a proof is wanted, window or z3.",
)  # fmt: skip
engine_options = _shared(
    "--option", "-O", "options", multiple=True, metavar="NAME=VALUE", panel=WORK, seldom=True,
    callback=name_value_pairs, help="An option of the engine; -O help lists them.",
)  # fmt: skip
budget = _shared(
    "--budget", "seconds", type=Duration(), metavar="TIME", panel=WORK, recorded=False,
    help="Stop after 90s, 10m or 2h; a plain number is seconds.",
)  # fmt: skip
memory = _shared(
    "--memory", type=WholeNumber(64), metavar="MIB", panel=WORK, seldom=True, recorded=False,
    help="Memory limit of a solver.",
)  # fmt: skip
seed = _shared(
    "--seed", type=WholeNumber(0), default=1, show_default=True, metavar="N", panel=WORK,
    seldom=True, always=True, help="The same seed gives the same result.",
)  # fmt: skip
workers = _shared(
    "--workers", type=WholeNumber(1, 1024), default=1, show_default=True, metavar="N",
    panel=WORK, seldom=True, recorded=False, help="How many processes or threads work at a time.",
)  # fmt: skip
ledger = _shared(
    "--ledger", type=FILE, metavar="FILE", panel=WORK, seldom=True, recorded=False,
    help="Save progress in this file: the same command resumes (window, sat).",
)  # fmt: skip
cluster = _shared(
    "--cluster", default="", metavar="tcp://...", panel=WORK, seldom=True, recorded=False,
    help="Spread the work over a Dask cluster.",
)  # fmt: skip
table_output = _shared(
    "-o", "--output", type=OutputPath(), metavar="FILE", recorded=False,
    help="The table file; standard output if not given.",
)  # fmt: skip
