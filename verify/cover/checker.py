"""Checking a cover certificate: each leaf is true, and the leaves together leave out no number.

The streams of the file are read block by block. Of every leaf it is checked that its two
occupancies share a slot on the whole interval and have different attack sets: two multiplications.
Then neighbours are joined by the two rules of docs/cover-certificates.md until one interval is
left, which must be the shard's root; and the roots must make up everything.

When: `magicert check`, on the file's own leaves, and on those that a replay or a sample writes
anew.

Why: it is all that has to be believed of an answer "no magic" with leaves, with `statement.py` and
`file.py`: it imports neither the search nor the board, and does not ask who wrote a leaf.

Cost: Numpy, over blocks of at most 65,536 leaves; the file is unpacked in memory. The checker in
`proofs/`, which Coq has proved right, does the same at some five million leaves a second, and is
what large cells are piped into.

A certificate without streams gets "unknown", never "valid".
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.problem import InputError, Problem
from magicert.verify.cover.file import MOST_LISTED, Certificate, Root, Shard
from magicert.verify.cover.statement import WORD, Statement, Words

# Reading leaf streams: blocks of columns.

FULL_BLOCK = 1 << 16
HEAD = 8
WIDTHS = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u8"}


class LeafBlock(NamedTuple):
    """Leaves as columns: m mod 2^w is in [low, high], first and second conflict there."""

    w: NDArray[np.uint8]
    low: Words
    high: Words
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def block_length(head: bytes) -> int:
    """The bytes of a whole block, from its first eight. Raises InputError if they are none."""
    if len(head) < HEAD:
        raise InputError([Problem(f"a block's head has {HEAD} bytes, {len(head)} are left")])
    count = int.from_bytes(head[:4], "little")
    w, gap, span, number = head[4:8]
    if not 1 <= count <= FULL_BLOCK:
        raise InputError([Problem(f"a block of {count} leaves: expected 1 to {FULL_BLOCK}")])
    if (w > 64 and w != 255) or gap not in (0, 8) or span not in WIDTHS or number not in (1, 2):
        raise InputError([Problem(f"a block's widths are {w} {gap} {span} {number}")])
    return HEAD + count * ((w == 255) + gap + span + 2 * number)


def read_block(block: bytes, next_low: int) -> LeafBlock:
    """The leaves of one whole block; `next_low` is the high before it plus 1.

    Raises InputError for a block of the wrong length or with wider columns than needed.
    """
    if len(block) != block_length(block[:HEAD]):
        raise InputError([Problem(f"a block of {len(block)} bytes is cut short")])
    count = int.from_bytes(block[:4], "little")
    w, gap_width, span_width, number_width = block[4:8]
    place = HEAD

    def column(width: int) -> NDArray[np.generic]:
        nonlocal place
        values = np.frombuffer(block, WIDTHS[width], count, place)
        place += width * count
        return values

    ws = column(1).astype(np.uint8) if w == 255 else np.full(count, w, dtype=np.uint8)
    gap = column(8).astype(np.uint64) if gap_width else np.zeros(count, dtype=np.uint64)
    span = column(span_width).astype(np.uint64)
    first, second = column(number_width), column(number_width)
    # Equal leaves have equal bytes only if every column is as narrow as it can be.
    wide = [
        name
        for name, narrower in (
            ("w", w == 255 and (ws == ws[0]).all()),
            ("gap", gap_width and not gap.any()),
            ("span", span_width > 1 and not (span >> np.uint64(4 * span_width)).any()),
            ("numbers", number_width == 2 and max(int(first.max()), int(second.max())) < 256),
        )
        if narrower
    ]
    if wide:
        raise InputError([Problem(f"a block's columns are wider than needed: {', '.join(wide)}")])
    # The high before is next_low - 1; each leaf adds its gap, its span and 1, modulo 2^64.
    ends = np.cumsum(gap + span + np.uint64(1), dtype=np.uint64) + np.uint64(next_low)
    high = ends - np.uint64(1)
    return LeafBlock(ws, high - span, high, first.astype(np.int64), second.astype(np.int64))


# Checking leaves, a block at a time: is each of them true, whoever wrote it?
#
# The statement and the rules are those of docs/cover-certificates.md.


def is_magics(block: LeafBlock) -> NDArray[np.bool_]:
    """Which leaves claim magics."""
    return (block.first == 1) & (block.second == 0)


def wrong_leaves(about: Statement, block: LeafBlock) -> NDArray[np.bool_]:
    """Which leaves of a block are wrong. Those that claim magics are left to `wrong_magics`,
    except for their interval.
    """
    one = np.uint64(1)
    # 2^w - 1, where w = 64 must not shift a word by its own width.
    whole = np.where(
        block.w == 64, np.uint64(WORD), (one << (block.w & 63).astype(np.uint64)) - one
    )
    wrong = (block.low > block.high) | (block.high > whole) | (block.w > 64)
    magics = is_magics(block)
    rows = len(about.x)
    outside = (block.second >= rows) | (block.first > block.second)
    wrong |= outside & ~magics
    skip = magics | outside
    first = np.where(skip, 0, block.first)
    second = np.where(skip, 0, block.second)
    slots = []
    bad = np.zeros(len(wrong), dtype=np.bool_)
    for number in (first, second):
        x = about.x[number]
        slot, moves = _slot_and_moves(about, x, block.low, block.high)
        bad |= moves | _sees_above(x, block.w)
        slots.append(slot)
    alone = first == second
    forbidden = (slots[0] < np.uint64(about.least)) | (slots[0] > np.uint64(about.most))
    conflict = (slots[0] == slots[1]) & (about.attack[first] != about.attack[second])
    bad |= np.where(alone, ~forbidden, ~conflict)
    return wrong | (bad & ~magics)


def _slot_and_moves(
    about: Statement, x: Words, low: Words, high: Words
) -> tuple[Words, NDArray[np.bool_]]:
    """The slot at m = low, and whether the product leaves that bucket before m = high."""
    shift = np.uint64(64 - about.bits)
    within = (np.uint64(1) << shift) - np.uint64(1)
    value = x * low + np.uint64(about.constant)
    room = within - (value & within)
    # x * (high - low) > room, without a product that could wrap. x = 0 never moves.
    moves = (high - low) > room // np.maximum(x, np.uint64(1))
    return value >> shift, moves & (x != 0)


def _sees_above(x: Words, w: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether x * 2^w is anything but 0 modulo 2^64: then bits of m above w count."""
    return (w < 64) & ((x << (w & 63).astype(np.uint64)) != 0)


