"""One function a square: LLVM puts the square in, inlines, unrolls and folds.

Checks that the compiler put in as calls that never return are given names of their own first, so
that LLVM cannot merge two of them, and each keeps its line.
"""

import ctypes
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from magicert.functions.calls import ASSERTIONS
from magicert.functions.ir import (
    NAME,
    Array,
    Integer,
    Module,
    Other,
    PointerType,
    Struct,
    Type,
    Vector,
    convention,
    global_of,
    quoted,
    unquoted,
)
from magicert.functions.markers import CHANGED, CHECK, TRAP, Trap
from magicert.functions.metadata import without_types
from magicert.problem import InputError, Problem

MOST_INSTRUCTIONS = 50_000
"""Of all functions that one function calls: more would be inlined for each square."""
BY_VALUE = "magicert.value."
"""Functions called so take values, and call another one that takes or gives them in memory."""
INDEX = 18
CHECKS = {
    0: "signed overflow (addition)", 1: "code that was declared unreachable is reached",
    3: "division by zero or overflow", 10: "a value that its type cannot have",
    11: "the end of a function without a return", 12: "signed overflow (multiplication)",
    13: "signed overflow (negation)", INDEX: "an index outside an array", 19: "pointer overflow",
    20: "a shift by too much or too little", 21: "signed overflow (subtraction)",
    22: "a null or misaligned pointer",
}  # fmt: skip
"""What LLVM's sanitizer numbers its checks (SanitizerHandler.h)."""


GUARD = "_ZGV"
"""So the variables begin that say whether a function's static variable is made, in C++."""


def library() -> Any:  # noqa: ANN401
    """Llvmlite's binding. Raises InputError where it is not installed."""
    try:
        import llvmlite.binding
    except ImportError:
        message = "needs llvmlite: pip install 'magicert[function]'"
        raise InputError([Problem(message, key="--function")]) from None
    except OSError as error:
        message = f"llvmlite cannot be loaded: is --memory enough? ({str(error)[:60]}...)"
        raise InputError([Problem(message, key="--function")]) from None
    return llvmlite.binding


def llvm_version() -> int:
    """The version of LLVM that reads modules here."""
    return int(library().llvm_version_info[0])


@cache
def _targets() -> None:
    llvm = library()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()


def parsed(data: str | bytes, file: str, context: Any = None) -> Any:  # noqa: ANN401
    """A module of LLVM, in a context of its own if none is given: in a shared one, what was read
    before gives numbers to its types. Raises InputError where LLVM cannot read it.
    """
    llvm = library()
    _targets()
    context = context or llvm.create_context()
    if isinstance(data, str):  # LLVM reads no group that all was taken from
        empty = r"^(attributes #\d+ = \{)\s*\}"
        data = re.sub(empty, r'\1 "magicert.open" }', data, flags=re.MULTILINE)
    try:
        read = llvm.parse_assembly if isinstance(data, str) else llvm.parse_bitcode
        module = read(data, context)
        module.verify()
    except RuntimeError as error:
        words = " ".join(str(error).split())[:300]
        message = f"LLVM {llvm_version()} cannot read this: {words}"
        text = data if isinstance(data, str) else ""
        if re.search(r"^define [^\n]*\bi\d+\* ", text, re.MULTILINE):
            message += ": typed pointers, as LLVM wrote them up to version 14"
        raise InputError([Problem(message, file=file)]) from None
    return module


def linked(modules: Sequence[str | bytes], names: Sequence[str]) -> str:
    """Several modules as one, as text. Raises InputError where LLVM cannot read or link them."""
    context = library().create_context()
    first, *others = (
        parsed(without_types(data, declared=True) if isinstance(data, str) else data, name, context)
        for data, name in zip(modules, names, strict=True)
    )
    for other, name in zip(others, names[1:], strict=True):
        try:
            first.link_in(other)
        except RuntimeError as error:
            raise InputError([Problem(f"cannot be linked: {error}", file=name)]) from None
    # One word for what another definition may replace: the other one is given to constants here.
    return re.sub(r"^(define |@\S+ = )linkonce ", r"\1weak ", str(first), flags=re.MULTILINE)


def without_aliases(text: str) -> str:
    """A module in which another name of a function is a function of its own: compilers merge what
    is the same once it is optimised, and what is checked of one is not checked of the other. Not so
    where somebody may compare its address: it is the other's.
    """
    bodies = Module(text).bodies

    def copied(match: re.Match[str]) -> str:
        body = bodies.get(unquoted(match[2]))
        taken = re.findall(rf"{global_of(unquoted(match[1]))}(?!\()", text)
        shared = len(taken) > 1 and "unnamed_addr" not in match[0]
        if body is None or shared or "= weak " in match[0]:
            return match[0]
        head, rest = body.split("\n", 1)
        head = re.sub(
            r" comdat(?!\()| !dbg !\d+", "", head.replace(f"@{match[2]}(", f"@{match[1]}(", 1)
        )
        return f"{head}\n{rest}"

    name = f"@({NAME})"
    return re.sub(rf"^{name} = .*\balias .*, ptr {name}$", copied, text, flags=re.MULTILINE)


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


