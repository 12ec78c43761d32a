"""The pair kernel: two rooks that always agree, on as few columns together as can be.

Whatever columns two rooks of ALWAYS claim, they may have in common. So a pair costs the union of
its columns, and the best pairs have one rook's columns inside the other's.
"""

import numpy as np

from magicert.compact.anneal.random_words import next_below, random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, Word, entry
from magicert.compact.pages.lines import COLUMNS
from magicert.system.words import popcount

U = np.uint64


@entry
def find_pairs(
    host: Words,
    guest: Words,
    step: Count,
    most: Count,
    hosts: Count,
    looks: Count,
    seed: Word,
    found: Words,
) -> tuple[Count, Count]:
    """Pairs of at most `most` columns, and the fewest columns of all pairs met.

    `hosts` random members of one library are each held against `looks` members of the other, in
    every turn that is a multiple of `step`. A row of `found` is filled for a host's best pair: the
    union of the columns, the two places, and the guest's turn.
    """
    state = random_state(seed)
    met, fewest = 0, np.int64(COLUMNS + 1)
    for _ in range(hosts):
        if met == found.shape[0]:
            break
        one = next_below(state, len(host))
        own = host[one]
        outside = ~own
        size = np.int64(popcount(own))
        first = next_below(state, len(guest))
        best, best_at, best_turn = np.int64(COLUMNS + 1), 0, 0
        for n in range(looks):
            at = (first + n) % len(guest)
            columns = guest[at]
            for turn in range(0, COLUMNS, step):
                turned = columns << U(turn) | columns >> U((COLUMNS - turn) & 63)
                both = size + np.int64(popcount(turned & outside))
                if both < best:
                    best, best_at, best_turn = both, at, turn
            if best == size:
                break
        fewest = min(fewest, best)
        if best <= most:
            columns = guest[best_at]
            turned = columns << U(best_turn) | columns >> U((COLUMNS - best_turn) & 63)
            found[met, 0], found[met, 1] = own | turned, U(one)
            found[met, 2], found[met, 3] = U(best_at), U(best_turn)
            met += 1
    return met, fewest


@entry
def best_pair(
    pairs: Words, step: Count, used: Word, first: Count, count: Count, most: Count
) -> tuple[Count, Count, Count]:
    """The row, the turn and the columns of the smallest pair that meets no used column, of `count`
    rows of `pairs` from `first` on; row -1 where none has at most `most` columns.
    """
    best, best_turn, fewest = -1, 0, most + 1
    for n in range(count):
        at = (first + n) % len(pairs)
        own = pairs[at, 0]
        size = np.int64(popcount(own))
        if size >= fewest:
            continue
        for turn in range(0, COLUMNS, step):
            if (own << U(turn) | own >> U((COLUMNS - turn) & 63)) & used:
                continue
            best, best_turn, fewest = at, turn, size
            break
    return best, best_turn, fewest
