"""What packing is asked: the shortest table to be found in some time."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from magicert.board import Piece
from magicert.data import find_table, tables_by_name
from magicert.problem import Problem
from magicert.requests import words
from magicert.requests.request import (
    Duration,
    File,
    Given,
    OneOf,
    Request,
    RequestField,
    Result,
    ShippedName,
    WholeNumber,
    option,
)

BEGINNING, NOTHING = "Where to begin", "From nothing (without --from)"
HOW_LONG, WRITTEN = "How long", "What is written"
DAY = 86400.0
"""As a budget, no limit on any machine."""
OF_A_START = ("scheme", "rook_bits", "bishop_bits", "apart", "private", "fixed_shift",
              "pieces")  # fmt: skip
"""What counts only from nothing."""
_BITS = WholeNumber(1, 13)


class LevelBits(OneOf):
    """The bits of a number; in Python a number as well as a text."""

    def accept(self, value: Any, given: Given) -> str:  # noqa: ANN401
        return self.read(str(value), given)


@dataclass(frozen=True, slots=True)
class PackQuestion(Request[Result]):
    """Pack all attack sets into the smallest buffer that `seconds` allow; `output` is the table
    file that always holds the best so far, verified.

    It begins with `source`, with the output that is there (`resume`), or with nothing. A round has
    `workers`; they work on this machine, or on the `cluster` at tcp://..., with the same result.
    Only from nothing count `scheme`, `fixed_shift` (or the number of bits of every mask), the bits
    of rooks and bishops. A source whose squares share nothing gives the
    scheme and bits of a start from nothing. `apart` is a buffer for each piece, `private` no
    overlap, `pools` a file of them, and `limit` the longest length that will do, or the most bytes.
    """

    begins = ("pack",)
    output: str | PathLike[str] = option(
        Path("packed.toml"),
        "The table file; its certificate and a picture of the buffer are written beside it.",
        File(output=True), flags=("-o", "--output"), panel=WRITTEN, shows_default=True, told=False,
    )  # fmt: skip
    seconds: float = option(
        600.0, "Stop after 90s, 10m or 2h.", Duration(), flags=("--budget",), panel=HOW_LONG,
        shows_default=True, always=True, last=True,
    )  # fmt: skip
    _: KW_ONLY
    source: str | PathLike[str] | None = option(
        None,
        "Improve this table. If its squares share no entries, packing starts afresh with its "
        "scheme.",
        ShippedName("TABLE", tables_by_name, find_table), flags=("--from",), panel=BEGINNING,
    )  # fmt: skip
    resume: bool = option(
        False, "Go on from the output file, if it is there.", panel=BEGINNING, told=False
    )
    scheme: str = option(
        "black", "The index formula (constant: a free constant).",
        OneOf(["white", "black", "constant"]), panel=NOTHING, shows_default=True, always=True,
    )  # fmt: skip
    rook_bits: int | None = option(
        None, "Index bits of every rook.", _BITS, panel=NOTHING, seldom=True
    )
    bishop_bits: int | None = option(
        None, "Index bits of every bishop.", _BITS, panel=NOTHING, seldom=True
    )
    apart: bool = option(False, "One buffer for each piece.", panel=NOTHING, seldom=True)
    private: bool = option(
        False, "No overlap at all (fancy), for comparison.", panel=NOTHING, seldom=True
    )
    fixed_shift: bool = option(
        True, "12 bits for every rook and 9 for every bishop, or c bits a square.",
        flags=("--fixed-shift/--square-shifts",), panel=NOTHING, shows_default=True,
        seldom=True,
    )  # fmt: skip
    pieces: str = option(
        "both", "Which pieces to pack.", OneOf(["both", *(piece.value for piece in Piece)]),
        flags=("--piece",), panel=BEGINNING, shows_default=True,
    )  # fmt: skip
    pools: Path | None = option(
        None, "Keep the magics here, and use those it has.", panel=NOTHING, seldom=True, told=False
    )
    refills: int | None = option(
        None, "With a fixed shift: rounds of refilling pages; else most of the budget.",
        WholeNumber(0), "N", panel=NOTHING, seldom=True,
    )  # fmt: skip
    two_level: str | int | None = option(
        None,
        "Also write OUTPUT-two-level.toml: entries of so many bits that number attack sets.",
        LevelBits(["8", "16"]), panel=WRITTEN,
    )  # fmt: skip
    seed: int = words.seed(panel=HOW_LONG)
    workers: int = words.workers(panel=HOW_LONG, seldom=False, always=True, told=True)
    rounds: int | None = option(
        None, "Stop after so many rounds.", WholeNumber(0), panel=HOW_LONG, seldom=True
    )
    limit: int | None = option(
        None, "The longest length that will do.", WholeNumber(1), panel=HOW_LONG, seldom=True,
        told=False,
    )  # fmt: skip
    cluster: str = option(
        "", "Let a Dask cluster do the work of a round's --workers.", panel=HOW_LONG, seldom=True,
        told=False, metavar="tcp://...",
    )  # fmt: skip
    exact: int | None = option(
        None, "Also prove how short the N smallest squares alone can be (OR-tools, 60 s more).",
        WholeNumber(1, 12), "N", panel=WRITTEN, seldom=True, told=False,
    )  # fmt: skip
    name: str | None = option(
        None, "The table's name; the output file's if not given.", panel=WRITTEN, seldom=True,
        told=False,
    )  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        if self.two_level is not None and self.apart:
            yield Problem("--two-level numbers one shared buffer: expected no --apart")
        if self.path in self._beside:
            yield Problem(f"--output {self.path}: the map of the buffer goes there")

    @property
    def _beside(self) -> list[Path]:
        """What is written with the output."""
        output = self.path
        found = [output.with_suffix(".certificate.json"), output.with_suffix(".svg")]
        if self.numbers is not None:
            from magicert.compact.layouts import sidecars

            second = self.second
            found += [second, second.with_suffix(".certificate.json")]
            if not second.exists():  # buffers say of themselves whose they are only through it
                found += sidecars(second, tuple(Piece))
        return found

    @property
    def outputs(self) -> list[Path]:
        return [self.path, *self._beside]

    @property
    def dear(self) -> list[Path]:
        return [] if self.resume else [self.path]

    @property
    def inputs(self) -> list[Path]:
        """The table given, unless to go on with it."""
        read = (self.pools, None if self.resume else self.given)
        return [path for path in read if path is not None]

    @property
    def numbers(self) -> int | None:
        """The bits of a second file's numbers."""
        return None if self.two_level is None else int(self.two_level)

    @property
    def path(self) -> Path:
        return Path(self.output)

    @property
    def second(self) -> Path:
        """Where the same table goes in two levels, with numbers of its own."""
        return self.path.with_name(f"{self.path.stem}-two-level.toml")

    @property
    def given(self) -> Path | None:
        if self.resume and self.path.exists():
            return self.path
        return None if self.source is None else Path(self.source)

    @property
    def chosen(self) -> tuple[Piece, ...]:
        return tuple(Piece) if self.pieces == "both" else (Piece(self.pieces),)

    def tells(self, one: RequestField, value: object) -> bool:
        """What counts only from nothing is not told of a table that was given."""
        if one.name in OF_A_START and self.source is not None:
            return False
        return Request.tells(self, one, value)

    def again(self, rounds: int, refills: int | None) -> str:
        """The command that gives this layout again, on any machine."""
        return replace(
            self, rounds=rounds, refills=refills, seconds=DAY, two_level=None
        ).command  # fmt: skip
