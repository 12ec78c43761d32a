"""Which bits of the loaded word a result may depend on: too many may be said, never too few."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.problem import InputError
from magicert.verify.table.layered import sources_of

ALL = (1 << 64) - 1


@settings(max_examples=300)
@given(st.data())
def test_no_source_is_missed(
    formulas: st.SearchStrategy[str],
    defined: st.SearchStrategy[str],
    rows: st.SearchStrategy[dict[str, int]],
    words: st.SearchStrategy[int],
    word: int,
    data: st.DataObject,
):
    # The occupancy of the drawn formula is the word here.
    text = data.draw(st.one_of(formulas, defined))
    row = data.draw(rows)
    formula = parse(text.replace("occ", "word"), word=word)
    sources = sources_of(formula)
    values = {**row, "occ": 0}
    loaded, bit = data.draw(words), data.draw(st.integers(0, word - 1))
    try:
        one, other = (
            evaluate(formula.tree, {**values, "word": w}, text) for w in (loaded, loaded ^ 1 << bit)
        )
    except InputError:
        return
    assert len(sources) == word
    for place in range(word):
        if (one ^ other) >> place & 1:
            assert sources[place] >> bit & 1


@pytest.mark.parametrize("amount", [64, 2**40, 2**64 - 1])
def test_a_shift_by_too_much_takes_no_room(amount: int):
    """Nothing is left of the word. That no such shift is made is somebody else's to say."""
    assert sources_of(parse(f"word << {amount}")) == (0,) * 64


def test_masked_words_have_single_sources():
    for text in ("word & line", "line & word", "word ^ occ", "~word | mask", "bswap64(word)"):
        assert all(bits.bit_count() == 1 for bits in sources_of(parse(text)))


@pytest.mark.parametrize(
    ("text", "low", "top"),
    [
        ("word", 0, 127),
        ("hi64(word)", 64, None),
        ("u64(word)", 0, None),
        ("hi32(word)", 32, None),
        ("word >> 3", 3, None),
        ("word << 3", None, 124),
        ("word << 127", None, 0),
        ("(word >> 64) << 64", None, 127),
        ("rol64(word, 4)", 60, None),
        ("bswap64(word)", 56, None),
        ("u64(word) ^ word", 0, 127),
        ("hi64(u64(word))", None, None),
    ],
)
def test_sources_of_wide_words(text: str, low: int | None, top: int | None):
    """Of the lowest and of the highest bit of the result."""
    sources = sources_of(parse(text, word=128))
    assert len(sources) == 128
    assert sources[0] == (0 if low is None else 1 << low)
    assert sources[127] == (0 if top is None else 1 << top)


def test_arithmetic_may_carry_from_anywhere():
    assert set(sources_of(parse("word + line"))) == {ALL}
    assert set(sources_of(parse("word >> (occ & 1)"))) == {ALL}
