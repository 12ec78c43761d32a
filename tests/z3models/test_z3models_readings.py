"""Three readings of one formula tree agree with the plain one, on random formulas."""

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import Formula, parse
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import (
    FUNCTIONS,
    OPERATORS,
    SHIFTS,
    SIGNS,
    WHOLE_BOARD,
    evaluate,
    used_width,
)
from magicert.problem import InputError
from magicert.z3models.question import Question
from magicert.z3models.readings.bit_vectors import Z3Reading
from magicert.z3models.readings.circuit import TRUE, BitsReading, Circuit, known_bits
from magicert.z3models.solvers.backend import Candidates

NAMES = ("occ", "mask", "magic", "r")
JOINING = [operator for operator in OPERATORS if operator not in SHIFTS]
UNARY, BINARY = ([n for n, f in FUNCTIONS.items() if f.arity == arity] for arity in (1, 2))
WORDS = st.one_of(
    st.integers(0, 2**64 - 1),
    st.integers(0, 40),
    st.sampled_from([2**32, 2**32 - 1, 2**63, 2**64 - 1, 0x7E8080876080800]),
)


def formulas() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.sampled_from(NAMES[:3]), st.integers(0, 2**64 - 1).map(hex))
    amounts = st.one_of(st.integers(0, 31).map(str), st.just("r"))

    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(JOINING), inner).map(
                lambda t: f"({t[0]} {t[1]} {t[2]})"
            ),
            st.tuples(inner, st.sampled_from(SHIFTS), amounts).map(
                lambda t: f"({t[0]} {t[1]} {t[2]})"
            ),
            st.tuples(st.sampled_from(list(SIGNS)), inner).map("".join),
            st.tuples(st.sampled_from(UNARY), inner).map(lambda t: f"{t[0]}({t[1]})"),
            st.tuples(st.sampled_from(BINARY), inner, amounts).map(
                lambda t: f"{t[0]}({t[1]}, {t[2]})"
            ),
        )

    return st.recursive(leaves, deeper, max_leaves=8)


def values_of(word: int = 64) -> st.SearchStrategy[dict[str, int]]:
    board = st.one_of(WORDS, WORDS.map(lambda w: w << word - 64), st.integers(0, 2**word - 1))
    names = {"occ": board, "mask": board, "magic": WORDS, "r": st.integers(0, 31)}
    return st.fixed_dictionaries(names)


def width_of(formula: Formula, name: str) -> int:
    """The bits of an unknown word: the occupancy's and the mask's are the board's."""
    return formula.word if name in WHOLE_BOARD else used_width(formula.tree, name)


@pytest.mark.parametrize("word", [64, 128])
@settings(max_examples=50)
@given(st.data())
def test_the_z3_reading_is_the_plain_reading(word: int, data: st.DataObject):
    text, values = data.draw(formulas()), data.draw(values_of(word))
    unknown, shift_add = data.draw(st.sets(st.sampled_from(NAMES))), data.draw(st.booleans())
    formula = parse(text, word=word)
    expected = evaluate(formula.tree, values)
    words = {name: z3.BitVec(name, width_of(formula, name)) for name in unknown}
    term = Z3Reading(shift_add=shift_add).term(formula.tree, {**values, **words})
    assert term.size() == formula.tree.width
    given_values = [(w, z3.BitVecVal(values[name], w.size())) for name, w in words.items()]
    assert z3.simplify(z3.substitute(term, *given_values)).as_long() == expected


def circuit_value(circuit: Circuit, known: dict[int, bool], literal: int) -> bool:
    """The plain meaning of a gate, by recursion."""
    if abs(literal) not in known:
        kind, operands = circuit.gates[abs(literal)]
        a, b, *c = (circuit_value(circuit, known, operand) for operand in operands)
        known[abs(literal)] = {
            "and": lambda: a and b,
            "xor": lambda: a != b,
            "mux": lambda: b if a else c[0],
            "odd": lambda: (a + b + c[0]) % 2 == 1,
            "majority": lambda: a + b + c[0] >= 2,
        }[kind]()
    return known[abs(literal)] == (literal > 0)


@pytest.mark.parametrize("word", [64, 128])
@settings(max_examples=50)
@given(st.data())
def test_the_bits_reading_is_the_plain_reading(word: int, data: st.DataObject):
    text, values = data.draw(formulas()), data.draw(values_of(word))
    unknown = data.draw(st.sets(st.sampled_from(NAMES)))
    formula = parse(text, word=word)
    circuit = Circuit()
    widths = {name: width_of(formula, name) for name in unknown}
    words = {name: tuple(circuit.variable() for _ in range(w)) for name, w in widths.items()}
    bits = BitsReading(circuit).read(formula.tree, {**values, **words})
    assert len(bits) == formula.tree.width
    known = {TRUE: True}
    for name, bits_of in words.items():
        known.update({literal: values[name] >> i & 1 == 1 for i, literal in enumerate(bits_of)})
    value = sum(circuit_value(circuit, known, bit) << i for i, bit in enumerate(bits))
    assert value == evaluate(formula.tree, values)