def wrong_magics(about: Statement, w: int, low: int, high: int) -> bool:
    """Whether anything in [low, high] modulo 2^w is no magic of the cell, or is counted twice: w
    must be the period's.
    """
    if w != about.period:
        return True
    rows = len(about.x)
    lows = np.full(rows, low, dtype=np.uint64)
    highs = np.full(rows, high, dtype=np.uint64)
    slots, moves = _slot_and_moves(about, about.x, lows, highs)
    if (
        moves.any()
        or (slots < np.uint64(about.least)).any()
        or (slots > np.uint64(about.most)).any()
    ):
        return True
    holds: dict[int, int] = {}
    pairs = zip(slots.tolist(), about.attack.tolist(), strict=True)
    return any(holds.setdefault(slot, attack) != attack for slot, attack in pairs)


# Checking that leaves cover: neighbours are joined until one interval is left.
#
# An interval (w, low, high) is the set of all m with low <= m mod 2^w <= high. Both rules of
# docs/cover-certificates.md replace two neighbours by one interval with the same m.


@dataclass
class Intervals:
    """Intervals in order, as columns."""

    w: NDArray[np.uint8]
    low: Words
    high: Words

    @classmethod
    def of(cls, roots: Sequence[Root]) -> "Intervals":
        """From triples (w, low, high)."""
        w, low, high = np.array(roots, dtype=np.uint64).reshape(-1, 3).T
        return cls(w.astype(np.uint8), low, high)

    def then(self, block: LeafBlock) -> "Intervals":
        """These, and a block's behind them."""
        return Intervals(
            np.concatenate([self.w, block.w]),
            np.concatenate([self.low, block.low]),
            np.concatenate([self.high, block.high]),
        )

    def triples(self) -> list[Root]:
        """As a list of (w, low, high)."""
        return list(zip(self.w.tolist(), self.low.tolist(), self.high.tolist(), strict=True))


def reduced(intervals: Intervals) -> Intervals:
    """Join neighbours by both rules until none applies."""
    one = np.uint64(1)
    while True:
        w, low, high = intervals.w, intervals.low, intervals.high
        if len(w) < 2:
            return intervals
        # First rule, whole runs at once: the same w, and low = the high before + 1.
        joins = (w[1:] == w[:-1]) & (low[1:] == high[:-1] + one) & (low[1:] != 0)
        starts = np.flatnonzero(np.concatenate([[True], ~joins]))
        ends = np.concatenate([starts[1:] - 1, [len(w) - 1]])
        w, low, high = w[starts], low[starts], high[ends]
        # Second rule: the same interval with bit w - 1 of m clear, then set.
        half = one << ((w[:-1].astype(np.uint64) - one) & np.uint64(63))
        twins = (
            (w[1:] == w[:-1]) & (w[:-1] > 0) & (high[:-1] < half)
            & (low[1:] == low[:-1] + half) & (high[1:] == high[:-1] + half)
        )  # fmt: skip
        keep = np.concatenate([[True], ~twins])
        w = w.copy()
        w[:-1] -= twins.astype(np.uint8)
        after = Intervals(w[keep], low[keep], high[keep])
        if len(after.w) == len(intervals.w):
            return after
        intervals = after


