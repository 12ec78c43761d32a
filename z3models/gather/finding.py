"""Finding a gatherer, or proving that there is none: its constant, low bits first.

The product of a square that falls on place p sees the constant's bits below 32 - p only. So with
the constant known modulo 2^q, the squares on places from 32 - q on have their products. A constant
under which two subsets of them share an index is dropped, with all that continue it: exhaustive,
without a solver. (Measured: 19 lines, all rotations, 10 million constants, where CaDiCaL gave up.)
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.outcome import Impossible, Outcome
from magicert.z3models.gather.gatherer import Gatherer, GatherQuestion
from magicert.z3models.solvers.child import ChildObserver

Constants = NDArray[np.uint32]

BEGINNINGS = "beginnings of constants"
AT_ONCE = 1 << 12
"""So many constants are looked at together."""


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
    folded, tried = 0, Counter[str]()
    for done, form in enumerate(forms):
        report.progress(done, len(forms), "rotations")
        if not all(form.folds(line) for line in wanted.lines):
            folded += 1
            continue
        if form.C is not None:
            if form.counterexample(wanted.lines) is None:
                return Gathered(form)
            continue
        constant = next(constants(form, wanted, tried), None)
        if constant is not None:
            found = form.with_constant(constant)
            conflict = found.counterexample(wanted.lines)
            assert conflict is None, f"{found} was found, but {conflict} conflict"
            return Gathered(found, dict(tried))
    argument = (
        f"{len(forms)} rotations: {folded} let two squares of a line fall together, "
        f"{len(forms) - folded} have no constant "
        f"(low bits first, {tried[BEGINNINGS]:,} beginnings tried)"
    )
    return Impossible(argument, figures=dict(tried))


def constants(form: Gatherer, wanted: GatherQuestion, tried: Counter[str]) -> Iterator[int]:
    """All constants of one rotation and shift, but for the bits that the index does not see.

    `tried` counts beginnings: constants modulo 2^q, for all q.
    """
    top = min(32, form.s + form.bits)
    lines = [[form.place(square) for square in line.squares] for line in wanted.lines]
    # For each q the lines on which a place is new, with all the places that are known.
    known = [
        [
            [p for p in line if p >= top - q]
            for line in lines
            if any(max(1, top - p) == q for p in line)
        ]
        for q in range(top + 1)
    ]
    stack = [(0, np.zeros(1, dtype=np.uint32))]
    while stack:
        q, some = stack.pop()
        if q == top:
            yield from some.tolist()
            continue
        some = np.concatenate([some, some | np.uint32(1 << q)])
        tried[BEGINNINGS] += len(some)
        for places in known[q + 1]:
            some = some[_apart(some, places, form)]
        if len(some):
            stack += [(q + 1, some[n : n + AT_ONCE]) for n in range(0, len(some), AT_ONCE)]


def _apart(some: Constants, places: list[int], form: Gatherer) -> NDArray[np.bool_]:
    """Under which constants all subsets of some places have indexes of their own."""
    products = np.zeros((len(some), 1), dtype=np.uint32)
    for place in places:
        more = products + (some << np.uint32(place))[:, None]
        products = np.concatenate([products, more], axis=1)
    cut = np.uint32((1 << form.bits) - 1)
    indexes = np.sort((products >> np.uint32(form.s) & cut).astype(np.uint16), axis=1)
    return np.asarray((indexes[:, 1:] != indexes[:, :-1]).all(axis=1))
