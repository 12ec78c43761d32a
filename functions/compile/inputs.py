"""All that a compiler reads of some sources, as one hash: where it is the same as in an earlier
run, so is what the compiler makes of them.

    of both        the sources' names, the flags, the working folder, the environment,
                   and the files of the compiler itself, by their sizes and times
    C and C++      the text behind the preprocessor with all its macros, which it makes anew in each
                   run: so it is seen what is included now, and from where; each file of which it
                   has anything, for lines and columns; and what the driver makes of the flags
    Rust           the files that the compiler names, and those where its flags look for other
                   crates; of a package without such flags, which need not compile as it is, all
                   files of its project instead, read or not

What cannot be told so has no hash, and is compiled anew: flags that name files of other kinds, a
compiler that is a script, sources that take in a file which stands in no text above, macros of Rust
that are programs. Nor have sources of Zig, whose compiler has a cache of its own.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from magicert.functions.compile.clang_dumps import preprocessed
from magicert.functions.compile.compilers import (
    C_LANGUAGES,
    LONGEST,
    CompileOptions,
    Compiler,
    compiler_for,
    language_of,
)
from magicert.functions.compile.files_read import files_read
from magicert.functions.compile.projects import project_of, whole_path
from magicert.problem import InputError

MOST_BYTES = 256 << 20
"""Of all files of a crate's project. Larger ones are compiled anew: to read them takes as long."""
MOST_FILES = 5_000
IGNORED = frozenset({".git", "target"})
"""Folders of a project that are not looked at, and that no source may name."""
UNHEARD = frozenset({
    "_", "COLUMNS", "LINES", "MAGICERT_CACHE", "OLDPWD", "PYTEST_CURRENT_TEST", "SHLVL", "TERM",
    "WINDOWID",
})  # fmt: skip
"""Variables of the environment that no compiler asks for, and that are others in each terminal."""


class UnknownInputsError(Exception):
    """What the compiler reads is not known here."""


def inputs_hash(sources: Sequence[Path], *how: *CompileOptions) -> bytes | None:
    """The hash of what the compiler reads of these sources; None where that is not known. Raises
    BudgetOverError at the deadline.
    """
    whole = hashlib.sha256()
    try:
        for part in _parts(sources, *how):
            data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
            whole.update(b"%d " % len(data) + data)
    except (UnknownInputsError, InputError, OSError):
        return None
    return whole.digest()


def _parts(sources: Sequence[Path], *how: *CompileOptions) -> Iterator[str | bytes]:
    """Whatever must be the same."""
    environment = [pair for pair in sorted(os.environ.items()) if pair[0] not in UNHEARD]
    yield repr((how[:3], str(Path.cwd()), environment))
    for source in sources:
        yield str(source)
        language = language_of(source)
        if language in C_LANGUAGES:
            yield from _of_c(source, *how)
        elif language == "rust":
            yield from _of_rust(source, *how)
        else:
            raise UnknownInputsError


# C and C++.

_VALUES_BEHIND = frozenset({
    "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-x", "-target",
})  # fmt: skip
_PLAIN_FLAGS = re.compile(
    r"-[DUI].+|-(?:isystem|iquote|idirafter|include|imacros|x)[^-=].*|--target=[\w.-]+"
    r"|-std=[\w+:]+|-O\w*|-g\w*|-w|-W(?![apl],)[\w+#=-]*|-pedantic(?:-errors)?|-pthread|-ansi"
    r"|-m(?!llvm|link)[\w.+-]+(?:=[\w.,+-]+)?"
    r"|-f(?!plugin|pass-plugin|profile|auto-profile|module|prebuilt|implicit-module|xray|pch|embed"
    r"|thinlto|memory-profile|depscan|coverage|crash|save|stack-usage|proc-stat|time|diagnostics)"
    r"[\w-]+"
    r"|-f(?:constexpr-(?:depth|steps)|template-depth|bracket-depth)=\d+"
    r"|-f(?:visibility|ffp-contract|fp-contract|fp-model|sanitize|no-sanitize|lto)=[a-z,-]+"
)
"""Flags that are all that they say: none names a file that is read after the preprocessor."""
_TAKES_IN = re.compile(
    r'\bincbin|\.incbin|#\s*embed|#\s*pragma\s+(?:clang\s+module|GCC\s+pch)|"\s*\.include\b'
)
"""What brings in a file, or a module, behind the preprocessor."""
TIME = re.compile(r"\b__(?:DATE|TIME|TIMESTAMP)__\b")
"""What is another text in each run."""
_DRIVEN = re.compile(r'^ "([^"\n]+)" -cc1 (.*)', re.MULTILINE)
_LINE = re.compile(r'^#(?:line)? \d+ "((?:[^"\\]|\\.)*)"', re.MULTILINE)


