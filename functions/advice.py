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
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from magicert.functions.call_advice import first_call, with_calls
from magicert.functions.certificate import FunctionCertificate, ProcessEnded, SquareReport
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.broken_crates import script_without_crates
from magicert.functions.compile.call_texts import cuts_of
from magicert.functions.compile.cargo import edition_of
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import HEADERS, language_of, zigs_version
from magicert.functions.compile.dependencies import dependency_with
from magicert.functions.compile.fills import Fill, Project
from magicert.functions.compile.includers import defined_twice, including, takes_in
from magicert.functions.compile.made_before import (
    crates_of_registries,
    made_before,
    script_to_edit,
)
from magicert.functions.compile.names import (
    all_defined_beside,
    macro_calls,
    reached,
    without_scopes,
)
from magicert.functions.compile.zig_build import modules_of_build, version_stated
from magicert.functions.earlier import Earlier
from magicert.functions.llvm.call_shapes import OtherShape
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import PointerType
from magicert.functions.llvm.mangled_names import plain_name
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.functions.llvm.symbol_names import whole_name
from magicert.functions.other_orders import ANOTHER_ORDER
from magicert.functions.question import FunctionQuestion, as_call
from magicert.functions.resolved import (
    NeedsMoreError,
    Resolved,
    UnknownNameError,
    is_built_twice,
    resolved,
    symbols_of,
)
from magicert.outcome import Unknown
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

SECONDS = 240
"""At most, for all that compilers are asked for an advice."""
LEAST_SECONDS = 200
"""What an advice may take behind an answer that came at once."""
TIMES_THE_ANSWER = 2
"""How much longer an advice may take than the answer that it stands behind."""
INTERRUPTED = "interrupted"
"""How a square's message ends where whoever asked has stopped the work."""
MOST_ROUNDS = 8
"""Times that the sources are compiled with more."""
MOST_FILES = 10
"""Sources that are named in one command."""
MOST_ALIKE = 3
"""Files that define the same function, of which a build takes one."""
MOST_INCLUDERS = 4
"""Files that are tried in the place of a header which they take in."""
MOST_BEFORE = 3
"""Calls that are named because an init reads what they fill."""
_ADVICE = "this command has what is missing, as far as the project's text tells: "
_GUARD = re.compile(r"guard variable for ([\w:]+)\(\)::\w+")
"""What says whether a function's static variable is made; the function takes nothing."""
_NO_PROJECTS = ("std::", "__", "operator", "_Z", "llvm.")
"""How names begin that no project defines."""
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
    if not command and (order := next(filter(None, map(_order_in, squares)), "")):
        command = as_command(replace(question, order=order))
    return replace(result, advice=_ADVICE + command) if command else result


def _order_in(square: SquareReport) -> str:
    """The order of squares that a message names, where a function is right in it."""
    named = ANOTHER_ORDER.search(square.message)
    return named[1] if named else ""


def error_with_advice(error: InputError, question: FunctionQuestion, seconds: float) -> InputError:
    """The same with a command, where flags are missing, a call, what an init needs, or what cargo
    makes.
    """
    lacking = any(isinstance(one, ProcessEnded) and one.lacks for one in error.problems)
    lacking |= isinstance(error, UnknownNameError)
    is_there = any(isinstance(one, OtherShape) for one in error.problems)
    lacking |= is_there
    said = list[str]()
    needs_more = isinstance(error, DoesNotCompileError | NeedsMoreError)
    languages = [language_of(source) for source in question.sources]
    if needs_more and languages == ["rust"]:
        # A function that is there wants a call first, whatever else of its crate is not.
        command = _command_in_time(question, seconds, said) if is_there else ""
        if not command or made_before(question.sources[0], question.flags):
            command = command_behind_cargo(question, seconds, said, command)
    elif needs_more and languages == ["zig"]:
        words = "\n".join(problem.message for problem in error.problems)
        command = _command_with_zigs_build(question, words)
    else:
        in_c = {*languages} <= {"c", "c++"}
        command = _command_in_time(question, seconds, said) if in_c or lacking else ""
        if in_c and not command and isinstance(error, DoesNotCompileError):
            command = _command_that_fetches(question, error)
    if not command and not said:
        return error
    problems = [*error.problems, *map(Problem, said)]
    problems += [Problem(_ADVICE + command)] if command else []
    if isinstance(error, DoesNotCompileError):
        return DoesNotCompileError(problems, error.first, error.flags)
    return InputError(problems)


