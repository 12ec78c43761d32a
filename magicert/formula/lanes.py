"""Arithmetic on 128-bit words in two lanes of uint64, wrapping: what numpy lacks.

The lanes of a word may have different shapes: they are broadcast. A word that is known to be
narrow so costs no second array.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from magicert.formula.wide import WIDE, Words

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
