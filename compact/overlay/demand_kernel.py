"""What parties want of words, and what it costs to give them one, compiled.

A word has bits that must be one, bits that must be zero, and bits that nobody asks for. Whoever
comes next may use it if nothing contradicts; the fewer bits are new, the more are left for others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, entry
from magicert.system.words import popcount

U = np.uint64
Ints = NDArray[np.int64]
Costs = NDArray[np.int32]
NUMBERS = 256
"""How many numbers a byte has."""
NO_NUMBER = -1
"""In place of a number: the class has none."""


class Demand(NamedTuple):
    """What all parties want. Party p has the classes first[p] to first[p + 1] - 1 and members[p]
    members; class n wants ones[n, k] and zeros[n, k] of member k's word, nothing where both are 0.
    """

    first: Ints
    members: Ints
    ones: Words
    zeros: Words


class Draft(NamedTuple):
    """Places under work: bases[party, member], and numbers[class]."""

    bases: Ints
    numbers: Ints


class WordDemands(NamedTuple):
    """The words: what is wanted of each, and by how many classes."""

    ones: Words
    zeros: Words
    used: Ints


@entry
def no_words(words: Count) -> WordDemands:
    """Words of which nobody wants anything."""
    return WordDemands(
        np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.int64)
    )


@entry
def add_party(demand: Demand, draft: Draft, party: Count, ground: WordDemands) -> None:
    """Write what a party wants into the words that it uses."""
    for n in range(demand.first[party], demand.first[party + 1]):
        if draft.numbers[n] == NO_NUMBER:
            continue
        for k in range(demand.members[party]):
            if demand.ones[n, k] != U(0):
                at = draft.bases[party, k] + draft.numbers[n]
                ground.ones[at] |= demand.ones[n, k]
                ground.zeros[at] |= demand.zeros[n, k]
                ground.used[at] += 1


@entry
def lay(demand: Demand, draft: Draft, ground: WordDemands) -> None:
    """Fill the words anew, from all places."""
    ground.ones[:], ground.zeros[:], ground.used[:] = U(0), U(0), 0
    for party in range(len(demand.members)):
        add_party(demand, draft, party, ground)


@entry
def word_costs(
    demand: Demand, party: Count, ground: WordDemands, fresh: Count, without: Count
) -> Costs:
    """What each word would cost each class of a party, for each member: the bits that are new,
    `fresh` for a word that nobody uses, `without` for a contradiction.
    """
    first, end = demand.first[party], demand.first[party + 1]
    words = len(ground.ones)
    cost = np.empty((demand.members[party], end - first, words), np.int32)
    for k in range(demand.members[party]):
        for n in range(end - first):
            one, zero = demand.ones[first + n, k], demand.zeros[first + n, k]
            for at in range(words):
                if one == U(0):
                    cost[k, n, at] = np.int32(0)
                elif (one & ground.zeros[at]) | (zero & ground.ones[at]):
                    cost[k, n, at] = np.int32(without)
                elif ground.used[at] == 0:
                    cost[k, n, at] = np.int32(fresh)
                else:
                    new = (one | zero) & ~(ground.ones[at] | ground.zeros[at])
                    cost[k, n, at] = np.int32(popcount(new))
    return cost


@entry
def window_costs(cost: Costs, bases: Ints, span: Count, without: Count) -> Ints:
    """What each number below `span` would cost each class of a party with these bases, `without` at
    most.
    """
    members, classes, _ = cost.shape
    table = np.empty((classes, span), np.int64)
    for n in range(classes):
        for number in range(span):
            total = np.int64(0)
            for k in range(members):
                total += np.int64(cost[k, n, bases[k] + number])
            table[n, number] = min(total, np.int64(without))
    return table


@entry
def add_least(row: Costs, span: Count, total: Ints, queue: Ints) -> None:
    """Add to total[n] the least of row[n : n + span]: what a class would cost there if it could
    have any number. `queue`: room for as many places as the row has.
    """
    begin, end = np.int64(0), np.int64(0)
    for n in range(len(row)):
        while end > begin and row[queue[end - 1]] >= row[n]:
            end -= 1
        queue[end] = n
        end += 1
        if queue[begin] + span <= n:
            begin += 1
        if n + 1 >= span:
            total[n + 1 - span] += np.int64(row[queue[begin]])
