"""Narrow the ranges of an atlas: find shorter tables, and prove that there are none.

    python -m research.atlas.narrow_ranges tables/atlas.toml --seconds 20 --only bishop:e2

For every cell that exists (of each square the one of fewest bits; with --all every one): the
largest index of the magics that are known, a short trial for smaller ones, then the search with a
largest index, as long as it is estimated to take no more than --seconds of one core. The atlas is
written after every cell, with the certificates beside it.
"""

import argparse
import tempfile
from pathlib import Path

from magicert.api.atlas_files import evidence_of
from magicert.api.find import find
from magicert.api.settle_atlas import (
    FEW_LEAVES,
    atlas_cell_of,
    cell_of,
    certificate_name,
    inspector,
)
from magicert.atlas import Atlas, AtlasCell, Range, cell_name, read_atlas, write_atlas
from magicert.cell import Cell
from magicert.outcome import Exists, Quiet
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import MagicFound, find_work, settle
from magicert.search.planning import Estimate, choose_plan, low_plans, sample
from magicert.search.problem import terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, level_for
from magicert.valid import largest_indexes
from magicert.verify.cover.file import read_certificate

MANY = 512
"""With more occupancies low bits first alone is looked at: plans of windows take long to sample."""
MOST_LEAVES = 200_000
"""Certificates with more have hashes in their place: there are many ranges."""
PLANNING, QUICK = 2.0, 0.3
"""Seconds for choosing a plan that is followed, and for one that only gives an estimate."""


