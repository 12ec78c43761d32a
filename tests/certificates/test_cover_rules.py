"""Each rule about a cover and its file: the smallest one that breaks it, honestly hashed."""

import hashlib
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.problem import InputError
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.joining import Intervals, StreamCheck, is_everything, reduced
from magicert.verify.cover.statement import Statement
from magicert.verify.cover.stream import HEAD, block_length

Interval = tuple[int, int, int]

# Two occupancies that share slot 0 whatever m is: every leaf is true, only the cover counts.
ALWAYS = Statement(np.zeros(2, np.uint64), 0, np.array([0, 1]), 1, 0, 1)


def members(interval: Interval, period: int) -> list[int]:
    w, low, high = interval
    return [m for m in range(1 << period) if low <= m % (1 << w) <= high]


@st.composite
def split(draw: st.DrawFn, root: Interval) -> list[Interval]:
    """Intervals that make up a root, by the two rules read backwards."""
    w, low, high = root
    match draw(st.sampled_from(["leaf", "cut", "cut", "twins"])):
        case "cut" if low < high:
            middle = draw(st.integers(low, high - 1))
            return draw(split((w, low, middle))) + draw(split((w, middle + 1, high)))
        case "twins" if w < 5:
            half = 1 << w
            return draw(split((w + 1, low, high))) + draw(split((w + 1, low + half, high + half)))
        case _:
            return [root]


ROOTS = st.sampled_from([(0, 0, 0), (2, 0, 3), (3, 2, 5), (4, 0, 15), (4, 8, 15)])


NOT_COVERED: dict[str, tuple[Interval, list[Interval]]] = {
    "a gap": ((2, 0, 3), [(2, 0, 0), (2, 2, 3)]),
    "a gap before the first": ((2, 0, 3), [(2, 1, 3)]),
    "a gap behind the last": ((2, 0, 3), [(2, 0, 2)]),
    "an overlap": ((2, 0, 3), [(2, 0, 2), (2, 2, 3)]),
    "neighbours of different w": ((2, 0, 3), [(2, 0, 1), (3, 2, 3)]),
    "twins of different w": ((2, 0, 3), [(3, 0, 3), (4, 4, 7)]),
    "twins of different ends": ((2, 0, 3), [(3, 0, 3), (3, 4, 6)]),
    "twins half of another w apart": ((1, 0, 0), [(3, 0, 0), (3, 2, 2)]),
    "twins whose lower half reaches into the upper": ((2, 0, 3), [(3, 0, 4), (3, 4, 8)]),
    "an order that wraps": ((2, 0, 3), [(2, 2, 3), (2, 0, 1)]),
    "twice around 64 bits": ((64, 0, 7), [(64, 0, (1 << 64) - 1), (64, 0, 7)]),
    "another root": ((3, 0, 3), [(3, 4, 7)]),
    "the root of another w": ((3, 0, 3), [(2, 0, 3)]),
    "more than the root": ((3, 0, 3), [(3, 0, 7)]),
}


@pytest.mark.parametrize("name", NOT_COVERED)
def test_a_cover_that_breaks_one_rule_is_refused(name: str, writer: Any):
    root, pieces = NOT_COVERED[name]
    leaves = [(*piece, 0, 1) for piece in pieces]
    stream = StreamCheck(ALWAYS, root)
    for block in writer.blocks_of(leaves, root[1]):
        stream.add(block)
    stream.finish()
    assert stream.problems


def test_a_stream_of_two_blocks_goes_on_where_the_first_one_ends(writer: Any):
    """The second block's gap counts from the first one's last leaf."""
    leaves = [(17, m, m, 0, 1) for m in range(writer.FULL + 1)]
    stream = StreamCheck(ALWAYS, (17, 0, writer.FULL))
    for block in writer.blocks_of(leaves):
        stream.add(block)
    stream.finish()
    assert (stream.problems, stream.leaves) == ([], writer.FULL + 1)


def test_twins_are_intervals_below_2_to_the_w():
    """Of leaves another rule says so; roots are joined, too."""
    pieces = [(3, 0, 4), (3, 4, 8)]
    assert reduced(Intervals.of(pieces)).triples() == pieces


