"""The numpy reading, and the analysis of which bits matter, against plain integers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import Formula, parse
from magicert.formula.integers import evaluate
from magicert.formula.numpy_reading import ShiftError
from magicert.formula.numpy_reading import evaluate as numpy_evaluate
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.verify.table.relevance import relevance

WORDS = st.one_of(
    st.integers(0, (1 << 64) - 1),
    st.integers(0, 70),
    st.sampled_from([0, 1, (1 << 63), (1 << 64) - 1, 0xFFFF_FFFF, 1 << 32]),
)
ROWS = st.lists(st.fixed_dictionaries(dict.fromkeys(("occ", "a", "b", "c"), WORDS)), min_size=1,
                max_size=5)  # fmt: skip


def first_refusal(formula: Formula, row: dict[str, int]) -> str:
    """The plain reading's error for a row; empty if it has a value."""
    try:
        evaluate(formula.tree, row, formula.text)
    except InputError as error:
        return str(error)
    return ""


@settings(max_examples=600)
@given(st.data())
def test_numpy_reads_what_integers_read(formulas: st.SearchStrategy[str], data: st.DataObject):
    text = data.draw(formulas)
    rows = data.draw(ROWS)
    formula = parse(text)
    arrays = {
        name: np.array([[row[name]] for row in rows], dtype=np.uint64)
        for name in ("occ", "a", "b", "c")
    }
    refusals = [first_refusal(formula, row) for row in rows]
    if any(refusals):
        with pytest.raises(ShiftError) as caught:
            numpy_evaluate(formula.tree, arrays, text)
        # Where several rows are refused, which place comes first may differ.
        assert str(caught.value).splitlines()[0].partition(":")[2] in {
            refusal.splitlines()[0].partition(":")[2] for refusal in refusals if refusal
        }
        return
    wanted = [evaluate(formula.tree, row, text) for row in rows]
    read = np.broadcast_to(numpy_evaluate(formula.tree, arrays, text), (len(rows), 1))
    assert [int(value) for value in read[:, 0]] == wanted
    assert read.dtype == (np.uint32 if formula.tree.width == 32 else np.uint64)


@settings(max_examples=600)
@given(st.data())
def test_bits_called_irrelevant_are(formulas: st.SearchStrategy[str], data: st.DataObject):
    text = data.draw(formulas)
    row = data.draw(st.fixed_dictionaries(dict.fromkeys(("a", "b", "c"), WORDS)))
    formula = parse(text)
    parameters = {name: np.array([[value]], dtype=np.uint64) for name, value in row.items()}
    try:
        bounds = relevance(formula, parameters, 1)
    except ShiftError:
        return
    relevant, largest = int(bounds.occupancy[0]), int(bounds.largest[0])
    for _ in range(4):
        first, second = data.draw(WORDS), data.draw(WORDS)
        second = (first & relevant) | (second & ~relevant)
        try:
            values = [evaluate(formula.tree, {**row, "occ": o}, text) for o in (first, second)]
        except InputError:
            return
        assert values[0] == values[1]
        assert max(values) <= largest


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1), st.integers(1, 16))
def test_of_a_masked_scheme_at_most_the_mask_is_relevant(mask: int, magic: int, bits: int) -> None:
    values = {"mask": mask, "magic": magic, "bits": bits, "constant": magic ^ mask}
    parameters = {name: np.array([[value]], dtype=np.uint64) for name, value in values.items()}
    for scheme in SCHEMES.values():
        bounds = relevance(scheme.formula, parameters, 1)
        assert int(bounds.occupancy[0]) & ~mask == 0
        assert int(bounds.largest[0]) < 1 << bits


def test_an_unmasked_formula_depends_on_the_whole_board() -> None:
    parameters = {"magic": np.array([[3]], dtype=np.uint64)}
    bounds = relevance(parse("occ * magic >> 60"), parameters, 1)
    assert int(bounds.occupancy[0]) == (1 << 64) - 1
    assert int(bounds.largest[0]) == 15


def test_a_final_and_bounds_the_index() -> None:
    parameters = {"magic": np.array([[3]], dtype=np.uint64)}
    bounds = relevance(parse("((occ * magic) >> 40) & 0xff"), parameters, 1)
    assert int(bounds.largest[0]) == 255
    # Bits above 47 cannot reach bits 40..47 of the product.
    assert int(bounds.occupancy[0]) == (1 << 48) - 1
