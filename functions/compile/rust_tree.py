"""Syntax trees of Rust: what an item is called, where it begins, and what it stands in."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.syntax import node_text, nodes_below

if TYPE_CHECKING:
    from tree_sitter import Node


def name_of(node: "Node") -> str:
    """What an item, or a part of an import, is called; "" where it has no name."""
    for key in ("alias", "name"):
        if (named := node.child_by_field_name(key)) is not None:
            return node_text(named)
    return ""


def visibility(node: "Node") -> str:
    """Who may use an item, as in "pub(crate) ", with a space behind; "" where nothing says it."""
    seen = next((c for c in node.children if c.type == "visibility_modifier"), None)
    return f"{node_text(seen)} " if seen is not None else ""


def begin_with_attributes(node: "Node") -> int:
    """Where an item begins, with its attributes."""
    return min(one.start_byte for one in (node, *attributes_of(node)))


def item_behind(node: "Node") -> "Node | None":
    """What an attribute is of."""
    behind = node.next_named_sibling
    while behind is not None and behind.type in {"attribute_item", "line_comment", "block_comment"}:
        behind = behind.next_named_sibling
    return behind


def function_around(node: "Node") -> "Node | None":
    """The outermost function in whose body a node is."""
    found, below, above = None, node, node.parent
    while above is not None:
        if above.type == "function_item" and above.child_by_field_name("body") == below:
            found = above
        below, above = above, above.parent
    return found


def module_around(path: Path, node: "Node") -> str:
    """The module that a node of a file stands in, by its own name."""
    above = node.parent
    while above is not None and above.type != "mod_item":
        above = above.parent
    if above is not None:
        return name_of(above)
    return path.parent.name if path.stem == "mod" else path.stem


def scope_of(node: "Node | None") -> "Node | None":
    """The block, the list of items or the file in which a node stands, or that it is."""
    while node is not None and node.type not in {"declaration_list", "block", "source_file"}:
        node = node.parent
    return node


def text_from(node: "Node", begin: int) -> str:
    """What stands from a byte before a node up to its end."""
    above = node
    while above.start_byte > begin and above.parent is not None:
        above = above.parent
    return (above.text or b"")[begin - above.start_byte : node.end_byte - above.start_byte].decode(
        "utf-8", "replace"
    )


def imported_names(node: "Node") -> Iterator[str]:
    """The names that a part of a use declaration brings."""
    match node.type:
        case "use_declaration":
            for child in node.children_by_field_name("argument"):
                yield from imported_names(child)
        case "use_as_clause":
            if (alias := name_of(node)) != "_":
                yield alias
        case "scoped_use_list" | "use_list":
            inside = node.child_by_field_name("list") if node.type == "scoped_use_list" else node
            for child in inside.named_children if inside is not None else ():
                if child.type == "self":
                    path = node.child_by_field_name("path")
                    yield node_text(path).rpartition("::")[2] if path is not None else ""
                else:
                    yield from imported_names(child)
        case "scoped_identifier":
            yield name_of(node)
        case "identifier":
            yield node_text(node)


def attributes_of(node: "Node") -> "Iterator[Node]":
    """An item's attributes, the nearest first."""
    before = node.prev_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item":
            yield before
        before = before.prev_sibling


def names_in_pattern(node: "Node") -> Iterator[str]:
    """The variables that a `let`, a loop, an arm or a closure makes."""
    patterns = node.children_by_field_name("pattern")
    if node.type == "closure_parameters":
        patterns = [node]
    for pattern in patterns:
        for one in nodes_below(pattern):
            if one.type == "identifier" and not node_text(one)[:1].isupper():
                yield node_text(one)
