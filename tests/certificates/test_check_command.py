"""What `magicert check` says: its words, and which shards it rebuilds."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.jobs.covers import replay
from magicert.jobs.evidence import evidence_of
from magicert.outcome import Evidence
from magicert.search.shards import recount

Run = Callable[..., Result]
Searched = Callable[[bool], bytes]


def first_line(result: Result) -> str:
    return str(result.stdout.splitlines()[0])


def test_only_a_valid_certificate_says_that_no_magic_exists(
    run: Run, tmp_path: Path, small: bytes, counted: bytes, with_magics: bytes, parts: Any
) -> None:
    path = tmp_path / "c.cover"
    forged = parts(counted)
    forged.header["bits"] = 9
    broken, fewer = small + b"\0", parts(with_magics)
    fewer.header["shards"][0]["magic_count"] = "0x0"
    cases = [
        (small, "valid", True),
        (with_magics, "valid", False),
        (counted, "unknown", False),
        (forged.join(), "unknown", False),
        (broken, "invalid", False),
        (fewer.join(), "invalid", False),
    ]
    for data, verdict, says_so in cases:
        path.write_bytes(data)
        line = first_line(run("check", path))
        assert line.startswith(f"{verdict} ")
        assert ("no magic exists" in line) == says_so, line


def test_the_evidence_in_the_file_is_named(
    run: Run, tmp_path: Path, small: bytes, counted: bytes
) -> None:
    path = tmp_path / "c.cover"
    for data, kind in ((small, "leaves"), (counted, "counts")):
        path.write_bytes(data)
        assert f"evidence in the file: {kind}" in run("check", path).stdout


def test_a_proof_of_the_same_cell_counts_more_than_hashes(
    tmp_path: Path, small: bytes, counted: bytes
) -> None:
    (tmp_path / "certificates").mkdir()
    (tmp_path / "proofs").mkdir()
    path, proof = tmp_path / "certificates" / "x.cover", tmp_path / "proofs" / "x.drup"
    path.write_bytes(counted)
    assert evidence_of(path) is Evidence.COUNTS
    for cell, kind in (("d8 2", Evidence.PROOF), ("d8 3", Evidence.COUNTS)):
        proof.write_text(
            f"c magicert proof 1\nc cell white bishop {cell}\n"
            f"c formula {'0' * 64}\nc solver none\n0\n"
        )
        assert evidence_of(path) is kind
    path.write_bytes(small)
    assert evidence_of(path) is Evidence.LEAVES


def test_nobody_can_foresee_which_shards_are_replayed(
    run: Run, tmp_path: Path, searched: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.cover"
    path.write_bytes(searched(False))
    numbers = iter([5, 7, 5])
    monkeypatch.setattr("magicert.jobs.covers.work.secrets.randbits", lambda _: next(numbers))
    replayed: list[int] = []
    once = replay._replay

    def noted(certificate: Any, work: Any, number: int, found: Any) -> None:
        replayed.append(number)
        once(certificate, work, number, found)

    monkeypatch.setattr("magicert.jobs.covers.replay._replay", noted)
    seeds = []
    for _ in range(3):
        result = run("check", path, "--replay", 2)
        found = re.search(
            r"2 of them replayed; --seed (\d+) chooses the same shards", result.stdout
        )
        assert found, result.stdout
        seeds.append(found[1])
    assert seeds == ["5", "7", "5"]
    assert replayed[:2] == replayed[4:]
    run("check", path, "--replay", 2, "--seed", 5)
    assert replayed[6:] == replayed[:2]
    result = run("check", path, "--replay", "all")
    assert "--seed" not in result.stdout
    assert replayed[8:] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("declared", "status", "word"),
    [(None, 3, "none declared"), (7, 3, "as declared"), (8, 1, "NOT as declared")],
)
def test_survivors_that_are_counted_again_are_compared(
    run: Run, tmp_path: Path, searched: Searched, parts: Any, monkeypatch: pytest.MonkeyPatch,
    declared: int | None, status: int, word: str,
) -> None:  # fmt: skip
    def recount_shard(_work: Any, number: int) -> recount.Recount:
        return recount.Recount(7, f"{number:064x}")

    monkeypatch.setattr("magicert.jobs.covers.recount.recount_shard", recount_shard)
    certificate = parts(searched(False))
    for number, shard in enumerate(certificate.header["shards"]):
        if declared is not None:
            shard["survivors"] = {"count": declared, "sha256": f"{number:064x}"}
    path = tmp_path / "c.cover"
    path.write_bytes(certificate.join())
    result = run("check", path, "--recount", "all")
    assert (result.exit_code, result.stdout.count(f": {word}")) == (status, 4)
    assert "no magic exists" not in result.stdout


def test_a_plan_without_a_chain_has_no_survivors(
    run: Run, tmp_path: Path, searched: Searched
) -> None:
    path = tmp_path / "c.cover"
    path.write_bytes(searched(False))
    result = run("check", path, "--recount", 1)
    assert (result.exit_code, "the plan has no chain" in result.stderr) == (2, True)
