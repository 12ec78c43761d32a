"""Which bits of the loaded word each bit of a formula's value may depend on.

An abstract reading: a value is a set of bits for each of its own bits, as the ones of an integer.
All sets are upper bounds. What can carry, or moves by an amount that is no literal, may depend on
every bit.
"""

from functools import reduce
from operator import or_

from magicert.formula import Formula
from magicert.formula.reading import Reading
from magicert.formula.tree import WORD, Binary, Call, Literal, Name, Node, Unary

Sources = tuple[int, ...]


def sources_of(formula: Formula) -> Sources:
    """For each bit of the formula's words, the bits of the loaded word that it may depend on.

    Bits that the result has not depend on none.
    """
    return _extended(_Sources().value(formula.tree), formula.word)


class _Sources(Reading[Sources]):
    def value(self, node: Node) -> Sources:
        return _extended(super().value(node), node.width)

    def literal(self, node: Literal) -> Sources:
        return ()

    def name(self, node: Name) -> Sources:
        return tuple(1 << bit for bit in range(node.width)) if node.name == WORD else ()

    def invert(self, node: Unary, x: Sources) -> Sources:
        return x

    def negate(self, node: Unary, x: Sources) -> Sources:
        return _anywhere(node, x)

    def multiply(self, node: Binary, x: Sources, y: Sources) -> Sources:
        return _anywhere(node, x, y)

    add = subtract = multiply

    def bitwise_and(self, node: Binary, x: Sources, y: Sources) -> Sources:
        return tuple(map(or_, _extended(x, node.width), _extended(y, node.width)))

    bitwise_xor = bitwise_or = bitwise_and

    def shift_left(self, node: Binary, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.right)
        return _anywhere(node, x, amount) if by is None else (0,) * min(by, node.width) + x

    def shift_right(self, node: Binary, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.right)
        return _anywhere(node, x, amount) if by is None else x[by:]

    def u32(self, node: Call, x: Sources) -> Sources:
        return x

    lo32 = u32

    def hi32(self, node: Call, x: Sources) -> Sources:
        return x[32:]

    def u64(self, node: Call, x: Sources) -> Sources:
        return x

    lo64 = u64

    def hi64(self, node: Call, x: Sources) -> Sources:
        return x[64:]

    def rol32(self, node: Call, x: Sources, amount: Sources) -> Sources:
        by = _literal(node.arguments[1])
        if by is None:
            return _anywhere(node, x, amount)
        word, start = _extended(x, node.width), -by % node.width
        return word[start:] + word[:start]

    rol64 = rol32

    def bswap64(self, node: Call, x: Sources) -> Sources:
        word = _extended(x, 64)
        return tuple(word[bit ^ 56] for bit in range(64))

    def pext(self, node: Call, x: Sources, mask: Sources) -> Sources:
        # The mask is a parameter, mostly: where its ones are is not looked up here.
        return _anywhere(node, x, mask)

    def popcount(self, node: Call, x: Sources) -> Sources:
        return _anywhere(node, x)

    def ctz(self, node: Call, x: Sources) -> Sources:
        return _anywhere(node, x)


def _extended(x: Sources, width: int) -> Sources:
    """The low bits, or as many zeros more as there have to be."""
    return (x + (0,) * (width - len(x)))[:width]


def _anywhere(node: Node, *operands: Sources) -> Sources:
    """Every bit may depend on whatever any bit of the operands does."""
    return (reduce(or_, (bits for operand in operands for bits in operand), 0),) * node.width


def _literal(node: Node) -> int | None:
    return node.value if isinstance(node, Literal) else None
