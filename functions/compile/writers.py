"""Who may write to a variable whose initial value was taken: looked for in the source.

The IR is no answer: a compiler leaves out of it what nobody calls, an inline function, a method, a
template, a function of Zig or Rust that is used in another file only. So the compiler says where
the name stands (C and C++: its syntax tree, in which macros are gone), or a grammar does (Zig and
Rust), and each place has to be a plain read:

    return T[s] ^ occupied         a read
    T[1] = 7;   &T[0]   fill(T)    no read: whoever does that may write

In C and C++ what is no read may stand in a function that is compiled, called or not
(-femit-all-decls); then LLVM says whether the variable is written. What is no function yet, a
template or a default argument, must read.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.certificate import TrustedInitialiser
from magicert.functions.llvm import bindings, constants, symbol_names
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.metadata import is_of_a_library
from magicert.functions.llvm.stores import Stores

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LOOKUPS = frozenset({
    "dlsym", "dlvsym", "dlfunc", "GetProcAddress", "NSLookupSymbolInImage",
    "NSLookupSymbolInModule", "NSLookupAndBindSymbol", "g_module_symbol", "SDL_LoadFunction",
    "lt_dlsym", "DynLib",
})  # fmt: skip
"""What finds a variable by its name in a string."""
_LINKERS = re.compile(
    r"_*(?:start|stop)_\w+|_*(?:data_start|data_end|data|edata|end|bss_start|bss_end|etext|text_start"
    r"|executable_start|ehdr_start|dso_handle|GLOBAL_OFFSET_TABLE_?|DYNAMIC|ImageBase|mh_\w+_header)"
    r"|.*\b(?:section|segment)\$\w+\$.*"
)
"""Names that the linker gives to places between variables."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A place where a variable may be written."""

    description: str
    source_line: str

    def __str__(self) -> str:
        return f"{self.description} ({self.source_line})" if self.source_line else self.description


# The syntax tree of clang, as text.

_DECLARES = re.compile(
    r"(?:VarDecl|VarTemplateSpecializationDecl) 0x(\w+) (?:parent 0x\w+ )?(?:prev 0x(\w+) )?"
    r"<.*?> \S+ (?:(?:used|referenced|implicit|invalid|constexpr) )*([\w$.]+) '(.*)$"
)
_FUNCTION = re.compile(
    r"(?:FunctionDecl|CXX(?:Method|Constructor|Destructor|Conversion)Decl|CXXDeductionGuideDecl) 0x"
)
_FUNCTION_NAME = re.compile(
    r"> (?:\S+:)?(?:line:|col:)?\d+(?::\d+)? (?:(?:used|referenced|implicit|invalid|constexpr) )*"
    r"([^']+?) '"
)
_SPOT = re.compile(r"<<[^<>]*>(?::\d+:\d+)?>?|([^<>,]*?):(\d+):(\d+)(?=[,> ]|$)|\bcol:\d+")
_PARENT = re.compile(r"^\w+ 0x(\w+) (?:parent 0x(\w+))?")
_IN_TREE = re.compile(r"^((?:[| `]|-(?! ))*)(.*)$")
_PATTERNS = (
    "ClassTemplatePartialSpecializationDecl", "VarTemplatePartialSpecializationDecl",
    "ConceptDecl", "TypeAliasTemplateDecl",
)  # fmt: skip
_MADE_OF = {
    "FunctionTemplateDecl": _FUNCTION, "ClassTemplateDecl": re.compile("CXXRecordDecl 0x"),
    "VarTemplateDecl": re.compile("VarDecl 0x"),
}  # fmt: skip
_LONGEST_ASSEMBLY = 200
"""Lines of one statement."""
_IGNORED = ("UsingShadowDecl", "UsingDecl", "VarDecl", "ParmVarDecl", "FieldDecl")
_STRINGS = re.compile(r"(?<=[ (])\"((?:[^\"\\]|\\.)*)\"")


@dataclass(slots=True)
class _AstNode:
    """A node of the tree with what is above it."""

    kind: str
    line: str
    place: str = ""
    in_function: tuple[str, int] = ("", 0)
    """Of a function: its name and line."""
    pattern: bool = False
    """Whether it is a template, which is no code yet."""
    parts: int = 0


