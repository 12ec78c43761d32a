"""Which items of a crate of Rust go, and what goes with them."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.derives import implemented
from magicert.functions.compile.rust_errors import LostImplementation, RustError
from magicert.functions.compile.rust_placeholders import (
    doubled_placeholder,
    item_text,
    macro_placeholder,
    never_type,
    placeholder_of,
)
from magicert.functions.compile.rust_tree import (
    begin_with_attributes,
    function_around,
    imported_names,
    item_behind,
    module_around,
    name_of,
    text_from,
    visibility,
)
from magicert.functions.compile.syntax import node_text, nodes_below, parser_of
from magicert.functions.llvm.markers import LEFT_OUT

if TYPE_CHECKING:
    from tree_sitter import Node


DEFINES_ITS_OWN = frozenset({"bitflags", "lazy_static", "thread_local"})
"""Macros of crates that nearly all use: they define what their arguments define, and implement
nothing for another type.
"""


_MATCHES = frozenset({"match_pattern", "let_condition", "token_tree"})


_ITEMS = frozenset({
    "struct_item", "enum_item", "union_item", "type_item", "trait_item", "const_item",
    "static_item", "mod_item", "extern_crate_declaration", "macro_definition", "foreign_mod_item",
    "impl_item", "use_declaration", "function_item", "function_signature_item",
    "associated_type",
})  # fmt: skip


_VALUES = frozenset({"const_item", "static_item"})


_NAMED_TYPES = frozenset({
    "struct_item", "enum_item", "union_item", "type_item", "trait_item", "mod_item",
    "extern_crate_declaration",
})  # fmt: skip


_OF_THE_LANGUAGE = frozenset({
    "Add", "AddAssign", "AsMut", "AsRef", "BitAnd", "BitAndAssign", "BitOr", "BitOrAssign",
    "BitXor", "BitXorAssign", "Borrow", "BorrowMut", "Clone", "Copy", "Debug", "Default", "Deref",
    "DerefMut", "Display", "Div", "DivAssign", "DoubleEndedIterator", "Drop", "Eq", "Error",
    "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From", "FromIterator", "FromStr",
    "Hash", "Hasher", "Index", "IndexMut", "Into", "IntoIterator", "Iterator", "Mul", "MulAssign",
    "Neg", "Not", "Ord", "PartialEq", "PartialOrd", "Product", "RangeBounds", "Rem", "RemAssign",
    "Send", "Shl", "ShlAssign", "Shr", "ShrAssign", "Sub", "SubAssign", "Sum", "Sync", "ToOwned",
    "ToString", "TryFrom", "TryInto",
})  # fmt: skip
"""Traits that every crate has, whatever an import by the same name would bring."""


_OWN_DERIVES = frozenset({
    "Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd",
})  # fmt: skip


_NOTHING = "const _: () = ();"


_DEFINED = re.compile(
    r"\b(?:fn|struct|enum|union|const|static|type|trait|mod)\s+(?:(?:ref|mut|fn)\s+)*([A-Za-z_]\w*)"
)
"""What a text defines, a macro's arguments too."""


_OF_A_DERIVE = re.compile(r"(?:cannot find|expected) derive macro\b")


_NO_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


_COMMON = frozenset({
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
    "i64", "i128", "isize", "f32", "f64", "self", "Self", "super", "crate", "as", "break",
    "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "static", "struct", "trait", "true", "type", "union", "unsafe", "use", "where", "while",
    "Some", "None", "Ok", "Err", "Option", "Result", "Vec", "String", "Box",
})  # fmt: skip
"""Names that no macro's arguments mean to define."""


@dataclass(frozen=True, slots=True)
class _Edit:
    begin: int
    end: int
    text: str
    name: str
    """What is left out; "" where that is no item."""


