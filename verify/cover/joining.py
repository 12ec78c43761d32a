"""Checking that leaves cover: neighbours are joined until one interval is left.

An interval (w, low, high) is the set of all m with low <= m mod 2^w <= high. Both rules of
docs/cover-certificates.md replace two neighbours by one interval with the same m.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from magicert.problem import InputError
from magicert.verify.cover.leaves import is_magics, wrong_leaves, wrong_magics
from magicert.verify.cover.statement import Statement, Words
from magicert.verify.cover.stream import LeafBlock, read_block

Root = tuple[int, int, int]


@dataclass
class Intervals:
    """Intervals in order, as columns."""

    w: NDArray[np.uint8]
    low: Words
    high: Words

    @classmethod
    def of(cls, roots: Iterable[Root]) -> "Intervals":
        """From triples (w, low, high)."""
        listed = list(roots)
        return cls(
            np.array([w for w, _, _ in listed], dtype=np.uint8),
            np.array([low for _, low, _ in listed], dtype=np.uint64),
            np.array([high for _, _, high in listed], dtype=np.uint64),
        )

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
        self.full = len(leaves.w) == 1 << 16
        self.next_low = (int(leaves.high[-1]) + 1) & ((1 << 64) - 1)
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
        left = self.open.triples()
        # Everything has 65 names, (w, 0, 2^w - 1): which one is left depends on the rules' order.
        covered = left == [self.root] or (
            is_everything(self.open) and is_everything(Intervals.of([self.root]))
        )
        if not covered and not self.problems:
            w, low, high = self.root
            self.problems.append(
                f"the leaves do not cover the shard m mod 2^{w} in {low:#x}..{high:#x}: "
                f"they leave {len(left):,} pieces"
            )
        return self.sha.hexdigest()
