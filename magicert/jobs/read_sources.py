"""Engine sources: which a folder has, and how they are judged; a table from wherever it stands."""

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.board import CHESS
from magicert.data import is_source
from magicert.outcome import Unseen, Watch
from magicert.problem import (
    InputError,
    NothingThereError,
    Problem,
    listed,
    path_called,
    printable,
)
from magicert.table import parse_table, read_table
from magicert.table.read import TableFile
from magicert.verify.table import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.verify.source.judgement import Judgement
    from magicert.verify.source.lists import OtherFiles as Beside
    from magicert.verify.source.overrides import Overrides as Pins
    from magicert.verify.source.verified import Progress

_LONG_NUMBER = re.compile(
    rb"(?:0[xX]|\$|#x)[0-9a-fA-F_']{7,}|(?<![\d.])\d{10,}(?![\d.])|[0-9a-fA-F]{16}"
)
_SMALL_NUMBERS = re.compile(rb"(?:(?<![\w.])\d{1,2}\s*[,;]\s*){60}")
_REPEATED = re.compile(rb"[;*]\s*\w+\s*\]|\]\s*\*|\*\s*\[|\}\s*\*\*|\.\.\.\s*\w+\s*\]\s*=")
"""Lists that are written shorter than they are: `[11; 64]`, `[11] * 64`, `[0 ... 63] = 11`."""
_NAMED_BITS = re.compile(
    rb"(?i)(?:rook|bishop)\w{0,20}(?:shift|bits)|(?:shift|bits)\w{0,20}(?:rook|bishop)"
)
_TABLE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*+[\"']?magicert[\"']?[ \t]*+=", re.MULTILINE)
_SQUARES = re.compile(rb"(?i)\ba1\b[^;{}()]{0,200}\bb1\b[^;{}()]{0,200}\bc1\b")

DATA = "JSON that does not speak of magics: name it to read it"
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
class CheckedSource:
    """Source files read together, and what came of them."""

    paths: tuple[Path, ...]
    result: "Judgement | InputError"
    pins: "Pins | None" = None

    @property
    def verdict(self) -> str:
        return "bad input" if isinstance(self.result, InputError) else self.result.verdict

    @property
    def warnings(self) -> list[str]:
        """What speaks against the readings that certify, without refuting them."""
        return [] if isinstance(self.result, InputError) else self.result.warnings

    @property
    def name(self) -> str:
        return printable(" and ".join(map(str, self.paths)))


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
                    yield Path(place, name), "other people's code, or generated: name it to read it"
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
                said = data.lower() + os.fsencode(path.name).lower()
                if path.suffix.lower() == ".json" and b"magic" not in said:
                    yield path, DATA
                    continue
                long = sum(1 for _ in islice(_LONG_NUMBER.finditer(data), FEWEST))
                # Bits, shifts and the names of squares may stand in a file of their own.
                few = long < FEWEST and _SMALL_NUMBERS.search(data) is None
                few = few and _SQUARES.search(data) is None
                few = few and not (_REPEATED.search(data) and _NAMED_BITS.search(data))
                yield path, FEW_NUMBERS if few else ""
            except OSError:
                yield path, ""


def read_sources(paths: Iterable[Path]) -> list[tuple[Path, bytes]]:
    """Source files with what is in them. Raises InputError with all that cannot be read."""
    from magicert.languages.language import LARGEST

    found: list[tuple[Path, bytes]] = []
    problems: list[Problem] = []
    for path in paths:
        if path.is_file() and not is_source(path):
            message = "is a table file: expected an engine's source"
            problems.append(Problem(message, file=str(path)))
            continue
        try:
            with path.open("rb") as stream:
                data = stream.read(LARGEST + 1)
            if len(data) > LARGEST:
                message = (
                    f"larger than {LARGEST >> 20} MiB: expected the source file with the table"
                )
                problems.append(Problem(message, file=str(path)))
            found.append((path, data))
        except OSError as error:
            problems.append(Problem(f"cannot be read: {error.strerror}", file=str(path)))
    if problems:
        raise InputError(problems)
    return found


