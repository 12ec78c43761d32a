"""What functions of Rust write and call, by their grammar.

    static mut T: [u64; 64] = ...;      T[s] = 1;  &mut T;  T.fill(0);  T.get_or_init(|| ...)

A function is named from its crate's root, or as its own module does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.cargo import build_script
from magicert.functions.compile.crates import Crate, root_of
from magicert.functions.compile.fill_texts import Call, FunctionText, Member, Written
from magicert.functions.compile.names import made_at_first_use
from magicert.functions.compile.rust_tree import (
    attributes_of,
    name_of,
    names_in_pattern,
    visibility,
)
from magicert.functions.compile.syntax import node_text, nodes_below, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_WRITES = frozenset({
    "set", "store", "call_once", "call_once_force", "get_or_init", "get_or_try_init", "write",
    "lock", "push", "insert", "swap", "fill", "copy_from_slice", "clone_from_slice", "replace",
})  # fmt: skip
"""Members that write to what they are called on, beside those whose names say it."""
_NOT_BUILT = frozenset({"target", "tests", "benches", "examples"})
"""Folders of a package that are not of its crate."""


@dataclass(frozen=True)
class ReaderOfRust:
    """The crate of a source of Rust. A module that compiles alone is a crate by itself."""

    source: Path
    alone: bool = False

    @cached_property
    def root(self) -> Path:
        """The crate's root; the source itself where it is of none."""
        if self.alone:
            return self.source.absolute()
        return root_of(self.source)

    @property
    def files(self) -> Iterator[Path]:
        """The source, and the files that may be modules of its crate."""
        yield self.source.absolute()
        folder = self.root.parent
        is_root = root_of(self.source) == self.source.absolute()
        for path in sorted(folder.rglob("*.rs")) if is_root or not self.alone else ():
            inside = path.relative_to(folder)
            if path != self.source.absolute() and _NOT_BUILT.isdisjoint(inside.parts):
                yield path

    def read(self, text: bytes, path: Path) -> tuple[list[FunctionText], list[Member]]:
        """The functions of a file, and its methods, with their type."""
        top = "" if path == self.root else f"{Crate(self.root).module_of(path)}::"
        functions, methods = list[FunctionText](), list[Member]()
        waiting = [(parser_of("rust").parse(text).root_node, top)]
        while waiting:
            node, scope = waiting.pop()
            if any("test" in node_text(one) for one in attributes_of(node)):
                continue
            if node.type == "function_item":
                function = _function_of(node, scope, path)
                functions.append(function)
                if _takes_itself(node):
                    methods.append(Member(function.name))
                continue
            inside = name_of(node) if node.type == "mod_item" else _type_of(node)
            scope += f"{inside}::" if inside else ""
            waiting += [(child, scope) for child in node.named_children]
        return functions, methods

    @property
    def is_whole(self) -> bool:
        """A build script may have the functions that seem to fill a table."""
        return build_script(self.source) is None

    def made_at_first_use(self, variable: str, *, as_written: bool = False) -> str:
        """The call that makes a LazyLock, and such."""
        last = variable.rpartition("::")[2]
        call = made_at_first_use(last, self.source) if last.isupper() or not as_written else ""
        name = variable if as_written else self.from_source(variable)
        return call.replace(f"&{last}", f"&{name}")

    def call_of(self, function: FunctionText, call: Call | None) -> str:
        """A call by the function's path, as the source's module has it."""
        source = self.source.absolute()
        if (call is None and function.wants) or not (function.is_public or function.file == source):
            return ""
        arguments = f"({call.text.partition('(')[2]}" if call is not None else "()"
        return f"{self.from_source(function.name)}{arguments}"

    def from_source(self, name: str) -> str:
        """A name of the crate's root, as the source's module has it."""
        source = self.source.absolute()
        top = "" if source == self.root else f"{Crate(self.root).module_of(source)}::"
        return name.removeprefix(top) if name.startswith(top) else f"crate::{name}"


def _type_of(node: "Node") -> str:
    """The type that an implementation is of, without what it is given."""
    kind = node.child_by_field_name("type") if node.type == "impl_item" else None
    names = (one for one in nodes_below(kind) if one.type == "type_identifier") if kind else ()
    return next(map(node_text, names), "")


