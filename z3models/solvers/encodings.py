"""Encodings of validity: ways to tell Z3 that no two occupancies conflict.

    pairwise  every two occupancies with different attack sets differ in their index
    table     one unknown attack set per bucket: index(o) = v implies table[v] = A(o)
    array     the table as an array, table[index(o)] = A(o)
    function  the table as an uninterpreted function, table(index(o)) = A(o)

They are equivalent. docs/models.md compares them; `table` over shared sums is quickest
in Z3, and `pairwise` over multiplications is the best cross-check, sharing least with it.
"""

from collections.abc import Callable, Iterator

import z3

from magicert.formula.tree import OCCUPANCY
from magicert.z3models.question import Question
from magicert.z3models.readings.bit_vectors import Word, Z3Reading

Constraints = Iterator[z3.BoolRef]


def free_word(question: Question) -> z3.BitVecRef:
    """The unknown: the free parameter, a term of as many bits as it may have."""
    return z3.BitVec(question.free, question.free_width)


def index_terms(question: Question, *, shift_add: bool = True) -> list[z3.BitVecRef]:
    """The index of every occupancy, as a term of the formula's width."""
    reading = Z3Reading(shift_add=shift_add, text=question.formula.text)
    values: dict[str, Word] = {**question.values, question.free: free_word(question)}
    tree = question.formula.tree
    return [reading.term(tree, {**values, OCCUPANCY: o}) for o in question.occupancies]


def validity(question: Question, encoding: str, *, shift_add: bool = True) -> Constraints:
    """Constraints that hold exactly for the valid values of `free_word`."""
    terms = index_terms(question, shift_add=shift_add)
    for term in terms:
        within = z3.simplify(z3.ULE(term, z3.BitVecVal(question.largest_index, term.size())))
        if not z3.is_true(within):
            yield within
    bits = min(question.bits, terms[0].size())
    indexes = [z3.simplify(z3.Extract(bits - 1, 0, term)) for term in terms]
    yield from ENCODINGS[encoding](question, indexes)


def _pairwise(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    for place, attacks in enumerate(question.attacks):
        for other in range(place):
            if question.attacks[other] != attacks:
                yield indexes[place] != indexes[other]


def _table(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    numbers = _numbers(question)
    table = [z3.BitVec(f"table_{v}", numbers) for v in range(question.largest_index + 1)]
    for index, attacks in zip(indexes, question.attacks, strict=True):
        for bucket, held in enumerate(table):
            yield z3.Implies(index == bucket, held == attacks)


def _array(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    held = z3.BitVecSort(_numbers(question))
    table = z3.Array("table", z3.BitVecSort(indexes[0].size()), held)
    for index, attacks in zip(indexes, question.attacks, strict=True):
        yield z3.Select(table, index) == attacks


def _function(question: Question, indexes: list[z3.BitVecRef]) -> Constraints:
    held = z3.BitVecSort(_numbers(question))
    table = z3.Function("table", z3.BitVecSort(indexes[0].size()), held)
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
