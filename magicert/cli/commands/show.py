"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import CHESS, MOVEMENTS, Board, Piece, squares_of
from magicert.board.betza import parse_piece
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import (
    PIECES,
    TABLE,
    BoardType,
    OccupancyType,
    PieceType,
    SquareType,
)
from magicert.cli.options.work import file_option
from magicert.show import text as draw

if TYPE_CHECKING:
    from magicert.jobs.look_up import LookedUp
    from magicert.jobs.pages.slider import Shown
    from magicert.table import Table

WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""
WORDS = ("mask", "magic")
"""Parameters that are words, however small."""


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
    check_svg(svg, force=force)
    if layouts is not None:
        show_layouts(*layouts)
    if piece is None and layouts is not None:
        return
    if piece is None or square is None:
        missing = ctx.command.params[0 if piece is None else 1]
        raise click.MissingParameter(ctx=ctx, param=missing)
    game = other_game(ctx)
    if game is not None and board != game.board:
        message = f"--board {board}: expected {game.board}, the board of --table"
        raise click.UsageError(message)
    shown = _shown(piece, board, game)
    show_piece(shown, square, occupancy, table)
    if svg is not None:
        from magicert.jobs.pages.slider import write_piece

        write_piece(svg, shown, square, occupancy)


def _shown(piece: str, board: Board | None, table: "Table | None") -> "Shown":
    """The piece and its board: of chess, of a table, or by its notation."""
    from magicert.jobs.pages.slider import Shown

    if table is not None and piece in table.pieces:
        half = table.pieces[piece]
        return Shown(table.board, half.movement, piece, least=half.masks == "least")
    if board is None:
        return Shown(CHESS, MOVEMENTS[Piece(piece)], Piece(piece))
    return Shown(board, parse_piece(piece), piece)


def check_svg(svg: Path | None, *, force: bool) -> None:
    """Look at where the picture goes."""
    if svg is not None:
        check_output(svg, [], force=force)


def show_layouts(board: int, is_number: bool) -> None:
    """The eight square orders."""
    from magicert.cli.display.layouts import number_in_orders, squares_in_orders

    for line in number_in_orders(board, draw.width()) if is_number else squares_in_orders(board):
        click.echo(line)


def show_piece(piece: "Shown", square: int, occupancy: int, table: Path | None) -> None:
    """Mask and attack set side by side, and the lookup in a table."""
    looked_up = None
    if table is not None:
        from magicert.jobs.look_up import look_up

        looked_up = look_up(table, piece.name, square, occupancy)
    on = piece.board
    relevant, attacks = piece.mask(square), piece.attacks(square, occupancy)
    blocks = [
        [
            f"mask {piece.word(relevant)}",
            f"{relevant.bit_count()} squares",
            *draw.board(square, piece.name, [], squares_of(relevant), on),
        ],
        [
            f"attacks {piece.word(attacks)}",
            f"{attacks.bit_count()} squares",
            *draw.board(square, piece.name, squares_of(occupancy), squares_of(attacks), on),
        ],
    ]
    click.echo(f"{piece.name} {on.name(square)}, occupancy {piece.word(occupancy)}")
    for line in draw.beside(blocks, draw.width()):
        click.echo(line)
    click.echo(draw.legend(piece.name))
    if isinstance(piece.name, Piece):
        _show_range(piece.name, square)
    if looked_up is not None:
        _show_lookup(looked_up)


def _show_range(slider: Piece, square: int) -> None:
    """What the atlas says of the shortest table."""
    from magicert.atlas import read_atlas
    from magicert.data import atlas_path

    best = read_atlas(atlas_path()).best(slider, square)
    if best is not None and best.range is not None:
        known = best.range
        what = f"indexes 0 to {known.largest} ({best.bits} bits, {known.magic})"
        click.echo(f"shortest table known: {what}, {known.said}")


def _show_lookup(found: "LookedUp") -> None:
    rows: list[tuple[str, str | int]] = [
        (name, str(value) if value < WIDE and name not in WORDS else f"{value:#018x}")
        for name, value in found.parameters.items()
    ]
    if found.order != "a1":
        rows.append(("occ", f"{found.occupancy} in the table's square order, {found.order}"))
    if found.mirrored is not None:
        swapped, home = found.mirrored
        rows.append(("occ", f"{swapped:#018x} with swapped bytes, looked up on {home}"))
    rows += [("index", found.index), ("offset", found.offset), ("slot", found.slot)]
    if found.result is not None:
        rows.append(("attacks", f"{found.result}, where word stands in the slot"))
    click.echo(f"\n{found.table}: {found.formula}")
    for name, value in rows:
        click.echo(f"  {name:<10} {value}")
