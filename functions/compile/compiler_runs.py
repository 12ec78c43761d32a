"""A compiler that is run: on a source, or on what stands in its place; and why it compiles nothing.

    error: ... '_pext_u64' requires target feature 'bmi2'    what clang says from its first error on
    It compiles with -- -mbmi2                               what that asks for, which was tried

It ends at the deadline, with all processes that it has started.
"""

import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

from magicert.functions.compile.cargo import cargos_flags
from magicert.functions.compile.compiler_commands import compile_command, environment_of
from magicert.functions.compile.compilers import (
    C_LANGUAGES,
    LONGEST,
    CompileOptions,
    Compiler,
    compiler_for,
    language_in,
)
from magicert.functions.compile.forced_c import DEDUCED, is_deduced
from magicert.functions.compile.hints import flags_missing, flags_to_try, standards_to_try
from magicert.functions.compile.projects import whole_path, with_source_paths
from magicert.problem import InputError, Problem
from magicert.system.deadline import BudgetOverError, Deadline

MOST_ROUNDS = 6
"""Times that a source is compiled with flags that its last errors have named."""
MOST_LINES = 20
"""Lines of a compiler's words that are shown."""
_NUMBERS = count()


class DoesNotCompileError(InputError):
    """A source that does not compile, with the compiler's words; `first` is its first error, and
    with `flags` it would compile, where some are known. `output` has all that the compiler said.
    """

    def __init__(
        self, problems: Sequence[Problem], first: str, flags: Sequence[str] = (),
        output: Sequence[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(problems)
        self.first = first
        self.flags = tuple(flags)
        self.output = tuple(output)


def compile_source(
    compiler: Compiler, language: str, source: Path, out: Path, flags: Sequence[str], target: str,
    deadline: Deadline, input_file: Path, *, traps: bool,
) -> list[str]:  # fmt: skip
    """Compile what is `input_file` of a source: the command, with the source's name."""
    of_c = language in C_LANGUAGES
    of_c_in_place = of_c and input_file != source
    if of_c_in_place:
        flags, input_file = (*_in_place_of(source, input_file), *flags), source
    rust_source = source if language == "rust" else None
    checks = traps and language == "rust"
    environment = environment_of(compiler, out.parent, rust_source, checks=checks)
    with_paths = partial(with_source_paths, folder=out.parent, source=source)

    def run(input_file: Path, out: Path, *, traps: bool, step: str = "") -> list[str]:
        def command_with(more: Sequence[str]) -> list[str]:
            said = language_in(source, [*flags, *more]) if more else language
            return compile_command(
                compiler, said, input_file, out, [*flags, *more], target, traps=traps, step=step
            )

        # What stands in a source's place is not asked for its flags: the source alone is.
        tries = input_file == source and not of_c_in_place
        return CompilerRun(
            command_with, compiler, source, deadline, environment, with_paths, tries_flags=tries
        ).run()

    if traps and of_c:
        expanded = out.with_name("expanded.i")
        run(input_file, expanded, traps=False, step="expand")
        command = run(expanded, out, traps=True, step="expanded")
    else:
        command = run(input_file, out, traps=traps)
    return [str(source) if part == str(input_file) else part for part in command]


def compile_text(text: str, file: Path, language: str, source: Path, *how: *CompileOptions) -> str:
    """Compile a text that takes a source in, as a file beside which nothing else is needed: why the
    compiler does not, in its words; "" where it does.
    """
    flags, target, compiler, deadline = how
    used, out = compiler_for(language, compiler), file.with_name("module.ll")
    if language == "rust":
        flags = (*flags, *cargos_flags(source, flags))
    file.write_text(text, "utf-8", "surrogateescape")
    try:
        compile_source(used, language, file, out, flags, target, deadline, file, traps=False)
    except InputError as error:
        messages = [problem.message for problem in error.problems]
        return next((line for line in messages if re.search(r"\berror\b", line)), messages[0])
    return DEDUCED if language == "c++" and is_deduced(out) else ""


def _in_place_of(source: Path, other: Path) -> list[str]:
    """Flags with which clang finds another file where the source lies."""
    overlay = other.with_name(f"overlay{next(_NUMBERS)}.json")  # zig would not see it change
    root = {
        "type": "file", "name": str(whole_path(source)), "external-contents": str(other),
    }  # fmt: skip
    vfs_overlay = {"version": 0, "use-external-names": False, "roots": [root]}
    overlay.write_text(json.dumps(vfs_overlay), "utf-8")
    return ["-ivfsoverlay", str(overlay)]


@dataclass(frozen=True, slots=True)
class CompilerRun:
    """One call of a compiler for a source: its command, with flags beside those that are asked for.
    `with_paths` says of its words which files are meant, and `tries_flags` whether those that its
    words name are tried.
    """

    command_with: Callable[[Sequence[str]], list[str]]
    compiler: Compiler
    source: Path
    deadline: Deadline
    environment: Mapping[str, str]
    with_paths: Callable[[str], str] = str
    tries_flags: bool = False

    def run(self) -> list[str]:
        """The command. Raises DoesNotCompileError where it does not compile, with flags that were
        tried.
        """
        command = self.command_with(())
        status, output = until_done(command, self.deadline, self.environment)
        if not status:
            return command
        output = self.with_paths(output)
        lines = _from_first_error(output)
        language = language_in(self.source, command)
        shown, flags = lines[:MOST_LINES], list[str]()
        shown += flags_missing(output, language, self.source, command)
        if self.tries_flags:
            more, flags = self._with_flags_tried(output)
            shown += more
        message = f"{self.compiler.version} does not compile it:"
        problems = [Problem(message, file=str(self.source)), *map(Problem, shown)]
        first_error = shown[0].strip() if shown else f"exit status {status}"
        raise DoesNotCompileError(problems, first_error, flags, lines)

    def _with_flags_tried(self, output: str) -> tuple[list[str], list[str]]:
        """All flags that a compiler's words name, one set behind the other: what they come to
        together, where that is more than these words alone tell; and the flags, where it compiles
        with them.
        """
        more, rounds = list[str](), 0
        named: tuple[list[str], str] | None = None
        """The flags that its words have named, and what it said with these."""
        standards = list[str]()
        while rounds < MOST_ROUNDS:
            new = self._asked(flags_to_try, output, more)
            if not new:
                if named is None:
                    named = more, output
                    standards = self._asked(standards_to_try, output, more)
                if not standards:
                    break
                new, more = [standards.pop(0)], named[0]
            if any(flag.startswith("-std=") for flag in new):
                more = [flag for flag in more if not flag.startswith("-std=")]
            more, rounds = [*more, *new], rounds + 1
            status, output = until_done(self.command_with(more), self.deadline, self.environment)
            if not status:
                return [f"It compiles with -- {shlex.join(more)}"], more
        if named is None or not named[0]:
            return [], []
        more, output = named
        output_lines = self.with_paths(output).splitlines()
        errors = (line for line in output_lines if re.search(r"\berror\b", line))
        first = next(errors, "it does not compile")
        rest = self._asked(flags_missing, output, more)
        return [f"With -- {shlex.join(more)} the compiler says: {first}", *rest], []

    def _asked(
        self, hints: Callable[[str, str, Path, Sequence[str]], list[str]], output: str,
        more: Sequence[str],
    ) -> list[str]:  # fmt: skip
        """What may be missing, by what the compiler has said with more flags."""
        command = self.command_with(more)
        return hints(output, language_in(self.source, command), self.source, command)


def _from_first_error(output: str) -> list[str]:
    """The lines of a compiler's words from its first error on: warnings may fill pages."""
    lines = [line for line in output.splitlines() if line.strip() and "zig: warning" not in line]
    first = next((n for n, line in enumerate(lines) if re.search(r"\berror\b", line)), 0)
    lines = lines[first:]
    if "unrecognized optimization mode" in output:
        lines.append("Zig's own are -ODebug, -OReleaseSafe, -OReleaseFast and -OReleaseSmall")
    return lines


def until_done(
    command: Sequence[str], deadline: Deadline, environment: Mapping[str, str],
    stdout: int | BinaryIO = subprocess.DEVNULL, stderr: int | BinaryIO = subprocess.PIPE,
) -> tuple[int, str]:  # fmt: skip
    """The exit status and, where that goes nowhere else, what is said on standard error. It runs in
    a group of its own: a compiler's driver has children, which must end with it.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
        text=True, errors="replace", start_new_session=True, env=environment,
    ) as child:  # fmt: skip
        try:
            _, output = child.communicate(timeout=min(LONGEST, deadline.left))
        except subprocess.TimeoutExpired:
            _end(child)
            raise BudgetOverError from None
        except BaseException:
            _end(child)
            raise
    return child.returncode, output or ""


def _end(child: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
