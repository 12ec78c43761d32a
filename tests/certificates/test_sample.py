"""`magicert check --sample`: an error shows in the pieces, even where all totals agree."""

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.jobs.covers.shards import share_of, within
from magicert.scheme import SCHEMES
from magicert.search import planning
from magicert.search.kernel.node import WRITTEN
from magicert.search.problem import Plan
from magicert.search.shards import shard as shards
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, run_shard

Run = Callable[..., Result]
CELL = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5)
WORK = Work(CELL, Plan(26, ("d1",) * 26, 2, 1), 4, record=False)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bishop d8 at 5 bits in 16 shards, without leaves."""
    path = tmp_path_factory.mktemp("sampled") / "c.cover"
    write_certificate(path, WORK, [run_shard(WORK, number) for number in range(16)])
    return path.read_bytes()


def test_pieces_of_a_true_certificate_are_true(run: Run, tmp_path: Path, counted: bytes):
    path = tmp_path / "c.cover"
    path.write_bytes(counted)
    result = run("check", path, "--sample", 2)
    assert (result.exit_code, "wrong" in result.stdout) == (3, False)
    told = re.search(
        r"  32 random pieces searched anew, ([\d,]+) leaves checked: "
        r"([\d.e-]+) of all m, and nothing of the rest; --seed (\d+)",
        result.stdout,
    )
    assert told is not None
    again = run("check", path, "--sample", 2, "--seed", told[3])
    assert again.stdout == result.stdout
    assert run("check", path, "--sample", 2, "--seed", int(told[3]) + 1).stdout != result.stdout


def test_a_piece_within_another_counts_no_more():
    outer, inner, other = (4, 8, 15), (6, 8, 9), (4, 0, 3)
    assert share_of([outer, inner, outer]) == Fraction(1, 2)
    assert share_of([inner, other]) == Fraction(2, 64) + Fraction(1, 4)
    assert share_of([]) == 0


def test_magics_that_are_not_declared_are_found(
    run: Run, tmp_path: Path, counted: bytes, parts: Any
):
    """As a kernel would write it that takes live cells for dead ones."""
    forged, path = parts(counted), tmp_path / "c.cover"
    for shard in forged.header["shards"]:
        shard |= {"magics": [], "magic_count": "0x0"}
    path.write_bytes(forged.join())
    assert run("check", path).exit_code == 3
    result = run("check", path, "--sample", 2, "--seed", 1)
    assert result.exit_code == 1
    assert re.search(r"shard \d+: magics with m mod 2\^26 in .*: [1-9]\d* found, 0 declared",
                     result.stderr)  # fmt: skip
    assert "no magic exists" not in result.stdout


def test_a_search_that_skips_a_live_cell_is_noticed(
    run: Run, tmp_path: Path, counted: bytes, monkeypatch: pytest.MonkeyPatch
):
    """Its leaves leave a gap."""
    path = tmp_path / "c.cover"
    path.write_bytes(counted)
    once = shards.search

    def skipping(task: Any, state: Any, *numbers: Any) -> int:
        status = int(once(task, state, *numbers))
        state.register[WRITTEN] -= state.register[WRITTEN] > 1
        return status

    monkeypatch.setattr(shards, "search", skipping)
    result = run("check", path, "--sample", 1, "--seed", 1)
    assert (result.exit_code, "the leaves do not cover" in result.stderr) == (1, True)


def test_a_piece_with_too_many_leaves_is_cut(
    run: Run, tmp_path: Path, counted: bytes, monkeypatch: pytest.MonkeyPatch
):
    """The estimate may be wrong: here it says that the whole is one leaf."""
    monkeypatch.setattr(planning.Pieces, "_usual_level", lambda *_: 0)
    monkeypatch.setattr("magicert.search.shards.shard.BLOCK", 16)
    monkeypatch.setattr("magicert.search.kernel.node.BLOCK", 16)
    path = tmp_path / "c.cover"
    path.write_bytes(counted)
    roots = []
    once = planning.run_shard

    def noted(work: Work, number: int, *rest: Any, **more: Any) -> Any:
        roots.append(work.root(number))
        return once(work, number, *rest, **more)

    monkeypatch.setattr(planning, "run_shard", noted)
    run("check", path, "--sample", 1, "--seed", 1)
    assert len(roots) > 16
    inside = [b[1] >= a[1] and b[2] <= a[2] for a, b in itertools.pairwise(roots)]
    assert sum(inside) >= len(roots) - 16


def test_magics_are_cut_at_the_ends_of_a_piece():
    magics = [(3, 9), (0x105, 0x106), (0x20F, 0x214)]
    assert within(magics, (8, 5, 0x10)) == [(5, 9), (0x105, 0x106), (0x20F, 0x210)]
    assert within(magics, (10, 5, 0x10)) == [(5, 9)]
    assert within(magics, (10, 0x210, 0x220)) == [(0x210, 0x214)]
