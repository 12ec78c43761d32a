"""What functions of C and C++ write and call, by their grammar."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.fill_texts import Call, FunctionText
from magicert.functions.compile.hints import project_folders
from magicert.functions.compile.names import c_files, without_attributes
from magicert.functions.compile.writers import node_text, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_READERS = {"size", "empty", "begin", "end", "cbegin", "cend", "data", "at", "count", "find"}
_STORES = {"assignment_expression": "left", "update_expression": "argument"}


@dataclass(frozen=True, slots=True)
class ReaderOfC:
    """The project of a source of C or C++."""

    source: Path

    @property
    def files(self) -> Iterator[Path]:
        """Its sources and headers."""
        return c_files(project_folders(self.source))

    def read(self, text: bytes, path: Path) -> tuple[list[FunctionText], set[str]]:
        """The functions of a file, and its methods, with their class."""
        root = parser_of("cpp").parse(without_attributes(text)).root_node
        return [*_functions_of(root, path)], {*_methods_of(root)}

    @property
    def is_whole(self) -> bool:
        """It is read as it stands."""
        return True

    def made_at_first_use(self, _variable: str, *, as_written: bool = False) -> str:
        """Static initialisers make them."""
        return ""

    def call_of(self, function: FunctionText, call: Call | None) -> str:
        """A call with the namespaces of the function."""
        scope = function.name.rpartition("::")[0]
        if call is None:
            return f"{function.name}()"
        return call.text if "::" in call.text or not scope else f"{scope}::{call.text}"


def _functions_of(root: "Node", file: Path) -> Iterator[FunctionText]:
    waiting = [(root, "")]
    while waiting:
        node, scope = waiting.pop()
        scope += _scope_of(node)
        if node.type != "function_definition":
            waiting += [(child, scope) for child in node.children]
            continue
        declarator = _function_declarator(node)
        name = declarator and node_text(declarator.child_by_field_name("declarator"))
        body = node.child_by_field_name("body")
        if declarator is None or not name or body is None:
            continue
        function = FunctionText(scope + name, file)
        parameters = declarator.child_by_field_name("parameters")
        for one in parameters.named_children if parameters is not None else ():
            function.wants += one.type == "parameter_declaration" and node_text(one) != "void"
            function.own_names |= set(_declared_names(one))
        _read_body(body, function)
        yield function


def _scope_of(node: "Node") -> str:
    if node.type in {"namespace_definition", "class_specifier", "struct_specifier"}:
        name = node_text(node.child_by_field_name("name"))
        return f"{name}::" if name else ""
    return ""


def _methods_of(root: "Node") -> Iterator[str]:
    """The methods that classes have for their objects, with the class."""
    waiting = [(root, "", False)]
    while waiting:
        node, scope, in_class = waiting.pop()
        more = _scope_of(node)
        in_class = node.type in {"class_specifier", "struct_specifier"} if more else in_class
        if node.type in {"field_declaration", "function_definition"} and in_class:
            is_static = any(node_text(child) == "static" for child in node.children)
            declarator = _function_declarator(node)
            if declarator is not None and not is_static:
                yield scope + node_text(declarator.child_by_field_name("declarator"))
        if node.type != "compound_statement":
            waiting += [(child, scope + more, in_class) for child in node.children]


def _function_declarator(node: "Node") -> "Node | None":
    """What names a function and what it takes, below pointers and references."""
    one = node.child_by_field_name("declarator")
    while one is not None and one.type != "function_declarator":
        below = one.child_by_field_name("declarator")
        one = below or next((c for c in one.named_children if "declarator" in c.type), None)
    return one


def _declared_names(node: "Node") -> Iterator[str]:
    """What a declaration names."""
    waiting = node.children_by_field_name("declarator")
    while waiting:
        one = waiting.pop()
        if one.type == "identifier":
            yield node_text(one)
        elif one.type == "reference_declarator":
            waiting += one.named_children
        else:
            waiting += one.children_by_field_name("declarator")


Written = Callable[["Node | None", int], None]
"""Notes what is written, and how surely."""


def _read_body(body: "Node", function: FunctionText) -> None:
    waiting, calls = [body], list["Node"]()

    def written(node: "Node | None", sureness: int) -> None:
        name = _base_of(node)
        if name and name not in function.own_names:
            function.writes[name] = min(sureness, function.writes.get(name, sureness))

    nodes = list["Node"]()
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += node.children
        if node.type == "declaration":
            function.own_names |= set(_declared_names(node))
    for node in sorted(nodes, key=lambda one: one.start_byte):
        if node.type in _STORES:
            written(node.child_by_field_name(_STORES[node.type]), 0)
        elif node.type == "pointer_expression" and node_text(node)[:1] == "&":
            written(node.child_by_field_name("argument"), 1)
        elif node.type == "init_declarator":
            declarator = node.child_by_field_name("declarator")
            if declarator is not None and declarator.type == "reference_declarator":
                written(node.child_by_field_name("value"), 1)
        elif node.type == "for_range_loop":
            if "&" in node_text(node.child_by_field_name("declarator")):
                written(node.child_by_field_name("right"), 1)
        elif node.type == "call_expression":
            calls.append(node)
            _note_call(node, function, written)


def _note_call(node: "Node", function: FunctionText, written: Written) -> None:
    called = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    values = arguments.named_children if arguments is not None else []
    if called is None:
        return
    names = {node_text(one) for value in values for one in _identifiers(value)}
    is_constant, of_object = not names & function.own_names, ""
    if called.type == "field_expression":
        method = node_text(called.child_by_field_name("field"))
        owner = called.child_by_field_name("argument")
        of_object = _base_of(owner)
        is_constant &= node_text(owner) == of_object and of_object not in function.own_names
        if method not in _READERS:
            written(owner, 1)
        name = method
    else:
        name = node_text(called).partition("<")[0].rpartition("::")[2]
    for value in values:
        if value.type in {"identifier", "qualified_identifier", "subscript_expression"}:
            written(value, 2)
    text = re.sub(r"\s+", " ", node_text(node))
    is_constant &= "this" not in names and not re.search(r'["\'\[{;]', text)
    function.calls.append(Call(name, text, is_constant, node.start_byte, of_object))


def _identifiers(node: "Node") -> Iterator["Node"]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in {"identifier", "this"}:
            yield one
        waiting += one.children


def _base_of(node: "Node | None") -> str:
    """The variable of which a place is a part."""
    while node is not None:
        if node.type == "identifier":
            return node_text(node)
        if node.type == "qualified_identifier":
            return node_text(node).rpartition("::")[2]
        inside = node.named_children if node.type == "parenthesized_expression" else []
        node = node.child_by_field_name("argument") or next(iter(inside), None)
    return ""
