"""The LCM period as a lemma that Z3 proves: dead bits of the magic change no index.

`wiring` reads off which bits are dead; Z3, which knows nothing of that circuit,
proves it for all occupancies and all magics at once. Only then may the bits be assumed 0.
That makes answers canonical and costs hundredths of a second.
"""

import z3

from magicert.formula.tree import OCCUPANCY
from magicert.z3models.question import Question
from magicert.z3models.readings.bit_vectors import Word, Z3Reading
from magicert.z3models.readings.wiring import occupied, wired_bits

PATIENCE = 10_000
"""Milliseconds for the proof; without it all bits are kept."""


def live_bits(question: Question) -> int:
    """A set of the free parameter's bits outside which, as Z3 proves, none matters."""
    live, everything = wired_bits(question), question.free_bits
    proved = live == everything or dead_bits_lemma(question, everything & ~live)
    return live if proved else everything


def dead_bits_lemma(question: Question, dead: int) -> bool:
    """Is it proved that clearing the bits `dead` of the magic never changes the index of any
    subset of the occupied squares?
    """
    mask, width = occupied(question), question.formula.word
    magic, subset = z3.BitVec("magic", question.free_width), z3.BitVec("subset", width)
    squares = (
        z3.Extract(i, i, subset) if mask >> i & 1 else z3.BitVecVal(0, 1)
        for i in reversed(range(width))
    )
    values: dict[str, Word] = {**question.values, OCCUPANCY: z3.Concat(*squares)}
    reading = Z3Reading(shift_add=False, text=question.formula.text)
    tree = question.formula.tree
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", PATIENCE)
    one, other = (
        reading.term(tree, {**values, question.free: word}) for word in (magic, magic & ~dead)
    )
    solver.add(one != other)
    return bool(solver.check() == z3.unsat)
