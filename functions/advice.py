"""The whole command that has what was missing: flags with which the sources compile, the files that
define what the function needs, and the calls that fill its tables.

    verify src/attacks.h --function rook=rook     rook_table is defined elsewhere
    ->  verify src/attacks.h src/tables.cpp --function rook=rook --init init_tables -- -std=c++20

Nothing is run to find it, and nothing follows from it: whoever types it says what is meant. The
compiler has said that it compiles; who fills a table is guessed from the project's text.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from magicert.functions.certificate import FunctionCertificate, ProcessEnded
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.compilers import zigs_version
from magicert.functions.compile.fills import Fill, Project
from magicert.functions.compile.front import (
    HEADERS,
    DoesNotCompileError,
    NeedsMoreError,
    language_of,
)
from magicert.functions.compile.made_before import crates_of_registries, made_before
from magicert.functions.compile.names import defined_beside, reached
from magicert.functions.compile.zig_build import modules_of_build, version_stated
from magicert.functions.earlier import Earlier
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.symbol_names import whole_name
from magicert.functions.question import FunctionQuestion
from magicert.functions.resolved import Resolved, resolved, symbols_of
from magicert.outcome import Unknown
from magicert.problem import InputError, Problem
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

SECONDS = 240
"""At most, for all that compilers are asked for an advice."""
LEAST_SECONDS = 20
"""What an advice may take behind an answer that came at once."""
TIMES_THE_ANSWER = 2
"""How much longer an advice may take than the answer that it stands behind."""
INTERRUPTED = "interrupted"
"""How a square's message ends where whoever asked has stopped the work."""
MOST_ROUNDS = 8
"""Times that the sources are compiled with more."""
MOST_FILES = 10
"""Sources that are named in one command."""
MOST_BEFORE = 3
"""Calls that are named because an init reads what they fill."""
_ADVICE = "this command has what is missing, as far as the project's text tells: "
_EMPTY = re.compile(r"(?:zeroinitializer|undef|null|\bi\d+ 0)(?:, [a-z].*)?$")
"""How the initial value of a variable ends that begins with nothing."""


def with_advice(
    result: FunctionCertificate | Unknown, question: FunctionQuestion, seconds: float
) -> FunctionCertificate | Unknown:
    """The same with a command, where it is not decided for what is not given; the answer took so
    many `seconds`.
    """
    if isinstance(result, Unknown):
        return result
    squares = [square for report in result.functions for square in report.squares]
    lacking = any(square.lacks or square.unfilled for square in squares)
    if any(square.message.endswith(INTERRUPTED) for square in squares):
        return result  # whoever stops the work waits for no more
    command = _command_in_time(question, seconds) if lacking else ""
    return replace(result, advice=_ADVICE + command) if command else result


def error_with_advice(error: InputError, question: FunctionQuestion, seconds: float) -> InputError:
    """The same with a command, where flags are missing, what an init needs, or what cargo makes."""
    needs_flags = isinstance(error, DoesNotCompileError) and bool(error.flags)
    lacking = any(isinstance(one, ProcessEnded) and one.lacks for one in error.problems)
    needs_more = isinstance(error, DoesNotCompileError | NeedsMoreError)
    languages = [language_of(source) for source in question.sources]
    if needs_more and languages == ["rust"]:
        command = _command_with_what_cargo_makes(question)
    elif needs_more and languages == ["zig"]:
        command = _command_with_zigs_build(question)
    else:
        command = _command_in_time(question, seconds) if needs_flags or lacking else ""
    if not command:
        return error
    problems = [*error.problems, Problem(_ADVICE + command)]
    if isinstance(error, DoesNotCompileError):
        return DoesNotCompileError(problems, error.first, error.flags)
    return InputError(problems)


