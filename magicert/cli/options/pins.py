"""Options that fix parts of a source's reading by hand, for `verify` and `import`."""

from typing import TYPE_CHECKING

import rich_click as click

from magicert.cli.options.types import PIECES
from magicert.cli.options.work import options
from magicert.square_order import ORDERS

if TYPE_CHECKING:
    from magicert.verify.source.readings.pins import Pins

pin_options = options(
    click.option(
        "--formula",
        metavar="SCHEME",
        help="The index formula, or a scheme's name (white, black, two-halves, ...).",
    ),
    click.option(
        "--map",
        "maps",
        multiple=True,
        metavar="PIECE.PARAMETER=NAME",
        help="The list (NAME or NAME:LINE) or number of a parameter, as in "
        "rook.magic=RookMagics, bishop.offset=BOffs, rook.shift=52.",
    ),
    click.option(
        "--order",
        type=click.Choice(ORDERS),
        help="The square of bit 0, and which way the bits run.",
    ),
    click.option(
        "--bits",
        multiple=True,
        metavar="[PIECE=]BITS",
        help="The index's bits, as in popcount, or rook=12,bishop=9.",
    ),
    click.option(
        "--piece",
        "pieces",
        multiple=True,
        type=PIECES,
        help="Read this piece only; says that a table of one piece is meant.",
    ),
    panel="How to read sources",
)
"""--formula, --map, --order, --bits and --piece, for a command that reads sources."""


def pins_of(
    formula: str | None,
    maps: tuple[str, ...],
    order: str | None,
    bits: tuple[str, ...],
    pieces: tuple[str, ...] = (),
) -> "Pins":
    """The options, parsed. Raises InputError with all that is wrong with them."""
    from magicert.verify.source.readings.pins import parse_pins

    return parse_pins(formula, maps, order, bits, pieces)
