"""Which bits matter, of the occupancy for an index, and of the loaded word for a result: the
analysis may say too much, never too little.
"""

import tomllib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.arrays import RowsError, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import FUNCTIONS, OCCUPANCY, OPERATORS, SHIFTS, SIGNS, evaluate
from magicert.problem import InputError
from magicert.verify.table.layout import _Dependencies, relevance, sources_of

ALL = (1 << 64) - 1


def analysed(text, row=None, word=64):
    arrays = {n: words([[v]], word) for n, v in (row or {}).items() if n != "occ"}
    return relevance(parse(text, word=word), arrays, 1)


def subsets(bits, around):
    """All occupancies that differ from one in these bits: number n has the bits of n flipped."""
    found = [around]
    for bit in bits:
        found += [occupancy ^ 1 << bit for occupancy in found]
    return found


def check(formula, row, bits):
    """Try all combinations of some occupancy bits: whatever they change must be foretold."""
    width = formula.word
    arrays = {name: words([[value]], width) for name, value in row.items()}
    interpretation = _Dependencies(formula, arrays, 1)
    word = interpretation.value(formula.tree)
    bound = relevance(formula, arrays, 1)
    arrays[OCCUPANCY] = words([subsets(bits, row["occ"])], width)
    read = ints(numpy_evaluate(formula.tree, arrays, formula.text).ravel())
    values = np.array(read * (1 if len(read) > 1 else 1 << len(bits)), dtype=object)
    assert int(np.bitwise_or.reduce(values)) & ~int(word.may[0]) == 0
    assert int(values.max()) <= ints(bound.largest[0])
    claimed = ints(word.depends[0])
    for place, bit in enumerate(bits):
        # Number n has bit `place` flipped or not: neighbours at that distance.
        pairs = values.reshape(-1, 2, 1 << place)
        changed = int(np.bitwise_or.reduce((pairs[:, 0] ^ pairs[:, 1]).ravel()))
        assert all(claimed[i] >> bit & 1 for i in range(width) if changed >> i & 1)
        assert not changed or ints(bound.occupancy[0]) >> bit & 1


@settings(max_examples=100)
@given(st.data())
def test_no_dependency_is_missed(drawn, data):
    formula = parse(data.draw(st.one_of(drawn.formulas, drawn.defined)), word=drawn.word)
    places = st.integers(0, drawn.word - 1)
    bits = data.draw(st.lists(places, min_size=1, max_size=7, unique=True))
    try:
        check(formula, data.draw(drawn.rows), bits)
    except RowsError:
        assume(False)


@given(st.data())
def test_what_is_irrelevant_anywhere_on_the_board_changes_nothing(drawn, data):
    """The plain interpretation, and all bits outside the claimed set at once."""
    text, row = data.draw(drawn.formulas), data.draw(drawn.rows)
    other = data.draw(drawn.words)
    try:
        relevant = ints(analysed(text, row, drawn.word).occupancy[0])
        occupancies = [row["occ"], (row["occ"] & relevant) | (other & ~relevant)]
        tree = parse(text, word=drawn.word).tree
        one, two = (evaluate(tree, {**row, "occ": o}, text) for o in occupancies)
    except InputError:
        assume(False)
    assert one == two


FEW_BITS = tomllib.loads(Path(__file__).with_name("few_bits.toml").read_text("utf-8"))


def of_few_bits(operation, word):
    """Formulas of an operation on few bits."""
    few = FEW_BITS[str(word)]
    called = few["words"] + few["called"]
    if operation in SHIFTS:
        for left, amounts in few["shifted"]:
            yield from (f"({x}) {operation} {by}" for x, by in product(left, amounts))
    elif operation in OPERATORS:
        for x, y in product(few["words"], few["words"] + few["right"]):
            yield from (f"{x} {operation} ({y})", f"({y}) {operation} ({x})")
    elif operation in FUNCTIONS and FUNCTIONS[operation].arity == 2:
        pairs = product(called, few["others"])
        yield from (f"{operation}({x}, {other})" for x, other in pairs)
    if operation in SIGNS or (operation in FUNCTIONS and FUNCTIONS[operation].arity == 1):
        yield from (f"{operation}({x})" for x in called)


@pytest.mark.parametrize("operation", [*OPERATORS, *SIGNS, *FUNCTIONS])
def test_each_operation_on_few_bits(drawn, operation):
    # `3 << 63` is no 64-bit word's neighbour.
    texts = {text for text in of_few_bits(operation, drawn.word) if drawn.fits(text)}
    assert texts
    for text in texts:
        check(parse(text, word=drawn.word), {"occ": 0}, [0, 1, 2, 3])


@pytest.mark.cases_of("relevant_bits.tsv")
def test_relevant_bits(word, text, bits, largest):
    found = analysed(text, word=int(word))
    assert bits in ("-", f"{ints(found.occupancy[0]):#x}")
    assert largest in ("-", f"{ints(found.largest[0]):#x}")


# Of the loaded word.


@settings(max_examples=100)
@given(st.data())
def test_no_source_is_missed(drawn, data):
    # The occupancy of the drawn formula is the word here.
    text = data.draw(st.one_of(drawn.formulas, drawn.defined))
    formula = parse(text.replace("occ", "word"), word=drawn.word)
    values = {**data.draw(drawn.rows), "occ": 0}
    loaded, bit = data.draw(drawn.words), data.draw(st.integers(0, drawn.word - 1))
    both = (loaded, loaded ^ 1 << bit)
    try:
        one, other = (evaluate(formula.tree, {**values, "word": w}, text) for w in both)
    except InputError:
        return
    sources = sources_of(formula)
    assert len(sources) == drawn.word
    changed = [place for place in range(drawn.word) if (one ^ other) >> place & 1]
    assert all(sources[place] >> bit & 1 for place in changed)


@pytest.mark.cases_of("sources.tsv")
def test_sources(text, low, top):
    """Of the lowest and of the highest bit of the result."""
    sources = sources_of(parse(text, word=128))
    assert len(sources) == 128
    expected = [0 if place == "-" else 1 << int(place) for place in (low, top)]
    assert [sources[0], sources[127]] == expected


def test_sources_of_64_bits():
    for text in ("word & line", "line >> 1 | word", "word ^ occ", "~word | mask", "bswap64(word)"):
        assert all(bits.bit_count() == 1 for bits in sources_of(parse(text)))
    carried = tuple((2 << bit) - 1 for bit in range(64))
    assert sources_of(parse("word + line")) == carried  # a carry comes from any lower bit
    assert set(sources_of(parse("word >> (occ & 1)"))) == {ALL}
    for amount in (64, 2**40, 2**64 - 1):  # it takes no room; whether it may be is not asked here
        assert len(sources_of(parse(f"word << {amount}"))) == 64
