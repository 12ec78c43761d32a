"""Verify tables and sources: the request, what came of each file, reports as files.

`ChessSources` and `Sources` say how an engine's source is read: what every question about one
fixes by hand.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.data import find_table, is_source, published_tables, tables_by_name
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.requests.outputs import check_output
from magicert.requests.request import Request, Result, ShippedName, WholeNumber, option
from magicert.verify.table import MAX_LOOKUPS, MOST_LOOKUPS

if TYPE_CHECKING:
    from magicert.jobs.read_sources import Below, CheckedSource
    from magicert.verify.source.overrides import Overrides
    from magicert.verify.table.report import Report

_reads = partial(option, panel="How to read sources")
_NAMES = ("formula", "maps", "order", "bits", "pieces", "board", "as_written")
_ONE_PIECE = "rook or bishop: the source has only this piece."
_LIST = " With --board: LIST=PIECE, as in RookMagicsInit=R, CannonMagicsInit=pR."
_pieces = partial(_reads, flags=("--piece",), metavar="PIECE", several=True)


@dataclass(frozen=True, slots=True)
class ChessSources(Request[Result]):
    """A question about sources with tables of chess."""

    _: KW_ONLY
    formula: str | None = _reads(
        None, "The index formula, or a scheme's name (white, black, two-halves, ...).",
        flags=("--scheme",), metavar="SCHEME",
    )  # fmt: skip
    maps: tuple[str, ...] = _reads(
        (), "The list (NAME, NAME:LINE or NAME:FILE) or number of a parameter, as in "
        "rook.magic=RookMagics, bishop.offset=BOffs, rook.shift=52. Or a TOML file that says all.",
        flags=("--map",), metavar="PIECE.PARAMETER=NAME", several=True,
    )  # fmt: skip
    order: str | None = _reads(
        None, "The square of bit 0, and which way the bits run, as in a8 or a1-files.",
        metavar="CORNER[-files]",
    )  # fmt: skip
    bits: tuple[str, ...] = _reads(
        (), "The index's bits, as in popcount, or rook=12,bishop=9.", metavar="[PIECE=]BITS",
        several=True,
    )  # fmt: skip
    as_written: bool = _reads(
        False, "Take lists as they stand: in their own order, with the offsets and shifts that are "
        "written. No other reading is tried.", seldom=True,
    )  # fmt: skip
    pieces: tuple[str, ...] = _pieces((), _ONE_PIECE)

    @property
    def pins(self) -> "Overrides | None":
        """What is fixed, None where nothing is. Raises InputError with all that is wrong."""
        given: dict[str, Any] = {name: getattr(self, name, None) for name in _NAMES}
        if all(value in (None, (), False) for value in given.values()):
            return None
        from magicert.jobs.stated import parse_pins

        return parse_pins(**given)


@dataclass(frozen=True, slots=True)
class Sources(ChessSources[Result]):
    """A question about sources with tables of any board."""

    _: KW_ONLY
    pieces: tuple[str, ...] = _pieces((), _ONE_PIECE + _LIST)
    board: str | None = _reads(
        None, "A board other than chess's, such as 9x10; --piece then says which list is whose.",
        metavar="FILESxRANKS",
    )  # fmt: skip


WHAT = "What to verify"
TABLE_NAME = ShippedName("PATH", tables_by_name, str)


@dataclass(frozen=True, slots=True)
class Verify(Sources["Verified"]):
    """Verify tables and sources: files, folders, names of tables that ship, or "-"."""

    begins = ("verify",)
    paths: tuple[str, ...] = option(
        (), kind=TABLE_NAME, metavar="[PATH...]", argument=True, several=True
    )
    _: KW_ONLY
    published: bool = option(False, "All published tables.", panel=WHAT, seldom=True)
    lang: str | None = option(
        None, 'The language of a source on standard input ("-"): an ending, such as cpp or rs.',
        metavar="LANGUAGE", panel=WHAT, seldom=True,
    )  # fmt: skip
    max_lookups: int = option(
        MAX_LOOKUPS, "Budget for one table; a usual one needs 107,648. Only odd masks need more.",
        WholeNumber(1 << 18, MOST_LOOKUPS), "N", panel=WHAT, seldom=True, shows_default=True,
    )  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        if not self.paths and not self.published:
            yield Problem("expected a PATH, or --published")
        if self.lang is not None and "-" not in self.paths:
            yield Problem('--lang is for a source on standard input: expected "-" as PATH')

    def run(self, watch: Watch) -> "Verified":
        return verify_all(
            self.paths, watch, published=self.published, max_lookups=self.max_lookups,
            pins=self.pins, language=self.lang,
        )  # fmt: skip


NO_TABLE = "no table"
"""So a message begins that says: nothing here could be one."""
STDIN = Path("-")
KINDS = {True: ".certificate.json", False: ".findings.json"}
"""How the file of a valid table's report ends, and that of others."""
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
    """All files asked for: tables in their order, then sources.

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


def verify_all(
    paths: Sequence[str],
    watch: Watch,
    *,
    published: bool = False,
    max_lookups: int = MAX_LOOKUPS,
    pins: "Overrides | None" = None,
    language: str | None = None,
) -> Verified:
    """Verify files, folders, names of published tables, or "-" (standard input: a table, or a
    source of `language`). `pins` are for sources; None reads sources as they are. What is wrong
    with one file does not stop the others.
    """
    with watch("looking for tables", ""):
        asked = list(_files(paths, published))
    from_stdin = language is not None and STDIN in asked
    asked = [path for path in asked if not (from_stdin and path == STDIN)]
    folders = [one for one in asked if not isinstance(one, Path | CheckedTable)]
    named = [one for one in asked if isinstance(one, Path) and is_source(one)]
    swept = {path for folder in folders for path in folder.sources} - set(named)
    tables = [
        path if isinstance(path, CheckedTable) else check_table(path, max_lookups, watch)
        for one in asked
        for path in ([one] if isinstance(one, Path | CheckedTable) else one.tables)
        if path not in named
    ]
    # A table file alone need not wait for the reader of sources to be loaded.
    sources = list(dict.fromkeys([*named, *(path for one in folders for path in one.sources)]))
    judged: list[CheckedSource] = []
    readable = not any(isinstance(one, CheckedTable) for one in asked)
    if pins is not None and readable and not sources and not from_stdin:
        message = "only for source files: a table file needs no such option"
        raise InputError([Problem(message, key=pins.options)])
    if sources:
        from magicert.jobs.read_sources import FEW_NUMBERS, judge_sources

        beside = [p for folder in folders for p, why in folder.left_out if why == FEW_NUMBERS]
        judged = judge_sources(sources, pins, max_lookups, watch, swept=swept, beside=beside)
    for one in folders:
        if one.texts and not any(set(own.paths) & set(one.sources) for own in judged):
            from magicert.jobs.read_sources import judge_sources

            texts = [path for path in one.texts if path not in sources]
            beside = [*one.sources, *(path for path, _ in one.left_out)]
            judged += judge_sources(
                texts, pins, max_lookups, watch, swept=set(texts), beside=beside
            )
    if from_stdin:
        judged.append(_judged_stdin(language or "", pins, max_lookups, watch))
    seen = {path for source in judged for path in source.paths}
    left_out = {path: why for folder in folders for path, why in folder.left_out}
    left_out |= dict.fromkeys(sorted(swept - seen), "no table in its numbers")
    tables += [
        CheckedTable(one.folder, one.nothing)
        for one in folders
        if not one.tables and seen.isdisjoint((*one.sources, *one.texts))
    ]
    return Verified(tables, judged, left_out)


def _judged_stdin(
    language: str, pins: "Overrides | None", max_lookups: int, watch: Watch
) -> "CheckedSource":
    """The source on stdin, as if it were a file stdin.rs."""
    from magicert.jobs.read_sources import CheckedSource, judge_any
    from magicert.languages.language import LARGEST, ending_called

    ending = ending_called(language)
    path = Path(f"stdin{ending or ''}")
    try:
        if ending is None:
            message = "expected a language, or an ending of its files, such as rust or rs"
            raise InputError([Problem(message, key=f"--lang {language}")])
        data = sys.stdin.buffer.read(LARGEST + 1) if sys.stdin else b""
        with watch("reading standard input", "lookups") as observer:
            judgement = judge_any(
                [(path, data)], pins, max_lookups=max_lookups, progress=observer.progress
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
            return CheckedTable(
                path, verify(file, max_lookups=max_lookups, progress=observer.progress)
            )
    except InputError as error:
        if path == STDIN:
            message = "read as a table file; of a source --lang says the language, such as cpp"
            error = InputError([*error.problems, Problem(message, file=str(path))])
        return CheckedTable(path, error)
    except OSError as error:
        return _bad_file(path, f"cannot be read: {error.strerror}")


def _bad_file(path: Path | str, message: str) -> CheckedTable:
    return CheckedTable(Path(path), InputError([Problem(message, file=str(path))]))


def _files(paths: Iterable[str], published: bool) -> Iterator["Path | Below | CheckedTable"]:
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
                from magicert.jobs.read_sources import files_below

                yield files_below(path)
            else:
                yield path
        except InputError as error:
            yield CheckedTable(Path(name), error)
        except OSError as error:
            yield _bad_file(name, f"cannot be read: {error.strerror}")


def report_files(verified: Verified, folder: Path) -> dict[Path, bytes]:
    """The reports by their files: NAME.certificate.json, or NAME.findings.json where one is not
    valid. Raises InputError where two reports would have one name.
    """
    from magicert.verify.table.report import to_json

    reports = list(_named_reports(verified))
    stems = [stem for stem, _ in reports]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        message = "several files of that name: their reports would overwrite one another"
        raise InputError([Problem(message, file=stem) for stem in twice])
    return {
        folder / (stem + KINDS[report.verdict == "valid"]): to_json(report)
        for stem, report in reports
    }


def write_reports(reports: Mapping[Path, bytes], inputs: Collection[Path], *, force: bool) -> None:
    """Write each report to its file. An older one of the other kind, which would contradict it,
    is removed. InputError, before anything is written, for a file that must not be touched.
    """
    from magicert.system.whole_file import write_whole

    for path in reports:
        for touched in (path, other_kind(path)):
            check_output(touched, inputs, force=force)
    for path, data in reports.items():
        write_whole(path, data)
        other_kind(path).unlink(missing_ok=True)


def other_kind(report: Path) -> Path:
    """Where a report of the other kind about the same file lies."""
    (kind,) = (kind for kind in KINDS.values() if report.name.endswith(kind))
    (other,) = (other for other in KINDS.values() if other != kind)
    return report.with_name(report.name.removesuffix(kind) + other)


def _named_reports(verified: Verified) -> "Iterator[tuple[str, Report]]":
    """The reports, each with the name of its file; several readings of a source are numbered."""
    for item in verified.tables:
        if not isinstance(item.result, InputError):
            yield item.path.stem if item.path != STDIN else "stdin", item.result
    for source in verified.sources:
        if isinstance(source.result, InputError):
            continue
        readings = [*source.result.valid, *source.result.nearest]
        for number, reading in enumerate(readings, 1):
            name = source.paths[0].name
            yield f"{name}-{number}" if len(readings) > 1 else name, reading.report
