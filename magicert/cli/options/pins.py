"""Options that fix parts of a source's reading by hand, for `verify` and `import`."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.cli.options.work import Decorator, options

if TYPE_CHECKING:
    from magicert.verify.source.readings.pins import Pins

_OPTIONS: Decorator = options(
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
        "rook.magic=RookMagics, bishop.offset=BOffs, rook.shift=52. Or a TOML file that says all.",
    ),
    click.option(
        "--order",
        metavar="CORNER[-files]",
        help="The square of bit 0, and which way the bits run, as in a8 or a1-files.",
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
        metavar="PIECE",
        help="rook or bishop: read this piece only; says that a table of one piece is meant. "
        "With --board: LIST=PIECE, as in RookMagicsInit=R, CannonMagicsInit=pR.",
    ),
    click.option(
        "--board",
        metavar="FILESxRANKS",
        help="A board other than chess's, such as 9x10; --piece then says which list is whose.",
    ),
    panel="How to read sources",
)


_NAMES = ("formula", "maps", "order", "bits", "pieces", "board")


def pin_options(command: Callable[..., Any]) -> Any:  # noqa: ANN401
    """--formula, --map, --order, --bits, --piece and --board: the command gets them as `pins`,
    which is None where none of them is given. Raises InputError with all that is wrong with them.
    """

    @wraps(command)
    def with_pins(*arguments: Any, **given: Any) -> Any:  # noqa: ANN401
        own = {name: given.pop(name) for name in _NAMES}
        is_given = any(value not in (None, ()) for value in own.values())
        return command(*arguments, pins=_pins(**own) if is_given else None, **given)

    return _OPTIONS(with_pins)


def _pins(**texts: Any) -> "Pins":  # noqa: ANN401
    from magicert.verify.source.readings.asked import parse_pins

    return parse_pins(**texts)
