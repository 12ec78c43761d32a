"""Arrays of 64-bit and 128-bit words against Python's integers: one code, both widths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.formula import arrays

WIDTHS = (64, 128)


def numbers(width: int) -> st.SearchStrategy[int]:
    edges = [0, 1, 1 << 63, (1 << 64) - 1, 1 << (width - 1), (1 << width) - 1]
    edges += [(1 << 64) % (1 << width), ((1 << 64) + 1) % (1 << width)]
    return st.one_of(st.integers(0, (1 << width) - 1), st.sampled_from(edges))


def pairs(width: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(numbers(width), numbers(width)), min_size=1, max_size=12)


@pytest.mark.parametrize("width", WIDTHS)
@given(st.data())
def test_operations_are_those_of_integers(width: int, data: st.DataObject):
    drawn = data.draw(pairs(width))
    xs, ys = [x for x, _ in drawn], [y for _, y in drawn]
    a, b = arrays.words(xs, width), arrays.words(ys, width)
    assert arrays.width_of(a) == width
    assert arrays.ints(a) == xs
    both = list(zip(xs, ys, strict=True))
    assert arrays.ints(arrays.bit_and(a, b)) == [x & y for x, y in both]
    assert arrays.ints(arrays.bit_or(a, b)) == [x | y for x, y in both]
    assert arrays.ints(arrays.bit_xor(a, b)) == [x ^ y for x, y in both]
    assert arrays.ints(arrays.bit_not(a)) == [x ^ ((1 << width) - 1) for x in xs]
    assert arrays.popcount(a).tolist() == [x.bit_count() for x in xs]
    assert arrays.nonzero(a).tolist() == [x != 0 for x in xs]
    assert arrays.less(a, b).tolist() == [x < y for x, y in both]
    assert (a == b).tolist() == [x == y for x, y in both]
    assert arrays.indexes(a).tolist() == [min(x, (1 << 64) - 1) for x in xs]
    assert arrays.ints(arrays.or_reduce(a)) == int(np.bitwise_or.reduce(np.array(xs, dtype=object)))
    assert arrays.argsort(a).tolist() == sorted(range(len(xs)), key=lambda i: xs[i])
    different, places = arrays.unique(a)
    assert arrays.ints(different) == sorted(set(xs))
    assert [arrays.ints(different)[place] for place in places] == xs


@pytest.mark.parametrize("width", WIDTHS)
@given(st.data())
def test_rows_and_columns_are_broadcast_and_reduced(width: int, data: st.DataObject):
    drawn = data.draw(pairs(width))
    xs, ys = [x for x, _ in drawn], [y for _, y in drawn]
    rows, columns = arrays.words([[x] for x in xs], width), arrays.words([ys], width)
    joined = arrays.bit_xor(rows, columns)
    assert joined.shape == (len(xs), len(ys))
    assert arrays.ints(joined) == [[x ^ y for y in ys] for x in xs]
    assert arrays.less(rows, columns).tolist() == [[x < y for y in ys] for x in xs]
    assert (rows == columns).tolist() == [[x == y for y in ys] for x in xs]
    down = np.bitwise_or.reduce(np.array(arrays.ints(joined), dtype=object), axis=0)
    assert arrays.ints(arrays.or_reduce(joined, axis=0)) == down.tolist()
    order = arrays.argsort(joined)
    assert arrays.ints(np.take_along_axis(joined, order, axis=1)) == [
        sorted(x ^ y for y in ys) for x in xs
    ]


@pytest.mark.parametrize("width", WIDTHS)
@given(st.data())
def test_a_word_by_itself_is_a_scalar(width: int, data: st.DataObject):
    x, y = data.draw(numbers(width)), data.draw(numbers(width))
    assert arrays.ints(arrays.words(x, width)) == x
    pair = arrays.words([x, y], width)
    assert arrays.ints(pair[0]) == x
    assert bool(pair[0] == pair[1]) == (x == y)
    assert arrays.ints(arrays.full((2, 1), x, width)) == [[x], [x]]


def test_full_of_minus_one_has_all_ones():
    assert arrays.ints(arrays.full(1, -1, 64)) == [(1 << 64) - 1]
    assert arrays.ints(arrays.full(1, -1, 128)) == [(1 << 128) - 1]


@pytest.mark.parametrize("width", WIDTHS)
def test_single_bits_are_every_bit_once(width: int):
    assert arrays.ints(arrays.single_bits(width)) == [1 << bit for bit in range(width)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("value", [-1, 1 << 128])
def test_no_number_is_cut_to_fit(width: int, value: int):
    with pytest.raises(OverflowError):
        arrays.words([value], width)


def test_words_are_widened_with_zeros():
    narrow = arrays.words([3, (1 << 64) - 1], 64)
    assert arrays.ints(arrays.widened(narrow, 128)) == [3, (1 << 64) - 1]
    assert arrays.widened(narrow, 64) is narrow


def test_64_bit_words_are_numpys_own():
    narrow = arrays.words([3, 5], 64)
    assert narrow.dtype == np.uint64
    assert arrays.bit_and(narrow, narrow).dtype == np.uint64
    assert arrays.indexes(narrow) is narrow