def command_behind_cargo(
    question: FunctionQuestion, seconds: float, said: list[str] | None = None, command: str = ""
) -> str:
    """The question, or a `command` that asks it, behind what makes its crates and files; "" where
    it lacks none. Crates of a registry are wanted last: without them the function may be proved.
    Which of them are others here is `said`.
    """
    how = question.sources[0], question.flags
    text = ""
    if made_before(*how) and (script := script_to_edit(question.sources[0])):
        with suppress(BudgetOverError, KeyboardInterrupt):
            limit = Deadline.after(max(LEAST_SECONDS, TIMES_THE_ANSWER * seconds))
            text = script_without_crates(script, edition_of(script), limit)
    if (before := made_before(*how, text) or crates_of_registries(*how)) is None:
        return ""
    command = command or as_command(_with_inits(question))
    flags = f"{'' if ' -- ' in command else ' --'} {before.flags}" if before.flags else ""
    if before.stand_ins and said is not None:
        said.append(
            f"in place of {listed(before.stand_ins)}, of the registry, this compiles magicert's "
            "stand-ins (random numbers are others than cargo's build has)"
        )
    return f"{before.words} && {command}{flags}"


def _command_that_fetches(question: FunctionQuestion, error: DoesNotCompileError) -> str:
    """The command behind what fetches the repository that has a header; "" where none is known."""
    words = "\n".join(problem.message for problem in error.problems)
    headers = re.findall(r"error: '([^']+)' file not found", words)
    for header in headers[-1:]:  # the last one is missing though all known flags are there
        if (found := dependency_with(header, question.sources[0])) is not None:
            first = Path(header).parts[0]
            more = [f"-I{found.folder.parent}"] if first == found.folder.name else []
            if with_flags := re.search(r"^With -- (.*) the compiler says: ", words, re.MULTILINE):
                more += shlex.split(with_flags[1])
            flags = merged(question.flags, more)
            return f"{found.words} && {as_command(replace(question, flags=flags))}"
    return ""


def _with_inits(question: FunctionQuestion) -> FunctionQuestion:
    """The question with what seems to fill the tables, where nothing can be compiled yet."""
    source = question.sources[0]
    if question.init or question.run:
        return question
    project = Project(source)
    found = (fill for one in question.functions for fill in project.fills_for(one.name))
    fills = {fill.call: fill for fill in found}
    init = _as_one([*fills], language_of(source), fills) if fills else ""
    return replace(question, init=init)


def _command_with_zigs_build(question: FunctionQuestion, words: str = "") -> str:
    """The command with the modules of build.zig and the version of zig that a project is for; ""
    where nothing says more than the question.
    """
    source, steps, more = question.sources[0], list[str](), question
    stated = version_stated(source, words)
    if stated and stated.words and not question.compiler and _is_another(stated.version):
        steps.append(stated.words)
        more = replace(more, compiler=stated.program)
    flags = ""
    if not any(flag.startswith("-M") for flag in question.flags):
        modules = modules_of_build(source)
        if modules is not None and "=FILE" in modules.flags:
            if "no module named" in words or more == question:
                return ""
            modules = None  # of a file that nobody knows, and perhaps of what is not asked for
        steps += [modules.words] if modules is not None and modules.made else []
        flags = modules.flags if modules is not None else ""
    if more == question and not flags:
        return ""
    flags = f"{'' if more.flags else ' --'} {flags}" if flags else ""
    return " && ".join([*steps, as_command(_with_inits(more)) + flags])


def _is_another(version: str) -> bool:
    """Whether a version of zig is not the one that compiles here, or is close to it."""
    with suppress(InputError):
        return not zigs_version().startswith(f"{version.rpartition('.')[0]}.")
    return False


