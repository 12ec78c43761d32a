"""Inline assembly of a module: the instructions of it that are known, and what it names."""

import re
from collections.abc import Mapping, Set

from magicert.functions.llvm.ir import Module

_ASSEMBLY = re.compile(
    r"^(  (?:%\S+ = )?)(?:tail |notail )?call (?:noundef )?(void|ptr|i\d+|<[^<>]*>) asm "
    r'(?:sideeffect )?"([^"]*)", "([^"]*)"\((.*?)\)(?: #\d+)?(, !dbg !\d+)?(?:, !.*)?$',
    re.MULTILINE,
)
_ARGUMENT = re.compile(r"(ptr|i\d+|<[^<>]*>) (?:[a-z]+(?:\([^()]*\))? )*([^ ,()<]+)(?:, |$)")
_OPERAND = r"\$(?:\d|\{\d(?::\w)?\})"
_INSTRUCTION = re.compile(rf"((?:rep )?[a-z]+?)([lq]?) ({_OPERAND}(?: ?, ?{_OPERAND})*)")
_INSTRUCTIONS = {
    **dict.fromkeys(("bsf", "rep bsf", "tzcnt"), "cttz.{t}({t} {0}, i1 false)"),
    **dict.fromkeys(("bsr", "lzcnt"), "ctlz.{t}({t} {0}, i1 false)"),
    "popcnt": "ctpop.{t}({t} {0})", "bswap": "bswap.{t}({t} {0})",
    "pext": "x86.bmi.pext.{w}({t} {1}, {t} {0})", "pdep": "x86.bmi.pdep.{w}({t} {1}, {t} {0})",
}  # fmt: skip
"""What instructions of x86 are in LLVM's words, sources as AT&T orders them. What bsf and bsr leave
of 0 is not defined; nor is it of rep bsf, which only newer processors take for tzcnt.
"""
_ARMS_INSTRUCTIONS = {
    "rbit": "bitreverse.{t}({t} {0})", "rev": "bswap.{t}({t} {0})",
    "clz": "ctlz.{t}({t} {0}, i1 false)",
}  # fmt: skip
"""The same of ARM's, which name what is made first."""
_SIZES = {"l": "i32", "k": "i32", "q": "i64"}
_ARMS_SIZES = {"w": "i32", "x": "i64"}
_PROCESSORS: tuple[tuple[str, Mapping[str, str], Mapping[str, str], Set[str]], ...] = (
    (r"a(?:arch|rm)64", _ARMS_INSTRUCTIONS, _ARMS_SIZES, {"i32", "i64"}),
    (r"(?:arm|thumb)v?\d*\w*", _ARMS_INSTRUCTIONS, {}, {"i32"}),
    (r"x86_64|amd64", _INSTRUCTIONS, _SIZES, {"i32", "i64"}),
    (r"(?:i[3-6]|x)86", _INSTRUCTIONS, _SIZES, {"i32"}),
)
"""Of each processor: its instructions, the sizes that an operand names, those of its registers."""


def _assembler(text: str) -> tuple[Mapping[str, str], Mapping[str, str], Set[str]]:
    """A module's instructions that are known, their sizes and registers: none where its assembly
    may make something else of them.
    """
    processor = Module(text).triple.partition("-")[0] or "x86_64"
    known = (one[1:] for one in _PROCESSORS if re.fullmatch(one[0], processor))
    return next(known, ({}, {}, set())) if not _directives(text) else ({}, {}, set())


