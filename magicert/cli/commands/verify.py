"""`magicert verify`: is a table right, for every square and every occupancy?"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from magicert.cli.display.checked import Checked, bad_input
from magicert.cli.options.pins import pin_options, pins_of
from magicert.data import find_table, published_tables
from magicert.problem import InputError, Problem, listed
from magicert.verify.table.budget import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.jobs.read_sources import CheckedSource

PRECEDENCE = ("bad input", "invalid", "unknown", "valid")
"""Of several files the gravest verdict gives the exit status."""
STATUS = {"valid": 0, "invalid": 1, "bad input": 2, "unknown": 3}


@click.command("verify")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--published", is_flag=True, help="All tables that magicert ships.")
@click.option("--json", "as_json", is_flag=True, help="Reports as one JSON document.")
@click.option("--full", is_flag=True, help="Every finding with its boards, and all notes.")
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
)
@click.option(
    "--max-lookups",
    type=click.IntRange(1 << 18, 1 << 40),
    default=MAX_LOOKUPS,
    show_default=True,
    help="Budget for one table; a usual one needs 107,648. Only odd masks need more.",
)
@pin_options
def command(
    paths: tuple[str, ...],
    published: bool,
    as_json: bool,
    full: bool,
    certificates: Path | None,
    max_lookups: int,
    formula: str | None,
    maps: tuple[str, ...],
    order: str | None,
    bits: tuple[str, ...],
) -> None:
    """Verify tables exhaustively: a certificate, or the positions that break them.

    PATH is a table file, an engine's source file in any language, a folder of either, "-"
    for a table on standard input, or the name of a published table. All occupancies of
    all squares are looked up; no sampling. Of a source it is said what was taken for what.

    \b
    magicert verify my-engine.toml
    magicert verify src/bitboard.cpp
    magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
    magicert verify tables/ --certificates certificates/
    magicert verify shakmaty --json | jq .reports[0].buffers

    Exit status: 0 all valid, 1 something invalid, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.report import show_all
    from magicert.cli.display.source_report import show_sources
    from magicert.jobs.read_sources import is_source, judge_sources

    if not paths and not published:
        raise click.UsageError("expected a PATH, or --published")
    found = list(files(paths, published))
    sources = [path for path in found if isinstance(path, Path) and is_source(path)]
    judged: list[CheckedSource] = []
    # A table file alone need not wait for the reader of sources to be loaded.
    pinned = bool(formula or maps or order or bits)
    pins = pins_of(formula, maps, order, bits) if sources or pinned else None
    checked = [
        path if isinstance(path, Checked) else check(path, max_lookups)
        for path in found
        if isinstance(path, Checked) or path not in sources
    ]
    if pins is not None and sources:
        judged = judge_sources(sources, pins, max_lookups)
    if certificates is not None:
        write_reports([*checked, *reports_of(judged)], certificates)
    if as_json:
        print_json(checked, judged)
    else:
        if checked:
            show_all(checked, full)
        show_sources(judged, full)
    verdicts = {item.verdict for item in checked} | {item.verdict for item in judged}
    sys.exit(STATUS[next(verdict for verdict in PRECEDENCE if verdict in verdicts)])


def check(path: Path, max_lookups: int) -> Checked:
    """Read and verify one file."""
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.table import parse_table, read_table
    from magicert.table.read import MAX_FILE
    from magicert.verify.table.verifier import verify

    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_FILE + 1) if sys.stdin else b""
            file = parse_table(data, path)
        else:
            file = read_table(path)
        with ProgressDisplay(f"verifying {path.name}", "lookups") as show:
            return Checked(path, verify(file, max_lookups=max_lookups, progress=show))
    except InputError as error:
        return Checked(path, error)
    except OSError as error:
        return bad_file(path, f"cannot be read: {error.strerror}")


def bad_file(path: Path | str, message: str) -> Checked:
    """A file that is not verified, and why."""
    return Checked(Path(path), InputError([Problem(message, file=str(path))]))


def files(paths: tuple[str, ...], published: bool) -> Iterator[Path | Checked]:
    """The files to verify, or what is wrong with a path."""
    if published:
        yield from published_tables().values()
    for name in paths:
        if not name:
            yield bad_file(name, "an empty path")
            continue
        try:
            path = Path(name) if name == "-" else find_table(name)
            if path.is_dir():
                yield from folder(path)
            else:
                yield path
        except InputError as error:
            yield Checked(Path(name), error)
        except OSError as error:
            yield bad_file(name, f"cannot be read: {error.strerror}")


def folder(path: Path) -> Iterator[Path | Checked]:
    """The table files below a folder, or, if it has none, the sources: other TOML files are
    named and left alone.
    """
    from magicert.jobs.read_sources import sources_below

    found = [file for file in sorted(path.rglob("*.toml")) if file.is_file()]
    tables = [file for file in found if is_table(file)]
    if len(tables) < len(found):
        others = [str(file.relative_to(path)) for file in found if file not in tables]
        click.echo(f"{path}: left out, no magicert tables: {listed(others)}", err=True)
    sources = [] if tables else sources_below(path)
    if not tables and not sources:
        message = "no table (*.toml with a line magicert = ...) in this folder, and no source"
        yield bad_file(path, f"{message} with enough long numbers for one")
    yield from tables or sources


def is_table(path: Path) -> bool:
    """Whether a TOML file says that it is a table, or cannot be read to tell."""
    try:
        with path.open("rb") as stream:
            return re.search(rb"^\s*magicert\s*=", stream.read(1 << 16), re.MULTILINE) is not None
    except OSError:
        return True


def reports_of(judged: "list[CheckedSource]") -> list[Checked]:
    """The reports of sources, each under a name of its own."""
    reports = []
    for item in judged:
        if isinstance(item.result, InputError):
            continue
        readings = [*item.result.valid, *item.result.nearest]
        for number, reading in enumerate(readings, 1):
            stem = item.paths[0].name + (f"-{number}" if len(readings) > 1 else "")
            reports.append(Checked(Path(f"{stem}.reading"), reading.report))
    return reports


def write_reports(checked: list[Checked], destination: Path) -> None:
    """Write each report, named after its file. Raises InputError where two have one name."""
    from magicert.system.whole_file import write_whole
    from magicert.verify.table.report import Report, to_json

    reports = [
        (item.result, item.path.stem if str(item.path) != "-" else "stdin")
        for item in checked
        if isinstance(item.result, Report)
    ]
    stems = [stem for _, stem in reports]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        message = "several files of that name: their reports would overwrite one another"
        raise InputError([Problem(message, file=stem) for stem in twice])
    destination.mkdir(parents=True, exist_ok=True)
    for report, stem in reports:
        kinds = ["certificate", "findings"]
        kind = kinds.pop(0 if report.verdict == "valid" else 1)
        write_whole(destination / f"{stem}.{kind}.json", to_json(report))
        # An older report of the other kind would contradict this one.
        (destination / f"{stem}.{kinds[0]}.json").unlink(missing_ok=True)


def print_json(checked: list[Checked], judged: "list[CheckedSource]") -> None:
    """All reports as one document; names that are not text in any encoding are escaped."""
    import msgspec

    from magicert.cli.display import source_report

    reports: list[object] = []
    for item in checked:
        if isinstance(item.result, InputError):
            reports.append(bad_input(str(item.path), item.result))
        else:
            reports.append(item.result)
    for source in judged:
        reports += source_report.as_json(source)
    click.echo(msgspec.json.format(msgspec.json.encode({"reports": reports}), indent=1).decode())