@settings(max_examples=50)
@given(formulas(), values_of(), st.lists(WORDS, min_size=1, max_size=5))
def test_candidates_read_as_numpy_and_the_plain_reading_do(
    text: str, values: dict[str, int], occupancies: list[int]
):
    formula = parse(text)
    fixed = {name: values[name] for name in ("mask", "r")}
    question = Question(
        formula, "magic", fixed, tuple(occupancies), (0,) * len(occupancies), 2**64 - 1
    )
    (found,) = Candidates(question).all.of([values["magic"]])
    everywhere = [evaluate(formula.tree, {**values, "occ": o}) for o in occupancies]
    assert found.tolist() == everywhere
    arrays = {name: np.array([[value]], dtype=np.uint64) for name, value in values.items()}
    arrays["occ"] = np.array([occupancies], dtype=np.uint64)
    by_numpy = np.broadcast_to(numpy_evaluate(formula.tree, arrays), (1, len(occupancies)))
    assert by_numpy[0].tolist() == everywhere


def test_a_word_that_is_too_wide_for_its_place_is_refused():
    tree = parse("u64(occ) * magic", word=128).tree
    with pytest.raises(ValueError, match="magic: a term of 128 bits is used at 64"):
        Z3Reading().read(tree, {"occ": z3.BitVec("occ", 128), "magic": z3.BitVec("m", 128)})
    bits = tuple(range(2, 130))
    with pytest.raises(ValueError, match="magic: a word of 128 bits is used at 64"):
        BitsReading(Circuit()).read(tree, {"occ": bits, "magic": bits})


def test_a_parameter_that_is_used_at_both_widths_is_widened_where_it_must_be():
    formula = parse("u64(occ) * magic ^ (occ + (magic << 70) - (occ ^ ~magic >> 60))", word=128)
    assert used_width(formula.tree, "magic") == 64
    values = {"occ": 0x1234 << 61, "magic": 0x9E37_79B9_7F4A_7C15}
    wanted = evaluate(formula.tree, values)
    word = z3.BitVec("magic", 64)
    term = Z3Reading().term(formula.tree, {**values, "magic": word})
    filled = z3.substitute(term, (word, z3.BitVecVal(values["magic"], 64)))
    assert z3.simplify(filled).as_long() == wanted
    circuit = Circuit()
    magic = tuple(circuit.variable() for _ in range(64))
    bits = BitsReading(circuit).read(formula.tree, {**values, "magic": magic})
    known = {TRUE: True} | {bit: values["magic"] >> i & 1 == 1 for i, bit in enumerate(magic)}
    assert sum(circuit_value(circuit, known, bit) << i for i, bit in enumerate(bits)) == wanted


def test_a_known_parameter_that_is_too_wide_for_its_place_is_refused():
    tree = parse("u64(occ) * magic", word=128).tree
    with pytest.raises(InputError, match="expected less than 2"):
        Z3Reading().read(tree, {"occ": z3.BitVec("occ", 128), "magic": 1 << 64})
    with pytest.raises(InputError, match="expected less than 2"):
        BitsReading(Circuit()).read(tree, {"occ": tuple(range(2, 130)), "magic": 1 << 64})


@pytest.mark.parametrize("text", ["occ << 64", "u32(magic) >> 32", "(occ & mask) >> (60 + bits)"])
def test_a_shift_by_the_whole_width_is_refused_by_every_reading(text: str):
    formula = parse(text)
    values = {"occ": 1, "mask": 3, "bits": 4}
    with pytest.raises(InputError, match="expected less than the word's width"):
        Z3Reading().read(formula.tree, {**values, "magic": z3.BitVec("magic", 64)})
    with pytest.raises(InputError, match="expected less than the word's width"):
        BitsReading(Circuit()).read(formula.tree, {**values, "magic": known_bits(5, 64)})
    question = Question(formula, "magic", values, (1,), (0,), 15)
    with pytest.raises(InputError, match="expected less than the word's width"):
        Candidates(question).all.of([5])


def test_a_shift_by_an_unknown_amount_loses_no_high_bits_of_the_amount():
    """u32(x) << r with r = 2^32 must not look like a shift by 0."""
    formula = parse("u32(magic) << r")
    word, amount = z3.BitVec("magic", 64), z3.BitVec("r", 64)
    term = Z3Reading().term(formula.tree, {"magic": word, "r": amount})
    shifted = z3.substitute(term, (word, z3.BitVecVal(7, 64)), (amount, z3.BitVecVal(2**32, 64)))
    assert z3.simplify(shifted).as_long() == 0


def test_sums_are_shared_along_the_subset_tree():
    """2^c occupancies cost 2^c - 1 sums at most, whatever the base (white or black)."""
    for text in ("(occ & mask) * magic", "(occ | ~mask) * magic"):
        reading = Z3Reading()
        formula = parse(text)
        mask = 0x402010080400
        subset, count = 0, 0
        while True:
            reading.read(formula.tree, {"occ": subset, "mask": mask, "magic": z3.BitVec("m", 64)})
            count += 1
            subset = (subset - mask) & mask
            if not subset:
                break
        base = 64 - mask.bit_count() if "~" in text else 0
        assert len(reading.sums) <= count + base
