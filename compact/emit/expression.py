"""The formula's tree as an expression of another language: what is emitted is what was proved.

A `Dialect` says how a language writes literals, calls and the narrowing to 32 bits; this
module says where the brackets go. Every dialect's operators are printed with brackets
around any operand that is itself an operation, but for chains of one associative
operator, so no language's precedence has to be known (C, Go, Swift and Python all differ).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary

_CHAINS = ("&", "|", "^", "+", "*")
"""Associative operators: a chain of one of them needs no brackets."""


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
                arguments = [self._node(argument, names) for argument in node.arguments]
                return self.call(node.function, arguments, node.arguments[0].width)

    def _binary(self, node: Binary, names: Mapping[str, str]) -> str:
        left = self._operand(node.left, names, node.operator)
        right = self._operand(node.right, names, node.operator)
        if node.operator in ("<<", ">>"):
            amount = node.right
            shift = str(amount.value) if isinstance(amount, Literal) else right
            return self.shift(left, node.operator, shift, node.width, node.right.width)
        if node.left.width < node.width:
            left = self.widen(left)
        if node.right.width < node.width:
            right = self.widen(right)
        return self.binary(left, node.operator, right, node.width)

    def _operand(self, node: Node, names: Mapping[str, str], inside: str = "") -> str:
        text = self._node(node, names)
        simple = isinstance(node, Literal | Name | Call | Unary)
        chain = isinstance(node, Binary) and node.operator == inside and inside in _CHAINS
        return text if simple or chain else f"({text})"

    @abstractmethod
    def literal(self, value: int) -> str:
        """A 64-bit unsigned literal."""

    @abstractmethod
    def call(self, function: str, arguments: list[str], width: int) -> str:
        """A function of the formula language; `width` is that of its first argument."""

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
