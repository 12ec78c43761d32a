"""What compiled functions lack: the files that define what they call and read, and the calls that
fill their tables.

    extern U64 table[64];       tables.cpp, which defines it
    static U64 table[64];       init_tables(), which fills it, as far as the project's text tells

A table that something may have filled is not asked for: a constant, one whose initial value is no
zeros, and what static initialisers make.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from magicert.functions.builds import text_modules
from magicert.functions.compile.compilers import HEADERS, language_in, language_of
from magicert.functions.compile.fills import Fill, Project
from magicert.functions.compile.names import all_defined_beside, reached
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.mangled_names import plain_name
from magicert.functions.llvm.markers import LEFT_OUT
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.functions.llvm.symbol_names import whole_name
from magicert.functions.question import FunctionQuestion, together
from magicert.functions.resolved import Resolved, symbols_of
from magicert.system.deadline import Deadline

MOST_ALIKE = 3
"""Files that define the same function, of which a build takes one."""
_GUARD = re.compile(r"guard variable for ([\w:]+)\(\)::\w+")
"""What says whether a function's static variable is made; the function takes nothing."""
_NO_PROJECTS = ("std::", "__", "operator", "_Z", "llvm.")
"""How names begin that no project defines."""
_EMPTY = re.compile(r"(?:zeroinitializer|undef|null|\bi\d+ 0)(?:, [a-z].*)?$")
"""How the initial value of a variable ends that begins with nothing."""
_LIBRARIES = frozenset({"std", "core", "alloc"})


def missing_files(names: Resolved, left_out: Collection[str]) -> dict[str, str]:
    """What no source defines, each symbol with the file of the project that does: of several, the
    first of those that are not `left_out`.
    """
    modules = text_modules(names.plain)
    starts = _starts(modules, names.question, with_init=True)
    if names.question.init or names.question.run:  # which lets these run, too
        starts += [symbol for module in modules for symbol in module.initialisers]
    _, missing = reached(modules, starts)
    asked = {names.question.init, *(claim.name for claim in names.question.functions)}
    files, of_c = dict[str, str](), set[str]()
    flags = names.question.flags
    if all(language_in(source, flags) == "c++" for source in names.question.sources):
        declared = (symbol for module in modules for symbol in module.declared)
        of_c = {symbol for symbol in declared if not symbol.startswith("_Z")}  # as is abort()
    for symbol in missing:
        name = whole_name(symbol)
        if symbol in of_c | asked or name.startswith(_NO_PROJECTS):
            continue
        for is_variable in (False, True):
            defining = all_defined_beside(name, names.question.sources, variable=is_variable)
            shown = [one for one in map(shown_path, defining) if one not in left_out]
            if shown and len(defining) <= MOST_ALIKE:
                files[symbol] = shown[0]
                break
    return files


def needs_left_out(name: str, names: Resolved) -> bool:
    """Whether a function reaches what was left out of a crate, because it does not compile here."""
    modules = text_modules(names.plain)
    starts = [symbol for module in modules for symbol in symbols_of(module, [name])]
    return LEFT_OUT in reached(modules, starts)[1]


def shown_path(file: str) -> str:
    """A file by its name from here, where it lies below."""
    shown = os.path.relpath(file)
    return file if shown.startswith("..") else shown


def unfilled_variables(names: Resolved, known: Collection[str]) -> list[str]:
    """The variables that the functions and the init use, and that begin with nothing; those that
    are `known` to stand in another file are looked at when that is compiled.
    """
    modules = text_modules(names.plain)
    found, missing = reached(modules, _starts(modules, names.question, with_init=True))
    variables = {
        symbol: item for module in modules for symbol, item in module.globals.items()
        if not item.external
    }  # fmt: skip
    empty = [
        symbol for symbol in found
        if symbol in variables and not variables[symbol].constant
        and _EMPTY.search(variables[symbol].initial) and not symbol.startswith((".", "llvm."))
    ]  # fmt: skip
    external = {symbol for module in modules for symbol in module.globals}
    empty += [symbol for symbol in missing if symbol in external and symbol not in known]
    whole = (
        plain_name(symbol) if symbol.startswith("_ZGV") else whole_name(_without_number(symbol))
        for symbol in empty
    )
    return list(dict.fromkeys(name for name in whole if not name.startswith(_NO_PROJECTS)))