@dataclass(frozen=True, slots=True)
class NameUse:
    """A place where a name stands: the declaration's address ("" where that is not known yet), and
    by name and line the function that is compiled around it; line 0 where that is none.
    """

    address: str
    reads: bool
    around: str
    in_function: tuple[str, int]
    place: str


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a variable's name stands, as it is shown."""

    mention: NameUse
    writer: Writer


class Tree:
    """What clang's -ast-dump says of some variables."""

    def __init__(
        self, lines: Iterable[str], variables: Sequence[TrustedInitialiser], source: Path
    ) -> None:
        self.variables = variables
        self.source = os.path.abspath(source)  # noqa: PTH100 (no ..)
        self.names = {
            name for variable in variables for name in (variable.name, variable.symbol) if name
        }
        self.any_name = re.compile("|".join(sorted(map(re.escape, self.names), key=len)) or "(?!)")
        self.file, self.number, self.column = "", 0, 0
        self.stack: list[_AstNode] = []
        self.mentions: dict[str, list[NameUse]] = {}
        self.declared: dict[str, list[tuple[str, str, int, bool, bool]]] = {}
        self.labels: list[tuple[str, str, str]] = []
        self.lookups: list[tuple[str, list[str], str]] = []
        self.linkers: list[Writer] = []
        self.scoped: list[tuple[int, NameUse]] = []
        self.has_assembly = False
        self.assembly: list[tuple[str, int]] = []
        """Where it stands in a template."""
        self.patterns: set[str] = set()
        self.whole = False
        for line in lines:
            self._line(line.rstrip("\n"))

    def _line(self, line: str) -> None:
        match = _IN_TREE.match(line)
        assert match
        depth, text = len(match[1]) // 2, match[2]
        kind = text.partition(" ")[0]
        if kind == "TranslationUnitDecl":
            self.whole = True
        # All places are read: each is stated from the last one on.
        self._places(text)
        del self.stack[depth:]
        while len(self.stack) < depth:
            self.stack.append(_AstNode("", ""))
        entry = _AstNode(kind, text)
        above = self.stack[-1] if self.stack else _AstNode("", "")
        entry.pattern = above.pattern or kind in _PATTERNS
        if (made_of := _MADE_OF.get(above.kind)) and made_of.match(text):
            above.parts += 1
            entry.pattern |= above.parts == 1
        if kind.endswith("Decl") or kind == "LambdaExpr":
            self._declaration(entry, kind, text)
        self.stack.append(entry)
        if is_of_a_library(self.file, self.source):
            return
        if kind.endswith("Attr") and '"' in text:
            owner = self.stack[-2].line if len(self.stack) > 1 else ""
            self.labels += [(label, owner, self._place()) for label in _STRINGS.findall(text)]
        elif kind == "StringLiteral":
            self._string(text)
        elif kind in {"GCCAsmStmt", "MSAsmStmt"}:
            self.has_assembly = True
            if entry.pattern:
                self.assembly.append((self.file, self.number))
        elif kind == "DeclRefExpr" and (called := re.search(r" Function 0x\w+ '(\w+)'", text)):
            if called[1] in LOOKUPS:
                self.lookups.append((called[1], [], self._place()))
                self._call_of(len(self.lookups) - 1)
        elif kind == "VarDecl" and (" extern" in text or above.kind == "LinkageSpecDecl"):
            declared = _DECLARES.match(text)
            named = declared[3] if declared else ""
            if _LINKERS.fullmatch(named):
                self.linkers.append(
                    Writer(f"{named}, an address that the linker makes", self._place())
                )
        if kind == "DependentScopeDeclRefExpr":  # of which the tree has no name
            around, known = self._around()
            self.scoped.append((self.column, NameUse("", False, around, known, self._place())))
        if self.any_name.search(text):
            self._named(entry, kind, text)

    def _places(self, text: str) -> None:
        begin = text.find(" <")
        if begin < 0:
            return
        # Behind the range stands the name's own place, if it has one; the type's quotes end it.
        end = text.find("'", begin)
        places_text = text[begin + 2 : end if end >= 0 else len(text)]
        for spot in _SPOT.finditer(places_text):
            if spot[0].startswith("col:"):
                self.column = int(spot[0][4:])
            if spot[2] is None:
                continue
            self.column = int(spot[3])
            name = spot[1].rpartition("> ")[2].strip()
            if name != "line":
                self.file = name
            self.number = int(spot[2])

    def _place(self) -> str:
        return f"{self.file}:{self.number}"

    def _declaration(self, entry: _AstNode, kind: str, text: str) -> None:
        entry.place = self._place()
        ids = _PARENT.match(text)
        if kind == "CXXRecordDecl" and entry.pattern and ids:
            self.patterns.add(ids[1])
        if ids and ids[2] in self.patterns:  # a member that is defined behind its class
            entry.pattern = True
        if _FUNCTION.match(text):
            name = _FUNCTION_NAME.search(text)
            entry.in_function = (_base_name(name[1]) if name else "", self.number)
            if kind == "CXXMethodDecl" and len(self.stack) > 1:
                for outer in self.stack[-2:]:
                    if outer.kind == "LambdaExpr" and name and name[1] == "operator()":
                        outer.in_function = entry.in_function
        if kind == "FunctionTemplateDecl" and len(self.stack) > 1:
            outer = self.stack[-2]
            outer.pattern |= outer.kind == "LambdaExpr"  # with `auto` among what it takes
        if kind == "VarDecl" and (match := _DECLARES.match(text)) and match[3] in self.names:
            local = bool(self.stack) and self.stack[-1].kind == "DeclStmt"
            external = bool(re.search(r"' (?:\w+ )*extern\b", match[4]))
            external |= bool(self.stack) and self.stack[-1].kind == "LinkageSpecDecl"
            item = match[1], match[2] or "", self.number, local, external
            self.declared.setdefault(match[3], []).append(item)

    def _string(self, text: str) -> None:
        """What a string says that is given to a lookup as it is."""
        if len(self.stack) < 2:
            return
        call = next((e for e in reversed(self.stack) if e.kind.endswith("CallExpr")), None)
        if call is None or not call.parts:
            return
        between = self.stack[self.stack.index(call) + 1 : -1]
        if all(node.kind == "ImplicitCastExpr" for node in between):
            self.lookups[call.parts - 1][1].extend(_STRINGS.findall(text))

    def _call_of(self, number: int) -> None:
        """Note the call of a lookup, for the strings that follow."""
        casts = [entry.kind for entry in self.stack[:-1]]
        while casts and casts[-1] in {"ImplicitCastExpr", "ParenExpr"}:
            casts.pop()
        if casts and casts[-1].endswith("CallExpr"):
            self.stack[len(casts) - 1].parts = number + 1

    def _named(self, entry: _AstNode, kind: str, text: str) -> None:
        if kind in _IGNORED or kind.endswith(("Type", "Attr")):
            return
        for name in self.names:
            address = None
            if kind.startswith(("Dependent", "CXXDependent", "Unresolved")):
                address = "" if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) else None
            else:
                member = re.search(rf"(?:\.|->){re.escape(name)} 0x(\w+)$", text)
                match = member or re.search(rf"\b\w+ 0x(\w+) '{re.escape(name)}'", text)
                address = match[1] if match else None
            if address is None:
                continue
            around, known = self._around()
            mention = NameUse(address, self._reads(text), around, known, self._place())
            self.mentions.setdefault(name, []).append(mention)

    def _around(self) -> tuple[str, tuple[str, int]]:
        """What is around a place, in words, and the function that the compiler makes of it."""
        nowhere = ("", 0)
        for entry in reversed(self.stack[:-1]):
            if entry.kind in {"ParmVarDecl", "FieldDecl"}:
                return "an initial value", nowhere
            if entry.kind == "LambdaExpr" or _FUNCTION.match(entry.line):
                name = entry.in_function[0] or "a lambda"
                return (
                    (f"{name}, a template", nowhere) if entry.pattern else (name, entry.in_function)
                )
            if entry.kind == "VarDecl" and not entry.pattern:
                match = _DECLARES.match(entry.line)
                line = int(entry.place.rpartition(":")[2] or 0)
                if match and not self._is_local(entry):
                    # A template may write by that name, unless it is a constant's.
                    reads = re.match(r"const [^']*[*&]", match[4])
                    return f"what {match[3]} begins with", (match[3], line if reads else 0)
        return "what is no function", nowhere

    def _is_local(self, entry: _AstNode) -> bool:
        place = self.stack.index(entry)
        return place > 0 and self.stack[place - 1].kind == "DeclStmt"

    def _reads(self, text: str) -> bool:
        """Whether the place, of which all above is known, does no more than to read."""
        if re.search(r"non_odr_use_(?:unevaluated|constant)", text):
            return True
        is_pointer, last = False, self.stack[-1]
        for entry in reversed(self.stack[:-1]):
            line, kind = entry.line, entry.kind
            # Of an index the place is read before: a number is no place.
            if "<LValueToRValue>" in line and not is_pointer:
                return True
            if "<ToVoid>" in line or kind in {"UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr"}:
                return True
            if "<ArrayToPointerDecay>" in line and not is_pointer:
                is_pointer = True
            elif kind == "ParenExpr" or (kind == "ImplicitCastExpr" and "<NoOp>" in line):
                pass
            elif kind == "ArraySubscriptExpr" or (kind == "MemberExpr" and "'<bound" not in line):
                is_pointer = False
            elif (
                kind == "BinaryOperator"
                and is_pointer
                and re.search(r"\*(?:const)?'(?:.*)? '[+-]'$", line)
            ):
                pass
            elif kind == "UnaryOperator" and is_pointer and "prefix '*'" in line:
                is_pointer = False
            elif (
                kind == "CXXOperatorCallExpr" and line.endswith("'[]'")
                and re.search(r"'(?:const )?(?:std::)?(?:__1::)?array<", last.line)
            ):  # fmt: skip
                pass
            else:
                return False
            last = entry
        return False

    def writers(self, variable: TrustedInitialiser) -> list[Writer]:
        """Who may write to a variable without its name."""
        writers: list[Writer] = []
        targets = self._addresses(variable)
        for label, owner, place in self.labels:
            declared = _DECLARES.match(owner)
            is_target = declared is not None and declared[1] in targets
            if not is_target and label.removeprefix("\\001").lstrip("_") == variable.symbol.lstrip(
                "_"
            ):
                writers.append(Writer(f'what has the label "{label}"', place))
        writers += self.linkers
        writers += (
            Writer("assembly in a template", f"{file}:{line}")
            for file, line in self.assembly
            if _is_named_near(file, line, variable.symbol)
        )
        for called, strings, place in self.lookups if variable.shared else ():
            if not strings or any(s.lstrip("_") == variable.symbol.lstrip("_") for s in strings):
                writers.append(Writer(f"what {called} finds by its name", place))
        return writers

    def uses(self, variable: TrustedInitialiser) -> list[Use]:
        """Where a variable's name stands."""
        targets = self._addresses(variable)
        mentions = [
            mention
            for name in sorted({variable.name, variable.symbol})
            for mention in self.mentions.get(name, ())
            if not mention.address or mention.address in targets
        ]
        mentions += [
            m for column, m in self.scoped if _word_at(m.place, column) in {None, variable.name}
        ]
        return [Use(mention, Writer(mention.around, mention.place)) for mention in mentions]

    def _addresses(self, variable: TrustedInitialiser) -> set[str]:
        """The declarations of a variable: those at its line, with all that go with them, or all of
        that name that are no other function's.
        """
        items = [*self.declared.get(variable.name, ()), *self.declared.get(variable.symbol, ())]
        group = {address: address for address, *_ in items}

        def first(address: str) -> str:
            while group.get(address, address) != address:
                address = group[address]
            return address

        for address, before, *_ in items:
            if before in group:
                group[first(address)] = first(before)
        here = {first(address) for address, _, line, _, _ in items if line == variable.line}
        here |= {first(address) for address, _, _, _, external in items if external}
        if not here:
            here = {first(address) for address, _, _, local, _ in items if not local}
        return {address for address in group if first(address) in here}


