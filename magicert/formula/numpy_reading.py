"""The numpy reading of a formula: its value for many occupancies and squares at once.

Words are uint64 arrays, or uint32 arrays where a node is 32-bit wide, so that wrapping
is the hardware's; where a node is 128-bit wide they are two lanes. Everything is broadcast:
parameters come as (squares, 1), occupancies as (squares, occupancies).
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from magicert.formula import wide
from magicert.formula.tree import (
    Binary,
    Call,
    Literal,
    Name,
    Node,
    Reading,
    Unary,
    fit_problem,
    shift_problem,
)
from magicert.formula.wide import WIDE, Lane, Lanes, Words, ints, nonzero
from magicert.problem import InputError, Problem

Value: TypeAlias = "NDArray[Any] | Lanes"
"""uint32, uint64 or lanes, as the node's width says."""

_WORD: dict[int, type[np.uint32] | type[np.uint64]] = {32: np.uint32, 64: np.uint64}


class RowsError(InputError):
    """A formula that has no value on some rows: `rows`, with a problem for each of them.

    Whoever knows which piece the rows belong to fills in `piece`.
    """

    def __init__(self, bad: NDArray[np.bool_], problem: Callable[[int], Problem]) -> None:
        self.rows = [int(row) for row in np.flatnonzero(bad.reshape(len(bad), -1).any(axis=1))]
        self.piece: Any = None
        super().__init__(map(problem, self.rows))


class ShiftError(RowsError):
    """A shift by the word's width or more."""

    def __init__(self, node: Binary, amounts: Words, bad: NDArray[np.bool_], text: str) -> None:
        rows = amounts.reshape(len(amounts), -1)
        super().__init__(bad, lambda row: shift_problem(node, max(ints(rows[row])), text))


class FitError(RowsError):
    """A parameter with more bits than the word that it is used as."""

    def __init__(self, node: Name, values: Words, text: str) -> None:
        rows = values.reshape(len(values), -1)
        super().__init__(
            nonzero(rows["hi"]), lambda row: fit_problem(node, max(ints(rows[row])), text)
        )


def evaluate(node: Node, values: Mapping[str, Words], text: str = "") -> Words:
    """The value of a tree, an array of words of `node.width` bits: uint32, uint64 or WIDE.

    `values` gives every name an array of at least one dimension, uint64 or WIDE. Raises
    ShiftError where a shift amount reaches the word's width on any row, and FitError where a
    parameter has more bits than the word that it is used as.
    """
    value = _Arrays(values, text).value(node)
    return wide.joined(value) if isinstance(value, Lanes) else value


