"""`magicert tables`: the tables that ship, measured, with their provenance."""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from magicert.commands.command import Answer, command
from magicert.commands.options import ShippedName
from magicert.data import find_table, tables_by_name, tables_folder
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem

FACTS = ("name", "verdict", "slots", "used", "board", "order", "formula", "file")
"""What is told about one table, before its provenance."""
WITH_REPOSITORY = 90
"""Columns of a terminal from which on the list names repositories."""
FIGURES = "figures.json"
"""In tables/: what verifying each table that ships came to, and the SHA-256 of what was read."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """One table. `slots` and `used` are of the verification, not what the file says; `formula`
    has all pieces' where they differ.
    """

    key: str
    name: str
    verdict: str
    slots: int
    used: int
    board: str
    order: str
    formula: str
    provenance: dict[str, str | int]
    file: str


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """What a verification came to, as long as these files, by name, have these SHA-256."""

    files: dict[str, str]
    figures: Shipped

    def holds(self, folder: Path) -> bool:
        return all(
            (folder / name).is_file() and digest((folder / name).read_bytes()) == known
            for name, known in self.files.items()
        )


@command("tables")
@click.argument("name", type=ShippedName(tables_by_name, str, files=False), required=False)
def run(name: str | None) -> Answer:
    """List the published tables and this project's records, or show one in full.

    For example:

        magicert tables
        magicert tables cfish_black

    The numbers are measured by verifying each table, not read from it.
    """
    rows = list_tables(tables_by_name(), name)
    return Answer(OutcomeKind.VALID, _details(rows[0]) if name else _list(rows), lambda: rows)


def list_tables(paths: dict[str, Path], only: str | None = None) -> list[Shipped]:
    """Verify the tables of these names, or one of them. InputError where there is none such."""
    if only is not None and only not in paths:
        find_table(only)  # the error for a name that is none
        raise InputError([Problem("is a file: use magicert verify", file=only)])
    known = measured_before()
    return [_shipped(key, path, known) for key, path in paths.items() if only in (None, key)]


def measured_before() -> dict[str, MeasuredTable]:
    """What ships of earlier verifications, by name."""
    import msgspec

    path = tables_folder() / FIGURES
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, MeasuredTable])


def _shipped(key: str, path: Path, known: dict[str, MeasuredTable]) -> Shipped:
    table = known.get(key)
    if table is None or path.name not in table.files or not table.holds(path.parent):
        table = measure(key, path)
    return replace(table.figures, file=str(path))


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def measure(key: str, path: Path) -> MeasuredTable:
    """Verify a table."""
    from magicert.table import read_table
    from magicert.verify.table.verifier import verify

    file = read_table(path)
    report = verify(file)
    figures = Shipped(
        key=key,
        name=file.table.name,
        verdict=report.verdict,
        slots=sum(buffer.length for buffer in report.buffers),
        used=sum(buffer.slots_used for buffer in report.buffers),
        board=report.board,
        order=file.table.order,
        formula=" / ".join(dict.fromkeys(report.formulas.values())),
        provenance=file.table.provenance.described,
        file=path.name,
    )
    return MeasuredTable({path.name: report.input.sha256, **report.input.sidecars}, figures)


def _details(row: Shipped) -> Iterator[str]:
    facts = {key: getattr(row, key) for key in FACTS} | row.provenance
    yield from (f"{key:<12} {value}" for key, value in facts.items())


def _list(rows: list[Shipped]) -> Iterator[str]:
    if sys.stdout.isatty():
        yield from _rich_list(rows)
    else:
        yield from (f"{row.key}\t{row.slots}\t{row.used}\t{row.name}" for row in rows)
    yield f"\n{len(rows)} tables in {tables_folder()}; magicert tables NAME says more"


def _rich_list(rows: list[Shipped]) -> list[str]:
    from rich.console import Console
    from rich.table import Table

    from magicert.show.document import width

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("name", no_wrap=True)
    table.add_column("slots", justify="right", no_wrap=True)
    table.add_column("used", justify="right", no_wrap=True)
    table.add_column("engine", overflow="fold")
    wide = width() >= WITH_REPOSITORY
    if wide:
        table.add_column("repository", overflow="fold")
    for row in rows:
        cells = [row.key, f"{row.slots:,}", f"{row.used:,}", row.name]
        table.add_row(*cells, *([str(row.provenance.get("repository", ""))] if wide else []))
    console = Console(width=width(), highlight=False)
    with console.capture() as drawn:
        console.print(table)
    return drawn.get().splitlines()