def reached_from(text: str, symbols: Set[str]) -> str:
    """What some functions and constants reach of a module, and all variables: it is asked where
    they lie.
    """
    llvm_module, module = parsed(text, "module"), Module(text)
    roots = variables_of(module) | (symbols & module.globals.keys())
    linkages = {v.name: v.linkage for v in llvm_module.global_variables if v.name in roots}
    set_linkage(llvm_module, linkages, "external")
    leave_out(llvm_module, symbols)
    for variable in llvm_module.global_variables:
        variable.linkage = linkages.get(variable.name, variable.linkage)
    return str(llvm_module)


def defined_globals(module: Module) -> set[str]:
    """The variables and constants that a module defines."""
    defined = (v.name for v in module.globals.values() if not v.external)
    return {name for name in defined if not name.startswith("llvm.")}


def variables_of(module: Module) -> set[str]:
    """The variables that a module defines and may write."""
    return {name for name in defined_globals(module) if not module.globals[name].constant}


def pointed_to(module: Module) -> set[str]:
    """The functions of a module that a pointer may point to."""
    texts = [*module.bodies.values(), *(v.initial for v in module.globals.values())]
    names = {name for text in texts for name in re.findall(rf"\bptr @({NAME})", text)}
    return {unquoted(name) for name in names} & module.bodies.keys()


def leave_out(llvm_module: Any, symbols: Set[str]) -> None:  # noqa: ANN401
    """All of a module of LLVM that neither these functions nor visible variables reach."""
    export(llvm_module, symbols)
    llvm = library()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(llvm_module, pass_builder(llvm_module.triple))


def export(llvm_module: Any, symbols: Set[str]) -> None:  # noqa: ANN401
    """Which defined functions of a module of LLVM are seen from outside: these and no other. What
    another definition may replace stays so.
    """
    for function in llvm_module.functions:
        if not function.is_declaration and function.linkage.name != "weak_any":
            function.linkage = "external" if function.name in symbols else "internal"


def set_linkage(llvm_module: Any, names: Iterable[str], linkage: str) -> None:  # noqa: ANN401
    """Who sees some global variables of a module of LLVM, but for those that are weak."""
    wanted_names = set(names)
    for variable in llvm_module.global_variables:
        if variable.name in wanted_names and variable.linkage.name != "weak_any":
            variable.linkage = linkage


def never_written(text: str) -> frozenset[str]:
    """The variables with an initial value that no function of the module writes: LLVM says so, of
    those that it does not see at once after it has optimised what uses them. One in a section of
    its own may be written by the section's name, one with a label by its other names.
    """
    module = Module(text)
    named = _named_in_assembly(text) | _of_several_names(module)
    variables = sorted(
        name
        for name in variables_of(module)
        if "zeroinitializer" not in module.globals[name].initial.split(",")[0]
        and not _has_section(module, name)
        and not named & {name, f"_{name}", re.sub(r"\.\d+$", "", name)}
    )
    if not variables:
        return frozenset()
    # Each is read at an unknown place, too, or LLVM would take it apart or leave it out.
    readers = "".join(
        f"define i8 @magicert.read.{n}(i64 %at) {{\n  %p = getelementptr i8, ptr @{quoted(name)}, "
        "i64 %at\n  %byte = load i8, ptr %p\n  ret i8 %byte\n}\n"
        for n, name in enumerate(variables)
    )
    llvm_module = parsed(f"{_optimisable(text)}\n{readers}", "module")
    constants = _made_constant(llvm_module, variables, module.triple)
    if len(constants) < len(variables):
        set_linkage(llvm_module, variables, "external")
        builder = pass_builder(module.triple)
        builder.getModulePassManager().run(llvm_module, builder)
        constants |= _made_constant(llvm_module, variables, module.triple)
    return frozenset(constants)


def _has_section(module: Module, name: str) -> bool:
    """Whether a variable lies in a section with a name, stated on its line or, by a pragma, in its
    attributes.
    """
    stated = re.sub(r'"[^"]*"', '""', module.globals[name].initial)
    groups = re.findall(r" (#\d+)(?=,| |$)", stated)
    return ', section ""' in stated or any(
        "-section" in module.attributes.get(group, "") for group in groups
    )


