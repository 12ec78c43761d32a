"""Options that fix parts of a source's reading by hand, for `verify` and `import`."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.options.work import Decorator, options

if TYPE_CHECKING:
    from magicert.verify.source.pins import Pins

_CHESS = (
    click.option(
        "--scheme",
        "formula",
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
        "--as-written",
        is_flag=True,
        help="Take lists as they stand: in their own order, with the offsets and shifts that are "
        "written. No other reading is tried.",
    ),
)
_ONE_PIECE = "rook or bishop: read this piece only; says that a table of one piece is meant."


def _piece(more: str = "") -> Decorator:
    return click.option(
        "--piece", "pieces", multiple=True, metavar="PIECE", help=f"{_ONE_PIECE}{more}"
    )


_BOARD = click.option(
    "--board",
    metavar="FILESxRANKS",
    help="A board other than chess's, such as 9x10; --piece then says which list is whose.",
)
_PANEL = "How to read sources"
_NAMES = ("formula", "maps", "order", "bits", "pieces", "board", "as_written")


def pin_options(command: Callable[..., Any]) -> Any:  # noqa: ANN401
    """--scheme, --map, --order, --bits, --as-written, --piece and --board: the command gets them
    as `pins`, which is None where none is given. InputError says all that is wrong with them.
    """
    more = " With --board: LIST=PIECE, as in RookMagicsInit=R, CannonMagicsInit=pR."
    return options(*_CHESS, _piece(more), _BOARD, panel=_PANEL)(_with_pins(command))


def chess_pin_options(command: Callable[..., Any]) -> Any:  # noqa: ANN401
    """The same without --board."""
    return options(*_CHESS, _piece(), panel=_PANEL)(_with_pins(command))


def _with_pins(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def with_pins(*arguments: Any, **given: Any) -> Any:  # noqa: ANN401
        own = {name: given.pop(name, None) for name in _NAMES}
        is_given = any(value not in (None, (), False) for value in own.values())
        return command(*arguments, pins=_pins(**own) if is_given else None, **given)

    return with_pins


def _pins(**texts: Any) -> "Pins":  # noqa: ANN401
    from magicert.jobs.stated import parse_pins

    return parse_pins(**texts)