_INCLUDED = re.compile(r"^\.+ (.*)$", re.MULTILINE)
_RENAMED = re.compile(
    rb"^[ \t]*(?:/\*.*?\*/[ \t]*)*(?:#|%:)[ \t]*(?:line\b|\d+)(.*)$", re.MULTILINE
)
_NAMES_FILE = re.compile(rb'[ \t]*\d*[ \t]*"([^"\n]*)"')


def renamed_lines(source: Path, compiler_words: str) -> Iterator[Writer]:
    """Where a source, or what it includes by the compiler's list (-H), says that its lines are
    another file's that would be taken for a library's: nothing is looked for there.
    """
    whole = os.path.abspath(source)  # noqa: PTH100
    names = _INCLUDED.findall(compiler_words)
    included = (Path(name) for name in names if not is_of_a_library(name, whole))
    for path in (source, *included):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        for directive in _RENAMED.finditer(data.replace(b"\\\n", b"")):
            stated = _NAMES_FILE.match(directive[1])
            name = stated[1].decode("utf-8", "replace") if stated else ""
            if is_of_a_library(name) or (not stated and not directive[1].strip().isdigit()):
                yield Writer("what has the line numbers of a library's file", str(path))


def _word_at(place: str, column: int) -> str | None:
    """The name that stands there; None where none does."""
    file, _, line = place.rpartition(":")
    try:
        text = Path(file).read_bytes().split(b"\n")[int(line) - 1]
    except (OSError, IndexError):
        return None
    match = re.match(rb"[A-Za-z_$][\w$]*", text[column - 1 :])
    return match[0].decode() if match else None