def judge_sources(
    paths: Sequence[Path],
    pins: "Pins | None",
    max_lookups: int,
    watch: Watch,
    together: bool = False,
    swept: Collection[Path] = (),
    beside: Sequence[Path] = (),
) -> list[CheckedSource]:
    """Each source by itself; those without a whole table also as one, which counts if it is valid.

    With `together` they are one from the start. Of `swept`, which nobody has named, those without
    any table are left out, and so are files that only use another's. `beside` are files without
    one, that may change what the lists hold.
    """
    if together:
        return [_judged(paths, pins, max_lookups, watch)]
    from magicert.verify.source.lists import OtherFiles as Beside

    around = Beside([*paths, *beside])
    each = [_judged([path], pins, max_lookups, watch, around) for path in paths]
    named = pins is not None and pins.lists and len(each) > 1
    if named and all(isinstance(checked.result, InputError) for checked in each):
        # The lists that are named may stand in several files.
        joined = _judged(paths, pins, max_lookups, watch, around)
        if not isinstance(joined.result, InputError):
            return [replace(joined, paths=tuple(_files_of(joined)) or joined.paths)]
    left = {*swept, *(path for checked in each for path in _users_of(checked, paths))}
    alone = [
        checked
        for checked in each
        if not (checked.paths[0] in left and isinstance(checked.result, NothingThereError))
    ]
    rest = [checked for checked in alone if not _is_whole(checked)]
    others = [checked for checked in each if checked not in alone]
    # Lists of bits alone are no table, but may be another file's.
    for several in dict.fromkeys([len(rest), len(rest) + len(others)] if rest else []):
        asked = [path for one in [*rest, *others][:several] for path in one.paths]
        if len(asked) < 2:
            continue
        joined = _judged(asked, pins, max_lookups, watch, around)
        used = set(_files_of(joined))
        told = any(one.verdict in ("valid", "invalid") for one in rest if one.paths[0] in used)
        if _is_whole(joined, or_copies=not told):
            kept = [one for one in alone if one not in rest or one.paths[0] not in used]
            alone = [*kept, replace(joined, paths=tuple(p for p in paths if p in used))]
            break
    bits = [one.paths[0] for one in others if _NAMED_BITS.search(one.paths[0].read_bytes())]
    return [_with_bits(one, bits, pins, max_lookups, watch, around) for one in alone]


def _with_bits(
    checked: CheckedSource,
    bits: Sequence[Path],
    pins: "Pins | None",
    max_lookups: int,
    watch: Watch,
    beside: "Beside",
) -> CheckedSource:
    """A source whose bits were taken, with those that stand in files without magics, if any do."""
    readings = [] if isinstance(checked.result, InputError) else checked.result.valid
    taken = any(not half.count.is_read for reading in readings for half in reading.piece_readings)
    if not (bits and taken):
        return checked
    joined = _judged([*checked.paths, *bits], pins, max_lookups, watch, beside)
    if isinstance(joined.result, InputError):
        return checked
    found = [*joined.result.valid, *joined.result.nearest]
    columns = [half.count.column for reading in found for half in reading.piece_readings]
    apart = joined.verdict != "valid" or any(column is not None for column in columns)
    return joined if apart else checked


def _files_of(checked: CheckedSource) -> list[Path]:
    """The files that the readings took their lists from."""
    if isinstance(checked.result, InputError):
        return []
    readings = [*checked.result.valid, *checked.result.nearest]
    names = {*checked.result.rivals, *(name for reading in readings for name in reading.files)}
    used = {path_called(name, checked.paths) for name in names}
    return [path for path in checked.paths if path in used]


def _users_of(checked: CheckedSource, paths: Sequence[Path]) -> Iterator[Path]:
    """The files whose code names the lists of a table that is right."""
    for reading in () if isinstance(checked.result, InputError) else checked.result.valid:
        yield from (path_called(use.file, paths) for use in reading.also_used)


def _beside(paths: Sequence[Path]) -> "Pins | None":
    """What a file beside the source says of its board and lists: magic.h.toml beside magic.h."""
    files = [path.with_name(f"{path.name}.toml") for path in paths]
    if not any(file.is_file() for file in files):
        return None
    from magicert.jobs.stated import pins_in, says_pins

    found = [file for file in files if file.is_file() and says_pins(file)]
    pins = pins_in(found[0]) if found else None
    if pins is not None and (pins.board or CHESS).squares == CHESS.squares:
        # Of a larger board nothing could be judged without it; here it would leave lists out.
        message = (
            "lies beside a source and is not obeyed unasked, for a list that it does not name "
        )
        message += f"would not be verified: --map {found[0]} obeys it"
        raise InputError([Problem(message, file=str(found[0]))])
    return pins


def _is_whole(checked: CheckedSource, *, or_copies: bool = False) -> bool:
    """Has it both pieces, all that is called theirs; or a broken copy of one's besides?"""
    if isinstance(checked.result, InputError):
        return False
    readings = checked.result.valid
    return (checked.verdict == "valid" or (or_copies and bool(readings))) and all(
        len(reading.table.pieces) > 1 or not reading.table.is_chess() for reading in readings
    )


