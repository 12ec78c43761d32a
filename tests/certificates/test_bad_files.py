"""A certificate's file: what cannot be read is bad input; what it carries is its evidence."""

import lzma
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from magicert.verify.cover import file
from magicert.verify.cover.file import read_certificate, unpacked

Outcome = Callable[[bytes], tuple[str, str]]


@pytest.fixture
def parted(small: bytes, parts: Any) -> Any:
    return parts(small)


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
def test_a_bad_header_is_bad_input(outcome: Outcome, parted: Any, name: str):
    key, value, message = BAD_HEADERS[name]
    parted.header[key] = value
    verdict, text = outcome(parted.join())
    assert verdict == "bad input"
    assert message in text


@pytest.mark.parametrize(
    "claim",
    [{"sha256": "0" * 63}, {"survivors": {"count": -1, "sha256": "0" * 64}},
     {"survivors": {"count": 1, "sha256": ""}}, {"leaves": -1}, {"magic_count": "1"}],
)  # fmt: skip
def test_a_shard_s_words_are_well_formed(outcome: Outcome, parted: Any, claim: dict[str, Any]):
    parted.header["shards"][0] |= claim
    assert outcome(parted.join())[0] == "bad input"


@pytest.mark.parametrize("root", [[2, "0x0", "0x4"], [2, "0x2", "0x1"]])
def test_a_root_is_an_interval(outcome: Outcome, parted: Any, root: list[Any]):
    parted.header["shards"][0]["root"] = root
    verdict, text = outcome(parted.join())
    assert (verdict, "expected low <= high < 2^2" in text) == ("bad input", True)


@pytest.mark.parametrize("key", [b'"bits"', b'"leaves"'])
def test_a_key_that_is_there_twice_is_bad_input(outcome: Outcome, small: bytes, key: bytes):
    verdict, text = outcome(small.replace(key, key + b": 7, " + key, 1))
    assert (verdict, "twice" in text) == ("bad input", True)


def test_a_header_that_does_not_end_is_bad_input(outcome: Outcome, counted: bytes):
    assert outcome(counted.rstrip(b"\n"))[0] == "bad input"


@pytest.mark.parametrize("change", ["cut", "more", "another stream", "no end"])
def test_the_xz_stream_is_whole_and_alone(outcome: Outcome, small: bytes, change: str):
    packed = lzma.compress(small)
    assert outcome(packed)[0] == "valid"
    forged = {"cut": packed[:-1], "more": packed + b"\0\0\0\0", "another stream": packed + packed,
              "no end": packed[: len(packed) // 2]}[change]  # fmt: skip
    assert outcome(forged)[0] == "bad input"


def test_what_is_too_large_is_bad_input_not_invalid(
    outcome: Outcome, small: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("magicert.verify.cover.file.LARGEST", len(small) - 1)
    verdict, text = outcome(lzma.compress(small))
    assert (verdict, "more than" in text) == ("bad input", True)


def test_the_scheme_names_its_constant(tmp_path: Path, parted: Any):
    parted.header |= {"scheme": "constant", "constant": "0x7b"}
    path = tmp_path / "c.cover"
    path.write_bytes(parted.join())
    assert "constant 0x7b bishop d8" in str(read_certificate(path).header)


def test_without_leaves_nothing_is_valid(outcome: Outcome, parted: Any):
    parted.header["streams"], parted.body = False, b""
    assert outcome(parted.join()) == ("unknown", "")


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


def test_what_is_too_large_is_seen_while_it_is_unpacked(monkeypatch: pytest.MonkeyPatch):
    """64 MB of zeros in 10 KB."""
    packed = lzma.compress(bytes(64 << 20), preset=0)
    monkeypatch.setattr(file, "LARGEST", 4 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="more than 4,194,304 bytes"):
            unpacked(packed)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(file, "LARGEST", 64 << 20)
    assert len(unpacked(packed)) == 64 << 20


def test_a_stream_that_wants_much_memory_is_refused():
    wide = [{"id": lzma.FILTER_LZMA2, "dict_size": 256 << 20, "preset": 0}]
    with pytest.raises(lzma.LZMAError, match="Memory"):
        unpacked(lzma.compress(b"x", filters=wide))
