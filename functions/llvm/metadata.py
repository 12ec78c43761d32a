"""LLVM's metadata: what the source calls things, and on which line an instruction stands.

Of what a compiler writes there little is of use here, and the rest is most of a module in C++. So
it is left out first: LLVM is slow on it, and its passes end over the metadata of some templates.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

DEBUG = re.compile(r"!dbg !(\d+)")
_NODE = re.compile(r"^!(\d+) = (.*)$", re.MULTILINE)
_ATTACHED = re.compile(r",? ![A-Za-z][\w.]* ![0-9]+")
_LIBRARY = re.compile(
    r"/ziglang/lib/|/libcxx/|/lib/std/|^/usr/(?:local/)?(?:include|lib)/"
    r"|(?:^|/)library/(?:core|alloc|std)/src/"
)
_ONE = re.compile(r"DW_TAG_(?:enumeration|union)_type|DIFlagVector")
_ITEM = re.compile(r"DISubrange\(|DW_TAG_(?:member|inheritance)\b(?!.*DIFlagStaticMember)")
_OF_METADATA = re.compile(r"^(?:!|\s+#dbg_|.*\bcall .*\(.*metadata ).*\n", re.MULTILINE)
_TYPES = re.compile(
    r"(?:, )?\b(?:type|templateParams|retainedNodes|declaration|elements|baseType|vtableHolder"
    r"|thrownTypes|annotations|containingType|enums|retainedTypes|globals|imports|macros"
    r"|discriminator|specification|identifier): (?:!\d+|null|\"[^\"]*\")"
)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Where an instruction comes from: the innermost source line, and what the compiler says of a
    check that stands there.
    """

    file: str = ""
    line: int = 0
    message: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else ""


@cache
def is_of_a_library(file: str, source: str = "") -> bool:
    """Whether a file is a compiler's own, or lies where a system has its headers; not one of the
    project of a `source` (by its whole path), which may have a folder that is called so.
    """
    file = os.path.abspath(file) if source and file else file  # noqa: PTH100 (no ..)
    match = _LIBRARY.search(file)
    if match is None:
        return False
    folder, library = file[: match.start()], file[: match.end()]
    return not source.startswith((library, *([f"{folder}/"] if folder else [])))


def is_method(text: str, symbol: str) -> bool:
    """Whether the first thing that a function takes is the object that it is called of, as a
    compiler's module says.
    """
    name = rf'@"?{re.escape(symbol)}"?\('
    line = re.search(rf"^define [^\n]*{name}[^\n]*!dbg !(\d+)", text, re.MULTILINE)
    own = r'!DILocalVariable\(name: "(?:this|self)", arg: 1, scope: '
    return line is not None and re.search(rf"{own}!{line[1]}\b", text) is not None


def _name_of_file(node: str) -> str:
    """The name of a file. Clang takes off it what a whole path has in common with the folder in
    which it was called: that is put back, where there is such a file.
    """
    name, folder = _field("filename", node), _field("directory", node)
    whole = Path(folder) / name
    return str(whole) if folder and Path(folder) != Path.cwd() and whole.is_file() else name