def _of_several_names(module: Module) -> set[str]:
    """What may lie where another global or function does: to the linker \\01_T is T, or _T."""
    names = {*module.globals, *module.bodies, *module.declared}
    labels = {name for name in names if name.startswith("\\01")}
    if not labels:
        return set()
    several: dict[str, set[str]] = {}
    for name in names:
        several.setdefault(name.removeprefix("\\01").removeprefix("_"), set()).add(name)
    return set().union(*(one for one in several.values() if len(one) > 1 and one & labels))


def _named_in_assembly(text: str) -> set[str]:
    """The words of all assembly: LLVM does not look into it, and it may write to what it names. So
    may the other names of that.
    """
    assembly = " ".join(re.findall(r'\basm (?:[a-z]+ )*"([^"]*)"', text))
    assembly = re.sub(
        r"\\(\\|[0-9A-F]{2})", lambda m: "\\" if m[1] in {"\\", "5C"} else " ", assembly
    )
    words_found = set(re.findall(r"[\w.$]+", assembly))
    if "\\" in assembly or {".altmacro", ".include"} & {word.lower() for word in words_found}:
        # Names are made of parts, or stand in another file.
        return variables_of(Module(text))
    for name, target in re.findall(r"^@(\S+) = .*\balias .*ptr @([^ ,)]+)\)?$", text, re.MULTILINE):
        words_found |= {target} if name in words_found else set()
    return words_found


def _made_constant(llvm_module: Any, variables: Sequence[str], triple: str) -> set[str]:  # noqa: ANN401
    """The variables that LLVM makes constant if nothing outside sees them."""
    llvm = library()
    set_linkage(llvm_module, variables, "internal")
    for function in llvm_module.functions:
        if not function.is_declaration:
            function.linkage = "external"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_opt_pass()
    passes.run(llvm_module, pass_builder(triple))
    after = Module(str(llvm_module)).globals
    return {name for name in variables if name in after and after[name].constant}


@dataclass(frozen=True, slots=True)
class CallShape:
    """How a function takes its arguments and gives its result.

    `words` are those of its parameters that hold bitboards, by their places; `square` is the place
    of the square's number, None where there is none. `pairs`: a bitboard of 128 bits comes as two
    parameters. `result` is where the attack set is: returned, or written through the first pointer.
    """

    square: int | None
    boards: tuple[tuple[int, ...], ...]
    result: Type
    through: bool
    could_swap: bool = False
    """The first argument's type could be the second one's: they were taken in this order."""
    target: int | None = None
    """Where the second one of two squares is, of which `target_bits` say the number."""
    target_bits: int = 0

    @property
    def open_arguments(self) -> int:
        """How many arguments stay open when the square is put in."""
        return 1 if self.target is not None else len(self.boards)

    def order(self, names: Sequence[str]) -> tuple[str, ...]:
        """What it takes, in its own order: `names` are those of bitboards, or of a second square.
        () where a bitboard comes as two parameters.
        """
        places = {} if self.square is None else {self.square: "square"}
        if self.target is not None:
            return tuple(name for _, name in sorted({**places, self.target: names[0]}.items()))
        if any(len(words) > 1 for words in self.boards):
            return ()
        places |= {words[0]: name for words, name in zip(self.boards, names, strict=False)}
        return tuple(name for _, name in sorted(places.items()))

    def swapped(self) -> "CallShape":
        """The same where the first two arguments are in each other's place."""
        first, *others = self.boards
        if self.square is None:
            return replace(self, boards=(*others, first))
        return replace(self, square=first[0], boards=((self.square,), *others))