def _of_c(source: Path, *how: *CompileOptions) -> Iterator[str | bytes]:
    words = iter(how[0])
    for flag in words:
        if flag in _VALUES_BEHIND:
            next(words, "")
        elif not _PLAIN_FLAGS.fullmatch(flag):
            raise UnknownInputsError
    text, driver, used = preprocessed(source, ("-dD", "-v"), *how)
    programs = _DRIVEN.findall(driver)
    if not text or len(programs) != 1 or "Configuration file" in driver:
        raise UnknownInputsError
    if _TAKES_IN.search(text):
        raise UnknownInputsError
    ((program, options),) = programs
    yield text
    if not TIME.search(text):
        options = re.sub(r" -source-date-epoch \d+", "", options)
    yield re.sub(r"\S*[0-9a-f]{6,16}-\S+\.o(?:\.d)?\b", "", options)  # zig's temporary files
    yield from _files(_named_in(text))
    yield from _compiler_files([used.command[0], program], used)
    resources = re.search(r"-resource-dir (\S+)", options)
    yield from map(_state, _below(Path(resources[1], "share")) if resources else ())


def _named_in(text: str) -> list[Path]:
    """The files of which a text behind the preprocessor has lines."""
    names = {re.sub(r"\\(.)", r"\1", name) for name in _LINE.findall(text)}
    return [Path(name) for name in sorted(names) if not re.fullmatch(r"<.*>", name)]


# Rust.

_PLAIN_WORDS = re.compile(
    r"-[OgA]|--edition=\d+|--cfg=.+|--cap-lints=\w+|-A[\w-]+"
    r"|-C(?:opt-level|target-cpu|target-feature|overflow-checks|debug-assertions|panic|lto"
    r"|codegen-units|debuginfo)(?:=[\w.,+-]+)?"
)
_TAKES_A_TEXT = re.compile(r"\binclude(?:_str|_bytes)?\s*!\s*(.{0,300}?)[)\]}]", re.DOTALL)
_TAKES_UNSEEN = re.compile(
    r"\binclude(?:_str|_bytes)?\s*(?:/[/*]|as\b|[,;}])|::\s*include(?:_str|_bytes)?\b|\bpath\s*/[/*]"
)
"""Such a macro under another name, or with a comment before what it takes."""
_IN_BRACKETS = re.compile(r'[(\[{]\s*(?:concat!\s*\(\s*)?"([^"\\]*)"[\s,]*')
_PATH = re.compile(r"#\s*!?\s*\[[^\]]*?\bpath\s*=\s*([^\]]*)")
_LITERAL = re.compile(r'"([^"\\]*)"[\s)]*')
_DYNAMIC = re.compile(r".*\.(?:so|dylib|dll)")


