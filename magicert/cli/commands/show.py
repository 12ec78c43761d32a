"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.betza import parse_piece
from magicert.board import CHESS, MOVEMENTS, Board, Piece
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import (
    PIECES,
    TABLE,
    BoardType,
    OccupancyType,
    PieceType,
    SquareType,
)
from magicert.cli.options.work import JSON, file_option

if TYPE_CHECKING:
    from magicert.show.piece import PieceOn
    from magicert.table import Table


class LayoutsType(click.ParamType[tuple[int, bool]]):
    """Squares by name, or a number: the bitboard, and whether it was a number."""

    name = "squares"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, bool]:
        """As an occupancy."""
        if isinstance(value, tuple):
            return value
        is_number = str(value).strip().lower().startswith("0x")
        return OccupancyType().convert(value, param, ctx), is_number


class ShownPiece(PieceType):
    """A piece of chess, of --table, or with --board any."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The piece's name, as it was given."""
        table = None if ctx is None else other_game(ctx)
        if table is not None and str(value) in table.pieces:
            return str(value)
        return super().convert(value, param, ctx)


def other_game(ctx: click.Context) -> "Table | None":
    """What --table names, if that is a table file of another board or of other pieces."""
    from magicert.problem import InputError
    from magicert.table import read_table

    path = ctx.params.get("table")
    if not isinstance(path, Path):
        return None
    try:
        table = read_table(path).table
    except (InputError, OSError):
        return None  # an engine's source, or what the lookup will say
    return None if table.is_chess() else table


def shown_board(ctx: click.Context, _: click.Parameter, value: Board | None) -> Board | None:
    """The board: --board, or that of --table."""
    table = other_game(ctx)
    if table is None:
        return value
    return value or table.board


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
@click.argument("piece", type=ShownPiece(PIECES.choices), required=False)
@click.argument("square", type=SquareType(), required=False)
@click.option(
    "--occupancy", type=OccupancyType(), default=0, metavar="SQUARES",
    help='Occupied squares, "e6,c4" or 0x... (a1=0).',
)  # fmt: skip
@click.option(
    "--table", type=TABLE, is_eager=True, help="Look up in this table (a file, or a name)."
)
@click.option(
    "--board", type=BoardType(), is_eager=True, callback=shown_board,
    help="Another board than chess's, such as 9x10, and any piece: a name, or Betza's notation.",
)  # fmt: skip
@file_option("--svg", help="Write the attack set's board as a picture, too.")
@click.option(
    "--layouts",
    type=LayoutsType(),
    metavar="SQUARE...",
    help="What squares are in each of the eight square orders, or what a number 0x... is there.",
)
@FORCE
@JSON
@click.pass_context
def command(
    ctx: click.Context,
    piece: str | None,
    square: int | None,
    occupancy: int,
    table: Path | None,
    board: Board | None,
    svg: Path | None,
    layouts: tuple[int, bool] | None,
    force: bool,
    as_json: bool,
) -> None:
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
    from magicert.show.render import echo_json
    from magicert.show.text import width

    if svg is not None:
        check_output(svg, [], force=force)
    answer: dict[str, Any] = {}
    lines: list[str] = []
    if layouts is not None:
        word, is_number = layouts
        numbers = shown.orders(word, is_number=is_number)
        answer["orders"] = {order: f"{number:#018x}" for order, number in numbers.items()}
        lines += shown.orders_lines(word, is_number=is_number, columns=width())
    if piece is not None or layouts is None:
        found = _looked_up(ctx, piece, square, occupancy, table, board)
        answer |= shown.as_json(found) if as_json else {}
        lines += [] if as_json else shown.as_lines(found, width())
        if svg is not None:
            shown.write_picture(svg, found)
    if as_json:
        echo_json(answer)
    else:
        click.echo("\n".join(lines))


def _looked_up(
    ctx: click.Context, piece: str | None, square: int | None, occupancy: int,
    path: Path | None, board: Board | None,
) -> "PieceOn":  # fmt: skip
    """The piece on its board: of chess, of a table, or by its notation; and its lookup."""
    from magicert.jobs.look_up import look_up
    from magicert.show.piece import PieceOn

    if piece is None or square is None:
        missing = ctx.command.params[0 if piece is None else 1]
        raise click.MissingParameter(ctx=ctx, param=missing)
    table = other_game(ctx)
    if table is not None and board != table.board:
        raise click.UsageError(f"--board {board}: expected {table.board}, the board of --table")
    own = table.pieces[piece] if table is not None and piece in table.pieces else None
    name = piece
    if own is not None and table is not None:
        on, movement = table.board, own.movement
    elif board is None:
        name = Piece(piece)
        on, movement = CHESS, MOVEMENTS[name]
    else:
        on, movement = board, parse_piece(piece)
    found = None if path is None else look_up(path, name, square, occupancy)
    least = own is not None and own.masks == "least"
    return PieceOn(on, movement, name, square, occupancy, least, found)
