"""Variables of which LLVM's passes may believe nothing.

A variable begins with what nobody knows: the passes would choose any number for one that nobody
wrote, and nothing would be seen of it. They would leave out, too, what is read and written beside a
variable. So margins lie on both sides of it where its address is used; they must be the same at the
end. What marks the life of a variable goes: what was written before would be left out.
"""

import re
from functools import cache
from itertools import count

from magicert.verify.function.ir import Module
from magicert.verify.function.meaning import MOST_COPIED, UNWRITTEN, Trap
from magicert.verify.function.specialise import TRAP

COPY = "void @llvm.memcpy.p0.p0.i64"
MARGIN = 64
"""Bytes on each side of a variable in which loads and stores are seen."""


def with_unwritten_variables(text: str) -> tuple[str, dict[str, Trap]]:
    """A module whose variables begin so, and what is said where that is seen."""
    made = _Unwritten(text)
    text = re.sub(r"^define .*?^}", made.body, text, flags=re.MULTILINE | re.DOTALL)
    if f"declare {COPY}(" not in text:
        made.declared.append(f"declare {COPY}(ptr, ptr, i64, i1)")
    return "\n".join([text, *made.declared, ""]), made.found


class _Unwritten:
    """The names that were declared for a module, and what each of them says."""

    def __init__(self, text: str) -> None:
        self.module = Module(text)
        self.found: dict[str, Trap] = {}
        self.declared: list[str] = []
        self.size = cache(self._size)

    def _size(self, kind: str) -> int:
        """The bytes of a type; 0 where it is not known or more is stated than a type."""
        tokens = self.module.tokens(kind)
        try:
            size = self.module.layout.size(tokens.type())
        except (ValueError, AssertionError):
            return 0
        return 0 if tokens.next or size > MOST_COPIED else size

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

        def begun(line: re.Match[str]) -> str:
            variable = line[1] or line[2]
            kind = kinds.get(variable)
            if kind is None or not self.size(kind):
                return line[0]
            debug = places.get(variable)
            place = str(self.module.names.place(int(debug) if debug else None))
            made = [line[0]] if line[1] else []
            if line[1] and "musttail" not in lines and _beside(variable, kind, lines):
                made, looked = self.margins(line[0], variable, kind, place)
                at_the_end.append(looked)
            when = "after its end" if "lifetime.end" in line[0] else "before it is written"
            return "\n".join([*made, self.unwritten(variable, kind, when, place)])

        life = r"call void @llvm\.lifetime\.(?:start|end)\.p0\([^%]*(%[^)]+)\).*"
        begins = rf"^  (?:(%\S+) = alloca .*|{life})$"
        lines = re.sub(begins, begun, lines, flags=re.MULTILINE)
        number = count()

        def ended(line: re.Match[str]) -> str:
            return "".join(at_the_end).replace("#", f".{next(number)}") + line[0]

        return re.sub(r"^  ret .*$", ended, lines, flags=re.MULTILINE)

    def named(self, name: str, message: str, place: str, declared: str) -> str:
        """A name of its own, at which this is said."""
        self.found[name] = Trap(message, place)
        self.declared.append(declared.format(f'@"{name}"'))
        return name

    def copied(self, size: int, address: str, message: str, place: str) -> tuple[str, str]:
        """What nobody knows, and how it comes to an address."""
        declared = f"{{}} = external constant [{size} x i8]"
        name = self.named(f"{UNWRITTEN}{len(self.found)}", message, place, declared)
        return name, f'  call {COPY}(ptr {address}, ptr @"{name}", i64 {size}, i1 false)'

    def unwritten(self, variable: str, kind: str, when: str, place: str) -> str:
        """A variable that is not written yet, or any more."""
        message = f"a variable is read {when}"
        if not re.fullmatch(r"i\d+|ptr|<\d+ x i\d+>", kind):
            return self.copied(self.size(kind), variable, message, place)[1]
        gives = f"declare {kind} {{}}() nounwind willreturn memory(none)"
        name = self.named(f"{UNWRITTEN}{len(self.found)}", message, place, gives)
        return f'  %{name} = call {kind} @"{name}"()\n  store {kind} %{name}, ptr {variable}'

    def margins(self, line: str, variable: str, kind: str, place: str) -> tuple[list[str], str]:
        """A variable with a margin on each side, and what looks at these in the end."""
        number, apart, wide = len(self.found), f"[{MARGIN} x i8]", f"i{8 * MARGIN}"
        room, low, high = (f"%magicert.{name}.{number}" for name in ("room", "low", "high"))
        made = [
            line.replace(variable, room, 1).replace(kind, f"<{{{apart}, {kind}, {apart}}}>", 1),
            f"  {low} = getelementptr i8, ptr {room}, i64 0",
            f"  {variable} = getelementptr i8, ptr {room}, i64 {MARGIN}",
            f"  {high} = getelementptr i8, ptr {variable}, i64 {self.size(kind)}",
        ]
        looked = ""
        stops = "declare void {}() noreturn nounwind"
        trap = self.named(f"{TRAP}margin.{number}", "a store beside a variable", place, stops)
        for at in low, high:
            was, copied = self.copied(MARGIN, at, "a load beside a variable", place)
            made.append(copied)
            looked += (
                f"  {at}.is# = load {wide}, ptr {at}, align 1\n"
                f'  {at}.was# = load {wide}, ptr @"{was}", align 1\n'
                f"  {at}.same# = icmp eq {wide} {at}.is#, {at}.was#\n"
                f"  br i1 {at}.same#, label {at}.right#, label {at}.wrong#\n"
                f"{at[1:]}.wrong#:\n"
                f'  call void @"{trap}"()\n  unreachable\n'
                f"{at[1:]}.right#:\n"
            )
        return made, looked


def _beside(variable: str, kind: str, lines: str) -> bool:
    """Whether more is done with a variable's address than to load and to store the whole."""
    one, kind = rf"{re.escape(variable)}(?![-\w.$])", re.escape(kind)
    whole = rf"= load {kind}, ptr {one}|  store {kind} [^ ]+, ptr {one}"
    told = rf"dbg_declare\(ptr {one}|dbg\.declare\(metadata ptr {one}|@llvm\.lifetime\.[^%]*{one}"
    return len(re.findall(one, lines)) > 1 + len(re.findall(f"{whole}|{told}", lines))
