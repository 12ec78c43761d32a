"""Words for all parties, fewer and fewer: some words are given up, and who used them finds others.

A step takes some parties out and puts them back, those without a place first; it counts if no more
words are missing than before. Everything follows from the seed: efforts are steps, never seconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import Words
from magicert.compact.overlay.overlay_kernel import NO_PLACE, Ground, Ints, best_numbers
from magicert.compact.overlay.parties import Party
from magicert.system.deadline import Deadline

NUMBERS = 256
"""How many numbers a byte has."""
STEPS = 150
"""Steps of one worker in one round."""
CHOICES, TRIES = 40, 3
"""Bases that are looked at for a party, and those that are assigned in full."""
MOST_OUT, MOST_TRIED = 6, 3
"""Most parties that give up their places in a step, and of those without one that are tried."""
FRESH = (15, 30, 60, 90)
"""Prices of an unused word, in bits of used ones; one is drawn for each step."""
SHARERS, ATTEMPTS = 6, 4
"""How many classes share a word before the search begins; attempts at a party before it gets words
of its own.
"""
CUT = 50
"""One part of so many of the words is given up at once, as long as that goes well."""
PATIENCE = 3
"""Rounds without success after which half as many words are given up at once."""


class Place(NamedTuple):
    """The bases of a party's members, and the numbers of its classes."""

    bases: Ints
    numbers: Ints


@dataclass(frozen=True, eq=False)
class Overlay:
    """So many words, and the places of parties in them; None for a party without one."""

    words: int
    places: tuple[Place | None, ...]

    @property
    def complete(self) -> bool:
        """Whether every party has a place."""
        return None not in self.places

    def missing(self, parties: Sequence[Party]) -> int:
        """How many words are asked for by those who have no place."""
        pairs = zip(parties, self.places, strict=True)
        return sum(party.demand for party, place in pairs if place is None)


@dataclass(frozen=True)
class Search:
    """How far it is: the best overlay, one with fewer words in which parties are missing, and by
    how many words one is cut; `failed` rounds since the last success.
    """

    best: Overlay
    trial: Overlay
    cut: int
    failed: int = 0


@dataclass(frozen=True)
class Order:
    """An order to go on with a search; picklable."""

    parties: tuple[Party, ...]
    search: Search
    seed: tuple[int, ...]
    deadline: Deadline
    steps: int = STEPS


