"""The door to `magicert gather`: the search for a gatherer in a process of its own."""

from magicert.engine import Observer
from magicert.outcome import Outcome
from z3models.child import Report, supervise
from z3models.gather import Gathered, gather
from z3models.gatherer import Wanted


def solve(wanted: Wanted, observer: Observer) -> Gathered | Outcome:
    """One gatherer for all lines asked for, or why there is none."""
    return supervise(work, wanted, observer)


def work(wanted: Wanted, report: Report) -> Gathered | Outcome:
    """What that process does."""
    return gather(wanted, report)
