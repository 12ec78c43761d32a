"""What a function of C or C++ reads of a struct that it is given, by clang's syntax tree of it.

    Bitboard rook(const Board &board, int square) { return slide(square, board.sides[BOTH]); }

That is `sides[2]` of `board`, and nothing else.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_NODE = re.compile(r"([| `-]*)(\w+) 0x\w+ (.*)")
_MEMBER = re.compile(r"(?:->|\.)(\w+) 0x\w+")
_CONSTANT = re.compile(r"EnumConstant 0x\w+ '(\w+)'")
_CASTS = {"ImplicitCastExpr", "ParenExpr", "ConstantExpr", "ExprWithCleanups"}
_IN_A_UNION = _CASTS | {
    "CompoundStmt", "ReturnStmt", "MemberExpr", "CXXThisExpr", "ArraySubscriptExpr",
    "IntegerLiteral", "CXXMemberCallExpr", "CXXConstructExpr", "MaterializeTemporaryExpr",
}  # fmt: skip
"""What stands in a method that gives the union of some members; and `|`, and constants."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct; of an array the entry, by its number and as the source says it, and of
    a method that it `is_called`.
    """

    name: str
    index: int | None = None
    constant: str = ""
    is_called: bool = False


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A statement or expression: how far below the function, and what clang says of it."""

    depth: int
    kind: str
    text: str


def nodes_of(lines: Sequence[str]) -> list[TreeNode]:
    """The statements and expressions of a function, as clang has them below it."""
    found = (_NODE.match(line) for line in lines)
    return [TreeNode(len(one[1]) // 2, one[2], one[3]) for one in found if one]


def members_read(
    nodes: Sequence[TreeNode], name: str, numbers: Mapping[str, int]
) -> set[Member] | None:
    """The members of the parameter `name` that a function looks at, or of its own object where that
    is "this"; None where it does something else with the object, or with an entry that is no
    constant. `numbers` are those of constants.
    """
    members = set[Member]()
    above = list[int]()
    for place, node in enumerate(nodes):
        above = [one for one in above if nodes[one].depth < node.depth]
        if _is_object(node, name):
            member = _member_of(nodes, [*above], numbers)
            if member is None:
                return None
            members.add(member)
        above.append(place)
    return members


def is_union(nodes: Sequence[TreeNode]) -> bool:
    """Whether a method does nothing but give the union of what it looks at."""
    return all(
        node.kind in _IN_A_UNION
        or (node.kind == "BinaryOperator" and node.text.endswith("'|'"))
        or (node.kind == "CXXOperatorCallExpr" and node.text.endswith("'|'"))
        or (node.kind == "DeclRefExpr" and re.search(r" EnumConstant | 'operator\|' ", node.text))
        for node in nodes
    )


def _is_object(node: TreeNode, name: str) -> bool:
    if name == "this":
        return node.kind == "CXXThisExpr"
    return node.kind == "DeclRefExpr" and f" '{name}' " in node.text and " ParmVar " in node.text


def _member_of(
    nodes: Sequence[TreeNode], above: list[int], numbers: Mapping[str, int]
) -> Member | None:
    """The member whose name stands above an object's."""
    place = _next_above(nodes, above)
    found = _MEMBER.search(nodes[place].text) if nodes[place].kind == "MemberExpr" else None
    if found is None:
        return None
    if "bound member function" in nodes[place].text:
        return Member(found[1], is_called=True)
    place = _next_above(nodes, above)
    if nodes[place].kind != "ArraySubscriptExpr":
        return Member(found[1])
    return _entry(found[1], [*_second_below(nodes, place)], numbers)


def _next_above(nodes: Sequence[TreeNode], above: list[int]) -> int:
    """The next node above that changes something, which is taken out of these."""
    while above:
        place = above.pop()
        pointed = nodes[place].kind == "UnaryOperator" and nodes[place].text.endswith("'*'")
        if nodes[place].kind not in _CASTS and not (pointed and "lvalue" in nodes[place].text):
            return place
    return 0


def _second_below(nodes: Sequence[TreeNode], place: int) -> Iterator[TreeNode]:
    """The second of what stands below a node, with all below that."""
    count, depth = 0, nodes[place].depth
    for node in nodes[place + 1 :]:
        if node.depth <= depth:
            return
        count += node.depth == depth + 1
        if count == 2:
            yield node


def _entry(name: str, index: Sequence[TreeNode], numbers: Mapping[str, int]) -> Member | None:
    """An entry of an array whose index is a literal or a constant's name."""
    rest = [node for node in index if node.kind not in _CASTS]
    if len(rest) != 1:
        return None
    (one,) = rest
    if one.kind == "IntegerLiteral":
        return Member(name, int(one.text.rpartition(" ")[2]))
    constant = _CONSTANT.search(one.text)
    if constant is None or constant[1] not in numbers:
        return None
    return Member(name, numbers[constant[1]], constant[1])
