"""The ledger: nothing lost, nothing done twice, whoever dies when."""

import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from magicert.api import settle_atlas
from magicert.atlas import read_atlas
from magicert.chess import Piece, parse_square
from magicert.engine import EngineRequest, option_values
from magicert.known_magics import ContradictedError, known_magics
from magicert.outcome import Impossible, NullPhase, Outcome, Quiet
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search import window
from magicert.search.ledger.ledger import Ledger, distance_to_power
from magicert.search.ledger.rows import COLUMNS, column_values, read_row
from magicert.search.ledger.settle import cluster_executor, do_shard, replay, settle
from magicert.search.ledger.summary import summarise
from magicert.search.problem import Plan
from magicert.search.shards.certificate import header_of
from magicert.search.shards.shard import Counts, ShardResult, Work, engine, recount_shard, run_shard
from magicert.search.slots.count import slot_engine
from magicert.system.deadline import Deadline
from magicert.targets import square_cell
from magicert.verify.cover.file import Shard, Survivors

Change = Callable[[ShardResult], ShardResult]


@pytest.fixture
def ledger(tmp_path, d1_work):
    """In l.db, with a cell of 64 shards of which none is done."""
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work, 1.5)
        yield ledger


@pytest.fixture(scope="session")
def all_done(tmp_path_factory, d1_work):
    path = tmp_path_factory.mktemp("ledger") / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
        settle(ledger, d1_work, Quiet())
    return path


@pytest.fixture
def finished(all_done, tmp_path):
    """A ledger in which all 64 shards are done."""
    return Path(shutil.copy(all_done, tmp_path / "finished.db"))


def what_of(results: list[ShardResult]) -> list[object]:
    return [(r.number, r.counts, r.leaves, r.sha256, r.magics) for r in results]


def same_as_alone(ledger: Ledger, work: Work) -> None:
    """All shards are done, and came to what they come to elsewhere."""
    alone = [run_shard(work, number) for number in range(work.shards)]
    assert what_of(ledger.results(work.cell)) == what_of(alone)


def test_a_finished_cell_is_found_again_and_stays(finished, d1_work, monkeypatch):
    cell = d1_work.cell
    with Ledger(finished) as ledger:
        ledger.add(Work(cell, d1_work.plan, 2))
        assert ledger.find(cell) == d1_work
        summary = ledger.summary(cell)
        assert (summary.done, summary.shards, summary.magic_count) == (64, 64, 0)
        assert summary.finished
        assert dict(summary.engines) == {engine(): 64}
        assert ledger.claim(cell) is None
        assert not summarise(ledger.results(cell)[1:], 64).finished
        same_as_alone(ledger, d1_work)
        monkeypatch.setattr(Work, "covers_all", lambda _: False)
        with pytest.raises(InputError, match="the roots of its shards are not all m"):
            ledger.summary(cell)


def test_shards_next_to_a_power_of_two_come_first(ledger, d1_work):
    claimed = [ledger.claim(d1_work.cell) for _ in range(64)]
    distances = [distance_to_power(d1_work, number) for number in claimed]
    assert distances == sorted(distances)
    # 2^48 .. 2^54 begin the shards 1, 2, 4, ... and end those before them.
    assert {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63} == set(claimed[:12])


CHILD = """
import sys
from magicert.outcome import Quiet
from magicert.search.ledger import settle as settling
from magicert.search.ledger.ledger import Ledger
from magicert.search.shards.shard import Counts, ShardResult, engine, run_shard

def tell(word):
    print(word, flush=True)

def slowly(work, number, *_, **__):
    tell(number)
    sys.stdin.readline()
    return run_shard(work, number)

with Ledger(sys.argv[1]) as ledger:
    (cell,) = ledger.cells()
    work = ledger.find(cell)
    tell("ready")
    sys.stdin.readline()
"""
"""A process that says when it has a ledger open, and waits for a line before it goes on."""

