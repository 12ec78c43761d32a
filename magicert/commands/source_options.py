"""The options that say how a source is read: `verify`, `report`, `import` and `fix` have them."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from magicert.board import ORDERS
from magicert.commands.command import option
from magicert.commands.options import SCHEME, Suggested

if TYPE_CHECKING:
    from magicert.verify.source.overrides import Overrides

_option = partial(option, panel="How to read sources")
_ONE_PIECE = "rook or bishop: the source has only this piece."
_PIECE_OF_LIST = " With --board: LIST=PIECE, as in Rooks=R, or Elephants=nA@a1-i5,a6-i10."


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """The words of these options; None, () and False where an option is not there."""

    formula: str | None
    maps: tuple[str, ...]
    order: str | None
    bits: tuple[str, ...]
    as_written: bool
    pieces: tuple[str, ...]
    board: str | None = None

    @property
    def overrides(self) -> "Overrides | None":
        """The parts of a reading that they fix, None where there are none.

        Raises InputError with all that is wrong.
        """
        words = {field.name: getattr(self, field.name) for field in fields(self)}
        if all(value in (None, (), False) for value in words.values()):
            return None
        from magicert.verify.source.source_options import overrides_of

        return overrides_of(**words)


_OPTIONS = (
    _option(
        "--scheme", "formula", type=SCHEME, metavar="SCHEME",
        help="The index formula, or a scheme's name (white, black, two-halves, ...).",
    ),
    _option(
        "--map", "maps", multiple=True, metavar="PIECE.PARAMETER=NAME",
        help="The list (NAME, NAME:LINE or NAME:FILE) or number of a parameter, as in "
        "rook.magic=RookMagics, bishop.offset=BOffs, rook.shift=52. Or a TOML file with all of "
        "these settings.",
    ),
    _option(
        "--order", type=Suggested(lambda: ORDERS), metavar="CORNER[-files][/N]",
        help="The square of bit 0, as in a8; a1-files if bits run along the files. With --function "
        "also i9-files/63: 63 squares in the lower of two words; and a8? for a guess, by which "
        "nothing is refuted that is right in another order.",
    ),
    _option(
        "--bits", multiple=True, metavar="[PIECE=]BITS",
        help="The number of index bits: popcount for as many as the mask has, or rook=12,bishop=9.",
    ),
    _option(
        "--as-written", is_flag=True, seldom=True,
        help="Take lists as they are written: in their own order, with their offsets and shifts. "
        "No other reading is tried.",
    ),
    _option("--piece", "pieces", multiple=True, metavar="PIECE", help=_ONE_PIECE + _PIECE_OF_LIST),
    _option(
        "--board", metavar="FILESxRANKS",
        help="A board other than chess's, such as 9x10; --piece then says which list is whose.",
    ),
)  # fmt: skip


def source_options() -> Callable[[Callable[..., Any]], Any]:
    """The decorator of a command that has these options: it takes `source`, a SourceOptions."""
    return gathered("source", SourceOptions, _OPTIONS)


def gathered(
    name: str, kind: type, options: tuple[Callable[[Any], Any], ...]
) -> Callable[[Callable[..., Any]], Any]:
    """The decorator that gives a command some options, and hands it their values as one: as the
    parameter `name`, a dataclass `kind` with their names.
    """
    names = [field.name for field in fields(kind)]

    def decorate(work: Callable[..., Any]) -> Any:  # noqa: ANN401
        @wraps(work)
        def run(**values: Any) -> Any:  # noqa: ANN401
            mine = {key: values.pop(key) for key in names if key in values}
            return work(**values, **{name: kind(**mine)})

        for decorator in reversed(options):
            run = decorator(run)
        return run

    return decorate