def with_known_assembly(text: str) -> str:
    """A module in which assembly of one instruction that counts, turns, gathers or spreads bits is
    LLVM's own. Assembly without any gives what it is given.
    """
    declared = set[str]()
    instructions, sizes, registers = _assembler(text)
    on_arm = instructions is _ARMS_INSTRUCTIONS

    def as_instruction(statement: re.Match[str]) -> str:
        head, kind, template, constraints, arguments_text, line = statement.groups(default="")
        words = " ".join(re.sub(r"\\0[9AD]|;", " ", template).split())
        output, *inputs = [one for one in constraints.split(",") if one[:1] != "~"] or [""]
        arguments = _ARGUMENT.findall(arguments_text)
        if not words and kind == "void" and "=" not in constraints:
            return ""
        if not words and inputs == ["0"] and [one for one, _ in arguments] == [kind]:
            return f"{head}freeze {kind} {arguments[0][1]}{line}"
        match = _INSTRUCTION.fullmatch(words)
        called = instructions.get(match[1]) if match else None
        known = {"r", "rm", "mr", "g", "0"}.issuperset(inputs) and len(inputs) == len(arguments)
        if match is None or called is None or not known or output not in {"=r", "=&r"}:
            return statement[0]
        values = dict(enumerate(arguments, 1))
        if "0" in inputs:
            values[0] = arguments[inputs.index("0")]
        operands = [
            (int(n), how or "x" * ("x" in sizes))
            for n, how in re.findall(r"\$\{?(\d):?(\w?)", match[3])
        ][:: -1 if on_arm else 1]
        sources = [n for n, _ in operands[:-1] or operands]
        kinds = {sizes.get(how, how) or values.get(n, (kind, ""))[0] for n, how in operands}
        if (
            operands[-1][0] != 0
            or not values.keys() >= set(sources)
            or (0 in values) != (0 in sources)
            or len(sources) != 1 + called.count("{1}")
            or len(kinds) != 1
            or not kinds <= registers
        ):
            return statement[0]
        (t,) = kinds
        held = {kind, *(values[n][0] for n in sources)}
        if sizes.get(match[2], t) != t or held - registers or (t == "i64" and "i32" in held):
            return statement[0]
        instructions_made, given_ = list[str](), list[str]()
        name = f"%magicert.{statement.start()}"
        for n in sources:
            wide, value = values[n]
            given_.append(f"{name}.{n}" if wide != t else value)
            if wide != t:
                instructions_made.append(f"  {name}.{n} = trunc {wide} {value} to {t}{line}")
        taken = re.sub(r" (?:true|false)?(?=[,)])", "", called.format("", "", t=t, w=t[1:]))
        declared.add(f"declare {t} @llvm.{taken}")
        last = f"call {t} @llvm.{called.format(*given_, t=t, w=t[1:])}{line}"
        if match[1] == "bsr":
            instructions_made.append(f"  {name}.zeros = {last}")
            last = f"xor {t} {name}.zeros, {int(t[1:]) - 1}{line}"
        if match[1][-3:] in {"bsf", "bsr"}:  # LLVM must not choose what there is of 0
            instructions_made.append(f"  {name}.place = {last}")
            instructions_made.append(f"  {name}.none = icmp eq {t} {given_[0]}, 0{line}")
            instructions_made.append(f'  {name}.any = call {t} asm sideeffect "", "=r"(){line}')
            last = f"select i1 {name}.none, {t} {name}.any, {t} {name}.place{line}"
        if kind != t:
            instructions_made.append(f"  {name}.low = {last}")
            last = f"zext {t} {name}.low to {kind}{line}"
        return "\n".join([*instructions_made, head + last])

    text = _ASSEMBLY.sub(as_instruction, text)
    if any("@llvm.x86.bmi." in one for one in declared):  # assembly may stand in any function
        text = re.sub(r'("target-features"="[^"]*)"', r'\1,+bmi2"', text)
    missing = sorted(one for one in declared if one.rpartition("(")[0] + "(" not in text)
    return "\n".join([text, *missing, ""]) if missing else text


_DATA_DIRECTIVES = re.compile(
    r"\.(?:globa?l|type|size|(?:push|pop)?section|text|data|bss|rodata|const|cstring|previous|align"
    r"|balign|p2align|byte|word|short|hword|long|int|quad|octa|[248]byte|xword|asci[iz]|string\d*"
    r"|incbin|zero|space|skip|fill|weak|hidden|internal|protected|local|l?comm|cfi_\w+|ident|file"
    r"|loc|addrsig(?:_sym)?|subsections_via_symbols|private_extern|no_dead_strip|note"
    r"|tbss|tdata|init_array|fini_array|comment)"
)
"""What only lays out data, and names of sections."""
_STRINGS = re.compile(
    r"(\.(?:asci[iz]|string|incbin|ident|file|(?:push)?section)[ \t]+(?:[\w.$]+[ \t]*,[ \t]*)?)"
    r'"[^"]*"'
)


def assembly_of(text: str) -> list[str]:
    """The lines of a module's own assembly and of what stands in its functions."""
    assembly = re.findall(r'\basm (?:[a-z]+ )*"([^"]*)"', text)
    codes = {"09": "\t", "0A": "\n", "0D": "\n", "22": '"', "5C": "\\"}
    decoded = (
        re.sub(r"\\([0-9A-F]{2}|\\)", lambda m: codes.get(m[1], "\\" if m[1] == "\\" else "?"), one)
        for one in assembly
    )
    return [line for one in decoded for line in one.split("\n")]


def _directives(text: str) -> list[str]:
    """The assembler's directives that may make other instructions of those behind them, wherever
    in the module's assembly: macros, another syntax, other files. All but those that lay out data.
    """
    lines = []
    for line in assembly_of(text):
        for word in re.findall(r"(?<![A-Za-z_])\.[A-Za-z_]\w*\$?", _STRINGS.sub(r"\1", line)):
            known = _DATA_DIRECTIVES.fullmatch(word.lower()) or word.startswith(".L")
            if not known:
                lines.append(word)
    return lines
