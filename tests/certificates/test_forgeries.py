"""Certificates that are forged and honestly hashed: their leaves, their blocks, their claims."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from magicert.verify.cover.checker import HEAD, block_length

Outcome = Callable[[bytes], tuple[str, str]]


def test_the_writer_writes_what_the_search_writes(searched: Any, leaves_of: Any, writer: Any):
    """So a forgery below differs from an honest certificate in what is forged, and no more."""
    data = searched(True)
    header, shards = leaves_of(data)
    again = writer.certificate(shards, **{k: v for k, v in header.items() if k != "shards"})
    assert again.split(b"\n", 2)[2] == data.split(b"\n", 2)[2]
    for mine, theirs in zip(
        json.loads(again.split(b"\n")[1])["shards"], header["shards"], strict=True
    ):
        assert mine | {"counts": theirs["counts"]} == theirs


Row = tuple[int, int, int, int, int]


def changed(row: Row, **values: int) -> Row:
    """A leaf with other values."""
    names = ("w", "low", "high", "first", "second")
    return tuple(values.get(name, value) for name, value in zip(names, row, strict=True))  # type: ignore[return-value]


Leaves = list[Row]


def with_leaf(leaves: Leaves, n: int, **values: int) -> Leaves:
    """The leaves with one changed."""
    return [*leaves[:n], changed(leaves[n], **values), *leaves[n + 1 :]]


def with_pair(first: int, second: int) -> Callable[[Leaves, int], Leaves]:
    return lambda leaves, n: with_leaf(leaves, n, first=first, second=second)


FORGERIES: dict[str, Callable[[Leaves, int], Leaves]] = {
    "dropped": lambda leaves, n: leaves[:n] + leaves[n + 1 :],
    "twice": lambda leaves, n: leaves[: n + 1] + leaves[n:],
    "behind all others": lambda leaves, n: [*leaves[:n], *leaves[n + 1 :], leaves[n], leaves[0]],
    "widened": lambda leaves, n: with_leaf(leaves, n, high=leaves[n][2] + 1),
    "a pair turned round": lambda leaves, n: with_leaf(
        leaves, n, first=leaves[n][4], second=leaves[n][3]
    ),
    "magics that are none": with_pair(1, 0),
    "a pair of one": with_pair(0, 0),
    "the wrong way round": with_pair(3, 2),
    "an occupancy that is none": with_pair(31, 32),
    "the largest number": with_pair(0, 255),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_an_honest_hash_saves_no_forgery(
    outcome: Outcome, small: bytes, leaves_of: Any, writer: Any, name: str
):
    """One leaf is forged: the first, the second, one in the middle, the last."""
    header, shards = leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    assert outcome(writer.certificate(shards, **rest))[0] == "valid"
    root, leaves = shards[0]
    for place in (0, 1, 5, len(leaves) - 1):
        forged = [(root, FORGERIES[name](leaves, place)), *shards[1:]]
        assert outcome(writer.certificate(forged, **rest))[0] == "invalid", place


@pytest.mark.parametrize(
    "change",
    [
        lambda one, _: [one],
        lambda one, other: [one, other, other],
        lambda one, other: [other, one],
    ],
    ids=["drop", "repeat", "swap"],
)
def test_shards_make_up_everything(
    outcome: Outcome, small: bytes, leaves_of: Any, writer: Any, change: Callable[..., Any]
):
    """Each of them is still whole."""
    header, shards = leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    assert outcome(writer.certificate(change(*shards), **rest))[0] == "invalid"


def forged_block(data: bytes, parts: Any, block: Callable[[bytes], bytes]) -> bytes:
    """A certificate whose first shard's only block is another, with an honest hash."""
    certificate = parts(data)
    shard, body = certificate.header["shards"][0], certificate.body
    length = block_length(body[:HEAD])
    forged = block(body[:length])
    shard["sha256"] = hashlib.sha256(forged).hexdigest()
    certificate.body = forged + body[length:]
    return certificate.join()


def with_a_gap_column(block: bytes) -> bytes:
    count, span = int.from_bytes(block[:4], "little"), block[6]
    return block[:5] + bytes([8, span]) + block[7:8] + bytes(8 * count) + block[8:]


def behind_an_empty_one(block: bytes) -> bytes:
    return bytes([0, 0, 0, 0, 26, 0, 1, 1]) + block


def with_another_number_of_leaves(block: bytes) -> bytes:
    return (int.from_bytes(block[:4], "little") + 1).to_bytes(4, "little") + block[4:]


