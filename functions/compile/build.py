"""Flags that a build passes to its compiler, from its compile_commands.json.

It is a stranger's file. So a flag is taken only if it is one of those here, which say what the
source means: folders of headers, macros, the language's version, the processor. None of them runs
or loads a program, reads another file of flags, or names another compiler.

    {"directory": "/engine/build", "file": "../src/attacks.cpp",
     "command": "ccache g++ -I../include -DNDEBUG -std=c++20 -mbmi2 -Wall -o attacks.o ..."}
    ->  -I/engine/include -DNDEBUG -std=c++20 -mbmi2
"""

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from magicert.problem import InputError, Problem, listed

FOLDERS = ("-I", "-isystem", "-iquote")
MACROS = ("-D", "-U")
_SWITCHES = (
    "exceptions", "cxx-exceptions", "rtti", "strict-aliasing", "strict-overflow", "wrapv", "trapv",
    "signed-char", "unsigned-char", "short-enums", "short-wchar", "common", "PIC", "pic", "PIE",
    "pie", "inline", "inline-functions", "builtin", "freestanding", "hosted", "fast-math",
    "math-errno", "finite-math-only", "trapping-math", "unroll-loops", "omit-frame-pointer",
    "stack-protector", "stack-protector-strong", "stack-protector-all", "char8_t", "coroutines",
    "ms-extensions", "gnu89-inline", "delete-null-pointer-checks", "aligned-new",
    "sized-deallocation", "threadsafe-statics", "visibility-inlines-hidden",
    "asynchronous-unwind-tables", "unwind-tables", "function-sections", "data-sections",
    "vectorize", "slp-vectorize", "strict-enums", "strict-return", "jump-tables",
    "merge-all-constants", "semantic-interposition", "plt", "experimental-library",
)  # fmt: skip
_SINGLE = re.compile(
    r"-std=[\w+:]+|-O(?:[0-3sgz]|fast)?"
    r"|-m(?!llvm|mlir|odule|thread-model)[a-z0-9.+-]+(?:=[\w.+,-]+)?"  # these take a word, or act
    rf"|-f(?:no-)?(?:{'|'.join(_SWITCHES)})"
    r"|-f(?:constexpr-steps|constexpr-depth|template-depth)=\d+|-fvisibility=\w+"
)
_QUIET = re.compile(
    r"-c|-S|-E|-g.*|-W.*|-w|-pipe|-pedantic(?:-errors)?|-M[DMGPFTQJ]*|-pthread|-v|-###"
)
"""What says nothing of what the source means."""
_WITH_A_WORD = frozenset({
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-Xclang", "-Xpreprocessor", "-Xassembler", "-Xlinker",
    "-include", "-include-pch", "-imacros", "-B", "-specs", "--specs", "-target", "--param",
    "-arch", "-isysroot", "--sysroot", "-x", "-T", "-L", "-l", "-u", "-z", "-mllvm", "-idirafter",
    "-iprefix", "-iwithprefix", "-F", "-framework", "-D", "-U", "-I", "-isystem", "-iquote",
    "-mthread-model", "-mmlir", "-multiply_defined", "-multiply_defined_unused",
    "-module-dependency-dir", "-resource-dir", "-working-directory", "-ivfsoverlay", "-dumpdir",
    "-cxx-isystem", "-iwithsysroot", "-iframework",
})  # fmt: skip
"""Flags whose value may be the next word."""


@dataclass(frozen=True, slots=True)
class BuildFlags:
    """What a build passes for a source: the flags that are taken, and those that are not."""

    file: Path
    source: Path
    flags: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def as_lines(self) -> str:
        """What is said of them before they are obeyed."""
        flags = shlex.join(self.flags) or "nothing"
        rest = f"; not taken: {shlex.join(self.left_out)}" if self.left_out else ""
        return f"{self.file}: taken from it for {self.source}: {flags}{rest}"


def flags_of(file: Path, sources: Sequence[Path]) -> BuildFlags:
    """The flags for some sources, which must be the same for all of them. A header is compiled as
    what has its name, or as all files of its folder if these agree. Raises InputError.
    """
    entries = list(_entries(file))
    flags_by_source = [_for_source(file, entries, source) for source in sources]
    first, *others = flags_by_source
    for other in others:
        if other.flags != first.flags:
            message = f"other flags than {first.source} has: give them behind -- in its place"
            raise InputError([Problem(message, file=str(file), key=str(other.source))])
    return first


