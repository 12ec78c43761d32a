"""The ledger: nothing lost, nothing done twice, whoever dies when."""

import itertools
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from magicert.cell import Cell
from magicert.engine import Quiet
from magicert.problem import InputError
from magicert.search.ledger.ledger import Ledger, distance
from magicert.search.ledger.settle import settle
from magicert.search.problem.plan import Plan
from magicert.search.shards.shard import Counts, ShardResult, Work, run_shard


def test_a_finished_cell_is_found_again(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work, 1.5)
        summary = settle(ledger, d1_work, Quiet())
    assert (summary.done, summary.shards, summary.magic_count) == (64, 64, 0)
    with Ledger(tmp_path / "l.db") as ledger:
        assert ledger.find(d1_work.cell) == d1_work
        assert ledger.summary(d1_work.cell) == summary
        results = ledger.results(d1_work.cell)
        assert ledger.claim(d1_work.cell) is None
    expected = [run_shard(d1_work, number) for number in range(64)]
    assert [(r.counts, r.leaves, r.sha256) for r in results] == [
        (r.counts, r.leaves, r.sha256) for r in expected
    ]


def test_adding_a_cell_twice_keeps_its_shards(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        number = ledger.claim(d1_work.cell)
        assert number is not None
        ledger.done(d1_work.cell, run_shard(d1_work, number))
        ledger.add(Work(d1_work.cell, d1_work.plan, 2))
        assert ledger.summary(d1_work.cell).done == 1
        assert ledger.summary(d1_work.cell).shards == 64


def test_shards_next_to_a_power_of_two_come_first(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        claimed = [ledger.claim(d1_work.cell) for _ in range(64)]
    distances = [distance(d1_work, number) for number in claimed if number is not None]
    assert len(distances) == 64
    assert distances == sorted(distances)
    # 2^48 .. 2^54 begin the shards 1, 2, 4, ... and end those before them.
    assert {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63} == set(claimed[:12])


def _claim_all(path: Path, cell: Cell, queue: "multiprocessing.Queue[list[int]]") -> None:
    with Ledger(path) as ledger:
        numbers = []
        while (number := ledger.claim(cell)) is not None:
            numbers.append(number)
            ledger.done(cell, _empty(number))
        queue.put(numbers)


def _empty(number: int) -> ShardResult:
    return ShardResult(number, Counts(1), 0, "", (), 0, 0.0)


def test_processes_never_do_the_same_shard(tmp_path: Path, d1_work: Work):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    processes = [
        context.Process(target=_claim_all, args=(path, d1_work.cell, queue)) for _ in range(3)
    ]
    for process in processes:
        process.start()
    numbers = [number for _ in processes for number in queue.get(timeout=60)]
    for process in processes:
        process.join()
    assert sorted(numbers) == list(range(64))


def test_a_claim_dies_with_its_process(tmp_path: Path, d1_work: Work):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            own = Ledger(path)
            own.claim(d1_work.cell)
            os.write(writing, b"x")
            time.sleep(60)
            os._exit(0)
        os.read(reading, 1)
        others = [ledger.claim(d1_work.cell) for _ in range(64)]
        assert others.count(None) == 1
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        last = ledger.claim(d1_work.cell)
        assert sorted({*others, last} - {None}) == list(range(64))


SETTLE = """
import sys
from magicert.board import Piece
from magicert.cell import Cell
from magicert.engine import Quiet
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import settle
with Ledger(sys.argv[1]) as ledger:
    cell = Cell(SCHEMES["white"], Piece.BISHOP, 12, 4)
    settle(ledger, ledger.find(cell), Quiet())
"""


def test_kill_9_loses_the_running_shard_only(tmp_path: Path):
    from magicert.board import Piece
    from magicert.scheme import SCHEMES

    cell = Cell(SCHEMES["white"], Piece.BISHOP, 12, 4)
    work = Work(cell, Plan(45, ("d1",) * 45, 2, 0), 8)
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(work)
    for shards_between in (1, 20, 60):
        with Ledger(path) as ledger:
            before = ledger.results(cell)
        child = subprocess.Popen([sys.executable, "-P", "-c", SETTLE, str(path)])
        with sqlite3.connect(path) as db:
            for _ in range(3000):
                (done,) = db.execute("select count(*) from shard where state='done'").fetchone()
                if done >= len(before) + shards_between or child.poll() is not None:
                    break
                time.sleep(0.01)
        db.close()
        child.kill()
        child.wait()
        with Ledger(path) as ledger:
            after = ledger.results(cell)
        assert len(after) >= len(before) + shards_between
        kept = {result.number: result for result in after}
        assert all(kept[result.number] == result for result in before)
    with Ledger(path) as ledger:
        settle(ledger, work, Quiet())
        results = ledger.results(cell)
    assert [r.number for r in results] == list(range(work.shards))
    assert [r.sha256 for r in results] == [run_shard(work, n).sha256 for n in range(work.shards)]


def test_local_processes_come_to_the_same(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "one.db") as one, Ledger(tmp_path / "two.db") as two:
        for ledger, workers in ((one, 1), (two, 2)):
            ledger.add(d1_work)
            settle(ledger, d1_work, Quiet(), workers=workers)
        alone, together = one.results(d1_work.cell), two.results(d1_work.cell)
    assert [(r.number, r.counts, r.sha256) for r in alone] == [
        (r.number, r.counts, r.sha256) for r in together
    ]


def do_twenty(path: Path, work: Work) -> None:
    with Ledger(path) as ledger:
        for _ in range(20):
            number = ledger.claim(work.cell)
            assert number is not None
            ledger.done(work.cell, run_shard(work, number))


def test_progress_counts_what_others_do(
    tmp_path: Path, d1_work: Work, monkeypatch: pytest.MonkeyPatch
):
    """A second client that shares the ledger does twenty shards meanwhile."""
    monkeypatch.setattr("magicert.search.ledger.settle.LOOK_EVERY", 0.0)
    told: list[float] = []

    class Shared(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            told.append(done)
            assert total == 64
            if len(told) == 3:
                other = multiprocessing.get_context("fork").Process(
                    target=do_twenty, args=(tmp_path / "l.db", d1_work)
                )
                other.start()
                other.join()

    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        summary = settle(ledger, d1_work, Shared())
    assert (summary.done, told[-1]) == (64, 64)
    assert told == sorted(told)
    assert max(b - a for a, b in itertools.pairwise(told)) >= 20


def test_time_up_gives_the_shard_back(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        summary = settle(ledger, d1_work, Quiet(), seconds=1e-9)
        assert not summary.finished
        assert all(ledger.claim(d1_work.cell) is not None for _ in range(64 - summary.done))


@pytest.mark.parametrize("content", [b"nothing of the kind" * 100, b""])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes):
    path = tmp_path / "l.db"
    path.write_bytes(content)
    if content:
        with pytest.raises(InputError, match="no ledger"):
            Ledger(path)
    else:
        Ledger(path).close()  # an empty file is an empty ledger


def test_a_ledger_of_another_version_is_refused(tmp_path: Path):
    path = tmp_path / "l.db"
    Ledger(path).close()
    db = sqlite3.connect(path)
    db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(InputError, match="version 99"):
        Ledger(path)
