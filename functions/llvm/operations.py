"""Operations that have no meaning for some numbers, each beside a check of its own.

The compiler's checks leave some out: all of vectors, those of code that asks for none
(`no_sanitize`, `@setRuntimeSafety(false)`), and what only a library promises. LLVM's passes take
for impossible what has no meaning, and nothing of it would be left to be seen.
"""

import re
from collections.abc import Iterator

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import Integer, Struct
from magicert.functions.llvm.markers import ALIGNED, CHECK, TRAP, Trap
from magicert.functions.llvm.reader import NAME, quoted
from magicert.languages.brackets import arguments_of

_KIND = r"(i\d+|<\d+ x i\d+>)"
_OPERATION = re.compile(
    rf"  (%{NAME}) = (shl|[la]shr|[us](?:div|rem)|add|sub|mul|trunc)((?: nuw| nsw| exact)*)"
    rf" {_KIND} (.*?)(?:, ![\w.]+ !\d+)*$"
)
_INDEXED = re.compile(rf"  %{NAME} = getelementptr ((?:inbounds |nusw |nuw )+)[^v<]*, ptr .*")
_PROMISED = re.compile(r"(?<=[=] )(getelementptr )(?:inbounds |nusw |nuw )+")
"""An address that is promised to lie in its object, from which LLVM would draw conclusions."""
_EXACT = 128
"""Bits in which it is computed how far an index goes."""
_FROM_FLOAT = re.compile(
    rf"  (%{NAME}) = fpto([su])i (\w+|<\d+ x \w+>) (.*?) to {_KIND}(?:, ![\w.]+ !\d+)*$"
)
_LANE = re.compile(
    rf"  %{NAME} = (?:extract|insert)element <(\d+) x .*, (i\d+) (%{NAME})(?:, !.*)?$"
)
_BITS = re.compile(
    rf"  %{NAME} = (?:tail )?call .*@llvm\.(ct[lt]z|abs)\.\w+\({_KIND} (?:noundef )?(.*), i1 true\)"
)
_ASSUMED = re.compile(rf"  (?:tail )?call void @llvm\.assume\(i1 (%{NAME})\)")


def with_checked_operations(text: str) -> tuple[str, dict[str, Trap]]:
    """A module in which they are checked, and what each check says."""
    rewriter = _Checked(text)
    lines = (
        # The compiler's own checks need none.
        "\n".join(rewriter.line(line))
        if line[:2] == "  " and "!nosanitize" not in line
        else rewriter.head(line)
        for line in text.split("\n")
    )
    checked = "\n".join([*lines, *rewriter.declared, ""])
    return _PROMISED.sub(r"\1", checked), rewriter.found


_WIDE = re.compile(
    r"  %\S+ = load (i\d+|<(\d+) x (?:i(\d+)|ptr|double|float|half)>), ptr (.*?), align (\d+)\b"
)
_DEFINED_HERE = re.compile(
    r"  (%\S+) = (?:alloca .*|getelementptr i8, ptr %magicert\.room\.\d+, i64 \d+)(?:,.*)?$"
)


