"""The plain reading of a formula, by Python integers: one occupancy at a time.

This is the slow and obvious interpreter. Every counterexample is confirmed by it
before it is shown, and the other interpreters are tested against it.
"""

from collections.abc import Mapping

from magicert.formula.reading import Reading
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem


def evaluate(node: Node, values: Mapping[str, int], text: str = "") -> int:
    """The value of a formula's tree, an unsigned word of `node.width` bits.

    `values` gives each name its value. Raises InputError where a shift is by the word's width
    or more, and where a parameter has more bits than the word that it is used as.
    """
    return _Integers(values, text).value(node)


def shift_problem(node: Binary, amount: int, text: str) -> Problem:
    """The problem of a shift by `amount`, underlined at the amount.

    Half of all words and more stand for what is below zero, as 64 - bits is for 120 bits.
    """
    if amount >> (node.right.width - 1):
        amount -= 1 << node.right.width
    return Problem(
        f"shift by {amount}: expected less than the word's width, {node.width}",
        text=text,
        span=node.right.span,
    )


def fit_problem(node: Name, value: int, text: str) -> Problem:
    """The problem of a parameter that has more bits than the word that it is used as."""
    return Problem(
        f"{node.name} is {value:#x}: expected less than 2^{node.width}, the width it has here",
        text=text,
        span=node.span,
    )


class _Integers(Reading[int]):
    def __init__(self, values: Mapping[str, int], text: str) -> None:
        self.values = values
        self.text = text

    def literal(self, node: Literal) -> int:
        return node.value

    def name(self, node: Name) -> int:
        value = self.values[node.name]
        if value >> node.width:
            raise InputError([fit_problem(node, value, self.text)])
        return value

    def invert(self, node: Unary, x: int) -> int:
        return _wrap(~x, node.width)

    def negate(self, node: Unary, x: int) -> int:
        return _wrap(-x, node.width)

    def multiply(self, node: Binary, x: int, y: int) -> int:
        return _wrap(x * y, node.width)

    def add(self, node: Binary, x: int, y: int) -> int:
        return _wrap(x + y, node.width)

    def subtract(self, node: Binary, x: int, y: int) -> int:
        return _wrap(x - y, node.width)

    def bitwise_and(self, node: Binary, x: int, y: int) -> int:
        return x & y

    def bitwise_xor(self, node: Binary, x: int, y: int) -> int:
        return x ^ y

    def bitwise_or(self, node: Binary, x: int, y: int) -> int:
        return x | y

    def shift_left(self, node: Binary, x: int, amount: int) -> int:
        self.check_shift(node, amount)
        return _wrap(x << amount, node.width)

    def shift_right(self, node: Binary, x: int, amount: int) -> int:
        self.check_shift(node, amount)
        return x >> amount

    def check_shift(self, node: Binary, amount: int) -> None:
        if amount >= node.width:
            raise InputError([shift_problem(node, amount, self.text)])

    def u32(self, node: Call, x: int) -> int:
        return _wrap(x, 32)

    lo32 = u32

    def hi32(self, node: Call, x: int) -> int:
        return _wrap(x >> 32, 32)

    def rol32(self, node: Call, x: int, amount: int) -> int:
        return _rotate(_wrap(x, 32), amount % 32, 32)

    def u64(self, node: Call, x: int) -> int:
        return _wrap(x, 64)

    lo64 = u64

    def hi64(self, node: Call, x: int) -> int:
        return x >> 64

    def rol64(self, node: Call, x: int, amount: int) -> int:
        return _rotate(_wrap(x, 64), amount % 64, 64)

    def bswap64(self, node: Call, x: int) -> int:
        return int.from_bytes(_wrap(x, 64).to_bytes(8, "little"), "big")

    def pext(self, node: Call, x: int, mask: int) -> int:
        chosen = [x >> place & 1 for place in range(64) if mask >> place & 1]
        return sum(bit << place for place, bit in enumerate(chosen))

    def popcount(self, node: Call, x: int) -> int:
        return x.bit_count()

    def ctz(self, node: Call, x: int) -> int:
        return (x & -x).bit_length() - 1 if x else node.arguments[0].width


def _wrap(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def _rotate(x: int, r: int, width: int) -> int:
    return _wrap(x << r | x >> (width - r), width)
