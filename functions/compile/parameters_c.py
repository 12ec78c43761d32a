"""What functions of C and C++ take, and the objects and constants that a call could give them, as
clang's syntax tree has them.

    Attacks attacks;    Attacks *table;    static Attacks &Attacks::instance();    Attacks()
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from magicert.functions.compile.forced_function import SQUARES
from magicert.functions.compile.members_read import Member, is_union, members_read, nodes_of
from magicert.functions.compile.parameters import Array, Head, Holding, Kind, Parameter, last_name

_IN_TREE = re.compile(r"((?:[| `]|-(?! ))*)(\w+Decl) (.*)")
_VALUE = re.compile(r"[| `-]*-value: Int (-?\d+)$")
"""What the compiler has computed for what stands above."""
_PLACE = re.compile(r".*(?::\d+|>)$")
"""The last word of where something stands; behind it are a few words and the name."""
_ADDRESSES = re.compile(r"(0x\w+)(?: parent 0x\w+)?(?: prev (0x\w+))?")
"""Of a declaration, and of the one before it of the same thing."""
_TYPES = re.compile(r"'([^']*)'(?::'([^']*)')?(.*)$")
_SAID = frozenset({
    "used", "referenced", "implicit", "invalid", "constexpr", "inline", "nested", "class", "struct",
    "union", "definition", "undeserialized", "parameter_pack", "callinit", "mutable",
})  # fmt: skip
"""What clang says of something before its name, or in the place of one."""
_NUMBERS = re.compile(r"(?:(?:un)?signed )?(?:int|char|short)|(?:un)?signed|char8_t")
_BUILT_IN = re.compile(
    r"(?: ?(?:unsigned|signed|char|short|int|long|bool|_Bool|void|float|double|__int128))+"
)
_WORDS = {
    64: re.compile(r"(?:unsigned )?long(?: long)?"), 128: re.compile(r"(?:unsigned )?__int128")
}  # fmt: skip
_SHORT = re.compile(r"\b(?:u?int_fast(?:8|16|32)_t|s?size_t|ptrdiff_t)\b")
"""Other names of numbers that are as long as a bitboard, but no bitboards."""
_POINTS = re.compile(r"\b(?:unique_ptr|shared_ptr|optional)<(.*?)(?:, .*)?>$")
_MANY = re.compile(r"([\w: ]+?) ?\[\d+\]|(?:std::)?(?:__1::)?array<(.*), \d+>")
_TABLE = re.compile(r"[\[*]|\b(?:array|vector|unique_ptr|shared_ptr|unordered_map|map)<")
_FILLS = re.compile(
    r"(?:init|initiali[sz]e|fill|setup|populate|precompute|build)(?!\w*(?:from|mask))\w*", re.I
)
"""How methods begin that fill an object's tables."""
_UNNAMED = "(unnamed)"
"""What a struct or class is called until a typedef names it."""
_NO_SOURCES = ("std", "__", "_")
"""How namespaces begin that are a library's."""


@dataclass(slots=True)
class _Record:
    """A struct or class: who may use what stands next in it, whether it has constructors, and
    whether one of these wants nothing.
    """

    name: str
    open: bool
    template: list[Parameter] = field(default_factory=list)
    """What the class's instances differ by."""
    fields: list[Parameter] = field(default_factory=list)
    has_tables: bool = False
    """Whether it takes time to fill: one of its members is an array, or points to what may be."""
    has_constructors: bool = False
    wants_nothing: bool = False


@dataclass(slots=True)
class _Entry:
    """A declaration that others stand in; `done` where a template's own function was there."""

    kind: str
    scope: str
    record: _Record | None = None
    constants: list[str] | None = None
    number: int = -1
    """Of the last constant that was read."""
    callee: "_Function | None" = None
    body_of: "_Function | None" = None
    """The function whose statements stand here."""
    template: list[Parameter] | None = None
    done: bool = False


@dataclass(slots=True)
class _Function:
    name: str
    type: str
    owner: str
    is_open: bool
    template: list[Parameter]
    record: _Record | None = None
    """Of a constructor, what it makes."""
    parameters: list[Parameter] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    """The lines of the tree below it."""

    @property
    def wants(self) -> list[Parameter]:
        """What a call has to give it."""
        return [one for one in self.parameters if not one.has_default]

    @property
    def returns(self) -> str:
        """The type of its result."""
        return self.type.partition("(")[0].strip()


