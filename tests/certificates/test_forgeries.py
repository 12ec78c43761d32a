"""Certificates: true ones pass, and whatever is forged in them is noticed, with honest hashes, too.

tests/proved has the certificates that these tests make judged by the proved checker as well.
"""

import hashlib
import json
import lzma
import random
import tracemalloc
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.verify.cover import checker, file
from magicert.verify.cover.checker import HEAD, block_length, check, read_block
from magicert.verify.cover.file import Shard, read_certificate, unpacked
from magicert.verify.cover.statement import statement


@pytest.mark.parametrize(("name", "count"), [("small", 0), ("with_magics", 9547)])
def test_valid_ones_pass(tmp_path, request, name, count):
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


def test_the_writer_writes_what_the_search_writes(searched, leaves_of, writer):
    """So a forgery below differs from an honest certificate in what is forged, and no more."""
    data = searched(True)
    header, shards = leaves_of(data)
    again = writer.certificate(shards, **{k: v for k, v in header.items() if k != "shards"})
    assert again.split(b"\n", 2)[2] == data.split(b"\n", 2)[2]
    for mine, theirs in zip(
        json.loads(again.split(b"\n")[1])["shards"], header["shards"], strict=True
    ):
        assert mine | {"counts": theirs["counts"]} == theirs


def test_z3_agrees_with_random_leaves(small, leaves_of):
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


# One change each: of the header, of a shard's claims, of a stream or a block, honestly hashed.


def fields(where, values):
    """The header or its first shard has other values; what is null is not there."""

    def change(parts):
        changed = parts.header if where == "header" else parts.header["shards"][0]
        changed |= json.loads(values)
        for key in [key for key, value in changed.items() if value is None]:
            del changed[key]

    return change


def body(change):
    return lambda parts: setattr(parts, "body", change(parts.body))


def first_block(change):
    """The first shard's only block is another, with an honest hash."""

    def changed(parts):
        length = block_length(parts.body[:HEAD])
        forged = change(parts.body[:length])
        parts.header["shards"][0]["sha256"] = hashlib.sha256(forged).hexdigest()
        parts.body = forged + parts.body[length:]

    return changed


def with_a_gap_column(block):
    count, span = int.from_bytes(block[:4], "little"), block[6]
    return block[:5] + bytes([8, span]) + block[7:8] + bytes(8 * count) + block[8:]


def with_another_number_of_leaves(block):
    return (int.from_bytes(block[:4], "little") + 1).to_bytes(4, "little") + block[4:]


def magics(change):
    return lambda parts: change(parts.header["shards"][0])


def above_the_period(shard):
    shard["magics"][0] = [hex(int(word, 16) + (1 << 26)) for word in shard["magics"][0]]


def of_the_next(parts):
    first, second = parts.header["shards"][:2]
    first.update(magics=second["magics"], magic_count=second["magic_count"])


CLAIMS = {
    "outside the shard": of_the_next,
    "twice": magics(lambda shard: shard["magics"].append(shard["magics"][0])),
    "above the period": magics(above_the_period),
    "end before begin": magics(lambda shard: shard["magics"].insert(0, ["0x9", "0x8"])),
    "one left out": magics(lambda shard: shard["magics"].pop()),
    "fewer than listed": fields("shard", '{"magic_count": "0x1"}'),
    "none of the cell": fields("shard", '{"magics": [["0x5", "0x5"]], "magic_count": "0x1"}'),
}
ROWS = Path(__file__).with_name("fields.tsv").read_text("utf-8").splitlines()[1:]
CHANGES = {
    "a byte more": ("small", body(lambda data: data + b"\0"), "invalid"),
    "a byte behind no leaves": ("counted", body(lambda data: data + b"\0"), "invalid"),
    "a gap column of zeros": ("small", first_block(with_a_gap_column), "invalid"),
    "an empty block": ("small", first_block(lambda data: b"\0\0\0\0\x1a\0\1\1" + data), "invalid"),
    "another number of leaves": ("small", first_block(with_another_number_of_leaves), "invalid"),
}
for rest in (0, 1, 7, 8, 9, 40, -1):
    CHANGES[f"cut at {rest}"] = "small", body(lambda data, rest=rest: data[:rest]), "invalid"
for name, change in CLAIMS.items():
    CHANGES[f"magics {name}"] = "with_magics", change, "invalid"
for row in ROWS:
    kind, where, values, said = row.split("\t")
    CHANGES[row] = kind, fields(where, values), said


