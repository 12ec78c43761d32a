"""Cover certificates: valid ones pass, and whatever is changed in them is noticed."""

import hashlib
import lzma
import random
import struct
from pathlib import Path
from typing import Any

import pytest
import z3
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.cli.app import cli
from magicert.problem import InputError
from magicert.verify.cover import checker
from magicert.verify.cover.checker import check, read_block
from magicert.verify.cover.file import Shard, read_certificate
from magicert.verify.cover.statement import statement


def outcome(tmp_path: Path, data: bytes):
    """What comes of checking these bytes: a report, or "bad input"."""
    path = tmp_path / "c.cover"
    path.write_bytes(data)
    try:
        return check(read_certificate(path))
    except InputError:
        return None


def accepted(tmp_path: Path, data: bytes) -> bool:
    report = outcome(tmp_path, data)
    return report is not None and report.verdict == "valid"


def test_valid_ones_pass(tmp_path: Path, small: bytes, with_magics: bytes):
    report = outcome(tmp_path, small)
    assert (report.verdict, report.problems, report.magic_count) == ("valid", [], 0)
    report = outcome(tmp_path, with_magics)
    assert (report.verdict, report.problems, report.magic_count) == ("valid", [], 9547)
    assert sum(high - low + 1 for low, high in report.magics) == 9547


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
def test_every_claim_of_the_header_counts(tmp_path: Path, small: bytes, parts: Any, key: str):
    certificate = parts(small)
    certificate.header[key] = CHANGES[key]
    assert not accepted(tmp_path, certificate.join())


@pytest.mark.parametrize("key", ["engine", "date", "plan", "level", "seconds", "constant"])
def test_no_key_may_be_missing(tmp_path: Path, small: bytes, parts: Any, key: str):
    certificate = parts(small)
    del certificate.header[key]
    assert outcome(tmp_path, certificate.join()) is None


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
    tmp_path: Path, small: bytes, parts: Any, key: str, value: Any
):
    certificate = parts(small)
    certificate.header["shards"][0][key] = value
    assert not accepted(tmp_path, certificate.join())


@pytest.mark.parametrize("change", ["drop", "repeat", "swap"])
def test_shards_are_all_there_in_order(tmp_path: Path, small: bytes, parts: Any, change: str):
    certificate = parts(small)
    shards = certificate.header["shards"]
    if change == "drop":
        shards.pop()
    elif change == "repeat":
        shards.append(shards[-1])
    else:
        shards[0], shards[1] = shards[1], shards[0]
    assert not accepted(tmp_path, certificate.join())


def test_magics_left_out_are_noticed(tmp_path: Path, with_magics: bytes, parts: Any):
    certificate = parts(with_magics)
    shard = next(s for s in certificate.header["shards"] if s["magics"])
    shard["magics"].pop()
    assert not accepted(tmp_path, certificate.join())


class Leaves:
    """The first shard's stream of `small` as rows that can be changed and put back: each row
    is [gap, span, first, second]; the widths are 26 all over.
    """

    def __init__(self, certificate: Any) -> None:
        self.certificate = certificate
        body = certificate.body
        (count,) = struct.unpack("<I", body[:4])
        assert body[4:6] == bytes([26, 0]), "a block without w and gap columns is expected"
        size = body[6]
        self.length = 8 + count * (size + 2)
        spans = [
            int.from_bytes(body[8 + size * n : 8 + size * (n + 1)], "little") for n in range(count)
        ]
        pairs = body[8 + size * count : self.length]
        self.rows = [[0, spans[n], pairs[n], pairs[count + n]] for n in range(count)]

    def join(self) -> bytes:
        gaps, spans, firsts, seconds = zip(*self.rows, strict=True)
        size = next(s for s in (1, 2, 4, 8) if max(spans) < 1 << (8 * s))
        block = struct.pack("<IBBBB", len(self.rows), 26, 8 * any(gaps), size, 1)
        if any(gaps):
            block += b"".join(struct.pack("<Q", gap % (1 << 64)) for gap in gaps)
        block += b"".join(span.to_bytes(size, "little") for span in spans)
        block += bytes(firsts) + bytes(seconds)
        shard = self.certificate.header["shards"][0]
        # An honest count and an honest hash: only the leaves themselves are wrong.
        shard["leaves"], shard["sha256"] = len(self.rows), hashlib.sha256(block).hexdigest()
        self.certificate.body = block + self.certificate.body[self.length :]
        return self.certificate.join()


def test_rows_put_back_unchanged_pass(tmp_path: Path, small: bytes, parts: Any):
    assert accepted(tmp_path, Leaves(parts(small)).join())


