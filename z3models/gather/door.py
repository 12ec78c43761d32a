"""The door to `magicert gather`: the search for a gatherer in a process of its own."""

from magicert.engine import Observer
from magicert.outcome import Outcome
from magicert.z3models.gather.finding import Gathered, gather
from magicert.z3models.gather.gatherer import GatherQuestion
from magicert.z3models.solvers.child import ChildObserver, supervise


def solve(wanted: GatherQuestion, observer: Observer) -> Gathered | Outcome:
    """One gatherer for all lines asked for, or why there is none."""
    return supervise(work, wanted, observer)


def work(wanted: GatherQuestion, report: ChildObserver) -> Gathered | Outcome:
    """What that process does."""
    return gather(wanted, report)
