"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from pathlib import Path

import rich_click as click

from magicert.board import Piece, attack_set, mask, square_name, squares_of
from magicert.cli.display import boards as draw
from magicert.cli.options.types import OccupancyType, SquareType, TableType


@click.command("show")
@click.argument("piece", type=click.Choice([piece.value for piece in Piece]))
@click.argument("square", type=SquareType())
@click.option(
    "--occupancy", type=OccupancyType(), default=0, metavar="SQUARES",
    help='Occupied squares, "e6,c4" or 0x... (a1=0).',
)  # fmt: skip
@click.option("--table", type=TableType(), help="Look up in this table (a file, or a name).")
def command(piece: str, square: int, occupancy: int, table: Path | None) -> None:
    """Show a slider's mask and attack set, and where a table looks them up.

    \b
    magicert show rook e4
    magicert show bishop c1 --occupancy e3,b2 --table shakmaty
    """
    from magicert.cli.display.report import width

    slider = Piece(piece)
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
    if table is not None:
        _show_lookup(slider, square, occupancy, table)


def _show_lookup(piece: Piece, square: int, occupancy: int, path: Path) -> None:
    from magicert.problem import InputError, Problem
    from magicert.square_order import place_of
    from magicert.table import read_table
    from magicert.verify.table.counterexample import Position, Witness
    from magicert.verify.table.layout import lay_out, swap_bytes

    file = read_table(path)
    table = file.table
    if piece not in table.pieces:
        raise InputError([Problem(f"no [{piece}] in this table", file=str(path))])
    layout = next(
        piece_layout
        for buffer in lay_out(file)
        for piece_layout in buffer.pieces
        if piece_layout.table.piece == piece
    )
    row = next(row for row in range(64) if table.row_square(row) == square)
    engine = sum(1 << place_of(table.order, blocker) for blocker in squares_of(occupancy))
    lookup = Witness(table).lookup(Position(layout, row, engine))
    click.echo(f"\n{table.name}: {layout.table.index}")
    for name, words in layout.parameters.items():
        value = int(words[row, 0])
        shown = str(value) if value < 1 << 16 else f"{value:#018x}"
        click.echo(f"  {name:<10} {shown}")
    if table.order != "a1":
        click.echo(f"  {'occ':<10} {lookup.occupancy} in the table's square order, {table.order}")
    if layout.mirrored[row]:
        home = square_name(table.row_square(layout.home(row)))
        click.echo(
            f"  {'occ':<10} {swap_bytes(engine):#018x} with swapped bytes, looked up on {home}"
        )
    click.echo(f"  {'index':<10} {lookup.index}")
    click.echo(f"  {'offset':<10} {layout.offset[row]}")
    click.echo(f"  {'slot':<10} {lookup.slot}")
