"""The syntax tree of clang, as text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from magicert.functions.certificate import TrustedInitialiser
from magicert.functions.compile.projects import whole_path
from magicert.functions.llvm.metadata import is_of_a_library

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
        self.source = str(whole_path(source))
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
            entry.in_function = (base_name(name[1]) if name else "", self.number)
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


def base_name(name: str) -> str:
    """A function's name without what a template was given."""
    return re.sub(r"(?<!operator)(?<!operator<)<.*$", "", name)
