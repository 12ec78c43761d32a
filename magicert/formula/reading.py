"""A reading: what every operation of the formula language means, in some kind of value.

Integers, numpy arrays, Z3 terms, source code: each is a class derived from `Reading`, with
one method for each operation and none for "any other". The walk over the tree is here, and
nowhere else. A new operation in `FUNCTIONS`, `OPERATORS` or `SIGNS` therefore stops every
reading from being imported until that reading has a method for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
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
from magicert.problem import InputError, Problem

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


# The plain reading of a formula, by Python integers: one occupancy at a time.


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
