"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece, attack_set, mask, square_name, squares_of
from magicert.cli.display import boards as draw
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import TABLE, OccupancyType, cell_arguments
from magicert.cli.options.work import file_option

if TYPE_CHECKING:
    from magicert.jobs.look_up import LookedUp

WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""


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


class Show(click.RichCommand):
    """`--layouts e4 d5` is `--layouts e4,d5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the squares behind --layouts."""
        if "--layouts" in args:
            first = args.index("--layouts") + 1
            squares = list(takewhile(lambda word: not word.startswith("-"), args[first:]))
            args[first : first + len(squares)] = [",".join(squares)] if squares else []
        return super().parse_args(ctx, args)


@click.command("show", cls=Show)
@cell_arguments(required=False)
@click.option(
    "--occupancy", type=OccupancyType(), default=0, metavar="SQUARES",
    help='Occupied squares, "e6,c4" or 0x... (a1=0).',
)  # fmt: skip
@click.option("--table", type=TABLE, help="Look up in this table (a file, or a name).")
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
    svg: Path | None,
    layouts: tuple[int, bool] | None,
    force: bool,
) -> None:
    """Show a slider's mask and attack set, and where a table looks them up.

    For example:

        magicert show rook e4
        magicert show bishop c1 --occupancy e3,b2 --table shakmaty
        magicert show rook e4 --occupancy e6 --svg rook.svg
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
    slider = Piece(piece)
    show_slider(slider, square, occupancy, table)
    if svg is not None:
        from magicert.jobs.pages.slider import write_slider

        write_slider(svg, slider, square, occupancy)


def check_svg(svg: Path | None, *, force: bool) -> None:
    """Look at where the picture goes."""
    if svg is not None:
        check_output(svg, [], force=force)


def show_layouts(board: int, is_number: bool) -> None:
    """The eight square orders."""
    from magicert.cli.display.layouts import number_in_orders, squares_in_orders
    from magicert.cli.display.report import width

    for line in number_in_orders(board, width()) if is_number else squares_in_orders(board):
        click.echo(line)


def show_slider(slider: Piece, square: int, occupancy: int, table: Path | None) -> None:
    """Mask and attack set side by side, and the lookup in a table."""
    from magicert.cli.display.report import width
    from magicert.jobs.look_up import look_up

    looked_up = None if table is None else look_up(table, slider, square, occupancy)
    relevant, attacks = mask(slider, square), attack_set(slider, square, occupancy)
    blocks = [
        [
            f"mask {relevant:#018x}",
            f"{relevant.bit_count()} squares",
            *draw.board(square, slider, [], squares_of(relevant)),
        ],
        [
            f"attacks {attacks:#018x}",
            f"{attacks.bit_count()} squares",
            *draw.board(square, slider, squares_of(occupancy), squares_of(attacks)),
        ],
    ]
    click.echo(f"{slider} {square_name(square)}, occupancy {occupancy:#018x}")
    for line in draw.beside(blocks, width()):
        click.echo(line)
    click.echo(draw.LEGEND)
    if looked_up is not None:
        _show_lookup(looked_up)


def _show_lookup(found: "LookedUp") -> None:
    rows: list[tuple[str, str | int]] = [
        (name, str(value) if value < WIDE else f"{value:#018x}")
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
