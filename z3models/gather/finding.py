"""Finding a gatherer, or proving that there is none: one question of 32 bits per rotation.

Each begins with the pairs of few squares, which rule out most constants, and goes on by
counterexample-guided refinement. (Measured, 38 lines, one rotation: 23 s without the pairs
of up to four squares, 1 s with them.)
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from magicert.outcome import GaveUp, Impossible, Outcome, Unknown
from magicert.z3models.gather.gatherer import Gatherer, GatherQuestion
from magicert.z3models.gather.lines import BoardLine
from magicert.z3models.question import Pair, Question
from magicert.z3models.solvers.backend import Model
from magicert.z3models.solvers.candidate import Candidates
from magicert.z3models.solvers.child import ChildObserver
from magicert.z3models.solvers.registry import solver

FEW = 4
"""Disjoint subsets of so many squares together are stated before the first candidate."""

PAIRS = 16
"""Conflicting pairs stated per line and candidate."""


LOW_HALF = 0xFFFF_FFFF
"""The bits of a gatherer's constant."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A gatherer that is valid for all lines asked for, checked by the plain reading."""

    gatherer: Gatherer
    figures: dict[str, Any] = field(default_factory=dict)


def gather(wanted: GatherQuestion, report: ChildObserver) -> "Gathered | Outcome":
    """Find one gatherer for all the lines, or refute all of them."""
    longest = max(len(line.squares) for line in wanted.lines)
    if longest > wanted.bits:
        return Impossible(f"2^{longest} subsets of a line, 2^{wanted.bits} indexes")
    forms = list(wanted.forms())
    folded = conflicts = 0
    for done, form in enumerate(forms):
        report.progress(done, len(forms), "rotations")
        if not all(form.folds(line) for line in wanted.lines):
            folded += 1
            continue
        if form.C is not None:
            if form.counterexample(wanted.lines) is None:
                return Gathered(form)
            continue
        answer, spent = _constant(form, wanted)
        conflicts += spent
        if isinstance(answer, GaveUp):
            return Unknown(f"the solver gave up: {answer.reason}", f"{done} rotations")
        if isinstance(answer, Model):
            found = form.with_constant(answer.magic)
            conflict = found.counterexample(wanted.lines)
            assert conflict is None, f"the model yields {found}, but {conflict} conflict"
            return Gathered(found, {"conflicts": conflicts})
    argument = (
        f"{len(forms)} rotations: {folded} let two squares of a line fall together, "
        f"{len(forms) - folded} refuted by {wanted.solver}"
    )
    return Impossible(argument, figures={"conflicts": conflicts})


def _constant(form: Gatherer, wanted: GatherQuestion) -> tuple[Model | GaveUp | None, int]:
    """A constant for one rotation (None: there is none), and the conflicts it took."""
    together, firsts = _together(form, wanted.lines)
    backend = solver(wanted.solver).backend(wanted.solver, together, LOW_HALF)
    checks = [Candidates(form.question(line)) for line in wanted.lines]
    for first, check in zip(firsts, checks, strict=True):
        for a, b in _small_pairs(check):
            backend.state_apart((first + a, first + b))
    while True:
        answer = backend.ask()
        if isinstance(answer, GaveUp):
            return answer, backend.conflicts
        if not isinstance(answer, Model):
            return None, backend.conflicts
        valid = True
        for first, check in zip(firsts, checks, strict=True):
            pairs = check.conflicts(answer.magic)
            valid = valid and not pairs
            smaller = {check.disjoint(pair, answer.magic) for pair in pairs}
            for a, b in sorted(smaller, key=check.squares)[:PAIRS]:
                backend.state_apart((first + a, first + b))
        if valid:
            return answer, backend.conflicts


def _small_pairs(check: Candidates) -> Iterator[Pair]:
    """Pairs of disjoint subsets that have few squares between them."""
    small = [
        (place, occupancy)
        for place, occupancy in enumerate(check.question.occupancies)
        if occupancy.bit_count() <= FEW
    ]
    for (a, one), (b, other) in combinations(small, 2):
        if not one & other and (one | other).bit_count() <= FEW:
            yield a, b


def _together(form: Gatherer, lines: tuple[BoardLine, ...]) -> tuple[Question, list[int]]:
    """One question with all lines' subsets, and where each line's begin."""
    questions = [form.question(line) for line in lines]
    firsts: list[int] = []
    occupancies: list[int] = []
    for question in questions:
        firsts.append(len(occupancies))
        occupancies += question.occupancies
    one = questions[0]
    count = tuple(range(len(occupancies)))
    return (
        Question(one.formula, one.free, one.values, tuple(occupancies), count, one.largest_index),
        firsts,
    )
