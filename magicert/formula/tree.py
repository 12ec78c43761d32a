"""The tree of a parsed formula.

A node's `width` is 32, 64 or 128: the word that its value wraps in. `u32`, `lo32`, `hi32`
and `rol32` yield 32-bit words, the other functions 64-bit ones. An operator has the width of
its wider side, the narrower one being zero-extended; a shift keeps the width of its left side.

In a formula of 64-bit words all names and literals are 64-bit. In one of 128-bit words the names
in WHOLE_BOARD are 128-bit; parameters and literals take the width of what they stand beside
(parse.py).

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
    """A function of the language: its number of arguments, its width and its meaning."""

    arity: int
    width: int
    meaning: str


FUNCTIONS: dict[str, Function] = {
    "u32": Function(1, 32, "the low 32 bits of x, as a 32-bit word"),
    "lo32": Function(1, 32, "the low 32 bits of x, as a 32-bit word"),
    "hi32": Function(1, 32, "bits 32 to 63 of x, as a 32-bit word"),
    "rol32": Function(2, 32, "the low 32 bits of x, rotated left by r mod 32"),
    "u64": Function(1, 64, "the low 64 bits of x, as a 64-bit word"),
    "lo64": Function(1, 64, "the low 64 bits of x, as a 64-bit word"),
    "hi64": Function(1, 64, "bits 64 to 127 of x, as a 64-bit word; 0 if x is narrower"),
    "rol64": Function(2, 64, "the low 64 bits of x, rotated left by r mod 64"),
    "bswap64": Function(1, 64, "the low 64 bits of x, their eight bytes reversed"),
    "pext": Function(2, 64, "the low 64 bits of x where m has ones, moved together from bit 0 up"),
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
