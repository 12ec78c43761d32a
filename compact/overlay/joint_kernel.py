"""The joint kernel: pairs of rooks on few columns of a page, with few joint classes.

Two rooks that share a column share its bytes. A byte numbers a joint class, an attack set of each.
How many there are depends on how the rows of the two lie to each other: the guest is turned by
whole rows, too, as far as its magics can be.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.random_words import next_below, random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, Word, entry, inner
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS
from magicert.system.words import popcount

U = np.uint64
Ints = NDArray[np.int64]
MOST_SETS = 160
"""More than any square has attack sets."""
NUMBERS = 256
"""How many joint classes a byte can number."""


class Side(NamedTuple):
    """A rook of a pair: its library, and what makes a magic's indexes and attack set numbers."""

    columns: Words
    magics: Words
    occupancies: Words
    numbers: NDArray[np.uint16]
    around: Word


class PairStamps(NamedTuple):
    """Stamps of the pairs, and of the attack sets, that were seen."""

    pairs: Ints
    hosts: Ints
    guests: Ints
    stamp: Ints


@entry
def new_scratch() -> PairStamps:
    """Working space for any pair."""
    return PairStamps(
        np.zeros(MOST_SETS * MOST_SETS, np.int64), np.zeros(MOST_SETS, np.int64),
        np.zeros(MOST_SETS, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip


@entry
def page_of(side: Side, magic: Word) -> Ints:
    """The attack set number in each slot of a page, -1 where a magic has none."""
    page = np.full(PAGE, -1, np.int64)
    added = side.around * magic
    for n in range(len(side.occupancies)):
        page[(side.occupancies[n] * magic + added) >> U(64 - ROW_BITS)] = side.numbers[n]
    return page


@inner
def joint_classes(host: Ints, guest: Ints, turn: Count, most: Count, scratch: PairStamps) -> Count:
    """How many numbers two rooks on one page need, the guest turned by `turn` slots: one for each
    pair of attack sets, and one for those that stand alone everywhere, of both rooks at once.
    Any number above `most` if they need more than that.
    """
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0]
    joint = np.int64(0)
    for slot in range(PAGE):
        one, other = host[slot], guest[(slot - turn) & (PAGE - 1)]
        if one >= 0 and other >= 0:
            scratch.hosts[one] = scratch.guests[other] = stamp
            key = one * MOST_SETS + other
            if scratch.pairs[key] != stamp:
                scratch.pairs[key] = stamp
                joint += 1
                if joint > most:
                    return joint
    alone, also = np.int64(0), np.int64(0)
    for slot in range(PAGE):
        one, other = host[slot], guest[slot]
        if one >= 0 and scratch.hosts[one] != stamp:
            scratch.hosts[one] = stamp
            alone += 1
        if other >= 0 and scratch.guests[other] != stamp:
            scratch.guests[other] = stamp
            also += 1
    return joint + alone + also


@entry
def find_joint(
    host: Side, guest: Side, steps: tuple[Count, Count], looks: Count, seed: Word, found: Words
) -> Count:  # fmt: skip
    """Random hosts, each with a guest on as few columns together as `looks` guests allow, turned so
    that they have few joint classes.

    The guest turns by steps[0] slots within a row, and by steps[1] in whole rows. The number of
    rows of `found` that are filled: the union of the columns, the places in both libraries, the
    guest's turn in slots, and the joint classes, at most 256.
    """
    state, scratch = random_state(seed), new_scratch()
    rows = np.int64(0)
    for _ in range(len(found)):
        at = next_below(state, len(host.columns))
        own = host.columns[at]
        first, fewest = next_below(state, len(guest.columns)), np.int64(COLUMNS + 1)
        best, best_turn = np.int64(0), np.int64(0)
        for n in range(min(looks, len(guest.columns))):
            other = (first + n) % len(guest.columns)
            columns = guest.columns[other]
            for turn in range(0, COLUMNS, steps[0]):
                turned = columns << U(turn) | columns >> U((COLUMNS - turn) & 63)
                both = np.int64(popcount(own | turned))
                if both < fewest:
                    fewest, best, best_turn = both, np.int64(other), np.int64(turn)
            if fewest == np.int64(popcount(own)):
                break
        page = page_of(host, host.magics[at])
        theirs = page_of(guest, guest.magics[best])
        classes, best_by = np.int64(NUMBERS + 1), np.int64(0)
        for by in range(best_turn, PAGE, steps[1]):
            met = joint_classes(page, theirs, by, classes - 1, scratch)
            if met < classes:
                classes, best_by = met, np.int64(by)
        if classes <= NUMBERS:
            columns = guest.columns[best]
            turned = columns << U(best_turn) | columns >> U((COLUMNS - best_turn) & 63)
            found[rows, 0], found[rows, 1], found[rows, 2] = own | turned, U(at), U(best)
            found[rows, 3], found[rows, 4] = U(best_by), U(classes)
            rows += 1
    return rows
