"""What a folder holds: tables, sources that may hold one, and why other files do not."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from magicert.problem import InputError, Problem, listed

_LONG_NUMBER = re.compile(
    rb"(?:0[xX]|\$|#x)[0-9a-fA-F_']{7,}|(?<![\d.])\d{10,}(?![\d.])|[0-9a-fA-F]{16}"
)
_SMALL_NUMBERS = re.compile(rb"(?:(?<![\w.])\d{1,2}\s*[,;]\s*){60}")
_REPEATED = re.compile(rb"[;*]\s*\w+\s*\]|\]\s*\*|\*\s*\[|\}\s*\*\*|\.\.\.\s*\w+\s*\]\s*=")
"""Lists that are written shorter than they are: `[11; 64]`, `[11] * 64`, `[0 ... 63] = 11`."""
NAMED_BITS = re.compile(
    rb"(?i)(?:rook|bishop)\w{0,20}(?:shift|bits)|(?:shift|bits)\w{0,20}(?:rook|bishop)"
)
"""Names of lists that have a piece's bits or shifts."""
_TABLE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*+[\"']?magicert[\"']?[ \t]*+=", re.MULTILINE)
_SQUARES = re.compile(rb"(?i)\ba1\b[^;{}()]{0,200}\bb1\b[^;{}()]{0,200}\bc1\b")

DATA = "JSON without the word magic: name the file to have it read"
FEWEST = 61
"""Long numbers of a list that has nearly one a square: a number that was left out is an error."""
FEW_NUMBERS = f"fewer than {FEWEST} long numbers"
"""Why most sources of an engine hold no table."""
VENDORED = frozenset(
    """
    3rdparty 3rd_party third_party thirdparty external externals extern extlibs deps dependencies
    vendor vendored fmt zstd node_modules target build dist cmake-build-debug cmake-build-release
    venv
    """.split()  # noqa: SIM905 - a table of words
)
"""Folders of other people's code, or of what is generated."""


@dataclass(frozen=True, slots=True)
class FolderScan:
    """What a folder holds: tables, sources that may hold one, and why the others do not."""

    folder: Path
    tables: Sequence[Path]
    sources: Sequence[Path]
    left_out: Sequence[tuple[Path, str]]
    texts: Sequence[Path] = ()
    """Texts with many long numbers, which an engine may read: looked at where nothing else is."""

    @property
    def nothing(self) -> InputError:
        message = "no table (*.toml with a line magicert = ...) in this folder, and no source"
        message += " with the numbers of one; "
        seen = {path: _long_numbers(path) for path in (*self.texts, *self.sources)}
        places = [f"{len(lines):,} in {path}:{lines[0]}" for path, lines in seen.items() if lines]
        if places:
            message += f"numbers of more than 32 bits were seen: {listed(places[:4])}; "
        message += "an engine that computes its magics at start-up"
        message += " can be tested from within: magicert emit --check-harness"
        return InputError([Problem(message, file=str(self.folder))])


def scan_folder(folder: Path) -> FolderScan:
    """The tables and the sources below a folder."""
    ending = "*.[tT][oO][mM][lL]"
    files = [file for file in sorted(folder.rglob(ending)) if file.is_file()]
    tables = [file for file in files if _is_table(file)]
    sources = list(sources_below(folder))
    used = {file.with_name(f"{file.name}.toml") for file, _ in sources}  # each says how it is read
    others = [(file, "no magicert table") for file in files if file not in used.union(tables)]
    others += [(file, why) for file, why in sources if why]
    likely = [file for file, why in sources if not why]
    return FolderScan(folder, tables, likely, others, () if tables else _texts_below(folder))


def sources_below(folder: Path) -> Iterator[tuple[Path, str]]:
    """The sources in a folder, each with the reason why it can hold no table, or "".

    One that cannot be read has none: whoever reads it says why.
    """
    from magicert.languages.language import LARGEST, known_endings

    endings = set(known_endings())
    for place, folders, files in os.walk(folder):
        for name in sorted(folders):
            if name.lower() in VENDORED or name[:1] == ".":
                folders.remove(name)
                if name[:1] != ".":
                    yield Path(place, name), "others' code, or generated: name it to have it read"
        folders.sort()
        for path in (Path(place, name) for name in sorted(files)):
            if path.suffix.lower() not in endings or not path.is_file():
                continue
            try:
                if path.stat().st_size > LARGEST:
                    yield path, f"larger than {LARGEST >> 20} MB"
                    continue
                data = path.read_bytes()
                if data.startswith((b"\xff\xfe", b"\xfe\xff")):
                    data = data.decode("utf-16", "replace").encode()
                words = data.lower() + os.fsencode(path.name).lower()
                if path.suffix.lower() == ".json" and b"magic" not in words:
                    yield path, DATA
                    continue
                long = sum(1 for _ in islice(_LONG_NUMBER.finditer(data), FEWEST))
                # Bits, shifts and the names of squares may stand in a file of their own.
                few = long < FEWEST and _SMALL_NUMBERS.search(data) is None
                few = few and _SQUARES.search(data) is None
                few = few and not (_REPEATED.search(data) and NAMED_BITS.search(data))
                yield path, FEW_NUMBERS if few else ""
            except OSError:
                yield path, ""


def _long_numbers(path: Path) -> list[int]:
    """The lines of the long numbers in a file."""
    from magicert.languages.language import LARGEST

    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST)
    except OSError:
        return []
    return [
        number
        for number, line in enumerate(data.splitlines(), 1)
        for _ in _LONG_NUMBER.finditer(line)
    ]


TEXTS = frozenset({".txt", ".csv", ".tsv", ".dat", ".jsonl", ".ndjson", ".md"})
"""Endings of texts that may hold an engine's numbers."""


def _texts_below(folder: Path) -> list[Path]:
    """The texts in a folder with at least as many long numbers as squares."""
    texts = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(n for n in folders if n.lower() not in VENDORED and n[:1] != ".")
        for path in (Path(place, name) for name in sorted(files)):
            likely = path.suffix.lower() in TEXTS and path.is_file()
            if likely and len(_long_numbers(path)) >= FEWEST:
                texts.append(path)
    return texts


def _is_table(path: Path) -> bool:
    """Whether a TOML file says that it is a table, or cannot be read to tell."""
    try:
        with path.open("rb") as stream:
            return _TABLE.search(stream.read(1 << 16)) is not None
    except OSError:
        return True