def variables_used(names: Resolved, deadline: Deadline) -> list[str]:
    """The variables of Rust or Zig that the functions and the init use, by their names in the
    crate, or in a file: what some of these begin with is no number. One that nobody writes to may
    be in the second build alone.
    """
    in_rust = language_of(names.question.sources[0]) == "rust"
    second = None if in_rust else names.checked(deadline)
    modules = text_modules(second or names.plain)
    found, _ = reached(modules, _starts(modules, names.question, with_init=True))
    variables = {
        symbol for module in modules for symbol, item in module.globals.items()
        if not item.external and not item.constant
    }  # fmt: skip
    whole = (whole_name(symbol) for symbol in found if symbol in variables)
    if not in_rust:
        return list(dict.fromkeys(name.rpartition(".")[2] for name in whole))
    scopes = [name.partition("::") for name in whole]
    return list(
        dict.fromkeys(name for crate, _, name in scopes if name and crate not in _LIBRARIES)
    )


def fills_for(unfilled: Collection[str], project: Project, names: Resolved) -> list[Fill]:
    """The calls that fill variables, but for what static initialisers call; of those that these
    reach only calls that say so: they may do no more than to make empty ones of them.
    """
    modules = text_modules(names.plain)
    begun = {whole_name(_without_number(symbol)) for symbol in _begun(modules)}
    fills = [
        fill for one in unfilled for fill in _fills_of(one, project, names)
        if fill.is_named_so or one not in begun
    ]  # fmt: skip
    before = _called_before(modules) if fills else set()
    return [fill for fill in fills if fill.called not in before]


def _fills_of(variable: str, project: Project, names: Resolved) -> list[Fill]:
    """The calls that fill a variable, or that are given a constant that points to it. What a
    function makes at its first call, that call makes, or a method of that which fills it.
    """
    if made := _GUARD.fullmatch(variable):
        fill = Fill(f"{made[1]}()", Path(), is_there=True)
        return project.filled_by_method(fill) or [fill]
    if fills := project.fills_of(variable):
        return fills
    pointing = (
        whole_name(symbol)
        for module in text_modules(names.plain)
        for symbol, item in module.globals.items()
        if item.constant and variable in _names_in(item.initial)
    )
    return next(filter(None, map(project.fills_of, pointing)), [])


def is_there(fill: Fill, names: Resolved) -> bool:
    """Whether the sources define what fills, or their headers do: of two files that define it one
    is enough.
    """
    called = fill.call.partition("(")[0]
    return (
        fill.is_there
        or fill.file.suffix in HEADERS
        or any(
            symbol in module.bodies
            for module in text_modules(names.plain)
            for symbol in symbols_of(module, [called])
        )
    )


def as_one_init(inits: Sequence[str], language: str, fills: Mapping[str, Fill]) -> str:
    """Several calls as one init; one function that takes nothing by its name alone."""
    if len(inits) > 1:
        return together(inits, language)
    names = {"zig": r"[\w.]+", "rust": r"(?:[a-z_]\w*(?:::)?)+"}.get(language, r"[\w:]+")
    alone = re.fullmatch(rf"{names}\(\)", inits[0])
    if not alone or (inits[0] in fills and fills[inits[0]].makes_object):
        return inits[0]
    return inits[0].removesuffix("()").removeprefix("crate::")


def begin_filled(names: Resolved) -> bool:
    """Whether static initialisers reach what the functions read."""
    modules = text_modules(names.plain)
    read, _ = reached(modules, _starts(modules, names.question, with_init=False))
    return not _begun(modules).isdisjoint(read)


def _begun(modules: Sequence[Module]) -> set[str]:
    """The variables that static initialisers reach."""
    variables = (item for module in modules for item in module.globals.values())
    return {item.name for item in variables if not item.constant} & {*_reached_before(modules)}


def _called_before(modules: Sequence[Module]) -> set[str]:
    """The functions that static initialisers call, by their last names."""
    found = _reached_before(modules)
    texts = [
        (one, one.bodies[symbol]) for one in modules for symbol in found if symbol in one.bodies
    ]
    inlined = {name for module, body in texts for name in module.names.inside(body)}
    return inlined | {whole_name(symbol).rpartition("::")[2] for symbol in found}


def _reached_before(modules: Sequence[Module]) -> list[str]:
    """The functions and variables that static initialisers reach."""
    return reached(modules, [symbol for one in modules for symbol in one.initialisers])[0]


def _starts(modules: Sequence[Module], question: FunctionQuestion, *, with_init: bool) -> list[str]:
    """The symbols of the functions, and of the init that is to run before them."""
    called = [claim.name for claim in question.functions]
    called += [question.init] if with_init else []
    return [symbol for module in modules for symbol in symbols_of(module, called)]


def _names_in(initial: str) -> set[str]:
    """The variables that an initial value points to."""
    return {whole_name(unquoted(one)) for one in re.findall(rf"@({NAME})", initial)}


def _without_number(symbol: str) -> str:
    """A variable's name without the number that one inside of a function has."""
    return symbol if symbol.startswith("_Z") else symbol.partition(".")[0]
