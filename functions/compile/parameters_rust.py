"""What functions of Rust take, and the objects and constants that a call could give them, by the
grammar.

    static TABLES: Tables = Tables::new();    fn tables() -> &'static Tables;    Tables::new()

All is named as the source's own module names it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.crates import Crate
from magicert.functions.compile.fills_rust import ReaderOfRust
from magicert.functions.compile.forced_function import SQUARES
from magicert.functions.compile.forced_rust import SQUARE_TYPES
from magicert.functions.compile.parameters import Array, Head, Holding, Kind, Parameter, last_name
from magicert.functions.compile.rust_tree import (
    attributes_of,
    imported_names,
    name_of,
    visibility,
)
from magicert.functions.compile.syntax import node_text, nodes_below, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBERS = re.compile(r"[iu](?:8|16|32|64|128|size)")
_MADE_ONCE = re.compile(r"(?:LazyLock|Lazy|LazyCell|Box|Arc|Rc)<(.*)>")
"""What holds an object, and is as good as that."""
_MADE_LATER = re.compile(r"(?:OnceLock|OnceCell)<(.*)>")
_MANY = re.compile(r"\[(.*); ?[\w:]+\]")
_LAZY_STATIC = re.compile(r"\bstatic\s+ref\s+(\w+)\s*:\s*([\w:]+)\s*=")
_TABLE = re.compile(r"^\[.*;|^(?:Vec|Box|HashMap|Arc|Rc)\b", re.DOTALL)
"""Types of fields that take time to fill."""
_UNION = re.compile(r"\s*(?:self\.\w+(?:\(\)|(?:\[[^\[\]|]*\])*)\s*(?:\|\s*(?=self\b)|$))+")
"""A union of fields and of what methods give."""
_PLAIN_NAME = re.compile(r"(?:\w+::)*[A-Z]\w*")
_MAKERS = "new", "default", "init", "build", "create"
"""What functions are called that make an object, the likeliest first."""
_FILLS = frozenset({
    "init", "initialize", "initialise", "fill", "setup", "populate", "precompute", "build",
})  # fmt: skip
"""Words of what methods are called that fill an object's tables."""
_OPTIONAL = re.compile(r"(?:Option|Result)<(\w+)\b.*>")


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of the crate: its name from the crate's root, and what it is implemented for."""

    name: str
    node: "Node"
    file: Path
    owner: str = ""
    trait: str = ""

    @property
    def is_public(self) -> bool:
        """Whether other modules may name it."""
        return bool(visibility(self.node)) or bool(self.trait)