class CParameters:
    """What clang's trees of some sources declare. Bitboards are of so many `bits`."""

    def __init__(self, *, in_c: bool, bits: int) -> None:
        self._constants: list[str] = []
        self._macros: list[Head] = []
        self._heads: list[Head] = []
        self._numbers_by_word: dict[str, int] = {}
        self._in_c = in_c
        self._word = _WORDS[128 if bits > 64 else 64]
        self._functions: list[_Function] = []
        self._variables: list[Parameter] = []
        self._defined: set[str] = set()
        self._records: dict[str, _Record] = {}
        self._enums: dict[str, list[str]] = {}
        self._numbers: dict[str, int] = {}
        self._wide: set[str] = set()
        """The last names of enums that are as long as a bitboard: enum class Set : U64 {}."""
        self._names: dict[str, str] = {}
        """What is declared, by the address of each declaration."""
        self._methods: dict[str, _Function] = {}
        """The same of what stands in a struct or class."""

    def read_macros(self, text: str) -> None:
        """Read the #define lines of a source: those that stand for a number, or take something."""
        self._constants += re.findall(r"^#define ([A-Za-z]\w*) \(*\d\w*\)*$", text, re.MULTILINE)
        for name, takes in re.findall(r"^#define ([A-Za-z]\w*)\(([\w, ]+)\) ", text, re.MULTILINE):
            parameters = tuple(Parameter(one.strip(), "") for one in takes.split(","))
            self._macros.append(Head(name, parameters, is_macro=True))

    def read(self, lines: Iterable[str]) -> None:
        """Read a tree."""
        stack = [_Entry("", "")]
        nameless: list[str] = []
        constant, above = "", stack[0]
        for line in lines:
            match = _IN_TREE.match(line)
            body_of = stack[-1].body_of
            if body_of is not None and (match is None or len(match[1]) // 2 >= len(stack)):
                body_of.body.append(line)
            if match is None:
                if constant and (value := _VALUE.match(line)):
                    self._numbers[constant] = above.number = int(value[1])
                    constant = ""
                continue
            depth, kind, text = len(match[1]) // 2, match[2], match[3].rstrip()
            if not 0 < depth <= len(stack):  # in a body, or in what is a library's
                continue
            del stack[depth:]
            above = stack[-1]
            words = _words_behind_place(text.partition("'")[0])
            names = [word for word in words if word not in _SAID]
            name = names[-1] if names else ""
            types = _TYPES.search(text)
            if kind == "TypedefDecl" and types and _bare(types[1]) == name:  # of what stands before
                if nameless:
                    self._enums.setdefault(name, nameless)
                self._name(above.scope + name)
            whole = above.scope + name
            if kind in {"FunctionDecl", "VarDecl"} and (own := _ADDRESSES.match(text)):
                # What stands outside its namespace or class was declared there.
                whole = self._names[own[1]] = self._names.get(own[2] or "", whole)
            entry = self._read(kind, whole, name, words, types, above)
            if kind == "CXXMethodDecl" and (own := _ADDRESSES.match(text)):
                entry = self._method(entry, own[1], own[2] or "", above)
            constant = whole if kind == "EnumConstantDecl" else ""
            if entry is not None:
                stack.append(entry)
                if kind in {"EnumDecl", "RecordDecl", "CXXRecordDecl"}:
                    nameless = entry.constants or [] if not name else []
        self._functions = [one for one in self._functions if _UNNAMED not in one.name]
        self._heads = self._heads_read()
        self._numbers_by_word = {last_name(name): n for name, n in self._numbers.items()}

    def _method(
        self, entry: _Entry | None, address: str, before: str, above: _Entry
    ) -> _Entry | None:
        """The entry of a method with its body, which may stand behind its class."""
        if entry is not None and entry.callee is not None:
            self._methods[address] = entry.callee
            return entry
        declared = self._methods.get(before)
        return _Entry("", above.scope, body_of=declared) if declared is not None else None

    def _forget(self, unnamed: str) -> None:
        """Forget a struct or class that no typedef has named, for the next one."""
        if self._records.pop(unnamed, None) is not None:
            inside = f"{unnamed}::"
            self._functions = [one for one in self._functions if not one.name.startswith(inside)]

    def _name(self, name: str) -> None:
        """Give the struct or class that stands before a typedef its name."""
        scope = last_scope(name)
        unnamed = f"{scope}::{_UNNAMED}" if scope else _UNNAMED
        record = self._records.pop(unnamed, None)
        if record is None:
            return
        record.name = name
        self._records.setdefault(name, record)
        for one in self._functions:
            if one.name.startswith(f"{unnamed}::"):
                one.name = name + one.name.removeprefix(unnamed)
                one.owner = name if one.owner == unnamed else one.owner

    def _read(
        self, kind: str, whole: str, name: str, words: Sequence[str],
        types: re.Match[str] | None, above: _Entry,
    ) -> _Entry | None:  # fmt: skip
        """A declaration with its `whole` name, as an entry where others stand in it."""
        scope, record = above.scope, above.record
        match kind:
            case "NamespaceDecl":
                own = not name.startswith(_NO_SOURCES)
                return _Entry(kind, f"{whole}::" if name else scope) if own else None
            case "LinkageSpecDecl":
                return _Entry(kind, scope)
            case "CXXRecordDecl" | "RecordDecl" if "definition" in words:
                is_open, whole = "class" not in words, whole if name else scope + _UNNAMED
                if not name:
                    self._forget(whole)
                made = self._records.setdefault(whole, _Record(whole, is_open))
                if above.kind == "ClassTemplateDecl":
                    made.template = above.template or []
                return _Entry(kind, f"{whole}::", made)
            case "AccessSpecDecl" if record is not None:
                record.open = "public" in words
            case "EnumDecl":
                constants = self._enums.setdefault(whole, []) if name else list[str]()
                if types and self._word.fullmatch(types[2] or types[1]):
                    self._wide.add(name)
                inside = f"{whole}::" if {"class", "struct"} & {*words} else scope
                return _Entry(kind, inside, constants=constants)
            case "EnumConstantDecl" if above.constants is not None:
                above.number += 1
                self._numbers[whole] = above.number
                above.constants.append(whole)
                self._constants.append(whole)
            case "FieldDecl" if record is not None and types:
                record.has_tables |= _TABLE.search(types[1]) is not None
                if record.open:
                    record.fields.append(Parameter(name, types[1], types[2] or ""))
            case "VarDecl" if types and above.callee is None and (record is None or record.open):
                self._variables.append(Parameter(whole, types[1], types[2] or ""))
                if "extern" not in types[3].split():
                    self._defined.add(whole)
            case "FunctionTemplateDecl" | "ClassTemplateDecl":
                return _Entry(kind, scope, record, template=[])
            case "NonTypeTemplateParmDecl" | "TemplateTypeParmDecl" if above.template is not None:
                behind = types[3].split() if types else [name]
                called = behind[-1] if behind and not behind[-1].isdigit() else ""
                above.template.append(Parameter(called, types[1] if types else "typename"))
            case "FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl" if types:
                return self._read_function(kind, whole, types, above)
            case "ParmVarDecl" if above.callee is not None and types:
                default = "init" in types[3]
                one = Parameter(name, types[1], types[2] or "", has_default=default)
                above.callee.parameters.append(one)
        return None

    def _read_function(
        self, kind: str, whole: str, types: re.Match[str], above: _Entry
    ) -> _Entry | None:
        record, said = above.record, types[3].split()
        if above.done or (record is None and kind != "FunctionDecl"):
            return None  # an instance, or what stands behind its class and is known
        above.done = above.template is not None
        static = record is None or "static" in said
        is_open = (record is None or record.open) and "delete" not in said
        function = _Function(
            whole, types[1], "" if static or record is None else record.name,
            is_open, [*(record.template if static and record else []), *(above.template or [])],
        )  # fmt: skip
        if kind == "CXXConstructorDecl":
            function.record = record
        self._functions.append(function)
        body_of = function if not last_name(whole).startswith("_") else None  # a library's
        return _Entry(kind, above.scope, callee=function, body_of=body_of)

    def functions(self) -> list[Head]:
        """All but constructors, and what is the compiler's; what has a default may be left out."""
        return [*self._heads, *self._macros]

    def _heads_read(self) -> list[Head]:
        heads = dict[tuple[object, ...], Head]()
        for one in self._functions:
            if one.record is not None or last_name(one.name).startswith("_"):
                continue
            of_compiler = tuple(one.template)
            for count in range(len(one.wants), len(one.parameters) + 1):
                takes = tuple(one.parameters[:count])
                # A declaration may name parameters, and say const, as it likes.
                types = tuple(_bare(parameter.type) for parameter in takes)
                key = one.name, one.owner, types, len(of_compiler)
                body = "\n".join(one.body) or (heads[key].body if key in heads else "")
                heads[key] = Head(one.name, takes, one.owner, one.returns, of_compiler, body)
        return [*heads.values()]

    def arrays(self) -> list[Array]:
        """Arrays, and those of the standard library."""
        counts = ((one, _counts(one.type)) for one in self._variables)
        return [Array(one.name, one.type, found) for one, found in counts if found]

    def heads(self, name: str) -> list[Head]:
        """The functions with that last name."""
        return [one for one in self.functions() if one.last == name]

    def kind(self, parameter: Parameter) -> Kind:
        """By the type that is meant; a reference is what it refers to. A macro tells none."""
        if not parameter.type:
            return Kind.UNKNOWN
        meant = _bare(parameter.meant or parameter.type)
        if "*" in meant or "[" in meant:
            return Kind.RECORD if self._points_to_a_record(meant) else Kind.OTHER
        if meant in {"bool", "_Bool"}:
            return Kind.YES_OR_NO
        if self._word.fullmatch(meant) or last_name(meant) in self._wide:
            return Kind.NUMBER if _SHORT.search(parameter.type) else Kind.WORD
        if _NUMBERS.fullmatch(meant):
            return Kind.NUMBER
        if self._constants_of(parameter):
            return Kind.CONSTANTS
        return Kind.OTHER if meant == "typename" else Kind.RECORD

    @staticmethod
    def _points_to_a_record(meant: str) -> bool:
        return not _BUILT_IN.fullmatch(meant.rstrip("*[] "))

    def objects(self, owner: str, *, any_will_do: bool) -> list[str]:
        """Variables, what functions give, and what a constructor makes, where nothing else is.
        Where any will do, that is better than a variable of another file.
        """
        found = self._objects_of(owner)
        if any_will_do and not self._in_c:
            made = [f"{one.name}()" for one in self._constructible(last_name(owner))]
            here = [one for one in found if one in self._defined or one.endswith(")")]
            found = [*dict.fromkeys([*here, *made, *found])]
        return [f"{text[1:]}->" if text[:1] == "*" else f"{text}." for text in found]

    def makers(self, owner: str) -> list[Head]:
        """Its constructors that take one thing, and no other object of it."""
        return [
            Head(last_scope(one.name), tuple(one.wants)) for one in self._functions
            if one.record is not None and one.record.name == owner and one.is_open
            and len(one.wants) == 1 and not _is_copy(one, last_name(owner))
        ]  # fmt: skip

    def values(self, parameter: Parameter) -> list[str]:
        """The constants of an enum; of a struct or class its objects, or their addresses."""
        if self.kind(parameter) is Kind.CONSTANTS:
            return self._constants_of(parameter)
        if self.kind(parameter) is not Kind.RECORD:
            return []
        meant = _bare(parameter.meant or parameter.type)
        objects = self._objects_of(meant.replace("*", "").strip())
        if "*" not in parameter.type and "*" not in parameter.meant:
            return objects
        pointers = (text[1:] if text[:1] == "*" else f"&{text}" for text in objects)
        return [text for text in pointers if not (text[:1] == "&" and text.endswith(")"))]

    def constants(self) -> list[str]:
        """Of enums, and of macros that stand for a number."""
        return self._constants

    def numbers(self) -> dict[str, int]:
        """As they are stated, or one more than the constant before."""
        return self._numbers

    def given(self, parameter: Parameter, word: str) -> list[str]:
        """As it is: of C++ it converts itself, of C a struct is made."""
        if self._in_c and self.kind(parameter) is Kind.RECORD:
            return [f"({_bare(parameter.type)}){{{word}}}"]
        return [word]

    def given_as_set(self, parameter: Parameter, word: str) -> list[str]:
        """By its number: of C++ a struct is made of that."""
        one = "1ull" if self._word == _WORDS[64] else "(unsigned __int128)1"
        text = f"{one} << {word}" if word in SQUARES else word
        if self.kind(parameter) is Kind.RECORD and not self._in_c:
            return [f"{_bare(parameter.type)}{{{text}}}"]
        return self.given(parameter, text)

    def holding(self, head: Head, name: str, kind: str) -> list[Holding]:
        """An object with the bitboard in the one member that a function looks at, or in all those
        of which a method that it calls gives the union.

            U64 Board::occupied() { return sides[0] | sides[1]; }
            Board{ .sides = { occupied, occupied } }
        """
        bare = _bare(kind.replace("*", ""))
        record = next((one for one in self._records.values() if one.name == bare), None)
        read = members_read(nodes_of(head.body.splitlines()), name or "this", self._numbers_by_word)
        if record is None or read is None or len(read) != 1:
            return []
        fields = {one.name: one for one in record.fields}
        filled, looked_at = dict[str, str](), read.pop()
        for member in sorted(self._united(looked_at, record), key=lambda one: one.index or 0):
            text = self._filled(fields.get(member.name), member.index)
            if not text:
                return []
            filled[member.name] = text
        inside = ", ".join(f".{one} = {filled[one]}" for one in fields if one in filled)
        said = looked_at.name if looked_at.index is None else looked_at.constant
        return [Holding(self._made(record.name, inside, kind), said)] if inside else []

    def _made(self, name: str, inside: str, kind: str) -> str:
        """A struct with these members as an argument of that type."""
        address = "&" * ("*" in kind)
        if self._in_c:
            named = re.sub(r"[*&]|\bconst\b", "", kind)
            return f"{address}({' '.join(named.split())}){{ {inside} }}"
        made = f"{name}{{ {inside} }}"
        if kind.endswith(("*", "&")):  # C++ takes what has no name for what is constant alone
            made = f"static_cast<const {name} &>({made})"
            made = made if "const " in kind else f"const_cast<{name} &>({made})"
        return f"{address}{made}"

    def _filled(self, field: Parameter | None, index: int | None) -> str:
        """The occupied squares for a bitboard, or for all entries of an array up to one."""
        many = _MANY.fullmatch(_bare(field.type)) if field else None
        if field is None or (many is None) != (index is None):
            return ""
        one = Parameter("", many[1] or many[2]) if many else Parameter("", field.type, field.meant)
        if self.kind(one) not in {Kind.WORD, Kind.RECORD}:
            return ""
        return f"{{ {', '.join(['occupied'] * (index + 1))} }}" if index is not None else "occupied"

    def _united(self, member: Member, record: _Record) -> set[Member]:
        """The members that one is; of a method those of which it gives the union."""
        if not member.is_called:
            return {member}
        named = f"{record.name}::{member.name}"
        methods = [one for one in self._functions if one.name == named and not one.parameters]
        nodes = nodes_of(methods[0].body) if len(methods) == 1 else []
        read = members_read(nodes, "this", self._numbers_by_word) if is_union(nodes) else None
        return {inside for one in read or () for inside in self._united(one, record)}

    def instance(self, name: str, arguments: Sequence[str]) -> str:
        """With what a template is given, or the class whose function it is."""
        scope, count = last_scope(name), 0
        if scope in self._records:
            count = len(self._records[scope].template)
        of, rest = arguments[:count], arguments[count:]
        name += f"<{', '.join(rest)}>" if rest else ""
        if not of:
            return name
        of_class, last = f"{scope}<{', '.join(of)}>", name.removeprefix(f"{scope}::")
        used = (_bare(one.type) for one in self._variables)
        used = (one for one in used if _type_name(one) == last_name(scope) and "<" in one)
        alike = (one for one in used if re.search(rf"\b{re.escape(last_name(of[0]))}\b", one))
        return f"{next(alike, of_class)}::{last}"

    def _constants_of(self, parameter: Parameter) -> list[str]:
        names = [_bare(one) for one in (parameter.type, parameter.meant) if one]
        found = (
            constants for name in names for known, constants in self._enums.items()
            if last_name(known) == last_name(name)
        )  # fmt: skip
        return next(found, [])

    def _objects_of(self, owner: str) -> list[str]:
        """The expressions that are an object of a type: of pointers with a `*` before them."""
        last, variables = last_name(owner), [*self._variables]
        held = [
            (record.name, one) for record in self._records.values() for one in record.fields
            if _is_of(one, last)
        ]  # fmt: skip
        found = [text for one in variables for text in _object_in(one, last)]
        found += [
            f"{one.name}.{inside.name}"
            for record, inside in held for one in variables
            if _object_in(one, last_name(record)) == [one.name] and _is_of(inside, last, held=True)
        ]  # fmt: skip
        for by_value in (False, True):
            found += [
                f"{'*' * ('*' in one.returns)}{one.name}()"
                for one in self._functions
                if one.is_open and not one.owner and not one.wants and one.record is None
                and not one.template and _is_of(Parameter("", one.returns), last)
                and by_value == (not one.returns.endswith(("&", "*")))
            ]  # fmt: skip
        if not found and not self._in_c:
            found = [self._made_once(one) for one in self._constructible(last)]
        return list(dict.fromkeys(found))

    def _made_once(self, record: _Record) -> str:
        """What makes an object: with tables once, by its constructor and the methods that fill
        them, which take no more than the object, and of which no other one calls it.
        """
        if not record.has_tables:
            return f"{record.name}()"
        own = [one for one in self._functions if one.owner == record.name]
        fills = [
            one for one in own
            if one.is_open and not one.wants and one.record is None
            and not one.type.endswith("const") and _FILLS.fullmatch(last_name(one.name))
        ]  # fmt: skip
        makers = (one for one in self._functions if one.record is record)
        bodies = "\n".join(line for one in (*makers, *own) for line in one.body)
        called = set(re.findall(r"->(\w+)", bodies))
        alone = [one.name for one in fills if last_name(one.name) not in called]
        return f"made({', '.join([record.name, *alone])})"

    def _constructible(self, last: str) -> Iterator[_Record]:
        """The types of that name that can be made of nothing."""
        for record in self._records.values():
            if last_name(record.name) != last:
                continue
            makers = [one for one in self._functions if one.record is record]
            own = [one for one in makers if not _is_copy(one, last)]
            if not own or any(one.is_open and not one.wants for one in own):
                yield record


def last_scope(name: str) -> str:
    """What a name stands in: of a constructor the class."""
    return name.rpartition("::")[0]


def _words_behind_place(text: str) -> list[str]:
    words = text.split()
    places = [n for n, word in enumerate(words) if _PLACE.fullmatch(word)]
    return words[places[-1] + 1 :] if places else words


def _bare(kind: str) -> str:
    """A type without what changes nothing: const, references, the word struct."""
    kind = re.sub(r"\b(?:const|volatile|struct|class|enum|union)\b|&", "", kind)
    return " ".join(kind.split())


def _type_name(kind: str) -> str:
    """The last name of a type, of a class template's instance the template's."""
    of, _, behind = kind.partition("<")
    return last_name(of) if not behind or behind.endswith(">") else kind


def _is_of(one: Parameter, last: str, *, held: bool = False) -> bool:
    """Whether something is an object of the type with that last name, or points to one; what is
    `held` is the object itself.
    """
    names = (_bare(kind) for kind in (one.type, one.meant) if kind)
    return any(_type_name(name if held else name.rstrip("* ")) == last for name in names)


def _object_in(one: Parameter, last: str) -> list[str]:
    """The object of a type that a variable is, points to, or has many of."""
    for kind in filter(None, (_bare(one.meant), _bare(one.type))):
        if _type_name(kind) == last:
            return [one.name]
        points, many = _POINTS.search(kind), _MANY.fullmatch(kind)
        pointed = points[1] if points else kind.removesuffix("*").strip() if "*" in kind else ""
        if pointed and _type_name(_bare(pointed)) == last:
            return [f"*{one.name}"]
        if many and _type_name(_bare(many[1] or many[2])) == last:
            return [f"{one.name}[0]"]
    return []


def _counts(kind: str) -> tuple[str, ...]:
    """How many entries a table has, from the first index on; nothing for what is none."""
    inside = re.findall(r", (\w+)>", kind) if "array<" in kind else []
    return (*re.findall(r"\[(\w*)\]", kind), *reversed(inside))


def _is_copy(one: _Function, last: str) -> bool:
    return len(one.parameters) == 1 and _is_of(one.parameters[0], last)
