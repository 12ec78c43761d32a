"""Arrays of words of 64, 128 and 256 bits against Python's integers: one code, all widths."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.formula import arrays

TOP = (1 << 64) - 1


def numbers(width):
    edges = [0, 1, 1 << 63, TOP, 1 << (width - 1), (1 << width) - 1]
    edges += [(1 << 64) % (1 << width), ((1 << 64) + 1) % (1 << width)]
    return st.one_of(st.integers(0, (1 << width) - 1), st.sampled_from(edges))


def columns(width):
    """Two lists of one length."""
    pairs = st.lists(st.tuples(numbers(width), numbers(width)), min_size=1, max_size=12)
    return pairs.map(lambda drawn: tuple(map(list, zip(*drawn, strict=True))))


@pytest.fixture(params=[64, 128, 256])
def width(request):
    return request.param


@given(st.data())
def test_operations_are_those_of_integers(width, data):
    xs, ys = data.draw(columns(width))
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
    assert (a == b).tolist() == [x == y for x, y in both]
    assert arrays.differing(a, b).tolist() == [x != y for x, y in both]
    # What is put behind the first word, in turned order; the first one stays.
    put = arrays.words([xs[0], *ys], width)
    arrays.put(put, np.arange(len(xs), 0, -1), a)
    assert arrays.ints(put) == [xs[0], *reversed(xs)]
    assert arrays.indexes(a).tolist() == [min(x, TOP) for x in xs]
    assert arrays.ints(arrays.or_reduce(a)) == int(np.bitwise_or.reduce(np.array(xs, dtype=object)))
    assert arrays.argsort(a).tolist() == sorted(range(len(xs)), key=lambda i: xs[i])
    different, places = arrays.unique(a)
    assert arrays.ints(different) == sorted(set(xs))
    assert [arrays.ints(different)[place] for place in places] == xs
    # A word by itself is a scalar.
    assert arrays.ints(arrays.words(xs[0], width)) == arrays.ints(a[0]) == xs[0]
    assert bool(a[0] == b[0]) == (xs[0] == ys[0])
    assert arrays.ints(arrays.full((2, 1), xs[0], width)) == [[xs[0]], [xs[0]]]


@pytest.mark.parametrize("width", [128, 256])
def test_carries_run_through_whole_lanes(width):
    """All pairs of words whose 64-bit lanes are 0, 1 or all ones: hardly ever drawn at random."""
    lanes = product((0, 1, TOP), repeat=width // 64)
    numbers = [sum(lane << 64 * place for place, lane in enumerate(word)) for word in lanes]
    xs, ys = zip(*product(numbers, repeat=2), strict=True)
    a, b = (arrays.split(arrays.words(list(one), width), width // 64) for one in (xs, ys))
    whole = (1 << width) - 1
    for operation, exact in (
        (arrays.add, int.__add__), (arrays.subtract, int.__sub__), (arrays.multiply, int.__mul__),
    ):  # fmt: skip
        expected = [exact(x, y) & whole for x, y in zip(xs, ys, strict=True)]
        assert arrays.ints(arrays.joined(operation(a, b))) == expected


@given(st.data())
def test_rows_and_columns_are_broadcast_and_reduced(width, data):
    xs, ys = data.draw(columns(width))
    rows, line = arrays.words([[x] for x in xs], width), arrays.words([ys], width)
    joined = arrays.bit_xor(rows, line)
    plain = [[x ^ y for y in ys] for x in xs]
    assert joined.shape == (len(xs), len(ys))
    assert arrays.ints(joined) == plain
    assert (rows == line).tolist() == [[x == y for y in ys] for x in xs]
    down = np.bitwise_or.reduce(np.array(plain, dtype=object), axis=0)
    assert arrays.ints(arrays.or_reduce(joined, axis=0)) == down.tolist()
    ordered = np.take_along_axis(joined, arrays.argsort(joined), axis=1)
    assert arrays.ints(ordered) == [sorted(row) for row in plain]


def test_words_are_made_and_never_cut(width):
    assert arrays.ints(arrays.full(1, -1, width)) == [(1 << width) - 1]
    assert arrays.ints(arrays.single_bits(width)) == [1 << bit for bit in range(width)]
    for value in (-1, 1 << 256):
        with pytest.raises(OverflowError):
            arrays.words([value], width)


def test_64_bit_words_are_numpys_own_and_widened_with_zeros():
    narrow = arrays.words([3, TOP], 64)
    assert narrow.dtype == arrays.bit_and(narrow, narrow).dtype == np.uint64
    assert arrays.indexes(narrow) is narrow
    assert arrays.widened(narrow, 64) is narrow
    for width in (128, 256):
        assert arrays.ints(arrays.widened(narrow, width)) == [3, TOP]