class RustParameters:
    """The crate of a source. Bitboards are of so many `bits`."""

    def __init__(self, source: Path, *, alone: bool, bits: int) -> None:
        self._source, self._alone = source.absolute(), alone
        self._files = ReaderOfRust(source, alone)
        self._word = f"u{bits}", f"i{bits}"
        self._known_heads = dict[int, Head]()
        self._known_objects = dict[str, list[str]]()

    @cached_property
    def _types_by_name(self) -> dict[str, list[_Item]]:
        """What may be meant by the last name of a type."""
        kinds = {"struct_item", "enum_item", "type_item", "union_item"}
        found = dict[str, list[_Item]]()
        for one in self._items:
            if one.node.type in kinds and not one.owner:
                found.setdefault(last_name(one.name), []).append(one)
        return found

    @cached_property
    def _functions(self) -> list[_Item]:
        return [one for one in self._items if one.node.type == "function_item"]

    @cached_property
    def _functions_by_name(self) -> dict[str, list[_Item]]:
        found = dict[str, list[_Item]]()
        for one in self._functions:
            found.setdefault(name_of(one.node), []).append(one)
        return found

    @cached_property
    def _functions_by_owner(self) -> dict[str, list[_Item]]:
        """The functions of types by the last name of each."""
        found = dict[str, list[_Item]]()
        for one in self._functions:
            found.setdefault(last_name(one.owner.partition("<")[0]), []).append(one)
        return found

    def _functions_of(self, kind: str) -> list[_Item]:
        """Those of a type, whatever it is given."""
        return self._functions_by_owner.get(last_name(kind.partition("<")[0]), [])

    @cached_property
    def _items(self) -> list[_Item]:
        own = [*self._read(self._source)]
        declared = {
            name_of(one.node) for one in own
            if one.node.type == "mod_item" and one.node.child_by_field_name("body") is None
        }  # fmt: skip
        for path in self._files.files:
            first = Crate(self._source).module_of(path).partition("::")[0]
            if path != self._source and (first in declared or not self._alone):
                own += self._read(path)
        return own

    def _read(self, path: Path) -> Iterator[_Item]:
        try:
            text = path.read_bytes()
        except OSError:
            return
        top = "" if path == self._files.root else f"{Crate(self._files.root).module_of(path)}::"
        waiting = [(parser_of("rust").parse(text).root_node, top, "", "")]
        while waiting:
            node, scope, owner, trait = waiting.pop()
            if any("test" in node_text(one) for one in attributes_of(node)):
                continue
            if node.type == "impl_item":
                owner = _bare(node_text(node.child_by_field_name("type")))
                trait = node_text(node.child_by_field_name("trait"))
                yield _Item(f"{scope}{last_name(owner)}", node, path, owner, trait)
                scope = f"{scope}{last_name(owner)}::"
            elif node.type == "trait_item":
                continue
            elif node.type == "mod_item":
                yield _Item(scope + name_of(node), node, path)
                scope += f"{name_of(node)}::"
            elif node.type.endswith("_item") or node.type == "macro_invocation":
                yield _Item(scope + name_of(node), node, path, owner, trait)
                for one in _types_given_to(node):
                    yield _Item(scope + name_of(one), one, path)
                continue
            waiting += [(child, scope, owner, trait) for child in reversed(node.named_children)]

    @cached_property
    def _imported(self) -> set[str]:
        """The names that the source's own module imports."""
        uses = (one for one in self._items if one.file == self._source)
        root = next((one.node for one in uses), None)
        while root is not None and root.parent is not None:
            root = root.parent
        children = root.named_children if root is not None else []
        return {name for one in children for name in imported_names(one)}

    def _path(self, name: str) -> str:
        """A name of the crate, as the source's module has it."""
        last = last_name(name)
        own = self._files.from_source(name)
        return last if own.startswith("crate::") and last in self._imported else own

    def _path_of_member(self, item: _Item) -> str:
        """A function or constant of a type, by the type's name."""
        kind = next((one for one in self._types(item.owner)), None)
        return f"{self._path(kind.name if kind else item.owner)}::{name_of(item.node)}"

    def _named(self, item: _Item) -> str:
        return self._path_of_member(item) if item.owner else self._path(item.name)

    def _is_visible(self, item: _Item) -> bool:
        """Whether the source's own module may name it."""
        return item.is_public or item.file == self._source

    def _types(self, kind: str) -> list[_Item]:
        """The structs, enums and other names of types that may be meant, the likeliest first."""
        kind = kind.partition("<")[0]
        last, whole = last_name(kind), kind.removeprefix("crate::").removeprefix("super::")
        found = self._types_by_name.get(last, [])
        return sorted(found, key=lambda one: not f"::{one.name}".endswith(f"::{whole}"))

    def functions(self) -> list[Head]:
        """All functions of the source itself."""
        return [self._head(one) for one in self._functions if one.file == self._source]

    def arrays(self) -> list[Array]:
        """The statics and constants of the source itself that are arrays."""
        kinds = {"static_item", "const_item"}
        own = (o for o in self._items if o.file == self._source and o.node.type in kinds)
        types = ((one, node_text(one.node.child_by_field_name("type"))) for one in own)
        return [
            Array(self._named(one), kind, (*reversed(re.findall(r"; ?([^;\]]+)\]", kind)),))
            for one, kind in types if kind.startswith("[")
        ]  # fmt: skip

    def heads(self, name: str) -> list[Head]:
        """The functions with that last name."""
        return [self._head(one) for one in self._functions_by_name.get(name, ())]

    def _head(self, item: _Item) -> Head:
        if (known := self._known_heads.get(id(item))) is None:
            known = self._known_heads[id(item)] = self._head_of(item)
        return known

    def _head_of(self, item: _Item) -> Head:
        inside = item.node.child_by_field_name("parameters")
        takes = inside.named_children if inside is not None else []
        of_object = any(one.type == "self_parameter" for one in takes)
        parameters = (
            Parameter(
                node_text(one.child_by_field_name("pattern")),
                self._meant(node_text(one.child_by_field_name("type")), item),
            )
            for one in takes if one.type == "parameter"
        )  # fmt: skip
        generic = item.node.child_by_field_name("type_parameters")
        of_compiler = (
            _generic(one) for one in (generic.named_children if generic is not None else ())
            if one.type in {"const_parameter", "type_parameter"}
        )  # fmt: skip
        return Head(
            self._named(item), tuple(parameters), item.owner if of_object else "",
            self._returns(item), tuple(of_compiler),
            node_text(item.node.child_by_field_name("body")),
        )  # fmt: skip

    def _returns(self, item: _Item) -> str:
        return self._meant(node_text(item.node.child_by_field_name("return_type")), item)

    @staticmethod
    def _meant(kind: str, item: _Item) -> str:
        return re.sub(r"\bSelf\b", item.owner, " ".join(kind.split())) if item.owner else kind

    def kind(self, parameter: Parameter) -> Kind:
        """By the type that is meant; a reference is what it refers to."""
        kind = self._without_other_names(parameter)
        if kind in self._word:
            return Kind.WORD
        if _NUMBERS.fullmatch(kind):
            return Kind.NUMBER
        if kind == "bool":
            return Kind.YES_OR_NO
        if self._variants(kind) or (parameter.meant == "trait" and self._implementing(kind)):
            return Kind.CONSTANTS
        if self._types(kind):
            return Kind.RECORD
        is_named = _PLAIN_NAME.fullmatch(kind) and last_name(kind) != "String"
        return Kind.UNKNOWN if is_named else Kind.OTHER

    def _without_other_names(self, parameter: Parameter) -> str:
        kind = _bare(parameter.type)
        for one in self._types(kind):
            if one.node.type == "type_item":
                return _bare(node_text(one.node.child_by_field_name("type")))
        return kind

    def _variants(self, kind: str) -> list[str]:
        """The names of an enum that has no more than names."""
        for one in self._types(kind):
            body = one.node.child_by_field_name("body")
            if one.node.type == "enum_item" and body is not None:
                variants = [n for n in body.named_children if n.type == "enum_variant"]
                if not any(n.child_by_field_name("body") for n in variants):
                    return [f"{self._path(one.name)}::{name_of(n)}" for n in variants]
        return []

    def _implementing(self, trait: str) -> list[str]:
        """The types that a trait is implemented for."""
        found = (
            next((self._path(kind.name) for kind in self._types(one.owner)), "")
            for one in self._items
            if one.node.type == "impl_item" and last_name(_bare(one.trait)) == last_name(trait)
        )  # fmt: skip
        return [*dict.fromkeys(filter(None, found))]

    def objects(self, owner: str, *, any_will_do: bool) -> list[str]:
        """Statics and constants, what functions give, and what makes one, where nothing else is: of
        a table that is made once.
        """
        each = [f"{one.removeprefix('&')}." for one in self._objects_of(owner)]
        if not any(_TABLE.search(kind) for one in self._types(owner) for kind in self._kinds(one)):
            return each
        return [
            f"made({', '.join([made[1], *self._fillers(owner, made[1])])})."
            if (made := re.fullmatch(r"([\w:]*::\w+)\(\)\.", one)) else one
            for one in each
        ]  # fmt: skip

    def _fillers(self, owner: str, maker: str) -> list[str]:
        """The methods of a type that fill the tables of an object which a function makes, and that
        this does not call: they take no more than the object, and no other of them calls them.
        """
        found = {
            self._path_of_member(one): node_text(one.node.child_by_field_name("body"))
            for one in self._functions_of(owner)
            if not one.trait and self._is_visible(one) and _fills_itself(one.node)
        }  # fmt: skip
        makers = (one.body for one in self.heads(last_name(maker)) if one.name == maker)
        called = " ".join([*makers, *found.values()])
        return [one for one in found if not re.search(rf"\b{last_name(one)}\(", called)]

    def makers(self, owner: str) -> list[Head]:
        """The functions of a type that make one of one thing."""
        heads = (
            self._head(one) for one in self._functions_of(owner)
            if one.owner == owner and self._is_visible(one)
        )  # fmt: skip
        return [
            one for one in heads
            if not one.owner and len(one.parameters) == 1 and not one.of_compiler
            and _same_type(_bare(one.returns), _bare(owner))
        ]  # fmt: skip

    def values(self, parameter: Parameter) -> list[str]:
        """The names of an enum, or the types of a trait; of a struct its objects, or references."""
        kind = self._without_other_names(parameter)
        if parameter.meant == "trait":
            return self._implementing(kind)
        if variants := self._variants(kind):
            return variants
        if self.kind(parameter) is not Kind.RECORD:
            return []
        refers = re.match(r"&(?:'\w+ )?(?:mut )?", parameter.type)
        before = re.sub(r"'\w+ ", "", refers[0]) if refers else ""
        objects = self._objects_of(kind)
        if not before:
            return [f"*{one[1:]}" if one.startswith("&") else one for one in objects]
        return [one[1:] if one.startswith("&") else f"{before}{one}" for one in objects]

    def constants(self) -> list[str]:
        """All constants of numbers, and no more than these."""
        return [
            self._named(one) for one in self._items
            if one.node.type == "const_item" and self._is_visible(one)
            and _NUMBERS.fullmatch(self._without_other_names(
                Parameter("", node_text(one.node.child_by_field_name("type")))
            ))
        ]  # fmt: skip

    def numbers(self) -> dict[str, int]:
        """None: of C and C++ alone."""
        return {}

    def given(self, parameter: Parameter, word: str) -> list[str]:
        """A number as it is, or as one of another length; of a struct or an enum all that makes one
        of a number.
        """
        kind, before = self._without_other_names(parameter), "&" * parameter.type.startswith("&")
        if kind in {*SQUARE_TYPES, self._word[0]}:
            fits = (word in SQUARES) == (kind in SQUARE_TYPES)
            return [before + word if fits else f"{before}({word} as {kind})"]
        if _NUMBERS.fullmatch(kind):
            return [f"{before}({word} as {kind})" if before else f"{word} as {kind}"]
        if self.kind(parameter) is Kind.UNKNOWN and word in SQUARES:
            return [f"{before}core::mem::transmute::<u8, {kind}>({word} as u8)"]
        alias = _bare(parameter.type) if kind != _bare(parameter.type) else ""
        return [before + text for text in self._made_of(kind, word, alias)]

    def given_as_set(self, parameter: Parameter, word: str) -> list[str]:
        """As a bitboard is."""
        text = f"1{self._word[0]} << {word}" if word in SQUARES else word
        if self.kind(parameter) is Kind.UNKNOWN:  # of another crate
            kind = _bare(parameter.type)
            return [f"core::mem::transmute::<{self._word[0]}, {kind}>({text})"]
        return self.given(parameter, text)

    def holding(self, head: Head, name: str, kind: str) -> list[Holding]:
        """An object with the bitboard in all fields of which a function, or a method that it calls,
        gives the union.

            fn occupied(&self) -> u64 { self.sides[0] | self.sides[1] }
            Board { sides: [occupied; 2], ..Board::empty() }
        """
        owner = next(iter(self._types(_bare(kind))), None)
        fields = dict[str, str]()
        if owner is None or not self._unite(head.body, name or "self", owner, fields):
            return []
        path = "&" * bool(name and kind.startswith("&")) + self._path(owner.name)
        member = re.search(rf"\b{name or 'self'}\s*\.\s*(\w+)\s*(?:\[([^\[\]]*)\])?", head.body)
        said = (member[2] or member[1]) if member else ""
        made = [f"{field}: {text}" for field, text in fields.items()]
        if len(made) == len(self._fields(owner)):
            return [Holding(f"{path} {{ {', '.join(made)} }}", said)]
        bases = [one for one in self._objects_of(owner.name) if one[0] != "&"]
        bases = sorted(bases, key=lambda one: "empty" not in one.lower())
        texts = (f"{path} {{ {', '.join([*made, f'..{base}'])} }}" for base in bases)
        return [Holding(text, said) for text in texts]

    @staticmethod
    def _kinds(owner: _Item) -> list[str]:
        """The types of a struct's fields, with names or without."""
        body = owner.node.child_by_field_name("body")
        inside = nodes_below(body) if body is not None else ()
        return [node_text(one) for one in inside if one.type.endswith("_type")]

    @staticmethod
    def _fields(owner: _Item) -> dict[str, str]:
        """The named fields of a struct, with their types."""
        body = owner.node.child_by_field_name("body")
        fields = body.named_children if body is not None else []
        return {
            name_of(one): node_text(one.child_by_field_name("type"))
            for one in fields if one.type == "field_declaration"
        }  # fmt: skip

    def _unite(
        self, body: str, name: str, owner: _Item, fields: dict[str, str], *, of_method: bool = False
    ) -> bool:
        """Whether all that a body looks at in an object is one field, or a method's union of some.
        These are added to the `fields`, each with what it is to hold.
        """
        found = re.findall(rf"\b{name}\b\s*(?:\.\s*(\w+\b(?:\(\))?))?", body)
        members = dict.fromkeys(found)
        if of_method:
            if not _UNION.fullmatch(body.strip("{} \n")):
                return False
        elif len(members) != 1:
            return False
        types = self._fields(owner)
        for member in members:
            if member.endswith("()"):
                heads = self.heads(member.removesuffix("()"))
                own = [one for one in heads if _same_type(one.owner, last_name(owner.name))]
                if len(own) != 1 or own[0].parameters:
                    return False
                if not self._unite(own[0].body, "self", owner, fields, of_method=True):
                    return False
            elif member not in types or not (text := self._filled(types[member])):
                return False
            else:
                fields[member] = text
        return bool(members)

    def _filled(self, kind: str) -> str:
        """The occupied squares in all places of a bitboard, or of an array of these."""
        if many := re.fullmatch(r"\[(.*); ?([\w:]+)\]", kind):
            inside = self._filled(many[1])
            number = many[2] if many[2].isdigit() else self._path(many[2])
            return f"[{inside}; {number}]" if inside else ""
        parameter = Parameter("", kind)
        texts = self.given(parameter, "occupied")
        known = self.kind(parameter) in {Kind.WORD, Kind.RECORD}
        return next(iter(texts), "") if known else ""

    def instance(self, name: str, arguments: Sequence[str]) -> str:
        """With what is given to a generic function."""
        return f"{name}::<{', '.join(arguments)}>"

    def _made_of(self, kind: str, word: str, alias: str) -> Iterator[str]:
        """How a number becomes something of a type, which has another name as well."""
        for one in self._types(kind):
            path, body = self._path(one.name), one.node.child_by_field_name("body")
            fields = body.named_children if body is not None else []
            if one.node.type == "struct_item" and body is not None:
                no_field = {"visibility_modifier", "attribute_item"}
                kinds = [n for n in fields if n.type not in no_field]
                is_open = one.file == self._source or "pub" in node_text(body)
                if len(kinds) == 1 and is_open and "ordered" in body.type:
                    yield f"{path}({word})"
                elif len(kinds) == 1 and is_open:
                    yield f"{path} {{ {name_of(kinds[0])}: {word} }}"
        makers = list[tuple[int, str]]()
        for one in self._functions_of(kind):
            makers += self._makers(one, kind, word, alias)
        yield from (text for _, text in sorted(makers, key=lambda made: made[0]))
        for one in self._types(kind):
            if one.node.type == "enum_item" and word in SQUARES:
                yield f"core::mem::transmute::<u8, {self._path(one.name)}>({word} as u8)"

    def _makers(self, item: _Item, kind: str, word: str, alias: str) -> Iterator[tuple[int, str]]:
        """The call of a function that makes something of one number, with how likely it is."""
        head = self._head(item)
        if head.owner or head.of_compiler or len(head.parameters) != 1:
            return
        if item.trait and not item.trait.startswith("From<"):
            return
        (takes,), returns = head.parameters, _bare(head.returns)
        optional = _OPTIONAL.fullmatch(returns)
        takes_kind = self._without_other_names(takes)
        is_word = takes_kind in self._word
        if not _NUMBERS.fullmatch(takes_kind) or is_word == (word in SQUARES):
            return
        if self._is_visible(item) and _same_type(optional[1] if optional else returns, kind):
            name = name_of(item.node)
            whole = next((self._path(one.name) for one in self._types(alias)), "")
            called = f"{whole}::{name}" if whole else head.name
            fits = is_word or takes_kind in SQUARE_TYPES
            number = word if fits else f"{word} as {takes_kind}"
            text = f"{called}({number})" + ".unwrap()" * bool(optional)
            likely = _MAKERS.index(name) if name in _MAKERS else len(_MAKERS)
            yield likely + bool(optional), text

    def _objects_of(self, owner: str) -> list[str]:
        """The expressions that are an object of a type: of references with a `&` before them."""
        if owner not in self._known_objects:
            self._known_objects[owner] = self._objects_found(owner)
        return self._known_objects[owner]

    def _objects_found(self, owner: str) -> list[str]:
        owner, found, later = last_name(_bare(owner)), list[str](), list[str]()
        given, made = list[str](), list[tuple[int, str]]()
        for one in self._items:
            if one.node.type == "macro_invocation":
                lazily = _LAZY_STATIC.findall(node_text(one.node))
                scope = one.name.rpartition("::")[0]
                found += (
                    self._path(f"{scope}::{name}" if scope else name)
                    for name, kind in lazily if last_name(kind) == owner
                )  # fmt: skip
            if not self._is_visible(one):
                continue
            if one.node.type in {"static_item", "const_item"}:
                kind = self._meant(node_text(one.node.child_by_field_name("type")), one)
                objects = _object_in(self._named(one), kind, owner)
                (later if _MADE_LATER.search(kind) else found).extend(objects)
            elif one.node.type == "function_item":
                head = self._head(one)
                if head.owner or head.parameters or head.of_compiler:
                    continue
                if _same_type(_bare(head.returns), owner):
                    if head.returns.startswith("&"):
                        given.append(f"&{head.name}()")
                    elif one.owner:
                        name = name_of(one.node)
                        likely = _MAKERS.index(name) if name in _MAKERS else len(_MAKERS)
                        made.append((likely, f"{head.name}()"))
                    else:
                        given.append(f"{head.name}()")
        for kind_item in self._types(owner):
            path, body = self._path(kind_item.name), kind_item.node.child_by_field_name("body")
            if kind_item.node.type == "struct_item" and body is None:
                found.append(path)
            elif any("Default" in node_text(one) for one in attributes_of(kind_item.node)):
                made.append((1, f"{path}::default()"))
        objects = [*dict.fromkeys([*found, *given, *later])]
        return objects or [text for _, text in sorted(made, key=lambda one: one[0])]


