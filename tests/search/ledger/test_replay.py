"""Shards of a ledger done again: what is sealed and false is found by that only."""

from collections.abc import Callable
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.engine import EngineRequest, option_values
from magicert.outcome import Impossible, Quiet
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search import window
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import replay
from magicert.search.problem import Plan
from magicert.search.shards.shard import Counts, ShardResult, Work, run_shard

PLAN = Plan(54, (*["d1"] * 18, "d8", *["d1"] * 28), 2, 3)
D1 = Work(square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 4), PLAN, 6)
FIRST = [(D1.root(number)[1],) * 2 for number in range(64)]
"""The first number of each shard."""


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
        (lambda one: changed(one, magics=(FIRST[one.number],), magic_count=1), "1 magics: 0 when"),
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
        return changed(result, **forged) if result.number == 3 else result

    path = filled(tmp_path / "l.db", d1_work, only_one)
    with Ledger(path) as ledger, pytest.raises(InputError, match=message):
        ledger.summary(d1_work.cell)


def test_a_magic_that_is_none_is_the_ledgers_fault(tmp_path: Path, d1_work: Work):
    _, low, _ = d1_work.root(3)

    def with_a_magic(result: ShardResult) -> ShardResult:
        listed = changed(result, magics=((low, low),), magic_count=1)
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
    forged = filled(tmp_path / "l.db", d1_work, lambda one: changed(one, counts=Counts(1)))
    with pytest.raises(InputError, match="when done again"):
        solve(forged)
