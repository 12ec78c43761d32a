"""The numpy reading of many rows against plain integers: values, and the rows it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import Formula, parse
from magicert.formula.arrays import WIDE, RowsError, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import evaluate
from magicert.problem import InputError


def first_refusal(formula: Formula, row: dict[str, int]) -> str:
    """The plain reading's error for a row; empty if it has a value."""
    try:
        evaluate(formula.tree, row, formula.text)
    except InputError as error:
        return str(error)
    return ""


@settings(max_examples=100)
@given(st.data())
def test_numpy_reads_what_integers_read(
    formulas: st.SearchStrategy[str],
    wide_rows: st.SearchStrategy[dict[str, int]],
    word: int,
    data: st.DataObject,
):
    text = data.draw(formulas)
    rows = data.draw(st.lists(wide_rows, min_size=1, max_size=5))
    formula = parse(text, word=word)
    arrays = {name: words([[row[name]] for row in rows], word) for name in ("occ", "a", "b", "c")}
    refusals = [first_refusal(formula, row) for row in rows]
    if any(refusals):
        with pytest.raises(RowsError) as caught:
            numpy_evaluate(formula.tree, arrays, text)
        # Where several rows are refused, which place comes first may differ.
        assert str(caught.value).splitlines()[0].partition(":")[2] in {
            refusal.splitlines()[0].partition(":")[2] for refusal in refusals if refusal
        }
        return
    wanted = [evaluate(formula.tree, row, text) for row in rows]
    read = np.broadcast_to(numpy_evaluate(formula.tree, arrays, text), (len(rows), 1))
    assert ints(read[:, 0]) == wanted
    assert read.dtype == {32: np.uint32, 64: np.uint64, 128: WIDE}[formula.tree.width]
