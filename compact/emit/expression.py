"""The formula's tree as an expression of another language: what is emitted is what was proved.

A `Dialect` says how a language writes literals, calls and the narrowing to 32 bits; this
module says where the brackets go. Every dialect's operators are printed with brackets
around any operand that is itself an operation, but for chains of one associative
operator, so no language's precedence has to be known (C, Go, Swift and Python all differ).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping

from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary

_CHAINS = ("&", "|", "^", "+", "*")
"""Associative operators: a chain of one of them needs no brackets."""
NARROWING = ("u32", "lo32", "hi32")
"""The functions that cut a word to 32 bits."""


class Dialect(ABC):
    """How one language writes the operations of the formula language.

    `text(node, names)` is the whole expression; `names` says what stands for each name.
    """

    def text(self, node: Node, names: Mapping[str, str]) -> str:
        """The expression of a tree."""
        return self._node(node, names)

    def _node(self, node: Node, names: Mapping[str, str]) -> str:
        match node:
            case Literal():
                return self.literal(node.value)
            case Name():
                return names[node.name]
            case Unary():
                operand = self._operand(node.operand, names)
                # "--x" would be another operator.
                operand = f"({operand})" if isinstance(node.operand, Unary) else operand
                return self.unary(node.operator, operand, node.width)
            case Binary():
                return self._binary(node, names)
            case Call():
                return self._call(node, names)

    def _binary(self, node: Binary, names: Mapping[str, str]) -> str:
        left = self._operand(node.left, names, node.operator)
        right = self._operand(node.right, names, node.operator)
        if node.operator in ("<<", ">>"):
            amount = node.right
            shift = str(amount.value) if isinstance(amount, Literal) else right
            left = self.word(node.left.value) if isinstance(node.left, Literal) else left
            return self.shift(left, node.operator, shift, node.width, node.right.width)
        if node.left.width < node.width:
            left = self.widen(left)
        if node.right.width < node.width:
            right = self.widen(right)
        return self.binary(left, node.operator, right, node.width)

    def _call(self, node: Call, names: Mapping[str, str]) -> str:
        first, *rest = node.arguments
        width, function = first.width, node.function
        word = self.word(first.value) if isinstance(first, Literal) else self._node(first, names)
        if function in NARROWING:
            return self.narrow(function, word, width)
        if function in ("rol64", "bswap64") and width == 32:
            word = self.widen(self._operand(first, names))
        if function == "rol32" and width == 64:
            word = self.narrow("u32", word, width)
        match function:
            case "rol32" | "rol64":
                (amount,) = rest
                if isinstance(amount, Literal):
                    shown = str(amount.value % node.width)
                else:
                    shown = self._node(amount, names)
                return self.rotate(word, shown, node.width)
            case "bswap64":
                return self.swap_bytes(word)
            case "popcount":
                return self.ones(word, width)
            case "ctz":
                return self.trailing_zeros(word, width)
        raise AssertionError(function)

    def _operand(self, node: Node, names: Mapping[str, str], inside: str = "") -> str:
        text = self._node(node, names)
        simple = isinstance(node, Literal | Name | Call | Unary)
        chain = isinstance(node, Binary) and node.operator == inside and inside in _CHAINS
        return text if simple or chain else f"({text})"

    @abstractmethod
    def literal(self, value: int) -> str:
        """A 64-bit unsigned literal."""

    def word(self, value: int) -> str:
        """A literal that is a 64-bit word wherever it stands, also where no type is inferred."""
        return self.literal(value)

    @abstractmethod
    def narrow(self, function: str, word: str, width: int) -> str:
        """One of NARROWING; `width` is that of the argument."""

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


def receiver(text: str) -> str:
    """An expression that a method can be called on: in brackets where it needs them."""
    if re.fullmatch(r"[\w.\[\]]+", text):
        return text
    depth = 0
    for place, letter in enumerate(text, start=1):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            # The first bracket that closes at the very end holds all of it.
            return text if place == len(text) else f"({text})"
    raise AssertionError(text)
