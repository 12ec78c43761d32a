"""A formula in two 32-bit words: its tree as two expressions, the high and the low word."""

from collections.abc import Callable, Mapping

from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem

Pair = tuple[str, str]

LONGEST = 20_000
"""Characters of a word's expression: nested products and sums double their operands."""


def pair(node: Node, names: Mapping[str, Pair]) -> Pair:
    """The high and low word of a tree, as operands; the high word of 32 bits is 0.

    Raises InputError for a shift that is not by a literal, and where the text explodes.
    """
    high, low = _pair(node, names)
    if len(high) + len(low) > LONGEST:
        message = "javascript-32 output would write an expression of several pages"
        raise InputError([Problem(message, text=str(node))])
    return ("0" if node.width == 32 else high), low


def _pair(node: Node, names: Mapping[str, Pair]) -> Pair:
    match node:
        case Literal():
            return hexadecimal(node.value >> 32), hexadecimal(node.value & 0xFFFFFFFF)
        case Name():
            return names[node.name]
        case Unary(operator=operator):
            high, low = pair(node.operand, names)
            if operator == "~":
                return f"~{high}", f"~{low}"
            return _difference(("0", "0"), (high, low))
        case Binary(operator="<<" | ">>"):
            return _shifted(node, names)
        case Binary(operator=operator):
            left, right = pair(node.left, names), pair(node.right, names)
            return _JOINED[operator](left, right)
        case Call():
            return _called(node, names)


def _shifted(node: Binary, names: Mapping[str, Pair]) -> Pair:
    match node.right:
        case Literal(value=amount) if amount < node.width:
            pass
        case _:
            message = "javascript-32 output can write shifts by one amount for all squares only"
            raise InputError([Problem(message, text=str(node))])
    high, low = pair(node.left, names)
    if amount == 0:
        return high, low
    if node.operator == ">>":
        if amount >= 32:
            return "0", f"({high} >>> {amount - 32})"
        joined = f"({high} << {32 - amount} | {low} >>> {amount})"
        shifted = f"({low} >>> {amount})"
        return f"({high} >>> {amount})", shifted if node.width == 32 else joined
    if amount >= 32:
        return f"({low} << {amount - 32})", "0"
    return f"({high} << {amount} | {low} >>> {32 - amount})", f"({low} << {amount})"


def _called(node: Call, names: Mapping[str, Pair]) -> Pair:
    first, *rest = node.arguments
    high, low = pair(first, names)
    amount = ""
    if rest and isinstance(rest[0], Literal):
        amount = str(rest[0].value % node.width)
    elif rest:
        amount = pair(rest[0], names)[1]
    match node.function:
        case "u32" | "lo32":
            return "0", low
        case "hi32":
            return "0", high
        case "rol32":
            return "0", f"rotate({low}, {amount})"
        case "rol64":
            turned = (
                f"rotateHigh({one}, {amount})" for one in (f"{high}, {low}", f"{low}, {high}")
            )
            return next(turned), next(turned)
        case "bswap64":
            return f"swapBytes({low})", f"swapBytes({high})"
        case "popcount":
            if first.width == 32:
                return "0", f"countOnes({low})"
            return "0", f"(countOnes({high}) + countOnes({low}))"
        case "ctz":
            if first.width == 32:
                return "0", f"trailingZeros({low})"
            return "0", f"({low} ? trailingZeros({low}) : 32 + trailingZeros({high}))"
    raise AssertionError(node.function)


def _sum(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    return f"(({ah}) + ({bh}) + carry({al}, {bl}) | 0)", f"(({al}) + ({bl}) | 0)"


def _difference(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    return f"(({ah}) - ({bh}) - borrow({al}, {bl}) | 0)", f"(({al}) - ({bl}) | 0)"


def _product(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    crossed = [f"Math.imul({a}, {b})" for a, b in ((al, bh), (ah, bl)) if "0" not in (a, b)]
    return f"({' + '.join([f'mulHigh({al}, {bl})', *crossed])})", f"Math.imul({al}, {bl})"


def _bitwise(operator: str) -> Callable[[Pair, Pair], Pair]:
    def joined(left: Pair, right: Pair) -> Pair:
        high, low = (f"({a} {operator} {b})" for a, b in zip(left, right, strict=True))
        return high, low

    return joined


_JOINED = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    **{operator: _bitwise(operator) for operator in "&|^"},
}


def hexadecimal(word: int) -> str:
    """A word as a literal, small ones in decimal."""
    return str(word) if word < 256 else f"0x{word:x}"
