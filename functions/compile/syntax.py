"""Syntax trees of Zig and Rust, and of C and C++ where no compiler is asked, by their grammars."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@cache
def parser_of(language: str) -> "Parser":
    """The parser of a grammar, by the name in that package's name."""
    import tree_sitter

    grammar = import_module(f"tree_sitter_{language}")
    return tree_sitter.Parser(tree_sitter.Language(grammar.language()))


_ATTRIBUTE = re.compile(
    rb"^[ \t]*#.*|\b(?P<macro>[A-Z][A-Z0-9_]{2,})\b"
    rb"(?=\s+(?:(?:static|inline|const|constexpr)\s+)*[A-Za-z_][\w:]*(?:\s*[*&]+\s*|\s+)"
    rb"[A-Za-z_][\w:]*\s*[\[({;=])",
    re.MULTILINE,
)
"""A macro before a definition, such as ALIGNED: no grammar knows that it is no type. What a line of
the preprocessor names is none.
"""


def without_attributes(text: bytes) -> bytes:
    """A text of C or C++ with spaces for such macros."""
    return _ATTRIBUTE.sub(lambda one: b" " * len(one[0]) if one["macro"] else one[0], text)


def nodes_below(node: "Node") -> "Iterator[Node]":
    """A node and all below it, in the order of the text."""
    waiting = [node]
    while waiting:
        yield (one := waiting.pop())
        waiting += reversed(one.named_children)


def leaves_of(root: "Node") -> Iterator["Node"]:
    """The words and signs of a tree, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.children:
            yield node
        waiting += reversed(node.children)


def node_text(node: "Node | None") -> str:
    """What stands in a node."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def name_of_function_around(node: "Node") -> str:
    """The function in which a node of Zig or Rust stands, in words: " in NAME"; "" outside."""
    up = node.parent
    while up is not None:
        if up.type in {"function_declaration", "function_item"}:
            return f" in {node_text(up.child_by_field_name('name'))}"
        up = up.parent
    return ""
