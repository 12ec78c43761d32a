"""Variables of which LLVM's passes may believe nothing.

A variable begins with what nobody knows: the passes would choose any number for one that nobody
wrote, and nothing would be seen of it. They would leave out, too, what is read and written beside a
variable. So margins lie on both sides of it where its address is used and it is no long table; they
must be the same at the end. What marks the life of a variable goes: what was written before would
be left out. For memory that a function allocates, a variable of no fixed length among it, for a
value that nobody gave and for a call of another type than the function's the passes would choose,
too.
"""

import re
from functools import cache
from itertools import count, zip_longest

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.markers import ALLOCATES, TRAP, UNWRITTEN, Trap
from magicert.functions.llvm.reader import (
    NAME,
    PLAIN,
    UnreadableError,
    convention,
    global_of,
    unquoted,
)
from magicert.languages.brackets import arguments_of

MOST_COPIED = 1 << 13
"""Bytes that are copied or filled one after another."""

COPY = "void @llvm.memcpy.p0.p0.i64"
MARGIN = 64
"""Bytes on each side of a variable in which loads and stores are seen."""
_ALLOCATORS = re.compile(
    r"(?:[mc]|re)alloc|aligned_alloc|posix_memalign|memalign|valloc|strn?dup|free"
    r"|_Zn[wa].*|_Zd[la].*|_R?\w*__rust_(?:no_)?alloc\w*|_R?\w*__rust_(?:de|re)alloc\w*"
)
"""Functions of whose memory LLVM knows that nobody else sees it."""
_TYPE = r"(?:i\d+|ptr)"
_UNDEF_OPERAND = rf"({_TYPE})((?: [a-z]+(?:\([^()]*\))?)*) (?:undef|poison)\b"
_USES = re.compile(
    r"^  (?:%\S+ = )?(?:ret|store|(?:tail |notail )?call|select|icmp|[zs]ext|trunc|bitcast|switch"
    r"|add|sub|mul|and|or|xor|shl|[la]shr|[us]div|[us]rem)\b.*\b(?:undef|poison)\b.*$",
    re.MULTILINE,
)
_FREEZE = re.compile(
    rf"^  (%\S+) = freeze ({_TYPE}|<\d+ x {_TYPE}>) (?:undef|poison)(?:, !.*)?$", re.MULTILINE
)
_SECOND = re.compile(rf"^(  %\S+ = \w+ (?:[a-z]+ )*({_TYPE}) [^ ,]+, )(?:undef|poison)\b")
_CALL = re.compile(rf"^  (?:%\S+ = )?(?:(?:(?:must|no)?tail )?call|invoke) (.*?)@({NAME})\(")
_STORES = (
    re.compile(
        rf"^  store .*, ptr (?:getelementptr\b.*, ptr )?@({NAME})(?:, i\d+ [^,%]+)*\)?, align \d"
    ),
    re.compile(rf"^  (?:tail )?call void @llvm\.mem[cms]\w+[^(]*\(ptr[^,@%]* @({NAME}),"),
)
_MUST_TAIL = re.compile(r"\bmusttail (?=call (?!.*\.\.\.))")
"""What it says of a call is not of its meaning; it leaves no place behind it to look at margins."""
_HEAD = re.compile(rf"define .*?@{NAME}\(")
_SEVERAL = re.compile(r"^(  %\S+ = )alloca [^\n]*, i\d+ (?:%\S+|\d+), align \d+", re.MULTILINE)
"""A variable of so many items."""
NOBODY = "a value is used that was never set"


def with_unwritten_variables(text: str) -> tuple[str, dict[str, Trap]]:
    """A module whose variables begin so, and what is said where that is seen."""
    text = _with_strange_allocations(text)
    rewriter = _Unwritten(text)
    text = re.sub(r"^define .*?^}", rewriter.body, text, flags=re.MULTILINE | re.DOTALL)
    if f"declare {COPY}(" not in text:
        rewriter.declared.append(f"declare {COPY}(ptr, ptr, i64, i1)")
    return "\n".join([text, *rewriter.declared, ""]), rewriter.traps


def _with_strange_allocations(text: str) -> str:
    """A module in which LLVM knows nothing of functions that allocate memory."""
    known = r' (?:allockind\("[^"]*"\)|"alloc-family"="[^"]*"|allocsize\([^)]*\))'
    text = re.sub(known, ' "magicert.allocates"', text)
    for name in Module(text).declared:
        if _ALLOCATORS.fullmatch(name):
            text = re.sub(global_of(name), f'@"{ALLOCATES}{name}"', text)
    strange = _SEVERAL.sub(rf'\1call ptr @"{ALLOCATES}alloca"()', text)
    return strange + f'\ndeclare ptr @"{ALLOCATES}alloca"()\n' * (strange != text)


