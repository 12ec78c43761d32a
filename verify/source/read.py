"""Sources read and judged, each by itself or together; and a table from wherever it stands.

What judges a source is imported where one is there: a table file needs none of it.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.board import CHESS
from magicert.data import is_source
from magicert.outcome import NullPhase, Watch
from magicert.problem import (
    InputError,
    NothingThereError,
    Problem,
    listed,
    path_called,
    printable,
)
from magicert.table import parse_table, read_table
from magicert.table.files import TableFile
from magicert.verify.source.folder import NAMED_BITS, scan_folder
from magicert.verify.table import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.verify.source.files import OtherFiles
    from magicert.verify.source.judgement import Judgement
    from magicert.verify.source.overrides import Overrides
    from magicert.verify.source.verified import Progress


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """Source files read together, and what came of them."""

    paths: tuple[Path, ...]
    result: "Judgement | InputError"
    overrides: "Overrides | None" = None

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


def read_files(paths: Iterable[Path]) -> list[tuple[Path, bytes]]:
    """Source files with what is in them. Raises InputError with all that cannot be read."""
    from magicert.languages.language import LARGEST

    contents: list[tuple[Path, bytes]] = []
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
            contents.append((path, data))
        except OSError as error:
            problems.append(Problem(f"cannot be read: {error.strerror}", file=str(path)))
    if problems:
        raise InputError(problems)
    return contents


def judge_sources(
    paths: Sequence[Path],
    overrides: "Overrides | None",
    max_lookups: int,
    watch: Watch,
    together: bool = False,
    swept: Collection[Path] = (),
    other_files: Sequence[Path] = (),
) -> list[CheckedSource]:
    """Each source by itself; those without a whole table also as one, which counts if it is valid.

    With `together` they are one from the start. Of `swept`, which nobody has named, those without
    any table are left out, and so are files that only use another's. `other_files` are files
    without one, which may change what the lists hold.
    """
    if together:
        return [_judged(paths, overrides, max_lookups, watch)]
    from magicert.verify.source.files import OtherFiles

    around = OtherFiles([*paths, *other_files])
    each = [_judged([path], overrides, max_lookups, watch, around) for path in paths]
    named = overrides is not None and overrides.lists and len(each) > 1
    if named and all(isinstance(checked.result, InputError) for checked in each):
        # The lists that are named may stand in several files.
        joined = _judged(paths, overrides, max_lookups, watch, around)
        if not isinstance(joined.result, InputError):
            return [replace(joined, paths=tuple(_files_of(joined)) or joined.paths)]
    unused = {*swept, *(path for checked in each for path in _users_of(checked, paths))}
    alone = [
        checked
        for checked in each
        if not (checked.paths[0] in unused and isinstance(checked.result, NothingThereError))
    ]
    rest = [checked for checked in alone if not _is_whole(checked)]
    others = [checked for checked in each if checked not in alone]
    # Lists of bits alone are no table, but may be another file's.
    for several in dict.fromkeys([len(rest), len(rest) + len(others)] if rest else []):
        candidates = [
            path for checked_source in [*rest, *others][:several] for path in checked_source.paths
        ]
        if len(candidates) < 2:
            continue
        joined = _judged(candidates, overrides, max_lookups, watch, around)
        used = set(_files_of(joined))
        decided = any(
            checked_source.verdict in ("valid", "invalid")
            for checked_source in rest
            if checked_source.paths[0] in used
        )
        if _is_whole(joined, or_copies=not decided):
            others_alone = [
                checked_source
                for checked_source in alone
                if checked_source not in rest or checked_source.paths[0] not in used
            ]
            alone = [*others_alone, replace(joined, paths=tuple(p for p in paths if p in used))]
            break
    bits = [
        checked_source.paths[0]
        for checked_source in others
        if NAMED_BITS.search(checked_source.paths[0].read_bytes())
    ]
    return [
        _with_bits(checked_source, bits, overrides, max_lookups, watch, around)
        for checked_source in alone
    ]


def _with_bits(
    checked: CheckedSource,
    bits: Sequence[Path],
    overrides: "Overrides | None",
    max_lookups: int,
    watch: Watch,
    other_files: "OtherFiles",
) -> CheckedSource:
    """A source whose bits were taken, with those that stand in files without magics, if any do."""
    readings = [] if isinstance(checked.result, InputError) else checked.result.valid
    taken = any(not half.count.is_read for reading in readings for half in reading.piece_readings)
    if not (bits and taken):
        return checked
    joined = _judged([*checked.paths, *bits], overrides, max_lookups, watch, other_files)
    if isinstance(joined.result, InputError):
        return checked
    joined_readings = [*joined.result.valid, *joined.result.nearest]
    columns = [half.count.column for reading in joined_readings for half in reading.piece_readings]
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


def _overrides_beside(paths: Sequence[Path]) -> "Overrides | None":
    """What a file beside the source says of its board and lists: magic.h.toml beside magic.h."""
    files = [path.with_name(f"{path.name}.toml") for path in paths]
    if not any(file.is_file() for file in files):
        return None
    from magicert.verify.source.source_options import is_overrides_file, overrides_in

    option_files = [file for file in files if file.is_file() and is_overrides_file(file)]
    overrides = overrides_in(option_files[0]) if option_files else None
    if overrides is not None and (overrides.board or CHESS).squares == CHESS.squares:
        # Of a larger board nothing could be judged without it; here it would leave lists out.
        message = "lies beside a source, but is not used, because a list that it does not name "
        message += f"would not be verified: --map {option_files[0]} uses it"
        raise InputError([Problem(message, file=str(option_files[0]))])
    return overrides


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
    overrides: "Overrides | None" = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: "Progress | None" = None,
    other_files: "OtherFiles | None" = None,
) -> "Judgement":
    """Judge some source files, read together; `other_files` are others of their program.

    If they are no table of chess, but have lists of a larger board, InputError says what to add.
    """
    from magicert.verify.source.judge import judge
    from magicert.verify.source.overrides import Overrides

    overrides = overrides or Overrides()
    if not overrides.variant.pieces:
        from magicert.verify.source.larger_boards import refuse_no_pieces

        refuse_no_pieces(files, overrides)
    try:
        judgement = judge(
            files, overrides, max_lookups=max_lookups, progress=progress, other_files=other_files
        )
        if judgement.verdict == "valid" or overrides.lists:
            return judgement
    except InputError as error:
        from magicert.verify.source.larger_boards import refuse_large_lists

        refuse_large_lists(files, overrides, error.problems)
        raise
    from magicert.verify.source.larger_boards import refuse_large_lists

    refuse_large_lists(files, overrides, ())
    return judgement


def _judged(
    paths: Sequence[Path],
    overrides: "Overrides | None",
    max_lookups: int,
    watch: Watch,
    other_files: "OtherFiles | None" = None,
) -> CheckedSource:
    names = tuple(paths)
    try:
        files = read_files(paths)
        overrides = overrides if overrides is not None else _overrides_beside(paths)
        with watch(f"reading {paths[0].name}", "lookups") as observer:
            judgement = judge_any(
                files,
                overrides,
                max_lookups=max_lookups,
                progress=observer.progress,
                other_files=other_files,
            )
        if overrides is not None and judgement.verdict != "valid" and overrides.variant.by_hand:
            from magicert.verify.source.other_rules import hints

            with watch("looking for a simpler rule", ""):
                judgement.notes[:0] = hints(judgement, files, overrides)
        return CheckedSource(names, judgement, overrides)
    except InputError as error:
        return CheckedSource(names, error)


def table_from(path: Path, watch: Watch = NullPhase) -> TableFile:
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
        count = f"{len(readings)} readings of it are valid" if readings else "no reading is valid"
        message = f"{count}: magicert verify shows why, magicert import writes the one you choose"
        raise InputError([Problem(message, file=str(path))])
    from magicert.table.write import table_toml

    read = parse_table(table_toml(readings[0].table).encode(), path)
    return replace(read, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def _only_file(folder: Path) -> Path:
    scan = scan_folder(folder)
    files = [*scan.tables, *scan.sources] or [*scan.texts]
    if not files:
        raise scan.nothing
    if len(files) > 1:
        names = listed([str(path.relative_to(folder)) for path in files])
        message = f"{len(files)} tables or sources in this folder: expected one of them: {names}"
        raise InputError([Problem(message, file=str(folder))])
    return files[0]