class _Arrays(Reading[Value]):
    def __init__(self, values: Mapping[str, Words], text: str) -> None:
        self.values = values
        self.text = text

    def literal(self, node: Literal) -> Value:
        if node.width == 128:
            low, high = node.value & ((1 << 64) - 1), node.value >> 64
            return Lanes(_row(low), _row(high) if high else wide.NO_BITS)
        return _row(node.value)

    def name(self, node: Name) -> Value:
        words = self.values[node.name]
        if node.width == 128:
            return wide.split(words)
        if words.dtype == WIDE:
            if words["hi"].any():
                raise FitError(node, words, self.text)
            return words["lo"]
        return words

    def invert(self, node: Unary, x: Value) -> Value:
        return wide.each(np.invert, x) if isinstance(x, Lanes) else np.invert(x)

    def negate(self, node: Unary, x: Value) -> Value:
        if isinstance(x, Lanes):
            return wide.subtract(Lanes(wide.NO_BITS, wide.NO_BITS), x)
        return np.negative(x)

    def multiply(self, node: Binary, x: Value, y: Value) -> Value:
        if node.width == 128:
            return wide.multiply(_lanes(x), _lanes(y))
        return _joined(np.multiply, node, _low(x), _low(y))

    def add(self, node: Binary, x: Value, y: Value) -> Value:
        if node.width == 128:
            return wide.add(_lanes(x), _lanes(y))
        return _joined(np.add, node, _low(x), _low(y))

    def subtract(self, node: Binary, x: Value, y: Value) -> Value:
        if node.width == 128:
            return wide.subtract(_lanes(x), _lanes(y))
        return _joined(np.subtract, node, _low(x), _low(y))

    def bitwise_and(self, node: Binary, x: Value, y: Value) -> Value:
        return _bitwise(np.bitwise_and, node, x, y)

    def bitwise_xor(self, node: Binary, x: Value, y: Value) -> Value:
        return _bitwise(np.bitwise_xor, node, x, y)

    def bitwise_or(self, node: Binary, x: Value, y: Value) -> Value:
        return _bitwise(np.bitwise_or, node, x, y)

    def shift_left(self, node: Binary, x: Value, amount: Value) -> Value:
        by = self.checked(node, amount)
        if isinstance(x, Lanes):
            return wide.shift_left(x, by)
        return _joined(np.left_shift, node, x, by)

    def shift_right(self, node: Binary, x: Value, amount: Value) -> Value:
        by = self.checked(node, amount)
        if isinstance(x, Lanes):
            return wide.shift_right(x, by)
        return _joined(np.right_shift, node, x, by)

    def checked(self, node: Binary, amount: Value) -> NDArray[Any]:
        """A shift's amount, as words of the shifted word's width, or of a lane's."""
        bad = _low(amount) >= node.width
        if isinstance(amount, Lanes):
            bad = bad | nonzero(amount.high)
        if bad.any():
            whole = wide.joined(amount) if isinstance(amount, Lanes) else amount
            raise ShiftError(node, whole, bad, self.text)
        return _low(amount).astype(_WORD[min(node.width, 64)])

    def u32(self, node: Call, x: Value) -> Value:
        return _low(x).astype(np.uint32)

    lo32 = u32

    def hi32(self, node: Call, x: Value) -> Value:
        return (_narrow(x) >> np.uint64(32)).astype(np.uint32)

    def rol32(self, node: Call, x: Value, amount: Value) -> Value:
        return _rotate(_low(x).astype(np.uint32), _low(amount), 32)

    def u64(self, node: Call, x: Value) -> Value:
        return _narrow(x)

    lo64 = u64

    def hi64(self, node: Call, x: Value) -> Value:
        return x.high if isinstance(x, Lanes) else wide.NO_BITS

    def rol64(self, node: Call, x: Value, amount: Value) -> Value:
        return _rotate(_narrow(x), _low(amount), 64)

    def bswap64(self, node: Call, x: Value) -> Value:
        return _narrow(x).byteswap()

    def pext(self, node: Call, x: Value, mask: Value) -> Value:
        return _extracted(_narrow(x), _narrow(mask))

    def popcount(self, node: Call, x: Value) -> Value:
        if isinstance(x, Lanes):
            return (np.bitwise_count(x.low) + np.bitwise_count(x.high)).astype(np.uint64)
        return np.bitwise_count(x).astype(np.uint64)

    def ctz(self, node: Call, x: Value) -> Value:
        if isinstance(x, Lanes):
            return np.where(x.low == 0, np.uint64(64) + _zeros(x.high), _zeros(x.low))
        return _zeros(x)


def _row(value: int) -> Lane:
    return np.array([[value]], dtype=np.uint64)


def _low(x: Value) -> NDArray[Any]:
    return x.low if isinstance(x, Lanes) else x


def _narrow(x: Value) -> Lane:
    """The low 64 bits."""
    return _low(x).astype(np.uint64, copy=False)


def _lanes(x: Value) -> Lanes:
    return x if isinstance(x, Lanes) else wide.split(x)


def _bitwise(operation: np.ufunc, node: Binary, x: Value, y: Value) -> Value:
    if node.width == 128:
        return wide.each(operation, _lanes(x), _lanes(y))
    return _joined(operation, node, _low(x), _low(y))


def _joined(operation: np.ufunc, node: Binary, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    # What an operation has just made belongs to nobody else: its memory is used again.
    own = isinstance(node.left, Binary) and x.itemsize * 8 == node.width
    fits = own and np.broadcast_shapes(x.shape, y.shape) == x.shape
    words: NDArray[Any] = operation(x, y, out=x if fits else None)
    return words


def _zeros(x: NDArray[Any]) -> Lane:
    # One less than the lowest one has exactly the zeros below it; 0 - 1 has all bits.
    below = (x & np.negative(x)) - x.dtype.type(1)
    return np.bitwise_count(below).astype(np.uint64)


def _extracted(x: Lane, mask: Lane) -> Lane:
    """The bits of x where the mask has ones, moved together: by 1, 2, 4, ... places.

    Warren, Hacker's Delight, 7-4. What is done to the mask alone has the mask's shape.
    """
    x, above = x & mask, ~mask << np.uint64(1)
    for step in map(np.uint64, (1, 2, 4, 8, 16, 32)):
        # A one here: an odd number of zeros of the mask, of those still counted, lies below.
        odd = above
        for by in map(np.uint64, (1, 2, 4, 8, 16, 32)):
            odd = odd ^ (odd << by)
        moving = odd & mask
        mask = (mask ^ moving) | (moving >> step)
        moved = x & moving
        x = (x ^ moved) | (moved >> step)
        above = above & ~odd
    return x


def _rotate(x: NDArray[Any], amount: NDArray[Any], width: int) -> NDArray[Any]:
    word = _WORD[width]
    left = (amount % word(width)).astype(word)
    # A right shift by the whole width would be undefined: -left mod width is 0 with left.
    right = np.negative(left) % word(width)
    return (x << left) | (x >> right)
