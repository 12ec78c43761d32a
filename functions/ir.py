"""LLVM's assembly text, as LLVM itself prints it, to instructions with their lines.

Only the shape is read here. What an instruction means is said in `instructions`; one that has no
reading becomes `Instruction("unknown", ...)` with its text, so that whoever meets it can say so.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from magicert.functions.metadata import DEBUG, DebugNames, SourceLine

# Types, and how they lie in memory.


@dataclass(frozen=True, slots=True)
class Integer:
    """iN."""

    width: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """ptr."""


@dataclass(frozen=True, slots=True)
class Vector:
    """<N x T>."""

    count: int
    item: "Type"


@dataclass(frozen=True, slots=True)
class Array:
    """[N x T]."""

    count: int
    item: "Type"


@dataclass(frozen=True, slots=True)
class Struct:
    """{ T, ... }; packed: without gaps."""

    items: tuple["Type", ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """A type whose values have no meaning here: void, float, label ..."""

    name: str


FLOATS = {
    "half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128,
    "ppc_fp128": 128,
}  # fmt: skip
"""Bits of numbers that are no integers: what they hold is not followed, where they lie is."""
Type = Integer | PointerType | Vector | Array | Struct | Other
NARROW = 32
"""Bits of addresses of which a program may have all: of more it has the lower half."""
POINTERS = (NARROW, 64)
"""Bits of the addresses that are understood."""
_NO_SIZE = re.compile(r"[eE]|S\d+|F[in]\d+|m:\w|n\d+(?::\d+)*|ni(?::\d+)+|[APG]0|s\d*(?::\d+)*")
"""Parts of a data layout that say nothing of where a value lies in memory."""


class DataLayout:
    """Sizes and places in bytes, as a module's `target datalayout` says."""

    def __init__(self, text: str) -> None:
        # What LLVM takes where nothing is said: of "i64" 32 bits.
        self.pointer = 64
        self.of_pointer = 8
        self.of_struct = 1
        self.aligned = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
        self.vectors = {64: 8, 128: 16}
        self.floats = {16: 2, 32: 4, 64: 8, 80: 16, 128: 16}
        self.strange = ""
        """The first part that is not understood."""
        for part in filter(None, text.split("-")):
            if not self._reads(part) and not self.strange:
                self.strange = part

    @property
    def too_far(self) -> str:
        """What is said of an index with which an address goes round."""
        if self.pointer == NARROW:
            return "an index for which addresses are too short"
        return "an index far outside: a negative number that is unsigned, or one of too many bits"

    def _reads(self, part: str) -> bool:
        """Take in one part: whether it is understood."""
        if _NO_SIZE.fullmatch(part):
            return part != "E"
        match = re.fullmatch(r"([pivfa])([a-z]*)(\d*):(\d+)(?::(\d+))?(?::\d+)?(?::(\d+))?", part)
        if match is None:
            return False
        letter, how, number, first, second, index = match.groups()
        width, bytes_ = int(number or 0), max(1, int(first) // 8)
        if letter == "p" and width:
            return True  # another address space: whoever meets an address of it says so
        if how:
            return False
        if letter == "p":
            self.pointer = int(first)
            self.of_pointer = int(second or first) // 8
            return self.pointer in POINTERS and index in {None, first} and self.of_pointer > 0
        if letter == "a":
            self.of_struct = bytes_
        else:
            {"i": self.aligned, "v": self.vectors, "f": self.floats}[letter][width] = bytes_
        return True

    def size(self, kind: Type) -> int:
        """The bytes from one item of an array to the next."""
        match kind:
            case Integer(width):
                return _rounded((width + 7) // 8, self.align(kind))
            case PointerType():
                return self.pointer // 8
            case Vector(count, item):
                return _rounded((count * self.bits(item) + 7) // 8, self.align(kind))
            case Array(count, item):
                return count * self.size(item)
            case Struct(items):
                end = self.parts(kind)[-1][0] + self.size(items[-1]) if items else 0
                return _rounded(end, self.align(kind))
            case Other(name) if name in FLOATS:
                return _rounded(FLOATS[name] // 8, self.align(kind))
        raise ValueError(f"a value of type {kind}")

    def stored(self, kind: Type) -> int:
        """The bytes that a load or a store touches."""
        return (self.bits(kind) + 7) // 8 if isinstance(kind, Integer | Vector) else self.size(kind)

    def bits(self, kind: Type) -> int:
        """The bits of a scalar or of a vector."""
        match kind:
            case Integer(width):
                return width
            case PointerType():
                return self.pointer
            case Vector(count, item):
                return count * self.bits(item)
        return 8 * self.size(kind)

    def align(self, kind: Type) -> int:
        match kind:
            case Integer(width):
                near = [known for known in sorted(self.aligned) if known >= width]
                return self.aligned[near[0] if near else max(self.aligned)]
            case PointerType():
                return self.of_pointer
            case Vector():
                near_by = 1 << max(0, (self.stored(kind) - 1).bit_length())
                return self.vectors.get(self.bits(kind), near_by)
            case Array(_, item):
                return self.align(item)
            case Struct(items, packed):
                return 1 if packed else max([self.of_struct, *map(self.align, items)])
            case Other(name) if name in FLOATS:
                return self.floats[FLOATS[name]]
        return 1

    def has_whole_bytes(self, kind: Type) -> bool:
        """Whether each item begins where a byte does: a vector's have no bits between them."""
        return not isinstance(kind, Vector) or self.bits(kind.item) == 8 * self.size(kind.item)

    def parts(self, kind: Type) -> list[tuple[int, Type]]:
        """Where the items of a struct, an array or a vector begin, each with its type."""
        if not isinstance(kind, Struct):
            assert isinstance(kind, Array | Vector)
            step = self.size(kind.item)
            return [(n * step, kind.item) for n in range(kind.count)]
        tokens, end = [], 0
        for item in kind.items:
            end = _rounded(end, 1 if kind.packed else self.align(item))
            tokens.append((end, item))
            end += self.size(item)
        return tokens

    def part(self, kind: Type, number: int) -> tuple[int, Type]:
        """One of them; of an array any number."""
        if isinstance(kind, Struct):
            return self.parts(kind)[number]
        assert isinstance(kind, Array | Vector)
        return number * self.size(kind.item), kind.item


def _rounded(size: int, step: int) -> int:
    return -(-size // step) * step


# The text: its tokens, instructions, functions and globals.

PLAIN = r"[\w.$-]"
"""What a name without quotes is made of."""
NAME = rf'(?:"[^"]*"|{PLAIN}+)'
"""A name behind its @ or %."""
TOKEN = re.compile(
    rf'[%@!#$]{NAME}|c?"[^"]*"|-?\d+\.\d*(?:e[+-]?\d+)?|0x[0-9A-Fa-f]\w*|-?\d+'
    r"|[A-Za-z_][\w.$]*|\.\.\.|[(){}\[\]<>,=*:|]"
)
BINARY = {
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or",
    "xor",
}  # fmt: skip
CASTS = {
    "trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr",
}  # fmt: skip
FLAGS = {
    "nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw", "inrange",
    "volatile", "atomic", "tail", "musttail", "notail",
}  # fmt: skip
CONSTANTS = {
    "true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat",
}  # fmt: skip
REGISTER = "magicert.register"
"""Assembly without an instruction, which gives a register as it is, is a call of what is called so.
"""
EXPRESSIONS = frozenset({"getelementptr", *CASTS, "add", "sub", "xor", "dso_local_equivalent"})
_TYPE_BEGINS = re.compile(
    r"i\d+|ptr|void|float|double|half|x86_fp80|fp128|bfloat|metadata|token|[\[<{%].*"
)
METADATA = re.compile(r"(?:, !\w[\w.]* (?:!\d+|!\{[^}]*\}))+$")


@dataclass(frozen=True, slots=True)
class Operand:
    """A value where it is used: `kind` is local, global, number, undef, poison, zero, list (of a
    vector, array or struct), bytes, expression or block. `data` is what the kind needs.
    """

    type: Type
    kind: str
    data: object = None


@dataclass(slots=True)
class Instruction:
    """One instruction. `names` are those of blocks, a callee's, or numbers of an index."""

    op: str
    result: str
    type: Type
    operands: list[Operand] = field(default_factory=list)
    flags: frozenset[str] = frozenset()
    predicate: str = ""
    names: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    element: Type | None = None
    text: str = ""
    debug: int | None = None


@dataclass(slots=True)
class BasicBlock:
    """Instructions in a row; the last one says where to go."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class IrFunction:
    """A defined function: parameters as (type, name, attributes), blocks, the first one entered."""

    name: str
    parameters: list[tuple[Type, str, str]]
    blocks: dict[str, BasicBlock]


class UnreadableError(ValueError):
    """Text that this reader does not know."""


class Tokens:
    """The tokens of one line."""

    def __init__(self, text: str, types: "Types") -> None:
        self.text = text
        self.list = TOKEN.findall(text)
        self.place = 0
        self.types = types

    @property
    def next(self) -> str:
        """The token ahead, "" at the end."""
        return self.list[self.place] if self.place < len(self.list) else ""

    def take(self, expected: str = "") -> str:
        """The token ahead, which is passed."""
        token = self.next
        if not token or (expected and token != expected):
            raise UnreadableError(
                f"found {token!r}, expected {expected or 'more'}: {self.text[:120]}"
            )
        self.place += 1
        return token

    def passed(self, token: str) -> bool:
        """Whether this token was ahead; then it is passed."""
        if self.next == token:
            self.place += 1
            return True
        return False

    def skip_group(self) -> None:
        depth = 0
        while True:
            token = self.take()
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return

    def attributes(self) -> frozenset[str]:
        """Linkage, calling convention and attributes, which stand before a type."""
        names: set[str] = set()
        while self.next and not _TYPE_BEGINS.fullmatch(self.next):
            token = self.take()
            names.add(token)
            if self.next == "(":
                self.skip_group()
            elif token == "align" and self.next.isdigit():
                self.take()
        return frozenset(names)

    def flags(self) -> frozenset[str]:
        names = set()
        while self.next in FLAGS:
            names.add(self.take())
            if "inrange" in names and self.next == "(":  # inrange(-16, 16)
                self.skip_group()
                break
        return frozenset(names)

    def type(self) -> Type:
        token = self.take()
        kind: Type
        if re.fullmatch(r"i\d+", token):
            kind = Integer(int(token[1:]))
        elif token == "ptr":
            if self.passed("addrspace"):
                raise UnreadableError(f"another address space: {self.text[:120]}")
            kind = PointerType()
        elif token in "[<" and self.next.isdigit():
            count = int(self.take())
            self.take("x")
            item = self.type()
            self.take("]" if token == "[" else ">")
            kind = Array(count, item) if token == "[" else Vector(count, item)
        elif token == "<" and self.next == "vscale":
            raise UnreadableError(f"a vector whose length the processor chooses: {self.text[:120]}")
        elif token in "{<":
            packed = token == "<"
            if packed:
                self.take("{")
            items = []
            while not self.passed("}"):
                items.append(self.type())
                self.passed(",")
            if packed:
                self.take(">")
            kind = Struct(tuple(items), packed)
        elif token.startswith("%"):
            kind = self.types.named(token)
        else:
            kind = Other(token)
        if self.next == "(" and isinstance(kind, Other | Integer | PointerType | Struct | Vector):
            # A function's type, which stands before a callee of several.
            saved = self.place
            self.skip_group()
            if not self.next.startswith(("@", "%")):
                self.place = saved
        return kind

    def typed(self) -> Operand:
        """A type and a value, with attributes between them."""
        kind = self.type()
        if isinstance(kind, Other) and kind.name == "metadata":
            raise UnreadableError(f"metadata as an operand: {self.text[:120]}")
        while not self.at_value():
            if self.take() == "align" and self.next.isdigit():
                self.take()
            elif self.next == "(":
                self.skip_group()
        return self.value(kind)

    def at_value(self) -> bool:
        """Whether a value is ahead, not an attribute."""
        token = self.next
        if not token:
            raise UnreadableError(f"expected a value: {self.text[:120]}")
        begins = token[0] in "%@<[{-0123456789" or token.startswith('c"')
        return begins or token in CONSTANTS or token in EXPRESSIONS

    def value(self, kind: Type) -> Operand:
        token = self.take()
        if token[0] in "%@":
            return Operand(kind, "local" if token[0] == "%" else "global", unquoted(token[1:]))
        if re.fullmatch(r"-?\d+", token):
            return Operand(kind, "number", int(token))
        if token in {"true", "false"}:
            return Operand(kind, "number", int(token == "true"))
        if token in {"null", "zeroinitializer", "none"}:
            return Operand(kind, "zero")
        if token in {"undef", "poison"}:
            return Operand(kind, "poison")
        if token == "splat":
            self.take("(")
            item = self.typed()
            self.take(")")
            count = kind.count if isinstance(kind, Vector | Array) else 1
            return Operand(kind, "list", [item] * count)
        if token.startswith('c"'):
            return Operand(kind, "bytes", bytes_of(token[2:-1]))
        if token in "<[{":
            if token == "<" and self.passed("{"):
                token = "<{"
            close = {"<": ">", "[": "]", "{": "}", "<{": "}"}[token]
            items = []
            while not self.passed(close):
                items.append(self.typed())
                self.passed(",")
            if token == "<{":
                self.take(">")
            return Operand(kind, "list", items)
        if token in EXPRESSIONS:
            return Operand(kind, "expression", self.expression(token, kind))
        raise UnreadableError(f"found {token!r}, expected a value: {self.text[:120]}")

    def expression(self, op: str, kind: Type) -> Instruction:
        """A constant expression, as the instruction that it stands for."""
        flags = self.flags()
        self.take("(")
        instruction = Instruction(op, "", kind, flags=flags, text=self.text[:120])
        if op == "getelementptr":
            instruction.element = self.type()
            self.take(",")
            instruction.operands = self.listed(")")
        elif op in CASTS:
            instruction.operands = [self.typed()]
            self.take("to")
            self.type()
            self.take(")")
        else:
            instruction.operands = self.listed(")")
        return instruction

    def listed(self, close: str) -> list[Operand]:
        """Typed operands with commas between them, up to a closing token."""
        operands: list[Operand] = []
        while not self.passed(close):
            operands.append(self.typed())
            self.passed(",")
        return operands


class Types:
    """The named types of a module, read when they are met."""

    def __init__(self, text: str) -> None:
        definitions = re.findall(rf"^(%{NAME}) = type (.*)$", text, re.MULTILINE)
        self.texts = dict(definitions)
        self.read: dict[str, Type] = {}

    def named(self, token: str) -> Type:
        if token not in self.read:
            text = self.texts.get(token)
            if text is None or text.startswith("opaque"):
                return Other(token)
            self.read[token] = Tokens(text, self).type()
        return self.read[token]


@dataclass(frozen=True, slots=True)
class Global:
    """A global variable's line. `initial` is the text from its type on."""

    name: str
    constant: bool
    external: bool
    initial: str
    local: bool
    """Whether each thread has one of its own."""
    merged: bool
    """Whether nobody asks for its address: of constants that are equal one may be made."""
    shared: bool = True
    """Whether other modules may name it."""


_SYSTEMS = re.compile(
    r"-(?:linux|windows|win32|darwin|macos|ios|tvos|watchos|visionos|xros|[a-z]*bsd|android|solaris)"
)
_ANYWHERE = re.compile(r"x86|i[3-6]86|wasm")
"""Processors of 32 bits that load eight bytes from anywhere. ARM's LDRD stops."""


class Module:
    """A module's text, of which each part is read when it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        layout = re.search(r'^target datalayout = "([^"]*)"', text, re.MULTILINE)
        triple = re.search(r'^target triple = "([^"]*)"', text, re.MULTILINE)
        self.layout = DataLayout(layout[1] if layout else "")
        self.triple = triple[1] if triple else ""
        self.types = Types(text)
        self.read: dict[str, IrFunction] = {}

    @property
    def has_system(self) -> bool:
        """Whether what is compiled runs under a system that keeps the first addresses free."""
        return not self.triple or bool(_SYSTEMS.search(self.triple))

    @property
    def unaligned(self) -> int:
        """Bytes that a load may have anywhere: the addresses of longer ones are looked at."""
        narrow = self.layout.pointer == NARROW and not _ANYWHERE.match(self.triple)
        return 4 if narrow else 8

    @cached_property
    def bodies(self) -> dict[str, str]:
        """The text of each defined function, its `define` line included."""
        texts: dict[str, str] = {}
        for body in re.findall(r"^define .*?^}", self.text, re.MULTILINE | re.DOTALL):
            texts[callee_of(body.partition("\n")[0])] = body
        return texts

    @cached_property
    def declared(self) -> dict[str, str]:
        """The `declare` line of each function that is defined elsewhere."""
        lines = re.findall(r"^declare .*$", self.text, re.MULTILINE)
        return {callee_of(line): line for line in lines}

    @cached_property
    def globals(self) -> dict[str, Global]:
        variables = {}
        pattern = rf'^@({NAME}) = ((?:[^\n"]*? )?)(constant|global) (.*)$'
        for name, before, kind, initial in re.findall(pattern, self.text, re.MULTILINE):
            plain = unquoted(name)
            external = "external" in before.split() or "extern_weak" in before.split()
            local = "thread_local" in before
            merged = "unnamed_addr" in before.split()
            shared = not {"internal", "private"} & set(before.split())
            variables[plain] = Global(
                plain, kind == "constant", external, initial, local, merged, shared
            )
        return variables

    @cached_property
    def unsure(self) -> frozenset[str]:
        """Names of what has another name as well, what another definition may replace, and what
        need not be anywhere.
        """
        name = f"@({NAME})"
        aliases = re.findall(rf"^{name} = (?:[^\n\"]*? )?(?:alias|ifunc) ", self.text, re.MULTILINE)
        weak = re.findall(rf"^{name} = (?:extern_)?weak ", self.text, re.MULTILINE)
        head = rf"^(?:declare extern_|define )weak .*?{name}\("
        weak += re.findall(head, self.text, re.MULTILINE)
        return frozenset(map(unquoted, (*aliases, *weak)))

    def writes(self, functions: Iterable[str], name: str) -> bool:
        """Whether one of the functions writes to a variable of that name in the source."""
        for body in map(self.bodies.__getitem__, functions):
            items = dict(re.findall(r"^ +(%\S+) = getelementptr [^\n]*?, ptr (@\S+),", body, re.M))
            stored = re.findall(rf"^ +store [^\n]*, ptr ([@%]{NAME})", body, re.M)
            found = {items.get(one, one) for one in stored}
            if any(self.source_name(unquoted(one[1:])) == name for one in found if one[0] == "@"):
                return True
        return False

    @cached_property
    def attributes(self) -> dict[str, str]:
        """The attribute groups by their number, such as "#3"."""
        return dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", self.text, re.MULTILINE))

    def stated(self, name: str) -> set[str]:
        """The words of a function's head and of its attribute groups."""
        words = (self.declared.get(name) or self.bodies.get(name, "").partition("\n")[0]).split()
        return {w for word in words for w in (word, *self.attributes.get(word, "").split())}

    @cached_property
    def catches(self) -> bool:
        return re.search(r"^ +(?:catch ptr|filter \[|.*\bcatchpad\b)", self.text, re.M) is not None

    def may_throw(self, name: str) -> bool:
        """Whether a function may end by an exception that something catches."""
        return self.catches and "nounwind" not in self.stated(name)

    @cached_property
    def names(self) -> DebugNames:
        """What its metadata says of lines and names."""
        return DebugNames(self.text)

    def tokens(self, text: str) -> Tokens:
        return Tokens(text, self.types)

    def function(self, name: str) -> IrFunction:
        if name not in self.read:
            self.read[name] = self._read(name)
        return self.read[name]

    def signature(self, name: str) -> tuple[Type, list[tuple[Type, str, str]]]:
        """What a function returns, and its parameters."""
        line = self.bodies[name].partition("\n")[0]
        before, _, rest = line.partition(callee_text(line) + "(")
        tokens = self.tokens(before.removeprefix("define "))
        tokens.attributes()
        return tokens.type() if tokens.next else Other("void"), self._parameters(rest)

    def _parameters(self, rest: str) -> list[tuple[Type, str, str]]:
        parameters: list[tuple[Type, str, str]] = []
        depth, part = 0, ""
        for char in rest:
            if char in "([{<":
                depth += 1
            elif char in ")]}>":
                depth -= 1
            if depth < 0 or (char == "," and depth == 0):
                if part.strip() and part.strip() != "...":
                    tokens = self.tokens(part)
                    kind = tokens.type()
                    name = (
                        tokens.list[-1]
                        if tokens.list[-1].startswith("%")
                        else f"%{len(parameters)}"
                    )
                    parameters.append((kind, unquoted(name[1:]), part.strip()))
                part = ""
                if depth < 0:
                    break
            else:
                part += char
        return parameters

    def _read(self, name: str) -> IrFunction:
        _, parameters = self.signature(name)
        lines = self.bodies[name].split("\n")[1:-1]
        blocks: dict[str, BasicBlock] = {}
        unnamed = sum(parameter[1].isdigit() for parameter in parameters)
        current: BasicBlock | None = None
        for line in _joined(lines):
            label = re.match(rf"({NAME}):(?:\s|$)", line)
            if label:
                current = blocks[unquoted(label[1])] = BasicBlock(unquoted(label[1]))
                continue
            if current is None:
                current = blocks[str(unnamed)] = BasicBlock(str(unnamed))
            current.instructions.append(self.instruction(line))
        return IrFunction(name, parameters, blocks)

    def instruction(self, line: str) -> Instruction:
        """One line; an unknown one keeps its text."""
        debug = DEBUG.search(line)
        text = METADATA.sub("", line)
        try:
            instruction = _instruction(self.tokens(text))
        except UnreadableError:
            name = re.match(r"(%\S+) = ", text)
            instruction = Instruction(
                "unknown", unquoted(name[1][1:]) if name else "", Other("unknown")
            )
        instruction.text = text
        instruction.debug = int(debug[1]) if debug else None
        return instruction

    def source_name(self, variable: str) -> str:
        return self.names.variable(self.globals[variable].initial) or variable

    def stores(self, variable: str) -> Iterator[tuple[str, SourceLine]]:
        """The functions that store to a variable by its name, and where."""
        address = global_of(variable)
        store = re.compile(
            rf"^  (?:store |.*= (?:atomicrmw|cmpxchg) |.*@llvm\.mem).*{address}.*",
            re.MULTILINE,
        )
        for symbol, body in self.bodies.items():
            for line in store.findall(body):
                debug = DEBUG.search(line)
                yield symbol, self.names.source_line(int(debug[1])) if debug else SourceLine()

    def declared_at(self, variable: str) -> SourceLine:
        """Where the source declares a variable."""
        return self.names.variable_place(self.globals[variable].initial)

    @cached_property
    def source_names(self) -> dict[str, list[str]]:
        """The functions by their names in the source, plain and with their namespaces."""
        return self.names.functions((s, b.partition("\n")[0]) for s, b in self.bodies.items())


def _joined(lines: list[str]) -> Iterator[str]:
    """Instructions that go over several lines (switch, invoke) as one; debug records left out."""
    waiting = ""
    for raw in lines:
        line = raw.strip() if '"' in raw else raw.partition(";")[0].strip()
        if not line or line.startswith(("#dbg_", ";")):
            continue
        waiting = f"{waiting} {line}".strip()
        open_list = waiting.count("[") > waiting.count("]")
        if open_list or (re.match(r"(%\S+ = )?invoke ", waiting) and " unwind " not in waiting):
            continue
        yield waiting
        waiting = ""


def _instruction(tokens: Tokens) -> Instruction:
    result = ""
    if tokens.next.startswith("%") and tokens.list[tokens.place + 1] == "=":
        result = unquoted(tokens.take()[1:])
        tokens.take("=")
    before = tokens.flags()
    op = tokens.take()
    instruction = Instruction(op, result, Other("void"), flags=before | tokens.flags())
    reader = _READERS.get("binary" if op in BINARY else "cast" if op in CASTS else op)
    if reader is None:
        raise UnreadableError(op)
    reader(tokens, instruction)
    return instruction


def _binary(tokens: Tokens, instruction: Instruction) -> None:
    first = tokens.typed()
    tokens.take(",")
    instruction.type = first.type
    instruction.operands = [first, tokens.value(first.type)]


def _compare(tokens: Tokens, instruction: Instruction) -> None:
    instruction.predicate = tokens.take()
    _binary(tokens, instruction)
    count = instruction.type.count if isinstance(instruction.type, Vector) else 0
    instruction.type = Vector(count, Integer(1)) if count else Integer(1)


def _cast(tokens: Tokens, instruction: Instruction) -> None:
    instruction.operands = [tokens.typed()]
    tokens.take("to")
    instruction.type = tokens.type()


def _several(tokens: Tokens, instruction: Instruction) -> None:
    """select, extractelement, insertelement, shufflevector, freeze: typed operands."""
    instruction.operands = [tokens.typed()]
    while tokens.passed(","):
        instruction.operands.append(tokens.typed())
    kinds = [operand.type for operand in instruction.operands]
    instruction.type = kinds[1] if instruction.op == "select" else kinds[0]
    if instruction.op == "extractelement" and isinstance(kinds[0], Vector):
        instruction.type = kinds[0].item
    if (
        instruction.op == "shufflevector"
        and isinstance(kinds[0], Vector)
        and isinstance(kinds[2], Vector)
    ):
        instruction.type = Vector(kinds[2].count, kinds[0].item)


def _aggregate(tokens: Tokens, instruction: Instruction) -> None:
    """extractvalue, insertvalue."""
    instruction.operands = [tokens.typed()]
    while tokens.passed(","):
        if re.fullmatch(r"\d+", tokens.next):
            instruction.numbers.append(int(tokens.take()))
        else:
            instruction.operands.append(tokens.typed())
    instruction.type = instruction.operands[0].type
    if instruction.op == "extractvalue":
        for number in instruction.numbers:
            assert isinstance(instruction.type, Struct | Array)
            instruction.type = (
                instruction.type.items[number]
                if isinstance(instruction.type, Struct)
                else instruction.type.item
            )


def _phi(tokens: Tokens, instruction: Instruction) -> None:
    instruction.type = tokens.type()
    while tokens.passed("["):
        instruction.operands.append(tokens.value(instruction.type))
        tokens.take(",")
        instruction.names.append(unquoted(tokens.take()[1:]))
        tokens.take("]")
        tokens.passed(",")


def _load(tokens: Tokens, instruction: Instruction) -> None:
    instruction.type = tokens.type()
    tokens.take(",")
    instruction.operands = [tokens.typed()]


def _store(tokens: Tokens, instruction: Instruction) -> None:
    instruction.operands = [tokens.typed()]
    tokens.take(",")
    instruction.operands.append(tokens.typed())


def _address(tokens: Tokens, instruction: Instruction) -> None:
    instruction.element = tokens.type()
    while tokens.passed(","):
        instruction.operands.append(tokens.typed())
    counts = [o.type.count for o in instruction.operands if isinstance(o.type, Vector)]
    pointer = PointerType()
    instruction.type = Vector(counts[0], pointer) if counts else pointer


def _alloca(tokens: Tokens, instruction: Instruction) -> None:
    instruction.element = tokens.type()
    instruction.type = PointerType()
    if tokens.passed(",") and tokens.next not in {"align", "addrspace"}:
        instruction.operands = [tokens.typed()]


def _branch(tokens: Tokens, instruction: Instruction) -> None:
    first = tokens.typed()
    if not tokens.passed(","):
        instruction.names = [str(first.data)]
        return
    instruction.operands = [first]
    for _ in range(2):
        instruction.names.append(str(tokens.typed().data))
        tokens.passed(",")


def _switch(tokens: Tokens, instruction: Instruction) -> None:
    instruction.operands = [tokens.typed()]
    tokens.take(",")
    instruction.names = [str(tokens.typed().data)]
    tokens.take("[")
    while not tokens.passed("]"):
        case = tokens.typed()
        assert isinstance(case.data, int)
        instruction.numbers.append(case.data)
        tokens.take(",")
        instruction.names.append(str(tokens.typed().data))


def _return(tokens: Tokens, instruction: Instruction) -> None:
    if tokens.next != "void":
        instruction.operands = [tokens.typed()]


def _call(tokens: Tokens, instruction: Instruction) -> None:
    """The callee's name is the first of `names`; "" for a pointer, which is the last operand."""
    instruction.flags |= tokens.attributes()
    instruction.type = tokens.type()
    if tokens.next == "asm":
        if not re.search(r' asm sideeffect "", "=r(?:,~\{\w+\})*"\(\)', tokens.text):
            raise UnreadableError("inline assembly")
        instruction.names = [REGISTER]
        return
    callee = tokens.value(PointerType())
    instruction.names = [str(callee.data) if callee.kind == "global" else ""]
    tokens.take("(")
    if instruction.names[0].startswith(("llvm.dbg", "llvm.experimental.noalias")):
        return
    instruction.operands = tokens.listed(")")
    if not instruction.names[0]:
        instruction.operands.append(callee)
    while tokens.next.startswith(("#", "no", "mem", "cold")):
        instruction.flags |= {tokens.take()}
        if tokens.next == "(":
            tokens.skip_group()
    if instruction.op == "invoke":
        for word in ("to", "unwind"):
            tokens.take(word)
            instruction.names.append(str(tokens.typed().data))


_READERS = {
    "binary": _binary, "cast": _cast, "icmp": _compare, "phi": _phi, "load": _load,
    "store": _store, "getelementptr": _address, "alloca": _alloca, "br": _branch,
    "switch": _switch, "ret": _return, "unreachable": lambda _, __: None, "call": _call,
    "invoke": _call, "extractvalue": _aggregate, "insertvalue": _aggregate,
    **dict.fromkeys(
        ("select", "extractelement", "insertelement", "shufflevector", "freeze"), _several
    ),
}  # fmt: skip


def callee_text(line: str) -> str:
    """The first global name of a line, as it stands there."""
    match = re.search(f"@{NAME}", line)
    return match[0] if match else ""


def callee_of(line: str) -> str:
    """The first global name of a line."""
    return unquoted(callee_text(line)[1:])


def convention(line: str) -> str:
    """The calling convention that a call or a `define` line states; "" for the usual one."""
    match = re.search(r"(?<![\w.%])(?:\w+cc|aarch64_\w+|cc ?\d+)(?= )", line.partition("(")[0])
    return match[0] if match else ""


def unquoted(name: str) -> str:
    """A name without its quotes."""
    return name[1:-1] if name.startswith('"') else name


def quoted(name: str) -> str:
    """A name as it may stand in text."""
    return name if re.fullmatch(rf"\d+|(?!\d){PLAIN}+", name) else f'"{name}"'


def global_of(name: str) -> str:
    """The pattern of a global name wherever it stands in text."""
    return rf"@{re.escape(quoted(name))}(?!{PLAIN})"


def bytes_of(text: str) -> bytes:
    r"""The bytes of a string constant: \00 is the byte 0, \\ a backslash."""
    raw = text.encode("latin-1", "replace")

    def byte(match: re.Match[bytes]) -> bytes:
        return match[1] if match[1] == b"\\" else bytes([int(match[1], 16)])

    return re.sub(rb"\\(\\|[0-9A-Fa-f]{2})", byte, raw)
