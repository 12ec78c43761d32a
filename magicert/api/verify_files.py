"""Verify tables and sources wherever they stand: files, folders, names of tables that ship, and
standard input.

The reader of sources is imported where there is a source: a table file alone needs none of it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.data import find_table, is_source, published_tables
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.verify.table import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.verify.source.folder import FolderScan
    from magicert.verify.source.overrides import Overrides
    from magicert.verify.source.read import CheckedSource
    from magicert.verify.table.report import Report

NO_TABLE = "no table"
"""So a message begins that says: nothing here could be one."""
STDIN = Path("-")
PRECEDENCE = ("bad input", "invalid", "unknown", "valid")
"""The verdicts, the gravest first."""


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """One table file: its report, or why there is none."""

    path: Path
    result: "Report | InputError"

    @property
    def verdict(self) -> str:
        return "bad input" if isinstance(self.result, InputError) else self.result.verdict


@dataclass(frozen=True, slots=True)
class Verified:
    """All files: tables in their order, then sources.

    `left_out` are the files of folders that hold no table, with the reason.
    """

    tables: Sequence[CheckedTable]
    sources: "Sequence[CheckedSource]"
    left_out: Mapping[Path, str]

    @property
    def paths(self) -> list[Path]:
        sources = [path for source in self.sources for path in source.paths]
        return [*(table.path for table in self.tables), *sources]

    @property
    def warnings(self) -> list[str]:
        """What speaks against what is valid, without refuting it."""
        return [warning for source in self.sources for warning in source.warnings]

    @property
    def verdict(self) -> str:
        verdicts = {table.verdict for table in self.tables}
        verdicts |= {source.verdict for source in self.sources}
        return next(verdict for verdict in PRECEDENCE if verdict in verdicts)


def verify_files(
    paths: Sequence[str],
    watch: Watch,
    *,
    published: bool = False,
    max_lookups: int = MAX_LOOKUPS,
    overrides: "Overrides | None" = None,
    language: str | None = None,
) -> Verified:
    """Verify files, folders, names of published tables, or "-" (standard input: a table, or a
    source of `language`). `overrides` are for sources; None reads sources as they are. What is
    wrong with one file does not stop the others.
    """
    with watch("looking for tables", ""):
        items = list(_items(paths, published))
    from_stdin = language is not None and STDIN in items
    items = [item for item in items if not (from_stdin and item == STDIN)]
    folders = [item for item in items if not isinstance(item, Path | CheckedTable)]
    named = [item for item in items if isinstance(item, Path) and is_source(item)]
    swept = {path for folder in folders for path in folder.sources} - set(named)
    tables = [
        path if isinstance(path, CheckedTable) else check_table(path, max_lookups, watch)
        for item in items
        for path in ([item] if isinstance(item, Path | CheckedTable) else item.tables)
        if path not in named
    ]
    sources = list(dict.fromkeys([*named, *(path for scan in folders for path in scan.sources)]))
    judged: list[CheckedSource] = []
    readable = not any(isinstance(item, CheckedTable) for item in items)
    if overrides is not None and readable and not sources and not from_stdin:
        message = "only for source files: a table file needs no such option"
        raise InputError([Problem(message, key=overrides.options)])
    if sources:
        from magicert.verify.source.folder import FEW_NUMBERS
        from magicert.verify.source.read import judge_sources

        other_files = [p for folder in folders for p, why in folder.left_out if why == FEW_NUMBERS]
        judged = judge_sources(
            sources, overrides, max_lookups, watch, swept=swept, other_files=other_files
        )
    for folder in folders:
        with_table = {path for checked in judged for path in checked.paths}
        if folder.texts and with_table.isdisjoint(folder.sources):
            from magicert.verify.source.read import judge_sources

            texts = [path for path in folder.texts if path not in sources]
            other_files = [*folder.sources, *(path for path, _ in folder.left_out)]
            judged += judge_sources(
                texts, overrides, max_lookups, watch, swept=set(texts), other_files=other_files
            )
    if from_stdin:
        judged.append(_judged_stdin(language or "", overrides, max_lookups, watch))
    seen = {path for checked in judged for path in checked.paths}
    not_read = {path: why for folder in folders for path, why in folder.left_out}
    not_read |= dict.fromkeys(sorted(swept - seen), "no table in its numbers")
    tables += [
        CheckedTable(folder.folder, folder.nothing)
        for folder in folders
        if not folder.tables and seen.isdisjoint((*folder.sources, *folder.texts))
    ]
    return Verified(tables, judged, not_read)


def _judged_stdin(
    language: str, overrides: "Overrides | None", max_lookups: int, watch: Watch
) -> "CheckedSource":
    """The source on stdin, as if it were a file stdin.rs."""
    from magicert.languages.language import LARGEST, ending_called
    from magicert.verify.source.read import CheckedSource, judge_any

    ending = ending_called(language)
    path = Path(f"stdin{ending or ''}")
    try:
        if ending is None:
            message = "expected a language or a file ending, such as rust or rs"
            raise InputError([Problem(message, key=f"--lang {language}")])
        data = sys.stdin.buffer.read(LARGEST + 1) if sys.stdin else b""
        with watch("reading standard input", "lookups") as observer:
            judgement = judge_any(
                [(path, data)], overrides, max_lookups=max_lookups, progress=observer.progress
            )
        return CheckedSource((path,), judgement)
    except InputError as error:
        return CheckedSource((path,), error)


def check_table(path: Path, max_lookups: int, watch: Watch) -> CheckedTable:
    """Read and verify one table file, "-" for stdin."""
    from magicert.table import parse_table, read_table
    from magicert.table.read import MAX_FILE
    from magicert.verify.table.verifier import verify

    try:
        if path == STDIN:
            file = parse_table(sys.stdin.buffer.read(MAX_FILE + 1) if sys.stdin else b"", path)
        else:
            file = read_table(path)
        with watch(f"verifying {path.name}", "lookups") as observer:
            report = verify(file, max_lookups=max_lookups, progress=observer.progress)
        if report.findings and not file.table.is_chess():
            from magicert.verify.table.other_rules import with_hints

            with watch("looking for a simpler rule", ""):
                report = with_hints(file, report)
        return CheckedTable(path, report)
    except InputError as error:
        if path == STDIN:
            message = "read as a table file; if it is a source, add its language, as in --lang cpp"
            error = InputError([*error.problems, Problem(message, file=str(path))])
        return CheckedTable(path, error)
    except OSError as error:
        return _bad_file(path, f"cannot be read: {error.strerror}")


def _bad_file(path: Path | str, message: str) -> CheckedTable:
    return CheckedTable(Path(path), InputError([Problem(message, file=str(path))]))


def _items(paths: Iterable[str], published: bool) -> Iterator["Path | FolderScan | CheckedTable"]:
    """The files to verify, or what is wrong with a path."""
    if published:
        yield from published_tables().values()
    for name in dict.fromkeys(paths):
        if not name:
            yield _bad_file(name, "an empty path")
            continue
        try:
            path = STDIN if name == str(STDIN) else find_table(name)
            if path.is_dir():
                from magicert.verify.source.folder import scan_folder

                yield scan_folder(path)
            else:
                yield path
        except InputError as error:
            yield CheckedTable(Path(name), error)
        except OSError as error:
            yield _bad_file(name, f"cannot be read: {error.strerror}")
