"""`magicert bench`: ns per lookup of several tables, in one run."""

import rich_click as click

from magicert.cli.options.types import TableNameType
from magicert.cli.options.work import JSON
from magicert.data import find_tables


@click.command("bench")
@click.argument("tables", type=TableNameType(files=True), nargs=-1, required=True)
@click.option(
    "--turns",
    type=click.IntRange(1, 1000),
    default=7,
    show_default=True,
    metavar="N",
    help="How often each table is run.",
)
@JSON
def command(tables: tuple[str, ...], turns: int, as_json: bool) -> None:
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    For example:

        magicert bench stockfish21_64 cfish_plain cfish_black black

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown. Needs cc, gcc or clang.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.measure import measure

    paths = find_tables(tables)
    with ProgressDisplay(f"measuring {len(tables)} tables"):
        speeds = measure(paths, turns)
    if as_json:
        from magicert.cli.display.documents import echo_json

        echo_json(
            [
                {"table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds}
                for s in speeds
            ]
        )
        return
    wide = max(len(speed.name) for speed in speeds)
    click.echo(f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  ns random  ns games")
    for speed in speeds:
        random, games = speed.nanoseconds["random"], speed.nanoseconds["games"]
        size = f"{speed.entries:>9,}  {speed.bytes / 1024:>7,.1f}"
        click.echo(f"{speed.name:<{wide}}  {size}  {random:>9.2f}  {games:>8.2f}")
