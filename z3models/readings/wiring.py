"""Which bits of the free parameter any index is wired to, read off the formula's circuit.

In the white scheme the products o*m do not see the bits of m from 64 - ctz(mask) up: the
LCM period, 2^(64 - ctz(mask)). In a scheme of two 32-bit halves both halves have such dead
bits, and in the black scheme there are none. A bit without a wire changes nothing.
"""

from magicert.formula.tree import OCCUPANCY
from magicert.z3models.question import Question
from magicert.z3models.readings.bits import Bits, BitsReading
from magicert.z3models.readings.circuit import FALSE, Circuit


def occupied(question: Question) -> int:
    """The union of all occupancies: the mask."""
    union = 0
    for occupancy in question.occupancies:
        union |= occupancy
    return union


def wired_bits(question: Question) -> int:
    """The bits of the free parameter outside which no bit reaches any index."""
    circuit = Circuit()
    mask = occupied(question)
    word: Bits = tuple(circuit.variable() for _ in range(question.free_width))
    # Squares that no occupancy has are constant 0, and what they would switch falls away.
    squares = range(question.formula.word)
    occ = tuple(circuit.variable() if mask >> i & 1 else FALSE for i in squares)
    values: dict[str, int | Bits] = {**question.values, question.free: word, OCCUPANCY: occ}
    waiting = [*BitsReading(circuit).read(question.formula.tree, values)]
    reached: set[int] = set()
    while waiting:
        gate = abs(waiting.pop())
        if gate not in reached:
            reached.add(gate)
            waiting.extend(circuit.operands(gate))
    return sum(1 << i for i, literal in enumerate(word) if literal in reached)
