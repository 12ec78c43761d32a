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

from collections.abc import Callable, Sequence

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.annealing import Effort, Prices, Random, annealed
from magicert.compact.anneal.pools import random_start
from magicert.compact.layouts.arrangement import Arrangement, Key
from magicert.compact.squeeze.bishops_behind import ends_with_bishops, shortened
from magicert.compact.squeeze.cutting import cut_table

CONFLICT = 20
"""The price of a conflict, in used slots: a merged pair of sets must never pay."""
LOOSE = 0.75
"""Below this fill an arrangement is loose."""
CLOSED = 30
"""The price of a slot beyond the length that an attempt aims at."""


def prices(
    arrangement: Arrangement, limit: int, overlap: int, small: int, ignore: Key | None = None
) -> Prices:
    """What every slot costs: 1, and more where a rook (`overlap`) or only bishops (`small`) are,
    or beyond `limit`. `ignore` is a seated square that is not counted.
    """
    count = arrangement.count
    price = np.ones(len(count), dtype=np.int32)
    price[count > 0] += overlap
    if small != overlap:
        for (piece, _), seat in arrangement.seats.items():
            if piece is Piece.BISHOP:
                price[seat.slots] = 1 + small
        for key, seat in arrangement.seats.items():
            if key[0] is Piece.ROOK and key != ignore:
                price[seat.slots] = 1 + overlap
    if ignore is not None:
        own = arrangement.seats[ignore].slots
        price[own[count[own] == 1]] = 1
    price[limit:] += CLOSED
    return price


def reseat(
    arrangement: Arrangement,
    key: Key,
    price: Prices,
    effort: Effort,
    random: Random,
    reach: int,
    start: int | None = None,
) -> bool:
    """Anneal one seated square against the prices, from its own magic or from `start`; False
    if it stays where it is.
    """
    seat = arrangement.seats[key]
    highest = arrangement.room - 1
    first = seat.magic if start is None else start
    within = max(0, seat.offset - reach), min(highest, seat.offset + reach)
    magic, constant, offset, _ = annealed(
        seat.data, seat.bits, arrangement.mode, (first, seat.constant, max(0, seat.offset)),
        price, CONFLICT, within, max(1, min(64, reach)), effort, random,
    )  # fmt: skip
    if (magic, constant, offset) == (seat.magic, seat.constant, seat.offset):
        return False
    return arrangement.reseat(key, magic, constant, offset)


