"""Arrays of 64-bit words, or of 128-bit words: one code for both.

    words([1 << 80, 5], 128)        an array of shape (2,), its dtype WIDE
    ints(bit_and(a, b))             back to Python's integers

numpy has no 128-bit words. Here they are two lanes, the low and the high 64 bits, of one
structured dtype: shapes, subscripts, assignment, np.where, np.concatenate, == and != work as
with uint64. The functions below are what a structured dtype lacks. On uint64 they are numpy's own.

The dtypes are what tells the two apart. Both operands of a function have the same one.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

WIDE = np.dtype([("lo", "<u8"), ("hi", "<u8")])
"""A 128-bit word: its two lanes of 64 bits."""

NARROW = np.dtype(np.uint64)

Words: TypeAlias = NDArray[Any]
"""An array (or a scalar of one) whose dtype is uint64 or WIDE."""

Nested: TypeAlias = "int | list[Nested]"

LANE = (1 << 64) - 1
"""All bits of a lane."""


def dtype_of(width: int) -> np.dtype[Any]:
    """The dtype of words of `width` bits, 64 or 128."""
    return {64: NARROW, 128: WIDE}[width]


def width_of(array: Words) -> int:
    """The width of an array's words: 64 or 128."""
    return array.dtype.itemsize * 8


def words(values: object, width: int) -> Words:
    """Integers, nested as you like, as an array of words.

    Raises OverflowError for a number below 0 or of more than `width` bits.
    """
    if width == 64:
        return np.asarray(values, dtype=np.uint64)
    numbers = np.asarray(values, dtype=object)
    array = np.empty(numbers.shape, WIDE)
    array["lo"] = numbers & LANE
    array["hi"] = numbers >> 64
    return array


def ints(array: Words) -> Any:  # noqa: ANN401
    """The words as Python's integers: one of a scalar, nested lists of an array."""
    if array.dtype != WIDE:
        return array.tolist()
    low, high = (np.asarray(array[lane]).astype(object) for lane in ("lo", "hi"))
    return np.asarray(low | (high << 64), dtype=object).tolist()


def full(shape: int | tuple[int, ...], value: int, width: int) -> Words:
    """An array of one word; `full(shape, -1, width)` has all ones."""
    array: Words = np.empty(shape, dtype_of(width))
    array[...] = words(value & ((1 << width) - 1), width)
    return array


def single_bits(width: int) -> Words:
    """The words of one bit each, the lowest first: shape (width,)."""
    return words([1 << bit for bit in range(width)], width)


def widened(array: Words, width: int) -> Words:
    """Words as words of `width` bits, zero-extended; the same array if they are."""
    if width_of(array) == width or width == 64:
        return array
    wide = np.zeros(array.shape, WIDE)
    wide["lo"] = array
    return wide


def indexes(array: Words) -> NDArray[np.uint64]:
    """Words as 64-bit numbers; what has more bits is 2^64 - 1, so that it fits no buffer."""
    if array.dtype != WIDE:
        return array
    return np.where(array["hi"] == 0, array["lo"], np.uint64(LANE))


def bit_and(a: Words, b: Words) -> Words:
    """`a & b`, broadcast."""
    return _lanes(np.bitwise_and, a, b)


def bit_or(a: Words, b: Words) -> Words:
    """`a | b`, broadcast."""
    return _lanes(np.bitwise_or, a, b)


def bit_xor(a: Words, b: Words) -> Words:
    """`a ^ b`, broadcast."""
    return _lanes(np.bitwise_xor, a, b)


def bit_not(a: Words) -> Words:
    """`~a`."""
    return _lanes(np.invert, a)


def or_reduce(a: Words, axis: int = -1) -> Words:
    """All words along an axis, joined by or."""
    return _reduced(np.bitwise_or, a, axis)


def or_accumulate(a: Words) -> Words:
    """Each word along the last axis, joined by or with all before it."""
    if a.dtype != WIDE:
        narrow: Words = np.bitwise_or.accumulate(a, axis=-1)
        return narrow
    joined = np.empty(a.shape, WIDE)
    for lane in ("lo", "hi"):
        np.bitwise_or.accumulate(a[lane], axis=-1, out=joined[lane])
    return joined


def popcount(a: Words) -> NDArray[np.uint8]:
    """The number of ones of each word."""
    if a.dtype != WIDE:
        return np.bitwise_count(a)
    return np.bitwise_count(a["lo"]) + np.bitwise_count(a["hi"])


def nonzero(a: Words) -> NDArray[np.bool_]:
    """Which words are not 0."""
    if a.dtype != WIDE:
        return a != 0
    return (a["lo"] | a["hi"]) != 0


def less(a: Words, b: Words) -> NDArray[np.bool_]:
    """Which words of `a` are less than those of `b`, broadcast."""
    if a.dtype != WIDE:
        return np.less(a, b)
    return (a["hi"] < b["hi"]) | ((a["hi"] == b["hi"]) & (a["lo"] < b["lo"]))


def argsort(a: Words) -> NDArray[np.int64]:
    """The order of the words along the last axis, the least first; equal ones stay in order."""
    if a.dtype != WIDE:
        return np.argsort(a, axis=-1, kind="stable")
    return np.lexsort((a["lo"], a["hi"]), axis=-1)


def unique(a: Words) -> tuple[Words, NDArray[np.int64]]:
    """The different words of a flattened array, the least first, and the place of each in them."""
    if a.dtype != WIDE:
        different, places = np.unique(a, return_inverse=True)
        return different, places.reshape(-1)
    flat = a.reshape(-1)
    order = argsort(flat)
    ranked = flat[order]
    first = np.ones(len(flat), dtype=bool)
    first[1:] = ranked[1:] != ranked[:-1]
    places = np.empty(len(flat), dtype=np.int64)
    places[order] = np.cumsum(first) - 1
    return ranked[first], places


