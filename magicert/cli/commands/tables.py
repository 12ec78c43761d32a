"""`magicert tables`: what is published, with sizes and provenance."""

import sys
from typing import Any

import click

from magicert.cli.declared import Json, declared, request_of
from magicert.data import tables_folder
from magicert.outcome import Unseen
from magicert.requests.tables import Shipped, Tables

FACTS = ("name", "verdict", "slots", "used", "board", "order", "formula", "file")
"""What is told about one table, before its provenance."""
WITH_REPOSITORY = 90
"""Columns of a terminal from which on the list names repositories."""


@click.command("tables")
@declared(Tables, Json)
def command(**given: Any) -> None:  # noqa: ANN401
    """List the published tables and this project's records, or tell all about one.

    For example:

        magicert tables
        magicert tables cfish_black

    The numbers are measured by verifying each table, not read from it.
    """
    asked = request_of(Tables, given)
    rows = asked.run(Unseen)
    if given["as_json"]:
        from magicert.show.document import echo_json

        echo_json(rows)
        return
    if asked.name is not None:
        _details(rows[0])
        return
    if sys.stdout.isatty():
        _rich_list(rows)
    else:
        for row in rows:
            click.echo(f"{row.key}\t{row.slots}\t{row.used}\t{row.name}")
    click.echo(f"\n{len(rows)} tables in {tables_folder()}; magicert tables NAME tells more")


def _details(row: Shipped) -> None:
    facts = {key: getattr(row, key) for key in FACTS} | row.provenance
    for key, value in facts.items():
        click.echo(f"{key:<12} {value}")


def _rich_list(rows: list[Shipped]) -> None:
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
    Console(width=width(), highlight=False).print(table)