class Squeezer:
    """Improves one arrangement; `best` is always valid, and never gets longer."""

    def __init__(
        self,
        arrangement: Arrangement,
        seed: int | Sequence[int],
        found: Callable[[Arrangement, str], None] = lambda _arrangement, _how: None,
    ) -> None:
        if arrangement.overlaps():
            raise ValueError("an arrangement whose squares overlap cannot be squeezed")
        self.best = arrangement
        self.random = np.random.default_rng(seed)
        self.found = found
        self.attempts = 0
        self.successes = 0

    def step(self) -> None:
        """One attempt of a kind chosen at random."""
        self.attempts += 1
        chance = self.random.random()
        if chance < 0.30:
            self.thin()
        elif chance < 0.36:
            self.thin_bishop()
        elif chance < 0.84 and ends_with_bishops(self.best):
            self.shorten()
        else:
            self.squeeze()

    def _accept(self, candidate: Arrangement, how: str) -> bool:
        if candidate.overlaps():
            return False
        gain = self.best.length - candidate.length
        saved = self.best.used_slots - candidate.used_slots
        if gain < 0 or (gain == 0 and saved < 0):
            return False
        self.best = candidate
        if gain or saved:
            self.successes += 1
            self.found(candidate, how)
        return True

    def thin(self) -> None:
        """Anneal one rook against its used slots, all others fixed: in place, or anew."""
        keys = self.best.by_offset(Piece.ROOK) or self.best.by_offset()
        key = keys[int(self.random.integers(len(keys)))]
        candidate = self.best.copy()
        limit = candidate.length
        steps = int(self.random.choice([60_000, 120_000, 480_000]))
        effort = Effort(steps, float(self.random.choice([3.0, 12.0, 40.0, 150.0])), 0.7)
        reach = int(self.random.choice([0, 64, 600]))
        price = prices(candidate, limit, 8, 1, key)
        if not self._anneal(candidate, key, price, effort, reach, fresh=0.25):
            return
        saved = self.best.used_slots - candidate.used_slots
        # Overlaps are worth a repair only where something is to be gained.
        if saved >= 0 and candidate.overlap_of(key) <= 30 + saved:
            self.repair(candidate, limit, 10)
            self._accept(candidate, "thin")

    def thin_bishop(self) -> None:
        """Send one bishop somewhere else, so that no place is for ever."""
        keys = self.best.by_offset(Piece.BISHOP)
        if not keys:
            return
        key = keys[int(self.random.integers(len(keys)))]
        candidate = self.best.copy()
        self._scatter(candidate, key, self.best.length)
        self._accept(candidate, "bishop")

    def shorten(self) -> None:
        """Put the bishops at the end closer together."""
        candidate = shortened(self.best, self.random)
        if candidate is not None:
            self._accept(candidate, "tail")

    def squeeze(self) -> None:
        """Take squares out, push together, put them back, repair."""
        rooks = self.best.by_offset(Piece.ROOK)
        if not rooks:
            rooks = self.best.by_offset()
        out = self._squares_out(rooks)
        kept = [key for key in rooks if key not in out]
        limit = int(self.random.choice([0, 4, 12, 24, 40]))
        # A loose arrangement may be pushed together in long strides, too.
        loose = self.best.used_slots < LOOSE * self.best.length
        farthest = int(self.random.choice([24, 64, 160, 1024] if loose else [32, 128, 384]))
        ordered, table = cut_table(self.best, kept, farthest, limit)
        choices = np.argwhere(table[1:, 1:] <= limit)
        if not len(choices):
            return
        gains = (choices[:, 1] + 1) - 0.25 * table[choices[:, 0] + 1, choices[:, 1] + 1]
        weight = np.exp((gains - gains.max()) / float(self.random.choice([2.0, 8.0, 24.0])))
        cut, distance = choices[self.random.choice(len(choices), p=weight / weight.sum())] + 1
        edge = self.best.seats[ordered[int(cut)]].offset
        candidate = self.best.copy()
        moving = [
            key
            for key, seat in candidate.seats.items()
            if seat.offset >= edge and seat.offset >= distance
        ]
        candidate.move(moving, -int(distance))
        goal = self.best.length - int(distance)
        for key in out:
            self._reseat_out(candidate, key, goal)
            # A square that is still far from fitting will not be repaired.
            if candidate.overlap_of(key) > 90:
                return
        self.repair(candidate, goal, 10)
        self._accept(candidate, f"cut {int(distance)}, {len(out)} out")

    def _squares_out(self, rooks: list[Key]) -> list[Key]:
        chance = self.random.random()
        if chance < 0.1:
            return []
        first = int(self.random.integers(len(rooks)))
        if chance < 0.75:
            return [rooks[first]]
        second = min(len(rooks) - 1, first + 1 + int(self.random.integers(6)))
        return list(dict.fromkeys((rooks[first], rooks[second])))

    def _reseat_out(self, candidate: Arrangement, key: Key, goal: int) -> None:
        hot = float(self.random.choice([2.0, 6.0, 24.0, 80.0, 150.0]))
        fresh = 0.3 if hot >= 80 else 0.0
        for effort in (Effort(100_000, hot, 0.8), Effort(40_000, 3.0, 0.7)):
            price = prices(candidate, goal, 6, 1, key)
            self._anneal(candidate, key, price, effort, 600, fresh)
            if candidate.overlap_of(key) == 0:
                return
            fresh = 0.0

    def _anneal(
        self,
        candidate: Arrangement,
        key: Key,
        price: Prices,
        effort: Effort,
        reach: int,
        fresh: float,
    ) -> bool:
        """Anneal a square from where it is or, with probability `fresh`, from a random magic."""
        start = None
        if self.random.random() < fresh:
            start = random_start(candidate.seats[key].data, self.random)
        return reseat(candidate, key, price, effort, self.random, reach, start)

    def repair(self, candidate: Arrangement, goal: int, rounds: int) -> None:
        """Anneal what overlaps, rooks first, while that helps; bishops go wherever they fit."""
        before = 1 << 30
        for round_ in range(rounds):
            bad = self._overlapping(candidate, Piece.ROOK, goal)
            rooks_bad = sum(amount for amount, _ in bad)
            if not bad or rooks_bad > 200:
                break
            if round_ and rooks_bad >= before and self.random.random() < 0.6:
                break
            before = rooks_bad
            _, key = bad[int(self.random.integers(min(3, len(bad))))]
            hot = float(self.random.choice([1.5, 3.0, 6.0]))
            price = prices(candidate, goal, 8, 2, key)
            reseat(candidate, key, price, Effort(40_000, hot, 0.6), self.random, 64)
        if self._overlapping(candidate, Piece.ROOK, goal):
            return
        for _, key in self._overlapping(candidate, Piece.BISHOP, goal):
            if not self._scatter(candidate, key, goal):
                return

    def _overlapping(
        self, candidate: Arrangement, piece: Piece, goal: int
    ) -> list[tuple[int, Key]]:
        """The squares of a piece that overlap others of their kind (bishops: anything), or
        reach beyond the goal; worst first.
        """
        count = candidate.count
        if piece is Piece.ROOK:
            count = np.zeros_like(count)
            for key, seat in candidate.seats.items():
                if key[0] is Piece.ROOK:
                    count[seat.slots] += 1
        amounts = [
            (int(np.count_nonzero((count[seat.slots] > 1) | (seat.slots >= goal))), key)
            for key, seat in candidate.seats.items()
            if key[0] is piece
        ]
        return sorted((item for item in amounts if item[0]), reverse=True)

    def _scatter(self, candidate: Arrangement, key: Key, goal: int) -> bool:
        """Find holes for a bishop anywhere; True if it overlaps nothing at the end."""
        seat = candidate.seats[key]
        price = prices(candidate, goal, 6, 6, key)
        for attempt in range(6):
            if attempt:
                offset = int(self.random.integers(max(1, goal - int(seat.used[-1]))))
                candidate.reseat(key, seat.magic, seat.constant, offset)
            reseat(candidate, key, price, Effort(30_000, 8.0, 0.8), self.random, 2000)
            now = candidate.seats[key]
            if candidate.overlap_of(key) == 0 and now.end <= goal:
                return True
        return False