def _command_with_what_cargo_makes(question: FunctionQuestion) -> str:
    """The command behind what makes its crates and files; "" where it lacks none. Crates of a
    registry are wanted last: without them the function may be proved.
    """
    how = question.sources[0], question.flags
    if (before := made_before(*how) or crates_of_registries(*how)) is None:
        return ""
    flags = f"{'' if question.flags else ' --'} {before.flags}" if before.flags else ""
    return f"{before.words} && {_as_command(_with_inits(question))}{flags}"


def _with_inits(question: FunctionQuestion) -> FunctionQuestion:
    """The question with what seems to fill the tables, where nothing can be compiled yet."""
    source = question.sources[0]
    if question.init or question.run:
        return question
    project = Project(source)
    calls = [fill.call for one in question.functions for fill in project.fills_for(one.name)]
    calls = [*dict.fromkeys(calls)]
    return replace(question, init=_as_one(calls, language_of(source))) if calls else question


def _command_with_zigs_build(question: FunctionQuestion) -> str:
    """The command with the modules of build.zig and the version of zig that a project is for; ""
    where nothing says more than the question.
    """
    source, steps, more = question.sources[0], list[str](), question
    stated = version_stated(source, in_a_text=True)
    if stated and stated.words and not question.compiler and _is_another(stated.version):
        steps.append(stated.words)
        more = replace(more, compiler=stated.program)
    flags = ""
    if not any(flag.startswith("-M") for flag in question.flags):
        modules = modules_of_build(source)
        if modules is not None and "=FILE" in modules.flags:
            return ""
        steps += [modules.words] if modules is not None and modules.made else []
        flags = modules.flags if modules is not None else ""
    if more == question and not flags:
        return ""
    flags = f"{'' if more.flags else ' --'} {flags}" if flags else ""
    return " && ".join([*steps, _as_command(_with_inits(more)) + flags])


def _is_another(version: str) -> bool:
    """Whether a version of zig is not the one that compiles here, or is close to it."""
    with suppress(InputError):
        return not zigs_version().startswith(f"{version.rpartition('.')[0]}.")
    return False


def _command_in_time(question: FunctionQuestion, seconds: float) -> str:
    """The command, unless it takes far longer than the answer, or the user stops it: the answer is
    known, and is not to be lost.
    """
    limit = min(SECONDS, max(LEAST_SECONDS, TIMES_THE_ANSWER * seconds))
    with suppress(BudgetOverError, KeyboardInterrupt):
        return whole_command(question, Deadline.after(limit))
    return ""


def whole_command(question: FunctionQuestion, deadline: Deadline = FOREVER) -> str:
    """The command that asks the same, with what is missing; "" where nothing is known. Raises
    BudgetOverError at the deadline.
    """
    languages = {language_of(source) for source in question.sources}
    if not languages <= {"c", "c++"} and (len(question.sources) > 1 or "ir" in languages):
        return ""
    more = question
    if (builds := Earlier(question, deadline).build()) is not None:
        question = more = replace(question, crate=builds[0].crate)  # which takes many calls
    try:
        for more in _completed(question, deadline):  # noqa: B007 - the last one is the best
            pass
    except NeedsMoreError:
        if languages == {"zig"}:
            return _command_with_zigs_build(more)
    return _as_command(more) if _as_command(more) != _as_command(question) else ""


