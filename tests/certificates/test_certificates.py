"""Cover certificates: valid ones pass, and whatever is changed in them is noticed."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import z3
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.cli.app import cli
from magicert.verify.cover import checker
from magicert.verify.cover.checker import check, read_block
from magicert.verify.cover.file import Shard, read_certificate
from magicert.verify.cover.statement import statement

Outcome = Callable[[bytes], tuple[str, str]]


@pytest.mark.parametrize(("name", "count"), [("small", 0), ("with_magics", 9547)])
def test_valid_ones_pass(tmp_path: Path, request: pytest.FixtureRequest, name: str, count: int):
    path = tmp_path / "c.cover"
    path.write_bytes(request.getfixturevalue(name))
    report = check(read_certificate(path))
    assert (report.verdict, report.problems, report.magic_count) == ("valid", [], count)
    assert sum(high - low + 1 for low, high in report.magics) == count


def test_the_worked_example_of_the_documentation():
    block = bytes.fromhex("02000000 02 00 01 01".replace(" ", "")) + bytes([1, 1, 0, 1, 1, 0])
    leaves = read_block(block, 0)
    rows = zip(*(column.tolist() for column in leaves), strict=True)
    assert list(rows) == [(2, 0, 1, 0, 1), (2, 2, 3, 1, 0)]


CHANGES = {
    "scheme": "black", "piece": "rook", "square": "e8", "bits": 1, "largest_index": 4,
    "streams": False, "shards": [],
}  # fmt: skip


@pytest.mark.parametrize("key", CHANGES)
def test_every_claim_of_the_header_counts(outcome: Outcome, small: bytes, parts: Any, key: str):
    certificate = parts(small)
    certificate.header[key] = CHANGES[key]
    assert outcome(certificate.join())[0] != "valid"


@pytest.mark.parametrize("key", ["engine", "date", "plan", "level", "seconds", "constant"])
def test_no_key_may_be_missing(outcome: Outcome, small: bytes, parts: Any, key: str):
    certificate = parts(small)
    del certificate.header[key]
    assert outcome(certificate.join())[0] == "bad input"


SHARD_CHANGES = [
    ("root", [26, "0x0", "0xfffffe"]),
    ("root", [25, "0x0", "0xffffff"]),
    ("root", [26, "0x1", "0xffffff"]),
    ("leaves", 1),
    ("leaves", 10**6),
    ("sha256", "0" * 64),
    ("magics", [["0x5", "0x5"]]),
    ("magic_count", "0x1"),
]


@pytest.mark.parametrize(("key", "value"), SHARD_CHANGES)
def test_every_claim_about_a_shard_counts(
    outcome: Outcome, small: bytes, parts: Any, key: str, value: Any
):
    certificate = parts(small)
    certificate.header["shards"][0][key] = value
    assert outcome(certificate.join())[0] != "valid"


@pytest.mark.parametrize("rest", [0, 1, 7, 8, 9, 40, -1])
def test_a_shortened_stream_does_not_pass(outcome: Outcome, small: bytes, parts: Any, rest: int):
    certificate = parts(small)
    certificate.body = certificate.body[:rest]
    assert outcome(certificate.join())[0] == "invalid"


@settings(max_examples=100)
@given(data=st.data())
def test_any_changed_byte_of_the_streams_is_noticed(
    outcome: Outcome, small: bytes, parts: Any, data: st.DataObject
):
    certificate = parts(small)
    place = data.draw(st.integers(0, len(certificate.body) - 1))
    flip = data.draw(st.integers(1, 255))
    body = bytearray(certificate.body)
    body[place] ^= flip
    certificate.body = bytes(body)
    assert outcome(certificate.join())[0] == "invalid"


@pytest.mark.parametrize(
    "data", [b"", b"magicert cover 2\n{}\n", b"magicert cover 1\n", b"magicert cover 1\n{]\n",
             b"\xfd7zXZ\x00 no xz", b"magicert cover 1\n" + b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_certificate_is_bad_input(outcome: Outcome, data: bytes):
    verdict, message = outcome(data)
    assert (verdict, "c.cover" in message) == ("bad input", True)


def test_z3_agrees_with_random_leaves(small: bytes, leaves_of: Any):
    """An m inside a leaf that keeps the two indices apart must not exist."""
    about, m = statement("white", "bishop", 59, 2), z3.BitVec("m", 64)
    leaves = [leaf for _, shard in leaves_of(small)[1] for leaf in shard]
    for w, low, high, *pair in random.Random(4).sample(leaves, 12):
        solver = z3.Solver()
        inside = m & ((1 << w) - 1)
        solver.add(z3.UGE(inside, low), z3.ULE(inside, high))
        first, second = (m * z3.BitVecVal(int(about.x[n]), 64) for n in pair)
        solver.add(z3.LShR(first, 62) != z3.LShR(second, 62))
        assert solver.check() == z3.unsat
        assert about.attack[pair[0]] != about.attack[pair[1]]


def run(*arguments: object):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_a_replay_rebuilds_what_was_only_counted(tmp_path: Path, searched: Any, parts: Any):
    path = tmp_path / "c.cover"
    counted = searched(False)
    path.write_bytes(counted)
    assert run("check", path, "--replay", "2").exit_code == 3
    result = run("check", path, "--replay", "all")
    assert (result.exit_code, "4 of them replayed" in result.output) == (0, True)
    certificate = parts(counted)
    certificate.header["shards"][1]["counts"][0] += 1
    path.write_bytes(certificate.join())
    assert run("check", path, "--replay", "all").exit_code == 1
    certificate = parts(counted)
    certificate.header["plan"] = certificate.header["plan"].replace("d1 d1 d1", "d3", 1)
    path.write_bytes(certificate.join())
    assert run("check", path, "--replay", "all").exit_code == 2


def test_a_replay_of_a_whole_certificate(tmp_path: Path, searched: Any, parts: Any):
    path = tmp_path / "c.cover"
    whole = searched(True)
    path.write_bytes(whole)
    assert run("check", path, "--replay", "all").exit_code == 0
    certificate = parts(whole)
    certificate.header["shards"][1]["counts"][2] += 1
    path.write_bytes(certificate.join())
    assert run("check", path).exit_code == 0
    assert run("check", path, "--replay", "all").exit_code == 1


def test_the_header_may_not_promise_a_smaller_range(
    outcome: Outcome, with_magics: bytes, parts: Any
):
    certificate = parts(with_magics)
    certificate.header["largest_index"] = 30
    assert outcome(certificate.join())[0] == "invalid"


@pytest.mark.parametrize(("high", "problems"), [(15, 0), (16, 1)])
def test_magics_lie_in_their_shard(
    monkeypatch: pytest.MonkeyPatch, high: int, problems: int
) -> None:
    """All of them, where a run of magics begins in one shard and ends in the next."""
    monkeypatch.setattr(checker, "wrong_magics", lambda *_: False)
    shard = Shard((6, "0x8", "0xf"), 0, "", (1, 0, 0, 0, 0), [("0x9", hex(high))], hex(high - 8))
    assert len(checker._wrong_claims(statement("white", "bishop", 3, 4), shard)) == problems
