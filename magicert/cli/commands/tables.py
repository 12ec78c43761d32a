"""`magicert tables`: what is published, with sizes and provenance."""

import sys
from dataclasses import fields

import rich_click as click

from magicert.data import published_tables, tables_folder
from magicert.problem import InputError, Problem


@click.command("tables")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the published tables, or tell all about one.

    \b
    magicert tables
    magicert tables cfish_black

    The numbers are measured by verifying each table, not read from it.
    """
    import msgspec

    from magicert.table import read_table
    from magicert.verify.table.verifier import verify

    published = published_tables()
    if name is not None and name not in published:
        known = ", ".join(published)
        raise InputError([Problem(f"no such table: expected one of {known}", file=name)])
    rows = []
    for key, path in published.items():
        if name in (None, key):
            file = read_table(path)
            report = verify(file)
            rows.append(
                {
                    "key": key,
                    "name": file.table.name,
                    "verdict": report.verdict,
                    "slots": sum(buffer.length for buffer in report.buffers),
                    "used": sum(buffer.slots_used for buffer in report.buffers),
                    "order": file.table.order,
                    "formula": " / ".join(dict.fromkeys(report.formulas.values())),
                    "provenance": {
                        f.name: value
                        for f in fields(file.table.provenance)
                        if (value := getattr(file.table.provenance, f.name)) not in ("", None)
                    },
                    "file": str(path),
                }
            )
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=1).decode())
    elif name is not None:
        _details(rows[0])
    elif sys.stdout.isatty():
        _rich_list(rows)
    else:
        for row in rows:
            click.echo(f"{row['key']}\t{row['slots']}\t{row['used']}\t{row['name']}")
    if name is None and not as_json:
        click.echo(f"\n{len(rows)} tables in {tables_folder()}; magicert tables NAME tells more")


def _details(row: dict[str, object]) -> None:
    provenance = row["provenance"]
    assert isinstance(provenance, dict)
    for key in ("name", "verdict", "slots", "used", "order", "formula", "file"):
        click.echo(f"{key:<12} {row[key]}")
    for key, value in provenance.items():
        click.echo(f"{key:<12} {value}")


def _rich_list(rows: list[dict[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    from magicert.cli.display.report import width

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("name", no_wrap=True)
    table.add_column("slots", justify="right", no_wrap=True)
    table.add_column("used", justify="right", no_wrap=True)
    table.add_column("engine", overflow="fold")
    if width() >= 90:
        table.add_column("repository", overflow="fold")
    for row in rows:
        provenance = row["provenance"]
        assert isinstance(provenance, dict)
        cells = [str(row["key"]), f"{row['slots']:,}", f"{row['used']:,}", str(row["name"])]
        table.add_row(*cells, *([provenance.get("repository", "")] if width() >= 90 else []))
    Console(width=width(), highlight=False).print(table)