CLAIM_ALL = """
    while (number := ledger.claim(cell)) is not None:
        tell(number)
        ledger.finish(work, ShardResult(number, Counts(1), 0, "", (), 0, 0.0, engine=engine()))
"""
CLAIM_ONE = """
    tell(ledger.claim(cell))
    sys.stdin.readline()
"""
DO_TWENTY = """
    for _ in range(20):
        ledger.finish(work, run_shard(work, ledger.claim(cell)))
"""
SETTLE = """
    settling.do_shard = slowly
    settling.settle(ledger, work, Quiet())
"""


@pytest.fixture
def other(child):
    """Starts a process that has a ledger open; it is killed at the end."""

    @contextmanager
    def started(path: Path, text: str) -> Iterator[Any]:
        command = (*child.python, "-c", CHILD + text)
        with child.start(path, command=command, stdin=subprocess.PIPE, bufsize=1) as process:
            try:
                assert process.stdout.readline() == "ready\n"
                process.stdin.write("\n")
                yield process
            finally:
                process.kill()

    return started


def test_clients_never_do_the_same_shard(ledger, d1_work, other):
    """Two of one process, and another process."""
    cell = d1_work.cell
    with Ledger(ledger.path) as two:
        numbers = [one.claim(cell) for one in (ledger, two, ledger, two)]
        assert len({*numbers}) == 4
    assert [ledger.claim(cell) for _ in range(2)] == numbers[1::2]
    with other(ledger.path, CLAIM_ALL) as process:
        claimed = list(iter(partial(ledger.claim, cell), None))
        claimed += map(int, process.stdout)
    assert sorted([*numbers, *claimed]) == list(range(64))


def test_a_claim_and_the_file_of_a_client_die_with_its_process(ledger, d1_work, other):
    path, cell = ledger.path, d1_work.cell
    with other(path, CLAIM_ONE) as process:
        lost = int(process.stdout.readline())
        others = [ledger.claim(cell) for _ in range(64)]
        assert others.count(None) == 1
    assert ledger.claim(cell) == lost
    assert sorted({*others, lost} - {None}) == list(range(64))
    own = {f"l.db-client-{ledger.client}"}
    assert {p.name for p in path.parent.glob("l.db-client-*")} == own
    with other(path, CLAIM_ONE):
        pass
    assert len(list(path.parent.glob("l.db-client-*"))) == 2
    Ledger(path).close()
    assert {p.name for p in path.parent.glob("l.db-client-*")} == own


def test_kill_9_loses_the_running_shard_only(ledger, d1_work, other):
    with other(ledger.path, SETTLE) as process:
        begun = []
        for number in itertools.islice(process.stdout, 5):
            begun.append(int(number))
            process.stdin.write("\n")
        running = int(process.stdout.readline())
    assert [result.number for result in ledger.results(d1_work.cell)] == sorted(begun)
    assert ledger.claim(d1_work.cell) == running
    ledger.release(d1_work.cell, running)
    assert settle(ledger, d1_work, Quiet(), workers=2).finished
    same_as_alone(ledger, d1_work)


class Killer(Quiet):
    """Kills a worker's process once a few shards are done."""

    def __init__(self, cluster: Any) -> None:
        self.cluster, self.killed = cluster, 0

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if done >= 5 and not self.killed:
            self.killed = next(iter(self.cluster.workers.values())).pid
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.filterwarnings("default")  # dask's own, as its workers die
def test_a_killed_worker_of_a_cluster_costs_nothing(ledger, d1_work):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster:
        killer = Killer(cluster)
        with cluster_executor(cluster.scheduler_address) as (executor, workers):
            assert workers == 2
            settle(ledger, d1_work, killer, workers=workers, executor=executor)
    assert killer.killed
    same_as_alone(ledger, d1_work)


