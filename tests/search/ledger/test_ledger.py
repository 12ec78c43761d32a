"""The ledger: nothing lost, nothing done twice, whoever dies when."""

import itertools
import lzma
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.data import tables_folder
from magicert.engine import EngineRequest, option_values
from magicert.jobs import settle_atlas
from magicert.outcome import Impossible, Quiet, Unseen
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search import window
from magicert.search.chain.chain import check_plan
from magicert.search.ledger.ledger import Ledger, distance, summarise
from magicert.search.ledger.settle import do_shard, replay, settle
from magicert.search.problem import Plan, terms_of
from magicert.search.shards.certificate import header_of
from magicert.search.shards.shard import Counts, ShardResult, Work, engine, recount_shard, run_shard
from magicert.verify.cover.file import Shard, Survivors


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
    assert {result.engine for result in results} == {engine()}
    expected = [run_shard(d1_work, number) for number in range(64)]
    assert [(r.counts, r.leaves, r.sha256) for r in results] == [
        (r.counts, r.leaves, r.sha256) for r in expected
    ]


@pytest.mark.parametrize(("done", "finished"), [(63, False), (64, True)])
def test_a_cell_is_finished_with_its_last_shard(d1_work: Work, done: int, finished: bool):
    result = run_shard(d1_work, 0)
    assert summarise([replace(result, number=n) for n in range(done)], 64).finished == finished


def test_shards_that_are_not_everything_are_no_cell(
    tmp_path: Path, d1_work: Work, monkeypatch: pytest.MonkeyPatch
):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        monkeypatch.setattr(Work, "is_everything", lambda _: False)
        with pytest.raises(InputError, match="the roots of its shards are not all m"):
            ledger.summary(d1_work.cell)


