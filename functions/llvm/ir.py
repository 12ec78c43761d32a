"""A module of LLVM's assembly text, as LLVM itself prints it: its functions, variables and lines.

Only the shape is read, by `reader`. What an instruction means is said in `instructions`; one that
has no reading becomes `Instruction("unknown", ...)` with its text, so that whoever meets it can say
so.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from magicert.functions.llvm.ir_types import NARROW, DataLayout, Other, Type
from magicert.functions.llvm.mangled_names import is_of_rust, plain_name
from magicert.functions.llvm.metadata import DEBUG, DebugNames, SourceLine
from magicert.functions.llvm.reader import (
    METADATA,
    NAME,
    BasicBlock,
    Instruction,
    IrFunction,
    Tokens,
    Types,
    UnreadableError,
    callee_of,
    callee_text,
    read_instruction,
    unquoted,
    whole_lines,
)


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
    several: bool = False
    """Whether each module that uses it has one, and the linker takes any of them."""


_SYSTEMS = re.compile(
    r"-(?:linux|windows|win32|darwin|macos|ios|tvos|watchos|visionos|xros|[a-z]*bsd|android|solaris)"
)
_SEVERAL = {"linkonce", "linkonce_odr", "weak", "weak_odr"}
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
                plain, kind == "constant", external, initial, local, merged, shared,
                bool(_SEVERAL & set(before.split())),
            )  # fmt: skip
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

    def reached(
        self, name: str, without: str | tuple[str, ...] = (), *, calls: bool = False
    ) -> set[str]:
        """A function, and all that it and these call or name, but for names that begin so; or what
        they call by name alone.
        """
        seen, waiting = {name}, [name]
        while waiting:
            named = self.named_in(waiting.pop(), calls=calls)
            new = {symbol for symbol in named - seen if not symbol.startswith(without)}
            seen |= new
            waiting += new
        return seen

    def named_in(self, name: str, *, calls: bool = False) -> set[str]:
        """The functions and variables that a function names, or the functions that it calls."""
        form = f"@({NAME})" + calls * r"\("
        return {unquoted(one) for one in re.findall(form, self.bodies.get(name, ""))}

    @cached_property
    def initialisers(self) -> list[str]:
        """The static initialisers, which run first, in the order in which they stand."""
        if "llvm.global_ctors" not in self.globals:
            return []
        tokens = self.tokens(self.globals["llvm.global_ctors"].initial)
        items = tokens.value(tokens.type()).data
        parts = [item.data for item in items] if isinstance(items, list) else []
        return [str(part[1].data) for part in parts if isinstance(part, list)]

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
        line = self.bodies[name].partition("\n")[0] if name in self.bodies else self.declared[name]
        before, _, rest = line.partition(callee_text(line) + "(")
        tokens = self.tokens(before.removeprefix("define ").removeprefix("declare "))
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
        for line in whole_lines(lines):
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
            instruction = read_instruction(self.tokens(text))
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

    def declared_at(self, variable: str) -> SourceLine:
        """Where the source declares a variable."""
        return self.names.variable_place(self.globals[variable].initial)

    def defined_at(self, symbol: str) -> SourceLine:
        """Where the source defines a function; nowhere where the module does not say so."""
        head = self.bodies[symbol].partition("\n")[0]
        return next((place for _, place in self.names.defined([head])), SourceLine())

    def is_called(self, symbol: str, name: str) -> bool:
        """Whether the source gives a function this name, as far as its metadata says: a label may
        give it another function's.
        """
        debug = DEBUG.search(self.bodies[symbol].partition("\n")[0])
        return debug is None or symbol in self.source_names.get(name, ())

    @cached_property
    def source_names(self) -> dict[str, list[str]]:
        """The functions by their names in the source, plain and with their namespaces. Of one that
        Rust has merged with another its symbol alone says it.
        """
        heads = {symbol: body.partition("\n")[0] for symbol, body in self.bodies.items()}
        found = self.names.functions(heads.items())
        for symbol, head in heads.items():
            if is_of_rust(symbol) and DEBUG.search(head) is None:
                parts = plain_name(symbol).split("::")
                for start in range(len(parts)):
                    found.setdefault("::".join(parts[start:]), []).append(symbol)
        return found