class _Checked:
    """The checks that were made for a module, and what each of them says."""

    def __init__(self, text: str) -> None:
        self.module = module = Module(text)
        self.names, self.unaligned = module.names, module.unaligned
        self.address_bits = module.layout.pointer
        self.found: dict[str, Trap] = {}
        self.declared: list[str] = []
        self.own = set[str]()
        """The function's variables, which are aligned as its loads of them say."""
        self.aligned = set[str]()

    def line(self, line: str) -> Iterator[str]:
        """A line of a function with its checks."""
        if match := _DEFINED_HERE.match(line):
            self.own.add(match[1])
        elif (match := _WIDE.match(line)) and match[4] not in self.own:
            yield from self.wide(match)
        if match := _INDEXED.match(line):
            yield from self.indexed(match)
        elif match := _OPERATION.match(line):
            yield from self.operation(match)
        elif match := _FROM_FLOAT.match(line):
            yield line
            yield self.check(
                match[5], "a number that does not fit", line, *_rest_of(*match.groups())
            )
        elif match := _ASSUMED.match(line):
            broken = f"# = xor i1 {match[1]}, true"
            yield self.check("i1", "what the code assumes does not hold", line, broken)
        else:
            if match := _LANE.match(line):
                outside = f"# = icmp uge {match[2]} {match[3]}, {match[1]}"
                yield self.check("i1", "a lane that is not there", line, outside)
            if match := _BITS.match(line):
                name, kind, x = match.groups()
                least = name == "abs"
                none = _number(-1 << _width(kind) - 1 if least else 0, kind)
                message = f"{name} of {'the least number' if least else 0}"
                yield self.check(kind, message, line, f"# = icmp eq {kind} {x}, {none}")
            yield line

    def head(self, line: str) -> str:
        """A line that is no statement: where a function begins, it has no variables yet."""
        if line.startswith("define "):
            self.own.clear()
        return line

    def wide(self, match: re.Match[str]) -> Iterator[str]:
        """A look at the address of a load that may not lie anywhere: LLVM's passes would leave out
        what nothing uses, and its alignment with it.
        """
        kind, count, width, address, by = match.groups()
        bits = int(count) * int(width or 64) if count else int(kind[1:])
        if bits <= 8 * self.unaligned or int(by) <= self.unaligned:
            return
        name = f"{ALIGNED}{by}"
        if name not in self.aligned:
            self.aligned.add(name)
            attributes = "nounwind willreturn memory(inaccessiblemem: readwrite)"
            self.declared.append(f'declare void @"{name}"(ptr) {attributes}')
        debug = re.search(r", !dbg !\d+", match.string)
        yield f'  call void @"{name}"(ptr {address}){debug[0] if debug else ""}'

    def indexed(self, match: re.Match[str]) -> Iterator[str]:
        """A look at the distance that indexes mean: addresses of 64 bits go round once for 2^61
        entries of eight bytes, those of 32 bits for 2^29, and come back into the table.
        """
        line, layout = match[0], self.module.layout
        instruction = self.module.instruction(line.strip())
        kind, unsigned, total, far = instruction.element, "nuw" in match[1].split(), 0, "0"
        lines: list[str] = []
        for n, operand in enumerate(instruction.operands[1:]):
            assert kind is not None
            known = operand.data if isinstance(operand.data, int) else 0
            if n > 0 and isinstance(kind, Struct):
                start, kind = layout.part(kind, known)
                total += start
                continue
            if n > 0:
                _, kind = layout.part(kind, 0)
            if operand.kind in {"number", "zero"}:
                total += known * layout.size(kind)
            elif operand.kind == "local" and isinstance(operand.type, Integer):
                width, name = operand.type.width, quoted(str(operand.data))
                extend = "zext" if unsigned else "sext"
                if width > _EXACT // 2:
                    continue
                lines.append(f"#.i{n} = {extend} i{width} %{name} to i{_EXACT}")
                lines.append(f"#.d{n} = mul i{_EXACT} #.i{n}, {layout.size(kind)}")
                lines.append(f"#.s{n} = add i{_EXACT} {far}, #.d{n}")
                far = f"#.s{n}"
        bits = self.address_bits
        if lines or not -1 << bits - 1 <= total < 1 << bits - 1:
            lines.append(f"#.all = add i{_EXACT} {far}, {total}")
            lines.append(f"#.low = trunc i{_EXACT} #.all to i{bits}")
            lines.append(f"#.back = sext i{bits} #.low to i{_EXACT}")
            wrong = f"# = icmp ne i{_EXACT} #.back, #.all"
            yield self.check("i1", layout.too_far, line, *lines, wrong)
        yield line

    def operation(self, match: re.Match[str]) -> Iterator[str]:
        """A check of what it is given; it without its promises; a check of each of these."""
        line, (result, op, flags, kind, operands) = match[0], match.groups()
        x, _, target = operands.partition(" to ")
        numbers = arguments_of(f"{operands})", 0, "({[<", ")}]>")[0]
        width, y = _width(kind), numbers[-1]
        known = re.fullmatch(r"(?:splat \(i\d+ )?(\d+)\)?", y)
        if op in {"shl", "lshr", "ashr"} and not (known and int(known[1]) < width):
            wide = f"# = icmp uge {kind} {y}, {_number(width, kind)}"
            yield self.check(kind, f"a shift by {width} or more", line, wide)
        if op[1:] in {"div", "rem"} and not (known and int(known[1])):
            zero = f"# = icmp eq {kind} {y}, {_number(0, kind)}"
            yield self.check(kind, "division by zero", line, zero)
            if op[0] == "s":
                least = f"#.x = icmp eq {kind} {numbers[0]}, {_number(-1 << width - 1, kind)}"
                last = f"#.y = icmp eq {kind} {y}, {_number(-1, kind)}"
                both = f"# = and {_wider(kind, 1)} #.x, #.y"
                yield self.check(kind, "signed overflow (division)", line, least, last, both)
        yield line.replace(flags, "", 1)
        for flag in flags.split():
            extend = "sext" if flag == "nsw" else "zext"
            if op == "trunc":
                back = f"#.back = {extend} {target} {result} to {kind}"
                message, same = "a number that does not fit", f"{kind} #.back, {x}"
                yield self.check(kind, message, line, back, f"# = icmp ne {same}")
            elif op in {"add", "sub", "mul"}:
                wide = _wider(kind, 2 * width)
                ends = zip("xyr", (*numbers, result), strict=True)
                lines_made = [
                    f"#.{end} = {extend} {kind} {number} to {wide}" for end, number in ends
                ]
                lines_made += [f"#.all = {op} {wide} #.x, #.y", f"# = icmp ne {wide} #.all, #.r"]
                message = f"{'signed' if flag == 'nsw' else 'unsigned'} overflow ({op})"
                yield self.check(kind, message, line, *lines_made)
            else:
                undo = {"shl": "ashr" if flag == "nsw" else "lshr", "lshr": "shl", "ashr": "shl"}
                back = f"#.back = {undo.get(op, 'mul')} {kind} {result}, {y}"
                divides = "div" in op
                message = "a division with a remainder" if divides else "a shift that loses bits"
                same = f"{kind} #.back, {numbers[0]}"
                yield self.check(kind, message, line, back, f"# = icmp ne {same}")

    def check(self, kind: str, message: str, line: str, *lines: str) -> str:
        """What stops the program where the last of the lines says so, of any lane of that kind."""
        number = len(self.found)
        bad, trap = f"%magicert.bad.{number}", f"{TRAP}operation.{number}"
        debug = re.search(r"!dbg !(\d+)", line)
        place = self.names.source_line(int(debug[1]) if debug else None)
        self.found[trap] = Trap(message, str(place))
        if "x" in kind:
            lanes = kind[1:].partition(" ")[0]
            any_of = f"#.any = bitcast {_wider(kind, 1)} # to i{lanes}"
            lines = (*lines, any_of, f"#.one = icmp ne i{lanes} #.any, 0")
            bad += ".one"
        called = f'call void @"{CHECK}{number}"(i1 {bad})'
        self.declared.append(
            f'define internal void @"{CHECK}{number}"(i1 %bad) alwaysinline nounwind {{\n'
            f"  br i1 %bad, label %stop, label %go\nstop:\n"
            f'  call void @"{trap}"()\n  unreachable\ngo:\n  ret void\n}}\n'
            f'declare void @"{trap}"() noreturn nounwind'
        )
        return "\n".join(
            f"  {word.replace('#', f'%magicert.bad.{number}')}" for word in (*lines, called)
        )


def _rest_of(result: str, sign: str, real: str, x: str, kind: str) -> Iterator[str]:
    """Whether a number is 1 or more away from what was made of it: any, where that has none."""
    yield f"#.whole = freeze {kind} {result}"
    yield f"#.back = {sign}itofp {kind} #.whole to {real}"
    yield f"#.rest = fsub {real} {x}, #.back"
    yield f"#.unit = uitofp {kind} {_number(1, kind)} to {real}"
    yield f"#.minus = fneg {real} #.unit"
    yield f"#.x = fcmp ule {real} #.rest, #.minus"
    yield f"#.y = fcmp uge {real} #.rest, #.unit"
    yield f"# = or {_wider(kind, 1)} #.x, #.y"


def _width(kind: str) -> int:
    return int(re.findall(r"i(\d+)", kind)[0])


def _wider(kind: str, width: int) -> str:
    """The same kind with lanes of another width."""
    return re.sub(r"i\d+", f"i{width}", kind)


def _number(number: int, kind: str) -> str:
    """A number in each lane."""
    return f"splat (i{_width(kind)} {number})" if "x" in kind else str(number)