@pytest.mark.parametrize(("kind", "change", "said"), CHANGES.values(), ids=CHANGES)
def test_what_is_changed_is_noticed(outcome, request, parts, kind, change, said):
    certificate = parts(request.getfixturevalue(kind))
    change(certificate)
    verdict, text = outcome(certificate.join())
    assert verdict == ("invalid" if said == "invalid" else "bad input")
    assert said in f"{verdict}: {text}"


@pytest.mark.parametrize("change", CLAIMS.values(), ids=CLAIMS)
def test_claims_about_magics_are_checked_without_leaves(outcome, with_magics, parts, change):
    certificate = parts(with_magics).without_leaves()
    assert outcome(certificate.join())[0] == "unknown"
    change(certificate)
    assert outcome(certificate.join())[0] == "invalid"


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"",
        lambda _: b"magicert cover 2\n{}\n",
        lambda _: b"magicert cover 1\n",
        lambda _: b"magicert cover 1\n{]\n",
        lambda _: b"magicert cover 1\n" + b"[" * 100_000,
        lambda data: data[: data.index(b"\n", 20)],  # the header does not end
        lambda data: data.replace(b'"bits"', b'"bits": 7, "bits"', 1),
        lambda data: data.replace(b'"leaves"', b'"leaves": 7, "leaves"', 1),
        lambda _: b"\xfd7zXZ\x00 no xz",
        lambda data: lzma.compress(data)[:-1],
        lambda data: lzma.compress(data)[:100],
        lambda data: lzma.compress(data) + b"\0\0\0\0",
        lambda data: lzma.compress(data) * 2,
    ],
)
def test_what_is_no_certificate_is_bad_input(outcome, small, change):
    assert outcome(lzma.compress(small)) == ("valid", "")
    verdict, message = outcome(change(small))
    assert (verdict, "c.cover" in message) == ("bad input", True)


@settings(max_examples=60)
@given(data=st.data())
def test_any_changed_byte_of_the_streams_is_noticed(outcome, small, parts, data):
    certificate = parts(small)
    changed = bytearray(certificate.body)
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    certificate.body = bytes(changed)
    assert outcome(certificate.join())[0] == "invalid"


# Whole streams, honestly hashed.


def with_leaf(leaves, n, **values):
    """The leaves with one changed."""
    names = ("w", "low", "high", "first", "second")
    changed = [values.get(name, value) for name, value in zip(names, leaves[n], strict=True)]
    return [*leaves[:n], tuple(changed), *leaves[n + 1 :]]


def with_pair(first, second):
    return lambda leaves, n: with_leaf(leaves, n, first=first, second=second)


COVER, TURNED = "do not cover the shard", "first is above second"
# What is done to a leaf, and what the proved checker says then (tests/proved).
FORGERIES = {
    "dropped": (lambda own, n: own[:n] + own[n + 1 :], COVER),
    "twice": (lambda own, n: own[: n + 1] + own[n:], COVER),
    "behind all others": (lambda own, n: [*own[:n], *own[n + 1 :], own[n], own[0]], COVER),
    "widened": (lambda own, n: with_leaf(own, n, high=own[n][2] + 1), "leaves its bucket"),
    "a pair turned round": (lambda own, n: with_pair(own[n][4], own[n][3])(own, n), TURNED),
    "magics that are none": (with_pair(1, 0), "magics: "),
    "a pair of one": (with_pair(0, 0), "the slot is allowed"),
    "the wrong way round": (with_pair(3, 2), TURNED),
    "an occupancy that is none": (with_pair(31, 32), "no such occupancy"),
    "the largest number": (with_pair(0, 255), "no such occupancy"),
}
OF_SHARDS = {
    "drop": lambda one, _: [one],
    "repeat": lambda one, other: [one, other, other],
    "swap": lambda one, other: [other, one],
}


@pytest.mark.parametrize("name", [*FORGERIES, *OF_SHARDS])
def test_an_honest_hash_saves_no_forgery(outcome, small, leaves_of, writer, name):
    """One leaf is forged: the first, the second, one in the middle, the last. Or all are true, and
    the shards, each whole, do not make up everything.
    """
    header, shards = leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    assert outcome(writer.certificate(shards, **rest))[0] == "valid"
    root, leaves = shards[0]
    for place in (0, 1, 5, len(leaves) - 1):
        if name in OF_SHARDS:
            forged = OF_SHARDS[name](*shards)
        else:
            forged = [(root, FORGERIES[name][0](leaves, place)), *shards[1:]]
        assert outcome(writer.certificate(forged, **rest))[0] == "invalid", place


