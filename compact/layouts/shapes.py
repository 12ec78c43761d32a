"""Which of the packing schemes a table's formula is, whatever names its parameters have.

The kernels know three shapes, each with one multiplication and the top bits as index:
white, black and constant (see `magicert.scheme`). `(x & mask) * magic >> shift` is white
just as `>> (64 - bits)` is; the order of factors and terms does not matter.
"""

from dataclasses import dataclass

from magicert.formula import Formula
from magicert.formula.tree import OCCUPANCY, Binary, Name, Node, Unary, names


@dataclass(frozen=True, slots=True)
class Shape:
    """A recognised formula: its scheme, and the names or subtrees that play the parts.

    `constant` is the name of the added constant ("" where there is none), `shift` the
    subtree of the shift amount.
    """

    scheme: str
    magic: str
    constant: str
    shift: Node


def shape_of(formula: Formula) -> Shape | None:
    """The shape of a formula, or None where the kernels do not know it."""
    tree = formula.tree
    if not isinstance(tree, Binary) or tree.operator != ">>":
        return None
    if {OCCUPANCY, "mask"} & names(tree.right):
        return None
    constant = ""
    product = tree.left
    if isinstance(product, Binary) and product.operator == "+":
        for term, other in ((product.left, product.right), (product.right, product.left)):
            if isinstance(term, Name) and term.name not in (OCCUPANCY, "mask"):
                constant, product = term.name, other
                break
    if not isinstance(product, Binary) or product.operator != "*":
        return None
    for factor, blockers in ((product.left, product.right), (product.right, product.left)):
        if not isinstance(factor, Name) or factor.name in (OCCUPANCY, "mask", constant):
            continue
        if _is(blockers, "&", complement=False):
            scheme = "constant" if constant else "white"
            return Shape(scheme, factor.name, constant, tree.right)
        if _is(blockers, "|", complement=True) and not constant:
            return Shape("black", factor.name, "", tree.right)
    return None


def _is(node: Node, operator: str, complement: bool) -> bool:
    """Whether a node is `occ operator mask`, or `occ operator ~mask`, in either order."""
    if not isinstance(node, Binary) or node.operator != operator:
        return False
    for occupancy, board in ((node.left, node.right), (node.right, node.left)):
        if not (isinstance(occupancy, Name) and occupancy.name == OCCUPANCY):
            continue
        if complement:
            if not (isinstance(board, Unary) and board.operator == "~"):
                continue
            given = board.operand
        else:
            given = board
        if isinstance(given, Name) and given.name == "mask":
            return True
    return False