def judge_any(
    files: Sequence[tuple[Path, bytes]],
    pins: "Pins | None" = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: "Progress | None" = None,
    beside: "Beside | None" = None,
) -> "Judgement":
    """Judge some source files, read together, `beside` others of their program. Where they are no
    table of chess, but have lists of a larger board, InputError says what to add.
    """
    from magicert.verify.source.judge import judge
    from magicert.verify.source.overrides import Overrides as Pins

    pins = pins or Pins()
    if not pins.variant.pieces:
        from magicert.jobs.stated import refuse_no_pieces

        refuse_no_pieces(files, pins)
    try:
        judgement = judge(files, pins, max_lookups=max_lookups, progress=progress, beside=beside)
        if judgement.verdict == "valid" or pins.lists:
            return judgement
    except InputError as error:
        from magicert.jobs.stated import refuse_large_lists

        refuse_large_lists(files, pins, error.problems)
        raise
    from magicert.jobs.stated import refuse_large_lists

    refuse_large_lists(files, pins, ())
    return judgement


def _judged(
    paths: Sequence[Path],
    pins: "Pins | None",
    max_lookups: int,
    watch: Watch,
    beside: "Beside | None" = None,
) -> CheckedSource:
    names = tuple(paths)
    try:
        files = read_sources(paths)
        pins = pins if pins is not None else _beside(paths)
        with watch(f"reading {paths[0].name}", "lookups") as observer:
            judgement = judge_any(
                files, pins, max_lookups=max_lookups, progress=observer.progress, beside=beside
            )
        return CheckedSource(names, judgement, pins)
    except InputError as error:
        return CheckedSource(names, error)


@dataclass(frozen=True, slots=True)
class Below:
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
        if seen:
            said = [f"{len(lines):,} in {path}:{lines[0]}" for path, lines in seen.items() if lines]
            message += f"numbers of more than 32 bits were seen: {listed(said[:4])}; "
        message += "an engine that makes its magics at start-up"
        message += " is tested from within: magicert emit --check-harness"
        return InputError([Problem(message, file=str(self.folder))])


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
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(n for n in folders if n.lower() not in VENDORED and n[:1] != ".")
        for path in (Path(place, name) for name in sorted(files)):
            likely = path.suffix.lower() in TEXTS and path.is_file()
            if likely and len(_long_numbers(path)) >= FEWEST:
                found.append(path)
    return found


def files_below(folder: Path) -> Below:
    """The tables and the sources below a folder."""
    ending = "*.[tT][oO][mM][lL]"
    found = [file for file in sorted(folder.rglob(ending)) if file.is_file()]
    tables = [file for file in found if _is_table(file)]
    sources = list(sources_below(folder))
    used = {file.with_name(f"{file.name}.toml") for file, _ in sources}  # each says how it is read
    others = [(file, "no magicert table") for file in found if file not in used.union(tables)]
    others += [(file, why) for file, why in sources if why]
    own = [file for file, why in sources if not why]
    return Below(folder, tables, own, others, () if tables else _texts_below(folder))


def _is_table(path: Path) -> bool:
    """Whether a TOML file says that it is a table, or cannot be read to tell."""
    try:
        with path.open("rb") as stream:
            return _TABLE.search(stream.read(1 << 16)) is not None
    except OSError:
        return True


def table_from(path: Path, watch: Watch = Unseen) -> TableFile:
    """Read a table. A source's is read and verified, and must have one reading that certifies.

    Raises InputError where there is none, or several; `magicert import` then helps to choose.
    """
    if path.is_dir():
        path = _only_file(path)
    if not is_source(path):
        return read_table(path)
    (checked,) = judge_sources([path], None, MAX_LOOKUPS, watch)
    if isinstance(checked.result, InputError):
        raise checked.result
    readings = checked.result.valid
    if len(readings) != 1 or checked.verdict != "valid":
        found = f"{len(readings)} readings of it certify" if readings else "no reading certifies"
        message = f"{found}: magicert verify shows why, magicert import writes the one you choose"
        raise InputError([Problem(message, file=str(path))])
    from magicert.table.write import table_toml

    read = parse_table(table_toml(readings[0].table).encode(), path)
    return replace(read, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def _only_file(folder: Path) -> Path:
    below = files_below(folder)
    found = [*below.tables, *below.sources] or [*below.texts]
    if not found:
        raise below.nothing
    if len(found) > 1:
        names = listed([str(path.relative_to(folder)) for path in found])
        message = f"{len(found)} tables or sources in this folder: expected one of them: {names}"
        raise InputError([Problem(message, file=str(folder))])
    return found[0]
