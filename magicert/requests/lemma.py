"""What Z3 proves about a table's formula, or about all squares of a shape, for all occupancies."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.data import find_table, tables_by_name
from magicert.outcome import Answered, Impossible, Outcome, OutcomeKind, Unknown, Watch
from magicert.problem import Problem
from magicert.requests import words
from magicert.requests.request import (
    File,
    OneOf,
    Request,
    ShippedName,
    WholeNumber,
    budget,
    option,
)

if TYPE_CHECKING:
    from magicert.cell import Shape
    from magicert.z3models.lemmas import LemmaResult
    from magicert.z3models.shape import Words


@dataclass(frozen=True, slots=True)
class TableLemmas(Answered):
    """The lemmas about the table of a name. An engine relies on some of them: those are valid where
    all are proved, and invalid where one is refuted, whatever is unknown.
    """

    name: str
    result: "tuple[LemmaResult, ...] | Unknown"

    @property
    def kind(self) -> OutcomeKind:
        if isinstance(self.result, Unknown):
            return OutcomeKind.UNKNOWN
        from magicert.z3models.lemmas import RELIED_ON

        said = {verdict_of(one) for one in self.result if one.lemma in RELIED_ON}
        kinds = {"refuted": OutcomeKind.INVALID, "unknown": OutcomeKind.UNKNOWN}
        return next((kinds[one] for one in kinds if one in said), OutcomeKind.VALID)


def verdict_of(finding: "LemmaResult") -> str:
    """What is known of one lemma."""
    return "refuted" if finding.counterexamples else "unknown" if finding.undecided else "proved"


@dataclass(frozen=True, slots=True)
class ShapeLemma(Answered):
    """Whether no square of a shape has a magic; or free words, from which nothing follows."""

    text: str
    shape: "Shape"
    result: "Outcome | Words"

    @property
    def kind(self) -> OutcomeKind:
        match self.result:
            case Impossible():
                return OutcomeKind.VALID
            case Unknown():
                return OutcomeKind.UNKNOWN
        return OutcomeKind.INVALID


@dataclass(frozen=True, slots=True)
class Lemma(Request[TableLemmas | ShapeLemma]):
    """What is to be proved: all lemmas of a table, or that a shape has no magic."""

    begins = ("lemma",)
    table: Path | None = option(
        None, kind=ShippedName(None, tables_by_name, find_table), argument=True
    )
    _: KW_ONLY
    shape: str | None = option(
        None, 'Ray lengths such as "3,2", instead of a table.', metavar="LENGTHS"
    )
    bits: int | None = option(None, "Index bits; for --shape.", WholeNumber(1, 12))
    scheme: str | None = option(
        None, "white (if not given) or black; for --shape.", OneOf(("white", "black"))
    )
    proof: Path | None = option(
        None, "With --shape: write a proof that a verified checker accepts.", File(output=True)
    )
    seconds: float | None = budget(panel=None)
    memory: int | None = words.memory(panel=None)

    def problems(self) -> Iterator[Problem]:
        if (self.table is None) == (self.shape is None):
            yield Problem("expected a TABLE, or --shape")
        if self.shape is None:
            yield from self.only_with("--shape", "bits", "scheme", "proof")
        if self.shape is not None and self.bits is None:
            yield Problem("expected --bits with a shape", key=f"shape {self.shape}")

    def run(self, watch: Watch) -> TableLemmas | ShapeLemma:
        """Raises InputError where Z3 is not installed, or where the table cannot be read."""
        return self._about_shape(watch) if self.table is None else self._about(self.table, watch)

    def _about(self, path: Path, watch: Watch) -> TableLemmas:
        from magicert.jobs.read_sources import table_from
        from magicert.z3models.lemmas import prove
        from magicert.z3models.solvers.child import Budget

        table = table_from(path, watch).table
        with watch(f"lemmas about {path.name}", "lemmas") as observer:
            result = prove(table, observer, Budget(self.seconds, self.memory))
        assert isinstance(result, tuple | Unknown)
        return TableLemmas(table.name, result)

    def _about_shape(self, watch: Watch) -> ShapeLemma:
        from magicert.cell import Shape, parse_rays

        text = self.shape or ""
        shape = Shape(parse_rays(text), self.bits or 0, self.scheme or "white")
        from magicert.z3models.shape import settle_shape
        from magicert.z3models.solvers.child import Budget

        budget = Budget(self.seconds, self.memory)
        with watch(str(shape), "") as observer:
            if self.proof is None:
                return ShapeLemma(text, shape, settle_shape(shape, observer, budget))
            # It needs more than Z3: only who asks for a proof has to have that.
            from magicert.jobs.prove import ProofWanted, prove

            wanted = ProofWanted(shape, self.proof, budget=budget)
            return ShapeLemma(text, shape, prove(wanted, observer))
