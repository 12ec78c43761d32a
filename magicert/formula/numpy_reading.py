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
    match node:
        case Literal():
            return np.array([[node.value]], dtype=np.uint64)
        case Name():
            return values[node.name]
        case Unary():
            operand = evaluate(node.operand, values, text)
            return np.invert(operand) if node.operator == "~" else np.negative(operand)
        case Binary():
            left = evaluate(node.left, values, text)
            right = evaluate(node.right, values, text)
            return _binary(node, left, right, text)
        case Call():
            return _call(node, [evaluate(argument, values, text) for argument in node.arguments])


_OPERATION: dict[str, np.ufunc] = {
    "*": np.multiply,
    "+": np.add,
    "-": np.subtract,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
}


def _binary(node: Binary, left: Words, right: Words, text: str) -> Words:
    if node.operator in ("<<", ">>"):
        if (right >= node.width).any():
            raise ShiftError(node, right, text)
        right = right.astype(_WORD[node.width])
    # What an operation has just made belongs to nobody else: its memory is used again.
    own = isinstance(node.left, Binary) and left.itemsize * 8 == node.width
    fits = own and np.broadcast_shapes(left.shape, right.shape) == left.shape
    words: Words = _OPERATION[node.operator](left, right, out=left if fits else None)
    return words


def _call(node: Call, arguments: list[Words]) -> Words:
    x = arguments[0]
    match node.function:
        case "u32" | "lo32":
            return x.astype(np.uint32)
        case "hi32":
            wide = x.astype(np.uint64)
            return (wide >> np.uint64(32)).astype(np.uint32)
        case "rol32":
            return _rotate(x.astype(np.uint32), arguments[1], 32)
        case "rol64":
            return _rotate(x.astype(np.uint64), arguments[1], 64)
        case "bswap64":
            return x.astype(np.uint64).byteswap()
        case "popcount":
            return np.bitwise_count(x).astype(np.uint64)
        case "ctz":
            # One less than the lowest one has exactly the zeros below it; 0 - 1 has all bits.
            below = (x & np.negative(x)) - _WORD[node.arguments[0].width](1)
            return np.bitwise_count(below).astype(np.uint64)
    raise AssertionError(node.function)


def _rotate(x: Words, amount: Words, width: int) -> Words:
    word = _WORD[width]
    left = (amount % word(width)).astype(word)
    # A right shift by the whole width would be undefined: -left mod width is 0 with left.
    right = np.negative(left) % word(width)
    return (x << left) | (x >> right)
