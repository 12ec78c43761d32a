"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.betza import parse_piece
from magicert.board import CHESS, MOVEMENTS, Board, Piece
from magicert.cli.declared import Force, Json, check_output, declared, request_of
from magicert.data import find_table, tables_by_name
from magicert.dataclass import dataclass
from magicert.problem import InputError
from magicert.requests.request import Occupancy, OfPiece, OfSquare, OnBoard, ShippedName, option

if TYPE_CHECKING:
    from magicert.show.piece import PieceOn
    from magicert.table import Table


def other_game(given: Mapping[str, Any]) -> "Table | None":
    """What --table names, if that is a table file of another board or of other pieces."""
    path = given.get("table")
    if not path:
        return None
    read = click.get_current_context().meta.setdefault("magicert.other_game", {})
    if path not in read:
        read[path] = _other_game(path)
    return read[path]


def _other_game(path: Path) -> "Table | None":
    from magicert.table import read_table

    try:
        table = read_table(path).table
    except (InputError, OSError):
        return None  # an engine's source, or what the lookup will say
    return None if table.is_chess() else table


class OfTable:
    """Reads what depends on --board with the board of --table, where that has another one."""

    def read(self, text: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """As on the board; a piece of the table by its name."""
        table = other_game(given)
        if table is not None and isinstance(self, OfPiece) and text in table.pieces:
            return text
        board = given.get("board") or (table and table.board)
        return super().read(text, {**given, "board": board})  # type: ignore[misc]


class PieceOf(OfTable, OfPiece):
    """A piece of chess, of --table, or with --board any."""


class SquareOf(OfTable, OfSquare):
    """A square of that board."""


class OccupancyOf(OfTable, Occupancy):
    """A set of its squares."""


@dataclass(frozen=True, slots=True)
class ShowOptions:
    """What is shown: a piece on a square, or squares in all orders."""

    piece: str | None = option(None, kind=PieceOf(), argument=True, metavar="[rook|bishop]")
    square: str | None = option(None, kind=SquareOf(), argument=True)
    occupancy: int = option(0, 'Occupied squares, "e6,c4" or 0x... (a1=0).', OccupancyOf())
    table: Path | None = option(
        None, "Look up in this table (a file, or a name).",
        ShippedName("TABLE", tables_by_name, find_table), first=True,
    )  # fmt: skip
    board: Board | None = option(
        None,
        "Another board than chess's, such as 9x10, and any piece: a name, or Betza's notation.",
        OnBoard(), "BOARD", first=True,
    )  # fmt: skip
    svg: Path | None = option(None, "Write the attack set's board as a picture, too.")
    layouts: str | None = option(
        None,
        "What squares are in each of the eight square orders, or what a number 0x... is there.",
        metavar="SQUARE...",
    )


class Show(click.Command):
    """`--layouts e4 d5` is `--layouts e4,d5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the squares behind --layouts."""
        if "--layouts" in args:
            first = args.index("--layouts") + 1
            squares = list(takewhile(lambda word: not word.startswith("-"), args[first:]))
            args[first : first + len(squares)] = [",".join(squares)] if squares else []
        return super().parse_args(ctx, args)


@click.command("show", cls=Show)
@declared(ShowOptions, Force, Json)
def command(**given: Any) -> None:  # noqa: ANN401
    """Show a piece's mask and attack set, and where a table looks them up.

    For example:

        magicert show rook e4
        magicert show bishop c1 --occupancy e3,b2 --table shakmaty
        magicert show rook e4 --occupancy e6 --svg rook.svg
        magicert show cannon e4 --table pikafish_cannon --occupancy e6,e9
        magicert show pNN f5 --board 12x10
        magicert show --layouts e4 d5
        magicert show --layouts 0x8100000000000081

    Exit status: 0, or 2 for bad input.
    """
    from magicert.show import piece as shown
    from magicert.show.document import PlainDocument, tell, width

    asked = request_of(ShowOptions, given)
    if asked.svg is not None:
        check_output(asked.svg, [], force=given["force"])
    answer: dict[str, Any] = {}
    lines: list[str] = []
    if asked.layouts is not None:
        is_number = asked.layouts.strip().lower().startswith("0x")
        try:
            word = OccupancyOf().read(asked.layouts, given)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--layouts'") from None
        numbers = shown.orders(word, is_number=is_number)
        answer["orders"] = {order: f"{number:#018x}" for order, number in numbers.items()}
        lines += shown.orders_lines(word, is_number=is_number, columns=width())
    if asked.piece is not None or asked.layouts is None:
        found = _looked_up(asked, given)
        answer |= shown.as_json(found) if given["as_json"] else {}
        lines += [] if given["as_json"] else shown.as_lines(found, width())
        if asked.svg is not None:
            shown.write_picture(asked.svg, found)
    tell(PlainDocument(lines, lambda: answer), as_json=given["as_json"])


def _looked_up(asked: ShowOptions, given: Mapping[str, Any]) -> "PieceOn":
    """The piece on its board: of chess, of a table, or by its notation; and its lookup."""
    from magicert.show.piece import PieceOn

    if asked.piece is None or asked.square is None:
        context = click.get_current_context()
        missing = context.command.params[0 if asked.piece is None else 1]
        raise click.MissingParameter(ctx=context, param=missing)
    table = other_game(given)
    board = asked.board or (table and table.board)
    if table is not None and board != table.board:
        raise click.UsageError(f"--board {board}: expected {table.board}, the board of --table")
    own = table.pieces.get(asked.piece) if table is not None else None
    name, on = asked.piece, board or CHESS
    if own is not None:
        movement = own.movement
    elif board is None:
        name = Piece(name)
        movement = MOVEMENTS[name]
    else:
        movement = parse_piece(name)
    square = on.parse(asked.square)
    found = None
    if asked.table is not None:
        from magicert.jobs.look_up import look_up

        found = look_up(asked.table, name, square, asked.occupancy)
    least = own is not None and own.masks == "least"
    return PieceOn(on, movement, name, square, asked.occupancy, least, found)
