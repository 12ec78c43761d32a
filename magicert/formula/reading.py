"""A reading: what every operation of the formula language means, in some kind of value.

Integers, numpy arrays, Z3 terms, source code: each is a class derived from `Reading`, with
one method for each operation and none for "any other". The walk over the tree is here, and
nowhere else. A new operation in `FUNCTIONS`, `OPERATORS` or `SIGNS` therefore stops every
reading from being imported until that reading has a method for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar

from magicert.formula.tree import (
    FUNCTIONS,
    OPERATORS,
    SIGNS,
    Binary,
    Call,
    Literal,
    Name,
    Node,
    Unary,
)

Value = TypeVar("Value")


def operations() -> Iterator[str]:
    """The methods that a reading must have for the language as it is: one an operation."""
    yield from ("literal", "name")
    yield from SIGNS.values()
    yield from (operator.method for operator in OPERATORS.values())
    yield from FUNCTIONS


class Reading(ABC, Generic[Value]):
    """One meaning of formulas. Each method gets the node and the values of its operands.

    A value is an unsigned word of `node.width` bits. The method's operands may be narrower
    than the node (32 bits beside 64, 64 beside 128): their own width is that of the node's
    operands. A function's argument may be wider than what the function takes of it.
    """

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        undeclared = sorted(Reading.__abstractmethods__ ^ {*operations()})
        if undeclared:
            raise TypeError(f"Reading and the language differ in: {', '.join(undeclared)}")
        unread = [name for name in operations() if _is_abstract(getattr(cls, name))]
        if unread:
            raise TypeError(f"{cls.__name__} does not read: {', '.join(unread)}")

    def value(self, node: Node) -> Value:
        """The value of a tree: operands first, from left to right."""
        value: Value
        match node:  # the commonest nodes first
            case Name():
                return self.name(node)
            case Binary():
                method = getattr(self, OPERATORS[node.operator].method)
                value = method(node, self.value(node.left), self.value(node.right))
            case Literal():
                return self.literal(node)
            case Unary():
                value = getattr(self, SIGNS[node.operator])(node, self.value(node.operand))
            case Call():
                value = getattr(self, node.function)(node, *map(self.value, node.arguments))
        return value

    @abstractmethod
    def literal(self, node: Literal) -> Value:
        """A number."""

    @abstractmethod
    def name(self, node: Name) -> Value:
        """The occupancy or a parameter."""

    @abstractmethod
    def invert(self, node: Unary, x: Value) -> Value:
        """`~x`."""

    @abstractmethod
    def negate(self, node: Unary, x: Value) -> Value:
        """`-x`, wrapping."""

    @abstractmethod
    def multiply(self, node: Binary, x: Value, y: Value) -> Value:
        """`x * y`, wrapping."""

    @abstractmethod
    def add(self, node: Binary, x: Value, y: Value) -> Value:
        """`x + y`, wrapping."""

    @abstractmethod
    def subtract(self, node: Binary, x: Value, y: Value) -> Value:
        """`x - y`, wrapping."""

    @abstractmethod
    def bitwise_and(self, node: Binary, x: Value, y: Value) -> Value:
        """`x & y`."""

    @abstractmethod
    def bitwise_xor(self, node: Binary, x: Value, y: Value) -> Value:
        """`x ^ y`."""

    @abstractmethod
    def bitwise_or(self, node: Binary, x: Value, y: Value) -> Value:
        """`x | y`."""

    @abstractmethod
    def shift_left(self, node: Binary, x: Value, amount: Value) -> Value:
        """`x << amount`; an amount of the node's width or more is an error of the input."""

    @abstractmethod
    def shift_right(self, node: Binary, x: Value, amount: Value) -> Value:
        """`x >> amount`, filled with zeros; the amount as in `shift_left`."""

    @abstractmethod
    def u32(self, node: Call, x: Value) -> Value:
        """The low 32 bits."""

    @abstractmethod
    def lo32(self, node: Call, x: Value) -> Value:
        """The low 32 bits: another name of `u32`."""

    @abstractmethod
    def hi32(self, node: Call, x: Value) -> Value:
        """Bits 32 to 63; 0 of a 32-bit word."""

    @abstractmethod
    def rol32(self, node: Call, x: Value, amount: Value) -> Value:
        """The low 32 bits, rotated left by the amount mod 32."""

    @abstractmethod
    def u64(self, node: Call, x: Value) -> Value:
        """The low 64 bits, zero-extended."""

    @abstractmethod
    def lo64(self, node: Call, x: Value) -> Value:
        """The low 64 bits: another name of `u64`."""

    @abstractmethod
    def hi64(self, node: Call, x: Value) -> Value:
        """Bits 64 to 127; 0 of a narrower word."""

    @abstractmethod
    def rol64(self, node: Call, x: Value, amount: Value) -> Value:
        """The low 64 bits, zero-extended, rotated left by the amount mod 64."""

    @abstractmethod
    def bswap64(self, node: Call, x: Value) -> Value:
        """The low 64 bits, zero-extended, with their bytes reversed."""

    @abstractmethod
    def pext(self, node: Call, x: Value, mask: Value) -> Value:
        """The low 64 bits where the mask has ones, moved together from bit 0 up."""

    @abstractmethod
    def popcount(self, node: Call, x: Value) -> Value:
        """The number of ones."""

    @abstractmethod
    def ctz(self, node: Call, x: Value) -> Value:
        """The number of zeros below the lowest one; of 0 the argument's width."""


def _is_abstract(method: object) -> bool:
    return bool(getattr(method, "__isabstractmethod__", False))
