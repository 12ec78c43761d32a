"""Shards on a Dask cluster whose worker is killed in the middle."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece
from magicert.cell import square_cell
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import cluster_executor, settle
from magicert.search.problem import Plan
from magicert.search.shards.shard import Work, run_shard

pytestmark = pytest.mark.filterwarnings("default")  # dask's own, as its workers die


class Killer:
    """An observer that kills a worker's process once a few shards are done."""

    def __init__(self, cluster: Any) -> None:
        self.cluster = cluster
        self.killed = 0

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if done >= 5 and not self.killed:
            worker = next(iter(self.cluster.workers.values()))
            self.killed = worker.pid
            os.kill(worker.pid, signal.SIGKILL)

    def say(self, message: str) -> None:
        pass


def test_a_killed_worker_costs_nothing(tmp_path: Path):
    distributed = pytest.importorskip("distributed")
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, 12, 4)
    work = Work(cell, Plan(45, ("d1",) * 45, 2, 0), 5)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Ledger(tmp_path / "l.db") as ledger,
    ):
        ledger.add(work)
        killer = Killer(cluster)
        with cluster_executor(cluster.scheduler_address) as (executor, workers):
            assert workers == 2
            settle(ledger, work, killer, workers=workers, executor=executor)
        assert killer.killed
        results = ledger.results(cell)
    assert [result.number for result in results] == list(range(32))
    for result in results:
        alone = run_shard(work, result.number)
        assert (result.counts, result.leaves, result.sha256) == (
            alone.counts, alone.leaves, alone.sha256,
        )  # fmt: skip


def test_nobody_at_that_address(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("magicert.search.ledger.settle.CONNECT_SECONDS", 1)
    with pytest.raises(InputError, match="no scheduler"), cluster_executor("tcp://127.0.0.1:9"):
        pass