def _command_in_time(
    question: FunctionQuestion, seconds: float, said: list[str] | None = None
) -> str:
    """The command, unless it takes far longer than the answer, or the user stops it: the answer is
    known, and is not to be lost.
    """
    limit = min(SECONDS, max(LEAST_SECONDS, TIMES_THE_ANSWER * seconds))
    return whole_command(question, Deadline.after(limit), said)


def whole_command(
    question: FunctionQuestion, deadline: Deadline = FOREVER, said: list[str] | None = None
) -> str:
    """The command that asks the same, with what is missing; "" where nothing is known. At the
    deadline, or where the user stops it, with what is known by then. What is to be `said` of what
    a function wants is added there.
    """
    said = said if said is not None else []
    languages = {language_of(source) for source in question.sources}
    if not languages <= {"c", "c++"} and (len(question.sources) > 1 or "ir" in languages):
        return ""
    more, begun = question, list[Resolved]()
    try:
        builds = Earlier(question, deadline).build() if languages == {"rust"} else None
        if builds is not None:
            question = more = replace(question, crate=builds[0].crate)  # which takes many calls
            begun.append(Resolved(builds[0], builds[1], (), is_built_twice(question)))
        for more in _completed(question, deadline, said, begun):  # noqa: B007 - the last is the best
            pass
    except NeedsMoreError:
        if languages == {"zig"}:
            return _command_with_zigs_build(more)
    except (BudgetOverError, KeyboardInterrupt):
        pass
    return as_command(more) if _says_more(more, question) else ""


def _says_more(more: FunctionQuestion, question: FunctionQuestion) -> bool:
    """Whether a question has more than whole names."""
    pairs = zip(more.functions, question.functions, strict=True)
    same = all(without_scopes(new.name) == without_scopes(old.name) for new, old in pairs)
    rest = replace(more, functions=question.functions)
    return not same or as_command(rest) != as_command(question)


def _completed(
    question: FunctionQuestion, deadline: Deadline, said: list[str], begun: list[Resolved]
) -> Iterator[FunctionQuestion]:
    """The question with more and more of what it lacks, each time one that compiles; `begun` has
    what is known of the first one.
    """
    project: Project | None = None
    in_c = language_of(question.sources[0]) in {"c", "c++"}
    seen, includers = _Seen(as_call(question.init) if question.init else ""), _Includers(question)
    asked = known = question
    for _ in range(MOST_ROUNDS):
        deadline.check()
        try:
            names = begun.pop() if begun else resolved(question, deadline)
        except InputError as error:
            if (open_fills := _without_private(seen.fills, error)) != seen.fills:
                seen.fills = open_fills  # what else is filled may fill these as well
                question = _filled_by(question, [], open_fills, asked)
                continue
            if isinstance(error, NeedsMoreError) and not in_c and question.crate is None:
                yield question
                raise
            mended = _mended(question, error, known, deadline, said)
            mended = includers.in_place_of_header(question, error, mended)
            if mended == question:  # a call that fills tables may be none, though a file is right
                mended = replace(question, init=known.init)
                seen.fills = {**seen.known_fills}
            if mended == question:
                return
            seen.left_out |= {str(one) for one in question.sources if one not in mended.sources}
            question = mended
            continue
        question = replace(question, crate=names.question.crate)
        if in_c and (once := _defining_once(question, names)) != question:
            question = once
            continue
        question = _calling(_with_whole_names(question, names), names) if in_c else question
        known, seen.known_fills = question, {**seen.fills}
        yield question
        if (called := with_calls(question, names, deadline, said)) != question:
            question = called
            continue
        if project is None:
            how = question.flags, question.target, question.compiler, deadline
            project = Project(question.sources[0], deadline, how, alone=question.crate is None)
        files, found = _lacking(question, names, project, seen, deadline)
        if not files and not found:
            if question.init or question.run or not _begin_filled(names):
                return
            question = replace(question, run=True)  # and what the initialisers need
            continue
        # What an init reads itself has to be filled before it.
        in_order = project.in_order([*found, *seen.fills.values()])
        seen.fills = {fill.call: fill for fill in in_order}
        question = _filled_by(question, files, seen.fills, asked)
        if question == known:
            return


