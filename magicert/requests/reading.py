"""How an engine's source is read: what every question about one fixes by hand."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from magicert.requests.request import Request, Result, option

if TYPE_CHECKING:
    from magicert.verify.source.pins import Pins

_reads = partial(option, panel="How to read sources")
_NAMES = ("formula", "maps", "order", "bits", "pieces", "board", "as_written")
_ONE_PIECE = "rook or bishop: read this piece only; says that a table of one piece is meant."
_LIST = " With --board: LIST=PIECE, as in RookMagicsInit=R, CannonMagicsInit=pR."
_pieces = partial(_reads, flags=("--piece",), metavar="PIECE", several=True)


@dataclass(frozen=True, slots=True)
class ChessSources(Request[Result]):
    """A question about sources with tables of chess."""

    _: KW_ONLY
    formula: str | None = _reads(
        None, "The index formula, or a scheme's name (white, black, two-halves, ...).",
        flags=("--scheme",), metavar="SCHEME",
    )  # fmt: skip
    maps: tuple[str, ...] = _reads(
        (), "The list (NAME or NAME:LINE) or number of a parameter, as in rook.magic=RookMagics, "
        "bishop.offset=BOffs, rook.shift=52. Or a TOML file that says all.",
        flags=("--map",), metavar="PIECE.PARAMETER=NAME", several=True,
    )  # fmt: skip
    order: str | None = _reads(
        None, "The square of bit 0, and which way the bits run, as in a8 or a1-files.",
        metavar="CORNER[-files]",
    )  # fmt: skip
    bits: tuple[str, ...] = _reads(
        (), "The index's bits, as in popcount, or rook=12,bishop=9.", metavar="[PIECE=]BITS",
        several=True,
    )  # fmt: skip
    as_written: bool = _reads(
        False, "Take lists as they stand: in their own order, with the offsets and shifts that are "
        "written. No other reading is tried.", seldom=True,
    )  # fmt: skip
    pieces: tuple[str, ...] = _pieces((), _ONE_PIECE)

    @property
    def pins(self) -> "Pins | None":
        """What is fixed, None where nothing is. Raises InputError with all that is wrong."""
        given: dict[str, Any] = {name: getattr(self, name, None) for name in _NAMES}
        if all(value in (None, (), False) for value in given.values()):
            return None
        from magicert.jobs.stated import parse_pins

        return parse_pins(**given)


@dataclass(frozen=True, slots=True)
class Sources(ChessSources[Result]):
    """A question about sources with tables of any board."""

    _: KW_ONLY
    pieces: tuple[str, ...] = _pieces((), _ONE_PIECE + _LIST)
    board: str | None = _reads(
        None, "A board other than chess's, such as 9x10; --piece then says which list is whose.",
        metavar="FILESxRANKS",
    )  # fmt: skip