def _completed(question: FunctionQuestion, deadline: Deadline) -> Iterator[FunctionQuestion]:
    """The question with more and more of what it lacks, each time one that compiles."""
    project: Project | None = None
    in_c = language_of(question.sources[0]) in {"c", "c++"}
    left_out = set[str]()
    """Files that do not compile with the others."""
    asked = known = question
    fills = dict[str, Fill]()
    done = set[str]()
    for _ in range(MOST_ROUNDS):
        deadline.check()
        try:
            names = resolved(question, deadline)
        except DoesNotCompileError as error:
            flags = _merged(question.flags, error.flags)
            if flags != question.flags:
                question = replace(question, flags=flags)
                continue
            new = {str(one) for one in question.sources if one not in known.sources}
            if not (bad := new & {one.file for one in error.problems}):
                return
            left_out |= bad
            sources = tuple(one for one in question.sources if str(one) not in bad)
            question = replace(question, sources=sources)
            continue
        except InputError as error:
            if isinstance(error, NeedsMoreError) and not in_c and question.crate is None:
                yield question
                raise
            return  # what was added means nothing here
        question = replace(_calling_twins(question, names), crate=names.question.crate)
        known = question
        yield question
        if project is None:
            alone = names.question.crate is None
            project = Project(question.sources[0], deadline, alone=alone)
        files = [one for one in _missing_files(names) if one not in left_out] if in_c else []
        found = list[Fill]()
        if not question.run:
            unfilled = _unfilled(names) if in_c else _variables(names, deadline)
            found = _new_fills(project, [one for one in unfilled if one not in done], fills)
            done |= set(unfilled)
            beside = (fill.file for fill in found if in_c and fill.file.suffix not in HEADERS)
            files += [_shown(str(file)) for file in beside]
        if not files and not found:
            if not question.init and not question.run and _begin_filled(names):
                yield replace(question, run=True)
            return
        # What an init reads itself has to be filled before it.
        fills = {fill.call: fill for fill in project.in_order([*found, *fills.values()])}
        inits = [*fills, *filter(None, [asked.init])]
        given = {source.resolve() for source in question.sources}
        more = [path for path in map(Path, dict.fromkeys(files)) if path.resolve() not in given]
        question = replace(
            question,
            init=_as_one(inits, language_of(question.sources[0])) if inits else "",
            sources=(*question.sources, *more)[:MOST_FILES],
            flags=(*question.flags, *_as_c(question, more)),
        )
        if question == known:
            return


def _new_fills(project: Project, variables: Sequence[str], fills: Mapping[str, Fill]) -> list[Fill]:
    """The calls that fill variables, but for those that are known."""
    ways = (fill for one in variables for fill in project.fills_of(one))
    found = [fill for fill in ways if fill.call not in fills]
    if fills:
        found = [fill for fill in found if fill.is_named_so]
        found = found if len(found) <= MOST_BEFORE else []  # it fills far more than tables
    return found


