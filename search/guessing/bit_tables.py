"""Rein's proposal: tables of magic bits that always lead to a conflict.

He suggested to treat the search for magics like an endgame: before it starts, work out for
one pattern which values of any two bits (64 * 63 / 2 * 4 = 8,064 entries) or of any three
(41,664 * 8 = 333,312) cannot be completed, and let the recursion look them up.

A pair of bits alone decides next to nothing (an occupancy's bucket depends on a run of
bits), so an entry must be searched: from a state with just these bits known the tree of
guesses is followed for at most `effort` tests. An entry is *disallowed* if that exhausts
it. Every disallowed entry is a fact; the others are merely not settled. `perfect_pairs` and
`perfect_triples` are what no effort can surpass, where all magics of a cell are known.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from magicert.engine import Observer
from magicert.search.finders.all_occupancies import Words
from magicert.search.guessing.bit_table_kernel import settle_entries
from magicert.search.guessing.pattern import NONE, Pattern

U = np.uint64
PAIR_WORDS = 64 * 2 * 2
TRIPLE_WORDS = 128 * 128 * 2


@dataclass(frozen=True, slots=True)
class BitTable:
    """`cuts` is what the kernel reads; of `entries` over the bits below the LCM period
    `disallowed` cannot be completed; `tests` is what it cost to know.
    """

    cuts: Words
    entries: int
    disallowed: int
    tests: int = 0

    @property
    def memory(self) -> int:
        """Bytes."""
        return int(self.cuts.nbytes)


def build_pairs(pattern: Pattern, effort: int, observer: Observer) -> BitTable:
    """The table of pairs: 2 KiB, two words for each (bit, value)."""
    cuts = np.zeros(PAIR_WORDS, dtype=U)
    return _build(pattern, effort, 2, cuts, NONE, observer)


def build_triples(pattern: Pattern, effort: int, pairs: BitTable, observer: Observer) -> BitTable:
    """The table of triples: 256 KiB, two words for each two (bit, value).

    Entries that hold a disallowed pair are disallowed without a search.
    """
    cuts = np.zeros(TRIPLE_WORDS, dtype=U)
    return _build(pattern, effort, 3, pairs.cuts, cuts, observer)


def _build(
    pattern: Pattern, effort: int, size: int, pairs: Words, triples: Words, observer: Observer
) -> BitTable:
    counters = np.zeros(3, dtype=U)
    state, stack = np.zeros(8, dtype=U), np.zeros(3 * 65, dtype=U)
    total = len(list(combinations(range(pattern.bits), size))) << size
    table = pattern.table()
    for lowest in range(pattern.bits):
        settle_entries(
            *pattern.arguments(), U(size), U(lowest), U(effort),
            pairs, triples, state, stack, table, counters,
        )  # fmt: skip
        entries, disallowed = int(counters[0]), int(counters[1])
        kind = "pairs" if size == 2 else "triples"
        observer.progress(entries, total, f"{kind}, {disallowed:,} disallowed")
    cuts = pairs if size == 2 else triples
    return BitTable(cuts, int(counters[0]), int(counters[1]), int(counters[2]))


def perfect_pairs(magics: Collection[int], bits: int) -> BitTable:
    """The pairs that none of a cell's magics (all of them, below 2^bits) has."""
    return _perfect(magics, bits, 2, np.zeros(PAIR_WORDS, dtype=U))


def perfect_triples(magics: Collection[int], bits: int) -> BitTable:
    """The triples that none of a cell's magics has."""
    return _perfect(magics, bits, 3, np.zeros(TRIPLE_WORDS, dtype=U))


def _perfect(magics: Collection[int], bits: int, size: int, cuts: Words) -> BitTable:
    listed = np.array(list(magics), dtype=U)
    columns = [(listed >> U(bit) & U(1)).astype(np.uint8) for bit in range(bits)]
    entries = disallowed = 0
    for chosen in combinations(range(bits), size):
        pattern = sum(columns[bit] << place for place, bit in enumerate(chosen))
        seen = np.bincount(pattern, minlength=1 << size)
        entries += 1 << size
        for values in np.flatnonzero(seen == 0).tolist():
            disallowed += 1
            _forbid(cuts, [(bit, values >> place & 1) for place, bit in enumerate(chosen)])
    return BitTable(cuts, entries, disallowed)


def _forbid(cuts: Words, literals: list[tuple[int, int]]) -> None:
    """Mark each literal (bit, value) as forbidden beside the others, in every order."""
    for bit, value in literals:
        others = [2 * other + chosen for other, chosen in literals if other != bit]
        rows = others if len(others) == 1 else [128 * a + b for a, b in permutations(others)]
        for row in rows:
            cuts[2 * row + value] |= U(1 << bit)
