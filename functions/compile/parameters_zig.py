"""What functions of Zig take, and the objects and constants that a call could give them, by the
grammar.

    pub var tables: Tables = undefined;    pub fn tables() *const Tables;    Tables.init()

A question about a source calls what is public there. What it is given is named `source.NAME`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.forced_function import SQUARES
from magicert.functions.compile.parameters import Array, Head, Holding, Kind, Parameter, last_name
from magicert.functions.compile.syntax import node_text, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {"struct_declaration", "enum_declaration", "union_declaration"}
_NUMBERS = re.compile(r"[iu](?:\d+|size)|c_u?int")
_IMPORTED = re.compile(r'@import\("([^"]+\.zig)"\)((?:\.\w+)*)')
_MAKERS = "init", "new", "create", "default", "make"
"""What functions are called that make an object, the likeliest first."""
_LONGEST = 8
"""Names of one type that are followed."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A declaration: its name with the structs that it stands in, and the file."""

    name: str
    node: "Node"
    file: Path
    is_public: bool

    @property
    def scope(self) -> str:
        """The structs that it stands in."""
        return self.name.rpartition(".")[0]

    @property
    def type(self) -> str:
        """The type of a variable or a function's result, as far as it is written."""
        return node_text(self.node.child_by_field_name("type"))

    @property
    def value(self) -> "Node | None":
        """What a variable begins with."""
        inside = self.node.named_children
        return inside[-1] if len(inside) > 1 else None


@dataclass(frozen=True, slots=True)
class _Type:
    """What a type is: the declaration of a struct or an enum, or only its text."""

    text: str
    node: "Node | None" = None


