"""`magicert verify`: is a table right, for every square and every occupancy?"""

import sys
from pathlib import Path

import rich_click as click

from magicert.cli.options.pins import pin_options, pins_of
from magicert.cli.options.work import JSON
from magicert.verify.table.budget import MAX_LOOKUPS

STATUS = {"valid": 0, "invalid": 1, "bad input": 2, "unknown": 3}


@click.command("verify")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--published", is_flag=True, help="All tables that magicert ships.")
@JSON
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
    all squares are looked up: nothing is sampled. For a source, the reading is shown: which
    of its lists and numbers were taken for what.

    \b
    magicert verify my-engine.toml
    magicert verify src/bitboard.cpp
    magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
    magicert verify tables/ --certificates certificates/
    magicert verify shakmaty --json | jq .reports[0].buffers

    Exit status: 0 all valid, 1 something invalid, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.verify_tables import Wanted, verify_all, write_reports

    if not paths and not published:
        raise click.UsageError("expected a PATH, or --published")
    pinned = bool(formula or maps or order or bits)
    pins = pins_of(formula, maps, order, bits) if pinned else None
    verified = verify_all(Wanted(paths, published, max_lookups, pins), ProgressDisplay)
    if certificates is not None:
        write_reports(verified, certificates)
    if as_json:
        from magicert.cli.display.documents import echo_json, verified_json

        echo_json(verified_json(verified))
    else:
        from magicert.cli.display.report import show_all
        from magicert.cli.display.source_report import show_sources

        if verified.tables:
            show_all(verified.tables, full)
        show_sources(verified.sources, full)
    sys.exit(STATUS[verified.verdict])
