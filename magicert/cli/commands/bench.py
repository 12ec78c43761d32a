"""`magicert bench`: ns per lookup of several tables, in one run."""

import shutil
import tempfile
from pathlib import Path

import rich_click as click

from magicert.cli.options.types import TableType


@click.command("bench")
@click.argument("tables", type=TableType(), nargs=-1, required=True)
@click.option("--turns", type=click.IntRange(1, 1000), default=7, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(tables: tuple[Path, ...], turns: int, as_json: bool) -> None:
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown. Needs cc, gcc or clang.

    \b
    magicert bench stockfish21_64 cfish_plain cfish_black black
    """
    from magicert.compact.timing.bench import COMPILERS, bench
    from magicert.data import tables_folder
    from magicert.problem import InputError, Problem
    from magicert.table import read_table

    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        raise InputError([Problem(f"no C compiler: expected one of {', '.join(COMPILERS)}")])
    files = [read_table(path) for path in tables]
    with tempfile.TemporaryDirectory(prefix="magicert-bench-") as folder:
        speeds = bench(files, tables_folder() / "games", Path(folder), compiler, turns)
    if as_json:
        import msgspec

        rows = [
            {"table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds}
            for s in speeds
        ]
        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=1).decode())
        return
    wide = max(len(speed.name) for speed in speeds)
    click.echo(f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  ns random  ns games")
    for speed in speeds:
        random, games = speed.nanoseconds["random"], speed.nanoseconds["games"]
        size = f"{speed.entries:>9,}  {speed.bytes / 1024:>7,.1f}"
        click.echo(f"{speed.name:<{wide}}  {size}  {random:>9.2f}  {games:>8.2f}")
