"""`magicert tables`: what is published, with sizes and provenance."""

import sys
from collections.abc import Iterator

from magicert.cli.declared import Json, asks
from magicert.data import tables_folder
from magicert.requests.request import Given
from magicert.requests.tables import Shipped, Tables
from magicert.show.document import PlainDocument

FACTS = ("name", "verdict", "slots", "used", "board", "order", "formula", "file")
"""What is told about one table, before its provenance."""
WITH_REPOSITORY = 90
"""Columns of a terminal from which on the list names repositories."""


@asks("tables", Tables, Json)
def command(asked: Tables, rows: list[Shipped], given: Given) -> PlainDocument:
    """List the published tables and this project's records, or tell all about one.

    For example:

        magicert tables
        magicert tables cfish_black

    The numbers are measured by verifying each table, not read from it.
    """
    return PlainDocument(_details(rows[0]) if asked.name else _list(rows), lambda: rows)


def _details(row: Shipped) -> Iterator[str]:
    facts = {key: getattr(row, key) for key in FACTS} | row.provenance
    yield from (f"{key:<12} {value}" for key, value in facts.items())


def _list(rows: list[Shipped]) -> Iterator[str]:
    if sys.stdout.isatty():
        yield from _rich_list(rows)
    else:
        yield from (f"{row.key}\t{row.slots}\t{row.used}\t{row.name}" for row in rows)
    yield f"\n{len(rows)} tables in {tables_folder()}; magicert tables NAME tells more"


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