def is_everything(intervals: Intervals) -> bool:
    """Whether these, already reduced, are all m."""
    triples = intervals.triples()
    return len(triples) == 1 and triples[0][1:] == (0, (1 << triples[0][0]) - 1)


@dataclass
class StreamCheck:
    """Checks one shard's stream, block by block, as it is read or as it is produced.

    `problems` says what is wrong with it, in words; `magics` collects the intervals claimed.
    """

    about: Statement
    root: Root
    leaves: int = 0
    problems: list[str] = field(default_factory=list)
    magics: list[Root] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sha = hashlib.sha256()
        self.open = Intervals.of([])
        self.next_low = self.root[1]
        self.full = True

    def add(self, block: bytes) -> None:
        """Check one block."""
        self.sha.update(block)
        try:
            leaves = read_block(block, self.next_low)
        except InputError as error:
            self.problems += [f"leaf {self.leaves:,}: {p.message}" for p in error.problems]
            return
        if not self.full:
            self.problems.append(f"leaf {self.leaves:,}: the block before is not full")
        self.full = len(leaves.w) == FULL_BLOCK
        self.next_low = (int(leaves.high[-1]) + 1) & WORD
        wrong = wrong_leaves(self.about, leaves)
        if wrong.any():
            place = int(np.argmax(wrong))
            shown = f"w={leaves.w[place]}, low={leaves.low[place]:#x}, high={leaves.high[place]:#x}"
            pair = f"first={leaves.first[place]}, second={leaves.second[place]}"
            self.problems.append(
                f"leaf {self.leaves + place:,} is wrong ({shown}, {pair}), "
                f"and {int(wrong.sum()) - 1:,} more of its block"
            )
        for place in np.flatnonzero(is_magics(leaves)).tolist():
            w, low, high = int(leaves.w[place]), int(leaves.low[place]), int(leaves.high[place])
            self.magics.append((w, low, high))
            if wrong_magics(self.about, w, low, high):
                self.problems.append(
                    f"leaf {self.leaves + place:,}: {low:#x}..{high:#x}: no magics"
                )
        self.leaves += len(leaves.w)
        self.open = reduced(self.open.then(leaves))

    def finish(self) -> str:
        """The SHA-256 of the whole; `problems` is now final."""
        unjoined = self.open.triples()
        # Everything has 65 names, (w, 0, 2^w - 1): which one is left depends on the rules' order.
        covered = unjoined == [self.root] or (
            is_everything(self.open) and is_everything(Intervals.of([self.root]))
        )
        if not covered and not self.problems:
            w, low, high = self.root
            self.problems.append(
                f"the leaves do not cover the shard m mod 2^{w} in {low:#x}..{high:#x}: "
                f"they leave {len(unjoined):,} pieces"
            )
        return self.sha.hexdigest()


# The whole certificate: its shards, their streams and what they claim.

Verdict = Literal["valid", "invalid", "unknown"]
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class CheckReport:
    """What came of a check. `leaves` were checked; `magics` are intervals [low, high]."""

    verdict: Verdict = "unknown"
    problems: list[str] = field(default_factory=list)
    leaves: int = 0
    magics: list[tuple[int, int]] = field(default_factory=list)
    magic_count: int = 0


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
    for number, shard in enumerate(header.shards):
        problems = _wrong_claims(about, shard)
        report.problems += [f"shards[{number}].magics: {problem}" for problem in problems]
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


def _wrong_claims(about: Statement, shard: Shard) -> list[str]:
    """What is wrong with a shard's list of magics, whether or not leaves follow."""
    w, root_low, root_high = shard.interval
    problems, total = [], 0
    for low, high in shard.intervals:
        start = low % (1 << w)
        if not low <= high < 1 << about.period:
            problems.append(f"{low:#x}..{high:#x}: expected an interval below the period")
        elif wrong_magics(about, about.period, low, high):
            problems.append(f"{low:#x}..{high:#x} are not")
        elif not root_low <= start <= start + high - low <= root_high:
            problems.append(f"{low:#x}..{high:#x} lie outside the shard")
        total += high - low + 1
    for (_, high), (low, _) in pairwise(sorted(shard.intervals)):
        if low <= high:
            problems.append(f"{low:#x} is listed twice")
    declared = int(shard.magic_count, 16)
    if declared != total if len(shard.magics) < MOST_LISTED else declared < total:
        problems.append(f"{total:,} are listed, {declared:,} declared")
    return problems


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
