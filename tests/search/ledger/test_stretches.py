"""A shard that lasts: its stretches are kept, go on elsewhere, and come to the shard."""

import os
import signal
import subprocess
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from magicert.outcome import Quiet
from magicert.problem import InputError
from magicert.search.ledger import settle as settling
from magicert.search.ledger.division import Division
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import cluster_executor, settle
from magicert.search.shards import shard as shards
from magicert.search.shards.shard import ShardResult, Work, run_shard
from magicert.system.deadline import Deadline


@pytest.fixture
def work(d1_work):
    """Bishop d1 in two shards, which are counted."""
    return replace(d1_work, level=1, record=False)


@pytest.fixture
def in_stretches(monkeypatch):
    """Stretches of fifty nodes."""
    monkeypatch.setattr(shards, "NODES_AT_ONCE", 50)
    for name in ("FIRST_SECONDS", "STRETCH_SECONDS"):
        monkeypatch.setattr(settling, name, 0.0)
    do_shard = settling.do_shard
    stretches: list[ShardResult] = []

    def short(*arguments: Any, seconds: float | None = None, **named: Any) -> ShardResult:
        monkeypatch.setattr(shards.time, "thread_time", lambda: 0.0)  # no time for the way
        stretches.append(do_shard(*arguments, seconds=seconds, **named))
        return stretches[-1]

    monkeypatch.setattr(settling, "do_shard", short)
    return stretches


def what_of(result: ShardResult) -> ShardResult:
    return replace(result, seconds=0.0)


def same_as_alone(ledger: Ledger, work: Work) -> None:
    alone = [run_shard(work, number) for number in range(work.shards)]
    assert list(map(what_of, ledger.results(work.cell))) == list(map(what_of, alone))


def test_stretches_are_kept_and_come_to_the_shard(tmp_path, work, in_stretches):
    shares: list[float] = []

    class Watching(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            assert total == 2
            shares.append(done)

    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        settle(ledger, work, Watching())
        assert len(in_stretches) > 20
        assert shares == sorted(shares)
        assert sum(0 < share < 1 for share in shares) > 10
        assert not ledger.progress(work.cell).begun
        same_as_alone(ledger, work)


CHILD = """
import sys
from magicert.outcome import Quiet
from magicert.search.ledger import settle as settling
from magicert.search.ledger.ledger import Ledger
from magicert.search.shards import shard as shards

shards.NODES_AT_ONCE = 50
settling.FIRST_SECONDS = settling.STRETCH_SECONDS = 1e-9
shards.time.thread_time = lambda: 0.0

class Waiting(Quiet):
    def progress(self, done, total, note=""):
        print(repr(done), flush=True)
        sys.stdin.readline()

with Ledger(sys.argv[1]) as ledger:
    (cell,) = ledger.cells()
    settling.settle(ledger, ledger.find(cell), Waiting())
"""
"""A process that settles in stretches of fifty nodes, and waits for a line after each."""


def test_a_process_killed_inside_a_shard_loses_one_stretch(tmp_path, work, child, in_stretches):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(work)
        command = (*child.python, "-c", CHILD)
        with child.start(path, command=command, stdin=subprocess.PIPE, bufsize=1) as process:
            for _ in range(9):
                told = float(process.stdout.readline())
                process.stdin.write("\n")
            told = float(process.stdout.readline())
            process.kill()
        ((number, (share, _)),) = ledger.progress(work.cell).begun.items()
        assert share == pytest.approx(told)
        kept = ledger.begun(work, number)
        assert isinstance(kept, Division)
        summary = ledger.summary(work.cell)
        assert (summary.done, summary.begun) == (0, 1)
        assert 0 < summary.begun_share == share < 1
        assert ledger.claim(work.cell) == number
        ledger.release(work.cell, number)
        nodes = sum(result.counts.nodes for result in kept.done)
        settle(ledger, work, Quiet())
        done_here = sum(result.counts.nodes for result in in_stretches)
        same_as_alone(ledger, work)
        assert nodes + done_here == ledger.summary(work.cell).counts.nodes


def test_time_up_inside_a_shard_keeps_what_is_done(tmp_path, work, monkeypatch):
    monkeypatch.setattr(shards, "NODES_AT_ONCE", 50)
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        for _ in range(3):
            number = ledger.claim(work.cell)
            assert number is not None
            run = settling._SettleRun(
                ledger, work, settling._ProgressReport(ledger, work, Quiet(), 1),
                Deadline(0.0), False, None, False,
            )  # fmt: skip
            shard = settling._Shard(number, ledger.begun(work, number))
            before = shard.division.share(work)
            assert not run.finish_here(shard)
            ledger.release(work.cell, number)
            assert ledger.progress(work.cell).begun[number][0] > before
        settle(ledger, work, Quiet())
        same_as_alone(ledger, work)


@pytest.mark.usefixtures("in_stretches")
def test_where_no_shard_is_left_two_processes_do_one(tmp_path, work, monkeypatch):
    """In the place of a pool: what is asked for is done when it is waited for."""
    lanes: list[int] = []

    class Later:
        def __init__(self, call: Any) -> None:
            self.call = call

        def result(self) -> ShardResult:
            return self.call()

        def cancel(self) -> bool:
            return True

    class Pool:
        def submit(self, call: Any, *arguments: Any, **named: Any) -> Later:
            return Later(partial(call, *arguments, **named))

    def one_of(running: dict[Later, Any], **_: object) -> tuple[list[Later], None]:
        lanes.append(len(running))
        return [next(iter(running))], None

    monkeypatch.setattr(settling, "wait", one_of)
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        settle(ledger, work, Quiet(), workers=4, executor=Pool())  # type: ignore[arg-type]
        assert lanes[0] == 2
        assert max(lanes) == 4
        same_as_alone(ledger, work)


class Killer(Quiet):
    """Kills one of the cluster's workers once it is inside a shard."""

    def __init__(self, cluster: Any) -> None:
        self.cluster, self.killed = cluster, 0

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if 0 < done < 1 and not self.killed:
            self.killed = next(iter(self.cluster.workers.values())).pid
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.filterwarnings("default")  # dask's own, as its workers die
def test_a_worker_that_is_killed_inside_a_shard_costs_its_stretch(tmp_path, work, monkeypatch):
    distributed = pytest.importorskip("distributed")
    for name in ("FIRST_SECONDS", "STRETCH_SECONDS"):
        monkeypatch.setattr(settling, name, 0.0)

    def many_stretches() -> None:  # travels by value
        shards.NODES_AT_ONCE = 50

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Ledger(tmp_path / "l.db") as ledger,
    ):
        ledger.add(work)
        with distributed.Client(cluster) as client:
            client.run(many_stretches)
        killer = Killer(cluster)
        with cluster_executor(cluster.scheduler_address) as (executor, workers):
            assert workers == 2
            settle(ledger, work, killer, workers=workers, executor=executor)
        assert killer.killed
        same_as_alone(ledger, work)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            """update stretch set stretches = replace(stretches, '"top": 0', '"top": 1')""",
            "its stretches",
        ),
        ("update stretch set engine = 'magicert 9'", "its stretches"),
        ("update stretch set number = 1 - number", "its stretches"),
        ("update stretch set stretches = '[]'", "its stretches"),
    ],
)
@pytest.mark.usefixtures("in_stretches")
def test_stretches_that_cannot_be_believed_are_forgotten(tmp_path, work, change, why):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(work)
        begin_one(ledger, work)
        ledger.db.execute(change)
        assert ledger.find(work.cell) == work
        (said,) = ledger.repairs
        assert why in said
        assert not ledger.progress(work.cell).begun
        settle(ledger, work, Quiet())
        same_as_alone(ledger, work)


