"""Where parties find their words: a base for each square, a number for each joint class."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from magicert.compact.anneal.squares import Words
from magicert.compact.overlay.demand_kernel import NO_NUMBER, Ints
from magicert.compact.overlay.parties import Party


class PartyPlace(NamedTuple):
    """The bases of a party's members, and the numbers of its classes, NO_NUMBER for a class that
    has found none.
    """

    bases: Ints
    numbers: Ints


@dataclass(frozen=True, eq=False)
class Overlay:
    """So many words, and the places of parties in them."""

    words: int
    places: tuple[PartyPlace, ...]

    @property
    def missing(self) -> int:
        """How many classes have no number."""
        return sum(int((place.numbers == NO_NUMBER).sum()) for place in self.places)


def words_of(parties: Iterable[Party], overlay: Overlay) -> Words:
    """The finished words. Raises ValueError where a bit must be one and zero."""
    ones, zeros = np.zeros(overlay.words, np.uint64), np.zeros(overlay.words, np.uint64)
    for party, place in zip(parties, overlay.places, strict=True):
        asked = (party.ones != 0) & (place.numbers != NO_NUMBER)[:, None]
        at = (place.bases[None, :] + place.numbers[:, None])[asked]
        np.bitwise_or.at(ones, at, party.ones[asked])
        np.bitwise_or.at(zeros, at, party.zeros[asked])
    if (ones & zeros).any():
        raise ValueError("a bit of a word must be one and zero")
    return ones


def cut_down(parties: Iterable[Party], overlay: Overlay, by: int, *, front: bool) -> Overlay:
    """An overlay without its first or its last words: classes that used them lose their numbers."""
    words = overlay.words - by
    return Overlay(
        words,
        tuple(
            _cut(party, place, words, by if front else 0)
            for party, place in zip(parties, overlay.places, strict=True)
        ),
    )


def _cut(party: Party, place: PartyPlace, words: int, by: int) -> PartyPlace:
    """A place that many words further down; a base below 0 goes up and the numbers down."""
    up = max(0, by - int(place.bases.min()))
    bases, numbers = place.bases - by + up, place.numbers - up
    beyond = ((bases[None, :] + numbers[:, None] >= words) & (party.ones != 0)).any(axis=1)
    lost = (place.numbers == NO_NUMBER) | (numbers < 0) | beyond
    return PartyPlace(bases, np.where(lost, NO_NUMBER, numbers))
