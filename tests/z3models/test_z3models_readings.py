"""Three readings of one formula tree agree with the plain one, on random formulas."""

from typing import Any

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import Formula, parse
from magicert.formula import tree as trees
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.z3models.question import Question
from magicert.z3models.readings.bit_vectors import Z3Reading
from magicert.z3models.readings.circuit import TRUE, BitsReading, Circuit
from magicert.z3models.solvers.backend import Candidates

NAMES = ("occ", "mask", "magic", "r")
JOINING = [operator for operator in trees.OPERATORS if operator not in trees.SHIFTS]
UNARY, BINARY = ([n for n, f in trees.FUNCTIONS.items() if f.arity == arity] for arity in (1, 2))
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
            st.tuples(inner, st.sampled_from(trees.SHIFTS), amounts).map(
                lambda t: f"({t[0]} {t[1]} {t[2]})"
            ),
            st.tuples(st.sampled_from(list(trees.SIGNS)), inner).map("".join),
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
    return formula.word if name in trees.WHOLE_BOARD else trees.used_width(formula.tree, name)


def by_z3(
    formula: Formula, values: dict[str, int], widths: dict[str, int], shift_add: bool = True
) -> int:
    """What Z3 makes of it where some words are unknown, and then become known."""
    words = {name: z3.BitVec(name, width) for name, width in widths.items()}
    term = Z3Reading(shift_add=shift_add).term(formula.tree, {**values, **words})
    assert term.size() == formula.tree.width
    given = [(word, z3.BitVecVal(values[name], word.size())) for name, word in words.items()]
    return int(z3.simplify(z3.substitute(term, *given)).as_long())


def by_circuit(formula: Formula, values: dict[str, int], widths: dict[str, int]) -> int:
    """The same by a circuit's gates."""
    circuit = Circuit()
    words = {name: tuple(circuit.variable() for _ in range(w)) for name, w in widths.items()}
    bits = BitsReading(circuit).read(formula.tree, {**values, **words})
    assert len(bits) == formula.tree.width
    known = {TRUE: True}
    for name, literals in words.items():
        known.update({literal: values[name] >> i & 1 == 1 for i, literal in enumerate(literals)})
    return sum(circuit_value(circuit, known, bit) << i for i, bit in enumerate(bits))


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
@settings(max_examples=40)
@given(st.data())
def test_each_reading_is_the_plain_reading(word, data):
    formula, values = parse(data.draw(formulas()), word=word), data.draw(values_of(word))
    unknown, shift_add = data.draw(st.sets(st.sampled_from(NAMES))), data.draw(st.booleans())
    widths = {name: width_of(formula, name) for name in unknown}
    expected = trees.evaluate(formula.tree, values)
    assert by_z3(formula, values, widths, shift_add) == expected
    assert by_circuit(formula, values, widths) == expected


def test_a_parameter_that_is_used_at_both_widths_is_widened_where_it_must_be():
    formula = parse("u64(occ) * magic ^ (occ + (magic << 70) - (occ ^ ~magic >> 60))", word=128)
    values, widths = {"occ": 0x1234 << 61, "magic": 0x9E37_79B9_7F4A_7C15}, {"magic": 64}
    expected = trees.evaluate(formula.tree, values)
    assert by_z3(formula, values, widths) == by_circuit(formula, values, widths) == expected


def test_a_shift_by_an_unknown_amount_loses_no_high_bits_of_the_amount():
    """u32(x) << r with r = 2^32 must not look like a shift by 0."""
    formula = parse("u32(magic) << r")
    assert by_z3(formula, {"magic": 7, "r": 2**32}, {"magic": 64, "r": 64}) == 0


@settings(max_examples=30)
@given(formulas(), values_of(), st.lists(WORDS, min_size=1, max_size=5))
def test_candidates_read_as_numpy_and_the_plain_reading_do(text, values, occupancies):
    formula, count = parse(text), len(occupancies)
    fixed = {name: values[name] for name in ("mask", "r")}
    question = Question(formula, "magic", fixed, tuple(occupancies), (0,) * count, 2**64 - 1)
    (found,) = Candidates(question).all.of([values["magic"]])
    everywhere = [trees.evaluate(formula.tree, {**values, "occ": o}) for o in occupancies]
    assert found.tolist() == everywhere
    arrays = {name: np.array([[value]], dtype=np.uint64) for name, value in values.items()}
    arrays["occ"] = np.array([occupancies], dtype=np.uint64)
    by_numpy = np.broadcast_to(numpy_evaluate(formula.tree, arrays), (1, count))
    assert by_numpy[0].tolist() == everywhere


@pytest.mark.parametrize(
    ("text", "word", "magic", "error", "said"),
    [
        ("u64(occ) * magic", 128, None, ValueError, "of 128 bits is used at 64"),
        ("u64(occ) * magic", 128, 1 << 64, InputError, "expected less than 2"),
        *((text, 64, 5, InputError, "expected less than the word's width")
          for text in ("occ << 64", "u32(magic) >> 32", "(occ & mask) >> (60 + bits)")),
    ],
)  # fmt: skip
def test_what_is_too_wide_for_its_place_is_refused_by_every_reading(text, word, magic, error, said):
    """An unknown magic (None) of 128 bits, a known one, an amount of the whole width."""
    formula = parse(text, word=word)
    values: dict[str, Any] = {"occ": 1, "mask": 3, "bits": 4}
    bits = tuple(range(2, 2 + word))
    term = z3.BitVec("magic", word) if magic is None else magic
    with pytest.raises(error, match=said):
        Z3Reading().read(formula.tree, {**values, "magic": term})
    with pytest.raises(error, match=said):
        BitsReading(Circuit()).read(
            formula.tree, {**values, "magic": bits if magic is None else magic}
        )
    if word == 64:
        question = Question(formula, "magic", values, (1,), (0,), 15)
        with pytest.raises(error, match=said):
            Candidates(question).all.of([magic])


@pytest.mark.parametrize("text", ["(occ & mask) * magic", "(occ | ~mask) * magic"])
def test_sums_are_shared_along_the_subset_tree(text):
    """2^c occupancies cost 2^c - 1 sums at most, whatever the base (white or black)."""
    reading, mask, tree = Z3Reading(), 0x402010080400, parse(text).tree
    every = list(carry_rippler(mask))
    for subset in every:
        reading.read(tree, {"occ": subset, "mask": mask, "magic": z3.BitVec("m", 64)})
    assert len(reading.sums) <= len(every) + (64 - mask.bit_count() if "~" in text else 0)