@pytest.mark.parametrize("change", ["as it is", "not the first", "another number"])
def test_of_many_magics_the_first_are_listed_and_all_are_counted(
    outcome, with_magics, parts, monkeypatch, change
):
    monkeypatch.setattr("magicert.verify.cover.checker.MOST_LISTED", 2)
    certificate = parts(with_magics)
    for one in certificate.header["shards"]:
        one["magics"] = one["magics"][1:3] if change == "not the first" else one["magics"][:2]
    if change == "another number":
        first = certificate.header["shards"][0]
        first["magic_count"] = hex(int(first["magic_count"], 16) + 1)
    verdict = "valid" if change == "as it is" else "invalid"
    assert outcome(certificate.join())[0] == verdict


def test_magics_are_not_counted_twice(outcome, with_magics, parts, leaves_of, writer):
    """Twins above the period are true, cover the same m, and would count each of them twice."""
    certificate = parts(with_magics)
    _, ((root, leaves),) = leaves_of(with_magics, 1)
    length = sum(map(len, writer.blocks_of(leaves, root[1])))
    half, doubled = 1 << 26, []
    for w, low, high, *pair in leaves:
        twins = [(27, low, high, 1, 0), (27, low + half, high + half, 1, 0)]
        doubled += twins if pair == [1, 0] else [(w, low, high, *pair)]
    certificate.header["shards"][0] = writer.shard_of(root, doubled)
    stream = b"".join(writer.blocks_of(doubled, root[1]))
    certificate.body = stream + certificate.body[length:]
    verdict, problems = outcome(certificate.join())
    assert (verdict, "magics" in problems) == ("invalid", True)


@pytest.mark.parametrize(("high", "problems"), [(15, 0), (16, 1)])
def test_magics_lie_in_their_shard(monkeypatch, high, problems):
    """All of them, where a run of magics begins in one shard and ends in the next."""
    monkeypatch.setattr(checker, "wrong_magics", lambda *_: False)
    shard = Shard((6, "0x8", "0xf"), 0, "", (1, 0, 0, 0, 0), [("0x9", hex(high))], hex(high - 8))
    assert len(checker._wrong_claims(statement("white", "bishop", 3, 4), shard)) == problems


# What a file carries is its evidence, and no more.


@pytest.mark.parametrize(
    ("streams", "hashes", "kind"),
    [(True, ("0" * 64,) * 2, "leaves"), (False, ("0" * 64,) * 2, "hashes"),
     (False, ("", ""), "counts"), (False, ("0" * 64, ""), "counts")],
)  # fmt: skip
def test_the_kind_of_evidence_is_what_the_file_carries(
    tmp_path, small, parts, streams, hashes, kind
):
    certificate, path = parts(small), tmp_path / "c.cover"
    certificate.header |= {"streams": streams, "scheme": "constant", "constant": "0x7b"}
    for shard, sha256 in zip(certificate.header["shards"], hashes, strict=True):
        shard["sha256"] = sha256
    path.write_bytes(certificate.join())
    header = read_certificate(path).header
    assert header.evidence == kind
    assert str(header).endswith("scheme constant 0x7b")


def test_without_leaves_nothing_is_valid(outcome, small, counted, parts):
    assert outcome(parts(small).without_leaves().join()) == ("unknown", "")
    assert outcome(counted) == ("unknown", "")


def test_what_is_too_large_is_seen_while_it_is_unpacked(outcome, small, monkeypatch):
    """16 MB of zeros in 3 KB; and what wants much memory."""
    packed = lzma.compress(bytes(16 << 20), preset=0)
    monkeypatch.setattr(file, "LARGEST", 1 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="more than 1,048,576 bytes"):
            unpacked(packed)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(file, "LARGEST", 16 << 20)
    assert len(unpacked(packed)) == 16 << 20
    wide = [{"id": lzma.FILTER_LZMA2, "dict_size": 256 << 20, "preset": 0}]
    with pytest.raises(lzma.LZMAError, match="Memory"):
        unpacked(lzma.compress(b"x", filters=wide))
    monkeypatch.setattr(file, "LARGEST", len(small) - 1)
    verdict, text = outcome(lzma.compress(small))
    assert (verdict, "more than" in text) == ("bad input", True)
