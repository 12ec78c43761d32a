"""The second level of an overlaid table: words for all parties, fewer and fewer.

Rounds cut off some words, and the overlay kernel finds others for the parties that used them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.kernels import (
    Count,
    State,
    Word,
    entry_point,
    next_below,
    next_fraction,
    random_state,
)
from magicert.compact.placements import Random, next_seed
from magicert.system.deadline import Deadline
from magicert.system.words import popcount
from research.packing.assignment import assigned
from research.packing.overlay.parties import (
    NO_NUMBER,
    NUMBERS,
    Costs,
    Demand,
    Draft,
    Ints,
    Overlay,
    Party,
    PartyPlace,
    WordDemands,
    add_least,
    add_party,
    cut_down,
    lay,
    no_words,
    window_costs,
    word_costs,
)

# The overlay kernel: some parties give up their places and find others, compiled.
#
# Which class gets which number is an assignment of least cost. Which bases a party takes is decided
# by a bound: what its classes would cost there if they could share numbers. The best bases lie
# close to each other and are all alike, so of each neighbourhood only one is assigned in full.


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


@entry_point
def offer(choices: Choices, bound: float, bases: Ints, span: Count) -> None:
    """Put bases in the place of the worst choice, if they are better."""
    worst = np.argmax(choices.bounds)
    if bound < choices.bounds[worst]:
        choices.bounds[worst], choices.spans[worst] = bound, span
        choices.bases[worst] = bases


@entry_point
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


@entry_point
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


@entry_point
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


@entry_point
def put(
    demand: Demand, draft: Draft, party: Count, buffer: WordDemands, fresh: Count,
    effort: DraftEffort, apart: Count, state: State,
) -> None:  # fmt: skip
    """Give a party other bases, or the same, and its classes numbers; those that find only words
    that contradict them get none.
    """
    without, tries = DEARER * effort.missed, effort.tries
    cost = word_costs(demand, party, buffer, fresh, without)
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
    add_party(demand, draft, party, buffer)


@entry_point
def judged(draft: Draft, buffer: WordDemands, missed: Count) -> tuple[Count, Count]:
    """How many classes are without a number, and what the draft costs in all."""
    missing, bits = np.int64(0), np.int64(0)
    for n in range(len(draft.numbers)):
        missing += np.int64(draft.numbers[n] == NO_NUMBER)
    for at in range(len(buffer.ones)):
        bits += np.int64(popcount(buffer.ones[at] | buffer.zeros[at]))
    return missing, missing * missed + bits


@entry_point
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


@entry_point
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


@entry_point
def anneal(demand: Demand, draft: Draft, words: Count, effort: DraftEffort, seed: Word) -> Count:
    """Anneal a draft until no class is without a number, or for all steps of an effort. How many
    are without one.
    """
    state = random_state(seed)
    buffer = no_words(words)
    lay(demand, draft, buffer)
    missing, cost = judged(draft, buffer, effort.missed)
    for step in range(effort.steps):
        if missing == 0:
            break
        heat = effort.heat * (1 - step / effort.steps)
        bases, numbers = draft.bases.copy(), draft.numbers.copy()
        trouble = in_trouble(demand, draft, state) if next_below(state, 4) else np.int64(NOBODY)
        out = drawn(demand, trouble, effort, state)
        for party in out:
            draft.numbers[demand.first[party] : demand.first[party + 1]] = NO_NUMBER
        lay(demand, draft, buffer)
        fresh = LEAST_FRESH + next_below(state, MOST_FRESH - LEAST_FRESH)
        for party in out:
            apart = effort.apart * (MORE if party == trouble else 1)
            put(demand, draft, party, buffer, fresh, effort, apart, state)
        still, after = judged(draft, buffer, effort.missed)
        if after <= cost or next_fraction(state) < math.exp((cost - after) / heat):
            missing, cost = still, after
        else:
            draft.bases[:], draft.numbers[:] = bases, numbers
    return missing


@entry_point
def put_all(
    demand: Demand, draft: Draft, words: Count, order: Ints, effort: DraftEffort, seed: Word
) -> None:
    """Put some parties in order into what others have left."""
    state = random_state(seed)
    buffer = no_words(words)
    lay(demand, draft, buffer)
    for party in order:
        fresh = np.int64(MOST_FRESH)  # a literal is another type: all would be compiled twice
        put(demand, draft, party, buffer, fresh, effort, MORE * effort.apart, state)


# Words for all parties, fewer and fewer: some words are cut off, and who used them finds others.
#
# Squares that share bytes come first, since a number of theirs must suit two words at once.
# Everything follows from the seed: efforts are steps, never seconds.

EFFORT = DraftEffort(steps=150, heat=20.0, tries=4, apart=4, out=8, rarely=20, missed=60)
"""One annealing: a second at most."""
ANNEALINGS = 4
"""Annealings of one worker in one round."""
PAIRS_SHARE, SINGLES_SHARE = 2, 8
"""How many classes share a word before the search begins: of parties of two, and of one."""
CUT = 40
"""One part of so many of the words is cut off at once, as long as that goes well."""
PAIRS_PATIENCE, PATIENCE = 4, 20
"""Annealings without success after which less is wanted: of parties of two alone, and of all."""
DOUBLING, MOST_DOUBLED = 4, 6
"""A missing number costs twice as much after so many annealings without success; how often."""
ROUNDS_PATIENCE = 8
"""Rounds without success after which some of the words that were cut off come back."""


@dataclass(frozen=True)
class OverlaySearch:
    """How far it is: the best overlay, one with fewer words in which numbers are missing, and by
    how many words one is cut; `failed` rounds since the last success.
    """

    best: Overlay
    trial: Overlay
    cut: int
    failed: int = 0


def first_overlay(
    parties: Sequence[Party],
    seed: int,
    deadline: Deadline,
    look: Callable[[Overlay], None] = lambda _overlay: None,
) -> Overlay:
    """Those who share bytes first, in hardly more words than they need; then everybody. `look` is
    called now and then with how far it is.

    Raises BudgetOverError at the deadline.
    """
    random = np.random.default_rng(seed)
    nobody = Overlay(0, tuple(_nowhere(party) for party in parties))
    sharing = [n for n, party in enumerate(parties) if len(party.keys) > 1]
    alone = [n for n, party in enumerate(parties) if len(party.keys) == 1]
    few = _extended(parties, nobody, sharing, PAIRS_SHARE, random)
    if sharing:
        few = _fewer(parties, few, sharing, random, deadline, look)
    start = _extended(parties, few, alone, SINGLES_SHARE, random)
    return _completed(parties, start, random, deadline, look)


def begin(parties: Sequence[Party], best: Overlay, seed: int) -> OverlaySearch:
    """A search that has found `best`."""
    cut = max(1, best.words // CUT)
    return OverlaySearch(best, _cut(parties, best, cut, np.random.default_rng(seed)), cut)


def improve(
    parties: Sequence[Party], search: OverlaySearch, deadline: Deadline, seed: tuple[int, ...],
    annealings: int = ANNEALINGS,
) -> OverlaySearch:  # fmt: skip
    """Go on with a search for some annealings. BudgetOverError at the deadline."""
    random = np.random.default_rng(seed)
    for _ in range(annealings):
        deadline.check()
        trial = annealed(parties, search.trial, random, search.failed * ANNEALINGS)
        if trial.missing == 0:
            cut = _cut(parties, trial, search.cut, random)
            search = replace(search, best=trial, trial=cut, failed=0)
        else:
            search = replace(search, trial=trial)
    return search


def figures(search: OverlaySearch) -> tuple[int, int]:
    """What a search is judged by: the smaller the better."""
    return search.best.words, search.trial.missing


def after_round(search: OverlaySearch, before: Overlay) -> OverlaySearch:
    """The search that the next round goes on with: where it does not succeed, half of the words
    that were cut off come back.
    """
    if search.best.words < before.words:
        return replace(search, failed=0)
    if search.failed + 1 < ROUNDS_PATIENCE:
        return replace(search, failed=search.failed + 1)
    cut = max(1, search.cut // 2)
    words = max(search.trial.words, search.best.words - cut)
    return OverlaySearch(search.best, replace(search.trial, words=words), cut)


def annealed(
    parties: Sequence[Party], overlay: Overlay, random: Random, failed: int = 0
) -> Overlay:
    """An overlay after one annealing. The more have `failed`, the more a missing number counts:
    otherwise a party would rather miss some than use words that nobody uses yet.
    """
    effort = EFFORT._replace(missed=EFFORT.missed << min(failed // DOUBLING, MOST_DOUBLED))
    demand, draft = _demand(parties), _draft(parties, overlay)
    if len(draft.numbers):
        anneal(demand, draft, overlay.words, effort, next_seed(random))
    return _overlay(parties, demand, draft, overlay.words)


def _completed(
    parties: Sequence[Party],
    overlay: Overlay,
    random: Random,
    deadline: Deadline,
    look: Callable[[Overlay], None],
) -> Overlay:
    """An overlay in which nobody is missing; with more words where that does not come about."""
    best, failed = overlay.missing, 0
    while overlay.missing:
        deadline.check()
        look(overlay)
        overlay = annealed(parties, overlay, random, failed)
        failed = 0 if overlay.missing < best else failed + 1
        best = min(best, overlay.missing)
        if overlay.missing and failed >= PATIENCE:
            overlay = replace(overlay, words=overlay.words + max(overlay.missing, NUMBERS // 8))
    return overlay


def _fewer(
    parties: Sequence[Party],
    overlay: Overlay,
    which: list[int],
    random: Random,
    deadline: Deadline,
    look: Callable[[Overlay], None],
) -> Overlay:
    """Those parties alone, in fewer words, until that goes no further."""
    some = [parties[n] for n in which]
    start = replace(overlay, places=tuple(overlay.places[n] for n in which))
    best = _completed(some, start, random, deadline, look)
    trial, failed = _cut(some, best, best.words // CUT, random), 0
    while failed < PAIRS_PATIENCE:
        deadline.check()
        look(trial)
        trial = annealed(some, trial, random)
        if trial.missing:
            failed += 1
        else:
            best, failed = trial, 0
            trial = _cut(some, best, best.words // CUT, random)
    places = list(overlay.places)
    for n, place in zip(which, best.places, strict=True):
        places[n] = place
    return Overlay(best.words, tuple(places))


def _extended(
    parties: Sequence[Party], overlay: Overlay, which: list[int], share: int, random: Random
) -> Overlay:
    """An overlay with some parties more, the most demanding first, and with words for them."""
    asked = sum(parties[n].demand for n in which)
    least = max((NUMBERS * len(parties[n].keys) for n in which), default=0)
    words = max(least, overlay.words + asked // share)
    order = sorted(which, key=lambda n: (-parties[n].demand, n))
    demand, draft = _demand(parties), _draft(parties, overlay)
    if order:
        places = np.array(order, np.int64)
        put_all(demand, draft, words, places, EFFORT, next_seed(random))
    return _overlay(parties, demand, draft, words)


def _nowhere(party: Party) -> PartyPlace:
    return PartyPlace(np.zeros(len(party.keys), np.int64), np.full(party.size, NO_NUMBER, np.int64))


def _cut(parties: Sequence[Party], overlay: Overlay, by: int, random: Random) -> Overlay:
    return cut_down(parties, overlay, by, front=bool(random.random() < 0.5))


def _demand(parties: Sequence[Party]) -> Demand:
    sizes = [party.size for party in parties]
    most = max(2, *(len(party.keys) for party in parties))
    ones, zeros = np.zeros((2, sum(sizes), most), np.uint64)
    first = np.cumsum([0, *sizes]).astype(np.int64)
    for begin, party in zip(first, parties, strict=False):
        here = slice(int(begin), int(begin) + party.size), slice(len(party.keys))
        ones[here], zeros[here] = party.ones, party.zeros
    members = np.array([len(party.keys) for party in parties], np.int64)
    return Demand(first, members, ones, zeros)


def _draft(parties: Sequence[Party], overlay: Overlay) -> Draft:
    bases = np.zeros((len(parties), max(2, *(len(party.keys) for party in parties))), np.int64)
    for row, place in zip(bases, overlay.places, strict=True):
        row[: len(place.bases)] = place.bases
    return Draft(bases, np.concatenate([place.numbers for place in overlay.places]))


def _overlay(parties: Sequence[Party], demand: Demand, draft: Draft, words: int) -> Overlay:
    rows = zip(parties, draft.bases, demand.first[:-1], demand.first[1:], strict=True)
    places = [
        PartyPlace(bases[: len(party.keys)].copy(), draft.numbers[begin:end].copy())
        for party, bases, begin, end in rows
    ]
    return Overlay(words, tuple(places))
