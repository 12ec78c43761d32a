"""Which files take a header in: one that means nothing alone is compiled by these, and two sources
of which one takes in the other define everything twice.

    attacks.h:1: unknown type name 'u64'     engine.c takes it in, behind what declares u64
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from magicert.functions.compile.compilers import HEADERS
from magicert.functions.compile.hints import project_folders
from magicert.functions.compile.names import c_files
from magicert.functions.compile.projects import whole_path
from magicert.functions.llvm.reader import NAME, unquoted

MOST_FILES = 600
"""Files of a project that are looked through."""
FARTHEST = 3
"""Files between a header and the one that takes it in."""
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
_VARIABLE = re.compile(
    rf"^@({NAME}) = ((?:\w+(?:\([^)]*\))? )*?)(?:global|constant) ", re.MULTILINE
)
_FUNCTION = re.compile(rf"^define ([^@\n]*)@({NAME})\(", re.MULTILINE)
_MAY_BE_TWICE = frozenset({
    "private", "internal", "available_externally", "linkonce", "linkonce_odr", "weak", "weak_odr",
    "common", "appending", "external", "extern_weak",
})  # fmt: skip
"""What LLVM calls a definition that another source may have as well."""


def including(header: Path) -> list[Path]:
    """The files of a header's project that take it in, the nearest first: of these the one of its
    name, then sources, then other headers.
    """
    included = _included(header)
    found, level = list[Path](), [whole_path(header)]
    for _ in range(FARTHEST):
        ways = (path for path, names in included.items() if any(_names(names, level, path)))
        level = [path for path in ways if path not in found and path != whole_path(header)]
        level.sort(key=lambda path: (path.stem != header.stem, path.suffix in HEADERS))
        found += level
    return found


def takes_in(source: Path, header: Path) -> bool:
    """Whether a source takes a header in, as far as their text tells."""
    return whole_path(source) in including(header)


def _included(source: Path) -> dict[Path, list[Path]]:
    """What each file of a source's project includes, as it is written there."""
    names = dict[Path, list[Path]]()
    for path in islice(c_files(project_folders(source)), MOST_FILES):
        with suppress(OSError):
            written = _INCLUDE.findall(path.read_bytes())
            names[path] = [Path(os.fsdecode(one)) for one in written]
    return names


def _names(written: Iterable[Path], files: Sequence[Path], path: Path) -> Iterator[bool]:
    """Whether what a file includes is one of some files."""
    for name in written:
        beside = whole_path(path.parent / name)
        known = [part for part in name.parts if part not in {".", ".."}]
        for file in files:
            yield beside == file or list(file.parts[-len(known) :]) == known


def defined_twice(modules: Sequence[str | bytes]) -> list[str]:
    """The symbols that more than one module defines, where no linker takes that."""
    seen, twice = set[str](), dict[str, None]()
    for text in modules:
        if isinstance(text, bytes):
            continue
        pairs = [(how, name) for name, how in _VARIABLE.findall(text)]
        pairs += _FUNCTION.findall(text)
        strong = {unquoted(name) for how, name in pairs if _MAY_BE_TWICE.isdisjoint(how.split())}
        twice |= dict.fromkeys(sorted(strong & seen))
        seen |= strong
    return [*twice]
