"""Certificates of mirrored plans: each part is listed, replayed and sampled on its own."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan, mirrored, terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, run_shard

Run = Callable[..., Result]
CELL = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5)
PLAN = Plan(26, ("d1",) * 26, 2, 1)
WORK = Work(CELL, mirrored(PLAN, terms_of(CELL)), 4, record=False)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bishop d8 at 5 bits: eight shards, each with its mirror image."""
    path = tmp_path_factory.mktemp("mirrored") / "c.cover"
    write_certificate(path, WORK, [run_shard(WORK, number) for number in range(8)])
    return path.read_bytes()


def test_it_lists_all_parts_with_their_magics(certificate: bytes, with_magics: bytes, parts: Any):
    shards = parts(certificate).header["shards"]
    assert [int(shard["root"][1], 16) for shard in shards] == [n << 22 for n in range(16)]
    assert [shard["counts"] for shard in shards] == [shard["counts"] for shard in shards[::-1]]
    found, known = (
        {
            m
            for shard in header["shards"]
            for low, high in shard["magics"]
            for m in range(int(low, 16), int(high, 16) + 1)
        }
        for header in (parts(certificate).header, parts(with_magics).header)
    )
    assert found == known
    assert len(found) == 9547 == sum(int(shard["magic_count"], 16) for shard in shards)


def test_all_of_it_can_be_replayed_and_sampled(run: Run, tmp_path: Path, certificate: bytes):
    path = tmp_path / "c.cover"
    path.write_bytes(certificate)
    assert run("check", path).exit_code == 3
    result = run("check", path, "--replay", "all", "--sample", 1)
    assert result.exit_code == 0
    assert "16 random pieces searched anew" in result.stdout


@pytest.mark.parametrize("part", [3, 12])
def test_magics_left_out_of_either_side_are_noticed(
    run: Run, tmp_path: Path, certificate: bytes, parts: Any, part: int
):
    forged, path = parts(certificate), tmp_path / "c.cover"
    magics = forged.header["shards"][part]
    low, high = (int(word, 16) for word in magics["magics"].pop())
    magics["magic_count"] = hex(int(magics["magic_count"], 16) - (high - low + 1))
    assert low >> 22 == part
    path.write_bytes(forged.join())
    result = run("check", path, "--replay", "all")
    assert result.exit_code == 1
    assert f"shard {part}: " in result.stderr + result.stdout


@pytest.mark.parametrize("change", ["half", "swap", "no m"])
def test_a_side_may_not_be_missing(
    run: Run, tmp_path: Path, certificate: bytes, parts: Any, change: str
):
    forged, path = parts(certificate), tmp_path / "c.cover"
    shards = forged.header["shards"]
    if change == "half":
        del shards[8:]
    elif change == "swap":
        shards[1], shards[-2] = shards[-2], shards[1]
    else:
        forged.header["plan"] = PLAN.text
    path.write_bytes(forged.join())
    assert [run("check", path, "--replay", some).exit_code for some in (2, "all")] == [1, 1]


def test_find_takes_such_a_plan_and_refuses_it_where_leaves_are_written(run: Run, tmp_path: Path):
    asked = ("find", "bishop", "d8", "--bits", 5, "--engine", "window", "--all")
    plan = ("-O", f"plan={WORK.plan.text}")
    found = run(*asked, *plan, "-O", "shards=8", "--ledger", tmp_path / "l.db")
    assert found.exit_code == 0
    assert "9,547" in found.stdout
    again = run(*asked, "--ledger", tmp_path / "l.db", "-O", "replay=4")
    assert "4 shards of the ledger were done again, and are the same" in again.stderr
    refused = run(*asked, *plan, "-O", f"certificate={tmp_path / 'c.cover'}")
    assert refused.exit_code == 2
    assert "leaves are of m alone" in refused.stderr


def test_a_ledger_s_plan_is_not_mirrored_where_there_is_no_mirror_image(run: Run, tmp_path: Path):
    """Whoever writes such a plan into a ledger gets no verdict from it."""
    asked = ("find", "bishop", "d8", "--bits", 5, "--engine", "window", "--scheme", "black")
    refused = run(*asked, "-O", f"plan={WORK.plan.text}", "--ledger", tmp_path / "l.db")
    assert refused.exit_code == 2
    assert "nothing added" in refused.stderr or "window" in refused.stderr


def test_more_magics_than_are_listed_are_refused_in_words(run: Run, tmp_path: Path):
    asked = ("find", "bishop", "d8", "--bits", 6, "--engine", "window", "--all")
    steps = " ".join(["d1"] * 23 + ["m"] + ["d1"] * 3)
    found = run(*asked, "-O", f"plan=26 u2 e1: {steps}", "--ledger", tmp_path / "l.db")
    assert found.exit_code == 0
    refused = run(
        *asked, "--ledger", tmp_path / "l.db", "-O", f"certificate={tmp_path / 'c.cover'}"
    )
    assert refused.exit_code == 2
    assert "and 10,000 are listed" in refused.stderr


def test_a_mirrored_row_without_a_seal_is_searched_again(run: Run, tmp_path: Path):
    """Mirrored plans are younger than seals: such a row was edited."""
    path = tmp_path / "l.db"
    asked = ("find", "bishop", "d8", "--bits", 5, "--engine", "window", "--all", "--ledger", path)
    first = run(*asked, "-O", f"plan={WORK.plan.text}", "-O", "shards=8")
    with sqlite3.connect(path) as ledger:
        ledger.execute("update cell set sealed = 0")
        ledger.execute("update shard set seal = null, engine = null, magics = '[]'")
        ledger.execute("update shard set magic_count = '0'")
    again = run(*asked)
    assert again.stderr.count("its seal is of something else") == 4
    assert again.stdout.splitlines()[:4] == first.stdout.splitlines()[:4]
