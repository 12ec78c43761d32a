"""How a call may look of a function or macro that takes more than a square and the occupied
squares, or them in another order, as its own text tells.

    u64 rook(u64 all, int s, u64 to) { return sets(all, s) & to; }      to is ~0ull
    u64 rook(int s, u64 own, u64 all) { return sets(all, s) & ~own; }   own is 0
    #define ROOK(o, s) table[s][hash(o, s)]                             s is the square

A set of squares that the result is cut to is given so that nothing is cut off: then the function
gives the attack set. Any other parameter has no value here that could be guessed.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from magicert.functions.compile.syntax import node_text, nodes_below, parser_of, without_attributes

if TYPE_CHECKING:
    from tree_sitter import Node

EVERYTHING, NOTHING = "~0ull", "0"


def cuts_of(name: str, text: bytes) -> tuple[list[str], dict[str, str]]:
    """The parameters of a function that a text defines, in their order, and those that its result
    is cut to, each with the value that cuts nothing off; no parameters where the text defines none,
    or several.
    """
    last = name.rpartition("::")[2]
    root = parser_of("cpp").parse(without_attributes(text)).root_node
    defined = [
        (declarator, node)
        for node in _nodes(root, "function_definition")
        for declarator in _nodes(node.child_by_field_name("declarator"), "function_declarator")
        if node_text(declarator.child_by_field_name("declarator")).rpartition("::")[2] == last
    ]
    if len(defined) != 1:
        return [], {}
    ((declarator, function),) = defined
    takes = declarator.child_by_field_name("parameters")
    parameters = [
        next(map(node_text, _nodes(one.child_by_field_name("declarator"), "identifier")), "")
        for one in _nodes(takes, "parameter_declaration")
    ]
    returns = [*_nodes(function.child_by_field_name("body"), "return_statement")]
    cuts = [dict(_cut_to(one.named_children[0])) for one in returns if one.named_children]
    same = all(one == cuts[0] for one in cuts)
    return parameters, {one: cuts[0][one] for one in parameters if same and one in cuts[0]}


def square_among(parameters: Sequence[str], text: str) -> str:
    """Which of two parameters is an index of a table by itself, in what a macro stands for; ""
    where both or none are.
    """
    root = parser_of("cpp").parse(f"auto set = {text};".encode()).root_node
    indices = [
        node_text(one)
        for subscript in _nodes(root, "subscript_expression")
        for listed in subscript.named_children[1:]
        for one in (listed.named_children if "list" in listed.type else [listed])
    ]
    places = [one for one in parameters if one in indices or f"({one})" in indices]
    return places[0] if len(places) == 1 else ""


def _cut_to(value: "Node") -> Iterator[tuple[str, str]]:
    """The names that a value is cut to by &, or by what they are not."""
    if value.type == "parenthesized_expression":
        yield from _cut_to(value.named_children[0])
    elif (
        value.type == "binary_expression"
        and node_text(value.child_by_field_name("operator")) == "&"
    ):
        for side in ("left", "right"):
            operand = value.child_by_field_name(side)
            if operand is not None and operand.type == "identifier":
                yield node_text(operand), EVERYTHING
            elif operand is not None and operand.type in {"pointer_expression", "unary_expression"}:
                argument = operand.child_by_field_name("argument")
                if node_text(operand)[:1] == "~" and argument is not None:
                    yield node_text(argument), NOTHING
            elif operand is not None:
                yield from _cut_to(operand)


def _nodes(top: "Node | None", kind: str) -> Iterator["Node"]:
    """The nodes of a kind at and below a node, in the order of the text."""
    return (node for node in nodes_below(top) if node.type == kind) if top is not None else iter(())
