"""The ledgers of cells that nobody has finished yet: what they say was done can be done again."""

import lzma
from pathlib import Path

import pytest

from magicert.data import tables_folder
from magicert.search.chain.chain import check_plan
from magicert.search.ledger.ledger import Ledger
from magicert.search.problem import terms_of
from magicert.search.shards.shard import run_shard

LEDGERS = sorted((tables_folder() / "ledgers").glob("*.db.xz"))


def test_there_are_ledgers():
    assert LEDGERS


@pytest.mark.parametrize(
    "packed",
    [pytest.param(path, marks=[pytest.mark.slow] * ("e5-8" in path.name)) for path in LEDGERS],
    ids=lambda path: path.name,
)
def test_a_shard_comes_out_as_the_ledger_has_it(packed: Path, tmp_path: Path):
    path = tmp_path / "ledger.db"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    with Ledger(path) as ledger:
        (cell,) = ledger.cells()
        work = ledger.find(cell)
        assert work is not None
        check_plan(work.plan, terms_of(cell))
        results = ledger.results(cell)
        assert 0 < len(results) < work.shards
        shortest = min(results, key=lambda result: (result.counts.tests < 1000, result.seconds))
        again = run_shard(work, shortest.number)
        assert (again.counts, again.magics) == (shortest.counts, shortest.magics)
        assert ledger.claim(cell) not in {result.number for result in results}