def test_a_stream_s_magics_are_checked_without_a_header(writer: Any):
    """A replay has the stream only."""
    stream = StreamCheck(ALWAYS, (0, 0, 0))
    for block in writer.blocks_of([(0, 0, 0, 1, 0)]):
        stream.add(block)
    stream.finish()
    assert "no magics" in stream.problems[0]


@pytest.mark.parametrize(
    ("intervals", "everything"),
    [([(0, 0, 0)], True), ([(2, 0, 3)], True), ([(64, 0, (1 << 64) - 1)], True), ([], False),
     ([(2, 0, 2)], False), ([(2, 1, 3)], False), ([(2, 0, 3), (2, 0, 3)], False)],
)  # fmt: skip
def test_everything_is_all_of_it(intervals: list[Interval], everything: bool):
    assert is_everything(Intervals.of(intervals)) == everything


# Bishop d8 at 1 bit, as its smallest certificate: with m = 0 everything shares slot 0, and for
# the others the tests need no truth, since wrong leaves are looked for as soon as they are there.
def outcome(tmp_path: Path, data: bytes) -> tuple[str, str]:
    """The verdict ("bad input" where it cannot be read) and the problems, in one text."""
    path = tmp_path / "c.cover"
    path.write_bytes(data)
    try:
        report = check(read_certificate(path))
    except InputError as error:
        return "bad input", str(error)
    return report.verdict, "; ".join(report.problems)


@pytest.fixture
def parted(small: bytes, parts: Any) -> Any:
    return parts(small)


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


FORGERIES: dict[str, Callable[[list[Row]], list[Row]]] = {
    "a leaf dropped": lambda leaves: leaves[:3] + leaves[4:],
    "a leaf twice": lambda leaves: leaves[:4] + leaves[3:],
    "leaves swapped": lambda leaves: [*leaves[:3], leaves[4], leaves[3], *leaves[5:]],
    "a leaf widened": lambda leaves: with_leaf(leaves, high=leaves[3][2] + 1),
    "another pair": lambda leaves: with_leaf(leaves, first=0, second=0),
    "a pair turned round": lambda leaves: with_leaf(
        leaves, first=leaves[3][4], second=leaves[3][3]
    ),
    "magics that are none": lambda leaves: with_leaf(leaves, first=1, second=0),
}


def with_leaf(leaves: list[Row], **values: int) -> list[Row]:
    """The leaves with the fourth one changed."""
    return [*leaves[:3], changed(leaves[3], **values), *leaves[4:]]


@pytest.mark.parametrize("name", FORGERIES)
def test_an_honest_hash_saves_no_forgery(
    tmp_path: Path, small: bytes, leaves_of: Any, writer: Any, name: str
):
    header, shards = leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    assert outcome(tmp_path, writer.certificate(shards, **rest))[0] == "valid"
    root, leaves = shards[0]
    shards[0] = (root, FORGERIES[name](leaves))
    assert outcome(tmp_path, writer.certificate(shards, **rest))[0] == "invalid"


def test_shards_make_up_everything(tmp_path: Path, small: bytes, leaves_of: Any, writer: Any):
    """Without the last shard each of the others is still whole."""
    header, shards = leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    verdict, problems = outcome(tmp_path, writer.certificate(shards[:-1], **rest))
    assert (verdict, "do not make up everything" in problems) == ("invalid", True)


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
    tmp_path: Path, small: bytes, parts: Any, change: Callable[[bytes], bytes]
):
    assert outcome(tmp_path, forged_block(small, parts, lambda block: block))[0] == "valid"
    assert outcome(tmp_path, forged_block(small, parts, change))[0] == "invalid"


def test_nothing_follows_a_header_without_streams(tmp_path: Path, counted: bytes):
    assert outcome(tmp_path, counted)[0] == "unknown"
    assert outcome(tmp_path, counted + b"\0")[0] == "invalid"


