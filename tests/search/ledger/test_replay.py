"""Shards of a ledger done again: what is sealed and false is found by that only."""

from collections.abc import Callable
from dataclasses import replace as changed
from pathlib import Path

import pytest

from magicert.engine import Quiet, Request, option_values
from magicert.outcome import Impossible
from magicert.problem import InputError
from magicert.search import window
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.replay import replay
from magicert.search.shards.shard import run_shard
from magicert.search.shards.work import Counts, ShardResult, Work


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
        (lambda one: changed(one, counts=one.counts + Counts(nodes=1)), "when done again"),
        (lambda one: changed(one, magics=((5, 5),), magic_count=1), "1 magics: 0 when done again"),
        (lambda one: changed(one, engine="another", magic_count=2), "2 magics: 0"),
        (lambda one: changed(one, sha256="0" * 64), "the leaves are others"),
    ],
)
def test_a_sealed_lie_is_believed_until_it_is_replayed(
    tmp_path: Path, d1_work: Work, forged: Callable[[ShardResult], ShardResult], message: str
):
    with Ledger(filled(tmp_path / "l.db", d1_work, forged)) as ledger:
        assert len(ledger.results(d1_work.cell)) == d1_work.shards
        with pytest.raises(InputError, match=message):
            replay(ledger, d1_work, 1, Quiet())


def test_the_engine_replays_what_its_ledger_had(tmp_path: Path, d1_work: Work):
    def solve(path: Path) -> object:
        asked = {"ledger": str(path), "replay": "2"}
        return window.solve(Request(d1_work.cell, options=option_values(window, asked)), Quiet())

    honest = filled(tmp_path / "honest.db", d1_work, lambda result: result)
    assert isinstance(solve(honest), Impossible)
    forged = filled(tmp_path / "l.db", d1_work, lambda one: changed(one, counts=Counts(1)))
    with pytest.raises(InputError, match="when done again"):
        solve(forged)
