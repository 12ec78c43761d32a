"""Squeezing an arrangement: push it together where that almost fits, then repair.

One attempt, on a copy:

1. *Cut.* Take a square or two out (often), look at the big squares alone, and choose a cut
   and a distance with few overlaps (`cutting`). Everything right of the cut moves left.
2. *Reseat* the squares that were taken out by placement-aware annealing: all others fixed,
   magic and offset together, overlaps priced.
3. *Repair* whatever still overlaps, worst first, at low temperature.

The attempt counts if nothing overlaps at the end. Between such attempts single squares
are *thinned* in place: fewer used slots open holes without moving anything. Where bishops
stand at the end, they are put closer together (`bishops_behind`).
"""

from collections.abc import Sequence

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.starts import random_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layouts.arrangement import Arrangement
from magicert.compact.squeeze.bishops_behind import ends_with_bishops, shortened
from magicert.compact.squeeze.cutting import Cut, cut_table
from magicert.compact.squeeze.repair import repair, scatter
from magicert.compact.squeeze.reseating import Overlap, prices, reseat

TO_THIN, TO_THIN_BISHOP, TO_SHORTEN = 0.30, 0.36, 0.84
"""Up to which random number an attempt is of which kind; beyond the last one it squeezes."""
LOOSE = 0.75
"""Below this fill an arrangement is loose: it may be pushed together in long strides, too."""
LOOSE_STRIDES, STRIDES = (24, 64, 160, 1024), (32, 128, 384)
OVERLAPS_TO_REPAIR = (0, 4, 12, 24, 40)
"""Most slots that may overlap after a cut."""
SPREADS = (2.0, 8.0, 24.0)
NONE_OUT, ONE_OUT = 0.10, 0.75
"""Up to which random number no square is taken out, or one; beyond it two, at most so far apart:"""
NEIGHBOURS = 6
THIN_STEPS, THIN_HEATS, THIN_COLD = (60_000, 120_000, 480_000), (3.0, 12.0, 40.0, 150.0), 0.7
THIN_REACHES, THIN_OVERLAP = (0, 64, 600), Overlap(8, 1)
THIN_ANEW = 0.25
"""How often a square is thinned from a random magic."""
THIN_REPAIRABLE = 30
"""Slots that may overlap after thinning, beside those that were saved."""
OUT_STEPS, OUT_HEATS, OUT_COLD = 100_000, (2.0, 6.0, 24.0, 80.0, 150.0), 0.8
OUT_REACH, OUT_OVERLAP = 600, Overlap(6, 1)
OUT_ANEW, HOT_ENOUGH = 0.3, 80.0
"""How often a square that was taken out begins with a random magic, at which temperatures."""
OUT_AGAIN = WalkEffort(40_000, 3.0, 0.7)
OUT_REPAIRABLE = 90
"""With more slots overlapping than this, a square that was taken out will not be repaired."""