def _calling_twins(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question with a call of each function that several sources of C have from a header."""
    modules = _modules(names)

    def called(claim: FunctionClaim) -> FunctionClaim:
        of_name = [module for module in modules if claim.name in module.bodies]
        if len(of_name) < 2 or len(claim.takes[0]) != 2:
            return claim
        kinds = of_name[0].signature(claim.name)[1]
        widths = [of_name[0].layout.size(kind) for kind, _, _ in kinds]
        words = claim.takes[0] if widths != sorted(widths, reverse=True) else claim.takes[0][::-1]
        return replace(claim, name=f"{claim.name}({', '.join(words)})")

    return replace(question, functions=tuple(map(called, question.functions)))


def _as_c(question: FunctionQuestion, more: Sequence[Path]) -> tuple[str, ...]:
    """What says that headers are of C, where all else is."""
    headers = [source for source in question.sources if source.suffix == ".h"]
    others = {language_of(one) for one in (*question.sources, *more) if one not in headers}
    return ("-x", "c") if headers and others == {"c"} and "-x" not in question.flags else ()


def _as_one(inits: Sequence[str], language: str) -> str:
    """Several calls as one init; one that takes nothing by its name alone."""
    if len(inits) > 1:
        return f"({', '.join(inits)})" if language == "rust" else ", ".join(inits)
    names = {"zig": r"[\w.]+", "rust": r"(?:[a-z_]\w*(?:::)?)+"}.get(language, r"[\w:]+")
    alone = re.fullmatch(rf"{names}\(\)", inits[0])
    return inits[0].removesuffix("()").removeprefix("crate::") if alone else inits[0]


def _merged(flags: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """Flags with more of them; of two versions of a language the last."""
    if any(flag.startswith("-std=") for flag in more):
        flags = [flag for flag in flags if not flag.startswith("-std=")]
    return (*flags, *(flag for flag in more if flag not in flags))


def _modules(names: Resolved) -> list[Module]:
    return [Module(text) for text in names.plain.modules if isinstance(text, str)]


def _starts(names: Resolved, *, with_init: bool) -> list[str]:
    """The symbols of the functions, and of the init that is to run before them."""
    modules, question = _modules(names), names.question
    called = [claim.name for claim in question.functions]
    called += [question.init] if with_init else []
    return [symbol for module in modules for symbol in symbols_of(module, called)]


def _missing_files(names: Resolved) -> list[str]:
    """The files of the project that define what no source does."""
    _, missing = reached(_modules(names), _starts(names, with_init=True))
    files = dict[str, None]()
    for symbol in missing:
        name = whole_name(symbol)
        if name.startswith(("std::", "__", "operator", "_Z", "llvm.")):
            continue
        for is_variable in (False, True):
            if file := defined_beside(name, names.question.sources, variable=is_variable):
                files[_shown(file)] = None
                break
    return list(files)


def _shown(file: str) -> str:
    """A file by its name from here, where it lies below."""
    shown = os.path.relpath(file)
    return file if shown.startswith("..") else shown


def _unfilled(names: Resolved) -> list[str]:
    """The variables that the functions and the init use, and that begin with nothing."""
    modules = _modules(names)
    found, missing = reached(modules, _starts(names, with_init=True))
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
    empty += [symbol for symbol in missing if symbol in external]
    begun = _begun(modules)
    empty = [symbol for symbol in empty if symbol not in begun]
    return list(dict.fromkeys(whole_name(_without_number(symbol)) for symbol in empty))


def _variables(names: Resolved, deadline: Deadline) -> list[str]:
    """The variables of Rust or Zig that the functions and the init use, by their names in the
    crate, or in a file: what some of these begin with is no number. One that nobody writes to may
    be in the second build alone.
    """
    modules, in_rust = _modules(names), language_of(names.question.sources[0]) == "rust"
    if not in_rust and (checked := names.checked(deadline)) is not None:
        modules = [Module(text) for text in checked.modules if isinstance(text, str)]
    called = [claim.name for claim in names.question.functions] + [names.question.init]
    starts = [symbol for module in modules for symbol in symbols_of(module, called)]
    found, _ = reached(modules, starts)
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


_LIBRARIES = frozenset({"std", "core", "alloc"})


def _without_number(symbol: str) -> str:
    """A variable's name without the number that one inside of a function has."""
    return symbol if symbol.startswith("_Z") else symbol.partition(".")[0]


def _begun(modules: Sequence[Module]) -> set[str]:
    """The variables that static initialisers reach."""
    starts = [symbol for module in modules for symbol in module.initialisers]
    variables = {
        symbol for module in modules for symbol, item in module.globals.items() if not item.constant
    }
    return variables & {*reached(modules, starts)[0]}


def _begin_filled(names: Resolved) -> bool:
    """Whether static initialisers reach what the functions read."""
    modules = _modules(names)
    read, _ = reached(modules, _starts(names, with_init=False))
    return not _begun(modules).isdisjoint(read)


def _as_command(question: FunctionQuestion) -> str:
    """The command line that asks a question."""
    words = ["magicert", "verify", *map(str, question.sources)]
    if str(question.board) != "8x8":
        words += ["--board", str(question.board)]
    for claim in question.functions:
        words += ["--function", f"{claim.key}={claim.name}"]
    for name, value in (("init", question.init), ("target", question.target)):
        words += [f"--{name}", value] if value else []
    words += ["--compiler", question.compiler] if question.compiler else []
    words += ["--order", question.order] if question.order != "a1" else []
    words += ["--run"] if question.run else []
    words += [] if question.traps else ["--no-traps"]
    words += ["--", *question.flags] if question.flags else []
    return shlex.join(words)
