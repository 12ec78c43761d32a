"""The tree of a parsed formula.

A node's `width` is 32, 64, 128 or 256: the word that its value wraps in. `u32`, `lo32`, `hi32`
and `rol32` yield 32-bit words, the other functions 64-bit ones. An operator has the width of
its wider side, the narrower one being zero-extended; a shift keeps the width of its left side.

In a formula of 64-bit words all names and literals are 64-bit. In one of 128-bit words (or 256) the
names in WHOLE_BOARD are as wide; parameters and literals take the width of what they stand beside
(parse.py).

Two nodes are equal where they mean the same, wherever they stand in their texts.

The tree knows no interpreter: it holds no numpy, no Z3. `FUNCTIONS`, `OPERATORS` and
`SIGNS` are the whole language; each of them names the method of an `Interpretation` that
says what it means.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from magicert.problem import InputError, Problem, Span


@dataclass(frozen=True, slots=True)
class Literal:
    """An integer literal, 0 <= value < 2^width."""

    value: int
    span: Span = field(compare=False)
    width: int = 64
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Name:
    """`occ`, `mask` or another parameter of the table."""

    name: str
    span: Span = field(compare=False)
    width: int = 64
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Unary:
    """One of SIGNS before its operand."""

    operator: str
    operand: "Node"
    span: Span = field(compare=False)
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class Binary:
    """One of OPERATORS between its operands. `span` covers the whole expression."""

    operator: str
    left: "Node"
    right: "Node"
    span: Span = field(compare=False)
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class Call:
    """One of FUNCTIONS applied to its arguments."""

    function: str
    arguments: tuple["Node", ...]
    span: Span = field(compare=False)
    width: int
    depth: int


Node = Literal | Name | Unary | Binary | Call


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language: its number of arguments, its width and its meaning. Where it is
    another name of one, `same_as` is that one: trees have no other.
    """

    arity: int
    width: int
    meaning: str
    same_as: str = ""


FUNCTIONS: dict[str, Function] = {
    "u32": Function(1, 32, "the low 32 bits of x, as a 32-bit word"),
    "lo32": Function(1, 32, "the low 32 bits of x, as a 32-bit word", same_as="u32"),
    "hi32": Function(1, 32, "bits 32 to 63 of x, as a 32-bit word; 0 if x is narrower"),
    "rol32": Function(2, 32, "the low 32 bits of x, rotated left by r mod 32"),
    "u64": Function(1, 64, "the low 64 bits of x, as a 64-bit word"),
    "lo64": Function(1, 64, "the low 64 bits of x, as a 64-bit word", same_as="u64"),
    "hi64": Function(1, 64, "bits 64 to 127 of x, as a 64-bit word; 0 if x is narrower"),
    "rol64": Function(2, 64, "the low 64 bits of x, rotated left by r mod 64"),
    "bswap64": Function(1, 64, "the low 64 bits of x, their eight bytes reversed"),
    "pext": Function(2, 64, "the low 64 bits of x where m has ones, moved together from bit 0 up"),
    "popcount": Function(1, 64, "the number of ones in x"),
    "ctz": Function(1, 64, "the number of zeros below the lowest one of x; its width if x is 0"),
}

SIGNS: dict[str, str] = {"~": "invert", "-": "negate"}
"""The unary operators, each with its method of `Interpretation`. They bind tighter than others."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A binary operator: its method of an interpretation, and how tightly it binds."""

    method: str
    level: int


OPERATORS: dict[str, Operator] = {
    "|": Operator("bitwise_or", 1),
    "^": Operator("bitwise_xor", 2),
    "&": Operator("bitwise_and", 3),
    "<<": Operator("shift_left", 4),
    ">>": Operator("shift_right", 4),
    "+": Operator("add", 5),
    "-": Operator("subtract", 5),
    "*": Operator("multiply", 6),
}

SHIFTS = ("<<", ">>")
"""The operators whose right side is an amount; their width is that of the left side."""

OCCUPANCY = "occ"
"""The name of the occupancy in every formula."""
WORD, LINE = "word", "line"
"""In a formula of a result: the loaded word, and the attack set on the empty board."""
MASK = "mask"
"""The name of the relevant occupancy."""
WHOLE_BOARD = frozenset((OCCUPANCY, MASK, WORD, LINE))
"""Names of words that have a bit for each square, so that they are as wide as the board's words."""


