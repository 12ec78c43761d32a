"""The builds of the sources: linked modules, and the functions in them that were asked for."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache

from magicert.board import Board
from magicert.functions.compare.claim import KINDS, FunctionClaim
from magicert.functions.compare.entries import target_bits
from magicert.functions.compile.alike import check_alike
from magicert.functions.compile.forced_function import FORCED_PREFIX
from magicert.functions.compile.modules import Compiled
from magicert.functions.compile.names import nearest
from magicert.functions.llvm import (
    assembly,
    bindings,
    call_shapes,
    constants,
    named_checks,
    specialise,
    symbol_names,
)
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import POINTERS, DataLayout
from magicert.functions.llvm.markers import Trap
from magicert.functions.llvm.metadata import without_types
from magicert.functions.llvm.operations import with_checked_operations
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.functions.llvm.variables import with_unwritten_variables
from magicert.functions.question import FunctionQuestion
from magicert.problem import InputError, Problem, listed

PREFIX = "magicert."
"""So all names begin that are put into a module here."""
OUTSIDE = f"{PREFIX}outside."
NONE = "no such function in the compiled module"
TWINS = "{} functions have this name: give other names to all but one, or name the call"
PLAIN, CHECKED = "as compiled", "undefined behaviour as traps"


@dataclass(frozen=True, slots=True)
class CompiledQuestion:
    """A question with what the compiler made of its sources."""

    question: FunctionQuestion
    plain: Compiled
    checked: Compiled | None
    writers_by_symbol: Mapping[str, str] = field(default_factory=dict)
    """Variables that may be written by what no module has, and by what."""


@dataclass(frozen=True, slots=True)
class Build:
    """One way in which the sources were compiled. `full_text` is its text with what the functions
    of these `symbols` do not reach, if that was left out; `kept_by_pointers` is what stays, for
    pointers reach it. `twins` are names that several sources use, and that may be another's in the
    process. `by_value_wrappers` is the text of functions that call those by value.
    """

    name: str
    text: str
    traps: Mapping[str, Trap]
    unwritten: constants.Unwritten
    full_text: str = ""
    symbols: frozenset[str] = frozenset()
    kept_by_pointers: frozenset[str] = frozenset()
    twins: frozenset[str] = frozenset()
    by_value_wrappers: str = ""
    guards: frozenset[str] = frozenset()
    """Guards of static variables that are made, in what is proved: an init makes them itself."""

    def with_guards(self, guards: Set[str]) -> "Build":
        """The same where a function's static variables with these guards are made."""
        if self.full_text:
            return replace(self, guards=frozenset(guards)).holding(frozenset())
        return replace(self, text=named_checks.with_made_variables(self.text, guards))

    def holding(self, names: Set[str]) -> "Build":
        """The same with what pointers reach."""
        held = self.kept_by_pointers | names
        if not self.full_text:
            return replace(self, kept_by_pointers=held)
        known = self.symbols | held - self.twins
        # What is called where the program stops can be far more than the functions themselves.
        whole = named_checks.with_made_variables(self.full_text, self.guards)
        text = constants.reached_from(whole, known)
        text, traps = with_unwritten_variables(f"{text}\n{self.by_value_wrappers}")
        text, checks = with_checked_operations(text)
        text = without_types(text, declared=False)
        return replace(
            self, text=text, traps={**self.traps, **traps, **checks}, kept_by_pointers=held
        )


_DEFINED = re.compile(rf"^(?:(?:define|declare) [^@\n]*)?@({NAME})", re.MULTILINE)
_PREFIXED = re.compile(rf"(?:\\01)?_?(?:kept\.)?({re.escape(PREFIX)}.*)")


def text_modules(compiled: Compiled) -> list[Module]:
    """What was compiled of each source, but for bitcode, which nothing here reads."""
    return [_module(text) for text in compiled.modules if isinstance(text, str)]


@lru_cache(maxsize=4)
def _module(text: str) -> Module:
    """A module that is asked for many names: what was read of it is kept."""
    return Module(text)


def linked_text(compiled: Compiled) -> str:
    """The sources as one module. Raises InputError for names in it as this program gives them."""
    text = bindings.linked(compiled.modules, compiled.names)
    widths = {module.layout.pointer for module in text_modules(compiled)}
    if len(widths) > 1:
        message = "addresses of 32 bits in one source, of 64 in another: expected one target"
        raise InputError([Problem(message, file=compiled.names[-1])])
    ours = {FORCED_PREFIX + name for name in compiled.forced}
    for name in map(unquoted, _DEFINED.findall(text)):
        match = _PREFIXED.fullmatch(name)
        if match and match[1] not in ours and re.sub(r"\.\d+$", "", match[1]) not in ours:
            message = f"{name}: names that begin with {PREFIX} are magicert's own: expected another"
            raise InputError([Problem(message, file=compiled.names[0])])
    return text