class Squeezer:
    """Improves one arrangement; `best` is always valid, and never gets longer."""

    def __init__(self, arrangement: Arrangement, seed: int | Sequence[int]) -> None:
        if arrangement.overlaps():
            raise ValueError("an arrangement whose squares overlap cannot be squeezed")
        self.best = arrangement
        self.random = np.random.default_rng(seed)

    def step(self) -> None:
        """One attempt of a kind chosen at random."""
        chance = self.random.random()
        if chance < TO_THIN:
            self.thin()
        elif chance < TO_THIN_BISHOP:
            self.thin_bishop()
        elif chance < TO_SHORTEN and ends_with_bishops(self.best):
            self.shorten()
        else:
            self.squeeze()

    def thin(self) -> None:
        """Anneal one rook against its used slots, all others fixed: in place, or anew."""
        key = self._any(self._rooks())
        candidate = self.best.copy()
        goal = candidate.length
        steps = int(self.random.choice(THIN_STEPS))
        effort = WalkEffort(steps, float(self.random.choice(THIN_HEATS)), THIN_COLD)
        reach = int(self.random.choice(THIN_REACHES))
        price = prices(candidate, key, goal, THIN_OVERLAP)
        magic = self._another_magic(candidate, key, THIN_ANEW)
        if not reseat(candidate, key, price, effort, reach, self.random, magic):
            return
        saved = self.best.used_slots - candidate.used_slots
        # Overlaps are worth a repair only where something is to be gained.
        if saved >= 0 and candidate.overlap_of(key) <= THIN_REPAIRABLE + saved:
            repair(candidate, goal, self.random)
            self._accept(candidate)

    def thin_bishop(self) -> None:
        """Send one bishop somewhere else, so that no place is for ever."""
        keys = self.best.by_offset(Piece.BISHOP)
        if keys:
            candidate = self.best.copy()
            scatter(candidate, self._any(keys), self.best.length, self.random)
            self._accept(candidate)

    def shorten(self) -> None:
        """Put the bishops at the end closer together."""
        candidate = shortened(self.best, self.random)
        if candidate is not None:
            self._accept(candidate)

    def squeeze(self) -> None:
        """Take squares out, push together, put them back, repair."""
        rooks = self._rooks()
        out = self._squares_out(rooks)
        cut = self._cut([key for key in rooks if key not in out])
        if cut is None:
            return
        candidate = self._pushed_together(cut)
        goal = self.best.length - cut.distance
        for key in out:
            self._put_back(candidate, key, goal)
            if candidate.overlap_of(key) > OUT_REPAIRABLE:
                return
        repair(candidate, goal, self.random)
        self._accept(candidate)

    def _accept(self, candidate: Arrangement) -> None:
        """Keep a candidate that is valid and no worse: no longer, and with the same length no
        more slots used.
        """
        gain = self.best.length - candidate.length
        saved = self.best.used_slots - candidate.used_slots
        if not candidate.overlaps() and (gain > 0 or (gain == 0 and saved >= 0)):
            self.best = candidate

    def _rooks(self) -> list[Key]:
        """The rooks from left to right; all squares where there are none."""
        return self.best.by_offset(Piece.ROOK) or self.best.by_offset()

    def _any(self, keys: list[Key]) -> Key:
        return keys[int(self.random.integers(len(keys)))]

    def _another_magic(self, candidate: Arrangement, key: Key, chance: float) -> int | None:
        """A random magic to begin with, with some probability."""
        if self.random.random() < chance:
            return random_start(candidate.seats[key].cell.square, self.random)
        return None

    def _squares_out(self, rooks: list[Key]) -> list[Key]:
        """None, one, or two near each other."""
        chance = self.random.random()
        if chance < NONE_OUT:
            return []
        first = int(self.random.integers(len(rooks)))
        if chance < ONE_OUT:
            return [rooks[first]]
        second = min(len(rooks) - 1, first + 1 + int(self.random.integers(NEIGHBOURS)))
        return list(dict.fromkeys((rooks[first], rooks[second])))

    def _cut(self, kept: list[Key]) -> Cut | None:
        """A random cut with few overlaps among the squares kept."""
        limit = int(self.random.choice(OVERLAPS_TO_REPAIR))
        loose = self.best.used_slots < LOOSE * self.best.length
        farthest = int(self.random.choice(LOOSE_STRIDES if loose else STRIDES))
        return cut_table(self.best, kept, farthest, limit).draw(self.random, SPREADS)

    def _pushed_together(self, cut: Cut) -> Arrangement:
        """A copy in which everything right of the cut has moved."""
        candidate = self.best.copy()
        right = [
            key
            for key, seat in candidate.seats.items()
            if seat.offset >= cut.edge and seat.offset >= cut.distance
        ]
        candidate.move(right, -cut.distance)
        return candidate

    def _put_back(self, candidate: Arrangement, key: Key, goal: int) -> None:
        """Anneal a square until it overlaps nothing: hot, and then once more."""
        hot = float(self.random.choice(OUT_HEATS))
        anew = OUT_ANEW if hot >= HOT_ENOUGH else 0.0
        for effort in (WalkEffort(OUT_STEPS, hot, OUT_COLD), OUT_AGAIN):
            price = prices(candidate, key, goal, OUT_OVERLAP)
            magic = self._another_magic(candidate, key, anew)
            reseat(candidate, key, price, effort, OUT_REACH, self.random, magic)
            if candidate.overlap_of(key) == 0:
                return
            anew = 0.0