class CrateEdits:
    """The texts of a crate's files, and what was taken out of them."""

    def __init__(
        self, root: Path, project: Path, folder: Path, edition: str, stand_ins: Collection[str] = ()
    ) -> None:
        self.root = root
        self.stand_ins = stand_ins
        self.project, self.folder, self.edition = project, folder, edition
        self.texts: dict[Path, bytes] = {}
        self.left_out: dict[str, None] = {}
        self.without_derives: set[tuple[Path, int]] = set()
        self.imports: set[str] = set()
        """Names that imports brought."""
        self.types: set[str] = set()
        """Types that are left out."""
        self.implementations: list[LostImplementation] = []
        self.open_modules: set[str] = set()
        """Modules of which nobody knows what they define."""
        self.errors_changed = False
        """Whether the error of a conversion is another type now."""
        self.numbers = count(1)
        """Of bodies that are left out."""

    @property
    def as_texts(self) -> dict[Path, str]:
        return {path: data.decode("utf-8", "surrogateescape") for path, data in self.texts.items()}

    def leave_out(self, errors: Iterable[RustError]) -> bool:
        """Take out what these are about; whether there was anything. Derives first: what they
        implement may be all that others lack.
        """
        errors = [*errors]
        of_derives = [one for one in errors if _OF_A_DERIVE.match(one.message)]
        return self._leave_out(of_derives) or self._leave_out(errors)

    def _leave_out(self, errors: Iterable[RustError]) -> bool:
        by_file: dict[Path, list[RustError]] = {}
        for error in errors:
            path = Path(os.path.normpath(error.file))
            if path.is_relative_to(self.folder):
                path = self.project / path.relative_to(self.folder)
            if path.is_relative_to(self.project) and path.is_file():
                by_file.setdefault(path, []).append(error)
        changed = False
        for path, of_file in by_file.items():
            data = self.texts.get(path) or path.read_bytes()
            new = self._without(path, data, of_file)
            if new != data:
                self.texts[path], changed = new, True
        return changed

    def _without(self, path: Path, data: bytes, errors: Iterable[RustError]) -> bytes:
        root = parser_of("rust").parse(data).root_node
        edits: list[_Edit] = []
        tables: list[tuple[int, int]] = []  # one that goes may have an error in each number
        for error in errors:
            if error.code in {"E0428", "E0255"} and (
                twice := doubled_placeholder(data, root, error)
            ):
                edits.append(_Edit(*twice, "", ""))
                continue
            if any(begin <= error.begin < end for begin, end in tables):
                continue
            node = root.descendant_for_byte_range(error.begin, max(error.begin, error.end - 1))
            if error.code == "non_snake_case" and node is not None and not _is_in_match(node):
                continue
            if node is not None:
                new = [*self._edits_for(path, node, error)]
                edits += new
                tables += [(one.begin, one.end) for one in new if ": fn(" in one.text]
        return self._edited(path, data, edits)

    def leave_out_uncertain(self) -> bool:
        """Take out of a crate that compiles what may mean something else than it does with all
        that is gone; whether there was anything.
        """
        lost = [one for one in self.implementations if one.of not in self.types or not one.of]
        all_names = frozenset[str]().union(*(one.names for one in lost))
        own = (one.changed for one in lost if not self._is_missing(one.trait))
        changed = frozenset[str]().union(*own) - self.types
        if not (all_names or changed or self.open_modules):
            return False
        errors = ["Error", "Err"] if self.errors_changed else []
        parts = [rb"\b(?:%s)\b" % "|".join(sorted({*all_names, *changed, *errors})).encode()]
        if self.open_modules:
            parts.append(rb"\buse\b[^;]*\*")
        words = re.compile(b"|".join(parts if all_names | changed else parts[1:]))
        found = False
        for path, data in self._files():
            if not words.search(data):
                continue
            here = {*re.findall(r"\w+", data.decode("utf-8", "replace"))}
            known = (one for one in lost if not one.converts or one.converts in here)
            names = frozenset[str]().union(*(one.names for one in known))
            root = parser_of("rust").parse(data).root_node
            edits: list[_Edit] = []
            for node in nodes_below(root):
                if _means_one_of(node, names) or self._is_open_import(path, node):
                    edits += self._edits_around(node)
                elif self.errors_changed and _is_some_error(node):
                    edits += self._edits_of_type(path, node)
                elif (
                    node.type in {"struct_item", "enum_item", "union_item"}
                    and name_of(node) in changed
                ):
                    edits += self._of_item(path, node, node)
            new = self._edited(path, data, edits)
            if new != data:
                self.texts[path], found = new, True
        return found

    def _is_missing(self, trait: str) -> bool:
        """Whether a trait is of a crate that is not here: what such do to other types is assumed to
        be nothing.
        """
        defined = re.compile(rb"\btrait\s+%s\b" % trait.encode())
        return (
            trait in self.imports and trait not in _OF_THE_LANGUAGE
            and not any(defined.search(text) for _, text in self._files())
        )  # fmt: skip

    def _files(self) -> Iterator[tuple[Path, bytes]]:
        """The crate's files and those beside it, with their texts as they are by now."""
        for path in sorted({*self.root.parent.rglob("*.rs"), *self.texts}):
            yield path, self.texts.get(path) or path.read_bytes()

    def _rules_of(self, macro: str) -> Iterator[str]:
        """The text of each macro of the crate that has this name, as the crate has it: what stands
        for a macro that does not come is none of the crate's.
        """
        for path, _ in self._files():
            text = path.read_bytes()
            if re.search(rb"macro_rules!\s*%s\b" % macro.encode(), text):
                for node in nodes_below(parser_of("rust").parse(text).root_node):
                    if node.type == "macro_definition" and name_of(node) == macro:
                        yield node_text(node)

    def _is_open_import(self, path: Path, node: "Node") -> bool:
        """Whether a body imports all that a module has of which nobody knows what that is. Between
        the items of a module such an import makes this one unknown, too.
        """
        if node.type != "use_wildcard":
            return False
        last = node_text(node).removesuffix("*").rstrip(": ").rpartition("::")[2].strip()
        inside = function_around(node) is not None
        if last in self.open_modules:
            if not inside:
                self.open_modules.add(module_around(path, node))
            return inside
        return inside and last in {"self", "super", "crate"} and bool(self.open_modules)

    def _edits_around(self, node: "Node") -> Iterator[_Edit]:
        """A function's body, or another item, that has this and goes."""
        if (function := function_around(node)) is not None:
            body = function.child_by_field_name("body")
            if body is not None and LEFT_OUT not in node_text(body):
                yield from self._of_body(Path(), function, body)
            return
        above: Node | None = node
        while above is not None and above.type not in {*_VALUES, "macro_definition"}:
            above = above.parent
        if above is not None:
            yield from self._of_item(Path(), above, node)

    def _edits_of_type(self, path: Path, node: "Node") -> Iterator[_Edit]:
        """What has a type in it that is another one now."""
        if function_around(node) is not None:
            yield from self._edits_around(node)
            return
        above: Node | None = node
        while above is not None and above.type not in _ITEMS:
            above = above.parent
        if above is None or LEFT_OUT in node_text(above):
            return
        if above.type == "function_item" and (body := above.child_by_field_name("body")):
            owner = above.parent.parent if above.parent is not None else None
            if owner is not None and owner.child_by_field_name("trait") is not None:
                yield from self._of_body(path, above, body)
                return
        if above.type != "use_declaration":
            yield from self._of_item(path, above, node)

    def _edited(self, path: Path, data: bytes, edits: Iterable[_Edit]) -> bytes:
        done = len(data) + 1
        # From the end on, an edit that holds others before these.
        for edit in _outermost(edits):
            if edit.end > done:
                continue
            done = edit.begin
            removed = data[edit.begin : edit.end]
            lines = b"\n" * (removed.count(b"\n") - edit.text.count("\n"))
            if edit.name:
                line = data.count(b"\n", 0, edit.begin) + 1
                shown = os.path.relpath(path)
                self.left_out.setdefault(f"{edit.name} ({shown}:{line})")
            data = data[: edit.begin] + edit.text.encode() + lines + data[edit.end :]
        return data

    def _edits_for(self, path: Path, node: "Node", error: RustError) -> Iterator[_Edit]:
        if edits := [*self._of_given_attribute(path, node, error)]:
            yield from edits
            return
        below, body = node, None
        while (above := node.parent) is not None:
            if node.type in {"attribute_item", "inner_attribute_item"} and not body:
                if edits := [*self._of_attribute(path, node, error)]:
                    yield from edits
                    return
                item = item_behind(node)
                if item is None or item.parent is None:
                    return
                node = below = item
                above = item.parent
            if node.type == "block":
                body = node
            if node.type == "function_item" and body is not None:
                yield from self._of_body(path, node, body)
                return
            if node.type in _ITEMS:
                yield from self._of_item(path, node, below, error)
                return
            if node.type in {"macro_invocation", "expression_statement"} and above.type in {
                "source_file", "declaration_list",
            }:  # fmt: skip
                owner = above.parent
                if owner is not None and owner.type in {"impl_item", "trait_item"}:
                    yield from self._of_item(path, owner, node, error)
                else:
                    yield from self._of_macro(path, node, above)
                return
            below, node = node, above

    def _of_attribute(self, path: Path, node: "Node", error: RustError) -> Iterator[_Edit]:
        """What is to be done to an attribute; nothing where its item goes."""
        text = node_text(node)
        item = item_behind(node)
        where = path, item.start_point[0] if item else -1
        if re.match(r"#!?\[\s*derive\b", text):
            place = error.begin - node.start_byte
            for word in re.finditer(r"[\w:]+\s*,?", text[text.index("(") :]):
                begin = text.index("(") + word.start()
                if begin <= place < begin + len(word[0]):
                    self.without_derives.add(where)
                    start = node.start_byte + begin
                    yield _Edit(start, start + len(word[0]), "", "")
                    text = implemented(word[0].rstrip(", "), item, self.stand_ins) if item else ""
                    if item and text:
                        yield _Edit(item.end_byte, item.end_byte, f" {text}", "")
                        return
                    trait = re.compile(
                        rb"\btrait\s+%s\b" % word[0].rstrip(", ").rpartition("::")[2].encode()
                    )
                    if item and any(trait.search(text) for _, text in self._files()):
                        of = name_of(item)
                        lost = LostImplementation(of, frozenset(), frozenset({of}))
                        self.implementations.append(lost)
                    return
            return
        inert = node.parent is not None and node.parent.type not in {
            "source_file", "declaration_list", "block",
        }  # fmt: skip
        inside = re.sub(r"^#!?\[\s*|\"[^\"]*\"", "", text)
        names = re.findall(r"[\w:]+", inside)
        names = names if names[:1] == ["cfg_attr"] else names[:1]
        own = any("::" in name or name in self.imports for name in names)
        helps = (where in self.without_derives or _derives_more(item)) and not own
        if node.type == "inner_attribute_item" or inert or helps:
            # What a macro makes of all that it stands in nobody knows.
            kept = node.type == "inner_attribute_item" and own
            yield _Edit(node.start_byte, node.end_byte, text if kept else "", "")

    def _of_given_attribute(self, path: Path, node: "Node", error: RustError) -> Iterator[_Edit]:
        """What is to be done to a derive, or to an attribute that one has, among what a macro is
        given: make_enum! { #[derive(Display)] #[strum(...)] enum Square { ... } }.
        """
        tree = node.parent
        if tree is None or tree.parent is None or {tree.type, tree.parent.type} != {"token_tree"}:
            return
        where = path, _macro_around(tree).start_point[0]
        before, behind = tree.prev_sibling, node.next_sibling
        if _OF_A_DERIVE.match(error.message):
            if before is not None and node_text(before) == "derive":
                is_last = behind is None or node_text(behind) != ","
                end = node.end_byte if is_last or behind is None else behind.end_byte
                self.without_derives.add(where)
                yield _Edit(node.start_byte, end, "", "")
        elif (
            where in self.without_derives
            and error.message.startswith("cannot find attribute")
            and before is not None
            and node_text(before) == "#"
        ):
            yield _Edit(before.start_byte, tree.end_byte, "", "")

    def _of_macro(self, path: Path, node: "Node", above: "Node") -> Iterator[_Edit]:
        """A macro among items, which goes, with what keeps the names that it may define."""
        called = next((n for n in nodes_below(node) if n.type == "macro_invocation"), node)
        name = called.child_by_field_name("macro")
        last = node_text(name).rpartition("::")[2] if name is not None else ""
        tree = next((n for n in called.children if n.type == "token_tree"), None)
        given = node_text(tree) if tree is not None and last != "include" else ""
        given, own = (_NO_CODE.sub(" ", one) for one in (given, " ".join(self._rules_of(last))))
        defined = {*_DEFINED.findall(given), *_DEFINED.findall(own)}
        words = _words(given) - _COMMON
        if last in DEFINES_ITS_OWN and defined and not own:
            words = set[str]()
        heads = frozenset(words) if re.search(r"\bimpl\b", own + given) else frozenset[str]()
        self.implementations.append(LostImplementation("", frozenset(defined | words), heads))
        if not defined:
            self.open_modules.add(module_around(path, node))
            for sibling in above.children:
                if sibling.type == "use_declaration" and any(
                    n.type == "use_wildcard" for n in nodes_below(sibling)
                ):
                    yield from self._of_use(path, sibling, sibling.start_byte, sibling.end_byte)
        names = sorted((defined | words if own or not defined else defined) - _COMMON - {"_"})
        macros = [name for name in sorted(words) if any(True for _ in self._rules_of(name))]
        text = " ".join([
            _NOTHING, *(placeholder_of(one, "pub ", self.edition) for one in names),
            *map(macro_placeholder, macros),
        ])  # fmt: skip
        behind = node.next_sibling
        closed = behind is not None and behind.type in {";", "empty_statement"}
        end = behind.end_byte if behind is not None and closed else node.end_byte
        yield _Edit(node.start_byte, end, text, node_text(node)[:40])

    def _of_body(self, path: Path, node: "Node", body: "Node") -> Iterator[_Edit]:
        """A function whose body goes, or all of it if that is gone already."""
        whole = node.child_by_field_name("body")
        if whole is None or LEFT_OUT in node_text(whole) or (body.start_byte != whole.start_byte):
            yield from self._of_item(path, node, node)
            return
        text = self._left_out_body()
        yield _Edit(whole.start_byte, whole.end_byte, text, name_of(node))
        for child in node.children:
            if child.type == "function_modifiers" and (
                const := re.search(r"\bconst\b", node_text(child))
            ):
                begin = child.start_byte + const.start()
                yield _Edit(begin, begin + len("const"), "", "")

    def _left_out_body(self) -> str:
        """A body in place of another. It may return, or LLVM would take all behind it for what
        cannot be. Its number is its own, or LLVM would make one function of several.
        """
        unsafe = "unsafe " if self.edition >= "2024" else ""
        return (
            f'{{ {unsafe}extern "C" {{ fn {LEFT_OUT}(_: u32); }} '
            f"unsafe {{ {LEFT_OUT}({next(self.numbers)}) }} loop {{}} }}"
        )

    def _of_conversion(self, node: "Node") -> Iterator[_Edit]:
        """An implementation of a trait of the language's own that converts with an error, which may
        be another crate's: it stays, so that no other is taken in its place, and its body goes.
        """
        trait, inside = node.child_by_field_name("trait"), node.child_by_field_name("body")
        if trait is None or inside is None:
            return
        path, _, given = node_text(trait).partition("<")
        name, given, never = path.split("::")[-1], given.removesuffix(">"), never_type(self.edition)
        stated = {
            "TryFrom": ("Error", f"try_from(_: {given})", "Self"),
            "TryInto": ("Error", "try_into(self)", given),
            "FromStr": ("Err", "from_str(_: &str)", "Self"),
        }
        if name not in stated:
            return
        error, head, result = stated[name]
        if f"type {error} = {never};" in node_text(inside):
            return
        text = (
            f"{{ type {error} = {never}; fn {head} -> ::core::result::Result<{result}, {never}> "
            f"{self._left_out_body()} }}"
        )
        names = {"FromStr": {"from_str", "parse"}}.get(name, {"try_from", "try_into"})
        of = given if name == "TryInto" else node_text(node.child_by_field_name("type"))
        of = next(iter(re.findall(r"\w+", of)), "")
        lost = LostImplementation("", frozenset(names), frozenset(), converts=of)
        self.implementations.append(lost)
        self.errors_changed = True
        yield _Edit(inside.start_byte, inside.end_byte, text, item_text(node, ""))

    def _of_item(
        self, path: Path, node: "Node", below: "Node", error: RustError | None = None
    ) -> Iterator[_Edit]:
        """An item that goes, with what keeps its name."""
        above = node.parent
        owner = above.parent if above is not None and above.type == "declaration_list" else None
        in_impl = owner is not None and owner.type == "impl_item"
        if owner is not None and (
            owner.type in {"trait_item", "foreign_mod_item"}
            or (in_impl and owner.child_by_field_name("trait") is not None)
        ):
            yield from self._of_item(path, owner, node, error)
            return
        if node.type == "use_declaration":
            place = error or RustError("", "", "", node.start_byte, node.end_byte)
            yield from self._of_use(path, node, place.begin, place.end)
            return
        if node.type == "impl_item" and below.parent == node.child_by_field_name("body"):
            converts = [*self._of_conversion(node)]
            yield from converts
            if converts:
                return
        name, seen = name_of(node), visibility(node)
        self._note(node, below, name)
        begin = begin_with_attributes(node)
        never = never_type(self.edition)
        text = _NOTHING
        if node.type in {"function_item", "function_signature_item"}:
            takes = node.child_by_field_name("parameters")
            parts = takes.children if takes is not None else []
            own = "".join(f"{node_text(one)}, " for one in parts if one.type == "self_parameter")
            own = re.sub(r"'\w+\s*", "", own)  # which the function declares
            text = f"{seen}fn {name}({own}_: {never}) {{}}"
        elif node.type in _VALUES and name != "_":
            text = f"{seen}const {name}: fn({never}) = |_| ();"
        elif node.type in _NAMED_TYPES and in_impl:
            text = _NOTHING
        elif node.type == "macro_definition":
            exported = "#[macro_export] " * ("macro_export" in text_from(node, begin))
            text = exported + macro_placeholder(name)
            if LEFT_OUT in node_text(node):
                text = _NOTHING
        elif node.type in {"struct_item", "enum_item", "union_item"}:
            text = placeholder_of(name, seen, self.edition)
        elif node.type in _NAMED_TYPES:
            text = f"{seen}mod {name} {{}}"
            if node.type == "mod_item" and node_text(node).replace(" ", "") == text.replace(
                " ", ""
            ):
                text = _NOTHING
        if in_impl and owner is not None and text == _NOTHING:
            yield from self._of_item(path, owner, node, error)
            return
        yield _Edit(begin, node.end_byte, text, item_text(node, name))

    def _note(self, node: "Node", below: "Node", name: str) -> None:
        """What may mean something else without this item."""
        if node.type in {"struct_item", "enum_item", "union_item", "type_item"}:
            self.types.add(name)
        if node.type in {"mod_item", "enum_item"}:
            self.open_modules.add(name)
        if node.type not in {"impl_item", "trait_item"}:
            return
        names = {*_DEFINED.findall(node_text(node))}
        for inside in nodes_below(node):
            if inside.type == "token_tree" and function_around(inside) is None:
                names |= _words(node_text(inside)) - _COMMON
        kind, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
        of = (
            [n for n in nodes_below(kind) if n.type == "type_identifier"]
            if kind is not None
            else []
        )
        if kind is not None and below == kind and of:
            return  # of a type that is not there
        heads = frozenset[str]()
        if trait is not None and below != trait:
            heads = frozenset(
                re.findall(r"\w+", f"{node_text(kind) if kind else ''} {node_text(trait)}")
            )
        first = node_text(of[0]) if of else ""
        last = node_text(trait).partition("<")[0].rpartition("::")[2].strip()
        self.implementations.append(LostImplementation(first, frozenset(names), heads, last))

    def _of_use(self, path: Path, node: "Node", begin: int, end: int) -> Iterator[_Edit]:
        """What an import brings that does not come."""
        part = node.descendant_for_byte_range(begin, max(begin, end - 1))
        whole = node
        while part is not None and part != node:
            if part.parent is not None and part.parent.type == "use_list":
                whole = part
                break
            part = part.parent
        names = [*dict.fromkeys(imported_names(whole))]
        self.imports.update(names)
        if any(inside.type == "use_wildcard" for inside in nodes_below(whole)):
            self.open_modules.add(module_around(path, node))
        seen = visibility(node)
        macros = [macro_placeholder(name) for name in names if name.islower()]
        text = (
            " ".join([*(placeholder_of(name, seen, self.edition) for name in names), *macros])
            or _NOTHING
        )
        shown = f"use {node_text(whole)}" if whole is not node else node_text(node).rstrip(";")
        if whole is node:
            yield _Edit(
                begin_with_attributes(node), node.end_byte, text, " ".join(shown.split())[:60]
            )
            return
        begin, end = whole.start_byte, whole.end_byte
        behind = whole.next_sibling
        before = whole.prev_sibling
        if behind is not None and behind.type == ",":
            end = behind.end_byte
        elif before is not None and before.type == ",":
            begin = before.start_byte
        yield _Edit(begin, end, "", " ".join(shown.split())[:60])
        yield _Edit(node.end_byte, node.end_byte, f" {text}", "")


