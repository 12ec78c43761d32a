"""The whole command that asks the same, with what is missing: round by round the sources are
compiled, what the functions then lack is added, and the next round shows what that lacks.

    verify attacks.h                                        slider_table is defined elsewhere
    verify attacks.h tables.cpp                             nothing fills slider_table
    verify attacks.h tables.cpp --init init_tables          compiles, and lacks nothing

Nothing is run to find it, and nothing follows from it: whoever types it says what is meant. The
compiler has said that it compiles; who fills a table is guessed from the project's text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from magicert.functions.advice.build_steps import command_with_zigs_build
from magicert.functions.advice.calls import first_call, made_by, with_calls
from magicert.functions.advice.mended import (
    Includers,
    defining_once,
    mended_question,
    with_calls_of_c,
    with_whole_names,
)
from magicert.functions.advice.missing import (
    as_one_init,
    begin_filled,
    fills_for,
    is_there,
    missing_files,
    shown_path,
    unfilled_variables,
    variables_used,
)
from magicert.functions.compile.compilers import C_LANGUAGES, language_in, language_of
from magicert.functions.compile.fills import Fill, Project
from magicert.functions.compile.names import without_scopes
from magicert.functions.earlier import Earlier
from magicert.functions.question import FunctionQuestion, as_call, as_command
from magicert.functions.resolved import NeedsMoreError, Resolved, is_built_twice, resolved
from magicert.problem import InputError
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

MOST_ROUNDS = 8
"""Times that the sources are compiled with more."""
MOST_FILES = 10
"""Sources that are named in one command."""
MOST_BEFORE = 3
"""Calls that are named because an init reads what they fill."""
_WORD = re.compile(r"\w+")


def whole_command(
    question: FunctionQuestion, deadline: Deadline = FOREVER, said: list[str] | None = None
) -> str:
    """The command that asks the same, with what is missing; "" where nothing is known. At the
    deadline, or where the user stops it, with what is known by then. What is to be `said` of what
    a function wants is added there.
    """
    said = said if said is not None else []
    languages = {language_of(source) for source in question.sources}
    if not languages <= C_LANGUAGES and (len(question.sources) > 1 or "ir" in languages):
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
            return command_with_zigs_build(more)
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
    in_c = language_of(question.sources[0]) in C_LANGUAGES
    seen, includers = _Seen(as_call(question.init) if question.init else ""), Includers(question)
    asked_init, known = question.init, question
    for _ in range(MOST_ROUNDS):
        deadline.check()
        try:
            names = begun.pop() if begun else resolved(question, deadline)
        except InputError as error:
            if (open_fills := _without_private(seen.fills, error)) != seen.fills:
                seen.fills = open_fills  # what else is filled may fill these as well
                question = _with_more(question, [], open_fills, asked_init)
                continue
            if isinstance(error, NeedsMoreError) and not in_c and question.crate is None:
                yield question
                raise
            mended = mended_question(question, error, known, deadline, said)
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
        if in_c and (once := defining_once(question, names)) != question:
            question = once
            continue
        question = with_calls_of_c(with_whole_names(question, names), names) if in_c else question
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
            if question.init or question.run or not begin_filled(names):
                return
            question = replace(question, run=True)  # and what the initialisers need
            continue
        # What an init reads itself has to be filled before it.
        in_order = project.in_order([*found, *seen.fills.values()])
        seen.fills = {fill.call: fill for fill in in_order}
        question = _with_more(question, files, seen.fills, asked_init)
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
    in_c = language_of(question.sources[0]) in C_LANGUAGES
    missing = missing_files(names, seen.left_out) if in_c else {}
    files = [*missing.values()]
    if question.run:
        return files, []
    unfilled = unfilled_variables(names, missing) if in_c else variables_used(names, deadline)
    unfilled = [one for one in unfilled if one not in seen.variables]
    seen.variables |= {*unfilled}
    ways = fills_for(unfilled, project, names) or _made_by_itself(
        question, unfilled, project, deadline
    )
    found = _new_fills([fill for fill in ways if fill.call not in seen.asked_calls], seen.fills)
    elsewhere = (fill.file for fill in found if in_c and not is_there(fill, names))
    return [*files, *(shown_path(str(file)) for file in elsewhere)], found


def _new_fills(found: Sequence[Fill], fills: Mapping[str, Fill]) -> list[Fill]:
    """Those of the calls that are not known yet; behind known ones, only what fills no more than
    tables.
    """
    found = [fill for fill in found if fill.call not in fills]
    if fills:
        found = [fill for fill in found if fill.is_named_so]
        found = found if len(found) <= MOST_BEFORE else []
    return found


def _made_by_itself(
    question: FunctionQuestion, unfilled: Sequence[str], project: Project, deadline: Deadline
) -> list[Fill]:
    """The first call of each function of Rust or Zig that makes one of these variables itself."""
    if question.init or language_of(question.sources[0]) in C_LANGUAGES:
        return []
    own = {claim: Fill(claim.name, question.sources[0].absolute()) for claim in question.functions}
    calls = (
        first_call(claim, question, deadline) for claim, fill in own.items()
        if any(project.makes(fill, variable) for variable in unfilled)
    )  # fmt: skip
    return [Fill(call, question.sources[0].absolute()) for call in calls if call]


def _without_private(fills: Mapping[str, Fill], error: InputError) -> dict[str, Fill]:
    """The calls without those of which a compiler says that they name something private."""
    words = " ".join(problem.message for problem in error.problems)
    private = {*re.findall(r"`(\w+)` is private", words)}
    return {call: fill for call, fill in fills.items() if private.isdisjoint(_WORD.findall(call))}


def _with_more(
    question: FunctionQuestion, files: Sequence[str], fills: Mapping[str, Fill], asked_init: str
) -> FunctionQuestion:
    """The question with more files, and with these fills before what its calls say is made, which
    may read what they fill, and before the init that was asked for.
    """
    made = [one for one in made_by(question.functions) if one not in asked_init]
    inits = [*fills, *(one for one in made if one not in fills), *filter(None, [asked_init])]
    given = {source.resolve() for source in question.sources}
    more = [path for path in map(Path, dict.fromkeys(files)) if path.resolve() not in given]
    return replace(
        question,
        init=as_one_init(inits, language_of(question.sources[0]), fills) if inits else "",
        sources=(*question.sources, *more)[:MOST_FILES],
        flags=(*question.flags, *_as_c(question, more)),
    )


def _as_c(question: FunctionQuestion, more: Sequence[Path]) -> tuple[str, ...]:
    """What says that headers are of C, where all else is."""
    headers = [source for source in question.sources if source.suffix == ".h"]
    files = [one for one in (*question.sources, *more) if one not in headers]
    others = {language_in(one, question.flags) for one in files}
    return ("-x", "c") if headers and others == {"c"} and "-x" not in question.flags else ()
