"""The file of a cover certificate: unpacked, and its header read strictly."""

import json
import lzma
import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import msgspec

from magicert.problem import InputError, Problem, read_at_most
from magicert.verify.cover.statement import SchemeName, Statement, statement, statement_of

FIRST_LINE = b"magicert cover 1\n"
XZ = b"\xfd7zXZ\x00"
LARGEST = 1 << 28
"""Bytes of a certificate, unpacked, at most: some 20 million leaves."""
AT_ONCE = 1 << 20
"""Bytes that are unpacked at a time, so that what is too large is seen before it is there."""
MOST_MEMORY = 128 << 20
"""Bytes that unpacking may take beside: xz -9 wants half as much."""
MOST_LISTED = 10_000
"""Intervals of magics that a shard lists; above, their number stands for them."""
MOST_KEYS = 1 << 16
MOST_DIGITS = 40
SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]

CONSTANTS = {"white": (0,), "black": (0, (1 << 64) - 1)}
"""The constants that a header may name, where the scheme has its own."""

Root = tuple[int, int, int]
"""(w, low, high): all m with low <= m mod 2^w <= high."""
Evidence = Literal["leaves", "hashes", "counts"]


class Survivors(msgspec.Struct, forbid_unknown_fields=True):
    """How many cells the chain of a shard leaves alive, and a digest of where they begin."""

    count: int
    sha256: str


class Shard(msgspec.Struct, forbid_unknown_fields=True):
    """One shard of a certificate's header."""

    root: tuple[int, str, str]
    leaves: int
    sha256: str
    counts: tuple[int, int, int, int, int]
    magics: list[tuple[str, str]]
    magic_count: str
    survivors: Survivors | None = None

    @property
    def interval(self) -> Root:
        """The root, as numbers."""
        return self.root[0], int(self.root[1], 16), int(self.root[2], 16)

    @property
    def intervals(self) -> list[tuple[int, int]]:
        """The magics, as numbers."""
        return [(int(low, 16), int(high, 16)) for low, high in self.magics]


class Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A certificate's header. It has a piece and a square, or keys: words with the numbers of their
    values.
    """

    scheme: SchemeName
    piece: Literal["rook", "bishop"] | None = None
    square: str | None = None
    keys: list[tuple[str, int]] | None = None
    bits: int
    largest_index: int
    constant: str
    plan: str
    level: int
    engine: str
    date: str
    seconds: float
    streams: bool
    shards: list[Shard]

    def statement(self) -> Statement:
        """What the certificate is about."""
        constant, cell = int(self.constant, 16), (self.bits, self.largest_index)
        if self.piece and self.square:
            return statement(self.scheme, self.piece, SQUARES.index(self.square), *cell, constant)
        words, values = [int(word, 16) for word, _ in self.listed], [n for _, n in self.listed]
        return statement_of(self.scheme, words, values, *cell, constant)

    @property
    def listed(self) -> list[tuple[str, int]]:
        """The keys; none, if it is about a square."""
        return self.keys or []

    @property
    def evidence(self) -> Evidence:
        """What the file carries for its claim: leaves, or the hashes of leaves that can be
        rebuilt, or no more than the counts of one run.
        """
        if self.streams:
            return "leaves"
        return "hashes" if all(shard.sha256 for shard in self.shards) else "counts"

    def __str__(self) -> str:
        added = f" {self.constant}" if self.scheme == "constant" else ""
        limit = ""
        if self.largest_index != (1 << self.bits) - 1:
            limit = f", indexes up to {self.largest_index}"
        about = f"{len(self.listed):,} keys" if self.keys else f"{self.piece} {self.square}"
        return f"{about}, {self.bits} bits{limit}, scheme {self.scheme}{added}"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as read: its header, and the bytes behind it."""

    path: Path
    header: Header
    body: memoryview


def read_certificate(path: Path) -> Certificate:
    """Read a certificate. Raises InputError with every problem of its header."""
    file = str(path)
    try:
        data = unpacked(read_at_most(path, LARGEST))
    except InputError:
        raise
    except (OSError, ValueError, lzma.LZMAError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise InputError([Problem(f"cannot be read: {why}", file=file)]) from None
    if not data.startswith(FIRST_LINE):
        shown, expected = (
            text.decode("ascii", "backslashreplace").rstrip("\n")
            for text in (data[: len(FIRST_LINE)], FIRST_LINE)
        )
        message = f"no certificate: begins with {shown!r}: expected {expected!r}"
        raise InputError([Problem(message, file=file, line=1)])
    line, end, body = data[len(FIRST_LINE) :].partition(b"\n")
    try:
        if not end:
            raise ValueError("the header's line does not end")
        read = json.loads(
            line, object_pairs_hook=_once, parse_int=_short, parse_float=_finite,
            parse_constant=_finite,
        )  # fmt: skip
        header = msgspec.convert(read, Header)
    except json.JSONDecodeError as error:
        message = f"column {error.colno}: expected the header, one line of JSON"
        raise InputError([Problem(message, file=file, line=2)]) from None
    except ValueError as error:
        raise InputError([Problem(str(error), file=file, line=2)]) from None
    except RecursionError:
        message = "brackets in brackets: expected the header, one line of JSON"
        raise InputError([Problem(message, file=file, line=2)]) from None
    problems = [Problem(message, file, key, 2) for key, message in _wrong_values(header)]
    if problems:
        raise InputError(problems)
    return Certificate(path, header, memoryview(body))


def _short(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"{text[:MOST_DIGITS]}...: expected at most {MOST_DIGITS} digits")
    return int(text)


def _finite(text: str) -> float:
    if not isfinite(value := float(text)):
        raise ValueError(f"{text}: expected a number")
    return value


def unpacked(data: bytes, most: int = 0) -> bytes:
    """The bytes of a file that may be one .xz stream: at most so many, or LARGEST.

    Raises ValueError where the stream is cut short, something follows it, or it is too large.
    """
    if not data.startswith(XZ):
        return data
    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY)
    plain, most = bytearray(), most or LARGEST
    piece = stream.decompress(data, AT_ONCE)
    while True:
        plain += piece
        if len(plain) > most:
            raise ValueError(f"more than {most:,} bytes, unpacked")
        if stream.eof or stream.needs_input:
            break
        piece = stream.decompress(b"", AT_ONCE)
    if not stream.eof:
        raise ValueError("the .xz stream is cut short")
    if stream.unused_data:
        raise ValueError(f"{len(stream.unused_data):,} bytes behind the .xz stream")
    return bytes(plain)