@dataclass(frozen=True, slots=True)
class _Entry:
    source: Path
    folder: Path
    words: tuple[str, ...]

    def flags(self, file: Path) -> BuildFlags:
        taken, left_out = list[str](), list[str]()
        for flag, value in _flags(self.words):
            if (flag is not None) and (accepted := self._taken(flag, value)):
                taken += accepted
            elif flag is not None and not _QUIET.fullmatch(flag) and flag[:2] != "-o":
                left_out += [flag] if value is None else [flag, value]
        return BuildFlags(file, self.source, tuple(taken), tuple(left_out))

    def _taken(self, flag: str, value: str | None) -> list[str]:
        if flag in FOLDERS and value and value[0] not in "=-":
            place = os.path.normpath(self.folder / value)
            return [f"-I{place}"] if flag == "-I" else [flag, place]
        if flag in MACROS and value and re.match(r"[A-Za-z_]\w*", value) and value.isprintable():
            return [f"{flag}{value}"]
        return [flag] if value is None and _SINGLE.fullmatch(flag) else []


def _flags(words: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """The flags behind a compiler's name, each with its value, if that is a word of its own or
    stands behind -I or -D; what is no flag is None.
    """
    rest = iter(words[1:])
    for word in rest:
        joined = next((f for f in (*FOLDERS, *MACROS) if word.startswith(f) and word != f), None)
        if word in _WITH_A_WORD:
            yield word, next(rest, None)
        elif joined is not None:
            yield joined, word.removeprefix(joined)
        elif word[:1] in {"-", "@"}:
            yield word, None
        else:
            yield None, word


def _entries(file: Path) -> Iterator[_Entry]:
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(file))]) from None
    if not isinstance(data, list):
        raise InputError([Problem("expected a list of commands", file=str(file))])
    for number, entry in enumerate(data):
        problem = Problem(
            "expected directory, file, and arguments or command", str(file), f"[{number}]"
        )
        if not isinstance(entry, Mapping):
            raise InputError([problem])
        yield _entry(entry, file, problem)


def _entry(entry: Mapping[str, Any], file: Path, problem: Problem) -> _Entry:
    folder, source = entry.get("directory"), entry.get("file")
    words, command = entry.get("arguments"), entry.get("command")
    if words is None and isinstance(command, str):
        try:
            words = shlex.split(command)
        except ValueError:
            words = None
    texts = [folder, source, *words] if isinstance(words, list) else [None]
    if not all(isinstance(text, str) and _is_plain_word(text) for text in texts):
        raise InputError([problem])
    assert isinstance(words, list)
    assert isinstance(folder, str)
    assert isinstance(source, str)
    here = file.absolute().parent / folder
    return _Entry(Path(os.path.normpath(here / source)), here, tuple(words))


def _is_plain_word(text: str) -> bool:
    """Whether a program can be given it, or it can name a file."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _for_source(file: Path, entries: Sequence[_Entry], source: Path) -> BuildFlags:
    path = Path(os.path.realpath(source))
    there = {entry: Path(os.path.realpath(entry.source)) for entry in entries}
    same = [entry for entry in entries if there[entry] == path]
    if not same and source.suffix.startswith(".h"):
        near = [entry for entry in entries if there[entry].parent == path.parent]
        same = [entry for entry in near if entry.source.stem == path.stem] or near
    if not same:
        names = sorted({entry.source.name for entry in entries})
        message = f"has no command for {source}: found those for {listed(names) or 'nothing'}"
        raise InputError([Problem(message, file=str(file))])
    flags = list(dict.fromkeys(entry.flags(file).flags for entry in same))
    if len(flags) > 1:
        message = (
            f"{len(flags)} commands with different flags for {source}: give one of them behind --: "
        )
        message += " or ".join(shlex.join(one) for one in flags[:3])
        raise InputError([Problem(message, file=str(file))])
    return same[0].flags(file)