@pytest.mark.parametrize("change", ["as it is", "not the first", "another number"])
def test_of_many_magics_the_first_are_listed_and_all_are_counted(
    tmp_path: Path, with_magics: bytes, parts: Any, monkeypatch: pytest.MonkeyPatch, change: str
):
    monkeypatch.setattr("magicert.verify.cover.checker.MOST_LISTED", 2)
    certificate = parts(with_magics)
    for shard in certificate.header["shards"]:
        shard["magics"] = shard["magics"][1:3] if change == "not the first" else shard["magics"][:2]
    if change == "another number":
        shard = certificate.header["shards"][0]
        shard["magic_count"] = hex(int(shard["magic_count"], 16) + 1)
    verdict = "valid" if change == "as it is" else "invalid"
    assert outcome(tmp_path, certificate.join())[0] == verdict


def test_magics_are_not_counted_twice(
    tmp_path: Path, with_magics: bytes, leaves_of: Any, writer: Any
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
    verdict, problems = outcome(tmp_path, writer.certificate(shards, **rest))
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


def fewer(first: Shard, _: Shard) -> None:
    first["magic_count"] = "0x1"


def none(first: Shard, _: Shard) -> None:
    first.update(magics=[["0x5", "0x5"]], magic_count="0x1")


CLAIMS: dict[str, tuple[str, Callable[[Shard, Shard], None]]] = {
    "magics outside the shard": ("with_magics", of_the_next),
    "a magic twice": ("with_magics", twice),
    "a magic above the period": ("with_magics", above_the_period),
    "an interval that ends before it begins": ("with_magics", backwards),
    "fewer than are listed": ("with_magics", fewer),
    "one that is none": ("counted", none),
    "a number without a list": ("counted", fewer),
}


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("streams", [True, False])
def test_every_claim_about_magics_is_checked(
    tmp_path: Path, request: pytest.FixtureRequest, parts: Any, name: str, streams: bool
):
    """With leaves or without: what is listed are magics of the shard, each once."""
    kind, change = CLAIMS[name]
    certificate = parts(request.getfixturevalue(kind))
    if not streams:
        certificate.header["streams"], certificate.body = False, b""
        assert outcome(tmp_path, certificate.join())[0] == "unknown"
    change(*certificate.header["shards"][:2])
    assert outcome(tmp_path, certificate.join())[0] == "invalid"


def test_without_leaves_nothing_is_valid(tmp_path: Path, parted: Any):
    parted.header["streams"], parted.body = False, b""
    assert outcome(tmp_path, parted.join()) == ("unknown", "")


BAD_HEADERS = {
    "constant": ("constant", "0x5", "expected 0x0 for white"),
    "a digit that is none": ("constant", "0x1_0", "expected a word"),
    "capital letters": ("constant", "0xA", "expected a word"),
    "white space": ("constant", " 0x1", "expected a word"),
    "bits": ("bits", 0, "expected 1 to 32"),
    "too many bits": ("bits", 33, "expected 1 to 32"),
    "largest index": ("largest_index", 4, "expected below"),
    "square": ("square", "i9", "expected a1 to h8"),
    "no shards": ("shards", [], "at least one"),
    "a number for a text": ("engine", 5, "engine"),
}


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_a_bad_header_is_bad_input(tmp_path: Path, parted: Any, name: str):
    key, value, message = BAD_HEADERS[name]
    parted.header[key] = value
    verdict, text = outcome(tmp_path, parted.join())
    assert verdict == "bad input"
    assert message in text


@pytest.mark.parametrize(
    "claim",
    [{"sha256": "0" * 63}, {"survivors": {"count": -1, "sha256": "0" * 64}},
     {"survivors": {"count": 1, "sha256": ""}}, {"leaves": -1}, {"magic_count": "1"}],
)  # fmt: skip
def test_a_shard_s_words_are_well_formed(tmp_path: Path, parted: Any, claim: dict[str, Any]):
    parted.header["shards"][0] |= claim
    assert outcome(tmp_path, parted.join())[0] == "bad input"


@pytest.mark.parametrize("root", [[2, "0x0", "0x4"], [2, "0x2", "0x1"]])
def test_a_root_is_an_interval(tmp_path: Path, parted: Any, root: list[Any]):
    parted.header["shards"][0]["root"] = root
    verdict, text = outcome(tmp_path, parted.join())
    assert (verdict, "expected low <= high < 2^2" in text) == ("bad input", True)


@pytest.mark.parametrize("key", [b'"bits"', b'"leaves"'])
def test_a_key_that_is_there_twice_is_bad_input(tmp_path: Path, small: bytes, key: bytes):
    verdict, text = outcome(tmp_path, small.replace(key, key + b": 7, " + key, 1))
    assert (verdict, "twice" in text) == ("bad input", True)


def test_a_header_that_does_not_end_is_bad_input(tmp_path: Path, counted: bytes):
    assert outcome(tmp_path, counted.rstrip(b"\n"))[0] == "bad input"


@pytest.mark.parametrize("change", ["cut", "more", "another stream", "no end"])
def test_the_xz_stream_is_whole_and_alone(tmp_path: Path, small: bytes, change: str):
    packed = lzma.compress(small)
    assert outcome(tmp_path, packed)[0] == "valid"
    forged = {"cut": packed[:-1], "more": packed + b"\0\0\0\0", "another stream": packed + packed,
              "no end": packed[: len(packed) // 2]}[change]  # fmt: skip
    assert outcome(tmp_path, forged)[0] == "bad input"


def test_what_is_too_large_is_bad_input_not_invalid(
    tmp_path: Path, small: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("magicert.verify.cover.file.LARGEST", len(small) - 1)
    verdict, text = outcome(tmp_path, lzma.compress(small))
    assert (verdict, "more than" in text) == ("bad input", True)


def test_the_scheme_names_its_constant(tmp_path: Path, parted: Any):
    parted.header |= {"scheme": "constant", "constant": "0x7b"}
    path = tmp_path / "c.cover"
    path.write_bytes(parted.join())
    assert "constant 0x7b bishop d8" in str(read_certificate(path).header)


@pytest.mark.parametrize(
    ("streams", "sha", "kind"),
    [(True, "0" * 64, "leaves"), (False, "0" * 64, "hashes"), (False, "", "counts")],
)
def test_the_kind_of_evidence_is_what_the_file_carries(
    tmp_path: Path, parted: Any, streams: bool, sha: str, kind: str
):
    parted.header["streams"] = streams
    for shard in parted.header["shards"]:
        shard["sha256"] = sha
    path = tmp_path / "c.cover"
    path.write_bytes(parted.join())
    assert read_certificate(path).header.evidence == kind


def test_one_shard_without_a_hash_makes_counts_of_all(tmp_path: Path, parted: Any):
    parted.header["streams"] = False
    parted.header["shards"][-1]["sha256"] = ""
    path = tmp_path / "c.cover"
    path.write_bytes(parted.join())
    assert read_certificate(path).header.evidence == "counts"


@given(data=st.data())
def test_what_was_split_is_joined_again(writer: Any, data: st.DataObject):
    root = data.draw(ROOTS)
    stream = StreamCheck(ALWAYS, root)
    leaves = [(*piece, 0, 1) for piece in data.draw(split(root))]
    for block in writer.blocks_of(leaves, root[1]):
        stream.add(block)
    stream.finish()
    assert stream.problems == []


@given(data=st.data())
def test_what_is_joined_is_covered_once(data: st.DataObject):
    """Whatever is done to the pieces: if they still reduce to one, they are its members."""
    pieces = data.draw(split(data.draw(ROOTS)))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, len(pieces) - 1))
        w, low, high = pieces[place]
        change = data.draw(st.sampled_from(["drop", "twice", "w", "low", "high", "swap"]))
        if change == "drop" and len(pieces) > 1:
            pieces.pop(place)
        elif change == "twice":
            pieces.insert(place, pieces[place])
        elif change == "swap":
            pieces[place], pieces[place - 1] = pieces[place - 1], pieces[place]
        else:
            delta = data.draw(st.sampled_from([-1, 1]))
            moved = (w + delta * (change == "w"), low + delta * (change == "low"),
                     high + delta * (change == "high"))  # fmt: skip
            if 0 <= moved[0] <= 6 and 0 <= moved[1] <= moved[2] < 1 << moved[0]:
                pieces[place] = moved
    left = reduced(Intervals.of(pieces)).triples()
    everything = sorted(m for piece in pieces for m in members(piece, 6))
    assert sorted(m for piece in left for m in members(piece, 6)) == everything