class DebugNames:
    """The metadata of a module, as far as it says lines and names."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._places: dict[int | None, SourceLine] = {}

    @cached_property
    def nodes(self) -> dict[str, str]:
        """The lines of metadata by their number."""
        return dict(_NODE.findall(self.text))

    def source_line(self, debug: int | None) -> SourceLine:
        """The source line of an instruction's `!dbg`."""
        if debug not in self._places:
            self._places[debug] = self._source_line(debug)
        return self._places[debug]

    def _source_line(self, debug: int | None) -> SourceLine:
        text = self.nodes.get(str(debug), "") if debug is not None else ""
        if "DILocation" not in text:
            return SourceLine()
        subprogram = self._subprogram(_field("scope", text))
        name = _field("name", subprogram)
        if name.startswith("__clang_trap_msg$"):
            outer = self.source_line(int(_field("inlinedAt", text) or -1))
            return SourceLine(outer.file, outer.line, name.split("$")[-1])
        scope = self._node(_field("scope", text))
        file = self._node(_field("file", scope))
        # Line 0: the compiler does not say; then where the block or the function begins.
        line = int(_field("line", text) or 0) or int(_field("line", scope) or 0)
        own, outside = SourceLine(_name_of_file(file), line), _field("inlinedAt", text)
        # Of a language's library that line says little: rather where the source calls it.
        return self.source_line(int(outside)) if outside and _LIBRARY.search(own.file) else own

    def inside(self, body: str) -> set[str]:
        """The names in the source of the functions of which a body has code: those that were
        inlined into it, too.
        """
        names, seen, waiting = set[str](), set[str](), DEBUG.findall(body)
        while waiting:
            number = waiting.pop()
            if number not in seen and "DILocation(" in (text := self._node(number)):
                names.add(_field("name", self._subprogram(_field("scope", text))))
                waiting.append(_field("inlinedAt", text))
            seen.add(number)
        return names

    def _node(self, number: str) -> str:
        return self.nodes.get(number, "")

    def _subprogram(self, number: str) -> str:
        for _ in range(100):
            text = self._node(number)
            if "DISubprogram(" in text or not text:
                return text
            number = _field("scope", text)
        return ""

    def variable(self, stated: str) -> str:
        """What the source calls the global variable of that line; "" where it does not say so."""
        return _field("name", self._variable_node(stated))

    def variable_place(self, stated: str) -> SourceLine:
        """Where the source declares the global variable of that line."""
        return self._declared(self._variable_node(stated))

    def _variable_node(self, stated: str) -> str:
        debug = DEBUG.search(stated)
        return self._node(_field("var", self._node(debug[1]))) if debug else ""

    def _declared(self, node: str) -> SourceLine:
        file = self._node(_field("file", node))
        return SourceLine(_name_of_file(file), int(_field("line", node) or 0))

    def defined(self, heads: Iterable[str]) -> Iterator[tuple[str, SourceLine]]:
        """The functions of these `define` lines: their names in the source, and where they are."""
        for head in heads:
            if debug := DEBUG.search(head):
                node = self._node(debug[1])
                yield _field("name", node), self._declared(node)

    def functions(self, heads: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
        """The symbols of functions by their names in the source, plain and with their namespaces;
        `heads` are the symbols, each with its `define` line.
        """
        members: dict[str, list[str]] = {}
        for symbol, head in heads:
            debug = DEBUG.search(head)
            if debug is None:
                continue
            text = self._node(debug[1])
            names = [_field("name", text)]
            scope = _field("scope", text)
            while scope and (outer := self._node(scope)):
                if "DINamespace" not in outer and "DICompositeType" not in outer:
                    break
                names.insert(0, _field("name", outer))
                scope = _field("scope", outer)
            for start in range(len(names)):
                members.setdefault("::".join(names[start:]), []).append(symbol)
        return members

    def has_parts(self, head: str) -> bool:
        """Whether the function of that `define` line takes or gives, as the source says, a struct
        or an array of several items.
        """
        return any(map(self._is_of_several, filter(None, self._types(head))))

    def takes_small_struct(self, head: str) -> bool:
        """Whether it takes, as the source says, a struct of fewer bits than a bitboard has: what
        its bits mean only its own functions know.
        """
        return any(map(self._is_small_struct, filter(None, self._types(head)[1:])))

    def _types(self, head: str) -> list[str]:
        """The types of what a function gives, null where that is nothing, and takes."""
        debug = DEBUG.search(head)
        kind = self._node(_field("type", self._node(debug[1]))) if debug else ""
        return re.findall(r"!(\d+)|null", self._node(_field("types", kind)))

    def _is_small_struct(self, number: str) -> bool:
        text, _ = next(self._made_of_others(number), ("", ()))
        size = _field("size", text)
        return not _ONE.search(text) and size.isdigit() and int(size) < 64

    def _is_of_several(self, number: str) -> bool:
        for text, items in self._made_of_others(number):
            if len(items) == 1 and "DISubrange(" in items[0]:
                return _field("count", items[0]) != "1"
            if len(items) != 1 and not _ONE.search(text):
                return len(items) > 1
        return False

    def _made_of_others(self, number: str) -> Iterator[tuple[str, Sequence[str]]]:
        """The struct, array or other type of several parts that a type stands for, with its items;
        and those that its only item stands for, one inside the other. What is read as a whole, such
        as a union, has none.
        """
        for _ in range(100):
            text = self._node(number)
            if "DICompositeType(" in text:
                elements = "" if _ONE.search(text) else self._node(_field("elements", text))
                listed = map(self._node, re.findall(r"!(\d+)", elements))
                items = [node for node in listed if _ITEM.search(node)]
                yield text, items
                text = items[0] if len(items) == 1 else text
            number = _field("baseType", text)
            if not number:
                return


def without_types(text: str, *, declared: bool) -> str:
    """A module that keeps lines, functions, variables and their scopes: no types, no templates, no
    values of variables; where local variables are `declared` only if that is asked for.
    """
    # What stands behind ^ sums a module up for the linker, and must be its end.
    records = rf"^(?: +#dbg_{'(?!declare)' if declared else ''}|\^\d).*\n"
    text = re.sub(records, "", text, flags=re.MULTILINE)
    nodes = {number: _slim(node) for number, node in _NODE.findall(text)}
    if not nodes:
        return text
    rest = _NODE.sub("", text)
    # LLVM's passes look at types where there should be one, so everything has one and the same.
    any_type, any_function, empty = (str(max(map(int, nodes)) + n) for n in (1, 2, 3))
    nodes[any_type] = '!DIBasicType(tag: DW_TAG_unspecified_type, name: "any")'
    nodes[any_function] = f"!DISubroutineType(types: !{empty})"
    nodes[empty] = "!{null}"
    waiting = re.findall(r"!(\d+)", re.sub(r'"[^"]*"', "", rest))  # bytes may read "!9", too
    nodes_kept: dict[str, str] = {}
    while waiting:
        number = waiting.pop()
        if number in nodes_kept or number not in nodes:
            continue
        node = nodes[number]
        typed = re.match(r"(?:distinct )?!DI(\w+Variable|Subprogram|DerivedType)\(", node)
        if typed:
            kind = any_function if typed[1] == "Subprogram" else any_type
            key = "baseType" if typed[1] == "DerivedType" else "type"
            node = f"{node[:-1]}, {key}: !{kind})"
        nodes_kept[number] = node
        waiting += re.findall(r"!(\d+)", node)
    lines = [f"!{number} = {node}" for number, node in nodes_kept.items()]
    return "\n".join([rest, *lines, ""])


def _slim(node: str) -> str:
    if "!DICompositeType(" in node:
        fields = re.findall(r"\b(?:tag: \w+|name: \"[^\"]*\"|scope: !\d+)", node)
        return f"distinct !DICompositeType({', '.join(fields)})"
    if "!DITemplate" in node:
        return "!{}"
    return _TYPES.sub("", node).replace("(, ", "(") if "!DI" in node else node


def without_any(text: str) -> str:
    """The module without line numbers and what else LLVM keeps beside instructions.

    A promise such as !range goes with it: what breaks one is then no finding.
    """
    return _ATTACHED.sub("", _OF_METADATA.sub("", text))


def _field(key: str, text: str) -> str:
    """What a field of a node says: another node's number, a number or a text; "" if it is not."""
    match = re.search(rf'\b{key}: (?:!?(\d+)|"([^"]*)")', text)
    return (match[1] or _as_text(match[2] or "")) if match else ""


def _as_text(stated: str) -> str:
    """A text as it is, of which LLVM writes each byte that is no plain letter in hexadecimal."""
    if "\\" not in stated:
        return stated
    data = re.sub(
        rb"\\([0-9A-Fa-f]{2})", lambda match: bytes.fromhex(match[1].decode()), stated.encode()
    )
    return data.decode("utf-8", "surrogateescape")
