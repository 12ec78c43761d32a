"""A formula in two 32-bit words: its tree as two expressions, the high and the low word."""

from collections.abc import Mapping

from magicert.compact.emit.spelling import hexadecimal
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Reading, Unary
from magicert.problem import InputError, Problem

Pair = tuple[str, str]

LONGEST = 20_000
"""Characters of a word's expression: nested products and sums double their operands."""


def pair(node: Node, names: Mapping[str, Pair]) -> Pair:
    """The high and low word of a tree, as operands; the high word of 32 bits is 0.

    Raises InputError for a shift that is not by a literal, for words of 128 bits, and where the
    text explodes.
    """
    return _Pairs(names).value(node)


class _Pairs(Reading[Pair]):
    def __init__(self, names: Mapping[str, Pair]) -> None:
        self.names = names

    def value(self, node: Node) -> Pair:
        if node.width > 64:
            message = "javascript-32 output has no words of 128 bits"
            raise InputError([Problem(message)])
        high, low = super().value(node)
        if len(high) + len(low) > LONGEST:
            message = "javascript-32 output would write an expression of several pages"
            raise InputError([Problem(message, text=str(node))])
        return ("0" if node.width == 32 else high), low

    def literal(self, node: Literal) -> Pair:
        return hexadecimal(node.value >> 32), hexadecimal(node.value & 0xFFFFFFFF)

    def name(self, node: Name) -> Pair:
        return self.names[node.name]

    def invert(self, node: Unary, x: Pair) -> Pair:
        high, low = x
        return f"~{high}", f"~{low}"

    def negate(self, node: Unary, x: Pair) -> Pair:
        return _difference(("0", "0"), x)

    def multiply(self, node: Binary, x: Pair, y: Pair) -> Pair:
        (ah, al), (bh, bl) = x, y
        crossed = [f"Math.imul({a}, {b})" for a, b in ((al, bh), (ah, bl)) if "0" not in (a, b)]
        return f"({' + '.join([f'mulHigh({al}, {bl})', *crossed])})", f"Math.imul({al}, {bl})"

    def add(self, node: Binary, x: Pair, y: Pair) -> Pair:
        (ah, al), (bh, bl) = x, y
        return f"(({ah}) + ({bh}) + carry({al}, {bl}) | 0)", f"(({al}) + ({bl}) | 0)"

    def subtract(self, node: Binary, x: Pair, y: Pair) -> Pair:
        return _difference(x, y)

    def bitwise_and(self, node: Binary, x: Pair, y: Pair) -> Pair:
        high, low = (f"({a} {node.operator} {b})" for a, b in zip(x, y, strict=True))
        return high, low

    bitwise_xor = bitwise_or = bitwise_and

    def shift_left(self, node: Binary, x: Pair, amount: Pair) -> Pair:
        (high, low), by = x, _literal_amount(node)
        if by == 0:
            return x
        if by >= 32:
            return f"({low} << {by - 32})", "0"
        return f"({high} << {by} | {low} >>> {32 - by})", f"({low} << {by})"

    def shift_right(self, node: Binary, x: Pair, amount: Pair) -> Pair:
        (high, low), by = x, _literal_amount(node)
        if by == 0:
            return x
        if by >= 32:
            return "0", f"({high} >>> {by - 32})"
        joined = f"({high} << {32 - by} | {low} >>> {by})"
        shifted = f"({low} >>> {by})"
        return f"({high} >>> {by})", shifted if node.width == 32 else joined

    def u32(self, node: Call, x: Pair) -> Pair:
        return "0", x[1]

    def hi32(self, node: Call, x: Pair) -> Pair:
        return "0", x[0]

    def rol32(self, node: Call, x: Pair, amount: Pair) -> Pair:
        return "0", f"rotate({x[1]}, {_turn(node, amount)})"

    def u64(self, node: Call, x: Pair) -> Pair:
        return x

    def hi64(self, node: Call, x: Pair) -> Pair:
        return "0", "0"

    def rol64(self, node: Call, x: Pair, amount: Pair) -> Pair:
        (high, low), by = x, _turn(node, amount)
        return f"rotateHigh({high}, {low}, {by})", f"rotateHigh({low}, {high}, {by})"

    def bswap64(self, node: Call, x: Pair) -> Pair:
        high, low = x
        return f"swapBytes({low})", f"swapBytes({high})"

    def pext(self, node: Call, x: Pair, mask: Pair) -> Pair:
        words = ", ".join((*x, *mask))
        return f"extractBits({words}, 32)", f"extractBits({words}, 0)"

    def popcount(self, node: Call, x: Pair) -> Pair:
        high, low = x
        if node.arguments[0].width == 32:
            return "0", f"countOnes({low})"
        return "0", f"(countOnes({high}) + countOnes({low}))"

    def ctz(self, node: Call, x: Pair) -> Pair:
        high, low = x
        if node.arguments[0].width == 32:
            return "0", f"trailingZeros({low})"
        return "0", f"({low} ? trailingZeros({low}) : 32 + trailingZeros({high}))"


def _literal_amount(node: Binary) -> int:
    if isinstance(node.right, Literal) and node.right.value < node.width:
        return node.right.value
    message = "javascript-32 output can write shifts by one amount for all squares only"
    raise InputError([Problem(message, text=str(node))])


def _turn(node: Call, amount: Pair) -> str:
    """A rotation's amount; of a literal what is left of it modulo the width."""
    by = node.arguments[1]
    return str(by.value % node.width) if isinstance(by, Literal) else amount[1]


def _difference(x: Pair, y: Pair) -> Pair:
    (ah, al), (bh, bl) = x, y
    return f"(({ah}) - ({bh}) - borrow({al}, {bl}) | 0)", f"(({al}) - ({bl}) | 0)"


def high_of(read: str) -> str:
    """Of an expression for a low word, X_LOW[...], the one for the high word."""
    return read.replace("_LOW[", "_HIGH[")
