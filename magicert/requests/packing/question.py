"""What packing is asked: the shortest table to be found in some time."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from magicert.board import Piece
from magicert.data import find_table, tables_by_name
from magicert.problem import Problem
from magicert.requests.kinds import Duration, File, Flag, Given, OneOf, ShippedName, WholeNumber
from magicert.requests.request import Option, Request, RequestField, Result

BEGINNING, NOTHING = "Where to begin", "From nothing (without --from)"
HOW_LONG, WRITTEN = "How long", "What is written"
DAY = 86400.0
"""As a budget, no limit on any machine."""
FROM_NOTHING = {
    "pieces": "both", "fixed_shift": True, "rook_bits": None, "bishop_bits": None, "half": False,
    "apart": False, "private": False, "pools": None, "exact": None,
}  # fmt: skip
"""What neither a layered nor an overlaid table has, as it is if nobody gives it."""
OF_A_START = ("scheme", "rook_bits", "bishop_bits", "half", "apart", "private", "fixed_shift",
              "pieces")  # fmt: skip
"""What counts only from nothing."""
_BITS = WholeNumber(1, 13)
_YES = Flag()


class LevelBits(OneOf):
    """The bits of a number, or "overlaid"; in Python a number as well."""

    def accept(self, value: Any, given: Given) -> str:  # noqa: ANN401
        """The word."""
        return self.read(str(value), given)


@dataclass(frozen=True, slots=True)
class PackQuestion(Request[Result]):
    """Pack all attack sets into the smallest buffer that `seconds` allow; `output` is the table
    file that always holds the best so far, verified.

    It begins with `source`, with the output that is there (`resume`), or with nothing. A round has
    `workers`; they work on this machine, or on the `cluster` at tcp://..., with the same result.
    Only from nothing count `scheme`, `fixed_shift` (or the number of bits of every mask), the bits
    of rooks and bishops and `half` (ranks 1-4). A source whose squares share nothing gives the
    scheme and bits of a start from nothing. `apart` is a buffer for each piece, `private` no
    overlap, `pools` a file of them, and `limit` the longest length that will do, or the most bytes.
    """

    begins = ("pack",)
    output: Annotated[
        str | PathLike[str],
        Option(
            "The table file; its certificate and a picture of the buffer are written beside it.",
            flags=("-o", "--output"), kind=File(output=True), panel=WRITTEN, shows_default=True,
            told=False,
        ),
    ] = Path("packed.toml")  # fmt: skip
    seconds: Annotated[
        float,
        Option(
            "Stop after 90s, 10m or 2h.", flags=("--budget",), kind=Duration(), panel=HOW_LONG,
            shows_default=True, always=True, last=True,
        ),
    ] = 600.0  # fmt: skip
    _: KW_ONLY
    layered: Annotated[
        bool,
        Option("Several squares in one entry: attacks = entry & line.", kind=_YES, panel=BEGINNING),
    ] = False
    source: Annotated[
        str | PathLike[str] | None,
        Option(
            "Improve this table; under its scheme from nothing if its squares share nothing.",
            flags=("--from",), kind=ShippedName("TABLE", tables_by_name, find_table),
            panel=BEGINNING,
        ),
    ] = None  # fmt: skip
    resume: Annotated[
        bool,
        Option(
            "Go on from the output file, if it is there.", kind=_YES, panel=BEGINNING, told=False
        ),
    ] = False
    scheme: Annotated[
        str,
        Option(
            "The index formula (constant: a free constant).",
            kind=OneOf(["white", "black", "constant"]), panel=NOTHING, shows_default=True,
            always=True,
        ),
    ] = "black"  # fmt: skip
    rook_bits: Annotated[
        int | None, Option("Index bits of every rook.", kind=_BITS, panel=NOTHING, seldom=True)
    ] = None
    bishop_bits: Annotated[
        int | None, Option("Index bits of every bishop.", kind=_BITS, panel=NOTHING, seldom=True)
    ] = None
    half: Annotated[
        bool,
        Option(
            "Ranks 1-4 only; lookups for the others swap the ranks (bytes).", kind=_YES,
            panel=NOTHING,
        ),
    ] = False  # fmt: skip
    apart: Annotated[
        bool, Option("One buffer for each piece.", kind=_YES, panel=NOTHING, seldom=True)
    ] = False
    private: Annotated[
        bool,
        Option("No overlap at all (fancy), for comparison.", kind=_YES, panel=NOTHING, seldom=True),
    ] = False
    fixed_shift: Annotated[
        bool,
        Option(
            "12 bits for every rook and 9 for every bishop, or c bits a square.",
            flags=("--fixed-shift/--square-shifts",), kind=_YES, panel=NOTHING, shows_default=True,
        ),
    ] = True  # fmt: skip
    pieces: Annotated[
        str,
        Option(
            "Which pieces to pack.", flags=("--piece",), panel=BEGINNING, shows_default=True,
            kind=OneOf(["both", *(piece.value for piece in Piece)]),
        ),
    ] = "both"  # fmt: skip
    pools: Annotated[
        Path | None,
        Option(
            "Keep the magics here, and use those it has.", kind=File(), panel=NOTHING, seldom=True,
            told=False,
        ),
    ] = None  # fmt: skip
    refills: Annotated[
        int | None,
        Option(
            "With a fixed shift: rounds of refilling pages; else most of the budget.",
            kind=WholeNumber(0), metavar="N", panel=NOTHING, seldom=True,
        ),
    ] = None  # fmt: skip
    two_level: Annotated[
        str | int | None,
        Option(
            "Also write OUTPUT-two-level.toml: entries of so many bits that number attack sets. "
            "overlaid: OUTPUT has bytes, and words that several squares share.",
            kind=LevelBits(["8", "16", "overlaid"]), panel=WRITTEN,
        ),
    ] = None  # fmt: skip
    seed: Annotated[
        int,
        Option(
            "The same seed gives the same result.", kind=WholeNumber(0), metavar="N",
            panel=HOW_LONG, shows_default=True, always=True,
        ),
    ] = 1  # fmt: skip
    workers: Annotated[
        int,
        Option(
            "How many processes or threads work at a time.", kind=WholeNumber(1, 1024), metavar="N",
            panel=HOW_LONG, shows_default=True, always=True,
        ),
    ] = 1  # fmt: skip
    rounds: Annotated[
        int | None,
        Option("Stop after so many rounds.", kind=WholeNumber(0), panel=HOW_LONG, seldom=True),
    ] = None
    limit: Annotated[
        int | None,
        Option(
            "The longest length that will do.", kind=WholeNumber(1), panel=HOW_LONG, seldom=True,
            told=False,
        ),
    ] = None  # fmt: skip
    cluster: Annotated[
        str,
        Option(
            "Let a Dask cluster do the work of a round's --workers.", metavar="tcp://...",
            panel=HOW_LONG, seldom=True, told=False,
        ),
    ] = ""  # fmt: skip
    exact: Annotated[
        int | None,
        Option(
            "Also prove how short the N smallest squares alone can be (OR-tools, 60 s more).",
            kind=WholeNumber(1, 12), metavar="N", panel=WRITTEN, seldom=True, told=False,
        ),
    ] = None  # fmt: skip
    name: Annotated[
        str | None,
        Option(
            "The table's name; the output file's if not given.", panel=WRITTEN, seldom=True,
            told=False,
        ),
    ] = None  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        """What does not go together."""
        usual = {**FROM_NOTHING}
        kind = "--two-level overlaid" if self.is_overlaid else ""
        if self.layered:
            usual = {**usual, "two_level": None}
            del usual["fixed_shift"]
            kind = "--layered"
        wrong = [name for name, value in usual.items() if kind and getattr(self, name) != value]
        shown = [f"--{name.replace('_', '-')}" for name in wrong]
        if self.is_overlaid and not self.layered and self.scheme == "white" and not self.source:
            shown.append("--scheme white without --from")
        if shown:
            yield Problem(f"{', '.join(shown)}: expected none with {kind}")
        elif self.two_level is not None and self.apart:
            yield Problem("--two-level numbers one shared buffer: expected no --apart")
        elif self.two_level is not None and self.half:
            yield Problem("--two-level is for the whole board: expected no --half")

    @property
    def is_overlaid(self) -> bool:
        """Whether words are to be shared."""
        return self.two_level == "overlaid"

    @property
    def numbers(self) -> int | None:
        """The bits of a second file's numbers."""
        return None if self.two_level is None or self.is_overlaid else int(self.two_level)

    @property
    def path(self) -> Path:
        """The output."""
        return Path(self.output)

    @property
    def given(self) -> Path | None:
        """The table to begin with."""
        if self.resume and self.path.exists():
            return self.path
        return None if self.source is None else Path(self.source)

    @property
    def chosen(self) -> tuple[Piece, ...]:
        """The pieces."""
        return tuple(Piece) if self.pieces == "both" else (Piece(self.pieces),)

    def tells(self, one: RequestField, value: object) -> bool:
        """What counts only from nothing is not told of a table that was given."""
        if one.name in OF_A_START and self.source is not None:
            return False
        return Request.tells(self, one, value)

    def again(self, rounds: int, refills: int | None, *, half: bool = False) -> str:
        """The command that gives this layout again, on any machine."""
        levels = self.two_level if self.is_overlaid else None
        source = self.given if self.is_overlaid or self.layered else self.source
        return replace(
            self, source=source, rounds=rounds, refills=refills, half=half, seconds=DAY,
            two_level=levels,
        ).command  # fmt: skip