def shape_of(
    module: Module, symbol: str, boards: int, word: int, with_square: bool, *, result: int,
    may_lack: bool = False, target_bits: int = 0,
) -> CallShape:  # fmt: skip
    """How a function of (square, bitboards...) of so many bits is called. `result` is how many bits
    it gives, 0 for any number. It `may_lack` the occupancy where that does not matter. With
    `target_bits` it is one of two squares.

    Raises InputError, with its signature, where it is no such function.
    """
    returns, parameters = module.signature(symbol)
    places = list(range(len(parameters)))
    through = bool(parameters) and "sret(" in parameters[0][2]
    returned_type = returns
    if through:
        places = places[1:]
        returned_type = module.tokens(parameters[0][2].partition("sret(")[2]).type()
    kinds = {place: _held(module, parameters[place]) for place in places}
    expected = f"({'square, ' if with_square else ''}{', '.join(['bitboard'] * boards)})"
    example, most = "attacks(ROOK, square, occupied)", boards + with_square
    if target_bits:
        expected, example, most = "(square, square)", "between(square, target)", 2
    signature = f"({', '.join(map(_type_text, kinds.values()))}) -> {_type_text(returned_type)}"
    message = f"found {signature}: expected {expected} -> {'bitboard' if result else 'index'}"
    message += f", with words of {word} bits; name the call, as in {example}"
    if len(parameters) > most:
        message += ", with its object or what else it takes"
        owner, _, own = whole_name(symbol).rpartition("::")
        if symbol.startswith("_ZNK") and owner:  # certainly a method
            takes = "square, target" if target_bits else "square, occupied"
            message += f", as in {owner}().{own}({takes})"
    problem = InputError([Problem(message, key=_plain(symbol))])
    if not bits(returned_type) or (result and bits(returned_type) != result):
        raise problem
    if target_bits:
        if len(places) != 2 or any(not target_bits <= _width(kinds[n]) <= 64 for n in places):
            raise problem
        return CallShape(places[0], (), returned_type, through, False, places[1], target_bits)
    square, small = None, []
    if with_square:
        numbers = [n for n, kind in kinds.items() if isinstance(kind, Integer) and kind.width <= 64]
        small = [n for n in numbers if bits(kinds[n]) < 64]
        if not numbers or len(small) > 1:
            raise problem
        # (occupancy, square) is as good where the types tell them apart.
        square = small[0] if small else numbers[0]
        places.remove(square)
    board_places: list[tuple[int, ...]] = []
    while places:
        first, *rest = places
        if bits(kinds[first]) == word:
            board_places.append((first,))
            places = rest
        elif word == 128 and rest and bits(kinds[first]) == bits(kinds[rest[0]]) == 64:
            board_places.append((first, rest[0]))
            places = rest[1:]
        else:
            raise problem
    if len(board_places) not in {boards, 1 - with_square if may_lack else boards}:
        raise problem
    alike = (
        not small and len(board_places) == boards and isinstance(kinds[board_places[0][0]], Integer)
    )
    return CallShape(square, tuple(board_places), returned_type, through, alike)


def _width(kind: Type) -> int:
    """The bits of a plain number; 0 for everything else."""
    return kind.width if isinstance(kind, Integer) else 0


def _held(module: Module, parameter: tuple[Type, str, str]) -> Type:
    """The type of a parameter, of what a reference refers to, or of a copy that is made of it; of
    an array of one number, as ARM has small structs, that number's.
    """
    kind, _, text = parameter
    if isinstance(kind, Array) and kind.count == 1:
        return kind.item
    if copied := _copied(text):
        return Integer(8 * module.layout.size(module.tokens(copied).type()))
    size = re.search(r"\bdereferenceable\((\d+)\)", text)
    return Integer(8 * int(size[1])) if isinstance(kind, PointerType) and size else kind


def _copied(text: str) -> str:
    """The type of a parameter of which the caller makes a copy, as of structs on i386, or ""."""
    match = re.search(r"\bbyval\(([^()]*)\)", text)
    return match[1] if match else ""


def _given_in(room: str, size: int, text: str) -> str:
    """So many bytes that lie in a variable, given as the parameter with that text takes them."""
    stated = re.search(r"\balign (\d+)", text)
    # The type's name may be another one where the module is read again.
    copied = f"byval([{size} x i8]) align {stated[1] if stated else 1} "
    return f"ptr {copied if _copied(text) else ''}{room}"


def bits(kind: Type) -> int:
    """The bits of a number, a vector or a struct of them; 0 for everything else."""
    match kind:
        case Integer(width):
            return width
        case Struct(items) if items and all(bits(item) for item in items):
            return sum(map(bits, items))
        case Vector(count, item) | Array(count, item):
            return count * bits(item)
    return 0


def _type_text(kind: Type) -> str:
    match kind:
        case Integer(width):
            return f"i{width}" if width <= 512 else f"a reference to {width // 8:,} bytes"
        case PointerType():
            return "ptr"
        case Vector(count, item):
            return f"<{count} x {_type_text(item)}>"
        case Array(count, item):
            return f"[{count} x {_type_text(item)}]"
        case Struct(items):
            return "{" + ", ".join(map(_type_text, items)) + "}"
        case Other(name):
            return name