class ZigParameters:
    """A source, and for its types what it imports. Bitboards are of so many `bits`."""

    def __init__(self, source: Path, *, bits: int) -> None:
        self._source = source.absolute()
        self._bits = bits
        self._read_files: dict[Path, list[_Item]] = {}

    def _items_of(self, path: Path) -> list[_Item]:
        if path not in self._read_files:
            self._read_files[path] = [*_items_in(path)]
        return self._read_files[path]

    @cached_property
    def _items(self) -> list[_Item]:
        return self._items_of(self._source)

    def functions(self) -> list[Head]:
        """The public functions of the source."""
        return [
            self._head(one) for one in self._items
            if one.is_public and one.node.type == "function_declaration"
        ]  # fmt: skip

    def arrays(self) -> list[Array]:
        """The public variables and constants of the source whose type is an array's."""
        return [
            Array(one.name, one.type, (*re.findall(r"\[([^\]]+)\]", one.type),))
            for one in self._items
            if one.is_public and one.node.type == "variable_declaration" and one.type[:1] == "["
        ]

    def heads(self, name: str) -> list[Head]:
        """The public functions of the source with that last name."""
        return [one for one in self.functions() if one.last == name]

    def _head(self, item: _Item) -> Head:
        takes = [*_parameters_of(item.node)]
        own = {last_name(item.scope), "@This()", *self._names_of_this(item.scope)} - {""}
        of_object = bool(takes) and _bare(takes[0].type) in own
        owner = (item.scope or "@This()") if of_object else ""
        if of_object and re.match(r"\*(?!const\b)", takes[0].type):
            owner = f"*{owner}"  # which may write to it
        body = node_text(item.node.child_by_field_name("body"))
        takes = takes[of_object:]
        return Head(item.name, tuple(takes), owner, _bare(item.type), body=body)

    def _names_of_this(self, scope: str) -> set[str]:
        """What a struct, or the file itself, is called inside."""
        return {
            last_name(one.name) for one in self._items
            if one.scope == scope and node_text(one.value).startswith("@This()")
        }  # fmt: skip

    def _meant(self, kind: str, file: Path, most: int = _LONGEST) -> _Type:
        """What a type's name stands for, in that file or in those that it imports."""
        if not most:
            return _Type(kind)
        first, *rest = kind.split(".")
        last, items = (rest or [first])[-1], self._items_of(file)
        variables = [
            one for one in items
            if last_name(one.name) == last and one.node.type == "variable_declaration"
        ]  # fmt: skip
        if rest:  # of another file, which the first name may be
            found = (_IMPORTED.search(node_text(o.node)) for o in items if o.name == first)
            if imported := next(filter(None, found), None):
                return self._meant(".".join(rest), file.parent / imported[1], most - 1)
        for one in variables:
            if one.value is None:
                continue
            if one.value.type in _TYPES:
                return _Type(one.name, one.value)
            text = node_text(one.value)
            if match := _IMPORTED.fullmatch(text):
                name = match[2].removeprefix(".")
                other = file.parent / match[1]
                return self._meant(name, other, most - 1) if name else _Type(kind)
            if re.fullmatch(r"[\w.]+", text) and text != kind:
                return self._meant(text, file, most - 1)
        return _Type(kind)

    def _type_of(self, parameter: Parameter) -> _Type:
        return self._meant(_bare(parameter.type), self._source)

    def kind(self, parameter: Parameter) -> Kind:
        """By the type that is meant; a pointer is what it points to."""
        meant = self._type_of(parameter)
        if meant.node is not None:
            return Kind.CONSTANTS if meant.node.type == "enum_declaration" else Kind.RECORD
        if meant.text == f"u{self._bits}":
            return Kind.WORD
        if _NUMBERS.fullmatch(meant.text) or meant.text == "anytype":
            return Kind.NUMBER
        return Kind.YES_OR_NO if meant.text == "bool" else Kind.OTHER

    def objects(self, owner: str, *, any_will_do: bool) -> list[str]:
        """Variables, what functions give, and what makes one, where nothing else is. What a method
        may write to is no constant.
        """
        found = self._objects_of(owner.removeprefix("*"))
        variables = {one.name for one in self._items if node_text(one.node)[:8] == "pub var "}
        return [
            f"{one.removeprefix('&')}."
            if owner[:1] != "*" or one[:1] == "&" or one in variables
            else f"@constCast(&source.{one})."
            for one in found
        ]

    def makers(self, owner: str) -> list[Head]:
        """The functions that make an object of one thing."""
        owner = owner.removeprefix("*")
        names = {owner, last_name(owner), *self._names_of_this(owner if owner != "@This()" else "")}
        heads = (
            self._head(one) for one in self._items
            if one.is_public and one.node.type == "function_declaration" and one.type in names
        )  # fmt: skip
        return [one for one in heads if not one.owner and len(one.parameters) == 1]

    def values(self, parameter: Parameter) -> list[str]:
        """The names of an enum; of a struct its objects, or their addresses."""
        meant = self._type_of(parameter)
        if meant.node is not None and meant.node.type == "enum_declaration":
            fields = (one for one in meant.node.named_children if one.type == "container_field")
            names = (node_text(one.child_by_field_name("name")) for one in fields)
            return [f".{name}" for name in names if name]
        if meant.node is None:
            return []
        pointer = parameter.type.lstrip().startswith("*")
        objects = self._objects_of(meant.text)
        kept = [one[1:] for one in objects if one.startswith("&made(")]
        objects = [one for one in objects if one[1:] not in kept]
        if not pointer:
            named = [f"source.{one}" for one in objects if not one.startswith("&")]
            return [*named, *(f"{one}.*" for one in kept)]
        named = [f"source.{o[1:]}" if o[:1] == "&" else f"&source.{o}" for o in objects]
        return [*named, *kept]

    def constants(self) -> list[str]:
        """The public constants of numbers."""
        return [
            f"source.{one.name}" for one in self._items
            if one.is_public and one.value is not None and one.value.type == "integer"
        ]  # fmt: skip

    def numbers(self) -> dict[str, int]:
        """None: of C and C++ alone."""
        return {}

    def given(self, parameter: Parameter, word: str) -> list[str]:
        """A number as it is, or as a shorter one; of an enum and a struct as such."""
        meant = self._type_of(parameter)
        whole = f"u{self._bits}" if word not in SQUARES else "u32"
        if meant.node is None:
            return [word] if meant.text in {whole, "anytype"} else [f"@intCast({word})"]
        if meant.node.type == "enum_declaration":
            return [f"@enumFromInt({word})"]
        if meant.node.type != "struct_declaration":
            return []
        fields = [one for one in meant.node.named_children if one.type == "container_field"]
        kinds = [node_text(one.child_by_field_name("type")) for one in fields]
        if len(fields) != 1 or not _NUMBERS.fullmatch(kinds[0]):
            return []
        number = word if kinds[0] == whole else f"@intCast({word})"
        if node_text(meant.node).startswith("packed"):
            return [f"@bitCast({f'@as({kinds[0]}, {number})' if number != word else word})"]
        return [f".{{ .{node_text(fields[0].child_by_field_name('name'))} = {number} }}"]

    def given_as_set(self, parameter: Parameter, word: str) -> list[str]:
        """As a bitboard is."""
        one = f"@as(u{self._bits}, 1) << @intCast({word})"
        return self.given(parameter, one if word in SQUARES else word)

    def holding(self, head: Head, name: str, kind: str) -> list[Holding]:
        """None: of Rust alone."""
        return []

    def instance(self, name: str, arguments: Sequence[str]) -> str:
        """Zig gives such arguments as all others."""
        return f"{name}({', '.join(arguments)})"

    def _objects_of(self, owner: str) -> list[str]:
        """The expressions that are an object of a type: of pointers with a `&` before them."""
        names = {owner, last_name(owner), *self._names_of_this(owner if owner != "@This()" else "")}
        found, given, made = list[str](), list[str](), list[tuple[int, str]]()
        for one in self._items:
            if not one.is_public:
                continue
            if one.node.type == "variable_declaration" and one.value is not None:
                if re.sub(r"^\[\w+\]", "", one.type) in names and one.type not in names:
                    found.append(f"{one.name}[0]")
                elif self._is_of(one, names):
                    found.append(f"{'&' * one.type.startswith('*')}{one.name}")
            elif one.node.type == "function_declaration" and not any(_parameters_of(one.node)):
                if "!" in one.type or "?" in one.type or _bare(one.type) not in names:
                    continue
                if one.type.startswith("*"):
                    given.append(f"&{one.name}()")
                else:
                    name = last_name(one.name)
                    likely = _MAKERS.index(name) if name in _MAKERS else len(_MAKERS)
                    made.append((likely, f"{one.name}()"))
        made.sort(key=lambda one: one[0])
        filled = [
            f"&made(source.{one.name})" for one in self._items
            if one.is_public and one.node.type == "function_declaration" and self._fills(one, names)
        ]  # fmt: skip
        texts = [text for _, text in made] + filled
        texts += [f"{one}{{}}" for one in names if not filled and self._has_defaults(one)]
        return [*dict.fromkeys([*found, *given])] or texts

    def _has_defaults(self, name: str) -> bool:
        """Whether a struct of the source is made of nothing."""
        structs = (
            one.value for one in self._items
            if one.name == name and one.is_public and one.value is not None
            and one.value.type == "struct_declaration"
        )  # fmt: skip
        return any(
            all(re.search(r"=(?!\s*undefined\b)", node_text(field))
                for field in one.named_children if field.type == "container_field")
            for one in structs
        )  # fmt: skip

    @staticmethod
    def _fills(item: _Item, names: set[str]) -> bool:
        """Whether a function does no more, by its name, than to make the object it is given."""
        takes = [*_parameters_of(item.node)]
        return (
            last_name(item.name) in _MAKERS
            and len(takes) == 1
            and takes[0].type[:1] == "*"
            and _bare(takes[0].type) in names | {"@This()", "Self"}
            and last_name(item.scope) in names
        )

    def _is_of(self, variable: _Item, names: set[str]) -> bool:
        """Whether a variable is an object of a type, by its own words or what it begins with."""
        if variable.type:
            return _bare(variable.type) in names
        assert variable.value is not None
        text = node_text(variable.value)
        made = re.match(r"(?:comptime )?(?:blk: )?([\w.]+?)(?:\.\w+\(|\{)", text)
        called = re.fullmatch(r"(?:comptime )?([\w.]+)\(\)", text)
        functions = (one for one in self._items if called and one.name == called[1])
        return bool(made and made[1] in names) or any(_bare(o.type) in names for o in functions)


