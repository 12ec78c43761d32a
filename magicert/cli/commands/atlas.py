"""`magicert atlas`: what is known, square by square, and how to learn more."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece, parse_square, square_name
from magicert.cli.commands.find import CommandObserver, duration

if TYPE_CHECKING:
    from magicert.atlas import Atlas, Entry
    from magicert.cell import Cell
    from magicert.search.ledger.ledger import Ledger, Summary
    from magicert.search.ledger.settle import Inspector
    from magicert.search.shards.shard import Root, Work

FEW_LEAVES = 20_000_000
"""Cells that may have more leaves are only counted, unless --record is given."""
LEGEND = "bits: the fewest known.  = fewer are impossible, ? fewer are open"


@click.command("atlas")
@click.option(
    "--atlas",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Another atlas than the one shipped.",
)
@click.option("--cell", "cells", is_flag=True, help="List the open cells, cheapest first.")
@click.option("--settle", is_flag=True, help="Settle open cells, cheapest first.")
@click.option("--budget", callback=duration, metavar="TIME", help="90s, 10m, 2h: for --settle.")
@click.option("--only", "only", metavar="PIECE[:SQUARE]", default="", help="Narrow --settle.")
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("atlas.db"),
    show_default=True,
    help="Keeps finished shards: a rerun resumes.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("atlas.toml"),
    show_default=True,
    help="Where --settle writes; certificates go beside it.",
)
@click.option("--workers", type=click.IntRange(1, 1024), default=1, show_default=True)
@click.option("--record", is_flag=True, help="Hash and check all leaves, also of large cells.")
@click.option(
    "--cluster", default="", metavar="tcp://...", help="Run the shards on a Dask cluster."
)
def command(
    path: Path | None,
    cells: bool,
    settle: bool,
    budget: float | None,
    only: str,
    ledger: Path,
    output: Path,
    workers: int,
    record: bool,
    cluster: str,
) -> None:
    """Show what is known about every square's magics, or find out more.

    \b
    magicert atlas
    magicert atlas --settle --budget 2h --workers 4
    magicert atlas --atlas atlas.toml --settle --only bishop:d6 --budget 30m

    Exit status: 0, or 3 if the budget ended before the open cells did.
    """
    from magicert.atlas import read_atlas
    from magicert.data import tables_folder

    if settle and output.exists() and path is None:
        path = output
    atlas = read_atlas(path or tables_folder() / "atlas.toml")
    if not settle:
        show(atlas, cells)
        return
    job = Settling(atlas, ledger, output, workers, record, cluster)
    sys.exit(0 if job.run(only, budget) else 3)


def show(atlas: "Atlas", cells: bool) -> None:
    """Two boards, and how many cells are in which state."""
    from magicert.atlas import board, entry_name
    from magicert.cli.display import boards as draw
    from magicert.cli.display.report import width

    blocks = [[piece.value, *board(atlas, piece)] for piece in Piece]
    for line in draw.beside(blocks, width()):
        click.echo(line)
    click.echo(LEGEND)
    states = [entry.state for entry in atlas.entries.values()]
    counts = ", ".join(f"{states.count(s)} {s}" for s in ("exists", "impossible", "open"))
    certified = sum(bool(entry.certificate) for entry in atlas.entries.values())
    click.echo(f"{counts}; {certified} with a certificate")
    if cells:
        for entry in atlas.open():
            cost = f"about {entry.estimate:,.3g} s" if entry.estimate else "no estimate"
            claim = f"  ({entry.source})" if entry.source else ""
            click.echo(f"  {entry_name(entry):<18} {cost}{claim}")


class Settling:
    """One run of `magicert atlas --settle`."""

    def __init__(
        self, atlas: "Atlas", ledger: Path, output: Path, workers: int, record: bool, cluster: str
    ) -> None:
        self.atlas, self.ledger_path, self.output = atlas, ledger, output
        self.workers, self.record, self.cluster = workers, record, cluster

    def run(self, only: str, budget: float | None) -> bool:
        """Settle open cells; whether there was time for all."""
        from contextlib import ExitStack

        from magicert.search.ledger.cluster import cluster_executor
        from magicert.search.ledger.ledger import Ledger

        deadline = None if budget is None else time.monotonic() + budget
        piece, _, square = only.partition(":")
        with ExitStack() as stack:
            ledger = stack.enter_context(Ledger(self.ledger_path))
            executor = None
            if self.cluster:
                executor, self.workers = stack.enter_context(cluster_executor(self.cluster))
            for entry in self.atlas.open():
                if (piece and entry.piece != piece) or (square and entry.square != square):
                    continue
                left = None if deadline is None else deadline - time.monotonic()
                if (left is not None and left <= 0) or not self._one(ledger, entry, left, executor):
                    click.echo("the budget is used up; the ledger keeps what is done", err=True)
                    return False
        return True

    def _one(self, ledger: "Ledger", entry: "Entry", left: float | None, executor: Any) -> bool:  # noqa: ANN401
        from magicert.atlas import write_atlas
        from magicert.cell import Cell
        from magicert.scheme import SCHEMES
        from magicert.search.ledger.settle import settle

        cell = Cell(SCHEMES["white"], Piece(entry.piece), parse_square(entry.square), entry.bits)
        with CommandObserver(f"settling {cell}") as observer:
            work = self._work(ledger, cell, observer)
            summary = settle(
                ledger, work, observer, workers=self.workers, executor=executor,
                seconds=left, inspect=inspector,
            )  # fmt: skip
        if not summary.finished:
            return False
        self.atlas.put(self._settled(ledger, work, summary))
        write_atlas(self.output, self.atlas)
        return True

    def _work(self, ledger: "Ledger", cell: "Cell", observer: CommandObserver) -> "Work":
        from magicert.search.problem.terms import terms_of
        from magicert.search.shards.planner import choose_plan
        from magicert.search.shards.shard import Work, level_for

        work = ledger.find(cell)
        if work is None:
            estimate = choose_plan(terms_of(cell))
            observer.say(f"{cell}: {estimate}")
            level = level_for(estimate.plan, max(4.0 * self.workers, estimate.seconds / 2))
            counts = estimate.counts
            record = self.record or counts.nodes + counts.drops + counts.cells < FEW_LEAVES
            ledger.add(Work(cell, estimate.plan, level, record), estimate.seconds)
            work = ledger.find(cell)
            assert work is not None
        return work

    def _settled(self, ledger: "Ledger", work: "Work", summary: "Summary") -> "Entry":
        from magicert.search.shards.certificate import write_certificate

        cell = work.cell
        name = f"certificates/{cell.piece}-{square_name(cell.square)}-{cell.bits}.cover.xz"
        write_certificate(self.output.parent / name, work, ledger.results(cell))
        return entry_of(work, summary, name)


def entry_of(work: "Work", summary: "Summary", certificate: str) -> "Entry":
    """The atlas's entry for a finished cell; also says it."""
    from datetime import UTC, datetime

    from magicert.atlas import Entry
    from magicert.cell import first_conflict

    cell = work.cell
    magic = ""
    if summary.magic_count:
        conflict = first_conflict(cell, summary.magics[0][0])
        assert conflict is None, f"{cell}: {summary.magics[0][0]:#x} conflicts: {conflict}"
        magic = f"{summary.magics[0][0]:#x}"
    found = f"{summary.magic_count:,} magics, {magic}" if magic else "no magic"
    click.echo(f"{cell}: {found}; {summary.counts.tests:,} tests, {summary.seconds:,.1f} s")
    return Entry(
        piece=cell.piece.value, square=square_name(cell.square), bits=cell.bits,
        state="exists" if magic else "impossible", magic=magic, certificate=certificate,
        engine="window", date=datetime.now(UTC).date().isoformat(),
        tests=summary.counts.tests, seconds=round(summary.seconds, 3),
    )  # fmt: skip


def inspector(cell: "Cell", root: "Root") -> "Inspector":
    """The independent checker, for a shard of a white cell."""
    from magicert.verify.cover.joining import StreamCheck
    from magicert.verify.cover.leaves import statement

    return StreamCheck(statement(cell.scheme.name, cell.piece, cell.square, cell.bits), root)
