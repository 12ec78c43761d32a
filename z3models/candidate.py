"""The quick check of a candidate: which pairs of occupancies conflict under this magic?

A reading by numpy over all occupancies of a question at once. It decides nothing: what
it lets pass is checked once more by the plain reading before anybody sees it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.formula.integers import shift_problem
from magicert.formula.tree import OCCUPANCY, Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError
from z3models.question import Pair, Question

Words = NDArray[np.uint64]


class Candidates:
    """Checks magics against all occupancies of one question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.attacks = np.array(question.attacks)
        self.place = {occupancy: i for i, occupancy in enumerate(question.occupancies)}
        self.values = {
            OCCUPANCY: np.array(question.occupancies, dtype=np.uint64),
            **{name: np.array([v], dtype=np.uint64) for name, v in question.values.items()},
        }

    def indexes(self, magic: int) -> Words:
        """The index of every occupancy, uint64 (occupancies,)."""
        values = {**self.values, self.question.free: np.array([magic], dtype=np.uint64)}
        read = _read(self.question.formula.tree, values, self.question.formula.text)
        return np.broadcast_to(read, self.attacks.shape)

    def conflicts(self, magic: int) -> list[Pair]:
        """Pairs of places that conflict, at most one for each two neighbours in the order
        of (index, attack set); (place, place) where an index is too large. Empty exactly
        for a valid magic.
        """
        indexes = self.indexes(magic)
        too_large = np.flatnonzero(indexes > np.uint64(self.question.largest_index))
        order = np.lexsort((self.attacks, indexes))
        same_bucket = np.diff(indexes[order].view(np.int64)) == 0
        other_set = np.diff(self.attacks[order]) != 0
        at = np.flatnonzero(same_bucket & other_set)
        pairs = [(int(order[i]), int(order[i + 1])) for i in at]
        return [(int(place), int(place)) for place in too_large] + pairs

    def disjoint(self, pair: Pair, magic: int) -> Pair:
        """The pair without what its occupancies share, if that conflicts as well.

        Smaller occupancies mean shorter sums, and rule out more magics.
        """
        a, b = (self.question.occupancies[place] for place in pair)
        x, y = self.place.get(a & ~b), self.place.get(b & ~a)
        if x is None or y is None or self.attacks[x] == self.attacks[y]:
            return pair
        same = self.question.index(magic, a & ~b) == self.question.index(magic, b & ~a)
        return (min(x, y), max(x, y)) if same else pair

    def squares(self, pair: Pair) -> int:
        """How many squares the two occupancies have between them."""
        a, b = (self.question.occupancies[place] for place in pair)
        return (a | b).bit_count()


def _read(node: Node, values: Mapping[str, Words], text: str) -> Words:
    match node:
        case Literal():
            return np.array([node.value], dtype=np.uint64)
        case Name():
            return values[node.name]
        case Unary():
            operand = _read(node.operand, values, text)
            return _wrap(~operand if node.operator == "~" else np.negative(operand), node.width)
        case Binary():
            left, right = _read(node.left, values, text), _read(node.right, values, text)
            return _wrap(_binary(node, left, right, text), node.width)
        case Call():
            return _call(node, [_read(argument, values, text) for argument in node.arguments])


def _wrap(words: Any, width: int) -> Words:  # noqa: ANN401 (numpy's stubs widen words)
    return np.bitwise_and(words, np.uint64(0xFFFF_FFFF)) if width == 32 else words


def _binary(node: Binary, left: Words, right: Words, text: str) -> Words:
    if node.operator in ("<<", ">>"):
        if (right >= node.width).any():
            raise InputError([shift_problem(node, int(right.max()), text)])
        return left << right if node.operator == "<<" else left >> right
    operations = {
        "*": np.multiply,
        "+": np.add,
        "-": np.subtract,
        "&": np.bitwise_and,
        "|": np.bitwise_or,
        "^": np.bitwise_xor,
    }
    return operations[node.operator](left, right)


def _call(node: Call, arguments: list[Any]) -> Words:
    x = arguments[0]
    match node.function:
        case "u32" | "lo32":
            return _wrap(x, 32)
        case "hi32":
            return x >> np.uint64(32)
        case "rol32":
            amount = arguments[1] % np.uint64(32)
            low = _wrap(x, 32)
            return _wrap(low << amount | low >> (np.uint64(32) - amount), 32)
        case "rol64":
            amount = arguments[1] % np.uint64(64)
            back = (np.uint64(64) - amount) % np.uint64(64)
            return x << amount | x >> back
        case "bswap64":
            return x.byteswap()
        case "popcount":
            return np.bitwise_count(x).astype(np.uint64)
        case "ctz":
            below = np.bitwise_count((x & np.negative(x)) - np.uint64(1)).astype(np.uint64)
            return np.minimum(below, np.uint64(node.arguments[0].width))
    raise AssertionError(node.function)
