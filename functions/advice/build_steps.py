"""The command behind what a project's own build does before: it makes crates and files, names
modules, takes another version of zig, or fetches the repository that has a header.

    use rand::random;     cargo build --release && magicert verify src/rook.rs --function rook=rook
                          -- -L target/release/deps --extern rand

Nothing of a build is done here: whoever types the command does it.
"""

import re
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from magicert.functions.advice.calls import with_made
from magicert.functions.advice.missing import as_one_init
from magicert.functions.compile.broken_crates import script_without_crates
from magicert.functions.compile.cargo import edition_of
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import language_of, zigs_version
from magicert.functions.compile.dependencies import dependency_with
from magicert.functions.compile.fills import Project
from magicert.functions.compile.made_before import (
    crates_of_registries,
    made_before,
    script_to_edit,
)
from magicert.functions.compile.stand_in_headers import STAND_IN
from magicert.functions.compile.zig_build import modules_of_build, version_stated
from magicert.functions.question import FunctionQuestion, as_command
from magicert.problem import InputError, listed
from magicert.system.deadline import BudgetOverError, Deadline


def command_behind_cargo(
    question: FunctionQuestion, limit: float, said: list[str] | None = None, command: str = ""
) -> str:
    """The question, or a `command` that asks it, behind what makes its crates and files; "" where
    it lacks none; within a `limit` of seconds. Crates of a registry are wanted last: without them
    the function may be proved. Which of them are others here is `said`.
    """
    how = question.sources[0], question.flags
    text = ""
    if made_before(*how) and (script := script_to_edit(question.sources[0])):
        with suppress(BudgetOverError, KeyboardInterrupt):
            text = script_without_crates(script, edition_of(script), Deadline.after(limit))
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


def command_that_fetches(question: FunctionQuestion, error: DoesNotCompileError) -> str:
    """The command behind what fetches the repository that has a header; "" where none is known."""
    said = "\n".join(problem.message for problem in error.problems)
    headers = re.findall(r"error: '([^']+)' file not found", said)
    for header in headers[-1:]:  # the last one is missing though all known flags are there
        if (found := dependency_with(header, question.sources[0])) is not None:
            first = Path(header).parts[0]
            more = [f"-I{found.folder.parent}"] if first == found.folder.name else []
            if with_flags := re.search(r"^With -- (.*) the compiler says: ", said, re.MULTILINE):
                words = shlex.split(with_flags[1])
                more += [word for word in words if not word.startswith(STAND_IN)]  # it is there now
            return f"{found.words} && {as_command(question.with_flags(more))}"
    return ""


def command_with_zigs_build(question: FunctionQuestion, words: str = "") -> str:
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


def _with_inits(question: FunctionQuestion) -> FunctionQuestion:
    """The question with what seems to fill the tables, where nothing can be compiled yet."""
    source, question = question.sources[0], with_made(question)
    if question.init or question.run:
        return question
    project = Project(source)
    found = (fill for one in question.functions for fill in project.fills_for(one.name))
    fills = {fill.call: fill for fill in found}
    init = as_one_init([*fills], language_of(source), fills) if fills else ""
    return replace(question, init=init)
