"""The shape lemma: one proof for all squares whose rays have the same lengths.

In the white scheme the product o*m is the sum of the words m << b over the squares b of o.
Forget that these words come from one m: let them be any 64-bit words. If even that
relaxation admits no valid table of 2^k slots, then no square of that shape has a magic of
k bits, for either piece, wherever its mask lies. If it admits one, nothing follows.

The black scheme adds the constant ~mask * m. There any constant may be added to all sums; its top
bits are 0, since they would only number the slots otherwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import z3

from magicert.known_magics import checked_against_known
from magicert.outcome import Impossible, Observer, Outcome, Unknown
from magicert.shapes import Rays, Shape
from magicert.z3models.solvers.child import Budget, ChildObserver, supervise
from magicert.z3models.solvers.z3_solver import version


@dataclass(frozen=True, slots=True)
class FreeWords:
    """Words, one for each square of the shape, ray by ray from the slider outwards, whose
    sums, and with the constant, are valid: the relaxation decides nothing.
    """

    words: tuple[int, ...]
    constant: int = 0


def first_blockers(shape: Rays, subset: int) -> tuple[int, ...]:
    """What tells attack sets apart: on each ray the nearest square of the subset (the ray's
    length if there is none). Squares are numbered ray by ray, outwards.
    """
    nearest, first = [], 0
    for length in shape:
        on_ray = subset >> first & ((1 << length) - 1)
        nearest.append((on_ray & -on_ray).bit_length() - 1 if on_ray else length)
        first += length
    return tuple(nearest)


def settle_shape(shape: Shape, observer: Observer, budget: Budget) -> FreeWords | Outcome:
    """Impossible for every square of the shape, or words that satisfy the relaxation."""
    outcome = supervise(work, shape, observer, budget)
    return outcome if isinstance(outcome, FreeWords) else checked_against_known(shape, outcome)


def work(shape: Shape, report: ChildObserver) -> FreeWords | Outcome:
    """What the solving process does."""
    report.progress(0, None, "constraints")
    words = z3.BitVecs(" ".join(f"w{i}" for i in range(sum(shape.rays))), 64)
    constant = added_constant(shape)
    solver = z3.SolverFor("QF_BV")
    solver.add(*_constraints(shape, words, constant))
    result = solver.check()
    if result == z3.unsat:
        return Impossible(f"relaxation to free words refuted by {version()}")
    if result != z3.sat:
        return Unknown(f"the solver gave up: {solver.reason_unknown()}")
    model = solver.model()
    values = (model.eval(word, model_completion=True) for word in (*words, constant))
    *free_words, added_word = (int(value.as_long()) for value in values)
    result = FreeWords(tuple(free_words), added_word)
    assert words_are_valid(shape, result), f"the model yields words that conflict: {result}"
    return result


def added_constant(shape: Shape) -> z3.BitVecRef:
    """What is added to all sums: in the black scheme any word whose top bits are 0."""
    if shape.scheme != "black":
        return z3.BitVecVal(0, 64)
    return z3.ZeroExt(shape.bits, z3.BitVec("c", 64 - shape.bits))


def _constraints(
    shape: Shape, words: list[z3.BitVecRef], constant: z3.BitVecRef
) -> Iterator[z3.BoolRef]:
    rays, bits = shape.rays, shape.bits
    numbers = list(product(*(range(length + 1) for length in rays)))
    number = {blockers: i for i, blockers in enumerate(numbers)}
    digits = max(1, (len(numbers) - 1).bit_length())
    table = [z3.BitVec(f"table_{v}", digits) for v in range(1 << bits)]
    sums = [constant]
    for subset in range(1, 1 << len(words)):
        lowest = (subset & -subset).bit_length() - 1
        sums.append(sums[subset & (subset - 1)] + words[lowest])
    for subset, total in enumerate(sums):
        index = z3.Extract(63, 64 - bits, total)
        for bucket, slot_number in enumerate(table):
            yield z3.Implies(index == bucket, slot_number == number[first_blockers(rays, subset)])


def words_are_valid(shape: Shape, free: FreeWords) -> bool:
    """Do sums of these words keep different attack sets apart? By trying all subsets."""
    blockers_at: dict[int, tuple[int, ...]] = {}
    for subset in range(1 << len(free.words)):
        chosen = (word for i, word in enumerate(free.words) if subset >> i & 1)
        total = sum(chosen, free.constant) % (1 << 64)
        blockers = first_blockers(shape.rays, subset)
        if blockers_at.setdefault(total >> (64 - shape.bits), blockers) != blockers:
            return False
    return True