BLOCKS = (with_a_gap_column, behind_an_empty_one, with_another_number_of_leaves)


@pytest.mark.parametrize("change", BLOCKS, ids=lambda change: change.__name__)
def test_a_block_is_as_the_specification_says(
    outcome: Outcome, small: bytes, parts: Any, change: Callable[[bytes], bytes]
):
    assert outcome(forged_block(small, parts, lambda block: block))[0] == "valid"
    assert outcome(forged_block(small, parts, change))[0] == "invalid"


def test_nothing_follows(outcome: Outcome, small: bytes, counted: bytes):
    assert (outcome(small)[0], outcome(counted)[0]) == ("valid", "unknown")
    assert outcome(small + b"\0")[0] == outcome(counted + b"\0")[0] == "invalid"


@pytest.mark.parametrize("change", ["as it is", "not the first", "another number"])
def test_of_many_magics_the_first_are_listed_and_all_are_counted(
    outcome: Outcome, with_magics: bytes, parts: Any, monkeypatch: pytest.MonkeyPatch, change: str
):
    monkeypatch.setattr("magicert.verify.cover.checker.MOST_LISTED", 2)
    certificate = parts(with_magics)
    for shard in certificate.header["shards"]:
        shard["magics"] = shard["magics"][1:3] if change == "not the first" else shard["magics"][:2]
    if change == "another number":
        shard = certificate.header["shards"][0]
        shard["magic_count"] = hex(int(shard["magic_count"], 16) + 1)
    verdict = "valid" if change == "as it is" else "invalid"
    assert outcome(certificate.join())[0] == verdict


def test_magics_are_not_counted_twice(
    outcome: Outcome, with_magics: bytes, leaves_of: Any, writer: Any
):
    """Twins above the period are true, cover the same m, and would make 19,094 of 9,547."""
    header, shards = leaves_of(with_magics)
    rest = {key: value for key, value in header.items() if key != "shards"}
    half = 1 << 26
    for number, (root, leaves) in enumerate(shards):
        doubled = []
        for w, low, high, first, second in leaves:
            if (first, second) == (1, 0):
                assert w == 26
                doubled += [(27, low, high, 1, 0), (27, low + half, high + half, 1, 0)]
            else:
                doubled.append((w, low, high, first, second))
        shards[number] = (root, doubled)
    verdict, problems = outcome(writer.certificate(shards, **rest))
    assert verdict == "invalid"
    assert "magics" in problems


Shard = dict[str, Any]


def of_the_next(first: Shard, second: Shard) -> None:
    first.update(magics=second["magics"], magic_count=second["magic_count"])


def twice(first: Shard, _: Shard) -> None:
    first["magics"].append(first["magics"][0])


def above_the_period(first: Shard, _: Shard) -> None:
    first["magics"][0] = [hex(int(word, 16) + (1 << 26)) for word in first["magics"][0]]


def backwards(first: Shard, _: Shard) -> None:
    first["magics"][0] = ["0x9", "0x8"]


def left_out(first: Shard, _: Shard) -> None:
    first["magics"].pop()


def fewer(first: Shard, _: Shard) -> None:
    first["magic_count"] = "0x1"


def none(first: Shard, _: Shard) -> None:
    first.update(magics=[["0x5", "0x5"]], magic_count="0x1")


CLAIMS: dict[str, tuple[str, Callable[[Shard, Shard], None]]] = {
    "magics outside the shard": ("with_magics", of_the_next),
    "a magic twice": ("with_magics", twice),
    "a magic above the period": ("with_magics", above_the_period),
    "an interval that ends before it begins": ("with_magics", backwards),
    "one left out": ("with_magics", left_out),
    "fewer than are listed": ("with_magics", fewer),
    "one that is none": ("counted", none),
    "a number without a list": ("counted", fewer),
}


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("streams", [True, False])
def test_every_claim_about_magics_is_checked(
    outcome: Outcome, request: pytest.FixtureRequest, parts: Any, name: str, streams: bool
):
    """With leaves or without: what is listed are magics of the shard, each once."""
    kind, change = CLAIMS[name]
    certificate = parts(request.getfixturevalue(kind))
    if not streams:
        certificate.header["streams"], certificate.body = False, b""
        assert outcome(certificate.join())[0] == "unknown"
    change(*certificate.header["shards"][:2])
    assert outcome(certificate.join())[0] == "invalid"