class _Unwritten:
    """The names that were declared for a module, and what each of them says."""

    def __init__(self, text: str) -> None:
        self.module = Module(text)
        self.traps: dict[str, Trap] = {}
        self.declared: list[str] = []
        self.size = cache(self._size)

    def _size(self, kind: str) -> int:
        """The bytes of a type; 0 where it is not known or more is stated than a type."""
        tokens = self.module.tokens(kind)
        try:
            size = self.module.layout.size(tokens.type())
        except (ValueError, AssertionError):
            return 0
        return 0 if tokens.next else size

    def body(self, match: re.Match[str]) -> str:
        """A function's text."""
        lines = match[0]
        places = dict(re.findall(r"dbg_declare\(ptr (%[^,]+), .*, !(\d+)\)$", lines, re.MULTILINE))
        places |= dict(
            re.findall(r"@llvm\.dbg\.declare\(metadata ptr (%[^,]+), .*!dbg !(\d+)", lines)
        )
        kinds = dict(
            re.findall(r"^  (%\S+) = alloca (.*?), align \d+(?:, !|$)", lines, re.MULTILINE)
        )
        at_the_end: list[str] = []
        lines = _MUST_TAIL.sub("", lines)
        lines = _USES.sub(self.rewrite_undef, lines)
        lines = _FREEZE.sub(self.frozen, lines)
        lines = "\n".join(self.stored(self.called(line)) for line in lines.split("\n"))

        def begun(line: re.Match[str]) -> str:
            variable = line[1] or line[2]
            kind = kinds.get(variable)
            if kind is None or not self.size(kind):
                return line[0]
            place = self.place_at(places.get(variable))
            lines_made = [line[0]] if line[1] else []
            near = self.size(kind) <= MOST_COPIED and "musttail" not in lines
            if line[1] and near and _has_neighbour(variable, kind, lines):
                lines_made, looked = self.margins(line[0], variable, kind, place)
                at_the_end.append(looked)
            when = "after its end" if "lifetime.end" in line[0] else "before it is written"
            return "\n".join([*lines_made, self.unwritten(variable, kind, when, place)])

        life = r"call void @llvm\.lifetime\.(?:start|end)\.p0\([^%]*(%[^)]+)\).*"
        begins = rf"^  (?:(%\S+) = alloca .*|{life})$"
        lines = re.sub(begins, begun, lines, flags=re.MULTILINE)
        number = count()

        def ended(line: re.Match[str]) -> str:
            return "".join(at_the_end).replace("#", f".{next(number)}") + line[0]

        return re.sub(r"^  ret .*$", ended, lines, flags=re.MULTILINE)

    def named(
        self, name: str, message: str, place: str, declared: str, *, outside: bool = False
    ) -> str:
        """A name of its own, at which this is said."""
        self.traps[name] = Trap(message, place, outside=outside)
        self.declared.append(declared.format(f'@"{name}"'))
        return name

    def copied(
        self, size: int, address: str, message: str, place: str, *, outside: bool = False
    ) -> tuple[str, str]:
        """What nobody knows, and how it comes to an address."""
        declared = f"{{}} = external constant [{size} x i8]"
        own = f"{UNWRITTEN}{len(self.traps)}"
        name = self.named(own, message, place, declared, outside=outside)
        return name, f'  call {COPY}(ptr {address}, ptr @"{name}", i64 {size}, i1 false)'

    def unwritten(self, variable: str, kind: str, when: str, place: str) -> str:
        """A variable that is not written yet, or any more."""
        message = f"a variable is read {when}"
        if not re.fullmatch(r"i\d+|ptr|<\d+ x i\d+>", kind):
            return self.copied(self.size(kind), variable, message, place)[1]
        name = self.value(kind, message, place)
        return f'  %{name} = call {kind} @"{name}"()\n  store {kind} %{name}, ptr {variable}'

    def value(self, kind: str, message: str, place: str) -> str:
        """The name of a function that gives what nobody knows."""
        gives = f"declare {kind} {{}}() nounwind willreturn memory(none)"
        return self.named(f"{UNWRITTEN}{len(self.traps)}", message, place, gives)

    def rewrite_undef(self, line: re.Match[str]) -> str:
        """A statement whose numbers nobody gave."""
        lines_made: list[str] = []

        def known(kind: str) -> str:
            name = self.value(kind, NOBODY, self.place_of(line[0]))
            lines_made.append(f'  %{name} = call {kind} @"{name}"()\n')
            return f"%{name}"

        if re.search(r"[{\[<] ?(?:i\d+|ptr) |@llvm\.(?:dbg|assume)|\bmetadata\b", line[0]):
            return line[0]
        text = re.sub(
            _UNDEF_OPERAND, lambda match: f"{match[1]}{match[2]} {known(match[1])}", line[0]
        )
        text = _SECOND.sub(lambda match: f"{match[1]}{known(match[2])}", text)
        return "".join(lines_made) + text

    def frozen(self, line: re.Match[str]) -> str:
        """Any value, but always the same."""
        name = self.value(line[2], NOBODY, self.place_of(line[0]))
        return f'  {line[1]} = call {line[2]} @"{name}"()'

    def called(self, line: str) -> str:
        """A call, behind what stops the program where the function is of another type."""
        call = _CALL.match(line) if " call " in line or " invoke " in line else None
        body = self.module.bodies.get(unquoted(call[2]), "") if call else ""
        head = _HEAD.match(body)
        if call is None or head is None:
            return line
        if convention(line) != convention(body):
            message = f"a call of {call[2]} by another calling convention than its own"
            return self.stops("call", message, line)
        arguments, parameters = (
            arguments_of(text, begin, "({[<", ")}]>")[0]
            for text, begin in ((line, call.end()), (body, head.end()))
        )
        kinds = zip_longest(arguments, parameters, fillvalue="")
        if "..." not in parameters and any(a.split(" ")[0] != b.split(" ")[0] for a, b in kinds):
            message = f"a call of {call[2]} with other arguments than it takes"
            return self.stops("call", message, line)
        tokens = self.module.tokens(call[1])
        tokens.attributes()
        try:
            if tokens.type() == self.module.signature(unquoted(call[2]))[0]:
                return line
        except UnreadableError:
            return line  # whoever follows the call says so
        return self.stops(
            "call", f"a call of {call[2]} for another type of result than it gives", line
        )

    def stored(self, line: str) -> str:
        """A store, behind what stops the program where it is to a constant: LLVM would omit it."""
        store = next(filter(None, (pattern.match(line) for pattern in _STORES)), None)
        known = self.module.globals.get(store[1].strip('"')) if store else None
        if known is None or not known.constant:
            return line
        return self.stops("store", "a store to a constant", line)

    def stops(self, kind: str, message: str, line: str) -> str:
        """A statement, behind what stops the program with a message."""
        stops = "declare void {}() noreturn nounwind"
        name = self.named(f"{TRAP}{kind}.{len(self.traps)}", message, self.place_of(line), stops)
        return f'  call void @"{name}"()\n{line}'

    def place_of(self, line: str) -> str:
        debug = re.search(r"!dbg !(\d+)", line)
        return self.place_at(debug[1] if debug else None)

    def place_at(self, debug: str | None) -> str:
        """The place that has a number in the module."""
        return str(self.module.names.source_line(int(debug) if debug else None))

    def margins(self, line: str, variable: str, kind: str, place: str) -> tuple[list[str], str]:
        """A variable with a margin on each side, and what looks at these in the end."""
        number, apart, wide = len(self.traps), f"[{MARGIN} x i8]", f"i{8 * MARGIN}"
        room, low, high = (f"%magicert.{name}.{number}" for name in ("room", "low", "high"))
        lines_made = [
            line.replace(variable, room, 1).replace(kind, f"<{{{apart}, {kind}, {apart}}}>", 1),
            f"  {low} = getelementptr i8, ptr {room}, i64 0",
            f"  {variable} = getelementptr i8, ptr {room}, i64 {MARGIN}",
            f"  {high} = getelementptr i8, ptr {variable}, i64 {self.size(kind)}",
        ]
        looked = ""
        stops = "declare void {}() noreturn nounwind"
        own, message = f"{TRAP}margin.{number}", "a store beside a variable"
        trap = self.named(own, message, place, stops, outside=True)
        for at in low, high:
            was, copied = self.copied(MARGIN, at, "a load beside a variable", place, outside=True)
            lines_made.append(copied)
            looked += (
                f"  {at}.is# = load {wide}, ptr {at}, align 1\n"
                f'  {at}.was# = load {wide}, ptr @"{was}", align 1\n'
                f"  {at}.same# = icmp eq {wide} {at}.is#, {at}.was#\n"
                f"  br i1 {at}.same#, label {at}.right#, label {at}.wrong#\n"
                f"{at[1:]}.wrong#:\n"
                f'  call void @"{trap}"()\n  unreachable\n'
                f"{at[1:]}.right#:\n"
            )
        return lines_made, looked


def _has_neighbour(variable: str, kind: str, lines: str) -> bool:
    """Whether more is done with a variable's address than to load and to store the whole."""
    name, kind = rf"{re.escape(variable)}(?!{PLAIN})", re.escape(kind)
    whole = rf"= load {kind}, ptr {name}|  store {kind} [^ ]+, ptr {name}"
    harmless_uses = (
        rf"dbg_declare\(ptr {name}|dbg\.declare\(metadata ptr {name}|@llvm\.lifetime\.[^%]*{name}"
    )
    return len(re.findall(name, lines)) > 1 + len(re.findall(f"{whole}|{harmless_uses}", lines))