def test_adding_a_cell_twice_keeps_its_shards(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        number = ledger.claim(d1_work.cell)
        assert number is not None
        ledger.done(d1_work, run_shard(d1_work, number))
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


CHILD = """
import json, sys
from magicert.board import Piece
from magicert.cell import square_cell
from magicert.outcome import Quiet
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import settle
from magicert.search.shards.shard import engine, run_shard
from magicert.search.shards.shard import Counts, ShardResult

def tell(word):
    print(word, flush=True)

class Teller(Quiet):
    def progress(self, done, total, note=""):
        tell("done")

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
        ledger.done(work, ShardResult(number, Counts(1), 0, "", (), 0, 0.0))
"""
CLAIM_ONE = """
    tell(ledger.claim(cell))
    sys.stdin.readline()
"""
DO_TWENTY = """
    for _ in range(20):
        ledger.done(work, run_shard(work, ledger.claim(cell)))
"""
SETTLE = """
    settle(ledger, work, Teller())
"""


@contextmanager
def child(path: Path, text: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that has the ledger open. It is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", CHILD + text, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert read(process) == "ready"
        yield process
    finally:
        process.kill()
        process.communicate()


def read(process: "subprocess.Popen[str]") -> str:
    """The next line of a process; it waits as long as the process lives."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go_on(process: "subprocess.Popen[str]") -> None:
    """Let a process read its next line."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_processes_never_do_the_same_shard(tmp_path: Path, d1_work: Work):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
    with ExitStack() as stack:
        children = [stack.enter_context(child(path, CLAIM_ALL)) for _ in range(2)]
        for process in children:
            go_on(process)
        claimed = [int(n) for process in children for n in iter(partial(read, process), "")]
    assert sorted(claimed) == list(range(64))


def test_a_claim_dies_with_its_process(tmp_path: Path, d1_work: Work):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
        with child(path, CLAIM_ONE) as process:
            go_on(process)
            lost = int(read(process))
            others = [ledger.claim(d1_work.cell) for _ in range(64)]
            assert others.count(None) == 1
        assert ledger.claim(d1_work.cell) == lost
        assert sorted({*others, lost} - {None}) == list(range(64))
        assert [p.name for p in tmp_path.glob("l.db-client-*")] == [f"l.db-client-{ledger.client}"]
    assert not list(tmp_path.glob("l.db-client-*"))


def test_a_second_ledger_of_the_same_process_is_another_client(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as one:
        one.add(d1_work)
        first = one.claim(d1_work.cell)
        with Ledger(tmp_path / "l.db") as two:
            second = two.claim(d1_work.cell)
            assert {one.claim(d1_work.cell), two.claim(d1_work.cell)}.isdisjoint({first, second})
        assert one.claim(d1_work.cell) == second != first


def test_the_file_of_a_client_that_died_is_removed(tmp_path: Path, d1_work: Work):
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
    with child(path, CLAIM_ONE):
        pass
    assert list(tmp_path.glob("l.db-client-*"))
    Ledger(path).close()
    assert not list(tmp_path.glob("l.db-client-*"))


def test_kill_9_loses_the_running_shard_only(tmp_path: Path):
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, 12, 4)
    work = Work(cell, Plan(45, ("d1",) * 45, 2, 0), 8)
    path = tmp_path / "l.db"
    with Ledger(path) as ledger:
        ledger.add(work)
    for shards_between in (1, 40):
        with Ledger(path) as ledger:
            before = ledger.results(cell)
        with child(path, SETTLE) as process:
            go_on(process)
            # A line also comes from within a shard: count what the ledger has.
            while read(process) and done_in(path) < len(before) + shards_between:
                pass
        with Ledger(path) as ledger:
            after = ledger.results(cell)
        assert len(after) >= len(before) + shards_between
        kept = {result.number: result for result in after}
        assert all(kept[result.number] == result for result in before)
    with Ledger(path) as ledger:
        settle(ledger, work, Quiet())
        results = ledger.results(cell)
    assert [r.number for r in results] == list(range(work.shards))
    some = range(0, work.shards, 16)
    assert [results[n].sha256 for n in some] == [run_shard(work, n).sha256 for n in some]


def done_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("select count(*) from shard where state = 'done'").fetchone()[0])


def test_local_processes_come_to_the_same(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "one.db") as one, Ledger(tmp_path / "two.db") as two:
        for ledger, workers in ((one, 1), (two, 2)):
            ledger.add(d1_work)
            settle(ledger, d1_work, Quiet(), workers=workers)
        alone, together = one.results(d1_work.cell), two.results(d1_work.cell)
    assert [(r.number, r.counts, r.sha256) for r in alone] == [
        (r.number, r.counts, r.sha256) for r in together
    ]


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
                with child(tmp_path / "l.db", DO_TWENTY) as process:
                    go_on(process)
                    assert read(process) == ""

    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        summary = settle(ledger, d1_work, Shared())
    assert (summary.done, told[-1]) == (64, 64)
    assert told == sorted(told)
    assert max(b - a for a, b in itertools.pairwise(told)) >= 20


def test_a_magic_is_checked_before_it_is_said(
    tmp_path: Path, d1_work: Work, monkeypatch: pytest.MonkeyPatch
):
    said: list[str] = []

    class Told(Quiet):
        def say(self, text: str) -> None:
            said.append(text)

    def wrong(work: Work, number: int, *_: object, **__: object) -> ShardResult:
        return replace(run_shard(work, number), magics=((5, 5),), magic_count=1)

    monkeypatch.setattr("magicert.search.ledger.settle.do_shard", wrong)
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        with pytest.raises(AssertionError, match="0x5 was found, but is no magic"):
            settle(ledger, d1_work, Told())
        assert ledger.summary(d1_work.cell).done == 0
    assert said == []


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


@pytest.fixture(scope="session")
def all_done(tmp_path_factory: pytest.TempPathFactory, d1_work: Work):
    """A ledger in which all 64 shards are done."""
    path = tmp_path_factory.mktemp("ledger") / "l.db"
    with Ledger(path) as ledger:
        ledger.add(d1_work)
        settle(ledger, d1_work, Quiet())
    return path


@pytest.fixture
def finished(all_done: Path, tmp_path: Path):
    """A copy of it."""
    return Path(shutil.copy(all_done, tmp_path))


def damage(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(statements)


DAMAGE = {
    "delete a row": ("delete from shard where number = 5", {5}),
    "delete all but one": ("delete from shard where number > 0", set(range(1, 64))),
    "delete all": ("delete from shard", set(range(64))),
    "edit a count": ("update shard set nodes = nodes + 1 where number = 7", {7}),
    "edit magics": (
        "update shard set magics = '[[\"0x1\", \"0x1\"]]', magic_count = '1' where number = 7", {7},
    ),
    "edit a hash": ("update shard set sha256 = (select sha256 from shard where number = 8) "
                    "where number = 7", {7}),
    "no count": ("update shard set cells = null where number = 7", {7}),
    "no number": ("update shard set leaves = 'many' where number = 7", {7}),
    "another engine": ("update shard set engine = 'magicert 9' where number = 9", {9}),
    "no seal": ("update shard set seal = null where number = 9", {9}),
    "reorder": (
        "update shard set number = 99 where number = 3; update shard set number = 3 "
        "where number = 4; update shard set number = 4 where number = 99", {3, 4},
    ),
    "duplicate under another number": (
        "delete from shard where number = 4; create temp table t as select * from shard where "
        "number = 3; update t set number = 4; insert into shard select * from t", {4},
    ),
    "one too many": (
        "create temp table t as select * from shard where number = 3; "
        "update t set number = 64; insert into shard select * from t", {64},
    ),
    "done by nobody": (
        "delete from shard where number = 5; "
        "insert into shard (cell, number, rank, state) values (1, 5, 5, 'done')", {5},
    ),
    "claimed by nobody": ("update shard set state = 'claimed', claim = null where number = 5", {5}),
    "a coarser cut": ("update cell set level = 0", set(range(64))),
    "a coarser cut and one row": (
        "update cell set level = 0; delete from shard where number > 0", {0},
    ),
    "a finer cut": ("update cell set level = 7", set(range(128))),
    "another plan": (
        "update cell set plan = replace(plan, 'u2 e3', 'u2 e2')", set(range(64)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_ledger_says_nothing_until_it_is_mended(finished: Path, d1_work: Work, name: str):
    """A summary refuses it; finding its work opens the shards again that cannot be believed."""
    statements, numbers = DAMAGE[name]
    damage(finished, statements)
    with Ledger(finished) as ledger:
        for look in (ledger.summary, ledger.results):
            with pytest.raises(InputError) as refused:
                look(d1_work.cell)
            assert f"shard {min(numbers)}: " in str(refused.value)
            assert len(refused.value.problems) == len(numbers)
        work = ledger.find(d1_work.cell)
        assert work is not None
        assert len(ledger.mended) == len(numbers)
        summary = ledger.summary(d1_work.cell)
        lost = numbers & set(range(work.shards))
        assert (summary.shards, summary.done) == (work.shards, work.shards - len(lost))
        claimed = {ledger.claim(d1_work.cell) for _ in lost}
        assert claimed == lost
        assert ledger.claim(d1_work.cell) is None


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("update cell set plan = 'none'", "no plan"),
        ("update cell set plan = replace(plan, 'd8 ', '')", "ends at window"),
        ("update cell set level = 64", "level 64"),
        ("update cell set level = -1", "level -1"),
        ("update cell set level = 20", "level 20"),
        ("update cell set level = 'some'", "bishop d1"),
    ],
)
def test_a_plan_that_is_none_is_refused(
    finished: Path, d1_work: Work, statement: str, message: str
):
    damage(finished, statement)
    with Ledger(finished) as ledger:
        for look in (ledger.find, ledger.summary, ledger.results):
            with pytest.raises(InputError, match=message):
                look(d1_work.cell)


def test_a_cell_that_is_lost_is_entered_anew(finished: Path, d1_work: Work):
    damage(finished, "delete from cell")
    with Ledger(finished) as ledger:
        assert ledger.find(d1_work.cell) is None
        assert ledger.summary(d1_work.cell).done == 0
        ledger.add(d1_work)
        assert (ledger.summary(d1_work.cell).done, ledger.mended) == (0, [])


def test_a_key_that_is_none_is_refused(finished: Path):
    damage(finished, "update cell set key = '[]'")
    with Ledger(finished) as ledger, pytest.raises(InputError, match="no cell"):
        ledger.cells()


def test_a_damaged_file_is_refused(finished: Path, d1_work: Work):
    """A page of it is overwritten."""
    damage(finished, "pragma wal_checkpoint(truncate)")
    content = bytearray(finished.read_bytes())
    content[4096:] = b"\xff" * len(content[4096:])
    finished.write_bytes(content)
    with pytest.raises(InputError, match="no ledger"), Ledger(finished) as ledger:
        ledger.summary(d1_work.cell)


def as_version_1(path: Path) -> None:
    """Make it a ledger as the first version wrote them."""
    damage(
        path,
        "alter table cell drop column sealed; alter table shard drop column survivors;"
        "alter table shard drop column digest; alter table shard drop column engine;"
        "alter table shard drop column seal; pragma user_version = 1",
    )


def test_a_ledger_of_the_first_version_resumes(finished: Path, d1_work: Work):
    """Its shards have no seal and no engine; those done from now on have."""
    as_version_1(finished)
    damage(finished, "update shard set state = 'open' where number in (1, 2)")
    with Ledger(finished) as ledger:
        work = ledger.find(d1_work.cell)
        assert (work, ledger.mended) == (d1_work, [])
        assert dict(ledger.summary(d1_work.cell).engines) == {"": 62}
        settle(ledger, d1_work, Quiet())
        assert dict(ledger.summary(d1_work.cell).engines) == {"": 62, engine(): 2}
    damage(finished, "update shard set seal = null where number = 1")
    with Ledger(finished) as ledger:
        ledger.find(d1_work.cell)
        assert dict(ledger.summary(d1_work.cell).engines) == {"": 62, engine(): 1}


@pytest.mark.parametrize(
    "statement",
    [
        "update shard set sha256 = '' where number = 7",
        "update shard set leaves = 0 where number = 7",
        "update shard set nodes = 0 where number = 7",
        "update shard set drops = -1 where number = 7",
        "update shard set magic_count = '1' where number = 7",
        "update shard set magic_count = '1', magics = '[[\"0x0\", \"0x0\"]]' where number = 7",
        "delete from shard where number = 7",
    ],
)
def test_a_row_without_a_seal_must_not_contradict_itself(
    finished: Path, d1_work: Work, statement: str
):
    as_version_1(finished)
    damage(finished, statement)
    with Ledger(finished) as ledger:
        with pytest.raises(InputError, match="shard 7"):
            ledger.summary(d1_work.cell)
        ledger.find(d1_work.cell)
        assert ledger.claim(d1_work.cell) == 7


def first_of(number: int) -> tuple[int, int]:
    """The first number of a shard of d1_work."""
    return number << 48, number << 48


def filled(path: Path, work: Work, forged: Callable[[ShardResult], ShardResult]) -> Path:
    """A ledger whose shards were all changed before they were sealed."""
    with Ledger(path) as ledger:
        ledger.add(work)
        while (number := ledger.claim(work.cell)) is not None:
            ledger.done(work, forged(run_shard(work, number)))
    return path


def test_an_honest_ledger_is_replayed(tmp_path: Path, d1_work: Work):
    with Ledger(filled(tmp_path / "l.db", d1_work, lambda result: result)) as ledger:
        assert replay(ledger, d1_work, 3, Quiet()) == 3
        assert replay(ledger, d1_work, 1000, Quiet()) == d1_work.shards
        assert replay(ledger, d1_work, 3, Quiet(), deadline=0.0) == 0


@pytest.mark.parametrize(
    ("forged", "message"),
    [
        (lambda one: replace(one, counts=one.counts + Counts(nodes=1)), "when done again"),
        (lambda one: replace(one, magics=(first_of(one.number),), magic_count=1), "1 magics: 0 "),
        (lambda one: replace(one, sha256="0" * 64), "the leaves are others"),
    ],
)
def test_a_sealed_lie_is_believed_until_it_is_replayed(
    tmp_path: Path, d1_work: Work, forged: Callable[[ShardResult], ShardResult], message: str
):
    with Ledger(filled(tmp_path / "l.db", d1_work, forged)) as ledger:
        assert len(ledger.results(d1_work.cell)) == d1_work.shards
        with pytest.raises(InputError, match=message):
            replay(ledger, d1_work, 1, Quiet())


@pytest.mark.parametrize(
    ("forged", "message"),
    [
        ({"magic_count": 5}, "shard 3: it lists 0 magics and counts 5"),
        ({"magic_count": -1}, "shard 3: it lists 0 magics and counts -1"),
        ({"magics": ((5, 5),), "magic_count": 1}, "shard 3: it lists magics of other shards"),
        ({"magics": ((9, 3),)}, "shard 3: it lists magics of other shards"),
        ({"counts": Counts()}, "shard 3: its counts are none"),
    ],
)
def test_a_sealed_row_must_not_contradict_itself(
    tmp_path: Path, d1_work: Work, forged: dict[str, Any], message: str
):
    def only_one(result: ShardResult) -> ShardResult:
        return replace(result, **forged) if result.number == 3 else result

    path = filled(tmp_path / "l.db", d1_work, only_one)
    with Ledger(path) as ledger, pytest.raises(InputError, match=message):
        ledger.summary(d1_work.cell)


def test_a_magic_that_is_none_is_the_ledgers_fault(tmp_path: Path, d1_work: Work):
    _, low, _ = d1_work.root(3)

    def with_a_magic(result: ShardResult) -> ShardResult:
        listed = replace(result, magics=((low, low),), magic_count=1)
        return listed if result.number == 3 else result

    path = filled(tmp_path / "l.db", d1_work, with_a_magic)
    asked = {"ledger": str(path)}
    with pytest.raises(InputError, match="is listed, and is no magic"):
        window.solve(EngineRequest(d1_work.cell, options=option_values(window, asked)), Quiet())


def test_the_engine_replays_what_its_ledger_had(tmp_path: Path, d1_work: Work):
    def solve(path: Path) -> object:
        asked = {"ledger": str(path), "replay": "2"}
        return window.solve(
            EngineRequest(d1_work.cell, options=option_values(window, asked)), Quiet()
        )

    honest = filled(tmp_path / "honest.db", d1_work, lambda result: result)
    assert isinstance(solve(honest), Impossible)
    forged = filled(tmp_path / "l.db", d1_work, lambda one: replace(one, counts=Counts(1)))
    with pytest.raises(InputError, match="when done again"):
        solve(forged)


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


CELL = square_cell(SCHEMES["white"], Piece.ROOK, parse_square("g2"), 9)
PLAN = Plan.parse("55 u1 e2: " + "d1 " * 19 + "c36.4")
NODE = 128_001
"""Of the nodes of its chain one that leaves cells alive."""


def test_digests_are_kept_and_certified():
    """Of a shard that is a single node of the chain."""
    work, number = Work(CELL, PLAN, 19, record=False), NODE
    result = do_shard(work, number, digests=True)
    again = recount_shard(work, number)
    assert (result.survivors, result.digest) == (again.survivors, again.sha256)
    assert result.survivors > 0
    (shard,) = header_of(work, [result], False)["shards"]
    read = msgspec.convert(shard, Shard)
    assert read.survivors == Survivors(again.survivors, again.sha256)


def test_without_asking_there_are_none():
    work = Work(CELL, PLAN, 19, record=False)
    result = do_shard(work, NODE)
    assert (result.survivors, result.digest) == (0, "")
    assert "survivors" not in header_of(work, [result], False)["shards"][0]


def test_a_ledger_keeps_them(tmp_path: Path, d1_work: Work):
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(d1_work)
        number = ledger.claim(d1_work.cell)
        assert number is not None
        result = replace(do_shard(d1_work, number), survivors=7, digest="ab" * 32)
        ledger.done(d1_work, result)
        assert ledger.results(d1_work.cell) == [result]


class _SeenError(Exception):
    pass


def _tell(*_arguments: object, digests: bool = False, **_named: object) -> None:
    """In the place of the search: the smallest chain takes a minute."""
    raise _SeenError(digests)


@pytest.mark.parametrize(("certificate", "counted"), [("", False), ("a.cover", True)])
def test_a_certificate_always_has_them(
    monkeypatch: pytest.MonkeyPatch, certificate: str, counted: bool
):
    monkeypatch.setattr(window, "settle", _tell)
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 4)
    asked = {"certificate": certificate, "planning": "0"}
    with pytest.raises(_SeenError) as told:
        window.solve(EngineRequest(cell, options=option_values(window, asked)), Quiet())
    assert told.value.args == (counted,)


def test_certificates_of_the_atlas_have_them_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(settle_atlas, "settle", _tell)
    (tmp_path / "a.toml").write_text(
        '[[cell]]\npiece = "bishop"\nsquare = "d1"\nbits = 4\nstate = "open"\n'
    )
    asked = settle_atlas.Settling(tmp_path / "a.toml", tmp_path / "a.toml", tmp_path / "l.db")
    with pytest.raises(_SeenError) as told:
        list(settle_atlas.settle_atlas(asked, Unseen))
    assert told.value.args == (True,)