def _is_named_near(file: str, line: int, symbol: str) -> bool:
    """Whether a name stands in the assembly that ends on a line, of which the tree has no text."""
    try:
        lines = Path(file).read_text("utf-8", "replace").split("\n")
    except OSError:
        return True
    text = "\n".join(lines[max(0, line - _LONGEST_ASSEMBLY) : line])
    start = text.rfind("asm", 0, len(text))
    words = set(re.findall(r"[\w.$]+", text[max(0, start) :] if start >= 0 else text))
    return start < 0 or bool({symbol, f"_{symbol}"} & words)


def _base_name(name: str) -> str:
    """A function's name without what a template was given."""
    return re.sub(r"(?<!operator)(?<!operator<)<.*$", "", name)


def in_trees(
    trees: Sequence[Tree], variables: Sequence[TrustedInitialiser]
) -> tuple[dict[str, Writer], dict[TrustedInitialiser, list[Use]]]:
    """The variables that something in sources of C or C++ may write, by their symbols; and those of
    which it depends on what compiled functions do, with these.
    """
    certain_writers: dict[str, Writer] = {}
    open_: dict[TrustedInitialiser, list[Use]] = {}
    for variable in variables:
        writers = [writer for tree in trees for writer in tree.writers(variable)]
        uses = [use for tree in trees for use in tree.uses(variable) if not use.mention.reads]
        left = [use for use in uses if not use.mention.in_function[1]]
        if writers or left:
            certain_writers[variable.symbol] = [*writers, *(use.writer for use in left)][0]
        elif uses or not variable.name or any(tree.has_assembly for tree in trees):
            open_[variable] = uses
    return certain_writers, open_


