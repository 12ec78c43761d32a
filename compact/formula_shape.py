"""Which of the packing schemes a table's formula is, whatever names its parameters have.

The kernels know schemes with one multiplication and the top bits as index: those that
declare a product in `magicert.scheme`. `(x & mask) * magic >> shift` is white just as
`>> (64 - bits)` is; the order of factors and terms does not matter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from magicert.formula import Formula, parse
from magicert.formula.tree import OCCUPANCY, Binary, Call, Name, Node, Unary, children, names
from magicert.scheme import SCHEMES, scheme_of

RESULT = parse("word & line")
"""What is made of an entry that several squares share."""


def is_masked(result: Formula | None) -> bool:
    """Whether a result is `word & line`."""
    return result is not None and result.tree in (RESULT.tree, parse("line & word").tree)


_FIXED_NAMES = (OCCUPANCY, "mask")
"""The names that mean the same in every table; what others are called is free."""


_COMMUTATIVE = ("*", "+", "&", "|", "^")


@dataclass(frozen=True, slots=True)
class FormulaShape:
    """A recognised formula: its scheme, and the names or subtrees that play the parts.

    `constant` is the name of the added constant ("" where there is none), `shift` the
    subtree of the shift amount.
    """

    scheme: str
    magic: str
    constant: str
    shift: Node


def shape_of(formula: Formula) -> FormulaShape | None:
    """The shape of a formula, or None where the kernels do not know it."""
    tree = formula.tree
    if not isinstance(tree, Binary) or tree.operator != ">>" or OCCUPANCY in names(tree.right):
        return None
    for name in (name for name, scheme in SCHEMES.items() if scheme.product is not None):
        scheme = scheme_of(name, formula.word)
        pattern = scheme.formula.tree
        if scheme.product is None or not isinstance(pattern, Binary):
            continue
        for bindings in _matches([pattern.left], [tree.left], {}):
            constant = bindings.get(scheme.product.constant, "")
            return FormulaShape(scheme.name, bindings[scheme.free], constant, tree.right)
    return None


def _matches(
    patterns: Sequence[Node], nodes: Sequence[Node], bindings: Mapping[str, str]
) -> Iterator[Mapping[str, str]]:
    """Ways to read nodes as patterns: which name plays the part of each name of the patterns.

    `bindings` are the parts that are given already; two parts have two names.
    """
    if not patterns:
        yield bindings
        return
    pattern, node = patterns[0], nodes[0]
    if isinstance(pattern, Name) and pattern.name not in _FIXED_NAMES:
        if isinstance(node, Name) and node.name not in (*_FIXED_NAMES, *bindings.values()):
            extended = {**bindings, pattern.name: node.name}
            yield from _matches(patterns[1:], nodes[1:], extended)
        return
    if _operation(pattern) != _operation(node):
        return
    operands = children(node)
    orders = [operands]
    if isinstance(node, Binary) and node.operator in _COMMUTATIVE:
        orders.append(operands[::-1])
    for order in orders:
        for parts in _matches(children(pattern), order, bindings):
            yield from _matches(patterns[1:], nodes[1:], parts)


def _operation(node: Node) -> object:
    """What a node is, without its operands."""
    match node:
        case Unary() | Binary():
            return type(node), node.operator
        case Call():
            return node.function
        case _:
            return node
