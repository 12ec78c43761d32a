"""A question as SMT-LIB 2.6, in the logic QF_BV.

The index of every occupancy has a name. With the encoding "table" every slot holds one unknown
number of an attack set: where the index of an occupancy is the slot, the number is its own. With
"pairwise" any two occupancies with different attack sets have different indexes.
"""

from collections.abc import Iterator

import z3

from magicert.z3models.question import Question
from magicert.z3models.solvers.z3_solver import index_terms, within


def smt2(question: Question, header: str, encoding: str, live: int | None = None) -> Iterator[str]:
    """The lines of the file. `header` says where it is from and what is known; `live` are the bits
    of the magic that reach an index: the others are stated to be 0, which loses no index.
    """
    terms = index_terms(question, shift_add=False)
    width = min(question.bits, terms[0].size())
    yield from ("(set-info :smt-lib-version 2.6)", "(set-logic QF_BV)", header, "; the magic")
    bits, all_bits = question.free_width, question.free_bits
    yield f"(declare-fun {question.free} () (_ BitVec {bits}))"
    if live is not None and live != all_bits:
        dead = _word(all_bits & ~live, bits)
        yield "; bits of it that change no index are 0"
        yield f"(assert (= (bvand {question.free} {dead}) {_word(0, bits)}))"
    yield "; the index of every occupancy, and the number of its attack set"
    for place, (term, occupancy) in enumerate(zip(terms, question.occupancies, strict=True)):
        occupancy_text = f"{occupancy:#0{question.formula.word // 4 + 2}x}"
        yield f"; {occupancy_text}: attack set {question.attacks[place]}"
        text = _text(z3.Extract(width - 1, 0, term))
        yield f"(define-fun index_{place} () (_ BitVec {width}) {text})"
        if not z3.is_true(limit := within(question, term)):
            yield f"(assert {_text(limit)})"
    yield from _table(question, width) if encoding == "table" else _pairwise(question)
    yield from ("(check-sat)", f"; (get-value ({question.free}))", "(exit)")


def _text(term: z3.ExprRef) -> str:
    return " ".join(z3.simplify(term).sexpr().split())


def _table(question: Question, width: int) -> Iterator[str]:
    digits = max(1, max(question.attacks).bit_length())
    yield "; the number of the attack set in each slot"
    for slot in range(question.largest_index + 1):
        yield f"(declare-fun slot_{slot} () (_ BitVec {digits}))"
    for place, attacks in enumerate(question.attacks):
        for slot in range(question.largest_index + 1):
            at_slot = f"(= index_{place} {_word(slot, width)})"
            yield f"(assert (=> {at_slot} (= slot_{slot} {_word(attacks, digits)})))"


def _pairwise(question: Question) -> Iterator[str]:
    yield "; different attack sets have different indexes"
    for place, attacks in enumerate(question.attacks):
        for earlier in range(place):
            if question.attacks[earlier] != attacks:
                yield f"(assert (not (= index_{earlier} index_{place})))"


def _word(value: int, width: int) -> str:
    """A constant."""
    return f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"