def in_modules(
    texts: Sequence[str],
    names: Sequence[str],
    variables: Mapping[TrustedInitialiser, Sequence[Use]],
) -> dict[str, Writer]:
    """The variables that the functions of modules, in which all of them are, may write."""
    writers: dict[str, Writer] = {}
    text = bindings.linked(texts, names)
    module = Module(text)
    functions = {
        (_base_name(name), place.line) for name, place in module.names.defined(
            body.partition("\n")[0] for body in module.bodies.values()
        )
    }  # fmt: skip
    functions |= {
        (module.source_name(name), module.declared_at(name).line) for name in module.globals
    }
    never, stores = constants.never_written(text), Stores(module)
    for variable, uses in variables.items():
        symbols = [
            name for name in module.globals
            if name == variable.symbol
            or (module.source_name(name), module.declared_at(name).line)
            == (variable.name, variable.line)
        ]  # fmt: skip
        left_out = [use.writer for use in uses if use.mention.in_function not in functions]
        if left_out:
            writers[variable.symbol] = left_out[0]
        elif not symbols or not never.issuperset(symbols):
            uses_text = [
                Writer(symbol_names.whole_name(symbol), str(place))
                for name in symbols
                for symbol, place in stores.to_variable(name)
            ]
            writers[variable.symbol] = next(
                iter([*uses_text, *(use.writer for use in uses)]), NOWHERE
            )
    return writers


