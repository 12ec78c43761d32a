"""Which bits of the loaded word each bit of a formula's value may depend on.

An abstract reading: a value is 64 sets of bits, as the bits of integers. All sets are upper
bounds. What can carry, or moves by an amount that is no literal, may depend on every bit.
"""

from functools import reduce
from operator import or_

from magicert.formula import Formula
from magicert.formula.reading import Reading
from magicert.formula.tree import WORD, Binary, Call, Literal, Name, Node, Unary

Sources = tuple[int, ...]

_NONE: Sources = (0,) * 64


def sources_of(formula: Formula) -> Sources:
    """For each bit of the result, the bits of the word that it may depend on, as a set."""
    return _Sources().value(formula.tree)


class _Sources(Reading[Sources]):
    def value(self, node: Node) -> Sources:
        found = super().value(node)
        return found[: node.width] + _NONE[node.width :]

    def literal(self, node: Literal) -> Sources:
        return _NONE

    def name(self, node: Name) -> Sources:
        return tuple(1 << bit for bit in range(64)) if node.name == WORD else _NONE

    def invert(self, node: Unary, x: Sources) -> Sources:
        return x

    def negate(self, node: Unary, x: Sources) -> Sources:
        return _anywhere(x)

    def multiply(self, node: Binary, x: Sources, y: Sources) -> Sources:
        return _anywhere(x, y)

    add = subtract = multiply

    def bitwise_and(self, node: Binary, x: Sources, y: Sources) -> Sources:
        return tuple(map(or_, x, y))

    bitwise_xor = bitwise_or = bitwise_and

    def shift_left(self, node: Binary, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.right)
        return _anywhere(x, amount) if by is None else (_NONE[:by] + x)[:64]

    def shift_right(self, node: Binary, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.right)
        return _anywhere(x, amount) if by is None else x[by:] + _NONE[:by]

    def u32(self, node: Call, x: Sources) -> Sources:
        return x

    lo32 = u32

    def hi32(self, node: Call, x: Sources) -> Sources:
        return x[32:] + _NONE[32:]

    def rol32(self, node: Call, x: Sources, amount: Sources) -> Sources:
        return self.turned(node, x[:32], amount) + _NONE[32:]

    def rol64(self, node: Call, x: Sources, amount: Sources) -> Sources:
        return self.turned(node, x, amount)

    def turned(self, node: Call, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.arguments[1])
        if by is None:
            return _anywhere(x, amount)[: len(x)]
        start = -by % len(x)
        return x[start:] + x[:start]

    def bswap64(self, node: Call, x: Sources) -> Sources:
        return tuple(x[bit ^ 56] for bit in range(64))

    def popcount(self, node: Call, x: Sources) -> Sources:
        return _anywhere(x)

    def ctz(self, node: Call, x: Sources) -> Sources:
        return _anywhere(x)


def _anywhere(*operands: Sources) -> Sources:
    """Every bit may depend on whatever any bit of the operands does."""
    return (reduce(or_, (bits for operand in operands for bits in operand)),) * 64


def _literal(node: Node) -> int | None:
    return node.value if isinstance(node, Literal) else None
