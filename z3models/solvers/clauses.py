"""A question as clauses, for SAT solvers.

    table     one unknown attack set per bucket, in binary: where the index of o is v,
              the bits of table[v] are those of A(o)
    pairwise  every two occupancies with different attack sets differ in a bit of the index

`Clauses` grows: occupancies and pairs may be added between two calls of a solver.
"""

from collections.abc import Iterator

from magicert.formula.tree import OCCUPANCY
from magicert.z3models.question import Pair, Question
from magicert.z3models.readings.bits import Bits, BitsReading
from magicert.z3models.readings.circuit import FALSE, TRUE, Circuit, Clause


class Clauses:
    """The unknown magic, its circuit, and what is stated about it so far.

    `magic` are the literals of the free parameter; those outside `live` (a mask of the
    bits that matter, `period`) are constant 0.
    """

    def __init__(self, question: Question, live: int | None = None) -> None:
        live = question.free_bits if live is None else live
        self.question = question
        self.circuit = Circuit()
        self.magic: Bits = tuple(
            self.circuit.variable() if live >> i & 1 else FALSE for i in range(question.free_width)
        )
        self.reading = BitsReading(self.circuit, question.formula.text)
        self.indexes: dict[int, Bits] = {}

    def index(self, place: int) -> Bits:
        """The literals of an occupancy's index, lowest first, in the formula's width."""
        if place not in self.indexes:
            values: dict[str, int | Bits] = {
                **self.question.values,
                self.question.free: self.magic,
                OCCUPANCY: self.question.occupancies[place],
            }
            self.indexes[place] = self.reading.read(self.question.formula.tree, values)
        return self.indexes[place]

    def within(self, place: int) -> Iterator[Clause]:
        """The index of this occupancy is at most the largest."""
        index = self.index(place)
        largest = self.question.largest_index
        for i, bit in enumerate(index):
            if largest >> i & 1 or bit == FALSE:
                continue
            # A one here, where the limit has none, needs a zero where it has a one above.
            above = [index[j] for j in range(i + 1, len(index)) if largest >> j & 1]
            clause = [-bit, *(-literal for literal in above)]
            yield from self.circuit.clauses(*clause)
            yield clause

    def apart(self, pair: Pair) -> Iterator[Clause]:
        """Two occupancies differ in their index."""
        bits = self.question.bits
        some = [
            literal
            for a, b in zip(self.index(pair[0])[:bits], self.index(pair[1])[:bits], strict=True)
            if (literal := self.circuit.differ(a, b)) != FALSE
        ]
        if TRUE not in some:
            yield from self.circuit.clauses(*some)
            yield some

    def value(self, model: list[int]) -> int:
        """The magic in a solver's model (signed literals); unmentioned bits are 0."""
        true = {literal for literal in model if literal > 0}
        return sum(1 << i for i, literal in enumerate(self.magic) if literal in true)

    def other_than(self, magic: int) -> Clause:
        """The magic is not this one."""
        return [
            -literal if magic >> i & 1 else literal
            for i, literal in enumerate(self.magic)
            if literal != FALSE
        ]


def validity(clauses: Clauses, encoding: str) -> Iterator[Clause]:
    """Clauses that hold exactly for the valid values of the magic."""
    question = clauses.question
    for place in range(len(question.occupancies)):
        yield from clauses.within(place)
    if encoding == "pairwise":
        for place, attacks in enumerate(question.attacks):
            for other in range(place):
                if question.attacks[other] != attacks:
                    yield from clauses.apart((place, other))
    else:
        yield from _table(clauses)


def _table(clauses: Clauses) -> Iterator[Clause]:
    question, circuit = clauses.question, clauses.circuit
    digits = max(1, max(question.attacks).bit_length())
    table = [[circuit.variable() for _ in range(digits)] for _ in range(question.largest_index + 1)]
    for place, attacks in enumerate(question.attacks):
        index = clauses.index(place)[: question.bits]
        yield from circuit.clauses(*index)
        for bucket, held in enumerate(table):
            elsewhere = [-bit if bucket >> i & 1 else bit for i, bit in enumerate(index)]
            for digit, literal in enumerate(held):
                yield [*elsewhere, literal if attacks >> digit & 1 else -literal]
