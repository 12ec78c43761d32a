"""Options that fix parts of a source's reading by hand, for `verify` and `import`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import rich_click as click

from magicert.square_order import ORDERS

if TYPE_CHECKING:
    from magicert.verify.source.readings.pins import Pins

F = TypeVar("F", bound=Callable[..., object])


def pin_options(command: F) -> F:
    """Add --formula, --map, --order, --bits and --piece to a command that reads sources."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--formula",
        metavar="SCHEME",
        help="Source files: the index formula, or a scheme's name (white, black, two-halves, ...).",
    ),
    click.option(
        "--map",
        "maps",
        multiple=True,
        metavar="PIECE.PARAMETER=NAME",
        help="Source files: the list (NAME or NAME:LINE) or number of a parameter, as in "
        "rook.magic=RookMagics, bishop.offset=BOffs, rook.shift=52.",
    ),
    click.option(
        "--order",
        type=click.Choice(ORDERS),
        help="Source files: the square of bit 0, and which way the bits run.",
    ),
    click.option(
        "--bits",
        multiple=True,
        metavar="[PIECE=]BITS",
        help="Source files: the index's bits, as in popcount, or rook=12,bishop=9.",
    ),
    click.option(
        "--piece",
        "pieces",
        multiple=True,
        type=click.Choice(["rook", "bishop"]),
        help="Source files: read this piece only; says that a table of one piece is meant.",
    ),
)


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
