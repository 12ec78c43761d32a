"""The numpy reading of a formula: its value for many occupancies and squares at once.

Words are uint64 arrays, or uint32 arrays where a node is 32-bit wide, so that wrapping
is the hardware's. Everything is broadcast: parameters come as (squares, 1), occupancies
as (squares, occupancies).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.formula.integers import shift_problem
from magicert.formula.reading import Reading
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError

Words = NDArray[Any]
"""uint64 or uint32, as the node's width says."""

_WORD: dict[int, type[np.uint32] | type[np.uint64]] = {32: np.uint32, 64: np.uint64}


class ShiftError(InputError):
    """A shift by the word's width or more, with a problem for each of `rows` where it happens.

    Whoever knows which piece the rows belong to fills in `piece`.
    """

    def __init__(self, node: Binary, amounts: Words, text: str) -> None:
        worst = amounts.reshape(len(amounts), -1).max(axis=1)
        self.rows = [int(row) for row in np.flatnonzero(worst >= node.width)]
        self.piece: Piece | None = None
        super().__init__(shift_problem(node, int(worst[row]), text) for row in self.rows)


def evaluate(node: Node, values: Mapping[str, NDArray[np.uint64]], text: str = "") -> Words:
    """The value of a tree, an array of words of `node.width` bits.

    `values` gives every name a uint64 array of at least one dimension. Raises
    ShiftError where a shift amount reaches the word's width on any row.
    """
    return _Arrays(values, text).value(node)


class _Arrays(Reading[Words]):
    def __init__(self, values: Mapping[str, NDArray[np.uint64]], text: str) -> None:
        self.values = values
        self.text = text

    def literal(self, node: Literal) -> Words:
        return np.array([[node.value]], dtype=np.uint64)

    def name(self, node: Name) -> Words:
        return self.values[node.name]

    def invert(self, node: Unary, x: Words) -> Words:
        return np.invert(x)

    def negate(self, node: Unary, x: Words) -> Words:
        return np.negative(x)

    def multiply(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.multiply, node, x, y)

    def add(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.add, node, x, y)

    def subtract(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.subtract, node, x, y)

    def bitwise_and(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.bitwise_and, node, x, y)

    def bitwise_xor(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.bitwise_xor, node, x, y)

    def bitwise_or(self, node: Binary, x: Words, y: Words) -> Words:
        return _joined(np.bitwise_or, node, x, y)

    def shift_left(self, node: Binary, x: Words, amount: Words) -> Words:
        return _joined(np.left_shift, node, x, self.checked(node, amount))

    def shift_right(self, node: Binary, x: Words, amount: Words) -> Words:
        return _joined(np.right_shift, node, x, self.checked(node, amount))

    def checked(self, node: Binary, amount: Words) -> Words:
        """A shift's amount, as words of the shifted word's width."""
        if (amount >= node.width).any():
            raise ShiftError(node, amount, self.text)
        return amount.astype(_WORD[node.width])

    def u32(self, node: Call, x: Words) -> Words:
        return x.astype(np.uint32)

    lo32 = u32

    def hi32(self, node: Call, x: Words) -> Words:
        return (x.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)

    def rol32(self, node: Call, x: Words, amount: Words) -> Words:
        return _rotate(x.astype(np.uint32), amount, 32)

    def rol64(self, node: Call, x: Words, amount: Words) -> Words:
        return _rotate(x.astype(np.uint64), amount, 64)

    def bswap64(self, node: Call, x: Words) -> Words:
        return x.astype(np.uint64).byteswap()

    def popcount(self, node: Call, x: Words) -> Words:
        return np.bitwise_count(x).astype(np.uint64)

    def ctz(self, node: Call, x: Words) -> Words:
        # One less than the lowest one has exactly the zeros below it; 0 - 1 has all bits.
        below = (x & np.negative(x)) - _WORD[node.arguments[0].width](1)
        return np.bitwise_count(below).astype(np.uint64)


def _joined(operation: np.ufunc, node: Binary, x: Words, y: Words) -> Words:
    # What an operation has just made belongs to nobody else: its memory is used again.
    own = isinstance(node.left, Binary) and x.itemsize * 8 == node.width
    fits = own and np.broadcast_shapes(x.shape, y.shape) == x.shape
    words: Words = operation(x, y, out=x if fits else None)
    return words


def _rotate(x: Words, amount: Words, width: int) -> Words:
    word = _WORD[width]
    left = (amount % word(width)).astype(word)
    # A right shift by the whole width would be undefined: -left mod width is 0 with left.
    right = np.negative(left) % word(width)
    return (x << left) | (x >> right)
