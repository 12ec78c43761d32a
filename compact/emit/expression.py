"""The formula's tree as an expression of another language: what is emitted is what was proved.

    _Expression   the reading: it says where the brackets go
    Dialect       how one language writes literals, calls and the narrowing to 32 bits

Operands that are operations themselves are printed in brackets, except in chains of one
associative operator. So no language's precedence has to be known (C, Go, Swift and Python
all differ).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping

from magicert.formula.reading import Reading
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary

_CHAINS = ("&", "|", "^", "+", "*")
"""Associative operators: a chain of one of them needs no brackets."""


class Dialect(ABC):
    """How one language writes the operations of the formula language.

    `text(node, names)` is the whole expression; `names` says what stands for each name.
    """

    def text(self, node: Node, names: Mapping[str, str]) -> str:
        """The expression of a tree."""
        return _Expression(self, names).value(node)

    @abstractmethod
    def literal(self, value: int) -> str:
        """A 64-bit unsigned literal."""

    def word(self, value: int) -> str:
        """A literal that is a 64-bit word wherever it stands, also where no type is inferred."""
        return self.literal(value)

    @abstractmethod
    def narrow(self, function: str, word: str, width: int) -> str:
        """One of u32, lo32 and hi32; `width` is that of the argument."""

    @abstractmethod
    def rotate(self, word: str, amount: str, width: int) -> str:
        """A word of `width` bits rotated left by the amount, a word, modulo its width.

        A literal amount is already less than the width, and plain digits.
        """

    @abstractmethod
    def swap_bytes(self, word: str) -> str:
        """A 64-bit word with its bytes reversed."""

    @abstractmethod
    def ones(self, word: str, width: int) -> str:
        """The number of ones, a 64-bit word; `width` is that of the argument."""

    @abstractmethod
    def trailing_zeros(self, word: str, width: int) -> str:
        """The zeros below the lowest one, a 64-bit word; `width`, the argument's, if it is 0."""

    def unary(self, operator: str, operand: str, width: int) -> str:
        """`~x` or `-x`, wrapping."""
        return f"{operator}{operand}"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Two words of one width, joined by one of * + - & ^ |, wrapping."""
        return f"{left} {operator} {right}"

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """A logical shift by less than the word's width."""
        return f"{left} {operator} {amount}"

    def widen(self, text: str) -> str:
        """A 32-bit word as a 64-bit one, where the language does not do it by itself."""
        return text


class _Expression(Reading[str]):
    """The text of each operation, by a dialect; a value is the text without outer brackets."""

    def __init__(self, dialect: Dialect, names: Mapping[str, str]) -> None:
        self.dialect = dialect
        self.names = names

    def literal(self, node: Literal) -> str:
        return self.dialect.literal(node.value)

    def name(self, node: Name) -> str:
        return self.names[node.name]

    def invert(self, node: Unary, x: str) -> str:
        operand = _bracketed(node.operand, x)
        # "--x" would be another operator.
        operand = f"({operand})" if isinstance(node.operand, Unary) else operand
        return self.dialect.unary(node.operator, operand, node.width)

    negate = invert

    def add(self, node: Binary, x: str, y: str) -> str:
        left = self.widened(node, node.left, _bracketed(node.left, x, node.operator))
        right = self.widened(node, node.right, _bracketed(node.right, y, node.operator))
        return self.dialect.binary(left, node.operator, right, node.width)

    multiply = subtract = bitwise_and = bitwise_xor = bitwise_or = add

    def widened(self, node: Binary, operand: Node, text: str) -> str:
        return self.dialect.widen(text) if operand.width < node.width else text

    def shift_left(self, node: Binary, x: str, amount: str) -> str:
        left = self.word(node.left, _bracketed(node.left, x))
        if isinstance(node.right, Literal):
            shown = str(node.right.value)
        else:
            shown = _bracketed(node.right, amount)
        return self.dialect.shift(left, node.operator, shown, node.width, node.right.width)

    shift_right = shift_left

    def word(self, node: Node, text: str) -> str:
        """An operand that must have a type of its own."""
        return self.dialect.word(node.value) if isinstance(node, Literal) else text

    def u32(self, node: Call, x: str) -> str:
        (operand,) = node.arguments
        return self.dialect.narrow(node.function, self.word(operand, x), operand.width)

    lo32 = hi32 = u32

    def rol32(self, node: Call, x: str, amount: str) -> str:
        operand = node.arguments[0]
        word = self.word(operand, x)
        if operand.width == 64:
            word = self.dialect.narrow("u32", word, 64)
        return self.rotated(node, word, amount)

    def rol64(self, node: Call, x: str, amount: str) -> str:
        return self.rotated(node, self.whole(node, x), amount)

    def rotated(self, node: Call, word: str, amount: str) -> str:
        by = node.arguments[1]
        shown = str(by.value % node.width) if isinstance(by, Literal) else amount
        return self.dialect.rotate(word, shown, node.width)

    def bswap64(self, node: Call, x: str) -> str:
        return self.dialect.swap_bytes(self.whole(node, x))

    def whole(self, node: Call, x: str) -> str:
        """The first operand as a 64-bit word."""
        operand = node.arguments[0]
        if operand.width == 32:
            return self.dialect.widen(_bracketed(operand, x))
        return self.word(operand, x)

    def popcount(self, node: Call, x: str) -> str:
        (operand,) = node.arguments
        return self.dialect.ones(self.word(operand, x), operand.width)

    def ctz(self, node: Call, x: str) -> str:
        (operand,) = node.arguments
        return self.dialect.trailing_zeros(self.word(operand, x), operand.width)


def _bracketed(node: Node, text: str, inside: str = "") -> str:
    """An operand's text, in brackets where it stands beside the operator `inside`."""
    simple = isinstance(node, Literal | Name | Call | Unary)
    chain = isinstance(node, Binary) and node.operator == inside and inside in _CHAINS
    return text if simple or chain else f"({text})"


def receiver(text: str) -> str:
    """An expression that a method can be called on: in brackets where it needs them."""
    if text.isdecimal():  # the dot would be a decimal point
        return f"({text})"
    if re.fullmatch(r"[\w.\[\]]+", text):
        return text
    depth = 0
    for place, letter in enumerate(text, start=1):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            # The first bracket that closes at the very end holds all of it.
            return text if place == len(text) else f"({text})"
    raise AssertionError(text)
