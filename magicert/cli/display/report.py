"""A verification's report for people: a table of verdicts, and boards for what is wrong."""

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from magicert.board import CHESS, Board, Piece
from magicert.cli.display import boards as draw
from magicert.data import broken_tables, tables_by_name
from magicert.jobs.verify_tables import Checked
from magicert.problem import InputError, printable
from magicert.verify.table.report import Finding, Lookup, Report

COLOURS = {"valid": "green", "invalid": "red", "unknown": "yellow", "bad input": "magenta"}
SHOWN_FINDINGS = 10


def file_name(path: Path) -> str:
    """A file as its user knows it: a table that ships by its name, others by their path."""
    names = {**broken_tables(), **tables_by_name()} if path.is_absolute() else {}
    shipped = names.get(path.stem) == path
    return printable(path.stem if shipped else str(path))


def show_all(checked: Sequence[Checked], everything: bool) -> None:
    """The summary of all files, then whatever is wrong with each."""
    if sys.stdout.isatty():
        _rich_summary(checked)
    else:
        _plain_summary(checked)
    if len(checked) == 1 and checked[0].verdict == "valid":
        show_certificate(checked[0])
    for item in checked:
        show_details(item, everything, alone=len(checked) == 1)


def _figures(report: Report) -> list[str]:
    length = sum(buffer.length for buffer in report.buffers)
    used = sum(buffer.slots_used for buffer in report.buffers)
    sizes = [buffer.declared for buffer in report.buffers]
    declared = f"{sum(s for s in sizes if s is not None):,}" if None not in sizes else "-"
    return [f"{report.lookups:,}", f"{length:,}", f"{used:,}", f"{length - used:,}", declared]


def _plain_summary(checked: Sequence[Checked]) -> None:
    for item in checked:
        verdict, shown = item.verdict.ljust(9), file_name(item.path)
        if isinstance(item.result, InputError):
            click.echo(f"{verdict} {shown}")
            continue
        lookups, length, used, holes, declared = _figures(item.result)
        if item.result.table.lower() not in (item.path.name.lower(), item.path.stem.lower()):
            shown = f"{shown}: {printable(item.result.table)}"
        click.echo(
            f"{verdict} {shown}: {lookups} lookups, {length} slots "
            f"({used} used, {holes} holes, {declared} declared)"
            + "".join(f"; {printable(remark)}" for remark in _remarks(item))
        )


def _remarks(item: Checked) -> list[str]:
    """What belongs to the verdict, so that it says no more than was verified."""
    assert not isinstance(item.result, InputError)
    pieces = list(item.result.formulas)
    # A chess engine has both; on other boards a table of one piece is nothing odd.
    odd = len(pieces) == 1 and pieces[0] in set(Piece) and item.result.geometry == CHESS
    return [*([f"{pieces[0]}s only"] if odd else []), *item.remarks]


def _rich_summary(checked: Sequence[Checked]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    columns = draw.width()
    table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    table.add_column("verdict", no_wrap=True)
    table.add_column("table", overflow="fold", min_width=12)
    shown = ["lookups", "slots", "used", "holes", "declared"]
    shown = shown if columns >= 70 else shown[1:2]
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    if columns >= 110:
        table.add_column("file", overflow="fold")
    for item in checked:
        # Texts, not strings: names must not be taken for markup.
        verdict = Text(item.verdict, style=COLOURS[item.verdict])
        if isinstance(item.result, InputError):
            cells = [Text(printable(item.path.name))]
        else:
            figures = _figures(item.result)
            figures = figures if len(shown) > 1 else figures[1:2]
            cells = [Text(printable(item.result.table)), *map(Text, figures)]
        path = Text(file_name(item.path))
        cells += [Text()] * (1 + len(shown) - len(cells))
        table.add_row(verdict, *cells, *([path] if columns >= 110 else []))
    Console(width=columns, highlight=False).print(table)
    for item in checked:
        if not isinstance(item.result, InputError):
            for remark in _remarks(item):
                click.secho(f"{printable(item.path.name)}: {printable(remark)}", fg="yellow")


def show_details(item: Checked, everything: bool, alone: bool) -> None:
    """What is wrong with one file, and what is worth knowing about it."""
    if isinstance(item.result, InputError):
        click.echo("")
        for problem in item.result.problems:
            click.echo(problem, err=True)
        return
    report = item.result
    if report.findings:
        click.echo("")
        click.secho(f"{file_name(item.path)}: {len(report.findings)} findings", bold=True)
    shown = len(report.findings) if everything else SHOWN_FINDINGS
    for number, finding in enumerate(report.findings[:shown]):
        drawn = report.geometry if everything or number == 0 else None
        show_finding(finding, drawn)
    if len(report.findings) > shown:
        click.echo(f"  ... and {len(report.findings) - shown} more: --full shows them all")
    if report.notes and (everything or alone or report.verdict != "valid"):
        for note in report.notes:
            click.echo(f"  note: {note}")


def show_certificate(item: Checked) -> None:
    """What the certificate of the only table says."""
    report = item.result
    assert isinstance(report, Report)
    for piece, formula in report.formulas.items():
        click.echo(f"  {piece:<8} {formula}")
    for line in textwrap.wrap(report.statement, min(98, draw.width()) - 2):
        click.echo(f"  {line}")
    click.echo(f"  sha256 {report.input.sha256}")
    click.echo("  --certificates FOLDER writes the certificate, with every figure, as JSON")


def show_finding(finding: Finding, on: Board | None) -> None:
    """One finding, in words, with its positions drawn on a board if one is given."""
    where = " and ".join(finding.squares)
    click.echo(f"  {where + ': ' if where else ''}{finding.message}")
    if on is not None:
        lookup_board(finding, on)


def lookup_board(finding: Finding, on: Board) -> None:
    """The positions of a finding, drawn beside each other."""
    if not finding.lookups:
        return
    blocks = [lookup_block(lookup, on) for lookup in finding.lookups]
    for line in draw.beside(blocks, draw.width() - 4):
        click.echo(f"    {line}".rstrip())
    for legend in dict.fromkeys(draw.legend(lookup.piece) for lookup in finding.lookups):
        click.echo(f"    {legend}")


def lookup_block(lookup: Lookup, on: Board) -> list[str]:
    """A lookup as lines: its figures and its board."""
    blockers = map(on.parse, lookup.blockers)
    attacked = map(on.parse, lookup.attacked)
    return [
        f"{lookup.piece} {lookup.square}, slot {lookup.slot}",
        f"occupancy {lookup.occupancy}",
        f"attacks   {lookup.attacks}",
        *draw.board(on.parse(lookup.square), lookup.piece, blockers, attacked, on),
    ]
