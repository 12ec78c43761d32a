"""The tree of a parsed formula.

A node's `width` is 32 or 64: the word that its value wraps in. Literals and names
are 64-bit; `u32`, `lo32`, `hi32` and `rol32` yield 32-bit words; an operator on two
32-bit words stays 32-bit and everything else is 64-bit, the narrower side being
zero-extended. A shift keeps the width of its left side.

The tree knows no interpreter: it holds no numpy, no Z3.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from magicert.problem import Span


@dataclass(frozen=True, slots=True)
class Literal:
    """An integer literal, 0 <= value < 2^64."""

    value: int
    span: Span
    width: int = 64
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Name:
    """`occ`, `mask` or another parameter of the table."""

    name: str
    span: Span
    width: int = 64
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Unary:
    """`~x` or `-x`."""

    operator: str
    operand: "Node"
    span: Span
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class Binary:
    """`x op y` with op one of * + - << >> & ^ |. `span` covers the whole expression."""

    operator: str
    left: "Node"
    right: "Node"
    span: Span
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class Call:
    """One of FUNCTIONS applied to its arguments."""

    function: str
    arguments: tuple["Node", ...]
    span: Span
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

OCCUPANCY = "occ"
"""The name of the occupancy in every formula."""


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


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def names(node: Node) -> frozenset[str]:
    """The names that a formula uses."""
    return frozenset(n.name for n in walk(node) if isinstance(n, Name))