def with_named_traps(text: str) -> tuple[str, dict[str, Trap]]:
    """A module whose checks are calls to functions of their own, and what each of them says."""
    module = Module(text)
    traps: dict[str, Trap] = {}

    def replaced(match: re.Match[str]) -> str:
        line, debug = match[1], match[2] or ""
        callee = re.search(rf"@({NAME})\(", line.partition(" asm ")[0])
        if not callee:
            return match[0]  # a naked function's assembly returns
        if not callee[1].startswith("llvm.") and module.may_throw(unquoted(callee[1])):
            return match[0]
        place = module.names.source_line(int(debug) if debug else None)
        message = place.message
        kind = re.search(r"@llvm\.ubsantrap\(i8 (-?\d+)\)", line)
        number = int(kind[1]) & 255 if kind else -1
        if not message and kind:
            message = CHECKS.get(number, "a check fails")
        called = unquoted(callee[1])
        asserts = called in ASSERTIONS and called not in module.bodies
        message = message or f"the program stops in {_plain(callee[1])}"
        return stopped(message, place, asserts, number == INDEX)

    def stopped(message: str, place: object, asserts: bool = False, outside: bool = False) -> str:
        name = f"{TRAP}{len(traps)}"
        traps[name] = Trap(message, str(place), asserts, outside)
        return f'  call void @"{name}"()\n  unreachable'

    def unchecked(match: re.Match[str]) -> str:
        return match[1] + stopped(
            CHECKS[1], module.names.source_line(int(match[2]) if match[2] else None)
        )

    text = re.sub(
        r"^ +((?:(?:tail|musttail|notail) )?call [^\n]*?)(?:, !dbg !(\d+))?(?:, ![\w.]+ !\d+)*"
        r"\n(?: *#dbg[^\n]*\n)* +unreachable(?:, [^\n]*)?$",
        replaced, text, flags=re.MULTILINE,
    )  # fmt: skip
    text = re.sub(
        r"^((?!.* call ).*\n(?: *#dbg.*\n)*) +unreachable(?:, !dbg !(\d+))?(?:, ![\w.]+ !\d+)*$",
        unchecked, text, flags=re.MULTILINE,
    )  # fmt: skip
    # What lies behind an object's end LLVM would take from the object, if it knew that by heart, or
    # that all addresses lie inside.
    name = rf"^(@{NAME} = )"
    linkage = (
        r"(?:(?:private|internal|linkonce_odr|weak_odr|available_externally) (?:dllimport )?)?"
    )
    text = re.sub(
        rf"{name}{linkage}((?!external |extern_weak |weak |appending )(?:[^\n\"]*? )?constant )",
        r"\1linkonce \2", text, flags=re.M,
    )  # fmt: skip
    # Of instructions it is looked at first whether an index fits (`operations`).
    text = re.sub(r"(?<!= )\bgetelementptr (?:inbounds |nusw |nuw )+", "getelementptr ", text)
    declared = "".join(f'declare void @"{name}"() noreturn nounwind\n' for name in traps)
    return f"{text}\n{declared}", traps


def with_made_variables(text: str, guards: Set[str]) -> str:
    """The module where functions ask no more whether their static variables are made, and have
    nothing left that makes them.
    """
    load = re.compile(rf"= load (?:atomic )?(i\d+), ptr @({NAME})(?: acquire)?, align \d+")

    def known(match: re.Match[str]) -> str:
        return f"= or {match[1]} 1, 0" if unquoted(match[2]) in guards else match[0]

    def changed(body: re.Match[str]) -> str:
        body_made = load.sub(known, body[0])
        if body_made == body[0]:
            return body_made
        for value, kind in re.findall(r"^ +(%\S+) = or (i\d+) 1, 0", body_made, re.MULTILINE):
            asks = rf"= icmp eq {kind} {re.escape(value)}, 0"
            for test in re.findall(rf"^ +(%\S+) {asks}", body_made, re.MULTILINE):
                ways = rf"br i1 {re.escape(test)}, label %\S+, (label %[^\s,]+).*"
                body_made = re.sub(ways, r"br \1", body_made)
        return _without_unreached(body_made)

    if not guards:
        return text
    return re.sub(r"^define .*?^}", changed, text, flags=re.MULTILINE | re.DOTALL)


def _without_unreached(body: str) -> str:
    """A function without the blocks to which nothing goes, unless a value comes from one."""
    head, *parts = re.split(rf"^({NAME}):", body.removesuffix("}"), flags=re.MULTILINE)
    blocks = dict(zip(parts[::2], parts[1::2], strict=True))
    seen, waiting = set[str](), [head]
    while waiting:
        new = set(re.findall(rf"label %({NAME})", waiting.pop())) - seen
        seen |= new
        waiting += [blocks[name] for name in new]
    blocks_kept = {name: block for name, block in blocks.items() if name in seen}
    text = head + "".join(f"{name}:{block}" for name, block in blocks_kept.items()) + "}"
    gone = "|".join(map(re.escape, blocks.keys() - seen))
    return body if not gone or re.search(rf", %(?:{gone}) \]", text) else text


def with_source_names(message: str) -> str:
    """What is said, with the source's names for mangled ones."""
    return re.sub(r"\b_[ZR][\w$.]+", lambda match: _plain(match[0]), message)


def is_hashed(symbol: str) -> bool:
    """Whether it is one of Rust's older symbols, which end in a hash."""
    return bool(re.fullmatch(r"_ZN.*17h[0-9a-f]{16}E", symbol))


def whole_name(symbol: str) -> str:
    """A function's name in its source, with its namespaces, and without what it takes."""
    return with_source_names(symbol).partition("(")[0]


