"""From sources to LLVM's assembly text: which compiler, how it is called, what it says.

attack.c  ->  clang -S -emit-llvm -g -O2 ...          what the function computes
          ->  clang -E -O2 ...  ->  attack.i          what its macros made of the source there,
              and that with undefined behaviour as traps

So both builds are of one program: in C and C++ the second one compiles what the first one's macros
leave, in Rust both have the same `cfg`, and of Zig, whose mode says what is checked, no source may
ask for its mode. Nothing that lies in a folder says which program compiles: names are looked for on
PATH where its folders have whole paths, Rust's compiler is that of the default toolchain.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from magicert.functions.compile.cargo import cargos_flags, cargos_variables, edition_of, roots_of
from magicert.functions.compile.compilers import (
    LONGEST,
    ZIGS_OWN,
    Compiler,
    compiler_for,
    cpu_flags,
    zig_target,
)
from magicert.functions.compile.crates import (
    Crate,
    is_unstable,
    mirrored,
    root_of,
    without_broken_items,
)
from magicert.functions.compile.forced import (
    DEDUCED,
    LINK,
    ForcedFunction,
    as_inline,
    compile_with_forced,
    is_deduced,
    project_of,
    with_source_paths,
)
from magicert.functions.compile.hints import flags_missing, flags_to_try, standards_to_try
from magicert.functions.compile.once import once
from magicert.functions.compile.rust_errors import PATTERN_LINTS
from magicert.functions.compile.stand_ins import as_shown, stand_in_flags, stand_ins_for
from magicert.functions.llvm.symbol_names import without_aliases
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

LANGUAGES = {
    ".c": "c", ".h": "c++", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hpp": "c++",
    ".hh": "c++", ".C": "c++", ".rs": "rust", ".zig": "zig", ".ll": "ir", ".bc": "ir",
}  # fmt: skip
HEADERS = frozenset({".h", ".hpp", ".hh"})
"""Endings of files that sources include."""
MOST_ROUNDS = 6
"""Times that a source is compiled with flags that its last errors have named."""
CONSTEXPR_STEPS = 1_000_000_000
"""For tables that are made while compiling: clang alone stops at 2^20, GCC at 2^25."""
KEEPS_APART = 20
"""The first version of clang that can keep checks of one kind apart, each with its line."""
PRINTS_NOTHING_ALONE = 16
"""The last version of clang whose zig (0.11) has no function in a module that it only prints."""
NIGHTLY = "RUSTC_BOOTSTRAP"
"""What makes the nightly compiler of its version out of a stable rustc."""
UB_CHECKS = 78
"""The first version of rustc (1.78) whose library can check unsafe code by itself, apart from the
source's `debug_assert!`.
"""
NEUTRAL = ("-U_FORTIFY_SOURCE", "-UNDEBUG")
"""What some compilers define unasked, and others do not: zig NDEBUG from -O1 on."""
_NUMBERS = count()
KEEP_ALL = ("-C", "link-dead-code=yes")
"""With this rustc keeps functions that are small, private or `#[inline]` as well."""
LARGEST = 64 << 20
"""Bytes of a module that are read."""
# Where an address may point is looked at here, load by load. A signed number that is shifted out of
# its type wraps: C++20 says so, of C GCC does, and clang has nothing else.
TRAPS = (
    "-fsanitize=undefined", "-fsanitize-trap=undefined",
    "-fno-sanitize=function,vptr,alignment,pointer-overflow,object-size,shift-base",
)  # fmt: skip


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


class NeedsMoreError(InputError):
    """What is asked for needs something of a crate that does not compile here, or a module of Zig
    that nothing names.
    """


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


def language_of(path: Path) -> str:
    """The language of a file by its ending. Raises InputError for an ending that is none."""
    language = LANGUAGES.get(path.suffix) or LANGUAGES.get(path.suffix.lower())
    if language is None:
        ending = (
            f"{path.suffix}: expected" if path.suffix else "a function wants a source that ends in"
        )
        message = f"{ending} one of {', '.join(LANGUAGES)}"
        message += "; other languages: magicert emit --check-harness"
        raise InputError([Problem(message, file=str(path))])
    return language


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
    refused = {name: words for one in made for name, words in one.refused.items()}
    commands = tuple(one.command for one in made)
    modules = tuple(one.module for one in made if one.module is not None)
    compilers = "; ".join(dict.fromkeys(filter(None, (one.version for one in made))))
    names = tuple(map(str, sources))
    command_text = _commands_text(commands)
    return Compiled(modules, names, command_text, compilers, all_kept, refused, commands, known_in)


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
        more = _for_a_crate(source, flags, keep=bool(keep or crate)) if language == "rust" else ()
        more += _stand_in_flags(crate, used, target)
        refused = dict[str, str]()
        with TemporaryDirectory(prefix="magicert-") as folder:
            out = Path(folder) / "module.ll"
            make = partial(
                _make, used, language, source, out, (*flags, *more), target, deadline, traps=traps
            )  # fmt: skip
            forced, words = compile_with_forced(
                source, language, keep, Path(folder), make, refused, or_alone=alone, crate=crate
            )  # fmt: skip
            if not alone and not words:
                return _CompiledSource(None, version=used.version, refused=refused)
            if out.stat().st_size > LARGEST:
                raise InputError([Problem(f"its IR has more than {LARGEST:,} bytes", str(source))])
            text = _with_plain_names(out.read_text("utf-8", "replace"))
            text = with_source_paths(text, out.parent, source, before='(?<=filename: ")')
            text = as_inline(text) if language == "c" else text
            text = without_aliases(text) if language == "rust" else text
            text = _without_folder(text, Path(folder))
            if language == "zig":
                # It writes a comma too many where it prints a module before any pass.
                text = _GONE.sub("", text.replace(", , !", ", !"))
        words = [Path(part).name if part == used.command[0] else part for part in words]
        command = as_shown(" ".join(words[:-1]))
        if language == "rust" and is_unstable(source):
            command = f"{NIGHTLY}=1 {command}"
        command = command.replace(str(out), "module.ll").replace(folder, ".")
        command = re.sub(r"\./overlay\d+\.json", "./overlay.json", command)
        keeping = f" (keeping {', '.join(forced)})" if forced else ""
        keeping += _of_crate(crate, source) if crate is not None else ""
        return _CompiledSource(text, (command, words[-1] + keeping), used.version, forced, refused)

    if language_of(source) == "ir":
        if source.stat().st_size > LARGEST:
            raise InputError([Problem(f"more than {LARGEST:,} bytes", str(source))])
        data = source.read_bytes()
        return _CompiledSource(data.decode("utf-8", "replace") if source.suffix == ".ll" else data)
    language, used = _preprocessed(source, flags, compiler)
    of_crate: tuple[object, ...] = ()
    if crate is not None:
        of_crate = (crate.root, crate.stand_ins, *sorted(crate.texts.items()))
    key = (source, tuple(flags), target, compiler, traps, keep, alone, of_crate)
    return once(key, compile_it)


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


def _without_folder(text: str, folder: Path) -> str:
    """A module without the name of a temporary folder, which is another one in each run: in what it
    says of files. What its strings hold is the source's.
    """
    name = re.escape(folder.name)
    lines = rf"^(?:; ModuleID|source_filename|!\d+ = (?:distinct )?!DI).*{name}.*$"
    inside = rf"""(["'])[^"']*{name}/?"""
    return re.sub(lines, lambda line: re.sub(inside, r"\1", line[0]), text, flags=re.MULTILINE)


def _for_a_crate(source: Path, flags: Sequence[str], *, keep: bool) -> tuple[str, ...]:
    """More flags of rustc: what cargo gives it, and what keeps all functions."""
    return KEEP_ALL * keep + cargos_flags(source, flags)


def _stand_in_flags(crate: Crate | None, used: Compiler, target: str) -> tuple[str, ...]:
    """The flags that name to rustc what stands in for crates that are not here."""
    if crate is None or not crate.stand_ins:
        return ()
    return (*stand_in_flags(crate.stand_ins, used, _rust_target(target)),)


def _rust_target(target: str) -> list[str]:
    """The system for which rustc compiles, and which processor."""
    return cpu_flags(target, "-C", "target-cpu=", "--target")


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


def all_compiled(
    sources: Sequence[Path], flags: Sequence[str], target: str, compiler: str, deadline: Deadline
) -> list[str]:
    """The sources of C or C++ as modules that have every function, called or not."""
    modules = []
    for source in sources:
        with TemporaryDirectory(prefix="magicert-") as folder:
            out = Path(folder) / "module.ll"
            language, used = _preprocessed(source, flags, compiler)
            whole = (*flags, "-femit-all-decls", "-Xclang", "-disable-llvm-passes")
            _make(used, language, source, out, whole, target, deadline, source, traps=False)
            modules.append(_with_plain_names(out.read_text("utf-8", "replace")))
    return modules


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


def syntax_tree(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    folder: Path, dump: Sequence[str] = ("-ast-dump",), more: Sequence[str] = (),
) -> tuple[Path, str]:  # fmt: skip
    """A file with the syntax tree that clang makes of a source, or what else it is to `dump` of
    that; empty where it makes none. And what the compiler says, with `more` flags.
    """
    language, used = _preprocessed(source, flags, compiler)
    out = folder / "module.ll"
    words = [word for option in dump for word in ("-Xclang", option)]
    whole = (*flags, *words, *more, "-fno-color-diagnostics")
    command = _command(used, language, source, out, whole, target, traps=False)
    tree_file, output_file = folder / "tree", folder / "said"
    with tree_file.open("wb") as tree, output_file.open("wb") as errors:
        environment = _environment(used, folder)
        _until_done(command, deadline, tree, errors, environment)
    # Zig looks for a file that clang does not write beside the tree.
    output = output_file.read_text("utf-8", "replace")
    lines = output.splitlines()
    if any("error:" in line and "failed to rename" not in line for line in lines):
        tree_file.write_bytes(b"")
    return tree_file, output


CompileOptions = tuple[Sequence[str], str, str, Deadline]
"""Flags, target, compiler and deadline, as the functions here take them behind a source."""


_OF_A_SCOPE = re.compile(
    r"^Dumping .*\n(?:NamespaceDecl|CXXRecordDecl|ClassTemplate\w*Decl|EnumDecl) ", re.MULTILINE
)


def declared_as(source: Path, name: str, among: str, *how: *CompileOptions) -> str:
    """What clang dumps of all that has `name` in its name. It is asked for what has `among`, a part
    of `name` that other names have as well, so that it is asked once for all of these.
    """
    flags, target, compiler, _ = how
    dumped: dict[str, str] = once((source, "-ast-dump", tuple(flags), target, compiler), dict)

    for part in dict.fromkeys((*(part for part in dumped if part in name), among, name)):
        if part not in dumped:
            with TemporaryDirectory(prefix="magicert-") as folder:
                dump = "-ast-dump", "-ast-dump-filter", part
                tree, _ = syntax_tree(source, *how, Path(folder), dump)
                dumped[part] = tree.read_text("utf-8", "replace")
        # Of a scope that has it in its name, clang does not say which functions are in it.
        if not _OF_A_SCOPE.search(dumped[part]):
            break
    return dumped[part]


def declared_names(source: Path, *how: *CompileOptions) -> list[str]:
    """The names of all that a source of C or C++ declares, but for a library's own."""
    with TemporaryDirectory(prefix="magicert-") as folder:
        tree, _ = syntax_tree(source, *how, Path(folder), ("-ast-list",))
        names = tree.read_text("utf-8", "replace")
    own_names = (
        name for name in names.splitlines() if name and not re.match(r"std::|.*__|_[A-Z]", name)
    )
    return list(dict.fromkeys(own_names))


def macros(source: Path, *how: *CompileOptions) -> str:
    """The #define lines of all macros that there are at the end of a source of C or C++."""
    flags, target, compiler, _ = how
    key = (source, "#define", tuple(flags), target, compiler)
    return once(key, lambda: preprocessed(source, ("-dM",), *how)[0])


def preprocessed(
    source: Path, more: Sequence[str], flags: Sequence[str], target: str, compiler: str,
    deadline: Deadline,
) -> tuple[str, str, Compiler]:  # fmt: skip
    """What a source of C or C++ is before it is compiled, by its flags and `more` ones: "" where
    the compiler refuses it. And what the compiler says, and which one that is.
    """
    language, used = _preprocessed(source, flags, compiler)
    with TemporaryDirectory(prefix="magicert-") as folder:
        out, said = Path(folder) / "expanded.i", Path(folder) / "said"
        whole = (*flags, *more)
        command = _command(used, language, source, out, whole, target, traps=False, step="expand")
        with said.open("wb") as errors:
            environment = _environment(used, Path(folder))
            status, _ = _until_done(command, deadline, subprocess.DEVNULL, errors, environment)
        text = out.read_text("utf-8", "replace") if out.is_file() and not status else ""
        return text, said.read_text("utf-8", "replace").replace(folder, "."), used


def crate_of(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    *, stand_ins: bool = True,
) -> Crate | None:  # fmt: skip
    """The crate of a source of Rust that does not compile, without the items that are the reason,
    with `stand_ins` for crates that are not here; None where that comes to nothing.
    """
    used = compiler_for("rust", compiler)
    edition = edition_of(source)
    package, stated = roots_of(source)
    root, project = root_of(source, package, stated), project_of(Path(os.path.abspath(source)))  # noqa: PTH100
    others = tuple(stand_ins_for(source, flags)) if stand_ins else ()
    flags = (
        *flags, *cargos_flags(source, flags),
        *stand_in_flags(others, used, _rust_target(target)),
    )  # fmt: skip
    with TemporaryDirectory(prefix="magicert-") as folder:
        out = Path(folder) / "module.ll"
        environment = {**cargos_variables(source), **_environment(used, out.parent, source)}

        def compile_root(root: Path) -> tuple[int, str]:
            command = _command(used, "rust", root, out, flags, target, traps=False)
            command = [f"--emit=metadata={out}" if w.startswith("--emit") else w for w in command]
            lints = (f"--force-warn={lint}" for lint in PATTERN_LINTS)
            command_line = [*command, "--error-format=json", *lints]
            return _until_done(
                command_line, deadline, subprocess.DEVNULL, subprocess.PIPE, environment
            )

        return without_broken_items(
            root, project, Path(folder) / LINK, compile_root, edition, others
        )


def script_without_crates(script: Path, edition: str, deadline: Deadline) -> str:
    """A build script's text without what does not compile here, if that makes an executable: it
    calls nothing that was left out. "" where it does not.
    """
    script, used = Path(os.path.abspath(script)), compiler_for("rust")  # noqa: PTH100 (no ..)
    with TemporaryDirectory(prefix="magicert-") as folder:
        flags = "--cap-lints=allow", "--error-format=json", "-O", f"--edition={edition}"
        out, link = Path(folder) / "script", Path(folder) / LINK

        def compile_script(root: Path) -> tuple[int, str]:
            lints = (f"--force-warn={lint}" for lint in PATTERN_LINTS)
            command = [*used.command, *flags, *lints, "-o", str(out), str(root)]
            environment = _environment(used, out.parent)
            return _until_done(command, deadline, subprocess.DEVNULL, subprocess.PIPE, environment)

        crate = without_broken_items(script, project_of(script), link, compile_script, edition)
    texts = crate.texts if crate is not None else {}
    return texts[script] if [*texts] == [script] else ""


def error_of_root(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline
) -> DoesNotCompileError | None:
    """What the compiler says of a source's crate, where another file is its root: of a module alone
    it says that all else is missing.
    """
    root = root_of(source, *roots_of(source))
    if root == Path(os.path.abspath(source)):  # noqa: PTH100 (no ..)
        return None
    here = Path.cwd()
    root = root.relative_to(here) if root.is_relative_to(here) else root
    with TemporaryDirectory(prefix="magicert-") as folder:
        out, used = Path(folder) / "module.ll", compiler_for("rust", compiler)
        known = stand_in_flags(stand_ins_for(source, flags), used, _rust_target(target))
        more = (*flags, *cargos_flags(source, flags), *known)
        try:
            _make(used, "rust", root, out, more, target, deadline, root, traps=False)
        except DoesNotCompileError as error:
            return error
    return None


def files_of(
    sources: Sequence[Path], flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    crate: Crate | None = None,
) -> dict[Path, str]:  # fmt: skip
    """The files of Zig or Rust that the compiler reads for these sources, as texts; of a `crate`
    with what that leaves out.
    """
    if language_of(sources[0]) == "zig":
        named = [Path(flag.partition("=")[2]) for flag in flags if flag.startswith("-M")]
        return _imported([*sources, *named])
    files = list[Path]()
    for source in sources:
        files += files_read(source, flags, target, compiler, deadline, crate)
    contents = {path: path.read_bytes() for path in files}
    # Code that is taken in by include!() may have any ending; a file of numbers often is no text.
    takes_code = any(re.search(rb"\binclude\b", data) for data in contents.values())
    texts = dict[Path, str]()
    for path, data in contents.items():
        if path.suffix == ".rs" or takes_code:
            with suppress(UnicodeDecodeError):
                texts[path] = data.decode("utf-8")
    return texts


def files_read(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    crate: Crate | None = None,
) -> list[Path]:  # fmt: skip
    """The files that rustc reads for a source. Raises InputError where it does not compile."""
    used = compiler_for("rust", compiler)
    with TemporaryDirectory(prefix="magicert-") as folder:
        out = Path(folder) / "module.ll"
        more = *cargos_flags(source, flags), f"--emit=dep-info={folder}/files"
        place = source
        if crate is not None:
            project = project_of(crate.root)
            mirrored(project, Path(folder) / LINK, crate.texts)
            place = Path(folder) / LINK / crate.root.relative_to(project)
        more = (*more, *_stand_in_flags(crate, used, target))
        command = _command(used, "rust", place, out, (*flags, *more), target, traps=False)
        command = [word for word in command if not word.startswith("--emit=llvm-ir")]
        environment = {**cargos_variables(source), **_environment(used, out.parent, source)}
        _run(command, used, source, deadline, str, environment)
        lines = (Path(folder) / "files").read_text("utf-8", "replace").splitlines()
        files = [Path(line[:-1].replace("\\ ", " ")) for line in lines if line.endswith(":")]
        if crate is not None:
            link = Path(folder) / LINK
            files = [project / os.path.relpath(path, link) for path in files]
    return files


def _imported(roots: Sequence[Path]) -> dict[Path, str]:
    """The files of Zig with all that they import by a path."""
    texts: dict[Path, str] = {}
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path in texts or not path.is_file():
            continue
        texts[path] = text = path.read_text("utf-8", "replace")
        names = re.findall(r'@import\((?:\s|//[^\n]*\n)*"([^"]*\.zig)"', text)
        waiting += [Path(os.path.normpath(path.parent / name)) for name in names]
    return texts


def language_in(source: Path, flags: Sequence[str]) -> str:
    """The language in which a source is compiled: flags may say so of a header, for example."""
    language = language_of(source)
    c = language == "c++" and re.search(r"(?:^| )-x ?c(?: |$)", " ".join(flags))
    return "c" if c else language


def _preprocessed(source: Path, flags: Sequence[str], compiler: str) -> tuple[str, Compiler]:
    """The language of a source, and what compiles it."""
    language = language_in(source, flags)
    return language, compiler_for(language, compiler)


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
        _make(used, language, file, out, flags, target, deadline, file, traps=False)
    except InputError as error:
        messages = [problem.message for problem in error.problems]
        return next((line for line in messages if re.search(r"\berror\b", line)), messages[0])
    return DEDUCED if language == "c++" and is_deduced(out) else ""


def _make(
    compiler: Compiler, language: str, source: Path, out: Path, flags: Sequence[str], target: str,
    deadline: Deadline, input_file: Path, *, traps: bool,
) -> list[str]:  # fmt: skip
    """Compile what is `input_file` of a source: the command, with the source's name."""
    if input_file != source and language in {"c", "c++"}:
        flags, input_file = (*_in_place_of(source, input_file), *flags), source

    def run(input_file: Path, out: Path, *, traps: bool, step: str = "") -> list[str]:
        command = _command(
            compiler, language, input_file, out, flags, target, traps=traps, step=step
        )
        with_paths = partial(with_source_paths, folder=out.parent, source=source)
        checks = traps and language == "rust"
        rust_source = source if language == "rust" else None
        environment = _environment(compiler, out.parent, rust_source, checks=checks)
        if language == "rust":
            environment = {**cargos_variables(source), **environment}
        _run(command, compiler, source, deadline, with_paths, environment)
        return command

    if traps and language in {"c", "c++"}:
        expanded = out.with_name("expanded.i")
        run(input_file, expanded, traps=False, step="expand")
        command = run(expanded, out, traps=True, step="expanded")
    else:
        command = run(input_file, out, traps=traps)
    return [str(source) if part == str(input_file) else part for part in command]


def _in_place_of(source: Path, other: Path) -> list[str]:
    """Flags with which clang finds another file where the source lies."""
    overlay = other.with_name(f"overlay{next(_NUMBERS)}.json")  # zig would not see it change
    root = {
        "type": "file", "name": os.path.abspath(source), "external-contents": str(other),  # noqa: PTH100
    }  # fmt: skip
    vfs_overlay = {"version": 0, "use-external-names": False, "roots": [root]}
    overlay.write_text(json.dumps(vfs_overlay), "utf-8")
    return ["-ivfsoverlay", str(overlay)]


def _environment(
    compiler: Compiler, folder: Path, source: Path | None = None, *, checks: bool = False
) -> dict[str, str]:
    """What a compiler finds in its environment: one time for all builds, and for what zig has
    compiled a temporary `folder`. What that has from earlier runs it takes without a look at where
    an #include finds its file now. A `source` of Rust may ask for what only nightly compilers have:
    the stable one of the same version has it, too, if it is told so.
    """
    here = {"SOURCE_DATE_EPOCH": str(_now()), **os.environ, "PWD": str(Path.cwd())}
    if compiler.kind == "zig":
        here["ZIG_LOCAL_CACHE_DIR"] = str(folder / "zig")
    if checks or (source is not None and is_unstable(source)):
        here[NIGHTLY] = "1"  # also for -Z, which is asked for below
    return here


@cache
def _now() -> int:
    return int(time.time())


def _command(
    compiler: Compiler, language: str, source: Path, out: Path, flags: Sequence[str],
    target: str, *, traps: bool, step: str = "",
) -> list[str]:  # fmt: skip
    """What is called, the user's flags included. Of C and C++ a `step` is to "expand" macros, or to
    compile what was "expanded".
    """
    if language == "rust":
        # That integers wrap is defined in Rust, unless the user's flags ask for a panic.
        wraps = () if any("overflow-checks" in flag for flag in flags) else ("overflow-checks=off",)
        settings = *wraps, "no-prepopulate-passes"
        checks = [word for check in settings for word in ("-C", check)] if traps else []
        if traps:  # debug_assert! is the source's own: it is there where its flags say so
            version = re.search(r"rustc 1\.(\d+)", compiler.version)
            new = not version or int(version[1]) >= UB_CHECKS
            checks += ["-Z", "ub-checks=yes"] if new else ["-C", "debug-assertions=on"]
        level = [] if any("opt-level" in flag or flag == "-O" for flag in flags) else ["-O"]
        where = _rust_target(target)
        return [  # without a folder, rustc's own files of two runs in one place are the same
            *compiler.command, "--crate-type=lib", "--cap-lints=allow", f"--emit=llvm-ir={out}",
            f"--out-dir={out.parent}", "-g",
            "-C", "codegen-units=1", "-C", "panic=abort", *level, *where, *flags, *checks,
            str(source),
        ]  # fmt: skip
    if language == "zig":
        mode = [] if any(flag.startswith("-O") for flag in flags) else ["-OReleaseFast"]
        emitted = [f"-femit-llvm-ir={out}"]
        if traps:
            pairs = zip(("", *flags), flags, strict=False)  # the mode may be a word of its own
            flags = [flag for last, flag in pairs if last != "-O" and not flag.startswith("-O")]
            mode = ["-OReleaseSafe"]
            alone = _clangs_version(compiler) > PRINTS_NOTHING_ALONE
            passed = [] if alone else [f"-femit-llvm-ir={out}.passed"]
            emitted = [f"--verbose-llvm-ir={out}", *passed]  # before any pass
        cpu, triple = zig_target(target)
        # Flags that name modules name the root as well: zig takes no file beside them.
        modules = any(flag.startswith("-Mroot=") for flag in flags)
        root = [] if modules else [str(source)]
        if source.parent == out.parent:  # it takes the source in, and is the root in its place
            flags = [f"-Mroot={source}" if flag.startswith("-Mroot=") else flag for flag in flags]
        return [
            *compiler.command, "build-obj", "-fno-emit-bin", *emitted, "-fno-strip",
            "-target", triple, f"-mcpu={cpu}", *mode, *flags, *root,
        ]  # fmt: skip
    if compiler.kind == "zig":
        # Without -x it would make a precompiled header of a .h or .hpp.
        driver = [*compiler.command, "cc" if language == "c" else "c++", "-x", language]
        cpu, triple = zig_target(target)
        flags = _as_zig_takes_them(flags)
        has_processor = any(flag.startswith(("-march", "-mcpu")) for flag in flags)
        where = [] if "-target" in flags else ["-target", triple]
        where += [] if has_processor else [f"-mcpu={cpu}"]
        where += ["-Wno-date-time"]  # zig refuses __DATE__, which other compilers take
    else:
        driver = [*compiler.command, "-x", language]
        where = cpu_flags(target, "", "-march=", "--target=") if target else []
    # The first does nothing: a flag before it whose value is missing would take it for that.
    checks = ["-pipe", "-fno-sanitize=all"]
    if traps:
        # Where zig reads ours itself, it hands on what others turn off, behind them.
        flags = [flag for flag in flags if not flag.startswith(("-fsanitize", "-fno-sanitize"))]
        checks = ["-pipe", *TRAPS, "-O1", "-Xclang", "-disable-llvm-passes"]
        if _clangs_version(compiler) >= KEEPS_APART:
            checks.append("-fno-sanitize-merge")
    if step == "expanded":
        flags, checks = [*_without_macros(flags)], [*checks, "-undef"]
    level = [] if any(flag.startswith("-O") for flag in flags) else ["-O2"]
    if language == "c++" and not any(flag.startswith("-fconstexpr-steps") for flag in flags):
        level.append(f"-fconstexpr-steps={CONSTEXPR_STEPS}")
    makes = ["-E"] if step == "expand" else ["-S", "-emit-llvm", "-g"]
    return [
        *driver, *makes, *NEUTRAL, *where, *level, *flags, *checks, "-o", str(out), str(source),
    ]  # fmt: skip


def _clangs_version(compiler: Compiler) -> int:
    """The version of clang that a compiler is, or that zig has; 0 where it does not say it."""
    version = re.search(r"clang version (\d+)", compiler.version)
    return int(version[1]) if version else 0


def _as_zig_takes_them(flags: Sequence[str]) -> list[str]:
    """Flags with processors by the names that zig has for them."""
    return [re.sub(ZIGS_OWN, lambda cpu: cpu[0].replace("-", "_"), flag) for flag in flags]


def _without_macros(flags: Sequence[str]) -> Iterator[str]:
    """Flags but for those that define macros or bring files in: that is done already."""
    skips = False
    for flag in flags:
        if skips or flag in {"-D", "-U", "-include", "-imacros"}:
            skips = not skips
        elif not re.match(r"-[DU]|-include|-imacros|--include=|--imacros=", flag):
            yield flag


def _run(
    command: Sequence[str], compiler: Compiler, source: Path, deadline: Deadline,
    with_paths: Callable[[str], str], environment: Mapping[str, str],
) -> None:  # fmt: skip
    """In a group of its own: a compiler's driver has children, which must end with it."""
    status, output = _until_done(
        command, deadline, subprocess.DEVNULL, subprocess.PIPE, environment
    )
    if status:
        output = with_paths(output)
        lines = [
            line for line in output.splitlines() if line.strip() and "zig: warning" not in line
        ]
        first = next((n for n, line in enumerate(lines) if re.search(r"\berror\b", line)), 0)
        lines = lines[first:]  # warnings may fill pages
        if "unrecognized optimization mode" in output:
            lines.append("Zig's own are -ODebug, -OReleaseSafe, -OReleaseFast and -OReleaseSmall")
        pairs = [*pairwise(command)]
        language = "c" if ("-x", "c") in pairs else language_of(source)
        said, lines = lines, [*lines[:20], *flags_missing(output, language, source, command)]
        flags = list[str]()
        asks = any(word.startswith("-ivfsoverlay") for word in command)
        if command[-1] == str(source) and not asks:  # for nothing in its place
            more, flags = _tried(
                command, compiler, output, language, source, deadline, with_paths, environment
            )
            lines += more
        message = f"{compiler.version} does not compile it:"
        problems = [Problem(line) for line in lines]
        first_error = lines[0].strip() if lines else f"exit status {status}"
        raise DoesNotCompileError(
            [Problem(message, file=str(source)), *problems], first_error, flags, said
        )


def _tried(
    command: Sequence[str], compiler: Compiler, compiler_output: str, language: str, source: Path,
    deadline: Deadline, with_paths: Callable[[str], str], environment: Mapping[str, str],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """All flags that a compiler's words name, one set behind the other: what they come to together,
    where that is more than these words alone tell; and the flags, where it compiles with them.
    """
    more, rounds = list[str](), 0
    words, ending = list(command[:-3]), command[-3:]  # which is -o OUT SOURCE
    known: tuple[list[str], str] | None = None
    """The flags that its words have named, and what it said with these."""
    standards = list[str]()
    while rounds < MOST_ROUNDS:
        new = flags_to_try(compiler_output, language, source, [*words, *more])
        if not new:
            if known is None:
                known = more, compiler_output
                standards = standards_to_try(compiler_output, language, source, [*words, *more])
            if not standards:
                break
            new, more = [standards.pop(0)], known[0]
        if any(flag.startswith("-std=") for flag in new):
            more = [flag for flag in more if not flag.startswith("-std=")]
        more, rounds = [*more, *new], rounds + 1
        given = more
        if compiler.kind == "zig" and any(flag.startswith("-march") for flag in more):
            given = _as_zig_takes_them(more)
            words = [word for word in words if not word.startswith("-mcpu=")]
        command_line = [*words, *given, *ending]
        status, compiler_output = _until_done(
            command_line, deadline, subprocess.DEVNULL, subprocess.PIPE, environment
        )
        if not status:
            return [f"It compiles with -- {shlex.join(more)}"], more
    if known is None:
        return [], []
    more, compiler_output = known
    if not more:
        return [], []
    errors = (
        line for line in with_paths(compiler_output).splitlines() if re.search(r"\berror\b", line)
    )
    first = next(errors, "it does not compile")
    rest = flags_missing(compiler_output, language, source, [*words, *more])
    return [f"With -- {shlex.join(more)} the compiler says: {first}", *rest], []


def _until_done(
    command: Sequence[str],
    deadline: Deadline,
    stdout: int | BinaryIO,
    stderr: int | BinaryIO,
    environment: Mapping[str, str],
) -> tuple[int, str]:
    """The exit status and, where that goes nowhere else, what is said on standard error."""
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
