"""What functions of Zig write and call, by their grammar.

    pub var table: [64]u64 = undefined;     table[s] = 1;  &table;  table = make();

A question about a source calls what is public there; other files of the project show how it is
called.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.fill_texts import Call, FunctionText, Member, Written
from magicert.functions.compile.projects import project_of
from magicert.functions.compile.syntax import node_text, nodes_below, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"struct_declaration", "enum_declaration", "union_declaration"})
_WORDS = frozenset({"true", "false", "null", "undefined"})
_WRITES = ("set", "put", "fill", "init", "append", "insert", "store", "write", "load", "make")
"""How methods are called that write to what they are called on."""


@dataclass(frozen=True, slots=True)
class ReaderOfZig:
    """The project of a source of Zig."""

    source: Path

    @property
    def files(self) -> Iterator[Path]:
        """The source, and the files of its project's folder that it lies in, as `src`: beside it
        may lie a zig, or packages.
        """
        source = self.source.absolute()
        yield source
        project = project_of(source)
        *inside, _ = source.relative_to(project).parts
        found = (project / inside[0]).rglob("*.zig") if inside else project.glob("*.zig")
        yield from (path for path in sorted(found) if path != source)

    def read(self, text: bytes, path: Path) -> tuple[list[FunctionText], list[Member]]:
        """The functions of a file, and its methods, with their type."""
        functions, methods = list[FunctionText](), list[Member]()
        root = parser_of("zig").parse(text).root_node
        means = dict(_meanings(root))
        waiting = [(root, "")]
        while waiting:
            node, scope = waiting.pop()
            if node.type == "function_declaration":
                function = _function_of(node, scope, path, means)
                functions.append(function)
                if function.own_names & {"self", "this"}:
                    methods.append(Member(function.name))
                continue
            if node.type == "test_declaration":
                continue
            if node.type == "variable_declaration" and any(
                child.type in _TYPES for child in node.named_children
            ):
                scope += f"{node_text(node.named_children[0])}::"
            waiting += [(child, scope) for child in node.named_children]
        return functions, methods

    @property
    def is_whole(self) -> bool:
        """It is read as it stands."""
        return True

    def made_at_first_use(self, _variable: str, *, as_written: bool = False) -> str:
        """None is."""
        return ""

    def call_of(self, function: FunctionText, call: Call | None) -> str:
        """A call of a public function of the source, with what it is given by its name in there."""
        if not function.is_public or function.file != self.source.absolute():
            return ""
        if call is None and function.wants:
            return ""
        given = call.arguments if call is not None else ()
        own = (one.startswith("&") or (one.isidentifier() and one not in _WORDS) for one in given)
        arguments = (
            f"{'&' * one.startswith('&')}source.{one.removeprefix('&')}" if is_own else one
            for one, is_own in zip(given, own, strict=True)
        )
        return f"{function.name.replace('::', '.')}({', '.join(arguments)})"


def _meanings(root: "Node") -> Iterator[tuple[str, str]]:
    """What names of a file stand for: of a file that is imported nothing, of an address its
    variable.
    """
    for node in root.named_children:
        if node.type != "variable_declaration" or len(node.named_children) < 2:
            continue
        name, value = node.named_children[0], node.named_children[-1]
        if value.type == "builtin_function" and node_text(value).startswith("@import"):
            yield node_text(name), ""
        elif value.type == "unary_expression" and node_text(value)[:1] == "&":
            yield node_text(name), _base_of(value.child_by_field_name("argument"), {})


def _function_of(node: "Node", scope: str, path: Path, means: Mapping[str, str]) -> FunctionText:
    name = node_text(node.child_by_field_name("name"))
    is_public = any(child.type in {"pub", "export"} for child in node.children)
    function = FunctionText(scope + name, path, is_public=is_public)
    takes = [
        one for inside in node.named_children if inside.type == "parameters"
        for one in inside.named_children if one.type == "parameter"
    ]  # fmt: skip
    function.wants = len(takes)
    function.own_names |= {node_text(one.child_by_field_name("name")) for one in takes}
    function.switches = frozenset(
        place for place, one in enumerate(takes)
        if node_text(one.child_by_field_name("type")) == "bool"
    )  # fmt: skip
    if (body := node.child_by_field_name("body")) is not None:
        _read_body(body, function, means)
    return function


def _read_body(body: "Node", function: FunctionText, means: Mapping[str, str]) -> None:
    nodes = [*nodes_below(body)]
    for node in nodes:
        if node.type == "identifier":
            function.names.setdefault(node_text(node), node_text(node))
        if node.type == "payload" or (node.type == "variable_declaration" and _declares(node)):
            names = node.named_children if node.type == "payload" else node.named_children[:1]
            function.own_names |= {node_text(one) for one in names}

    def written(name: str, sureness: int) -> None:
        if name and name not in function.own_names:
            function.writes[name] = min(sureness, function.writes.get(name, sureness))

    for node in nodes:
        if node.type == "variable_declaration" and not _declares(node):
            written(
                _base_of(node.named_children[0], means), 0
            )  # as the grammar has a store in a block
        elif node.type == "assignment_expression":
            written(_base_of(node.child_by_field_name("left"), means), 0)
        elif node.type == "unary_expression" and node_text(node)[:1] == "&":
            written(_base_of(node.child_by_field_name("argument"), means), 1)
        elif node.type == "call_expression":
            _note_call(node, function, written, means)


def _declares(node: "Node") -> bool:
    return any(child.type in {"const", "var"} for child in node.children)


def _note_call(
    node: "Node", function: FunctionText, written: Written, means: Mapping[str, str]
) -> None:
    called = node.child_by_field_name("function")
    if called is None:
        return
    values = [one for one in node.named_children if one != called]
    of_object = ""
    if called.type == "field_expression":
        name = node_text(called.child_by_field_name("member"))
        value = called.child_by_field_name("object")
        of_object = node_text(value) if value is not None and value.type == "identifier" else ""
        if name.startswith(_WRITES):
            written(_base_of(value, means), 1)
    else:
        name = node_text(called)
    texts = [_as_argument(one, function, means) for one in values]
    is_constant = all(texts) and of_object not in function.own_names
    is_constant &= not any(set(text) & set("\"'[{;") for text in texts)
    text = f"{node_text(called)}({', '.join(texts)})"
    function.calls.append(
        Call(name, text, is_constant, node.start_byte, of_object, arguments=tuple(texts))
    )


def _as_argument(node: "Node", function: FunctionText, means: Mapping[str, str]) -> str:
    """What is given, or its address by its last name; "" where it is the function's own."""
    if node.type == "unary_expression" and node_text(node)[:1] == "&":
        place = node.child_by_field_name("argument")
        if place is not None and place.type in {"identifier", "field_expression"}:
            name = _base_of(place, means)
            return "" if name in function.own_names else f"&{name}"
    names = {node_text(one) for one in nodes_below(node) if one.type == "identifier"}
    return "" if names & function.own_names else " ".join(node_text(node).split())


def _base_of(node: "Node | None", means: Mapping[str, str]) -> str:
    """The variable of which a place is a part, by what names of the file mean."""
    names = list[str]()
    while node is not None:
        if node.type == "identifier":
            names.append(node_text(node))
            break
        if node.type == "field_expression":
            names.append(node_text(node.child_by_field_name("member")))
        fields = (node.child_by_field_name(key) for key in ("object", "argument"))
        node = next(chain(filter(None, fields), node.named_children), None)
    return next((name for one in reversed(names) if (name := means.get(one, one))), "")
