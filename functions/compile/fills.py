"""Which calls fill the tables of a project of C or C++, as far as its text tells: a guess, for
advice alone, by a grammar and without a compiler.

    extern U64 rook_masks[64];     rook_masks is written in init_masks(int), which init_all() calls

The call that is nearest to the table is named: of a function that takes nothing (init_all()), of
one that is called with constants alone (init_masks(0)), or of a method of a global object.
"""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.hints import project_folders
from magicert.functions.compile.names import c_files
from magicert.functions.compile.writers import node_text, parser_of, without_attributes
from magicert.system.deadline import FOREVER, Deadline

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_FILES = 600
"""Files of a project that are looked through."""
FARTHEST = 4
"""Calls between the function that is named and the one that writes."""
MOST_CALLS = 4
"""Calls of one function with constants that are named one after another."""
_FILLS = re.compile(
    r"init|fill|gen|make|build|create|compute|calc|setup|set_up|start|load|prep", re.I
)
"""What a function is called that fills tables."""
_LOOPS = re.compile(r"main|loop|bench|perft|test|search|uci|think|play|input", re.I)
"""What one is called that does far more than that."""
_READERS = {"size", "empty", "begin", "end", "cbegin", "cend", "data", "at", "count", "find"}
SURENESSES = 4
"""How surely a function writes to a variable: the first is by its own words."""
_STORES = {"assignment_expression": "left", "update_expression": "argument"}
_METHODS = {"field_declaration", "function_definition", "declaration"}
_WRAPPED = ("parenthesized_expression", "cast_expression")
"""What has a value in it, and is that value."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call in a function's body; or, with `object`, one of a method of what is called so."""

    name: str
    text: str
    is_constant: bool
    """Whether it names nothing of the function's own."""
    place: int
    """Where it stands in the file."""
    object: str = ""


@dataclass(slots=True)
class _FunctionText:
    """A function that a file defines. `writes` has the names that it writes, each with how surely:
    0 in its own words, 1 by an address or a method, 2 by what it calls, 3 by a pointer that it has.
    """

    name: str
    file: Path
    wants: int = 0
    own_names: set[str] = field(default_factory=set)
    writes: dict[str, int] = field(default_factory=dict)
    calls: list[_Call] = field(default_factory=list)

    @property
    def last(self) -> str:
        """Its name without namespaces."""
        return self.name.rpartition("::")[2]

    @property
    def is_constructor(self) -> bool:
        """Whether it makes an object of a class, whose name it has."""
        return self.name.split("::")[-2:-1] == [self.last]


@dataclass(frozen=True, slots=True)
class Fill:
    """A call that fills tables, and the file that defines what it calls."""

    call: str
    file: Path
    makes_object: bool = False
    """Whether it calls a constructor, which is no function that has a name."""

    @property
    def is_named_so(self) -> bool:
        """Whether its name says that it fills something."""
        return _FILLS.search(_called_name(self.call)) is not None


class Project:
    """The sources of a project, of which those that name something are read. What reads them raises
    BudgetOverError at the deadline.
    """

    def __init__(self, source: Path, deadline: Deadline = FOREVER) -> None:
        self._deadline = deadline
        self._texts: dict[Path, bytes] = {}
        for path in islice(c_files(project_folders(source)), MOST_FILES):
            with suppress(OSError):
                self._texts[path] = path.read_bytes()
        self._read: set[Path] = set()
        self._functions: list[_FunctionText] = []
        self._methods: dict[str, _Method] = {}

    def _functions_naming(self, name: str) -> list[_FunctionText]:
        """The functions of all files in which a name stands, and of those read before."""
        word = name.encode()
        for path, text in self._texts.items():
            if path not in self._read and word in text:
                self._deadline.check()
                self._read.add(path)
                root = parser_of("cpp").parse(without_attributes(text)).root_node
                self._functions += _functions_of(root, path)
                self._methods |= {method.name: method for method in _methods_of(root)}
        return self._functions

    def fills_of(self, variable: str) -> list[Fill]:
        """The calls that fill a variable, one after another; none where nothing tells."""
        last = variable.rpartition("::")[2]
        functions = self._functions_naming(last)
        methods = [
            Fill(call.text, one.file)
            for one in functions
            for call in one.calls
            if call.object == last and call.is_constant and _FILLS.search(call.name)
        ]
        if methods:
            return methods[:1]
        scope, less_likely = variable.rpartition("::")[0], list[Fill]()
        for sureness in range(SURENESSES):
            writers = [one for one in functions if one.writes.get(last) == sureness]
            inside = [one for one in writers if scope and f"::{one.name}".find(f"{scope}::") >= 0]
            ways = [way for one in inside or writers if (way := self._way_to(one))]
            best = min(ways, key=_cost, default=[])
            if best and all(one.is_named_so for one in best):
                return best
            less_likely = less_likely or best
        return less_likely

    def in_order(self, fills: Collection[Fill]) -> list[Fill]:
        """Calls in the order in which a function of the project has the most of them."""
        names = {fill: _called_name(fill.call) for fill in fills}
        best = dict[str, int]()
        for one in self._functions if len(names) > 1 else ():
            places = {call.name: call.place for call in reversed(one.calls)}
            of_these = {name: places[name] for name in names.values() if name in places}
            best = of_these if len(of_these) > len(best) else best
        return sorted(fills, key=lambda fill: best.get(names[fill], -1))

    def _way_to(self, function: _FunctionText) -> list[Fill]:
        """The calls that lead to a function, the nearest ones."""
        waiting, seen = [function], {function.name}
        constant, private = list[Fill](), list[Fill]()
        for distance in range(FARTHEST):
            callers = list[_FunctionText]()
            for one in waiting:
                if one.is_constructor:
                    if not one.wants:
                        made = one.name.rpartition("::")[0]
                        return [Fill(f"{made}()", one.file, makes_object=True)]
                    continue
                of_name = self._functions_naming(one.last)  # and what its class says of it
                is_private = one.name in self._methods and not self._methods[one.name].is_public
                if not one.wants and one.last != "main" and not self._wants_object(one):
                    call = Fill(f"{one.name}()", one.file)
                    if is_private:
                        private = private or [call]  # which a flag would allow to call
                    elif not _LOOPS.search(one.last) or not constant:
                        return [call]
                    else:
                        continue
                calls = [(who, c) for who in of_name for c in who.calls if c.name == one.last]
                if not constant and not (is_private and private):
                    fixed = dict.fromkeys(call.text for _, call in calls if call.is_constant)
                    scope = one.name.rpartition("::")[0]
                    for text in islice(fixed, MOST_CALLS):
                        is_of_object = "." in text.partition("(")[0]
                        alone = is_of_object or "::" in text or not scope
                        whole = text if alone else f"{scope}::{text}"
                        needs_object = self._wants_object(one) and not is_of_object
                        constant += [] if needs_object else [Fill(whole, one.file)]
                if constant and not distance and _FILLS.search(one.last):
                    return constant
                callers += [who for who, _ in calls if who.name not in seen]
                seen |= {who.name for who in callers}
            waiting = sorted(callers, key=lambda who: not _FILLS.search(who.last))
        return constant or private

    def _wants_object(self, function: _FunctionText) -> bool:
        """Whether it is a method that is no static one."""
        method = self._methods.get(function.name)
        return method is not None and not method.is_static