def plain_build(work: CompiledQuestion) -> Build:
    """The build as the user compiles it."""
    text = linked_text(work.plain)
    text = symbol_names.without_aliases(without_types(text, declared=False))
    text = assembly.with_known_assembly(text)
    return Build(PLAIN, text, {}, constants.Unwritten(text, work.writers_by_symbol))


def checked_build(
    work: CompiledQuestion, checked: Compiled, linked: Module,
    symbols_by_claim: Mapping[FunctionClaim, str], plain: Module,
) -> Build:  # fmt: skip
    """The build with undefined behaviour as traps, and the functions in it."""
    board = work.question.board
    text, symbols = linked.text, frozenset(symbols_by_claim.values())
    check_alike(checked.modules, checked.names, linked, symbols)
    text = assembly.with_known_assembly(symbol_names.without_aliases(text))
    text, traps = named_checks.with_named_traps(text)
    unwritten = constants.Unwritten(text, work.writers_by_symbol)
    several, there = _by_name(Module(text)), _by_name(plain)
    twins = [n for base, n in several.items() if len(n) > 1 and len(n) != len(there.get(base, ()))]
    module = Module(text)
    shapes = {
        symbol: shape_for(module, symbol, claim, board)
        for claim, symbol in symbols_by_claim.items()
        if symbol in module.bodies
    }
    values = specialise.by_value(module, shapes, board.word)
    forced_symbols = {name for name in module.globals if FORCED_PREFIX in name}
    build = Build(
        CHECKED, "", traps, unwritten, text, symbols | forced_symbols,
        twins=frozenset().union(*twins), by_value_wrappers=values,
    )  # fmt: skip
    return build.holding(frozenset())


@lru_cache(maxsize=4)
def _by_name(module: Module) -> dict[str, list[str]]:
    """What a module defines, by the name in its source: linking gives numbers to the others."""
    symbols_by_name: dict[str, list[str]] = {}
    for name in (*module.bodies, *module.globals):
        symbols_by_name.setdefault(re.sub(r"\.\d+$", "", name), []).append(name)
    return symbols_by_name


def _of_one_name(module: Module, symbol: str) -> list[str]:
    """The functions that have a function's name in the sources: of those that no other source sees
    there may be several, and linking has given numbers to them.
    """
    if not {"internal", "private"} & set(module.bodies[symbol].partition("(")[0].split()):
        return [symbol]
    several = _by_name(module)[re.sub(r"\.\d+$", "", symbol)]
    return [name for name in several if name in module.bodies]


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def symbols_of(
    question: FunctionQuestion, module: Module, refused: Mapping[str, str]
) -> dict[FunctionClaim, str]:
    """The symbol of each function. Raises InputError for all names that are none, with what the
    compiler said of them.
    """
    symbols: dict[FunctionClaim, str] = {}
    problems: list[Problem] = []

    def missing(error: InputError, name: str) -> None:
        reason = refused.get(name)
        problems.extend(
            replace(problem, message=f"no such function: {reason}")
            if reason and problem.message.startswith(NONE) and " mean " not in problem.message
            else problem
            for problem in error.problems
        )

    for claim in question.functions:
        try:
            symbols[claim] = symbol_of(module, claim.name, claim.option)
        except InputError as error:
            missing(error, claim.name)
    if question.init:
        try:
            symbol = symbol_of_init(module, question.init, f"--init {question.init}")
            if argument_count := len(module.signature(symbol)[1]):
                message = f"takes {argument_count} arguments: expected a function without any"
                problems.append(Problem(message, key=f"--init {question.init}"))
        except InputError as error:
            missing(error, question.init)
    there = DataLayout(bindings.data_layout(module.triple)) if module.triple else module.layout
    if strange := module.layout.strange or there.strange:
        message = f"{strange} in its data layout is not understood: expected addresses of "
        message += f"{' or '.join(map(str, POINTERS))} bits, in one address space"
        if strange == "E":
            message = "the most significant byte comes first here: expected a little-endian target"
        problems.append(Problem(message, file=str(question.sources[0]), key=module.triple))
    elif bindings.data_layout(module.triple) and there.pointer != module.layout.pointer:
        message = f"addresses of {module.layout.pointer} bits by its data layout, of "
        message += f"{there.pointer} there: expected the layout that the compiler writes"
        problems.append(Problem(message, file=str(question.sources[0]), key=module.triple))
    if problems:
        raise InputError(problems)
    return symbols