def _lanes(operation: np.ufunc, *operands: Words) -> Words:
    """A bitwise operation: on both lanes, each by itself."""
    if operands[0].dtype != WIDE:
        narrow: Words = operation(*operands)
        return narrow
    joined = np.empty(np.broadcast_shapes(*(operand.shape for operand in operands)), WIDE)
    for lane in ("lo", "hi"):
        operation(*(operand[lane] for operand in operands), out=joined[lane])
    return joined


def _reduced(operation: np.ufunc, a: Words, axis: int) -> Words:
    if a.dtype != WIDE:
        narrow: Words = operation.reduce(a, axis=axis)
        return narrow
    low = operation.reduce(a["lo"], axis=axis)
    joined = np.empty(np.shape(low), WIDE)
    joined["lo"] = low
    joined["hi"] = operation.reduce(a["hi"], axis=axis)
    return joined


# Arithmetic on 128-bit words in two lanes of uint64, wrapping: what numpy lacks.
#
# The lanes of a word may have different shapes: they are broadcast. A word that is known to be
# narrow so costs no second array.

Lane: TypeAlias = NDArray[np.uint64]

NO_BITS: Lane = np.zeros((1, 1), dtype=np.uint64)
"""The high lane of what has 64 bits or fewer."""

AT_ONCE = 1 << 14
"""Products that are worked out together: their halves stay in the processor's cache."""

_HALF = np.uint64(32)
_LOW_HALF = np.uint64((1 << 32) - 1)
_ONE, _63, _64 = np.uint64(1), np.uint64(63), np.uint64(64)


class Lanes(NamedTuple):
    """128-bit words: their low and their high 64 bits."""

    low: Lane
    high: Lane


def split(array: Words) -> Lanes:
    """The lanes of an array of 128-bit, 64-bit or 32-bit words."""
    if array.dtype == WIDE:
        return Lanes(array["lo"], array["hi"])
    return Lanes(array.astype(np.uint64, copy=False), NO_BITS)


def joined(x: Lanes) -> Words:
    """The words as one array of dtype WIDE."""
    array: Words = np.empty(np.broadcast_shapes(x.low.shape, x.high.shape), WIDE)
    array["lo"], array["hi"] = x
    return array


def each(operation: np.ufunc, *operands: Lanes) -> Lanes:
    """A bitwise operation."""
    low, high = (operation(*lanes) for lanes in zip(*operands, strict=True))
    return Lanes(low, high)


def add(x: Lanes, y: Lanes) -> Lanes:
    """`x + y`."""
    low = x.low + y.low
    return Lanes(low, x.high + y.high + (low < y.low))


def subtract(x: Lanes, y: Lanes) -> Lanes:
    """`x - y`."""
    return Lanes(x.low - y.low, x.high - y.high - (x.low < y.low))


def shift_left(x: Lanes, amount: Lane) -> Lanes:
    """`x << amount`, by less than 128."""
    by, far = amount & _63, amount >= _64
    low = x.low << by
    if far.all():
        return Lanes(NO_BITS, low)
    # In two steps: nothing may be shifted by 64.
    high = (x.high << by) | (x.low >> _ONE >> (_63 - by))
    return Lanes(np.where(far, NO_BITS, low), np.where(far, low, high))


def shift_right(x: Lanes, amount: Lane) -> Lanes:
    """`x >> amount`, by less than 128."""
    by, far = amount & _63, amount >= _64
    high = x.high >> by
    if far.all():
        return Lanes(high, NO_BITS)
    low = (x.low >> by) | (x.high << _ONE << (_63 - by))
    return Lanes(np.where(far, high, low), np.where(far, NO_BITS, high))


def multiply(x: Lanes, y: Lanes) -> Lanes:
    """`x * y`, modulo 2^128."""
    shape = np.broadcast_shapes(*(lane.shape for lane in (*x, *y)))
    product = Lanes(np.empty(shape, np.uint64), np.empty(shape, np.uint64))
    for rows in _blocks(shape):
        _multiply(_part(x, rows, shape), _part(y, rows, shape), _part(product, rows, shape))
    return product


def _multiply(x: Lanes, y: Lanes, product: Lanes) -> None:
    np.multiply(x.low, y.low, out=product.low)
    _high_lane(x.low, y.low, product.high)
    for one, other in ((x.low, y.high), (x.high, y.low)):
        if one is not NO_BITS and other is not NO_BITS:
            np.add(product.high, one * other, out=product.high)


def _high_lane(x: Lane, y: Lane, high: Lane) -> None:
    """Bits 64 to 127 of the products, from those of halves (Knuth, algorithm M, two digits)."""
    x_low, x_high, y_low, y_high = x & _LOW_HALF, x >> _HALF, y & _LOW_HALF, y >> _HALF
    # No sum exceeds 64 bits: (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1.
    first = x_high * y_low
    first += (x_low * y_low) >> _HALF
    second = x_low * y_high
    second += first & _LOW_HALF
    np.multiply(x_high, y_high, out=high)
    high += first >> _HALF
    high += second >> _HALF


def _blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Parts of the first axis, of about AT_ONCE words each."""
    rows = shape[0] if len(shape) > 1 else 1
    step = max(1, AT_ONCE * rows // max(1, int(np.prod(shape))))
    for first in range(0, rows, step):
        yield slice(first, first + step)


def _part(x: Lanes, rows: slice, shape: tuple[int, ...]) -> Lanes:
    """Some rows of the lanes; what is broadcast along them stays as it is."""
    low, high = (
        lane[rows] if len(shape) > 1 and lane.ndim == len(shape) and len(lane) > 1 else lane
        for lane in x
    )
    return Lanes(low, high)