@cache
def _demangled(name: str) -> str:
    """A name as the C++ library that LLVM needs here reads it; as it is where that does not."""
    status = ctypes.c_int()
    for file in ("libstdc++.so.6", "libc++abi.dylib"):
        with suppress(OSError, AttributeError):
            demangle = ctypes.CDLL(file)["__cxa_demangle"]
            demangle.restype = ctypes.c_char_p
            demangled = demangle(name.encode(), None, None, ctypes.byref(status))
            return demangled.decode(errors="replace") if demangled else name
    return name


def _plain(name: str) -> str:
    """A mangled Rust name as its path, as far as it is one; one of C++ as it reads."""
    match = re.match(r'"?_(?:ZN(?=.*E"?$)|R)([\w$.]+)"?$', name)
    if not match:
        return _demangled(name.strip('"'))
    rest, parts = match[1], []
    # Letters say of what kind the next part is, and a hash between s and _ which crate's.
    while number := re.match(r"[A-Za-z]*?(?:s\w*?_)?(\d+)", rest):
        length = int(number[1])
        parts.append(rest[number.end() : number.end() + length])
        rest = rest[number.end() + length :]
    if "_ZN" in name and rest.strip('"') != "E":  # the E of a C++ function's parameters
        return _demangled(name.strip('"'))
    return "::".join(parts[:-1] if parts and re.fullmatch(r"h[0-9a-f]{16}", parts[-1]) else parts)


def _optimisable(text: str) -> str:
    """The module without what forbids, and without promises; strings stay as they are."""
    return "".join(
        part if number % 2 else _without_promises(part)
        for number, part in enumerate(re.split(r'((?<=\] )c"[^"]*")', text))
    )


_PROMISES = re.compile(
    r"(?<!,) (?:noalias|nonnull|noundef|returned|readonly|readnone|writeonly|writable|nofree|immarg"
    r"|dead_on_unwind|align \d+(?![^()\n]*\{$)|(?:dereferenceable|dereferenceable_or_null|range"
    r"|nofpclass|captures|initializes|dead_on_return)\((?:[^()]|\([^()]*\))*\))(?=[ ,)])",
    re.MULTILINE,
)
"""What is said of a parameter or a result; `align` behind all of them is the function's own."""


def _without_promises(text: str) -> str:
    """Attributes that forbid to inline are taken away, and what only promises something: that a
    loop ends, that two addresses or two types do not meet, where an address points, in which range
    a number is. LLVM would believe it. Beside instructions stand promises, too, but for lines and
    what is said of loops.
    """
    forbids = re.compile(
        r" ?(?<![-\w])(?:noinline|optnone|minsize|optsize|mustprogress|willreturn|memory\([^)]*\))"
        r"(?![-\w])"
    )
    text = re.sub(r"^attributes #\d+ = .*$", lambda m: forbids.sub("", m[0]), text, flags=re.M)
    text = re.sub(r", !(?!dbg |llvm\.loop )[A-Za-z][\w.]* !\d+", "", text)
    text = _PROMISES.sub("", text)
    text = re.sub(r"(@llvm\.assume\(i1 [^()]*\)) \[ .* \]", r"\1", text)
    text = text.replace('!"llvm.loop.mustprogress"', '!"magicert.loop"')
    # Nothing is constant but in the wrappers, which put the square in. Only there, too, may it be
    # known what a pointer points to: LLVM must not say its size.
    constant = r"(?:tail )?call i1 @llvm\.is\.constant\.\w+\([^()\n]*\)(?: #\d+)?"
    text = re.sub(constant, "xor i1 false, false", text)
    return text.replace("@llvm.objectsize.", "@llvm.magicert.objectsize.")


@dataclass(frozen=True, slots=True)
class SpecialisedModule:
    """A module with one function for each square, each of the bitboards only."""

    module: Module
    names: Mapping[int | None, str]


def specialised(
    text: str,
    symbol: str,
    shape: CallShape,
    squares: Sequence[int | None],
    word: int,
    held: Set[str] = frozenset(),
) -> SpecialisedModule:
    """Wrappers with constant squares, inlined and folded. `squares` are the numbers that the
    function takes; the functions `held` stay.
    """
    module = Module(text)
    size = reached(module, symbol)
    if size > MOST_INSTRUCTIONS:
        message = f"{size:,} instructions with all that it calls: expected at most"
        raise InputError([Problem(f"{message} {MOST_INSTRUCTIONS:,}", key=symbol)])
    names = {square: f"magicert.square.{square}" for square in squares}
    wrappers = [
        _wrapper(module, symbol, shape, square, name, word) for square, name in names.items()
    ]
    if any(CHANGED in wrapper for wrapper in wrappers) and f'@"{CHANGED}"(' not in text:
        wrappers.append(f'declare void @"{CHANGED}"(i1) nounwind')
    llvm_module = parsed(_optimisable(text) + "\n" + "\n".join(wrappers), symbol)
    preserved = {*names.values(), *held}
    _fold(llvm_module, preserved, variables_of(module), module.triple)
    return SpecialisedModule(Module(str(llvm_module)), names)