def check_names(
    checked_symbols: Mapping[FunctionClaim, str], symbols: Mapping[FunctionClaim, str],
    plain: Module, checked: Module,
) -> None:  # fmt: skip
    """Raises InputError where a symbol may be another function's in the second build: what the
    first one has left out left its name to another.
    """
    problems = []
    for claim, symbol in checked_symbols.items():
        several = _of_one_name(checked, symbol) if symbol in checked.bodies else []
        if len(several) > 1 and len(several) != len(_of_one_name(plain, symbols[claim])):
            key = claim.option
            problems.append(Problem(TWINS.format(len(several)), key=key))
    if problems:
        raise InputError(problems)


def symbol_of(module: Module, name: str, key: str) -> str:
    """The symbol of a function by that name, or by its name in the source. Raises InputError."""
    if len(forced_symbols := symbols_named(module, name)) > 1:
        raise InputError([Problem(TWINS.format(len(forced_symbols)), key=key)])
    name = forced_symbols.pop() if forced_symbols else name
    symbols = module.source_names.get(name, [])
    stem = symbols[0].partition(".")[0] if symbols else name
    chosen = {f"{stem}.ifunc", f"{stem}.resolver"} & (module.unsure | module.bodies.keys())
    if name in module.bodies:
        # A label may have given it the name of another one.
        others = [
            one for one in symbols
            if symbol_names.name_in_crate(one) == name or not module.is_called(name, name)
        ]  # fmt: skip
        symbols, stem = [*dict.fromkeys([*_of_one_name(module, name), *others])], name
        # Where nothing here calls it, what it is named says that there are others.
        chosen = set(re.findall(rf'linkageName: "({re.escape(name)}\.[^"]*)"', module.text))
    if chosen:
        known = sorted(s for s in module.bodies if s == stem or s.startswith(f"{stem}."))
        versions = [symbol for symbol in known if not symbol.endswith(".resolver")]
        message = f"{len(versions)} versions, chosen by the processor: leave one in the source, "
        message += f"found {listed(versions)}"
    elif len(symbols) == 1:
        return symbols[0]
    elif name in symbols:
        message = TWINS.format(len(symbols))
    elif symbols:
        whole = {symbol: symbol_names.with_source_names(symbol) for symbol in symbols}
        names = sorted(
            symbol if "(" in source_name else source_name for symbol, source_name in whole.items()
        )
        message = f"{len(symbols)} functions have this name: give one of {listed(names)}"
    elif name in module.declared:
        message = "declared, but not defined in these sources: give the source that defines it"
    else:
        known = given_names({*module.bodies, *module.source_names})
        hint = (
            nearest(name, known) or f"expected one of {listed(known)}" if known else "it is empty"
        )
        message = f"{NONE}: {hint}"
        message += " (or a call, as in attacks(ROOK, square, occupied))"
    raise InputError([Problem(message, key=key)])


def symbol_of_init(module: Module, name: str, key: str) -> str:
    """The same of an init: of several functions of that name the one that takes nothing."""
    symbols = module.source_names.get(name, [])
    bare = [one for one in symbols if one in module.bodies and not module.signature(one)[1]]
    if len(bare) == 1 and name not in module.bodies and not symbols_named(module, name):
        return bare[0]
    return symbol_of(module, name, key)


def given_names(names: Iterable[str]) -> list[str]:
    """Names of functions as somebody would give them."""
    generated_prefixes = "magicert_", "kept."  # what was asked for by other names
    known = [name for name in sorted(names) if not name.startswith(generated_prefixes)]
    return [name for name in known if not name.startswith(("_Z", "_R"))] or known


def symbols_named(module: Module, name: str) -> set[str]:
    """The functions of that name that were asked for in the source's own language."""
    by_name = _by_name(module)
    # \01: where the linker's names begin with an underscore; in Zig a file's name is a part of all.
    named = (f"{before}{FORCED_PREFIX}{name}" for before in ("", r"\01", "kept."))
    found = (symbol for name in named for symbol in by_name.get(name, ()))
    constants = [symbol for symbol in found if symbol in module.globals]  # else it is the source's
    matches = (re.search(rf"@({NAME})", module.globals[constant].initial) for constant in constants)
    return {unquoted(match[1]) for match in matches if match}


def shape_for(
    module: Module, symbol: str, claim: FunctionClaim, board: Board
) -> call_shapes.CallShape:
    """How a function is called. Raises InputError where it is not what it is said to be."""
    result = 0 if claim.kind == "index" else board.word
    boards, with_square = len(KINDS[claim.kind]), claim.kind != "setwise"
    return call_shapes.shape_of(
        module, symbol, boards, board.word, with_square, result=result, may_lack=claim.leaps,
        target_bits=target_bits(board) if claim.of_two_squares else 0,
    )  # fmt: skip
