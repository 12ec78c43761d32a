"""The outcome of "does a magic exist?": never a bare bool.

An engine answers EXISTS with the magics it found, IMPOSSIBLE with its evidence, or
UNKNOWN with the reason and how far it came. Timeouts, interruptions and a solver's
"unknown" are UNKNOWN.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

Figures = Mapping[str, float | int | str]
"""What was measured on the way: tests, seconds, conflicts, ..."""


class Evidence(StrEnum):
    """What an IMPOSSIBLE rests on, from strong to weak."""

    COUNTING = "counting: fewer slots than attack sets"
    LEAVES = "leaves"
    """Every leaf of a cover is in the certificate, and was checked."""
    HASHES = "hashes"
    """Every leaf was written and hashed; a replay must come to the same hashes."""
    RECOUNT = "counted again"
    """An independent program went through every shard, and found the same magics."""
    COUNTS = "counts"
    """One exhaustive run, which a replay must repeat count by count."""
    PROOF = "a solver with a checked proof"
    SOLVER = "a solver alone"


@dataclass(frozen=True, slots=True)
class Exists:
    """At least one magic, each verified exhaustively before anybody sees it.

    `complete` says whether `magics` is known to be all of them, one of those that are congruent
    modulo the cell's period. Where all were wanted and it is not, `progress` says how far the
    engine came. `mask` is what the magic is for, and `shift` what follows the product in the
    schemes of 64 bits: index = (occ & mask) * magic >> shift. Who asks is told both.
    """

    exit_status: ClassVar[int] = 0
    magics: tuple[int, ...]
    complete: bool = False
    figures: Figures = field(default_factory=dict)
    progress: str = ""
    mask: int | None = None
    shift: int | None = None

    @property
    def magic(self) -> int:
        """The first magic found."""
        return self.magics[0]

    def __repr__(self) -> str:
        more = f" and {len(self.magics) - 1:,} more" if self.magics[1:] else ""
        shift = "" if self.shift is None else f", shift {self.shift}"
        return f"<Exists {', '.join(f'{one:#x}' for one in self.magics[:1])}{more}{shift}>"


@dataclass(frozen=True, slots=True)
class Impossible:
    """No magic exists. `certificate` is the file of its proof; empty where there is none and
    `argument` (a solver's verdict, an exhausted tree) is all there is. `evidence` says its kind.
    """

    exit_status: ClassVar[int] = 1
    argument: str
    certificate: str = ""
    figures: Figures = field(default_factory=dict)
    evidence: Evidence = Evidence.SOLVER


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not settled: why, and how far the engine came."""

    exit_status: ClassVar[int] = 3
    reason: str
    progress: str = ""
    figures: Figures = field(default_factory=dict)


Outcome = Exists | Impossible | Unknown
