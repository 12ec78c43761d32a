"""32-bit bit gatherers for lines of the board: one that serves all of them."""

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from magicert.outcome import Answered, Outcome, OutcomeKind, Watch
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.request import (
    OneOf,
    Option,
    Request,
    Unsigned,
    WholeNumber,
    budget,
    option,
)

if TYPE_CHECKING:
    from magicert.z3models.gather import Gathered, GatherQuestion

R_OR_S = WholeNumber(0, 31)


@dataclass(frozen=True, slots=True)
class GatherAnswer(Answered):
    """The gatherer that was found, or why there is none; `what` says the question in words."""

    what: str
    question: "GatherQuestion"
    found: "Gathered | Outcome"

    @property
    def kind(self) -> OutcomeKind:
        return self.found.kind if isinstance(self.found, Outcome) else OutcomeKind.EXISTS


@dataclass(frozen=True, slots=True)
class Gather(Request[GatherAnswer]):
    """Lines, and what is known of their gatherer."""

    begins = ("gather",)
    lines: Annotated[tuple[str, ...], Option(metavar="LINE...", argument=True, several=True)]
    _: KW_ONLY
    bits: int = option(8, "Index bits.", WholeNumber(1, 16), shows_default=True)
    inner: bool = option(False, "Without the edge squares of each line.")
    rotated: str | None = option(
        None, "The half to rotate; both are tried if not given.", OneOf(["hi", "lo"])
    )
    r: int | None = option(None, "r, if it is known.", R_OR_S, flags=("--rotate",))
    C: int | None = option(
        None, "C, if it is known.", Unsigned(32, "0x401041"), flags=("--constant",)
    )
    s: int | None = option(None, "s, if it is known.", R_OR_S, flags=("--shift",))
    seconds: float | None = budget(panel=None)
    memory: int | None = words.memory(panel=None)

    def run(self, watch: Watch) -> GatherAnswer:
        """Raises InputError for lines that the board has not, or that have no square left."""
        from magicert.z3models.gather import GatherQuestion, lines_of, solve
        from magicert.z3models.solvers.child import Budget

        chosen, named = lines_of(self.lines, edges=not self.inner), " ".join(self.lines)
        if not chosen:
            raise InputError([Problem("no square is left without the edges", key=named)])
        question = GatherQuestion(chosen, self.bits, self.rotated, self.r, self.s, self.C)
        budget = Budget(self.seconds, self.memory)
        what = f"{named}{', inner squares' if self.inner else ''}, {self.bits} bits"
        with watch(f"gather {what}", "") as observer:
            return GatherAnswer(what, question, solve(question, observer, budget))