def test_progress_counts_what_others_do(ledger, d1_work, other, monkeypatch):
    """A second client that shares the ledger does twenty shards meanwhile."""
    monkeypatch.setattr("magicert.search.ledger.settle.REFRESH_SECONDS", 0.0)
    told: list[float] = []

    class Shared(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            told.append(done)
            assert total == 64
            if len(told) == 3:
                with other(ledger.path, DO_TWENTY) as process:
                    assert process.stdout.read() == ""

    summary = settle(ledger, d1_work, Shared())
    assert (summary.done, told[-1]) == (64, 64)
    assert told == sorted(told)
    assert max(b - a for a, b in itertools.pairwise(told)) >= 20


def test_a_magic_is_checked_before_it_is_said(ledger, d1_work, monkeypatch):
    class Silent(Quiet):
        def say(self, text: str) -> None:
            raise AssertionError(text)

    def wrong(work: Work, number: int, *_: object, **__: object) -> ShardResult:
        return replace(run_shard(work, number), magics=((5, 5),), magic_count=1)

    monkeypatch.setattr("magicert.search.ledger.settle.do_shard", wrong)
    with pytest.raises(AssertionError, match="0x5 was found, but is no magic"):
        settle(ledger, d1_work, Silent())
    assert ledger.summary(d1_work.cell).done == 0


def test_time_up_gives_the_shard_back(ledger, d1_work):
    summary = settle(ledger, d1_work, Quiet(), deadline=Deadline(0.0))
    assert not summary.finished
    assert all(ledger.claim(d1_work.cell) is not None for _ in range(64 - summary.done))


def damage(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(statements)


@pytest.mark.cases_of("a_file_that_is_no_ledger_or_has_no_plan_is_refused.tsv")
def test_a_file_that_is_no_ledger_or_has_no_plan_is_refused(finished, d1_work, change, message):
    """Written over from a byte on, or changed by a statement."""
    if change.isdigit():
        damage(finished, "pragma wal_checkpoint(truncate)")
        content, begin = finished.read_bytes(), int(change)
        finished.write_bytes(content[:begin] + b"\xff" * len(content[begin:]))
    else:
        damage(finished, change)
    for look in ("find", "summary", "results"):
        with pytest.raises(InputError, match=message), Ledger(finished) as ledger:
            _ = ledger.cells(), getattr(ledger, look)(d1_work.cell)


VERSION_1 = """
    alter table cell drop column sealed; alter table shard drop column survivors;
    alter table shard drop column digest; alter table shard drop column engine;
    alter table shard drop column seal; pragma user_version = 1;
"""
"""Makes it a ledger as the first version wrote them: no row has a seal, or says who counted it."""
DAMAGE = tomllib.loads(Path(__file__).with_name("damage.toml").read_text("utf-8"))["damage"]


@pytest.mark.parametrize("done", DAMAGE, ids=lambda done: done["what"])
def test_a_damaged_ledger_says_nothing_until_it_is_mended(finished, d1_work, done):
    """A summary refuses it; finding its work opens the shards again that cannot be believed."""
    shards = done["shards"]
    numbers = set(
        range(shards["first"], shards["last"] + 1) if isinstance(shards, dict) else shards
    )
    damage(finished, done["sql"])
    with Ledger(finished) as ledger:
        for look in (ledger.summary, ledger.results):
            with pytest.raises(InputError) as refused:
                look(d1_work.cell)
            assert f"shard {min(numbers)}: " in str(refused.value)
            assert len(refused.value.problems) == len(numbers)
        work = ledger.find(d1_work.cell)
        assert work is not None
        assert len(ledger.repairs) == len(numbers)
        summary = ledger.summary(d1_work.cell)
        lost = numbers & set(range(work.shards))
        assert (summary.shards, summary.done) == (work.shards, work.shards - len(lost))
        assert {ledger.claim(d1_work.cell) for _ in lost} == lost
        assert ledger.claim(d1_work.cell) is None


def test_a_cell_that_is_lost_is_entered_anew(finished, d1_work):
    damage(finished, "delete from cell")
    with Ledger(finished) as ledger:
        assert ledger.find(d1_work.cell) is None
        ledger.add(d1_work)
        assert (ledger.summary(d1_work.cell).done, ledger.repairs) == (0, [])


def test_what_the_first_version_counted_is_counted_anew(finished, d1_work):
    """Its rows say no program: nobody knows whether that was right."""
    damage(finished, f"{VERSION_1} update shard set state = 'open' where number in (1, 2)")
    with Ledger(finished) as ledger:
        with pytest.raises(InputError, match="62 shards were counted by another program"):
            ledger.summary(d1_work.cell)
        assert ledger.find(d1_work.cell) == d1_work
        (said,) = ledger.repairs
        assert f"(a version that was not recorded), and this is {engine()}" in said
        assert ledger.summary(d1_work.cell).done == 0
        settle(ledger, d1_work, Quiet())
        same_as_alone(ledger, d1_work)
    damage(finished, "update shard set seal = null where number = 1")
    with Ledger(finished) as ledger:
        ledger.find(d1_work.cell)
        assert ledger.summary(d1_work.cell).done == 63


def forged(path: Path, work: Work, change: Change, only: range = range(64)) -> Path:
    """A ledger whose rows say something else, and have their seals."""
    with Ledger(path) as ledger:
        for result in ledger.results(work.cell)[only.start : only.stop]:
            ledger.db.execute(
                f"update shard set {' = ?, '.join(COLUMNS)} = ? where number = ?",
                [*column_values(work, change(result)), result.number],
            )
    return path


OTHERS = [
    "magicert 0.1.0 window search",
    engine() + "0",
    engine(low=True),
    engine().replace("magicert ", "magicert 9"),
    slot_engine(),
]
"""Programs that d1_work's shards are not counted by here."""


@pytest.mark.parametrize(
    ("program", "only"),
    [*((program, range(64)) for program in OTHERS), (OTHERS[0], range(3, 4))],
    ids=str,
)
def test_rows_of_another_program_are_counted_anew(finished, d1_work, program, only):
    """Whatever they say, alone or mixed with rows of the program here; none of them is lost."""
    lie = {"engine": program, "counts": Counts(1), "leaves": 0, "sha256": ""}
    with Ledger(forged(finished, d1_work, lambda one: replace(one, **lie), only)) as ledger:
        for look in (ledger.summary, ledger.results):
            with pytest.raises(InputError) as refused:
                look(d1_work.cell)
            assert program in str(refused.value)
            assert engine() in str(refused.value)
        ledger.find(d1_work.cell)
        (said,) = ledger.repairs
        count = f"{len(only)} shards were" if len(only) > 1 else "1 shard was"
        assert f"{count} counted by another program ({program}), and this is {engine()}" in said
        assert ledger.summary(d1_work.cell).done == 64 - len(only)
        kept = ledger.db.execute("select number, engine from superseded order by number")
        assert [tuple(row) for row in kept] == [(number, program) for number in only]
        if len(only) == 1:
            settle(ledger, d1_work, Quiet())
            same_as_alone(ledger, d1_work)


def test_a_ledger_is_no_certificate_and_check_says_what_looks_at_it(finished, run):
    done = run("check", str(finished))
    assert (done.exit_code, "ledger" in done.output, "replay" in done.output) == (2, True, True)


def test_rows_of_two_other_programs_are_named_apart(finished, d1_work):
    def mix(one: ShardResult) -> ShardResult:
        return replace(one, engine="one" if one.number < 3 else "two")

    with Ledger(forged(finished, d1_work, mix, range(8))) as ledger:
        ledger.find(d1_work.cell)
        assert [said.partition(" (")[2].partition(")")[0] for said in ledger.repairs] == [
            "one", "two",
        ]  # fmt: skip


def test_a_worker_that_runs_another_program_is_refused(ledger, d1_work):
    number = ledger.claim(d1_work.cell)
    result = replace(run_shard(d1_work, number), engine="magicert 0.1.0 window search")
    with pytest.raises(InputError, match=r"a worker runs magicert 0\.1\.0 window search"):
        ledger.finish(d1_work, result)
    assert ledger.summary(d1_work.cell).done == 0


def test_an_impossible_names_the_program(finished, d1_work):
    values = option_values(window, {"ledger": str(finished)})
    outcome = window.solve(EngineRequest(d1_work.cell, options=values), Quiet())
    assert isinstance(outcome, Impossible)
    assert engine() in outcome.argument


KNOWN = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 5)
"""A cell of which the tables that ship know magics."""


@pytest.fixture
def denying(tmp_path, d1_work):
    """A ledger whose sealed rows say, in the name of the program here, that KNOWN has no magic."""
    work = replace(d1_work, cell=KNOWN, record=False)
    path = tmp_path / "denying.db"
    with Ledger(path) as ledger:
        ledger.add(work)
        while (number := ledger.claim(KNOWN)) is not None:
            lie = ShardResult(number, Counts(1), 0, "", (), 0, 0.0, engine=engine())
            ledger.finish(work, lie)
    return path


def test_rows_that_leave_out_a_known_magic_are_not_believed(denying):
    places = {one.magic % KNOWN.period >> 48 for one in known_magics(KNOWN)}
    assert places
    with Ledger(denying) as ledger:
        for look in (ledger.summary, ledger.results):
            with pytest.raises(ContradictedError, match="it leaves out 0x") as refused:
                look(KNOWN)
            assert len(refused.value.problems) == len(places)
        ledger.find(KNOWN)
        assert len(ledger.repairs) == len(places)
        assert {ledger.claim(KNOWN) for _ in places} == places


def test_a_ledger_that_denies_a_known_magic_never_says_impossible(denying, run):
    """Its shards that hold known magics are done again, and these are found."""
    words = ["disprove", "bishop", "d1", "--bits", "5", "--ledger", denying]
    said = run(*words).output
    assert "EXISTS" in said
    assert "IMPOSSIBLE" not in said


def test_a_search_that_loses_a_known_magic_says_so(denying, monkeypatch, tmp_path, run):
    """As a wrong program would: nothing is called impossible, and no file is written."""

    def lose(_work: Work, number: int, *_: object, **__: object) -> ShardResult:
        return ShardResult(number, Counts(1), 0, "", (), 0, 0.0, engine=engine())

    monkeypatch.setattr("magicert.search.ledger.settle.do_shard", lose)
    certificate, leaves = tmp_path / "d1.cover", tmp_path / "d1.leaves"
    words = ["disprove", "bishop", "d1", "--bits", "5", "--engine", "window", "-O", "planning=0"]
    writing = ["-O", f"certificate={certificate}", "-O", f"leaves={leaves}"]
    for more, status in (([], 3), (writing, 3), (["--ledger", denying], 2)):
        found = run(*words, *more)
        assert (found.exit_code, "IMPOSSIBLE" in found.output) == (status, False), found.output
        assert "which is a magic" in found.output
        assert not certificate.exists()
        assert not leaves.exists()


def first_of(number: int) -> tuple[int, int]:
    """The first number of a shard of d1_work."""
    return number << 48, number << 48


@pytest.mark.cases_of("a_sealed_row_must_not_contradict_itself.tsv")
def test_a_sealed_row_must_not_contradict_itself(d1_work, wrong, message):
    result = replace(run_shard(d1_work, 3), **eval(wrong))
    row: Any = dict(zip(COLUMNS, column_values(d1_work, result), strict=True)) | {"number": 3}
    with pytest.raises(ValueError, match=message):
        read_row(d1_work, row)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: replace(one, counts=one.counts + Counts(nodes=1)), "when done again"),
        (lambda one: replace(one, magics=(first_of(one.number),), magic_count=1), "1 magics: 0 "),
        (lambda one: replace(one, sha256="0" * 64), "the leaves are others"),
        (lambda one: replace(one, sha256="", leaves=0), "the leaves are others"),
    ],
)
def test_a_sealed_lie_is_believed_until_it_is_replayed(finished, d1_work, change, message):
    with Ledger(finished) as ledger:
        assert replay(ledger, d1_work, 3, Quiet()) == 3
        assert replay(ledger, d1_work, 1000, Quiet()) == d1_work.shards
        assert replay(ledger, d1_work, 3, Quiet(), deadline=Deadline(0.0)) == 0
    with Ledger(forged(finished, d1_work, change)) as ledger:
        assert len(ledger.results(d1_work.cell)) == d1_work.shards
        with pytest.raises(InputError, match=message):
            replay(ledger, d1_work, 1, Quiet())