@dataclass(slots=True)
class _Seen:
    """What was looked at on the way to a whole command: files that do not compile with the others,
    calls that fill tables, and variables whose calls were looked for.
    """

    asked_calls: str
    left_out: set[str] = field(default_factory=set)
    fills: dict[str, Fill] = field(default_factory=dict)
    known_fills: dict[str, Fill] = field(default_factory=dict)
    """Those that the compiler knows."""
    variables: set[str] = field(default_factory=set)


def _lacking(
    question: FunctionQuestion, names: Resolved, project: Project, seen: _Seen, deadline: Deadline
) -> tuple[list[str], list[Fill]]:
    """The files that a question lacks, and the calls that fill tables, but for those seen."""
    in_c = language_of(question.sources[0]) in {"c", "c++"}
    missing = _missing_files(names, seen.left_out) if in_c else {}
    files = [*missing.values()]
    if question.run:
        return files, []
    unfilled = _unfilled(names, missing) if in_c else _variables(names, deadline)
    unfilled = [one for one in unfilled if one not in seen.variables]
    seen.variables |= {*unfilled}
    ways = _filling(unfilled, project, names) or _made_by_itself(
        question, unfilled, project, deadline
    )
    found = _new_fills([fill for fill in ways if fill.call not in seen.asked_calls], seen.fills)
    elsewhere = (fill.file for fill in found if in_c and not _is_there(fill, names))
    return [*files, *(_shown(str(file)) for file in elsewhere)], found


class _Includers:
    """The files that take in the header of a question, for one that does not compile alone."""

    def __init__(self, question: FunctionQuestion) -> None:
        headers = (one for one in question.sources if one.suffix in HEADERS)
        self._header = self._last = next(headers, None)
        self._left: Iterator[Path] | None = None

    def in_place_of_header(
        self, question: FunctionQuestion, error: InputError, mended: FunctionQuestion
    ) -> FunctionQuestion:  # fmt: skip
        """The question as it is `mended`, or where it is not, with the next one of them; the same
        where there is none, or where the error is of something else.
        """
        if mended != question and mended.sources:
            return mended
        if self._header is None or self._last not in question.sources:
            return question
        if isinstance(error, DoesNotCompileError):
            is_its_own = error.problems[0].file == str(self._last)
        else:  # what a macro stands for may be declared where it is used
            is_its_own = isinstance(error, UnknownNameError)
            is_its_own &= any("(" in claim.name for claim in question.functions)
        if not is_its_own:
            return question
        if self._left is None:
            self._left = islice(including(self._header), MOST_INCLUDERS)
        if (path := next(self._left, None)) is None:
            return question
        last, self._last = self._last, Path(_shown(str(path)))
        sources = (self._last if one == last else one for one in question.sources)
        return replace(question, sources=tuple(dict.fromkeys(sources)))