@pytest.mark.parametrize("place", [0, 1, 5, -2, -1])
def test_a_dropped_leaf_leaves_a_gap(tmp_path: Path, small: bytes, parts: Any, place: int):
    leaves = Leaves(parts(small))
    dropped = leaves.rows.pop(place)
    if place not in (-1, len(leaves.rows)):
        leaves.rows[place if place >= 0 else place + 1][0] = dropped[1] + 1
    assert not accepted(tmp_path, leaves.join())


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_a_leaf_may_not_be_wider(tmp_path: Path, small: bytes, parts: Any, place: int):
    """It then overlaps the next, which keeps its place."""
    leaves = Leaves(parts(small))
    leaves.rows[place][1] += 1
    if place != -1:
        leaves.rows[place + 1][0] = -1
    assert not accepted(tmp_path, leaves.join())


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_overlapping_leaves_do_not_pass(tmp_path: Path, small: bytes, parts: Any, place: int):
    leaves = Leaves(parts(small))
    leaves.rows.insert(place, list(leaves.rows[place]))
    leaves.rows[place][0] = -leaves.rows[place][1] - 1
    assert not accepted(tmp_path, leaves.join())


def test_a_pair_is_ordered_and_really_conflicts(tmp_path: Path, small: bytes, parts: Any):
    for place in range(6):
        for change in ((3, 2), (0, 0), (1, 0), (31, 32), (0, 255)):
            leaves = Leaves(parts(small))
            if leaves.rows[place][2:] == list(change):
                continue
            leaves.rows[place][2:] = change
            assert not accepted(tmp_path, leaves.join()), (place, change)
        leaves = Leaves(parts(small))
        first, second = leaves.rows[place][2:]
        leaves.rows[place][2:] = second, first
        assert not accepted(tmp_path, leaves.join())


@pytest.mark.parametrize("rest", [0, 1, 7, 8, 9, 40, -1])
def test_a_shortened_stream_does_not_pass(tmp_path: Path, small: bytes, parts: Any, rest: int):
    certificate = parts(small)
    certificate.body = certificate.body[:rest]
    assert not accepted(tmp_path, certificate.join())


def test_nothing_may_follow(tmp_path: Path, small: bytes):
    assert not accepted(tmp_path, small + b"\0")


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_changed_byte_of_the_streams_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, small: bytes, parts: Any, data: st.DataObject
):
    certificate = parts(small)
    place = data.draw(st.integers(0, len(certificate.body) - 1))
    flip = data.draw(st.integers(1, 255))
    body = bytearray(certificate.body)
    body[place] ^= flip
    certificate.body = bytes(body)
    assert not accepted(tmp_path_factory.mktemp("flip"), certificate.join())


@pytest.mark.parametrize(
    "data", [b"", b"magicert cover 2\n{}\n", b"magicert cover 1\n", b"magicert cover 1\n{]\n",
             b"\xfd7zXZ\x00 no xz", b"magicert cover 1\n" + b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_certificate_is_bad_input(tmp_path: Path, data: bytes):
    path = tmp_path / "c.cover"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"c\.cover"):
        read_certificate(path)


def test_z3_agrees_with_random_leaves(small: bytes, parts: Any):
    """An m inside a leaf that keeps the two indices apart must not exist."""
    about = statement("white", "bishop", 59, 2)
    leaves = Leaves(parts(small))
    low, m = 0, z3.BitVec("m", 64)
    rng = random.Random(4)
    chosen = set(rng.sample(range(len(leaves.rows)), 12))
    for place, (gap, span, first, second) in enumerate(leaves.rows):
        low += gap
        if place in chosen:
            solver = z3.Solver()
            inside = m & ((1 << 26) - 1)
            solver.add(z3.UGE(inside, low), z3.ULE(inside, low + span))
            products = [m * z3.BitVecVal(int(about.x[n]), 64) for n in (first, second)]
            solver.add(z3.LShR(products[0], 62) != z3.LShR(products[1], 62))
            assert solver.check() == z3.unsat
            assert about.attack[first] != about.attack[second]
        low += span + 1


def run(*arguments: object):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_the_command_says_and_exits_what_it_found(tmp_path: Path, small: bytes, counted: bytes):
    whole, only_counts, broken = (tmp_path / f"{name}.cover.xz" for name in "abc")
    whole.write_bytes(lzma.compress(small))
    only_counts.write_bytes(lzma.compress(counted))
    broken.write_bytes(lzma.compress(small + b"\0"))
    result = run("check", whole)
    assert (result.exit_code, "no magic exists" in result.output) == (0, True)
    result = run("check", only_counts)
    assert (result.exit_code, "--replay" in result.output) == (3, True)
    assert run("check", broken).exit_code == 1
    assert run("check", whole, broken, only_counts).exit_code == 1
    assert run("check", tmp_path / "nothing").exit_code == 2


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


def test_the_header_may_not_promise_a_smaller_range(tmp_path: Path, with_magics: bytes, parts: Any):
    certificate = parts(with_magics)
    certificate.header["largest_index"] = 30
    assert not accepted(tmp_path, certificate.join())


@pytest.mark.parametrize(("high", "problems"), [(15, 0), (16, 1)])
def test_magics_lie_in_their_shard(
    monkeypatch: pytest.MonkeyPatch, high: int, problems: int
) -> None:
    """All of them, where a run of magics begins in one shard and ends in the next."""
    monkeypatch.setattr(checker, "wrong_magics", lambda *_: False)
    shard = Shard((6, "0x8", "0xf"), 0, "", (1, 0, 0, 0, 0), [("0x9", hex(high))], hex(high - 8))
    assert len(checker._wrong_claims(statement("white", "bishop", 3, 4), shard)) == problems