def begins(path: Path, start: bytes) -> bool:
    """Whether a file begins so, unpacked. False where it cannot be read, or only once (a pipe)."""
    if not path.is_file():
        return False
    try:
        return first_bytes(path, len(start)) == start
    except (OSError, lzma.LZMAError):
        return False


def first_bytes(path: Path, count: int) -> bytes:
    """So many bytes that a file begins with, unpacked, or all of fewer: nothing more is unpacked.

    Raises OSError where it cannot be read, and lzma.LZMAError where it cannot be unpacked.
    """
    with path.open("rb") as stream:
        data = stream.read(AT_ONCE)
        if not data.startswith(XZ):
            return data[:count]
        packed = lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY)
        plain = packed.decompress(data, count)
        while len(plain) < count and not packed.eof:
            data = stream.read(AT_ONCE) if packed.needs_input else b""
            if packed.needs_input and not data:
                break
            plain += packed.decompress(data, count - len(plain))
    return plain


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Python's reader would take the last of several values of one key."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice}: the key is there twice")
    return unique


def _wrong_values(header: Header) -> list[tuple[str, str]]:
    """What a header's types do not rule out."""
    wrong = []
    if header.keys is not None:
        wrong += _wrong_keys(header)
    elif header.piece is None:
        wrong.append(("piece", "expected rook or bishop, or keys"))
    elif header.square not in SQUARES:
        wrong.append(("square", f"{header.square!r}: expected a1 to h8"))
    if not 1 <= header.bits <= 32:
        wrong.append(("bits", f"{header.bits}: expected 1 to 32"))
    elif not 0 <= header.largest_index < 1 << header.bits:
        wrong.append(("largest_index", f"{header.largest_index}: expected below 2^{header.bits}"))
    if header.seconds < 0:
        wrong.append(("seconds", f"{header.seconds}: expected 0 or more"))
    if not header.shards:
        wrong.append(("shards", "expected at least one"))
    wrong += _wrong_words("constant", [header.constant])
    if not wrong and int(header.constant, 16) not in CONSTANTS.get(header.scheme, range(1 << 64)):
        wrong.append(("constant", f"{header.constant}: expected 0x0 for {header.scheme}"))
    for number, shard in enumerate(header.shards):
        wrong += [(f"shards[{number}].{key}", what) for key, what in _wrong_shard(shard)]
    return wrong


def _wrong_keys(header: Header) -> list[tuple[str, str]]:
    """The same of the keys: different words, and values numbered as they come up."""
    texts = [text for text, _ in header.listed]
    wrong = _wrong_words("keys", texts)
    if header.piece is not None or header.square is not None:
        wrong.append(("keys", "expected keys, or a piece and a square"))
    if not 1 <= len(texts) <= MOST_KEYS:
        wrong.append(("keys", f"{len(texts)} of them: expected 1 to {MOST_KEYS}"))
    if not wrong and len({int(text, 16) for text in texts}) < len(texts):
        wrong.append(("keys", "a key comes twice"))
    seen = 0
    for text, number in header.listed:
        if not 0 <= number <= seen:
            wrong.append(("keys", f"{text} has value number {number}: expected 0 to {seen}"))
            break
        seen += number == seen
    return wrong


def _wrong_shard(shard: Shard) -> list[tuple[str, str]]:
    """The same of one shard."""
    w = shard.root[0]
    wrong = _wrong_words("root", shard.root[1:])
    wrong += _wrong_words("magics", [text for pair in shard.magics for text in pair])
    if not _is_hex(shard.magic_count, 1 << 65):
        wrong.append(("magic_count", f"{shard.magic_count!r}: expected 0x..."))
    if not 0 <= w <= 64:
        wrong.append(("root", f"w = {w}: expected 0 to 64"))
    elif not wrong and not shard.interval[1] <= shard.interval[2] < 1 << w:
        wrong.append(("root", f"{shard.root}: expected low <= high < 2^{w}"))
    if shard.leaves < 0:
        wrong.append(("leaves", f"{shard.leaves}: expected at least 0"))
    if shard.sha256 and not _is_sha256(shard.sha256):
        wrong.append(("sha256", f"{shard.sha256!r}: expected 64 hexadecimal digits, or nothing"))
    if shard.survivors and not (shard.survivors.count >= 0 and _is_sha256(shard.survivors.sha256)):
        wrong.append(("survivors", "expected a count and the SHA-256 of their starts"))
    return wrong


def _wrong_words(key: str, texts: Iterable[str]) -> list[tuple[str, str]]:
    bad = [text for text in texts if not _is_hex(text, 1 << 64)]
    return [(key, f"{text!r}: expected a word such as 0x1f") for text in bad]


def _is_sha256(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def _is_hex(text: str, below: int) -> bool:
    return re.fullmatch("0x[0-9a-f]+", text) is not None and int(text, 16) < below