def _outermost(edits: Iterable[_Edit]) -> list[_Edit]:
    """Edits from the end of a text on, each once, without those that lie inside of others."""
    kept: list[_Edit] = []
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.begin - e.end, e.begin, not e.name)):
        if not any(
            (edit.begin < other.end and other.begin < edit.end)
            or (edit.begin, edit.end) == (other.begin, other.end) != (edit.end, edit.begin)
            for other in kept
        ):
            kept.append(edit)
    return sorted(kept, key=lambda e: (e.begin, e.end), reverse=True)


def _macro_around(tree: "Node") -> "Node":
    """The macro that is given this."""
    above = tree
    while above.parent is not None and above.type != "macro_invocation":
        above = above.parent
    return above


def _derives_more(item: "Node | None") -> bool:
    """Whether an item derives what is not the language's own: such a derive has attributes."""
    before = item.prev_sibling if item is not None else None
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if derived := re.match(r"#\[\s*derive\s*\((.*)\)\s*\]", node_text(before), re.DOTALL):
            return not _OWN_DERIVES.issuperset(re.findall(r"[\w:]+", derived[1]))
        before = before.prev_sibling
    return False


def _words(text: str) -> set[str]:
    """The names in a text, but for those in its comments and strings."""
    return {*re.findall(r"[A-Za-z_]\w*", _NO_CODE.sub(" ", text))}


def _means_one_of(node: "Node", names: Set[str]) -> bool:
    """Whether a node names a method or a constant of a type by one of these names."""
    above = node.parent
    if above is None or node.type not in {"identifier", "field_identifier"}:
        return False
    if above.type == "token_tree":
        return node_text(node) in names
    return (
        above.type in {"field_expression", "scoped_identifier"}
        and above.named_children[-1] == node
        and node_text(node) in names
    )


def _is_in_match(node: "Node") -> bool:
    """Whether a name stands in a pattern that may not match."""
    above: Node | None = node
    while above is not None and above.type not in {"block", "parameters"}:
        if above.type in _MATCHES or (
            above.type == "let_declaration" and above.child_by_field_name("alternative")
        ):
            return True
        above = above.parent
    return False


def _is_some_error(node: "Node") -> bool:
    """Whether a type is the error of a conversion, by the type or the parameter that converts."""
    if node.type != "scoped_type_identifier" or name_of(node) not in {"Error", "Err"}:
        return False
    path = node.child_by_field_name("path")
    return path is not None and (
        path.type == "bracketed_type" or re.match(r"Self$|[A-Z]\w*$", node_text(path)) is not None
    )
