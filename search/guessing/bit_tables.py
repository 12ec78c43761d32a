"""Rein's tables of magic bits that always lead to a conflict, and how they are made.

Before the search it is worked out which values of any two bits of the magic (8,064 entries for a
square), or of any three (333,312), cannot be completed; the tree of guesses then looks them up.

When: `--engine guess -O tables=pairs` or `triples`. Never unless asked for.

Why it is here: the proposal is old, and nobody had tried it, as far as we know. An entry that is
disallowed is a fact: exhausting its tree proves it.

Cost: more than it saves. Of rook a8 with 11 bits 1 of 6,160 pairs and 108 of 221,760 triples are
disallowed (research/notebook/README.md, "Tables of bit pairs and triples").
"""

import math
from dataclasses import dataclass

import numpy as np

from magicert.outcome import Observer
from magicert.search.compiled import Word, precompiled
from magicert.search.finders.drawing import Words
from magicert.search.guessing.kernel import (
    EXHAUSTED,
    FIXED,
    HIGH_FIRST,
    NONE,
    PENDING,
    STATUS,
    TESTS,
    VALUE,
    GuessTree,
    Pattern,
    descend,
    is_cut,
)

U = np.uint64
_0, _1, _2, _128 = U(0), U(1), U(2), U(128)


@precompiled(None)
def forbid_pair(pairs: Words, first: Word, second: Word) -> None:
    """Mark two literals, each 2 * bit + value, as forbidden together."""
    pairs[_2 * first + (second & _1)] |= _1 << (second >> _1)
    pairs[_2 * second + (first & _1)] |= _1 << (first >> _1)


@precompiled(None)
def forbid_triple(triples: Words, first: Word, second: Word, third: Word) -> None:
    """Mark three literals as forbidden together: `third` beside `first` and `second`."""
    mark = _1 << (third >> _1)
    triples[_2 * (_128 * first + second) + (third & _1)] |= mark
    triples[_2 * (_128 * second + first) + (third & _1)] |= mark


SIGNATURE = (
    "void(uint64[::1], uint64[::1], uint64[::1], uint64, uint64, uint64, uint64, uint64, uint64, "
    "uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[::1])"
)


@precompiled(SIGNATURE)
def search_entries(
    words: Words, attacks: Words, classes: Words, width: Word, largest: Word, relevant: Word,
    size: Word, lowest: Word, effort: Word, pairs: Words, triples: Words,
    state: Words, stack: Words, table: Words, counters: Words,
) -> None:  # fmt: skip
    """Search every entry whose lowest bit is `lowest`, each for `effort` tests.

    `counters` are entries and disallowed entries, over all calls; the stamps of `table` go on
    counting in state[TESTS].
    """
    none = triples[:0]
    second = lowest + _1
    while second < U(64) and (relevant >> second) != _0:
        # For pairs the loop over the third bit runs once, and there is no third bit.
        third = second + _1
        last = U(64) if size > _2 else third + _1
        while third < last and (size == _2 or (relevant >> third) != _0):
            bits = (_1 << lowest) | (_1 << second)
            if size > _2:
                bits |= _1 << third
            for choice in range(_1 << size):
                first_literal = _2 * lowest + (choice & _1)
                second_literal = _2 * second + ((choice >> _1) & _1)
                third_literal = _2 * third + (choice >> _2)
                value = ((first_literal & _1) << lowest) | ((second_literal & _1) << second)
                fixed = (_1 << lowest) | (_1 << second)
                hopeless = False
                if size > _2:
                    hopeless = is_cut(pairs, none, fixed, value, third, third_literal & _1)
                    hopeless = hopeless or is_cut(
                        pairs,
                        none,
                        _1 << lowest,
                        value & (_1 << lowest),
                        second,
                        second_literal & _1,
                    )
                    value |= (third_literal & _1) << third
                counters[0] += _1
                if not hopeless:
                    state[FIXED], state[VALUE], state[PENDING] = bits, value, _0
                    descend(
                        words, attacks, classes, width, largest, relevant, U(HIGH_FIRST),
                        pairs, none, state, stack, state[TESTS] + effort, table,
                    )  # fmt: skip
                    hopeless = state[STATUS] == U(EXHAUSTED)
                if hopeless:
                    counters[1] += _1
                    if size == _2:
                        forbid_pair(pairs, first_literal, second_literal)
                    else:
                        forbid_triple(triples, first_literal, second_literal, third_literal)
                        forbid_triple(triples, second_literal, third_literal, first_literal)
                        forbid_triple(triples, first_literal, third_literal, second_literal)
            third += _1
        second += _1


# Rein's proposal: tables of magic bits that always lead to a conflict.
#
# He suggested to treat the search for magics like an endgame: before it starts, work out for
# one pattern which values of any two bits (64 * 63 / 2 * 4 = 8,064 entries) or of any three
# (41,664 * 8 = 333,312) cannot be completed, and let the recursion look them up.
#
# A pair of bits alone decides next to nothing (an occupancy's bucket depends on a run of
# bits), so an entry must be searched: from a state with just these bits known the tree of
# guesses is followed for at most `effort` tests. An entry is *disallowed* if that exhausts
# it. Every disallowed entry is a fact; the others are merely not settled.

PAIR_WORDS = 64 * 2 * 2
TRIPLE_WORDS = 128 * 128 * 2


@dataclass(frozen=True, slots=True)
class BitTable:
    """`cuts` is what the kernel reads; of `entries` over the bits below the LCM period
    `disallowed` cannot be completed.
    """

    cuts: Words
    entries: int
    disallowed: int


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
    counters = np.zeros(2, dtype=U)
    tree = GuessTree(pattern, "high")
    total = math.comb(pattern.bits, size) << size
    kind, cuts = ("pairs", pairs) if size == 2 else ("triples", triples)
    for lowest in range(pattern.bits):
        search_entries(
            *pattern.arguments(), U(size), U(lowest), U(effort),
            pairs, triples, tree.state, tree.stack, tree.table, counters,
        )  # fmt: skip
        entries, disallowed = counters.tolist()
        observer.progress(entries, total, f"{kind}, {disallowed:,} disallowed")
    return BitTable(cuts, *counters.tolist())
