"""From sources to LLVM's assembly text: all that is compiled of them, as modules.

    attack.c  ->  clang -S -emit-llvm -g -O2 ...          what the function computes
              ->  clang -E -O2 ...  ->  attack.i          what its macros made of the source there,
                  and that with undefined behaviour as traps

A module says nothing of temporary files, and is the same in each run.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.compile.cargo import cargos_flags
from magicert.functions.compile.compiler_commands import NIGHTLY
from magicert.functions.compile.compiler_runs import compile_source
from magicert.functions.compile.compilers import (
    Compiler,
    language_and_compiler,
    language_of,
)
from magicert.functions.compile.crates import Crate, is_unstable
from magicert.functions.compile.forced import compile_with_forced
from magicert.functions.compile.forced_c import as_inline
from magicert.functions.compile.forced_function import ForcedFunction
from magicert.functions.compile.once import once
from magicert.functions.compile.projects import with_source_paths
from magicert.functions.compile.stand_in_headers import with_stand_ins_shown
from magicert.functions.compile.stand_ins import as_shown, stand_in_flags
from magicert.functions.llvm.symbol_names import without_aliases
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import FOREVER, Deadline

KEEP_ALL = ("-C", "link-dead-code=yes")
"""With this rustc keeps functions that are small, private or `#[inline]` as well."""
LARGEST = 64 << 20
"""Bytes of a module that are read."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the compiler made of each source: assembly text, or bitcode that was given. `command` is
    what made it, without the names of temporary files, `commands` the same of each source, and
    `forced` what of C, C++ and Zig was kept, with the way, `known_in` with the numbers of the
    sources that know it; of what was not, `refused` has the compiler's words.
    """

    modules: tuple[str | bytes, ...]
    names: tuple[str, ...]
    command: str
    compiler: str
    forced: Mapping[str, int | None] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[tuple[str, str], ...] = ()
    known_in: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def compiled(
    sources: Sequence[Path],
    flags: Sequence[str],
    target: str,
    compiler: str,
    *,
    traps: bool,
    keep: Sequence[ForcedFunction] = (),
    deadline: Deadline = FOREVER,
    without: Compiled | None = None,
    crate: Crate | None = None,
) -> Compiled:
    """All sources as one module, with functions to `keep` that the compiler would leave out;
    `without` is what it made before without them, for a source that knows none of them. `crate` is
    what is compiled of Rust in place of the source.

    Raises InputError with the compiler's words, and BudgetOverError at the deadline.
    """
    _check_files(sources)
    made = [
        _compiled_source(
            source, flags, target, compiler, deadline,
            traps=traps, alone=without is None, crate=crate,
            keep=tuple(one for one in keep if one.known_in is None or place in one.known_in),
        )
        for place, source in enumerate(sources)
    ]  # fmt: skip
    if without is not None:  # what knows none of the functions is as it was
        befores = zip(without.modules, without.commands, strict=True)
        made = [
            replace(one, module=before, command=command) if one.module is None else one
            for one, (before, command) in zip(made, befores, strict=True)
        ]
    all_kept, known_in = dict[str, int | None](), dict[str, tuple[int, ...]]()
    for place, one in enumerate(made):
        for name, way in one.forced.items():
            all_kept[name] = way if all_kept.get(name, way) == way else None
            known_in[name] = (*known_in.get(name, ()), place)
    commands = tuple(one.command for one in made)
    return Compiled(
        modules=tuple(one.module for one in made if one.module is not None),
        names=tuple(map(str, sources)),
        command=_commands_text(commands),
        compiler="; ".join(dict.fromkeys(filter(None, (one.version for one in made)))),
        forced=all_kept,
        refused={name: words for one in made for name, words in one.refused.items()},
        commands=commands,
        known_in=known_in,
    )


def all_compiled(
    sources: Sequence[Path], flags: Sequence[str], target: str, compiler: str, deadline: Deadline
) -> list[str]:
    """The sources of C or C++ as modules that have every function, called or not."""
    modules = []
    for source in sources:
        with TemporaryDirectory(prefix="magicert-") as folder:
            out = Path(folder) / "module.ll"
            language, used = language_and_compiler(source, flags, compiler)
            whole = (*flags, "-femit-all-decls", "-Xclang", "-disable-llvm-passes")
            compile_source(
                used, language, source, out, whole, target, deadline, source, traps=False
            )
            modules.append(_with_plain_names(out.read_text("utf-8", "replace")))
    return modules


def _check_files(sources: Sequence[Path]) -> None:
    """Raises InputError for sources that are no files, or that compilers would take for options."""
    missing = [
        Problem("no such file", file=str(source)) for source in sources if not source.is_file()
    ]
    if missing:
        raise InputError(missing)
    if options := [source for source in sources if str(source)[:1] in {"-", "@"}]:
        message = "begins as an option does, and compilers would take it for one: rename it"
        raise InputError([Problem(message, file=str(source)) for source in options])


@dataclass(frozen=True, slots=True)
class _CompiledSource:
    """What a compiler made of one source; no `module` where that has none of the functions."""

    module: str | bytes | None
    command: tuple[str, str] = ("", "")
    version: str = ""
    forced: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


def _compiled_source(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    *, traps: bool, keep: tuple[ForcedFunction, ...], alone: bool, crate: Crate | None,
) -> _CompiledSource:  # fmt: skip
    """One source as a module, with functions to `keep`: where it knows none of them only if it is
    to be compiled `alone`, too.
    """

    def compile_it() -> _CompiledSource:
        more = _more_of_rust(source, flags, used, target, crate, keep) if language == "rust" else ()
        refused = dict[str, str]()
        with TemporaryDirectory(prefix="magicert-") as folder:
            out = Path(folder) / "module.ll"
            make = partial(
                compile_source, used, language, source, out, (*flags, *more), target, deadline,
                traps=traps,
            )  # fmt: skip
            forced, words = compile_with_forced(
                source, language, keep, Path(folder), make, refused, or_alone=alone, crate=crate
            )  # fmt: skip
            if not alone and not words:
                return _CompiledSource(None, version=used.version, refused=refused)
            text = _module_text(out, language, source)
        command = _as_command(words[:-1], used, language, source, out)
        command = with_stand_ins_shown(command, flags)
        kept = f" (keeping {', '.join(forced)})" if forced else ""
        kept += _of_crate(crate, source) if crate is not None else ""
        return _CompiledSource(text, (command, words[-1] + kept), used.version, forced, refused)

    if language_of(source) == "ir":
        return _given_module(source)
    language, used = language_and_compiler(source, flags, compiler)
    of_crate: tuple[object, ...] = ()
    if crate is not None:
        of_crate = (crate.root, crate.stand_ins, *sorted(crate.texts.items()))
    key = (source, tuple(flags), target, compiler, traps, keep, alone, of_crate)
    return once(key, compile_it)


def _given_module(source: Path) -> _CompiledSource:
    """A module that is given in place of a source, as text or bitcode."""
    if source.stat().st_size > LARGEST:
        raise InputError([Problem(f"more than {LARGEST:,} bytes", str(source))])
    data = source.read_bytes()
    return _CompiledSource(data.decode("utf-8", "replace") if source.suffix == ".ll" else data)


def _more_of_rust(
    source: Path, flags: Sequence[str], compiler: Compiler, target: str, crate: Crate | None,
    keep: Sequence[ForcedFunction],
) -> tuple[str, ...]:  # fmt: skip
    """More flags of rustc: what cargo gives it, what keeps all functions, and what stands in for
    crates that are not here.
    """
    keep_all = KEEP_ALL if keep or crate is not None else ()
    stand_ins = stand_in_flags(crate.stand_ins, compiler, target) if crate is not None else ()
    return (*keep_all, *cargos_flags(source, flags), *stand_ins)


def _module_text(module: Path, language: str, source: Path) -> str:
    """A compiler's module as it is read here: with plain names, and the source's own files."""
    if module.stat().st_size > LARGEST:
        raise InputError([Problem(f"its IR has more than {LARGEST:,} bytes", str(source))])
    text = _with_plain_names(module.read_text("utf-8", "replace"))
    text = with_source_paths(text, module.parent, source, before='(?<=filename: ")')
    text = as_inline(text) if language == "c" else text
    text = without_aliases(text) if language == "rust" else text
    text = _without_folder(text, module.parent)
    if language == "zig":
        # It writes a comma too many where it prints a module before any pass.
        text = _GONE.sub("", text.replace(", , !", ", !"))
    return text


def _as_command(
    words: Sequence[str], compiler: Compiler, language: str, source: Path, out: Path
) -> str:
    """The words of a command but for its last one, without the names of temporary files."""
    words = [Path(part).name if part == compiler.command[0] else part for part in words]
    command = as_shown(" ".join(words))
    if language == "rust" and is_unstable(source):
        command = f"{NIGHTLY}=1 {command}"
    command = command.replace(str(out), "module.ll").replace(str(out.parent), ".")
    return re.sub(r"\./overlay\d+\.json", "./overlay.json", command)


def _of_crate(crate: Crate, source: Path) -> str:
    """What is compiled in place of a source, in brackets behind it."""
    root = "" if crate.root == source.absolute() else f" (by its crate's root, {crate.root.name})"
    if crate.stand_ins:
        root += f" (with stand-ins for {listed([one.name for one in crate.stand_ins])})"
    return root + (f" (without what does not compile: {crate.as_words})" if crate.left_out else "")


def _commands_text(commands: Iterable[tuple[str, str]]) -> str:
    """The commands of several sources, each once."""
    sources_by_command: dict[str, list[str]] = {}
    for command, source in commands:
        if command:
            sources_by_command.setdefault(command, []).append(source)
    return "; ".join(
        f"{command} {'; the same with '.join(each)}" for command, each in sources_by_command.items()
    )


def _without_folder(text: str, folder: Path) -> str:
    """A module without the name of a temporary folder, which is another one in each run: in what it
    says of files. What its strings hold is the source's.
    """
    name = re.escape(folder.name)
    lines = rf"^(?:; ModuleID|source_filename|!\d+ = (?:distinct )?!DI).*{name}.*$"
    inside = rf"""(["'])[^"']*{name}/?"""
    return re.sub(lines, lambda line: re.sub(inside, r"\1", line[0]), text, flags=re.MULTILINE)


_GONE = re.compile(
    r"(?<=[\",])-(?:3dnowa?|avx10\.\d-\d+|avx512(?:er|pf)|evex512|prefetchwt1)(?:,|(?=\"))"
)
"""Features of processors that an older Zig turns off, and newer versions of LLVM have no more: they
would say so of each function.
"""
_QUOTED = re.compile(r'([@$]?)"([^"\n]*)"')
_BYTE = re.compile(r"\\([89A-F][0-9A-F])")
_LINE_WITH_BYTE = re.compile(rf"^.*{_BYTE.pattern}.*$", re.MULTILINE)


def _with_plain_names(text: str) -> str:
    """A module whose symbols have plain letters alone: LLVM writes another one in hexadecimal, and
    its library gives the letter itself, so that what one calls so the other would not find.
    """

    def plain(quoted: re.Match[str]) -> str:
        return _BYTE.sub(r"$\1", quoted[0]) if quoted[1] else quoted[0]

    return _LINE_WITH_BYTE.sub(lambda line: _QUOTED.sub(plain, line[0]), text)
