"""What stands in for an item of Rust that is left out."""

import re
from typing import TYPE_CHECKING

from magicert.functions.compile.rust_errors import RustError
from magicert.functions.compile.rust_tree import (
    scope_of,
)
from magicert.functions.compile.syntax import node_text
from magicert.functions.llvm.markers import LEFT_OUT

if TYPE_CHECKING:
    from tree_sitter import Node


def item_text(node: "Node", name: str) -> str:
    """An item by its name; what implements something by its first words."""
    if name or node.type == "impl_item":
        return name or " ".join(node_text(node).partition("{")[0].split())[:60]
    return ""


def placeholder_of(name: str, seen: str, edition: str) -> str:
    """What keeps a name as a value's and as a type's. In a pattern a function's name would be a new
    variable's: a static is none.
    """
    return f"{seen}static {name}: fn({never_type(edition)}) = |_| (); {seen}mod {name} {{}}"


def never_type(edition: str) -> str:
    """A type of which there is no value."""
    return f"{'::std' if edition == '2015' else '::core'}::convert::Infallible"


def macro_placeholder(name: str) -> str:
    """What keeps a macro's name."""
    return f"macro_rules! {name} {{ ({LEFT_OUT} {LEFT_OUT}) => {{}} }}"


def doubled_placeholder(data: bytes, root: "Node", error: RustError) -> tuple[int, int] | None:
    """What keeps a name that something else in its module has, in the same namespace."""
    name = re.match(r"the name `(\w+)` is defined multiple times", error.message)
    if name is None:
        return None
    never = r"::\w+::convert::Infallible\)"
    value = rf"(?:fn {name[1]}\(_: {never} \{{\}}|static {name[1]}: fn\({never} = \|_\| \(\);)"
    pattern = value if "value namespace" in error.message else rf"mod {name[1]} \{{\}}"
    scope = scope_of(root.descendant_for_byte_range(error.begin, error.begin))
    for found in re.finditer(rf"(?:pub(?:\([\w: ]+\))? )?{pattern}".encode(), data):
        item = root.descendant_for_byte_range(found.start(), found.end() - 1)
        if item is not None and scope_of(item.parent if item.type == "mod_item" else item) == scope:
            return found.span()
    return None