def _types_given_to(node: "Node") -> list["Node"]:
    """The structs and enums among a macro's arguments, where these are items."""
    tree = next((one for one in node.children if one.type == "token_tree"), None)
    text = node_text(tree)[1:-1] if tree is not None else ""
    if node.type != "macro_invocation" or not re.search(r"\b(?:struct|enum)\b", text):
        return []
    items = parser_of("rust").parse(text.encode("utf-8", "surrogateescape")).root_node.children
    kinds = {"struct_item", "enum_item"}
    return [one for one in items if one.type in kinds and not one.has_error]


def _fills_itself(node: "Node") -> bool:
    """Whether a method takes no more than its object, gives nothing, and says that it fills it."""
    takes = node_text(node.child_by_field_name("parameters"))
    gives = node.child_by_field_name("return_type") is not None
    is_alone = re.fullmatch(r"\(\s*&mut self,?\s*\)", takes) is not None
    return is_alone and not gives and not _FILLS.isdisjoint(name_of(node).split("_"))


def _generic(node: "Node") -> Parameter:
    """What a generic function is made for: a constant, or a type of some trait."""
    if node.type == "const_parameter":
        return Parameter(name_of(node), node_text(node.child_by_field_name("type")))
    bounds = node.child_by_field_name("bounds")
    names = (one for one in nodes_below(bounds) if one.type == "type_identifier") if bounds else ()
    return Parameter(name_of(node), next(map(node_text, names), ""), "trait")


def _bare(kind: str) -> str:
    """A type without references and lifetimes."""
    return re.sub(r"&|'\w+|\bmut\b|\bconst\b|\*|\bdyn\b", "", kind).strip()


def _same_type(one: str, other: str) -> bool:
    """Whether two types have the same last name, whatever they are given."""
    first, second = (last_name(kind.partition("<")[0]) for kind in (one, other))
    return first == second


def _object_in(name: str, kind: str, owner: str) -> list[str]:
    """The object of a type that a static or a constant is, or holds."""
    bare = _bare(kind)
    if (later := _MADE_LATER.search(bare)) and last_name(_bare(later[1])) == owner:
        return [f"&{name}.get().unwrap()"]
    if (many := _MANY.fullmatch(bare)) and last_name(_bare(many[1])) == owner:
        return [f"{name}[0]"]
    once = _MADE_ONCE.search(bare)
    if last_name(_bare(once[1] if once else bare)) != owner:
        return []
    return [f"&{name}" if kind.startswith("&") else name]