def _takes_itself(node: "Node") -> bool:
    parameters = node.child_by_field_name("parameters")
    inside = parameters.named_children if parameters is not None else []
    return any(one.type == "self_parameter" for one in inside)


def _function_of(node: "Node", scope: str, path: Path) -> FunctionText:
    function = FunctionText(scope + name_of(node), path, is_public=bool(visibility(node)))
    parameters = node.child_by_field_name("parameters")
    takes = (
        [one for one in parameters.named_children if one.type == "parameter"] if parameters else []
    )
    function.wants = len(takes) + (node.child_by_field_name("type_parameters") is not None)
    function.switches = frozenset(
        place for place, one in enumerate(takes)
        if node_text(one.child_by_field_name("type")) == "bool"
    )  # fmt: skip
    for one in takes:
        function.own_names.update(names_in_pattern(one))
    if (body := node.child_by_field_name("body")) is not None:
        _read_body(body, function)
    return function


def _read_body(body: "Node", function: FunctionText) -> None:
    nodes = [*nodes_below(body)]
    for node in nodes:
        if node.type in {"identifier", "scoped_identifier"}:
            last = node_text(node).rpartition("::")[2]
            function.names.setdefault(last, node_text(node))
        function.own_names.update(names_in_pattern(node))
    written: Written = lambda name, sureness: _note(function, name, sureness)  # noqa: E731
    for node in nodes:
        match node.type:
            case "assignment_expression" | "compound_assignment_expr":
                written(_base_of(node.child_by_field_name("left")), 0)
            case "reference_expression" if _is_mutable(node):
                written(_base_of(node.child_by_field_name("value")), 1)
            case "macro_invocation" if "addr_of_mut" in node_text(
                node.child_by_field_name("macro")
            ):
                inside = (one for one in nodes_below(node) if one.type == "identifier")
                for one in inside:
                    written(node_text(one), 1)
            case "call_expression":
                _note_call(node, function, written)


def _note(function: FunctionText, name: str, sureness: int) -> None:
    if name and name not in function.own_names:
        function.writes[name] = min(sureness, function.writes.get(name, sureness))


def _is_mutable(node: "Node") -> bool:
    return any(child.type == "mutable_specifier" for child in node.children)


def _note_call(node: "Node", function: FunctionText, written: Written) -> None:
    called, arguments = (node.child_by_field_name(key) for key in ("function", "arguments"))
    if called is None or arguments is None:
        return
    if called.type == "generic_function":
        called = called.child_by_field_name("function") or called
    of_object, owner = "", ""
    if called.type == "field_expression":
        name = node_text(called.child_by_field_name("field"))
        value = called.child_by_field_name("value")
        of_object = _base_of(value)
        if name in _WRITES or re.search(r"(^|_)mut(_|$)", name):
            written(of_object, 1)
        if value is None or value.type != "identifier":
            of_object = ""
    else:
        owner, _, name = node_text(called).rpartition("::")
    values = [_as_argument(one, function) for one in arguments.named_children]
    text = f"{node_text(called)}({', '.join(values)})"
    is_constant = all(values) and (not of_object or of_object not in function.own_names)
    is_constant &= not any(set(value) & set("\"'[{;") for value in values)
    function.calls.append(
        Call(name, text, is_constant, node.start_byte, of_object, owner, tuple(values))
    )


def _as_argument(node: "Node", function: FunctionText) -> str:
    """What is given, or its address by its last name; "" where it is the function's own."""
    if node.type == "unsafe_block":
        inside = node.named_children[0].named_children
        node = inside[0] if len(inside) == 1 else node
    own = _names(node) & {*function.own_names, "self"}
    if node.type == "reference_expression" and _is_mutable(node):
        base = _base_of(node.child_by_field_name("value"))
        return "" if not base or base in function.own_names else f"&mut {base}"
    return "" if own else " ".join(node_text(node).split())


def _names(node: "Node") -> set[str]:
    """What an expression names."""
    return {node_text(one) for one in nodes_below(node) if one.type in {"identifier", "self"}}


def _base_of(node: "Node | None") -> str:
    """The variable of which a place is a part, by its last name."""
    while node is not None:
        if node.type == "identifier":
            return node_text(node)
        if node.type == "scoped_identifier":
            return name_of(node)
        fields = (node.child_by_field_name(key) for key in ("value", "function"))
        node = next(chain(filter(None, fields), node.named_children), None)
    return ""
