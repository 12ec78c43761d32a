"""Checking a cover certificate: see docs/cover-certificates.md for what makes one valid."""

import lzma
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from magicert.board import Piece, parse_square, square_name
from magicert.problem import InputError, Problem
from magicert.verify.cover.joining import Intervals, Root, StreamCheck, is_everything, reduced
from magicert.verify.cover.leaves import Statement, statement, wrong_magics
from magicert.verify.cover.stream import HEAD, block_length

MAGIC = b"magicert cover 1\n"
LARGEST = 1 << 30
"""Bytes of a certificate, unpacked, at most."""
MOST_LISTED = 10_000

Verdict = Literal["valid", "invalid", "unknown"]
Progress = Callable[[int, int], None]


class Shard(msgspec.Struct, forbid_unknown_fields=True):
    """One shard of a certificate's header."""

    root: tuple[int, str, str]
    leaves: int
    sha256: str
    counts: tuple[int, int, int, int, int]
    magics: list[tuple[str, str]]
    magic_count: str

    @property
    def interval(self) -> Root:
        """The root, as numbers."""
        return self.root[0], int(self.root[1], 16), int(self.root[2], 16)

    @property
    def intervals(self) -> list[tuple[int, int]]:
        """The magics, as numbers."""
        return [(int(low, 16), int(high, 16)) for low, high in self.magics]


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """A certificate's header."""

    scheme: Literal["white", "black", "constant"]
    piece: Literal["rook", "bishop"]
    square: str
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
        piece, square = Piece(self.piece), parse_square(self.square)
        constant = int(self.constant, 16)
        return statement(self.scheme, piece, square, self.bits, self.largest_index, constant)

    def __str__(self) -> str:
        limit = ""
        if self.largest_index != (1 << self.bits) - 1:
            limit = f", indexes up to {self.largest_index}"
        return f"{self.scheme} {self.piece} {self.square}, {self.bits} bits{limit}"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as read: its header, and the bytes behind it."""

    path: Path
    header: Header
    body: memoryview


@dataclass(slots=True)
class CheckReport:
    """What came of a check. `leaves` were checked; `magics` are intervals [low, high]."""

    verdict: Verdict = "unknown"
    problems: list[str] = field(default_factory=list)
    leaves: int = 0
    magics: list[tuple[int, int]] = field(default_factory=list)
    magic_count: int = 0


def read_certificate(path: Path) -> Certificate:
    """Read a certificate. Raises InputError with every problem of its header."""
    try:
        data = path.read_bytes()
        if data[:6] == b"\xfd7zXZ\x00":
            data = lzma.LZMADecompressor().decompress(data, LARGEST)
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(path))]) from None
    if not data.startswith(MAGIC):
        shown = data[: len(MAGIC)]
        message = f"begins with {shown!r}: expected {MAGIC!r}"
        raise InputError([Problem(message, file=str(path), line=1)])
    end = data.find(b"\n", len(MAGIC))
    line = data[len(MAGIC) : end if end >= 0 else len(data)]
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError([Problem(str(error), file=str(path), line=2)]) from None
    problems = [Problem(message, str(path), key, 2) for key, message in _wrong_values(header)]
    if problems:
        raise InputError(problems)
    return Certificate(path, header, memoryview(data)[end + 1 if end >= 0 else len(data) :])


def _wrong_values(header: Header) -> list[tuple[str, str]]:
    """What a header's types do not rule out."""
    wrong = []
    names = {square_name(square) for square in range(64)}
    if header.square not in names:
        wrong.append(("square", f"{header.square!r}: expected a1 to h8"))
    if not 1 <= header.bits <= 32:
        wrong.append(("bits", f"{header.bits}: expected 1 to 32"))
    elif not 0 <= header.largest_index < 1 << header.bits:
        wrong.append(("largest_index", f"{header.largest_index}: expected below 2^{header.bits}"))
    if not header.shards:
        wrong.append(("shards", "expected at least one"))
    texts = [("constant", header.constant)]
    for number, shard in enumerate(header.shards):
        key = f"shards[{number}]"
        texts += [(f"{key}.root", text) for text in shard.root[1:]]
        texts += [(f"{key}.magics", text) for pair in shard.magics for text in pair]
        if not _is_hex(shard.magic_count, 1 << 65):
            wrong.append((f"{key}.magic_count", f"{shard.magic_count!r}: expected 0x..."))
        if not 0 <= shard.root[0] <= 64:
            wrong.append((f"{key}.root", f"w = {shard.root[0]}: expected 0 to 64"))
        if shard.leaves < 0:
            wrong.append((f"{key}.leaves", f"{shard.leaves}: expected at least 0"))
    for key, text in texts:
        if not _is_hex(text, 1 << 64):
            wrong.append((key, f"{text!r}: expected a word such as 0x1f"))
    return wrong


