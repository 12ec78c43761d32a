"""What functions of C and C++ write and call, by their grammar."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.clang_dumps import preprocessed
from magicert.functions.compile.compilers import CompileOptions
from magicert.functions.compile.fill_texts import (
    Call,
    FunctionText,
    Given,
    Member,
    Parameter,
)
from magicert.functions.compile.hints import project_folders
from magicert.functions.compile.names import c_files
from magicert.functions.compile.once import once
from magicert.functions.compile.syntax import node_text, parser_of, without_attributes

if TYPE_CHECKING:
    from tree_sitter import Node

_READERS = {"size", "empty", "begin", "end", "cbegin", "cend", "data", "at", "count", "find"}
_STORES = {"assignment_expression": "left", "update_expression": "argument"}
_MEMBERS = {"field_declaration", "function_definition", "declaration"}
_PLACES = {"identifier", "qualified_identifier", "subscript_expression"}
_WRAPPED = ("parenthesized_expression", "cast_expression")
"""What has a value in it, and is that value."""


MOST_EXPANDED = 16
"""Files of which the preprocessor is asked what is left of them."""
_CHOOSES = re.compile(
    rb"^[ \t]*#[ \t]*(?:else|elif\w*|if(?!ndef|def __cplusplus))\b|##", re.MULTILINE
)
"""Where a file has more than one text: which one is compiled, or what a macro makes of names."""
_LINE_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"')


@dataclass(slots=True)
class ReaderOfC:
    """The project of a source of C or C++; `how` it is compiled, where that is known."""

    source: Path
    how: CompileOptions | None = None
    _expanded: set[Path] = field(default_factory=set)

    @property
    def files(self) -> Iterator[Path]:
        """Its sources and headers."""
        return c_files(project_folders(self.source))

    def read(self, text: bytes, path: Path) -> tuple[list[FunctionText], list[Member]]:
        """The functions of a file, and the members of its classes."""
        root = parser_of("cpp").parse(without_attributes(text)).root_node
        if (root.has_error or _CHOOSES.search(text)) and (expanded := self._as_compiled(path)):
            root = parser_of("cpp").parse(expanded).root_node
        return [*_functions_of(root, path)], [*_members_of(root)]

    def _as_compiled(self, path: Path) -> bytes:
        """What the preprocessor leaves of a file itself; nothing where it is not asked, or refuses
        the file.
        """
        if self.how is None or len(self._expanded) >= MOST_EXPANDED:
            return b""
        self._expanded.add(path)
        flags, target, compiler, deadline = self.how
        key = (path, "-E", tuple(flags), target, compiler)
        whole = once(key, lambda: preprocessed(path, (), flags, target, compiler, deadline)[0])
        own, is_own = list[str](), False
        for line in whole.splitlines():
            if marker := _LINE_MARKER.match(line):
                is_own = Path(marker[1]) == path
            elif is_own:
                own.append(line)
        return "\n".join(own).encode()

    @property
    def is_whole(self) -> bool:
        """It is read as it stands."""
        return True

    def made_at_first_use(self, _variable: str, *, as_written: bool = False) -> str:
        """Static initialisers make them."""
        return ""

    def call_of(self, function: FunctionText, call: Call | None) -> str:
        """A call with the namespaces of the function, but for one of an object."""
        scope = function.name.rpartition("::")[0]
        if call is None:
            return "" if function.is_template else f"{function.name}()"
        is_whole = "." in call.text.partition("(")[0] or "::" in call.text or not scope
        return call.text if is_whole else f"{scope}::{call.text}"


def _functions_of(root: "Node", file: Path) -> Iterator[FunctionText]:
    waiting = [(root, "", True)]
    while waiting:
        node, scope, is_public = waiting.pop()
        scope += _scope_of(node)
        if node.type != "function_definition":
            is_public &= node.type != "namespace_definition" or bool(_scope_of(node))
            waiting += [(child, scope, is_public) for child in node.children]
            continue
        declarator = _function_declarator(node)
        name = declarator and node_text(declarator.child_by_field_name("declarator"))
        body = node.child_by_field_name("body")
        if declarator is None or not name or body is None:
            continue
        is_static = any(node_text(child) == "static" for child in node.children)
        function = FunctionText(scope + name, file, is_public=is_public and not is_static)
        function.is_constructor = function.name.split("::")[-2:-1] == [function.last]
        function.is_template = _is_template(node)
        takes = declarator.child_by_field_name("parameters")
        for one in takes.named_children if takes is not None else ():
            function.wants += one.type == "parameter_declaration" and node_text(one) != "void"
            function.own_names |= set(_declared_names(one))
        function.parameters = tuple(map(_parameter, takes.named_children if takes else ()))
        _read_body(body, function)
        yield function


def _is_template(node: "Node") -> bool:
    """Whether a function is no one alone, as a specialisation is."""
    above = node.parent
    if above is None or above.type != "template_declaration":
        return False
    parameters = above.child_by_field_name("parameters")
    return parameters is not None and bool(parameters.named_children)


def _scope_of(node: "Node") -> str:
    if node.type in {"namespace_definition", "class_specifier", "struct_specifier"}:
        name = node_text(node.child_by_field_name("name"))
        return f"{name}::" if name else ""
    return ""


def _parameter(node: "Node") -> Parameter:
    """A parameter of a function, as far as its text tells."""
    declarator = node.child_by_field_name("declarator")
    names = [*_declared_names(node)]
    is_copy = declarator is not None and declarator.type == "identifier"
    return Parameter("".join(names[:1]), is_copy, _is_constant(node))


def _members_of(root: "Node") -> Iterator[Member]:
    """The members of the classes in a file."""
    waiting = [(root, "", False)]
    while waiting:
        node, scope, is_public = waiting.pop()
        more = _scope_of(node)
        above = node.parent
        if above is not None and above.type == "template_declaration":
            above = above.parent
        in_class = above is not None and above.type == "field_declaration_list"
        if node.type in _MEMBERS and in_class:
            is_static = any(node_text(child) == "static" for child in node.children)
            declarator = _function_declarator(node)
            if declarator is not None:
                name = scope + node_text(declarator.child_by_field_name("declarator"))
                yield Member(name, is_static, is_public, is_constant=_is_constant(declarator))
            else:
                for name in _declared_names(node):
                    yield Member(scope + name, is_static, is_public, is_method=False)
        if node.type in {"class_specifier", "struct_specifier"}:
            is_public = node.type == "struct_specifier"
        if node.type != "compound_statement":
            for child in node.children:
                if child.type == "access_specifier":
                    is_public = node_text(child) == "public"
                waiting.append((child, scope + more, is_public))


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
        if one.type in {"identifier", "field_identifier"}:
            yield node_text(one)
        elif one.type == "reference_declarator":
            waiting += one.named_children
        else:
            waiting += one.children_by_field_name("declarator")


Written = Callable[["Node | None", int], None]
"""Notes what is written, and how surely."""


def _read_body(body: "Node", function: FunctionText) -> None:
    waiting, calls = [body], list["Node"]()
    whole = dict[str, str]()
    """Of what a constant reference or pointer of its own is a part: pointers in it may be written
    by.
    """

    def written(node: "Node | None", sureness: int) -> None:
        name = _base_of(node)
        while name in whole:
            function.own_writes.add(name)
            name = whole.pop(name)
        if name in function.own_names:
            function.own_writes.add(name)
        elif name:
            function.writes[name] = min(sureness, function.writes.get(name, sureness))

    nodes = list["Node"]()
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += node.children
        if node.type in {"declaration", "for_range_loop"}:
            function.own_names |= set(_declared_names(node))
    for node in sorted(nodes, key=lambda one: one.start_byte):
        if node.type in _STORES:
            written(node.child_by_field_name(_STORES[node.type]), 0)
            if node.type == "assignment_expression":
                for place in _places_in(node.child_by_field_name("right")):
                    written(place, 3)
        elif node.type == "pointer_expression" and node_text(node)[:1] == "&":
            if not _points_to_constants(node) and not _is_argument(node):
                written(node.child_by_field_name("argument"), 1)
        elif node.type == "init_declarator":
            declarator = node.child_by_field_name("declarator")
            value = node.child_by_field_name("value")
            if _is_constant(node.parent):
                whole |= dict.fromkeys(_declared_names(node), _base_of(_pointed_at(value)))
            elif declarator is not None and declarator.type == "reference_declarator":
                written(value, 1)
            elif _is_pointer(declarator):
                for place in _places_in(value, parts=True):
                    written(place, 3)
        elif node.type == "for_range_loop":
            value = node.child_by_field_name("right")
            if _is_constant(node):
                whole |= dict.fromkeys(_declared_names(node), _base_of(value))
            elif "&" in node_text(node.child_by_field_name("declarator")):
                written(value, 1)
        elif node.type == "call_expression":
            calls.append(node)
            _note_call(node, function)
        elif node.type in {"identifier", "qualified_identifier"}:
            function.names.setdefault(node_text(node).rpartition("::")[2], node_text(node))


def _note_call(node: "Node", function: FunctionText) -> None:
    called = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    values = arguments.named_children if arguments is not None else []
    if called is None:
        return
    names = {node_text(one) for value in values for one in _identifiers(value)}
    is_constant, of_object, owner = not names & function.own_names, "", ""
    if called.type == "field_expression":
        name = node_text(called.child_by_field_name("field"))
        value = called.child_by_field_name("argument")
        of_object = _base_of(value)
        is_constant &= node_text(value) == of_object and of_object not in function.own_names
        names.add(of_object)
        if name not in _READERS and of_object:
            function.gives.append(Given(of_object, name, None, 1))
    else:
        owner, _, name = node_text(called).partition("<")[0].rpartition("::")
    for place, value in enumerate(values):
        is_address = value.type == "pointer_expression" and node_text(value)[:1] == "&"
        given = value.child_by_field_name("argument") if is_address else value
        if is_address or value.type in _PLACES:
            is_part = value.type == "subscript_expression"
            base = _base_of(given)
            function.gives.append(Given(base, name, place, 1 if is_address else 2, is_part))
    text = re.sub(r"\s+", " ", node_text(node))
    is_constant &= "this" not in names and not re.search(r'["\'\[{;]', text)
    place = node.start_byte
    function.calls.append(
        Call(name, text, is_constant, place, of_object, owner, uses=frozenset(names))
    )


def _pointed_at(value: "Node | None") -> "Node | None":
    """The place whose address a value is, or the value itself."""
    is_address = value is not None and value.type == "pointer_expression"
    return value.child_by_field_name("argument") if value is not None and is_address else value


def _is_argument(node: "Node") -> bool:
    """Whether a call is given it, which says itself whether it writes there."""
    above = node.parent
    return above is not None and above.type == "argument_list"


def _is_pointer(declarator: "Node | None") -> bool:
    """Whether it declares a pointer, or an array of them."""
    while declarator is not None and declarator.type == "array_declarator":
        declarator = declarator.child_by_field_name("declarator")
    return declarator is not None and declarator.type == "pointer_declarator"


def _is_constant(declaration: "Node | None") -> bool:
    """Whether nothing is written by the pointer or reference that it declares."""
    children = declaration.children if declaration is not None else ()
    return any(one.type == "type_qualifier" and node_text(one) == "const" for one in children)


def _points_to_constants(node: "Node") -> bool:
    """Whether an address is what a pointer to constants begins with."""
    above = node.parent
    while above is not None and above.type in {"conditional_expression", *_WRAPPED}:
        above = above.parent
    return above is not None and above.type == "init_declarator" and _is_constant(above.parent)


def _places_in(value: "Node | None", *, parts: bool = False) -> Iterator["Node"]:
    """The variables one of which a value is, as an array's name is its address; or `parts` of them,
    where these are known to be addresses.
    """
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one is None:
            continue
        if one.type in {"identifier", "qualified_identifier"}:
            yield one
        elif parts and one.type in {"subscript_expression", "field_expression"}:
            waiting.append(one.child_by_field_name("argument"))
        elif one.type == "conditional_expression":
            waiting += [one.child_by_field_name(way) for way in ("consequence", "alternative")]
        elif one.type in {"initializer_list", *_WRAPPED}:
            waiting += one.named_children
        elif one.type == "binary_expression":
            waiting.append(one.child_by_field_name("left"))


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
