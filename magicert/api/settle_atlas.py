"""Settle open cells of an atlas, the cheapest first: a ledger resumes, an atlas is written."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from magicert.api.atlas_files import kind_of, proof_of, tests_of
from magicert.atlas import Atlas, AtlasCell, write_atlas
from magicert.cell import Cell
from magicert.chess import square_name
from magicert.known_magics import refuse_contradiction
from magicert.outcome import Evidence, Observer, Watch, say_verbose
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import (
    Inspector,
    cluster_executor,
    find_work,
    refuse_wrong_magics,
    settle,
)
from magicert.search.ledger.summary import Summary
from magicert.search.planning import choose_plan
from magicert.search.problem import terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Root, Work, level_for
from magicert.search.window import compile_search
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.targets import slider_of, square_cell
from magicert.valid import check_magics
from magicert.verify.cover.checker import StreamCheck
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.statement import SchemeName, statement

FEW_LEAVES = 20_000_000
"""Cells that may have more leaves are only counted, unless `record` is set."""
FOLDER = "certificates"
"""Where certificates go, beside the atlas."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A cell that is done: as the written atlas has it, and how many magics were found."""

    cell: AtlasCell
    magic_count: int


def settle_atlas(
    atlas: Atlas,
    atlas_cells: Iterable[AtlasCell],
    output: Path,
    watch: Watch,
    *,
    ledger: Path,
    seconds: float | None = None,
    workers: int = 1,
    record: bool = False,
    cluster: str = "",
) -> Iterator[Settled | None]:
    """Settle these cells of the atlas. Yield each when it is settled and written to `output`; None
    comes last where the budget ended before they did: the ledger keeps what is done.

    `seconds` is for all cells. `record` hashes and checks all leaves, of large cells too. Raises
    InputError for a ledger or a cluster that cannot be used.
    """
    deadline = Deadline.after(seconds)
    with ExitStack() as stack:
        shards = stack.enter_context(Ledger(ledger))
        executor = None
        if cluster:
            executor, workers = stack.enter_context(cluster_executor(cluster))
        for atlas_cell in atlas_cells:
            cell = cell_of(atlas_cell, atlas.scheme)
            try:
                with watch(f"planning {cell}", "") as observer:
                    if executor is None:
                        compile_search(observer, deadline)
                    work = _work(record, workers, shards, cell, observer, deadline)
                with watch(f"settling {cell}", "shards") as observer:
                    summary = settle(
                        shards, work, observer, workers=workers, executor=executor,
                        deadline=deadline, inspect=inspector, digests=True,
                    )  # fmt: skip
            except BudgetOverError:
                yield None
                return
            if not summary.finished:
                yield None
                return
            refuse_wrong_magics(shards, cell, [low for low, _ in summary.magics[:1]])
            settled = _certified(output.parent, shards, work, summary)
            if settled.state == "impossible":  # what was claimed before, and by whom
                settled.finder, settled.published = atlas_cell.finder, atlas_cell.published
                settled.source = atlas_cell.source
            atlas.put(settled)
            write_atlas(output, atlas)
            yield Settled(settled, summary.magic_count)


def _work(
    record: bool,
    workers: int,
    ledger: Ledger,
    cell: Cell,
    observer: Observer,
    deadline: Deadline,
) -> Work:
    """The shards of a cell: those in the ledger, or else a new plan's, which is entered."""
    work = find_work(ledger, cell, observer)
    if work is None:
        estimate = choose_plan(terms_of(cell), deadline=deadline)
        say_verbose(observer)(f"{cell}: {estimate}")
        level = level_for(estimate.plan, max(4.0 * workers, estimate.seconds / 2))
        counts = estimate.counts
        record = record or counts.nodes + counts.drops + counts.cells < FEW_LEAVES
        ledger.add(Work(cell, estimate.plan, level, record), estimate.seconds)
        work = ledger.find(cell)
        assert work is not None
    return work


def _certified(folder: Path, ledger: Ledger, work: Work, summary: Summary) -> AtlasCell:
    """Write the certificate of a finished cell; the cell for the atlas."""
    name = certificate_name(work.cell)
    write_certificate(folder / name, work, ledger.results(work.cell))
    return atlas_cell_of(work.cell, summary, folder, name)


def cell_of(cell: AtlasCell, scheme: str = "white", largest_index: int | None = None) -> Cell:
    """The question of a cell of the atlas."""
    piece, square, _ = cell.key
    return square_cell(SCHEMES[scheme], piece, square, cell.bits, largest_index=largest_index)


def certificate_name(cell: Cell) -> str:
    """The file of a cell's certificate, seen from the atlas: white ones have no scheme in it."""
    slider = slider_of(cell)
    scheme = "" if cell.scheme.name == "white" else f"{cell.scheme.name}-"
    largest = "" if cell.largest_index is None else f"-to-{cell.largest_index}"
    name = f"{scheme}{slider.piece}-{square_name(slider.square)}-{cell.bits}{largest}"
    return f"{FOLDER}/{name}.cover.xz"


def atlas_cell_of(cell: Cell, summary: Summary, folder: Path, certificate: str) -> AtlasCell:
    """As the atlas has it: a finished cell whose certificate lies in `folder`.

    The magic is checked for all occupancies, all else is read from the certificate.
    """
    magic = ""
    refuse_contradiction(cell, summary.magics, str(folder / certificate))
    if summary.magic_count:
        first = summary.magics[0][0]
        check_magics(cell, [first], "the window search")
        magic = f"{first:#x}"
    slider = slider_of(cell)
    written = read_certificate(folder / certificate)
    header, evidence = written.header, None if magic else kind_of(written)
    return AtlasCell(
        piece=slider.piece.value, square=square_name(slider.square), bits=cell.bits,
        state="exists" if magic else "impossible", magic=magic, certificate=certificate,
        evidence=evidence, by_leaves=float(evidence is Evidence.LEAVES),
        proof="" if magic else proof_of(cell, folder),
        engine="window", date=header.date, tests=tests_of(header), seconds=header.seconds,
    )  # fmt: skip


def inspector(cell: Cell, root: Root) -> Inspector:
    """The independent checker, for a shard of a square's cell."""
    slider, scheme = slider_of(cell), cast("SchemeName", cell.scheme.name)
    claim = statement(scheme, slider.piece, slider.square, cell.bits, cell.last_index)
    return StreamCheck(claim, root)
