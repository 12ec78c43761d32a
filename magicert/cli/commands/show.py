"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from magicert.board import Piece, attack_set, mask, square_name, squares_of
from magicert.cli.display import boards as draw
from magicert.cli.options.types import TABLE, OccupancyType, cell_arguments

if TYPE_CHECKING:
    from magicert.jobs.look_up import LookedUp

WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""


@click.command("show")
@cell_arguments(required=True)
@click.option(
    "--occupancy", type=OccupancyType(), default=0, metavar="SQUARES",
    help='Occupied squares, "e6,c4" or 0x... (a1=0).',
)  # fmt: skip
@click.option("--table", type=TABLE, help="Look up in this table (a file, or a name).")
def command(piece: str, square: int, occupancy: int, table: Path | None) -> None:
    """Show a slider's mask and attack set, and where a table looks them up.

    For example:

        magicert show rook e4
        magicert show bishop c1 --occupancy e3,b2 --table shakmaty

    Exit status: 0, or 2 for bad input.
    """
    from magicert.cli.display.report import width
    from magicert.jobs.look_up import look_up

    slider = Piece(piece)
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
    click.echo(f"{piece} {square_name(square)}, occupancy {occupancy:#018x}")
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
    click.echo(f"\n{found.table}: {found.formula}")
    for name, value in rows:
        click.echo(f"  {name:<10} {value}")