def test_the_engine_replays_and_blames_its_ledger(finished, d1_work):
    def solve(**options: str) -> Outcome:
        values = option_values(window, {"ledger": str(finished), **options})
        return window.solve(EngineRequest(d1_work.cell, options=values), Quiet())

    assert isinstance(solve(replay="2"), Impossible)
    magic = {"magics": (first_of(3),), "magic_count": 1}
    forged(finished, d1_work, lambda one: replace(one, **magic), range(3, 4))
    with pytest.raises(InputError, match="is listed, and is no magic"):
        solve()
    forged(finished, d1_work, lambda one: replace(one, counts=Counts(1)))
    with pytest.raises(InputError, match="when done again"):
        solve(replay="2")


CELL = square_cell(SCHEMES["white"], Piece.ROOK, parse_square("g2"), 9)
PLAN = Plan.parse("55 u1 e2: " + "d1 " * 19 + "c36.4")
NODE = 128_001
"""Of the nodes of its chain one that leaves cells alive."""


def test_digests_are_counted_kept_and_certified(finished, d1_work):
    """Of a shard that is a single node of the chain."""
    work = Work(CELL, PLAN, 19, record=False)
    result, without = do_shard(work, NODE, digests=True), do_shard(work, NODE)
    again = recount_shard(work, NODE)
    assert (result.survivors, result.digest) == (again.survivors, again.sha256)
    assert result.survivors > 0
    (shard,), (bare,) = (header_of(work, [one], False)["shards"] for one in (result, without))
    assert msgspec.convert(shard, Shard).survivors == Survivors(again.survivors, again.sha256)
    assert (without.survivors, without.digest, "survivors" in bare) == (0, "", False)
    kept = {"survivors": 7, "digest": "ab" * 32}
    with Ledger(forged(finished, d1_work, lambda one: replace(one, **kept))) as ledger:
        assert {(r.survivors, r.digest) for r in ledger.results(d1_work.cell)} == {(7, "ab" * 32)}


class _SeenError(Exception):
    pass


def test_certificates_always_have_digests(monkeypatch, tmp_path, d1_work):
    """In the place of the search: the smallest chain takes a minute."""

    def tell(*_arguments: object, digests: bool = False, **_named: object) -> None:
        raise _SeenError(digests)

    for module in (window, settle_atlas):
        monkeypatch.setattr(module, "settle", tell)
    for certificate in ("", "a.cover"):
        values = option_values(window, {"certificate": certificate, "planning": "0"})
        with pytest.raises(_SeenError) as told:
            window.solve(EngineRequest(d1_work.cell, options=values), Quiet())
        assert told.value.args == (bool(certificate),)
    path = tmp_path / "a.toml"
    path.write_text('[[cell]]\npiece = "bishop"\nsquare = "d1"\nbits = 4\nstate = "open"\n')
    atlas = read_atlas(path)
    with pytest.raises(_SeenError, match="True"):
        list(settle_atlas.settle_atlas(atlas, atlas.open(), path, NullPhase, ledger=tmp_path / "l"))