def _items_in(path: Path) -> Iterator[_Item]:
    """The declarations of a file, with those in its structs."""
    try:
        text = path.read_bytes()
    except OSError:
        return
    waiting = [(parser_of("zig").parse(text).root_node, "", True)]
    while waiting:
        node, scope, is_public = waiting.pop()
        for child in node.named_children:
            public = is_public and any(one.type in {"pub", "export"} for one in child.children)
            if child.type == "function_declaration":
                name = node_text(child.child_by_field_name("name"))
                yield _Item(scope + name, child, path, public)
            elif child.type == "variable_declaration" and child.named_children:
                name = node_text(child.named_children[0])
                yield _Item(scope + name, child, path, public)
                inside = child.named_children[-1]
                if inside.type in _TYPES:
                    waiting.append((inside, f"{scope}{name}.", public))


def _parameters_of(function: "Node") -> Iterator[Parameter]:
    for inside in function.named_children:
        if inside.type == "parameters":
            for one in inside.named_children:
                if one.type == "parameter":
                    kind = node_text(one.child_by_field_name("type"))
                    yield Parameter(node_text(one.child_by_field_name("name")), kind)


def _bare(kind: str) -> str:
    """A type without pointers."""
    return re.sub(r"^[*?!]+|\bconst\b|\balign\(\w+\)", "", kind).strip()