NOWHERE = Writer("something that is compiled of these sources", "")


# Zig and Rust, by their grammars.


@cache
def parser_of(language: str) -> "Parser":
    """The parser of a grammar, by the name in that package's name."""
    import tree_sitter

    grammar = import_module(f"tree_sitter_{language}")
    return tree_sitter.Parser(tree_sitter.Language(grammar.language()))


_ATTRIBUTE = re.compile(
    rb"\b[A-Z][A-Z0-9_]{2,}\b(?=\s+(?:(?:static|inline|const|constexpr)\s+)*[A-Za-z_][\w:]*(?:\s*[*&]+\s*|\s+)"
    rb"[A-Za-z_][\w:]*\s*[\[({;=])"
)
"""A macro before a definition, such as ALIGNED: no grammar knows that it is no type."""


def without_attributes(text: bytes) -> bytes:
    """A text of C or C++ with spaces for such macros."""
    return _ATTRIBUTE.sub(lambda macro: b" " * len(macro[0]), text)


def in_files(
    files: Mapping[Path, str], language: str, variables: Sequence[TrustedInitialiser]
) -> dict[str, Writer]:
    """The same in sources of Zig or Rust, all that the compiler has read."""
    writers: dict[str, Writer] = {}
    for variable in variables:
        if not variable.name:
            writers[variable.symbol] = Writer("a place that is not known: it has no name", "")
    for path, text in files.items():
        root = parser_of(language).parse(text.encode()).root_node
        nodes = list(_nodes(root))
        for variable in variables:
            if variable.symbol in writers:
                continue
            at_home = Path(variable.file).name == path.name
            for node in nodes:
                what = _ZIG_OR_RUST[language](node, variable, at_home)
                if what:
                    place = f"{path}:{node.start_point.row + 1}"
                    writers[variable.symbol] = Writer(f"{what}{_function_around(node)}", place)
                    break
    return writers


def _nodes(root: "Node") -> Iterator["Node"]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.children:
            yield node
        waiting += reversed(node.children)