def reached(module: Module, symbol: str) -> int:
    """The instructions of a function and of all that it calls."""
    waiting, seen, total = [symbol], {symbol}, 0
    while waiting:
        body = module.bodies.get(waiting.pop(), "")
        total += body.count("\n")
        for name in re.findall(f"@({NAME})", body):
            plain = name.strip('"')
            if plain not in seen and not plain.startswith(CHECK):
                seen.add(plain)
                waiting.append(plain)
    return total


def _wrapper(
    module: Module, symbol: str, shape: CallShape, square: int | None, name: str, word: int
) -> str:
    """A function of the bitboards alone."""
    parameters = ", ".join(f"i{word} %board{n}" for n in range(len(shape.boards)))
    wrappers = []
    if shape.target is not None:
        parameters = f"i{shape.target_bits} %number"
        wrappers = [_resized(module, symbol, shape.target, f"i{shape.target_bits}", "%number")]
    body = wrappers + _called(module, symbol, shape, str(square), word, looked=True)
    kind = _type_text(shape.result)
    head = f'define {kind} @"{name}"({parameters}) {_group(module, symbol)} {{'
    return "\n".join([head, *body, f"  ret {kind} %result", "}"])


def by_value(module: Module, shapes: Mapping[str, CallShape], word: int) -> str:
    """For each symbol a function (square, bitboards) that gives values, where this one takes or
    gives them in memory: see `_by_value`.
    """
    wrappers = [_by_value(module, symbol, shape, word) for symbol, shape in shapes.items()]
    if any(wrappers):
        wrappers.append(f'declare void @"{CHANGED}"(i1) nounwind')
    return "\n".join(wrappers)


def _by_value(module: Module, symbol: str, shape: CallShape, word: int) -> str:
    """A function (square, bitboards) that gives values, where this one takes or gives them in
    memory: what lies there is a variable as others are. "" where it does not.
    """
    parameters = module.signature(symbol)[1]
    if not any(isinstance(kind, PointerType) for kind, *_ in parameters):
        return ""
    given = [f"i{word} %board{n}" for n in range(len(shape.boards))]
    if shape.target is not None:
        given.append(f"{_type_text(_held(module, parameters[shape.target]))} %target")
    if shape.square is not None:
        given.insert(0, f"{_type_text(_held(module, parameters[shape.square]))} %square")
    body = _called(module, symbol, shape, "%square", word, looked=True)
    kind = _type_text(shape.result)
    name = quoted(BY_VALUE + symbol)
    head = f"define {kind} @{name}({', '.join(given)}) {_group(module, symbol)} {{"
    return "\n".join([head, *body, f"  ret {kind} %result", "}"])


def callable_from_outside(
    module: Module, symbol: str, shape: CallShape, name: str, word: int
) -> str:
    """A function (square, bitboards, result) of addresses, whatever the shape is."""
    body = []
    if shape.square is not None:
        kind = _type_text(_held(module, module.signature(symbol)[1][shape.square]))
        body.append(f"  %square = trunc i128 %number to {kind}")
    if shape.target is not None:
        body.append("  %second = load i128, ptr %given, align 16")
        body.append(_resized(module, symbol, shape.target, "i128", "%second"))
    for n in range(len(shape.boards)):
        body.append(f"  %at{n} = getelementptr i8, ptr %given, i64 {16 * n}")
        body.append(f"  %board{n} = load i{word}, ptr %at{n}, align 16")
    body += _called(module, symbol, shape, "%square", word, looked=False)
    body.append(f"  store {_type_text(shape.result)} %result, ptr %out, align 1")
    head = f'define void @"{name}"(ptr %numbers, ptr %given, ptr %out) {_group(module, symbol)} {{'
    return "\n".join([head, "  %number = load i128, ptr %numbers", *body, "  ret void", "}"])


def _resized(module: Module, symbol: str, place: int, source: str, value: str) -> str:
    """The instruction that makes %target of a number, as wide as the function takes it."""
    held = _type_text(_held(module, module.signature(symbol)[1][place]))
    if held == source:
        return f"  %target = or {held} {value}, 0"
    return f"  %target = {'trunc' if source == 'i128' else 'zext'} {source} {value} to {held}"


def _group(module: Module, symbol: str) -> str:
    """The attribute group of a function, with the processor that it is for."""
    line = module.bodies[symbol].partition("\n")[0]
    match = re.search(r" (#\d+)", line.rpartition(")")[2])
    return match[1] if match else ""


