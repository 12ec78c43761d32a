"""Z3: ways to tell it that no two occupancies conflict (encodings), and the backend that asks it.

    pairwise  every two occupancies with different attack sets differ in their index
    table     one unknown attack set per bucket: index(o) = v implies table[v] = A(o)
    array     the table as an array, table[index(o)] = A(o)
    function  the table as an uninterpreted function, table(index(o)) = A(o)

They are equivalent. z3models/README.md compares them; `table` over shared sums is quickest
in Z3, and `pairwise` over multiplications is the best cross-check, sharing least with it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import z3

from magicert.outcome import GaveUp
from magicert.problem import InputError, Problem
from magicert.z3models.interpretations.bit_vectors import Z3Interpretation
from magicert.z3models.question import Pair, Question
from magicert.z3models.solvers.backend import Answer, Model, Refuted

Constraints = Iterator[z3.BoolRef]


def free_word(question: Question) -> z3.BitVecRef:
    """The unknown: the free parameter, a term of as many bits as it may have."""
    return z3.BitVec(question.free, question.free_width)


def index_terms(question: Question, *, shift_add: bool = True) -> list[z3.BitVecRef]:
    """The index of every occupancy, as a term of the formula's width."""
    interpretation = Z3Interpretation(shift_add=shift_add, text=question.formula.text)
    tree, word = question.formula.tree, free_word(question)
    return [interpretation.term(tree, question.assignment(word, o)) for o in question.occupancies]


def within(question: Question, term: z3.BitVecRef) -> z3.BoolRef:
    """That an index is not too large; the constant True where it cannot be."""
    return z3.simplify(z3.ULE(term, z3.BitVecVal(question.largest_index, term.size())))


def validity(question: Question, encoding: str, *, shift_add: bool = True) -> Constraints:
    """Constraints that hold exactly for the valid values of `free_word`."""
    terms = index_terms(question, shift_add=shift_add)
    limits = (within(question, term) for term in terms)
    yield from (limit for limit in limits if not z3.is_true(limit))
    bits = min(question.bits, terms[0].size())
    indexes = [z3.simplify(z3.Extract(bits - 1, 0, term)) for term in terms]
    yield from ENCODINGS[encoding](question, indexes)


def _pairwise(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    for place, attacks in enumerate(question.attacks):
        for earlier in range(place):
            if question.attacks[earlier] != attacks:
                yield indexes[place] != indexes[earlier]


def _table(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    numbers = _numbers(question)
    table = [z3.BitVec(f"table_{v}", numbers) for v in range(question.largest_index + 1)]
    for index, attacks in zip(indexes, question.attacks, strict=True):
        for bucket, number in enumerate(table):
            yield z3.Implies(index == bucket, number == attacks)


def _array(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    number_sort = z3.BitVecSort(_numbers(question))
    table = z3.Array("table", z3.BitVecSort(indexes[0].size()), number_sort)
    for index, attacks in zip(indexes, question.attacks, strict=True):
        yield z3.Select(table, index) == attacks


def _function(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    number_sort = z3.BitVecSort(_numbers(question))
    table = z3.Function("table", z3.BitVecSort(indexes[0].size()), number_sort)
    for index, attacks in zip(indexes, question.attacks, strict=True):
        yield table(index) == attacks


def _numbers(question: Question) -> int:
    """The width of an attack set's number."""
    return max(1, max(question.attacks).bit_length())


ENCODINGS: dict[str, Callable[[Question, list[z3.BitVecRef]], Constraints]] = {
    "table": _table,
    "pairwise": _pairwise,
    "array": _array,
    "function": _function,
}
LOGIC = {"table": "QF_BV", "pairwise": "QF_BV", "array": "QF_AUFBV", "function": "QF_UFBV"}
"""The SMT-LIB logic that each encoding needs."""


# Z3 on these encodings.

OLDEST = (4, 13)
"""The oldest z3-solver that this package is tested with."""


def require_z3() -> None:
    """Raises InputError where the installed z3 is too old."""
    installed = z3.get_version()[:2]
    if installed < OLDEST:
        present, oldest = (".".join(map(str, v)) for v in (installed, OLDEST))
        message = f"version {present}: expected {oldest} or newer (pip install 'magicert[z3]')"
        raise InputError([Problem(message, key="z3-solver")])


def version(name: str = "z3") -> str:  # noqa: ARG001 (one module may speak to several solvers)
    """Z3's name and version."""
    return f"Z3 {z3.get_version_string()}"


def backend(name: str, question: Question, live: int, **stating: Any) -> "Z3Backend":  # noqa: ANN401, ARG001
    """An empty backend of Z3."""
    return Z3Backend(question, live, **stating)


class Z3Backend:
    """One Z3 solver, incrementally. `live` is the set of the magic's bits that matter."""

    def __init__(
        self, question: Question, live: int, *, logic: str = "QF_BV", shift_add: bool = True
    ) -> None:
        require_z3()
        self.question = question
        self.shift_add = shift_add
        self.logic = logic
        self.word = free_word(question)
        self.interpretation = Z3Interpretation(shift_add=shift_add, text=question.formula.text)
        self.solver: Any = z3.SolverFor(logic)
        self.total = 0
        self.state(self.word & ~live == 0)

    def state(self, *constraints: z3.BoolRef) -> None:
        """State constraints over `word`."""
        self.solver.add(*constraints)

    def state_validity(self, encoding: str) -> None:
        """All occupancies, in one of the ENCODINGS."""
        self.state(*validity(self.question, encoding, shift_add=self.shift_add))

    def state_apart(self, pair: Pair) -> None:
        first, second = (self._index(place) for place in pair)
        if pair[0] == pair[1]:
            self.state(within(self.question, first))
        else:
            self.state(first != second)

    def _index(self, place: int) -> z3.BitVecRef:
        values = self.question.assignment(self.word, self.question.occupancies[place])
        return self.interpretation.term(self.question.formula.tree, values)

    def exclude(self, magic: int) -> None:
        self.state(self.word != magic)

    def solve(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        """Solve, assuming single bits (a solver learns most from those)."""
        assumed = [
            z3.Extract(place, place, self.word) == (ones >> place & 1)
            for place in range(self.word.size())
            if (ones | zeros) >> place & 1
        ]
        return self.check(assumed, conflicts)

    def check(self, assumed: list[z3.BoolRef], conflicts: int | None) -> Answer:
        self.solver.set("max_conflicts", 0xFFFF_FFFF if conflicts is None else conflicts)
        result = self.solver.check(*assumed)
        self.total += _conflicts(self.solver)
        if result == z3.sat:
            value = self.solver.model().eval(self.word, model_completion=True)
            return Model(value.as_long())
        return Refuted() if result == z3.unsat else GaveUp(self.solver.reason_unknown())

    @property
    def conflicts(self) -> int:
        return self.total


def _conflicts(solver: Any) -> int:  # noqa: ANN401
    statistics = solver.statistics()
    keys = [key for key in ("sat conflicts", "conflicts") if key in statistics.keys()]  # noqa: SIM118
    return max((int(statistics.get_key_value(key)) for key in keys), default=0)
