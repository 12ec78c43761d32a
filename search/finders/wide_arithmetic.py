"""Arithmetic on 128-bit words in compiled code: pairs (low, high) of uint64, wrapping.

What a formula is translated to (compiled_formula.py) calls these. LLVM puts them in line.
"""

from typing import Any, TypeAlias

import numba
import numpy as np

from magicert.search.compiled import Word
from magicert.system.words import high_product, popcount

Wide: TypeAlias = "tuple[Word, Word]"

_ZERO, _ONE, _63, _64 = np.uint64(0), np.uint64(1), np.uint64(63), np.uint64(64)


@numba.njit
def wide_invert(x: Wide) -> Wide:
    """`~x`."""
    return ~x[0], ~x[1]


@numba.njit
def wide_and(x: Wide, y: Wide) -> Wide:
    """`x & y`."""
    return x[0] & y[0], x[1] & y[1]


@numba.njit
def wide_or(x: Wide, y: Wide) -> Wide:
    """`x | y`."""
    return x[0] | y[0], x[1] | y[1]


@numba.njit
def wide_xor(x: Wide, y: Wide) -> Wide:
    """`x ^ y`."""
    return x[0] ^ y[0], x[1] ^ y[1]


@numba.njit
def wide_add(x: Wide, y: Wide) -> Wide:
    """`x + y`."""
    low = x[0] + y[0]
    carry = _ONE if low < y[0] else _ZERO
    return low, x[1] + y[1] + carry


@numba.njit
def wide_subtract(x: Wide, y: Wide) -> Wide:
    """`x - y`."""
    borrow = _ONE if x[0] < y[0] else _ZERO
    return x[0] - y[0], x[1] - y[1] - borrow


@numba.njit
def wide_multiply(x: Wide, y: Wide) -> Wide:
    """`x * y`."""
    return x[0] * y[0], high_product(x[0], y[0]) + x[0] * y[1] + x[1] * y[0]


@numba.njit
def wide_left(x: Wide, amount: Word) -> Wide:
    """`x << amount`, by less than 128."""
    by = amount & _63
    low = x[0] << by
    if amount >= _64:
        return _ZERO, low
    # In two steps: nothing may be shifted by 64.
    return low, (x[1] << by) | ((x[0] >> _ONE) >> (_63 - by))


@numba.njit
def wide_right(x: Wide, amount: Word) -> Wide:
    """`x >> amount`, by less than 128."""
    by = amount & _63
    high = x[1] >> by
    if amount >= _64:
        return high, _ZERO
    return (x[0] >> by) | ((x[1] << _ONE) << (_63 - by)), high


@numba.njit
def wide_popcount(x: Wide) -> Word:
    """The number of ones."""
    return popcount(x[0]) + popcount(x[1])


@numba.njit
def wide_ctz(x: Wide) -> Word:
    """The number of zeros below the lowest one; 128 of 0."""
    low, above = x[0], _ZERO
    if low == _ZERO:
        low, above = x[1], _64
    # Of 0 this is 64 again: 0 - 1 has all bits.
    return above + popcount((low & (~low + _ONE)) - _ONE)


@numba.njit
def wide_index(x: Wide) -> Word:
    """A word as an index of 64 bits; what has more bits is 2^64 - 1, which fits no table."""
    return x[0] if x[1] == _ZERO else ~_ZERO


OPERATIONS: dict[str, Any] = {
    "wide_invert": wide_invert,
    "wide_and": wide_and,
    "wide_or": wide_or,
    "wide_xor": wide_xor,
    "wide_add": wide_add,
    "wide_subtract": wide_subtract,
    "wide_multiply": wide_multiply,
    "wide_left": wide_left,
    "wide_right": wide_right,
    "wide_popcount": wide_popcount,
    "wide_ctz": wide_ctz,
    "wide_index": wide_index,
}
"""What translated formulas call, by name."""