def _called(
    module: Module, symbol: str, shape: CallShape, square: str, word: int, *, looked: bool
) -> list[str]:
    """Instructions that call a function with %board0 ... and leave %result. What it was given in
    memory is looked at afterwards if that is asked for.
    """
    _, parameters = module.signature(symbol)
    line = module.bodies[symbol].partition("\n")[0]
    body, arguments = [], [""] * len(parameters)
    rooms: list[tuple[str, str, str]] = []
    if shape.through:
        kind = _type_text(shape.result)
        body.append(f"  %room = alloca {kind}, align 16")
        arguments[0] = f"ptr sret({kind}) %room"
    for place, value, room in (
        (shape.square, square, "%here"),
        (shape.target, "%target", "%there"),
    ):
        if place is None:
            continue
        number, _, text = parameters[place]
        extended = next((w for w in ("zeroext ", "signext ") if w in text), "")
        held = _type_text(_held(module, parameters[place]))
        arguments[place] = f"{held} {extended}{value}"
        if isinstance(number, PointerType):
            body += [f"  {room} = alloca {held}, align 16", f"  store {held} {value}, ptr {room}"]
            arguments[place] = _given_in(room, _width(_held(module, parameters[place])) // 8, text)
            rooms.append((held, room, value))
        elif isinstance(number, Array):
            whole = _type_text(number)
            body.append(f"  {room}.in = insertvalue {whole} poison, {held} {value}, 0")
            arguments[place] = f"{whole} {room}.in"
    for n, places in enumerate(shape.boards):
        if len(places) == 2:
            body.append(f"  %low{n} = trunc i128 %board{n} to i64")
            body.append(f"  %up{n} = lshr i128 %board{n}, 64")
            body.append(f"  %high{n} = trunc i128 %up{n} to i64")
            arguments[places[0]] = f"i64 %low{n}"
            arguments[places[1]] = f"i64 %high{n}"
        elif isinstance(parameters[places[0]][0], Integer):
            arguments[places[0]] = f"i{word} %board{n}"
        else:
            kind = _type_text(parameters[places[0]][0])
            body.append(f"  %room{n} = alloca i{word}, align 16")
            body.append(f"  store i{word} %board{n}, ptr %room{n}, align 16")
            if kind == "ptr":
                arguments[places[0]] = _given_in(f"%room{n}", word // 8, parameters[places[0]][2])
                rooms.append((f"i{word}", f"%room{n}", f"%board{n}"))
                continue
            body.append(f"  %cast{n} = load {kind}, ptr %room{n}, align 16")
            arguments[places[0]] = f"{kind} %cast{n}"
    calls = f"@{quoted(symbol)}({', '.join(arguments)}) alwaysinline"
    prefix = f"call {convention(line)} "
    kind = _type_text(shape.result)
    if shape.through:
        body.append(f"  {prefix}void {calls}")
        body.append(f"  %result = load {kind}, ptr %room, align 16")
    else:
        body.append(f"  %result = {prefix}{kind} {calls}")
    return [*body, *(_look_again(rooms) if looked else ())]


def _look_again(rooms: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Instructions that look at what was given in memory: its type, where it lies, what it was."""
    for kind, room, given in rooms:
        yield f"  {room}.after = load {kind}, ptr {room}, align 16"
        yield f"  {room}.changed = icmp ne {kind} {room}.after, {given}"
        yield f'  call void @"{CHANGED}"(i1 {room}.changed)'


def pass_builder(triple: str, unrolls: bool = False) -> Any:  # noqa: ANN401
    """What runs LLVM's passes, but none that makes vectors."""
    options = library().create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    if unrolls:
        options.loop_unrolling = True
        options.inlining_threshold = 100_000
    return library().create_pass_builder(_target(triple), options)


def _fold(llvm_module: Any, preserved: set[str], variables: Set[str], triple: str) -> None:  # noqa: ANN401
    """Everything but the wrappers becomes internal, is inlined, unrolled, folded and left out."""
    export(llvm_module, preserved)
    # What fills them may be gone by now: LLVM must not take their initial values for the last.
    set_linkage(llvm_module, variables, "external")
    for _ in range(2):
        builder = pass_builder(triple, unrolls=True)
        builder.getModulePassManager().run(llvm_module, builder)


def _target(triple: str) -> Any:  # noqa: ANN401
    """What a module is for; this machine, where LLVM does not know it."""
    targets = library().Target
    try:
        target = targets.from_triple(triple) if triple else targets.from_default_triple()
    except RuntimeError:
        target = targets.from_default_triple()
    return target.create_target_machine(opt=3)


def batches(squares: Sequence[int | None], size: int) -> Iterator[Sequence[int | None]]:
    """Squares in groups: a long function times all squares would be too much at once."""
    most = max(1, min(len(squares), 40_000 // max(1, size)))
    for start in range(0, len(squares), most):
        yield squares[start : start + most]