@pytest.mark.usefixtures("in_stretches")
def test_a_stretch_by_another_program_is_refused(tmp_path, work, monkeypatch):
    """Of a worker with another version: nothing of it is kept, nor joined to what is right."""
    do_shard, calls = settling.do_shard, 0

    def other(*arguments: Any, **named: Any) -> ShardResult:
        nonlocal calls
        calls += 1
        result = do_shard(*arguments, **named)
        return replace(result, engine="magicert 9") if calls > 3 else result

    monkeypatch.setattr(settling, "do_shard", other)
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        with pytest.raises(InputError, match="a worker runs magicert 9"):
            settle(ledger, work, Quiet())
        assert len(ledger.progress(work.cell).begun) == 1
        monkeypatch.setattr(settling, "do_shard", do_shard)
        settle(ledger, work, Quiet())
        same_as_alone(ledger, work)


def begin_one(ledger: Ledger, work: Work) -> int:
    number = ledger.claim(work.cell)
    assert number is not None
    division = ledger.begun(work, number)
    for _ in range(3):
        (rest,) = division.rests
        result = settling.do_shard(work, number, rest=rest, seconds=0.0)
        division = division.enter(rest, result, (result.rest,))
    ledger.keep(work, number, division)
    ledger.release(work.cell, number)
    return number


@pytest.mark.usefixtures("in_stretches")
def test_sealed_stretches_that_are_not_a_shards_are_refused_and_forgotten(tmp_path, work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        number = begin_one(ledger, work)
        assert ledger.claim(work.cell) == number
        division = ledger.begun(work, number)
        (rest,) = division.rests
        wrong = replace(rest, path=(*rest.path[:-1], (rest.path[-1][0] ^ 1 << 60, 0)))
        ledger.keep(work, number, division.enter(rest, replace(division.done[0]), (wrong,)))
        ledger.release(work.cell, number)
        with pytest.raises(InputError, match="begins the shard again"):
            settle(ledger, work, Quiet())
        settle(ledger, work, Quiet())
        same_as_alone(ledger, work)
