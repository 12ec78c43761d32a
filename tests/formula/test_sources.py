"""Which bits of the loaded word a result may depend on: too many may be said, never too few."""

from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.integers import evaluate
from magicert.problem import InputError
from magicert.verify.table.layers.sources import sources_of

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


def test_masked_words_have_single_sources():
    for text in ("word & line", "line & word", "word ^ occ", "~word | mask", "bswap64(word)"):
        assert all(bits.bit_count() == 1 for bits in sources_of(parse(text)))


def test_arithmetic_may_carry_from_anywhere():
    assert set(sources_of(parse("word + line"))) == {ALL}
    assert set(sources_of(parse("word >> (occ & 1)"))) == {ALL}
