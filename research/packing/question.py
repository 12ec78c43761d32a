"""What is asked of the two researches: a layered table, or one of two levels that overlay."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from magicert.outcome import Watch
from magicert.problem import Problem
from magicert.requests.packing.question import DAY, PackQuestion

if TYPE_CHECKING:
    from magicert.outcome import Impossible, Unknown
    from magicert.requests.packing.shared import Found, Interrupted

USUAL = {
    "pieces": "both", "fixed_shift": True, "rook_bits": None, "bishop_bits": None,
    "apart": False, "private": False, "pools": None, "exact": None, "two_level": None,
}  # fmt: skip
"""What these tables do not have, as it is if nobody gives it."""


@dataclass(frozen=True, slots=True)
class _Research(PackQuestion["Found | Interrupted | Impossible | Unknown"]):
    """Options that only plain tables have are refused."""

    program: ClassVar[tuple[str, ...]] = ("python", "-m", "research.packing")
    allowed: ClassVar[tuple[str, ...]] = ()

    def problems(self) -> Iterator[Problem]:
        wrong = [
            name
            for name, value in USUAL.items()
            if name not in self.allowed and getattr(self, name) != value
        ]
        if wrong:
            shown = ", ".join(f"--{name.replace('_', '-')}" for name in wrong)
            yield Problem(f"{shown}: only for plain tables (magicert pack)")
        yield from PackQuestion.problems(self)

    def again(self, rounds: int, refills: int | None) -> str:
        source: Path | None = self.given
        changed: Any = {"source": source, "rounds": rounds, "refills": refills, "seconds": DAY}
        return replace(self, **changed).command


@dataclass(frozen=True, slots=True)
class LayeredPack(_Research):
    """Several squares in one entry: attacks = entry & line."""

    begins = ("layered",)
    allowed = ("fixed_shift",)

    def run(self, watch: Watch) -> "Found | Interrupted | Impossible | Unknown":
        """Raises InputError for a table that cannot be packed."""
        from research.packing.layered_job import LayeredJob

        return LayeredJob(self, watch).outcome()


@dataclass(frozen=True, slots=True)
class OverlaidPack(_Research):
    """Bytes, and words that several squares share: attacks = word & line."""

    begins = ("overlaid",)

    def problems(self) -> Iterator[Problem]:
        if self.scheme == "white" and not self.source:
            yield Problem("--scheme white: expected --from as well")
        yield from _Research.problems(self)

    def run(self, watch: Watch) -> "Found | Interrupted | Impossible | Unknown":
        """Raises InputError for a table that cannot be packed."""
        from research.packing.overlaid_job import OverlaidJob

        return OverlaidJob(self, watch).outcome()