def main() -> None:
    """Narrow, cell by cell, and say what each came to."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("atlas", type=Path)
    wanted.add_argument("--seconds", type=float, default=20.0)
    wanted.add_argument("--trial", type=float, default=2.0, help="seconds of trial for each cell")
    wanted.add_argument("--guess", type=float, default=0.0, help="seconds for each better guess")
    wanted.add_argument("--only", default="", help="rook, bishop, or a square such as bishop:e2")
    wanted.add_argument("--all", action="store_true", help="cells of more bits than needed, too")
    wanted.add_argument("--ledger", type=Path, help="keeps finished shards; a rerun resumes")
    given = wanted.parse_args()
    atlas = read_atlas(given.atlas)
    for cell in entries_of(atlas, given.only, everything=given.all):
        with tempfile.TemporaryDirectory() as folder:
            ledger = given.ledger or Path(folder) / "ledger.db"
            narrowing = Narrowing(atlas, cell, given.atlas.parent, ledger)
            narrowing.run(given.seconds, given.trial, given.guess)
        write_atlas(given.atlas, atlas)
        print(cell_name(cell), "range", cell.range, flush=True)


def entries_of(atlas: Atlas, only: str, *, everything: bool) -> list[AtlasCell]:
    """The cells to look at, those with few bits first."""
    name, _, square = only.partition(":")
    found = [
        cell
        for cell in atlas
        if cell.state == "exists"
        and name in ("", cell.piece)
        and square in ("", cell.square)
        and (everything or cell is atlas.best(cell.key[0], cell.key[1]))
        and not (cell.range and cell.range.is_smallest)
    ]
    return sorted(found, key=lambda cell: cell.bits)


class Narrowing:
    """One cell's range, between what is proved and what is found."""

    def __init__(self, atlas: Atlas, atlas_cell: AtlasCell, folder: Path, ledger: Path) -> None:
        self.atlas, self.atlas_cell, self.folder, self.ledger = atlas, atlas_cell, folder, ledger
        piece, square, _ = atlas_cell.key
        least = atlas.least_range(piece, square, atlas_cell.bits)
        if atlas_cell.range is None:
            (largest,) = largest_indexes(self.cell(), [int(atlas_cell.magic, 16)])
            atlas_cell.range = Range(largest=largest, magic=atlas_cell.magic, least=least)
            atlas_cell.range.source = atlas_cell.source
        self.range = atlas_cell.range
        self.range.least = max(self.range.least, least)

    def cell(self, largest: int | None = None) -> Cell:
        """The question, with a largest index."""
        return cell_of(self.atlas_cell, self.atlas.scheme, largest)

    def run(self, seconds: float, trial: float, guess: float) -> None:
        """Go on until the range is the smallest, or the next search would take too long."""
        self.learn(self.atlas_cell.magic)
        self.look_at_all()
        if trial and not self.range.is_smallest:
            self.try_some(trial)
        while guess and not self.range.is_smallest and self.guessed(guess):
            pass
        while not self.range.is_smallest:
            largest = self.range.largest - 1
            estimate = self.estimate(largest, QUICK)
            self.range.estimate = float(f"{estimate.seconds:.2g}")
            if estimate.seconds > seconds:
                largest = self.affordable(seconds) if seconds else -1
            if largest < self.range.least:
                return
            self.search(largest)
        self.range.estimate = 0.0

    def look_at_all(self) -> None:
        """All magics, where a certificate lists them."""
        if not self.atlas_cell.certificate:
            return
        path = self.folder / self.atlas_cell.certificate
        header = read_certificate(path).header
        magics = [
            f"{magic:#x}"
            for shard in header.shards
            for low, high in shard.magics
            for magic in range(int(low, 16), int(high, 16) + 1)
        ]
        if len(magics) == sum(int(shard.magic_count, 16) for shard in header.shards):
            self.learn(*magics, source="window")
            self.range.least = self.range.largest
            self.prove(self.atlas_cell.certificate, self.atlas_cell)

    def prove(self, name: str, by: AtlasCell) -> None:
        """Note what proves that there is no magic below `least`."""
        self.range.certificate, self.range.evidence = name, evidence_of(self.folder / name)
        self.range.engine, self.range.date = by.engine, by.date
        self.range.tests, self.range.seconds = by.tests, by.seconds

    def try_some(self, seconds: float) -> None:
        """Many magics by chance: the one with the smallest largest index."""
        piece, square, _ = self.atlas_cell.key
        outcome = find(
            piece, square, self.atlas_cell.bits, scheme=self.atlas.scheme, engine="trial",
            all_magics=True, seconds=seconds,
        )  # fmt: skip
        if isinstance(outcome, Exists):
            self.learn(*(f"{magic:#x}" for magic in outcome.magics), source="trial")

    def guessed(self, seconds: float) -> bool:
        """Whether guessing bit by bit finds a magic with a smaller largest index in this time."""
        piece, square, _ = self.atlas_cell.key
        outcome = find(
            piece, square, self.atlas_cell.bits, scheme=self.atlas.scheme,
            largest_index=self.range.largest - 1, engine="guess", seconds=seconds,
        )  # fmt: skip
        if isinstance(outcome, Exists):
            self.learn(f"{outcome.magic:#x}", source="guess")
        return isinstance(outcome, Exists)

    def learn(self, *magics: str, source: str = "") -> None:
        """Keep the best of these magics, if it is better than what is known."""
        numbers = [int(magic, 16) for magic in magics]
        best, magic = min(zip(largest_indexes(self.cell(), numbers), numbers, strict=True))
        if best < self.range.largest:
            self.range.largest, self.range.magic = best, f"{magic:#x}"
            self.range.source, self.range.claim = source, ""

    def estimate(self, largest: int, budget: float) -> Estimate:
        """What the search with a largest index would take."""
        about = terms_of(self.cell(largest))
        if len(about.attack) <= MANY:
            return choose_plan(about, budget=budget)
        (plan,) = low_plans(about)
        estimate = sample(about, plan, 1000, seed=1)
        assert estimate is not None
        return estimate

    def affordable(self, seconds: float) -> int:
        """The largest index below the range's that may be searched for in this time; one less
        than `least` where there is none.
        """
        low, high = self.range.least - 1, self.range.largest - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.estimate(middle, QUICK).seconds > seconds:
                high = middle
            else:
                low = middle
        return low

    def search(self, largest: int) -> None:
        """Find a magic with these indexes, or prove that there is none."""
        cell = self.cell(largest)
        with Ledger(self.ledger) as ledger:
            work = find_work(ledger, cell, Quiet()) or self.planned(ledger, cell, largest)
            try:
                summary = settle(ledger, work, Quiet(), first_only=True, inspect=inspector)
            except MagicFound as found:
                self.learn(f"{found.magic:#x}", source="window")
                return
            if summary.magic_count:
                self.learn(f"{summary.magics[0][0]:#x}", source="window")
                return
            name = certificate_name(cell)
            results = ledger.results(cell)
            few = work.record and sum(result.leaves for result in results) <= MOST_LEAVES
            write_certificate(self.folder / name, work, results, streams=few)
        (self.folder / (self.range.certificate or "nowhere")).unlink(missing_ok=True)
        self.range.least = largest + 1
        self.prove(name, atlas_cell_of(cell, summary, self.folder, name))

    def planned(self, ledger: Ledger, cell: Cell, largest: int) -> Work:
        """The search in shards, entered in the ledger."""
        estimate = self.estimate(largest, PLANNING)
        counts = estimate.counts
        record = counts.nodes + counts.drops + counts.cells < FEW_LEAVES
        shards = estimate.seconds / 2
        work = Work(cell, estimate.plan, level_for(estimate.plan, shards), record)
        ledger.add(work, estimate.seconds)
        return work


if __name__ == "__main__":
    main()
