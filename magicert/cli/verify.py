"""`magicert verify`: is a table right, for every square and every occupancy?"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from magicert.cli.pin_options import pin_options, pins_of
from magicert.data import find_table, published_tables
from magicert.problem import InputError, Problem

if TYPE_CHECKING:
    from magicert.cli.report import Checked
    from magicert.cli.sources import CheckedSource

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
    default=1 << 26,
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
    from magicert.cli.report import show_all
    from magicert.cli.source_report import show_sources
    from magicert.cli.sources import is_source, judge_sources

    if not paths and not published:
        raise click.UsageError("expected a PATH, or --published")
    pins = pins_of(formula, maps, order, bits)
    files = list(_files(paths, published))
    sources = [path for path in files if is_source(path)]
    checked = [check(path, max_lookups) for path in files if not is_source(path)]
    judged = judge_sources(sources, pins, max_lookups) if sources else []
    if certificates is not None:
        _write([*checked, *_reports(judged)], certificates)
    if as_json:
        _print_json(checked, judged)
    else:
        if checked:
            show_all(checked, full)
        show_sources(judged, full)
    verdicts = {item.verdict for item in checked} | {item.verdict for item in judged}
    sys.exit(STATUS[next(verdict for verdict in PRECEDENCE if verdict in verdicts)])


def check(path: Path, max_lookups: int) -> "Checked":
    """Read and verify one file."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.cli.report import Checked
    from magicert.table import parse_table, read_table
    from verify.verifier import verify

    try:
        if str(path) == "-":
            file = parse_table(sys.stdin.buffer.read((8 << 20) + 1), path)
        else:
            file = read_table(path)
        with ProgressDisplay(f"verifying {path.name}", "lookups") as show:
            return Checked(path, verify(file, max_lookups=max_lookups, progress=show))
    except InputError as error:
        return Checked(path, error)
    except OSError as error:
        problem = Problem(f"cannot be read: {error.strerror}", file=str(path))
        return Checked(path, InputError([problem]))


def _files(paths: tuple[str, ...], published: bool) -> Iterator[Path]:
    from magicert.cli.sources import sources_below

    if published:
        yield from published_tables().values()
    for name in paths:
        path = Path(name) if name == "-" else find_table(name)
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.toml")) or sources_below(path)
        if not found:
            message = "no *.toml in this folder, and no source with enough numbers for a table"
            raise InputError([Problem(message, file=str(path))])
        yield from found


def _reports(judged: "list[CheckedSource]") -> "list[Checked]":
    """The reports of sources, each under a name of its own."""
    from magicert.cli.report import Checked

    reports = []
    for item in judged:
        if isinstance(item.result, InputError):
            continue
        readings = [*item.result.valid, *item.result.nearest]
        for number, reading in enumerate(readings, 1):
            stem = item.paths[0].name + (f"-{number}" if len(readings) > 1 else "")
            reports.append(Checked(Path(f"{stem}.reading"), reading.report))
    return reports


def _write(checked: "list[Checked]", folder: Path) -> None:
    from verify.report import Report, to_json

    folder.mkdir(parents=True, exist_ok=True)
    for item in checked:
        if isinstance(item.result, Report):
            kind = "certificate" if item.verdict == "valid" else "findings"
            (folder / f"{item.path.stem}.{kind}.json").write_bytes(to_json(item.result))


def _print_json(checked: "list[Checked]", judged: "list[CheckedSource]") -> None:
    import msgspec

    from magicert.cli import source_report

    reports: list[object] = []
    for item in checked:
        if isinstance(item.result, InputError):
            problems = [
                {"file": p.file, "key": p.key, "line": p.line, "message": p.message}
                for p in item.result.problems
            ]
            reports.append(
                {"verdict": "bad input", "input": {"file": str(item.path)}, "problems": problems}
            )
        else:
            reports.append(item.result)
    for source in judged:
        reports += source_report.as_json(source)
    click.echo(msgspec.json.format(msgspec.json.encode({"reports": reports}), indent=1).decode())