def children(node: Node) -> tuple[Node, ...]:
    """The operands of a node, left to right."""
    match node:
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case _:
            return ()


def with_children(node: Node, operands: tuple[Node, ...]) -> Node:
    """The node with other operands, of the same widths."""
    match node:
        case Unary():
            return replace(node, operand=operands[0])
        case Binary():
            return replace(node, left=operands[0], right=operands[1])
        case Call():
            return replace(node, arguments=operands)
        case _:
            return node


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def used_width(node: Node, name: str) -> int:
    """The bits that a parameter's value may have: the least width that it is used at.

    64 if it is not used at all.
    """
    uses = (n.width for n in walk(node) if isinstance(n, Name) and n.name == name)
    return min(uses, default=64)


def names(node: Node) -> frozenset[str]:
    """The names that a formula uses."""
    return frozenset(n.name for n in walk(node) if isinstance(n, Name))


# An interpretation: what every operation of the formula language means, in some kind of value.
#
# Integers, numpy arrays, Z3 terms, source code: each is a class derived from `Interpretation`, with
# one method for each operation and none for "any other". The walk over the tree is here, and
# nowhere else. A new operation in `FUNCTIONS`, `OPERATORS` or `SIGNS` therefore stops every
# interpretation from being imported until that interpretation has a method for it.

Value = TypeVar("Value")


def operations() -> Iterator[str]:
    """The methods that an interpretation must have for the language as it is: one an operation."""
    yield from ("literal", "name")
    yield from SIGNS.values()
    yield from (operator.method for operator in OPERATORS.values())
    yield from (name for name, function in FUNCTIONS.items() if not function.same_as)


class Interpretation(ABC, Generic[Value]):
    """One meaning of formulas: a method for each of `operations()`, which gets the node and the
    values of its operands. What wraps, wraps in the node's width; a shift by it or more is an error
    of the input.

    A value is an unsigned word of `node.width` bits. The method's operands may be narrower
    than the node (32 bits beside 64, 64 beside 128 or 256): their own width is that of the node's
    operands. A function's argument may be wider than what the function takes of it.
    """

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        unread = [name for name in operations() if not hasattr(cls, name)]
        if unread:
            raise TypeError(f"{cls.__name__} does not read: {', '.join(unread)}")

    def value(self, node: Node) -> Value:
        """The value of a tree: operands first, from left to right."""
        match node:  # the commonest nodes first
            case Name():
                return self.name(node)
            case Binary():
                read = getattr(self, OPERATORS[node.operator].method)
                return read(node, self.value(node.left), self.value(node.right))
            case Literal():
                return self.literal(node)
            case Unary():
                return getattr(self, SIGNS[node.operator])(node, self.value(node.operand))
            case Call():
                return getattr(self, node.function)(node, *map(self.value, node.arguments))

    @abstractmethod
    def literal(self, node: Literal) -> Value:
        """A number."""

    @abstractmethod
    def name(self, node: Name) -> Value:
        """The occupancy or a parameter."""


# The plain interpretation of a formula, by Python integers: one occupancy at a time.


def evaluate(node: Node, values: Mapping[str, int], text: str = "") -> int:
    """The value of a formula's tree, an unsigned word of `node.width` bits.

    `values` gives each name its value. Raises InputError where anything but 0 is shifted by the
    word's width or more, and where a parameter has more bits than the word that it is used as.
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


class _Integers(Interpretation[int]):
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
        return _wrap(x << self.checked(node, x, amount), node.width)

    def shift_right(self, node: Binary, x: int, amount: int) -> int:
        return x >> self.checked(node, x, amount)

    def checked(self, node: Binary, x: int, amount: int) -> int:
        """A shift's amount. 0 stays 0, whatever it is shifted by."""
        if amount >= node.width and x:
            raise InputError([shift_problem(node, amount, self.text)])
        return min(amount, node.width - 1)

    def u32(self, node: Call, x: int) -> int:
        return _wrap(x, 32)

    def hi32(self, node: Call, x: int) -> int:
        return _wrap(x >> 32, 32)

    def rol32(self, node: Call, x: int, amount: int) -> int:
        return _rotate(_wrap(x, 32), amount % 32, 32)

    def u64(self, node: Call, x: int) -> int:
        return _wrap(x, 64)

    def hi64(self, node: Call, x: int) -> int:
        return _wrap(x >> 64, 64)

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
