"""Lines of LLVM's assembly text to instructions and operands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from magicert.functions.llvm.ir_types import (
    Array,
    Integer,
    Other,
    PointerType,
    Struct,
    Type,
    Vector,
)

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


def whole_lines(lines: list[str]) -> Iterator[str]:
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


def read_instruction(tokens: Tokens) -> Instruction:
    """The instruction of one line."""
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