def _of_rust(source: Path, *how: *CompileOptions) -> Iterator[str | bytes]:
    flags, target, compiler, deadline = how
    others, named = _other_crates(flags)
    project = project_of(whole_path(source))
    if others or named or not (project / "Cargo.toml").exists():
        yield "the files that are read"
        files = files_read(source, flags, target, compiler, deadline)
        above = (folder / "Cargo.toml" for folder in source.absolute().parents)
        files += [path for path in above if path.is_file()]
    else:
        files = _whole_project(project)
        for path in files:
            if path.suffix == ".rs":
                _check_stays_inside(path, project)
    files += [path for other in others for path in ([other] if other.is_file() else _below(other))]
    if any(_DYNAMIC.fullmatch(path.name) for path in files):
        raise UnknownInputsError  # a macro that is a program may read anything
    if sum(path.stat().st_size for path in files) > MOST_BYTES:
        raise UnknownInputsError
    yield from _files(files)
    used = compiler_for("rust", compiler)
    result = subprocess.run(
        [*used.command, "--print", "sysroot"], capture_output=True, text=True, check=False,
        timeout=LONGEST, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    top = Path(result.stdout.strip())
    if result.returncode or not top.is_absolute():
        raise UnknownInputsError
    yield from _compiler_files([used.command[0], str(top / "bin" / "rustc")], used)
    yield from map(_state, _below(top / "lib"))


def _other_crates(flags: Sequence[str]) -> tuple[list[Path], bool]:
    """The files and folders in which flags name other crates, and whether they name any. Raises
    UnknownInputsError for flags of which it is not known what they read.
    """
    places, named, words = list[Path](), False, [*flags]
    while words:
        flag = words.pop(0)
        if flag in {"-C", "-A", "-L", "--cfg", "--edition", "--extern"} and words:
            flag += ("=" if flag.startswith("--") else "") + words.pop(0)
        if match := re.fullmatch(r"-L(?:\w+=)?(.+)", flag):
            places.append(Path(match[1]))
        elif match := re.fullmatch(r"--extern=\w+(?:=(.+))?", flag):
            named = True
            places += [Path(match[1])] if match[1] else []
        elif not _PLAIN_WORDS.fullmatch(flag):
            raise UnknownInputsError
    return places, named


def _whole_project(project: Path) -> list[Path]:
    """All files of a project, but for what git and cargo keep there."""
    files = list[Path]()
    for folder, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        here = Path(folder)
        if any((here / name).is_symlink() for name in folders):
            raise UnknownInputsError
        files += [here / name for name in sorted(names)]
        if len(files) > MOST_FILES:
            raise UnknownInputsError
    return files


def _check_stays_inside(path: Path, project: Path) -> None:
    """Raises UnknownInputsError where a source takes in a file that may lie outside its project, or
    is named by no plain text.
    """
    text = path.read_text("utf-8", "replace")
    if _TAKES_UNSEEN.search(text):
        raise UnknownInputsError
    for taken in _TAKES_A_TEXT.finditer(text):
        _check_literal(_IN_BRACKETS.fullmatch(taken[1]), path, project)
    for stated in _PATH.findall(text):
        _check_literal(_LITERAL.match(stated), path, project)


def _check_literal(literal: re.Match[str] | None, path: Path, project: Path) -> None:
    """Of a macro that another file calls it would be named from there: so it may not go upwards."""
    if literal is None:
        raise UnknownInputsError
    inside = Path(os.path.normpath(path.parent / literal[1]))
    upwards = ".." in literal[1] and "macro_rules" in path.read_text("utf-8", "replace")
    if upwards or not inside.is_relative_to(project):
        raise UnknownInputsError
    if IGNORED & set(inside.relative_to(project).parts):
        raise UnknownInputsError


# Files.


def _files(files: Iterable[Path]) -> Iterator[str | bytes]:
    for path in files:
        yield str(path)
        yield hashlib.sha256(path.read_bytes()).digest()


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []


_PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How files of machine code begin. A script may do anything, and call any program."""


def _compiler_files(programs: Iterable[str], compiler: Compiler) -> Iterator[str]:
    """What a compiler is: its programs and their libraries, as they lie there now."""
    yield repr(compiler)
    paths = [Path(program).resolve() for program in dict.fromkeys(programs)]
    if compiler.command[0] == sys.executable and (spec := find_spec("ziglang")) and spec.origin:
        package = Path(spec.origin).parent
        paths += [package / "__main__.py", package / "zig"]
    for path in paths:
        if path.suffix != ".py":
            with path.open("rb") as file:
                if not file.read(4).startswith(_PROGRAMS):
                    raise UnknownInputsError
        yield _state(path)
        libraries = [path.parent, path.parent.parent / "lib"]
        for folder in libraries:
            names = sorted(folder.glob("*.so*")) + sorted(folder.glob("*.dylib"))
            known = (one for one in names if re.search(r"LLVM|clang|rustc", one.name))
            yield from (_state(one) for one in known if one.is_file())


def _state(path: Path) -> str:
    """A file by its size and times: one that was changed has another time of change."""
    state = path.stat()
    return repr((str(path), state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino))
