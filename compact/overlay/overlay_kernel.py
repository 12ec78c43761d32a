"""The overlay kernel: some parties give up their places and find others, compiled.

Which class gets which number is an assignment of least cost. Which bases a party takes is decided
by a bound: what its classes would cost there if they could share numbers. The best bases lie close
to each other and are all alike, so of each neighbourhood only one is assigned in full.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.assignment import assigned
from magicert.compact.anneal.random_words import State, next_below, next_fraction, random_state
from magicert.compact.compiled import Count, Word, entry
from magicert.compact.overlay.demand_kernel import (
    NO_NUMBER,
    NUMBERS,
    Costs,
    Demand,
    Draft,
    Ints,
    WordDemands,
    add_least,
    add_party,
    lay,
    no_words,
    window_costs,
    word_costs,
)
from magicert.system.words import popcount

U = np.uint64
DEARER = 3
"""A class without a number costs so many times as much where numbers are chosen as it costs a
draft, where a choice is judged.
"""
NEIGHBOURS = 24
"""Of so many bases one after another only the best is taken for a choice."""
NOISE = 0.15
"""By which part bounds are raised at random, at most: the best is not always chosen."""
LEAST_FRESH, MOST_FRESH = 15, 75
"""Prices of a word that nobody uses; one is drawn for each step."""
MORE = 10
"""So many times as many distances are drawn for a party in trouble."""
NOBODY = -1
NOWHERE = 1e18
"""The bound of a choice that is none."""


class DraftEffort(NamedTuple):
    """How a draft is annealed: `steps` from a heat to 0, in bits; `tries` bases are assigned in
    full; `apart` distances between the bases of two members are drawn, more for a party in
    trouble. Up to `out` others give up their places in a step, and of those with two members
    only so many of a hundred that are drawn (`rarely`). A class without a number costs as much as
    `missed` bits of words that somebody asks for.
    """

    steps: int
    heat: float
    tries: int
    apart: int
    out: int
    rarely: int
    missed: int


class Choices(NamedTuple):
    """Bases to try, each with its bound and with how many numbers it has."""

    bounds: NDArray[np.float64]
    bases: Ints
    spans: Ints


@entry
def offer(choices: Choices, bound: float, bases: Ints, span: Count) -> None:
    """Put bases in the place of the worst choice, if they are better."""
    worst = np.argmax(choices.bounds)
    if bound < choices.bounds[worst]:
        choices.bounds[worst], choices.spans[worst] = bound, span
        choices.bases[worst] = bases


@entry
def offer_single(cost: Costs, choices: Choices, state: State) -> None:
    """The best bases of a party of one, one for each neighbourhood."""
    _, classes, words = cost.shape
    span = min(NUMBERS, words)
    bounds, queue = np.zeros(words + 1 - span, np.int64), np.empty(words, np.int64)
    for n in range(classes):
        add_least(cost[0, n], span, bounds, queue)
    end = next_below(state, NEIGHBOURS) + 1
    begin, bases = np.int64(0), np.zeros(1, np.int64)
    while begin < len(bounds):
        end = min(end, len(bounds))
        bases[0] = begin + np.argmin(bounds[begin:end])
        offer(choices, bounds[bases[0]] * (1 + NOISE * next_fraction(state)), bases, span)
        begin, end = end, end + NEIGHBOURS


@entry
def offer_pair(cost: Costs, apart: Count, without: Count, choices: Choices, state: State) -> None:
    """For some distances between the bases of a party's two members, the best bases so far apart.
    The windows of the two must not meet.
    """
    _, classes, words = cost.shape
    queue, row = np.empty(words, np.int64), np.empty(words, np.int32)
    bases = np.zeros(2, np.int64)
    if words <= 2 * classes:
        return
    for _ in range(apart):
        by = classes + next_below(state, words - 2 * classes)
        low = next_below(state, 2)
        length = words - by
        span = min(NUMBERS, by, length)
        bounds = np.zeros(length + 1 - span, np.int64)
        for n in range(classes):
            for at in range(length):
                row[at] = min(cost[low, n, at] + cost[1 - low, n, at + by], np.int32(without))
            add_least(row[:length], span, bounds, queue)
        least = np.argmin(bounds)
        bases[low], bases[1 - low] = least, least + by
        offer(choices, bounds[least] * (1 + NOISE * next_fraction(state)), bases, span)


@entry
def offer_known(draft: Draft, party: Count, cost: Costs, choices: Choices) -> None:
    """The bases that the party has: with other numbers they may do."""
    members, classes, words = cost.shape
    bases = draft.bases[party, :members]
    span = min(NUMBERS, words - bases.max())
    for one in range(members):
        for other in range(one):
            span = min(span, abs(bases[one] - bases[other]))
    if span >= classes:
        offer(choices, 0.0, bases, span)


@entry
def put(
    demand: Demand, draft: Draft, party: Count, ground: WordDemands, fresh: Count,
    effort: DraftEffort, apart: Count, state: State,
) -> None:  # fmt: skip
    """Give a party other bases, or the same, and its classes numbers; those that find only words
    that contradict them get none.
    """
    without, tries = DEARER * effort.missed, effort.tries
    cost = word_costs(demand, party, ground, fresh, without)
    choices = Choices(
        np.full(tries, NOWHERE), np.zeros((tries, len(cost)), np.int64), np.zeros(tries, np.int64)
    )
    if len(cost) == 1:
        offer_single(cost, choices, state)
    elif len(cost) == 2:
        offer_pair(cost, apart, without, choices, state)
    if len(cost) > 1:
        offer_known(draft, party, cost, choices)
    first, end = demand.first[party], demand.first[party + 1]
    draft.numbers[first:end] = NO_NUMBER
    least = np.int64(1) << 60
    for choice in range(tries):
        if choices.bounds[choice] >= NOWHERE:
            continue
        table = window_costs(cost, choices.bases[choice], choices.spans[choice], without)
        total, numbers = assigned(table)
        if total < least:
            least = total
            draft.bases[party, : len(cost)] = choices.bases[choice]
            for n in range(end - first):
                none = table[n, numbers[n]] >= without
                draft.numbers[first + n] = NO_NUMBER if none else numbers[n]
    add_party(demand, draft, party, ground)


@entry
def judged(draft: Draft, ground: WordDemands, missed: Count) -> tuple[Count, Count]:
    """How many classes are without a number, and what the draft costs in all."""
    missing, bits = np.int64(0), np.int64(0)
    for n in range(len(draft.numbers)):
        missing += np.int64(draft.numbers[n] == NO_NUMBER)
    for at in range(len(ground.ones)):
        bits += np.int64(popcount(ground.ones[at] | ground.zeros[at]))
    return missing, missing * missed + bits


@entry
def in_trouble(demand: Demand, draft: Draft, state: State) -> Count:
    """A party of which some class has no number; NOBODY if there is none."""
    found, met = np.int64(NOBODY), np.int64(0)
    for party in range(len(demand.members)):
        for n in range(demand.first[party], demand.first[party + 1]):
            if draft.numbers[n] == NO_NUMBER:
                met += 1
                if next_below(state, met) == 0:
                    found = np.int64(party)
                break
    return found


@entry
def drawn(demand: Demand, trouble: Count, effort: DraftEffort, state: State) -> Ints:
    """Who gives up a place in a step: the party in trouble, if there is one, and some others."""
    parties = len(demand.members)
    wanted = min(parties, 1 + next_below(state, effort.out))
    out, count = np.empty(wanted, np.int64), np.int64(0)
    if trouble != NOBODY:
        out[0], count = trouble, np.int64(1)
    while count < wanted:
        party = next_below(state, parties)
        wanted_less = demand.members[party] > 1 and next_below(state, 100) >= effort.rarely
        if not wanted_less and not (out[:count] == party).any():
            out[count] = party
            count += 1
    if next_below(state, 2):
        for n in range(count - 1, 0, -1):
            other = next_below(state, n + 1)
            out[n], out[other] = out[other], out[n]
    return out[:count]


@entry
def anneal(demand: Demand, draft: Draft, words: Count, effort: DraftEffort, seed: Word) -> Count:
    """Anneal a draft until no class is without a number, or for all steps of an effort. How many
    are without one.
    """
    state = random_state(seed)
    ground = no_words(words)
    lay(demand, draft, ground)
    missing, cost = judged(draft, ground, effort.missed)
    for step in range(effort.steps):
        if missing == 0:
            break
        heat = effort.heat * (1 - step / effort.steps)
        bases, numbers = draft.bases.copy(), draft.numbers.copy()
        trouble = in_trouble(demand, draft, state) if next_below(state, 4) else np.int64(NOBODY)
        out = drawn(demand, trouble, effort, state)
        for party in out:
            draft.numbers[demand.first[party] : demand.first[party + 1]] = NO_NUMBER
        lay(demand, draft, ground)
        fresh = LEAST_FRESH + next_below(state, MOST_FRESH - LEAST_FRESH)
        for party in out:
            apart = effort.apart * (MORE if party == trouble else 1)
            put(demand, draft, party, ground, fresh, effort, apart, state)
        still, after = judged(draft, ground, effort.missed)
        if after <= cost or next_fraction(state) < math.exp((cost - after) / heat):
            missing, cost = still, after
        else:
            draft.bases[:], draft.numbers[:] = bases, numbers
    return missing


@entry
def put_all(
    demand: Demand, draft: Draft, words: Count, order: Ints, effort: DraftEffort, seed: Word
) -> None:
    """Put some parties in order into what others have left."""
    state = random_state(seed)
    ground = no_words(words)
    lay(demand, draft, ground)
    for party in order:
        put(demand, draft, party, ground, MOST_FRESH, effort, MORE * effort.apart, state)