def _called_name(call: str) -> str:
    """The last name of what a call calls."""
    return re.split(r"::|\.", call.partition("(")[0])[-1]


def _cost(way: list[Fill]) -> tuple[bool, int]:
    """Which of several ways is named: what is called as one that fills, then the shortest."""
    return not all(one.is_named_so for one in way), len(way)


def _functions_of(root: "Node", file: Path) -> Iterator[_FunctionText]:
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
        function = _FunctionText(scope + name, file)
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


@dataclass(frozen=True, slots=True)
class _Method:
    """A method that a class has, by its name with the class."""

    name: str
    is_static: bool
    is_public: bool


def _methods_of(root: "Node") -> Iterator[_Method]:
    """The methods of the classes in a file."""
    waiting = [(root, "", False)]
    while waiting:
        node, scope, is_public = waiting.pop()
        more = _scope_of(node)
        above = node.parent
        if above is not None and above.type == "template_declaration":
            above = above.parent
        in_class = above is not None and above.type == "field_declaration_list"
        if node.type in _METHODS and in_class:
            is_static = any(node_text(child) == "static" for child in node.children)
            declarator = _function_declarator(node)
            if declarator is not None:
                name = scope + node_text(declarator.child_by_field_name("declarator"))
                yield _Method(name, is_static, is_public)
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
        if one.type == "identifier":
            yield node_text(one)
        elif one.type == "reference_declarator":
            waiting += one.named_children
        else:
            waiting += one.children_by_field_name("declarator")


Written = Callable[["Node | None", int], None]
"""Notes what is written, and how surely."""


def _read_body(body: "Node", function: _FunctionText) -> None:
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
        if node.type in {"declaration", "for_range_loop"}:
            function.own_names |= set(_declared_names(node))
    for node in sorted(nodes, key=lambda one: one.start_byte):
        if node.type in _STORES:
            written(node.child_by_field_name(_STORES[node.type]), 0)
            if node.type == "assignment_expression":
                for place in _places_in(node.child_by_field_name("right")):
                    written(place, 3)
        elif node.type == "pointer_expression" and node_text(node)[:1] == "&":
            if not _points_to_constants(node):
                written(node.child_by_field_name("argument"), 1)
        elif node.type == "init_declarator" and not _is_constant(node.parent):
            declarator = node.child_by_field_name("declarator")
            value = node.child_by_field_name("value")
            if declarator is not None and declarator.type == "reference_declarator":
                written(value, 1)
            elif _is_pointer(declarator):
                for place in _places_in(value):
                    written(place, 3)
        elif node.type == "for_range_loop" and not _is_constant(node):
            if "&" in node_text(node.child_by_field_name("declarator")):
                written(node.child_by_field_name("right"), 1)
        elif node.type == "call_expression":
            calls.append(node)
            _note_call(node, function, written)


def _note_call(node: "Node", function: _FunctionText, written: Written) -> None:
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
    function.calls.append(_Call(name, text, is_constant, node.start_byte, of_object))


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


def _places_in(value: "Node | None") -> Iterator["Node"]:
    """The variables one of which a value is, as an array's name is its address."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one is None:
            continue
        if one.type in {"identifier", "qualified_identifier"}:
            yield one
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
