"""A shard that is counted again carries what came of it into the certificate."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.engine import EngineRequest, option_values
from magicert.jobs import settle_atlas
from magicert.outcome import Quiet, Unseen
from magicert.scheme import SCHEMES
from magicert.search import window
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import do_shard
from magicert.search.problem import Plan
from magicert.search.shards.certificate import header_of
from magicert.search.shards.shard import Work, recount_shard
from magicert.verify.cover.file import Shard, Survivors

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
