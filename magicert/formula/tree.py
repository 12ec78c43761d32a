"""The tree of a parsed formula.

A node's `width` is 32 or 64: the word that its value wraps in. Literals and names
are 64-bit; `u32`, `lo32`, `hi32` and `rol32` yield 32-bit words; an operator on two
32-bit words stays 32-bit and everything else is 64-bit, the narrower side being
zero-extended. A shift keeps the width of its left side.

Two nodes are equal where they mean the same, wherever they stand in their texts.

The tree knows no interpreter: it holds no numpy, no Z3. `FUNCTIONS`, `OPERATORS` and
`SIGNS` are the whole language; each of them names the method of a `Reading` (reading.py)
that says what it means.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from magicert.problem import Span


@dataclass(frozen=True, slots=True)
class Literal:
    """An integer literal, 0 <= value < 2^64."""

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
    """A function of the language: its number of arguments, its width and its meaning."""

    arity: int
    width: int
    meaning: str


FUNCTIONS: dict[str, Function] = {
    "u32": Function(1, 32, "the low 32 bits of x, as a 32-bit word"),
    "lo32": Function(1, 32, "the low 32 bits of x, as a 32-bit word"),
    "hi32": Function(1, 32, "the high 32 bits of x, as a 32-bit word"),
    "rol32": Function(2, 32, "the low 32 bits of x, rotated left by r mod 32"),
    "rol64": Function(2, 64, "x rotated left by r mod 64"),
    "bswap64": Function(1, 64, "x with its eight bytes reversed (ranks 1-8 become 8-1)"),
    "popcount": Function(1, 64, "the number of ones in x"),
    "ctz": Function(1, 64, "the number of zeros below the lowest one of x; its width if x is 0"),
}

SIGNS: dict[str, str] = {"~": "invert", "-": "negate"}
"""The unary operators, each with its method of a reading. They bind tighter than the others."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A binary operator: its method of a reading, and how tightly it binds."""

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


def names(node: Node) -> frozenset[str]:
    """The names that a formula uses."""
    return frozenset(n.name for n in walk(node) if isinstance(n, Name))
