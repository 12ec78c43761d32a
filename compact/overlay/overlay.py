"""Words for all parties, fewer and fewer: some words are cut off, and who used them finds others.

Squares that share bytes come first, since a number of theirs must suit two words at once.
Everything follows from the seed: efforts are steps, never seconds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from magicert.compact.anneal.random_words import Random
from magicert.compact.overlay.demand_kernel import NO_NUMBER, NUMBERS, Demand, Draft
from magicert.compact.overlay.overlay_kernel import DraftEffort, anneal, put_all
from magicert.compact.overlay.parties import Party
from magicert.compact.overlay.places import Overlay, PartyPlace, cut_down
from magicert.system.deadline import Deadline

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


@dataclass(frozen=True)
class OverlayOrder:
    """An order to go on with a search; picklable."""

    parties: tuple[Party, ...]
    search: OverlaySearch
    seed: tuple[int, ...]
    deadline: Deadline
    annealings: int = ANNEALINGS


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


def improve(order: OverlayOrder) -> OverlaySearch:
    """Go on with a search for some annealings. BudgetOverError at the deadline."""
    search, parties = order.search, order.parties
    random = np.random.default_rng(order.seed)
    for _ in range(order.annealings):
        order.deadline.check()
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
        anneal(demand, draft, overlay.words, effort, np.uint64(random.integers(1 << 62)))
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
        seed = np.uint64(random.integers(1 << 62))
        put_all(demand, draft, words, np.array(order, np.int64), EFFORT, seed)
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