def _is_hex(text: str, below: int) -> bool:
    try:
        return text.startswith("0x") and 0 <= int(text, 16) < below
    except ValueError:
        return False


def check(certificate: Certificate, progress: Progress | None = None) -> CheckReport:
    """Check everything that the file alone can prove.

    "valid": the leaves are true and complete, the listed magics are all there are (or, above
    MOST_LISTED a shard, their number is). "unknown": no leaves in the file, nothing wrong.
    """
    header = certificate.header
    report = CheckReport()
    about = header.statement()
    roots = [shard.interval for shard in header.shards]
    if not is_everything(reduced(Intervals.of(roots))):
        report.problems.append("shards: their roots, in order, do not make up everything")
    width = 64 - min((int(x) & -int(x)).bit_length() - 1 if x else 64 for x in about.x)
    for number, shard in enumerate(header.shards):
        for low, high in shard.intervals:
            if low > high or wrong_magics(about, width, low, high):
                report.problems.append(f"shards[{number}].magics: {low:#x}..{high:#x} are not")
        report.magics += shard.intervals
        report.magic_count += int(shard.magic_count, 16)
    if header.streams:
        _check_streams(certificate, about, report, progress)
        report.verdict = "valid"
    elif len(certificate.body):
        report.problems.append(f"{len(certificate.body)} bytes behind a header without streams")
    if report.problems:
        report.verdict = "invalid"
    return report


def _check_streams(
    certificate: Certificate, about: Statement, report: CheckReport, progress: Progress | None
) -> None:
    body, place = certificate.body, 0
    for number, shard in enumerate(certificate.header.shards):
        stream = StreamCheck(about, shard.interval)
        while stream.leaves < shard.leaves and not stream.problems:
            try:
                length = block_length(bytes(body[place : place + HEAD]))
            except InputError as error:
                stream.problems += [problem.message for problem in error.problems]
                break
            stream.add(bytes(body[place : place + length]))
            place += length
            if progress:
                progress(place, len(body))
        problems = finish_shard(stream, shard)
        report.leaves += stream.leaves
        report.problems += [f"shard {number}: {problem}" for problem in problems]
        if problems:
            return
    if place != len(body):
        report.problems.append(f"{len(body) - place} bytes behind the last shard's stream")


def finish_shard(stream: StreamCheck, shard: Shard) -> list[str]:
    """What is wrong with a shard whose stream has been seen, its header's claims included."""
    sha = stream.finish()
    problems = list(stream.problems)
    if not problems and stream.leaves != shard.leaves:
        problems.append(f"leaves: {stream.leaves} are there, {shard.leaves} are declared")
    if not problems and sha != shard.sha256:
        problems.append(f"sha256: {sha} is the stream's, {shard.sha256!r} is declared")
    intervals = [(low, high) for _, low, high in stream.magics[:MOST_LISTED]]
    count = sum(high - low + 1 for _, low, high in stream.magics)
    whole = len(stream.magics) <= MOST_LISTED
    alike = intervals == shard.intervals or (whole and joined(intervals) == joined(shard.intervals))
    if not problems and (not alike or count != int(shard.magic_count, 16)):
        problems.append(f"magics: the stream has {count:,}, not those declared")
    return problems


def joined(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals in ascending order, with those that touch made one.

    A search cuts a run of magics where its own nodes end, and another one elsewhere.
    """
    result: list[tuple[int, int]] = []
    for low, high in intervals:
        if result and result[-1][1] + 1 == low:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return result