def _defining_once(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question without headers that its sources take in, where both define the same; or with
    the flag by which C takes that of variables.
    """
    if len(question.sources) < 2 or not defined_twice(names.plain.modules):
        return question
    others = [one for one in question.sources if one.suffix not in HEADERS]
    headers = [one for one in question.sources if one.suffix in HEADERS]
    left = [one for one in headers if not any(takes_in(other, one) for other in others)]
    if left != headers:
        kept = tuple(one for one in question.sources if one in others or one in left)
        flags = [*question.flags]
        with suppress(ValueError):
            if not left and {language_of(one) for one in kept} == {"c"}:
                place = flags.index("-x")
                del flags[place : place + 2]
        return replace(question, sources=kept, flags=tuple(flags))
    in_c = {language_of(one) for one in question.sources} == {"c"}
    return replace(question, flags=merged(question.flags, ["-fcommon"])) if in_c else question


def _filled_by(
    question: FunctionQuestion, files: Sequence[str], fills: Mapping[str, Fill],
    asked: FunctionQuestion,
) -> FunctionQuestion:  # fmt: skip
    """The question with these fills before the init that was asked for."""
    return _with_more(question, files, [*fills, *filter(None, [asked.init])], fills)


def _without_private(fills: Mapping[str, Fill], error: InputError) -> dict[str, Fill]:
    """The calls without those of which a compiler says that they name something private."""
    words = " ".join(problem.message for problem in error.problems)
    private = {*re.findall(r"`(\w+)` is private", words)}
    return {call: fill for call, fill in fills.items() if private.isdisjoint(_WORD.findall(call))}


_WORD = re.compile(r"\w+")


def _with_more(
    question: FunctionQuestion, files: Sequence[str], inits: Sequence[str],
    fills: Mapping[str, Fill],
) -> FunctionQuestion:  # fmt: skip
    """The question with more files, and with these inits."""
    given = {source.resolve() for source in question.sources}
    more = [path for path in map(Path, dict.fromkeys(files)) if path.resolve() not in given]
    return replace(
        question,
        init=_as_one(inits, language_of(question.sources[0]), fills) if inits else "",
        sources=(*question.sources, *more)[:MOST_FILES],
        flags=(*question.flags, *_as_c(question, more)),
    )


def _made_by_itself(
    question: FunctionQuestion, unfilled: Sequence[str], project: Project, deadline: Deadline
) -> list[Fill]:
    """The first call of each function of Rust or Zig that makes one of these variables itself."""
    if question.init or language_of(question.sources[0]) in {"c", "c++"}:
        return []
    own = {claim: Fill(claim.name, question.sources[0].absolute()) for claim in question.functions}
    calls = (
        first_call(claim, question, deadline) for claim, fill in own.items()
        if any(project.makes(fill, variable) for variable in unfilled)
    )  # fmt: skip
    return [Fill(call, question.sources[0].absolute()) for call in calls if call]


def _new_fills(found: Sequence[Fill], fills: Mapping[str, Fill]) -> list[Fill]:
    """Those of the calls that are not known yet; behind known ones, only what fills no more than
    tables.
    """
    found = [fill for fill in found if fill.call not in fills]
    if fills:
        found = [fill for fill in found if fill.is_named_so]
        found = found if len(found) <= MOST_BEFORE else []
    return found


def _mended(
    question: FunctionQuestion, error: InputError, known: FunctionQuestion, deadline: Deadline,
    said: list[str],
) -> FunctionQuestion:  # fmt: skip
    """The question with what an error asks for: flags, a macro's call, a function's, of which is
    `said` what it wants, or without those files, new to the `known` question, that do not compile.
    """
    if not isinstance(error, DoesNotCompileError | UnknownNameError):
        return question  # what was added means nothing here
    flags = merged(question.flags, error.flags)
    if flags != question.flags:
        return replace(question, flags=flags)
    if (called := _calling_macros(question, deadline)) != question:
        return called
    if isinstance(error, UnknownNameError):
        return with_calls(question, None, deadline, said)
    bad = {one.file for one in error.problems} - {str(one) for one in known.sources}
    return replace(question, sources=tuple(one for one in question.sources if str(one) not in bad))


def _with_whole_names(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question with the namespaces of its functions, which the compiler is asked for once."""
    whole = names.question.functions
    if len(whole) != len(question.functions):
        return question  # instances of templates
    functions = (
        new if without_scopes(new.name) == without_scopes(old.name) else old
        for old, new in zip(question.functions, whole, strict=True)
    )
    return replace(question, functions=tuple(functions))


def _calling_macros(question: FunctionQuestion, deadline: Deadline) -> FunctionQuestion:
    """The question with the call of each macro in the place of its name."""
    how = question.flags, question.target, question.compiler, deadline
    names = [
        claim.name for claim in question.functions
        if claim.name.isidentifier() and len(claim.takes[0]) == 2
    ]  # fmt: skip
    calls = macro_calls(names, question.sources, how)
    functions = (
        replace(claim, name=calls.get(claim.name) or claim.name) for claim in question.functions
    )
    return replace(question, functions=tuple(functions))


def _calling(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question with a call of each function that several sources of C have from a header, or
    that cuts its result to more sets of squares than the occupied ones.
    """
    modules = _modules(names)

    def symbols_of_name(name: str) -> list[tuple[Module, str]]:
        symbols = ((one, symbol) for one in modules for symbol in symbols_of(one, [name]))
        return [(module, symbol) for module, symbol in symbols if symbol in module.bodies]

    def called(claim: FunctionClaim) -> FunctionClaim:
        named = symbols_of_name(claim.name)
        if len(claim.takes[0]) != 2 or not named:
            return claim
        module, symbol = named[0]
        kinds = [kind for kind, _, _ in module.signature(symbol)[1]]
        if any(isinstance(kind, PointerType) for kind in kinds):
            return claim  # no square, and no set of squares
        sizes = [*map(module.layout.size, kinds)]
        parameters, cuts = [""] * len(sizes), dict[str, str]()
        if len(sizes) > 2:
            texts = (cuts_of(claim.name, source.read_bytes()) for source in question.sources)
            same = (one for one in texts if len(one[0]) == len(sizes))
            parameters, cuts = next(same, (parameters, cuts))
        elif sum(claim.name in one.bodies for one in modules) < 2:
            return claim
        open_sizes = [size for one, size in zip(parameters, sizes, strict=True) if one not in cuts]
        if len(open_sizes) != 2 or open_sizes[0] == open_sizes[1]:
            return claim  # which one is the square, nothing here tells
        words = iter(claim.takes[0] if open_sizes[0] < open_sizes[1] else claim.takes[0][::-1])
        given = [cuts[one] if one in cuts else next(words) for one in parameters]
        return replace(claim, name=f"{claim.name}({', '.join(given)})")

    return replace(question, functions=tuple(map(called, question.functions)))


def _as_c(question: FunctionQuestion, more: Sequence[Path]) -> tuple[str, ...]:
    """What says that headers are of C, where all else is."""
    headers = [source for source in question.sources if source.suffix == ".h"]
    others = {language_of(one) for one in (*question.sources, *more) if one not in headers}
    return ("-x", "c") if headers and others == {"c"} and "-x" not in question.flags else ()


def _as_one(inits: Sequence[str], language: str, fills: Mapping[str, Fill]) -> str:
    """Several calls as one init; one function that takes nothing by its name alone."""
    if len(inits) > 1:
        return f"({', '.join(inits)})" if language == "rust" else ", ".join(inits)
    names = {"zig": r"[\w.]+", "rust": r"(?:[a-z_]\w*(?:::)?)+"}.get(language, r"[\w:]+")
    alone = re.fullmatch(rf"{names}\(\)", inits[0])
    if not alone or (inits[0] in fills and fills[inits[0]].makes_object):
        return inits[0]
    return inits[0].removesuffix("()").removeprefix("crate::")


def merged(flags: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
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


def _missing_files(names: Resolved, left_out: Collection[str]) -> dict[str, str]:
    """What no source defines, each symbol with the file of the project that does: of several, the
    first of those that are not `left_out`.
    """
    modules = _modules(names)
    starts = _starts(names, with_init=True)
    if names.question.init or names.question.run:  # which lets these run, too
        starts += [symbol for module in modules for symbol in module.initialisers]
    _, missing = reached(modules, starts)
    asked = {names.question.init, *(claim.name for claim in names.question.functions)}
    files, of_c = dict[str, str](), set[str]()
    if all(language_of(source) == "c++" for source in names.question.sources):
        declared = (symbol for module in modules for symbol in module.declared)
        of_c = {symbol for symbol in declared if not symbol.startswith("_Z")}  # as is abort()
    for symbol in missing:
        name = whole_name(symbol)
        if symbol in of_c | asked or name.startswith(_NO_PROJECTS):
            continue
        for is_variable in (False, True):
            defining = all_defined_beside(name, names.question.sources, variable=is_variable)
            shown = [one for one in map(_shown, defining) if one not in left_out]
            if shown and len(defining) <= MOST_ALIKE:
                files[symbol] = shown[0]
                break
    return files


def _shown(file: str) -> str:
    """A file by its name from here, where it lies below."""
    shown = os.path.relpath(file)
    return file if shown.startswith("..") else shown


def _unfilled(names: Resolved, known: Collection[str]) -> list[str]:
    """The variables that the functions and the init use, and that begin with nothing; those that
    are `known` to stand in another file are looked at when that is compiled.
    """
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
    empty += [symbol for symbol in missing if symbol in external and symbol not in known]
    whole = (
        plain_name(symbol) if symbol.startswith("_ZGV") else whole_name(_without_number(symbol))
        for symbol in empty
    )
    return list(dict.fromkeys(name for name in whole if not name.startswith(_NO_PROJECTS)))


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


def _fills_of(variable: str, project: Project, names: Resolved) -> list[Fill]:
    """The calls that fill a variable, or that are given a constant that points to it. What a
    function makes at its first call, that call makes.
    """
    if made := _GUARD.fullmatch(variable):
        return [Fill(f"{made[1]}()", Path(), is_there=True)]
    if fills := project.fills_of(variable):
        return fills
    pointing = (
        whole_name(symbol) for module in _modules(names) for symbol, item in module.globals.items()
        if item.constant and variable in _names_in(item.initial)
    )  # fmt: skip
    return next(filter(None, map(project.fills_of, pointing)), [])


def _is_there(fill: Fill, names: Resolved) -> bool:
    """Whether the sources define what fills, or their headers do: of two files that define it one
    is enough.
    """
    called = fill.call.partition("(")[0]
    return (
        fill.is_there
        or fill.file.suffix in HEADERS
        or any(
            symbol in module.bodies
            for module in _modules(names)
            for symbol in symbols_of(module, [called])
        )
    )


def _names_in(initial: str) -> set[str]:
    """The variables that an initial value points to."""
    return {whole_name(unquoted(one)) for one in re.findall(rf"@({NAME})", initial)}


def _without_number(symbol: str) -> str:
    """A variable's name without the number that one inside of a function has."""
    return symbol if symbol.startswith("_Z") else symbol.partition(".")[0]


def _filling(unfilled: Collection[str], project: Project, names: Resolved) -> list[Fill]:
    """The calls that fill variables, but for what static initialisers call; of those that these
    reach only calls that say so: they may do no more than to make empty ones of them.
    """
    modules = _modules(names)
    begun = {whole_name(_without_number(symbol)) for symbol in _begun(modules)}
    fills = [
        fill for one in unfilled for fill in _fills_of(one, project, names)
        if fill.is_named_so or one not in begun
    ]  # fmt: skip
    before = _called_before(modules) if fills else set()
    return [fill for fill in fills if fill.called not in before]


def _reached_before(modules: Sequence[Module]) -> list[str]:
    """The functions and variables that static initialisers reach."""
    return reached(modules, [symbol for one in modules for symbol in one.initialisers])[0]


def _called_before(modules: Sequence[Module]) -> set[str]:
    """The functions that static initialisers call, by their last names."""
    found = _reached_before(modules)
    texts = [
        (one, one.bodies[symbol]) for one in modules for symbol in found if symbol in one.bodies
    ]
    inlined = {name for module, body in texts for name in module.names.inside(body)}
    return inlined | {whole_name(symbol).rpartition("::")[2] for symbol in found}


def _begun(modules: Sequence[Module]) -> set[str]:
    """The variables that static initialisers reach."""
    variables = (item for module in modules for item in module.globals.values())
    return {item.name for item in variables if not item.constant} & {*_reached_before(modules)}


def _begin_filled(names: Resolved) -> bool:
    """Whether static initialisers reach what the functions read."""
    modules = _modules(names)
    read, _ = reached(modules, _starts(names, with_init=False))
    return not _begun(modules).isdisjoint(read)


def as_command(question: FunctionQuestion) -> str:
    """The command line that asks a question."""
    words = ["magicert", "verify", *map(str, question.sources)]
    if str(question.board) != "8x8":
        words += ["--board", str(question.board)]
    for claim in question.functions:
        words += ["--function", f"{claim.key}={claim.name}"]
    words += [] if question.functions else ["--functions"]
    for name, value in (("init", question.init), ("target", question.target)):
        words += [f"--{name}", value] if value else []
    words += ["--compiler", question.compiler] if question.compiler else []
    words += ["--order", question.order] if question.order != "a1" else []
    words += ["--run"] if question.run else []
    words += [] if question.traps else ["--no-traps"]
    words += ["--", *question.flags] if question.flags else []
    return shlex.join(words)