def node_text(node: "Node | None") -> str:
    """What stands in a node."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _function_around(node: "Node") -> str:
    up = node.parent
    while up is not None:
        if up.type in {"function_declaration", "function_item"}:
            return f" in {node_text(up.child_by_field_name('name'))}"
        up = up.parent
    return ""


def _special_reason(node: "Node", variable: TrustedInitialiser) -> str:
    """What finds a variable by other means than its name."""
    text = node_text(node)
    named = rf"(?<![\w.$])_?{re.escape(variable.symbol)}(?![\w.$])"
    if "string" in node.type and re.search(named, text):
        return "its name in a string"
    if node.type == "identifier" and variable.shared and text in LOOKUPS:
        return f"what {text} finds by its name"
    if node.type in {"identifier", "string_content"} and re.fullmatch(
        r"__(?:start|stop)_\w+|_*(?:data_start|edata|bss_start|executable_start|ehdr_start|dso_handle"
        r"|ImageBase)|_end", text
    ):  # fmt: skip
        return f"{text}, an address that the linker makes,"
    return ""


_PLACES = {
    "index_expression", "field_expression", "parenthesized_expression", "scoped_identifier",
}  # fmt: skip
_ZIGS_VALUES = {
    "catch_expression", "try_expression", "comptime_expression", "if_expression",
    "while_expression", "null_coercion_expression",
}  # fmt: skip
"""What may stand for one of its parts, in its place: (T orelse unreachable)[1] = 7 writes to T."""
_ZIGS_CONDITIONS = {
    "if_statement", "if_expression", "while_statement", "while_expression", "switch_expression",
    "for_statement",
}  # fmt: skip
_ZIGS_READS = {
    "binary_expression", "return_expression", "if_statement", "if_expression", "while_statement",
    "while_expression", "for_statement", "switch_expression", "arguments", "expression_statement",
    "range_expression",
}  # fmt: skip


def _zig_writer(node: "Node", variable: TrustedInitialiser, at_home: bool) -> str:
    if what := _special_reason(node, variable):
        return what
    if "string" in node.type:
        word = rf"(?<![\w$])(?:\w+\.)*{re.escape(variable.name)}(?![\w.$])"
        named = (
            re.search(word, node_text(node))
            if _is_assembly(node)
            else node_text(node) == variable.name
        )
        return "its name in a string" if named else ""
    if node.type == "builtin_identifier" and node_text(node) == "@field":
        return _by_computed_name(node)
    if (
        node.type != "identifier"
        or node_text(node).removeprefix('@"').removesuffix('"') != variable.name
    ):
        return ""
    place, up = node, node.parent
    is_member = (
        up is not None and up.type == "field_expression" and up.children[0].id != node.id
    )  # fmt: skip
    if not at_home and not is_member:
        return ""  # another file's own
    begins = node.prev_sibling
    if _is_declared(node) or (
        begins is not None and begins.type == "." and begins.prev_sibling is None
    ):  # fmt: skip
        return ""  # .{ .table = 5 } names a field
    while up is not None and (up.type in _PLACES or _is_zigs_value(up, place)):
        if up.type == "index_expression" and up.children[0].id != place.id:
            return ""  # a number
        if up.type == "index_expression" and ".." in node_text(up)[len(node_text(place)) :]:
            return "a slice of it"
        place, up = up, up.parent
    if up is None:
        return "what is not understood"
    kind = up.type
    if kind in _ZIGS_CONDITIONS and _captures_a_place(up):
        return "a pointer to what is in it"
    if kind in {"variable_declaration", "assignment_expression"}:
        before = place.prev_sibling
        return "" if before is not None and before.type.endswith("=") else "an assignment"
    if kind in {"call_expression"}:
        is_callee = up.children[0].id == place.id
        return "a call of its method" if is_callee else ""
    if kind == "arguments":
        builtin = node_text(up.prev_sibling)
        return "" if builtin not in {"@field", "@fieldParentPtr"} else f"{builtin}"
    if kind == "unary_expression":
        return "its address" if node_text(up).startswith("&") else ""
    return "" if kind in _ZIGS_READS else f"a use ({kind.replace('_', ' ')})"


def _is_zigs_value(node: "Node", part: "Node") -> bool:
    """Whether an expression may stand for its part."""
    if node.type == "binary_expression":
        return any(child.type == "orelse" for child in node.children)
    condition = node.child_by_field_name("condition")
    return node.type in _ZIGS_VALUES and (condition is None or condition.id != part.id)


def _captures_a_place(node: "Node") -> bool:
    """Whether a condition, a switch or a loop names what it looks at as a pointer: |*x|."""
    cases = [child for child in node.children if child.type == "switch_case"]
    payloads = (c for one in (node, *cases) for c in one.children if c.type == "payload")
    return any("*" in node_text(payload) for payload in payloads)


def _is_assembly(node: "Node") -> bool:
    up = node.parent
    while up is not None and "asm" not in up.type and up.type != "block":
        up = up.parent
    return up is not None and "asm" in up.type


def _is_declared(node: "Node") -> bool:
    """Whether a name stands where a variable, parameter or field is declared."""
    up = node.parent
    if up is None:
        return False
    if up.type == "variable_declaration":
        before = node.prev_sibling
        return before is not None and before.type in {"var", "const"}
    return up.type in {
        "parameter",
        "container_field",
        "payload",
        "static_item",
        "field_initializer",
    } and (up.type in {"payload"} or up.child_by_field_name("name") == node)


def _by_computed_name(node: "Node") -> str:
    """@field of a namespace with a name that is no string: it may be any variable."""
    argument = node.next_sibling
    parts = [child for child in argument.children if child.is_named] if argument is not None else []
    if len(parts) != 2 or parts[1].type == "string":
        return ""
    return "" if _is_a_parameter(parts[0]) else "@field with a name that is made"


def _is_a_parameter(place: "Node") -> bool:
    """Whether it is a parameter of a function, or what that points to, which no variable of a
    namespace is a part of: a namespace, and what may hold one, is known while compiling.
    """
    item = place.children[0] if place.type == "dereference_expression" else place
    up = item.parent
    while up is not None:
        listed = (c for c in up.children if c.type == "parameters")
        for parameter in (c for one in listed for c in one.children if c.type == "parameter"):
            words = [node_text(child) for child in parameter.children]
            if node_text(item) in words[:-1]:
                return not {"comptime", "anytype", "type"} & set(words)
        up = up.parent
    return False


_RUSTS_READS = {
    "binary_expression", "return_expression", "type_cast_expression", "if_expression", "arguments",
    "while_expression", "match_expression", "block", "expression_statement", "array_expression",
}  # fmt: skip
_RUSTS_METHODS = frozenset({
    "load", "len", "is_empty", "count_ones", "count_zeros", "leading_zeros", "trailing_zeros",
    "swap_bytes", "reverse_bits", "rotate_left", "rotate_right", "pow", "wrapping_mul",
    "wrapping_add", "wrapping_sub", "wrapping_shl", "wrapping_shr", "wrapping_neg",
    "overflowing_mul", "checked_add", "checked_sub", "checked_mul", "to_le_bytes", "to_ne_bytes",
})  # fmt: skip


def _rust_writer(node: "Node", variable: TrustedInitialiser, at_home: bool) -> str:  # noqa: ARG001
    if what := _special_reason(node, variable):
        return what
    if node.type != "identifier" or _rusts_name(node) != variable.name or _is_declared(node):
        return ""
    place, up = node, node.parent
    if up is not None and up.type in {"use_declaration", "use_list", "scoped_use_list"}:
        return ""
    while up is not None and up.type in _PLACES:
        if up.type == "index_expression" and up.children[0].id != place.id:
            return ""
        if up.type == "scoped_identifier" and up.parent is not None and up.parent.type in {
            "use_declaration", "use_list", "scoped_use_list",
        }:  # fmt: skip
            return ""
        if (
            up.type == "field_expression"
            and up.parent is not None
            and up.parent.type == "call_expression"
        ):
            break
        if up.type == "index_expression" and ".." in node_text(up)[len(node_text(place)) :]:
            return "a slice of it"
        place, up = up, up.parent
    if up is None:
        return "what is not understood"
    kind = up.type
    if kind == "field_expression":
        method = node_text(up.child_by_field_name("field"))
        return "" if method in _RUSTS_METHODS else f"a call of its {method}"
    if kind in {"assignment_expression", "compound_assignment_expr"}:
        return "" if up.children[0].id != place.id else "an assignment"
    if kind == "let_declaration":
        pattern = up.child_by_field_name("pattern")
        plain = pattern is not None and pattern.type in {"identifier", "_"}
        return "" if plain and up.child_by_field_name("value") == place else "a pattern"
    if kind == "match_expression":
        body = up.child_by_field_name("body")
        arms = body.named_children if body is not None else []
        patterns = "\n".join(node_text(arm.child_by_field_name("pattern")) for arm in arms)
        # A macro in a pattern may be one by reference.
        return "a pattern" if re.search(r"\bref\b|\w\s*!\s*[(\[{]", patterns) else ""
    if kind in {"array_expression", "arguments"} and _is_assigned(up):
        return "an assignment"
    return "" if kind in _RUSTS_READS else f"a use ({kind.replace('_', ' ')})"


def _rusts_name(node: "Node") -> str:
    """A name as the compiler has it: of two ways to write an accented letter one."""
    return unicodedata.normalize("NFC", node_text(node).removeprefix("r#"))


def _is_assigned(node: "Node") -> bool:
    """Whether it is a pattern that a value is put into: [T[1], _] = pair."""
    below, up = node, node.parent
    while up is not None and up.type not in {"block", "expression_statement"}:
        if up.type == "assignment_expression":
            return up.children[0].id == below.id
        below, up = up, up.parent
    return False


_ZIG_OR_RUST: dict[str, Callable[["Node", TrustedInitialiser, bool], str]] = {
    "zig": _zig_writer,
    "rust": _rust_writer,
}


def is_public(text: str, language: str, variable: TrustedInitialiser) -> bool:
    """Whether other files can name a variable of this one."""
    lines = text.split("\n")
    line = lines[variable.line - 1] if 0 < variable.line <= len(lines) else ""
    return bool(
        re.search(r"\bpub\b|\bexport\b|\bextern\b" if language == "zig" else r"\bpub\b", line)
    )