def first_overlay(parties: Sequence[Party], seed: int, deadline: Deadline) -> Overlay:
    """Every party in turn, the most demanding first, in about as many words as will do; with more
    words for those that find no place.

    Raises BudgetOverError at the deadline.
    """
    asked = sum(party.demand * len(party.keys) for party in parties)
    words = max(NUMBERS * max(len(party.keys) for party in parties), asked // SHARERS)
    work = _Work(parties, Overlay(words, (None,) * len(parties)), np.random.default_rng(seed))
    order = sorted(range(len(parties)), key=lambda n: (-parties[n].demand, n))
    for n in order:
        deadline.check()
        work.put(n, FRESH[2])
    for n in order:
        deadline.check()
        if work.places[n] is None and not any(work.put(n, FRESH[-1]) for _ in range(ATTEMPTS)):
            work.append(n)
    return work.overlay()


def begin(parties: Sequence[Party], best: Overlay, seed: int) -> Search:
    """A search that has found `best`."""
    cut = max(1, best.words // CUT)
    return Search(best, cut_down(parties, best, cut, np.random.default_rng(seed)), cut)


def improve(order: Order) -> Search:
    """Go on with a search for some steps. BudgetOverError at the deadline."""
    search, random = order.search, np.random.default_rng(order.seed)
    work = _Work(order.parties, search.trial, random)
    for _ in range(order.steps):
        order.deadline.check()
        work.step()
        if work.complete:
            best = work.overlay()
            search = replace(search, best=best, failed=0)
            work = _Work(order.parties, cut_down(order.parties, best, search.cut, random), random)
    return replace(search, trial=work.overlay())


def figures(search: Search, parties: Sequence[Party]) -> tuple[int, int]:
    """What a search is judged by: the smaller the better."""
    return search.best.words, search.trial.missing(parties)


def after_round(search: Search, parties: Sequence[Party], before: Overlay, seed: int) -> Search:
    """The search that the next round goes on with: cuts get smaller where they do not succeed."""
    if search.best.words < before.words:
        return replace(search, failed=0)
    if search.failed + 1 < PATIENCE:
        return replace(search, failed=search.failed + 1)
    cut = max(1, search.cut // 2)
    trial = cut_down(parties, search.best, cut, np.random.default_rng(seed))
    return Search(search.best, trial, cut)


def cut_down(parties: Sequence[Party], overlay: Overlay, cut: int, random: Random) -> Overlay:
    """An overlay without its first or its last words, and without the parties that used them."""
    words = overlay.words - cut
    by = cut if random.random() < 0.5 else 0
    places: list[Place | None] = []
    for party, place in zip(parties, overlay.places, strict=True):
        moved = None if place is None else _moved(place, by)
        places.append(moved if moved is not None and _inside(party, moved, words) else None)
    return Overlay(words, tuple(places))


def _moved(place: Place, by: int) -> Place | None:
    """A place that many words further down; a base below 0 goes up and the numbers down."""
    below = max(0, by - int(place.bases.min()))
    numbers = place.numbers - below
    return Place(place.bases - by + below, numbers) if numbers.min() >= 0 else None


def _inside(party: Party, place: Place, words: int) -> bool:
    at = place.bases[None, :] + place.numbers[:, None]
    return bool((at[party.ones != 0] < words).all())


class _Work:
    """An overlay as it is worked on."""

    def __init__(self, parties: Sequence[Party], overlay: Overlay, random: Random) -> None:
        self.parties, self.random = parties, random
        self.words = overlay.words
        self.places = list(overlay.places)
        self._fill()

    @property
    def complete(self) -> bool:
        return None not in self.places

    def overlay(self) -> Overlay:
        """What there is now."""
        return Overlay(self.words, tuple(self.places))

    def append(self, n: int) -> None:
        """Give a party words of its own behind all others."""
        party = self.parties[n]
        bases = self.words + party.size * np.arange(len(party.keys))
        self.words += party.size * len(party.keys)
        self.places[n] = Place(bases, np.arange(party.size))
        self._fill()

    def step(self) -> None:
        """Take some parties out and put them back; as before, if more is missing then."""
        before, missing = list(self.places), self.overlay().missing(self.parties)
        random = self.random
        without = {n for n, place in enumerate(self.places) if place is None}
        placed = sorted(set(range(len(self.parties))) - without)
        out = random.permutation(placed)[: 1 + int(random.integers(MOST_OUT))].tolist()
        for n in out:
            self.places[n] = None
        self._fill()
        urgent = random.random(len(self.parties)) + (random.random(len(self.parties)) < 0.7)
        fresh = FRESH[int(random.integers(len(FRESH)))]
        tried = random.permutation(sorted(without))[:MOST_TRIED].tolist()
        for n in sorted({*tried, *out}, key=lambda n: (urgent[n] if n in out else 0.5, n)):
            self.put(n, fresh)
        if self.overlay().missing(self.parties) > missing:
            self.places = before
            self._fill()

    def put(self, n: int, fresh: int) -> bool:
        """Give a party a place, if there is one among some choices of bases."""
        party = self.parties[n]
        choices, span = self._choices(party)
        if not len(choices):
            return False
        ground = Ground(self.ones, self.zeros, self.used, fresh)
        cost, at, numbers = best_numbers(party.ones, party.zeros, choices, span, ground, TRIES)
        if cost >= NO_PLACE:
            return False
        self.places[n] = Place(choices[at], numbers)
        self._add(n)
        return True

    def _choices(self, party: Party) -> tuple[Ints, int]:
        """Some bases for the members, whose windows do not meet, and how long the windows are."""
        members = len(party.keys)
        span = NUMBERS if members == 1 else int(party.size * (1.05 + 1.15 * self.random.random()))
        span = min(NUMBERS, self.words, max(span, party.size + 8))
        drawn = self.random.integers(self.words - span + 1, size=(4 * CHOICES, members))
        ranked = np.sort(drawn, axis=1)
        apart = np.flatnonzero((np.diff(ranked, axis=1) >= span).all(axis=1))
        return np.unique(drawn[apart][:CHOICES], axis=0), span

    def _fill(self) -> None:
        self.ones = np.zeros(self.words, np.uint64)
        self.zeros = np.zeros(self.words, np.uint64)
        self.used = np.zeros(self.words, np.int64)
        for n, place in enumerate(self.places):
            if place is not None:
                self._add(n)

    def _add(self, n: int) -> None:
        party, place = self.parties[n], self.places[n]
        assert place is not None
        add_wants(party, place, self.ones, self.zeros)
        at = place.bases[None, :] + place.numbers[:, None]
        np.add.at(self.used, at[party.ones != 0], 1)


def add_wants(party: Party, place: Place, ones: Words, zeros: Words) -> None:
    """Write what a party wants of the words that it uses."""
    asked = party.ones != 0
    at = (place.bases[None, :] + place.numbers[:, None])[asked]
    np.bitwise_or.at(ones, at, party.ones[asked])
    np.bitwise_or.at(zeros, at, party.zeros[asked])


def words_of(parties: Iterable[Party], overlay: Overlay) -> Words:
    """The finished words. Raises ValueError where a bit must be one and zero."""
    ones, zeros = np.zeros(overlay.words, np.uint64), np.zeros(overlay.words, np.uint64)
    for party, place in zip(parties, overlay.places, strict=True):
        if place is not None:
            add_wants(party, place, ones, zeros)
    if (ones & zeros).any():
        raise ValueError("a bit of a word must be one and zero")
    return ones
