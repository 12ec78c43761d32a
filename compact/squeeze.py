"""Squeezing a buffer: one square annealed again, parts pushed together, overlaps repaired.

One attempt, on a copy: take a square or two out, cut the buffer where its right part can move left
with few overlaps (all cuts and distances are tried at once, by words of 64 slots), move it, anneal
the squares back in, and repair what overlaps, worst first. It counts if nothing overlaps at the
end. In between, single squares are annealed for fewer used slots.

When: in every round of packing.

Why: moving half a buffer by a few slots shortens it by as much, and no single square could.

Cost: the gain of a round falls quickly: the published white table of 88,772 entries came to 88,745
so, the black one of 87,988 to 84,683. In each step the caller's prices say what a slot costs; all
follows from the random generator that is given, and no attempt leaves a conflict behind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece
from magicert.compact.anneal import Offsets, Prices, anneal_placement
from magicert.compact.kernels import Count, WalkEffort, entry_point, inner, word_at
from magicert.compact.layouts import MARGIN, Arrangement
from magicert.compact.placements import (
    Choice,
    Key,
    Placement,
    Random,
    Slots,
    Words,
    bitset,
    random_start,
    sparse_start,
)
from magicert.system.words import popcount

CONFLICT = 20
"""The price of a conflict, in used slots: a merged pair of sets must never pay."""
CLOSED = 30
"""The price of a slot beyond the length that an attempt aims at."""
FARTHEST_JUMP = 64
"""By how many slots an offset may move at once."""


class Overlap(NamedTuple):
    """What it costs, beside the slot itself, to use a slot of a rook's, or of bishops only."""

    rook: int
    bishop: int


def prices(arrangement: Arrangement, key: Key, goal: int, overlap: Overlap) -> Prices:
    """What every slot costs a placed square: 1, more where others are, or beyond `goal`."""
    count = arrangement.count
    price = np.ones(len(count), dtype=np.int32)
    price[count > 0] += overlap.rook
    if overlap.bishop != overlap.rook:
        for placement in arrangement.placements.values():
            if placement.piece is Piece.BISHOP:
                price[placement.slots] = 1 + overlap.bishop
        for placement in arrangement.placements.values():
            if placement.piece is Piece.ROOK and placement.key != key:
                price[placement.slots] = 1 + overlap.rook
    key_slots = arrangement.placements[key].slots
    price[key_slots[count[key_slots] == 1]] = 1
    price[goal:] += CLOSED
    return Prices(price, CONFLICT)


def place_anew(
    arrangement: Arrangement, key: Key, price: Prices, effort: WalkEffort, reach: int,
    random: Random, magic: int | None = None,
) -> bool:  # fmt: skip
    """Anneal one placed square within `reach` of its offset, from its own magic or another one;
    False if it stays where it is.
    """
    placement = arrangement.placements[key]
    offsets = Offsets(
        max(0, placement.offset - reach),
        min(arrangement.capacity - 1, placement.offset + reach),
        max(1, min(FARTHEST_JUMP, reach)),
    )
    first = placement.choice.magic if magic is None else magic
    start = Choice(first, placement.choice.constant, max(0, placement.offset))
    annealed = anneal_placement(placement.cell, start, price, offsets, effort, random)
    return (
        annealed is not None
        and annealed.choice != placement.choice
        and arrangement.replace(annealed)
    )


# Bishops behind the rooks, where cutting and pushing together finds nothing to push.
#
# One attempt, on a copy: lower the goal a little, take out every bishop that reaches beyond it
# and a few of their neighbours, and put them back one by one, the biggest first, into whatever
# is free below the goal. It counts if all of them find a place.

BISHOP_CONFLICT, TAKEN_PRICE = 60, 8
"""The prices of a bishop's conflict, and of a slot that is taken."""
EFFORT = WalkEffort(40_000, 8.0, 0.8)
SHORTENINGS = (1, 4, 16, 48, 128)
"""By how many slots an attempt may try to shorten the buffer."""
PLACES = 8
"""Places tried for one bishop."""
ANYWHERE, NEW_MAGIC = 0.25, 0.5
"""How often such a place may be far from the end, and how often the magic is a new one."""
NEAR = 3 * MARGIN // 4
"""So far before the end bishops are neighbours of those at the end."""
NEIGHBOURS = 6
"""Most neighbours that are taken out with those beyond the goal."""


def ends_with_bishops(arrangement: Arrangement) -> bool:
    """Whether a bishop reaches furthest."""
    last = max(
        arrangement.placements.values(), key=lambda placement: (placement.end, placement.key)
    )
    return last.piece is Piece.BISHOP


def shortened(arrangement: Arrangement, random: Random) -> Arrangement | None:
    """A shorter copy, or None where the attempt failed or a rook is in the way."""
    goal = arrangement.length - int(random.choice(SHORTENINGS))
    beyond = [key for key, placement in arrangement.placements.items() if placement.end > goal]
    if goal <= 0 or any(piece is Piece.ROOK for piece, _ in beyond):
        return None
    near = [
        key
        for key in arrangement.by_offset(Piece.BISHOP)
        if goal - NEAR < arrangement.placements[key].end <= goal
    ]
    neighbours = min(len(near), int(random.integers(NEIGHBOURS + 1)))
    taken_out = beyond + [near[int(n)] for n in random.choice(len(near), neighbours, replace=False)]
    candidate = arrangement.copy()
    placements = [candidate.take(key) for key in taken_out]
    for placement in sorted(
        placements, key=lambda placement: (-len(placement.used), placement.square)
    ):
        placed = _placed(candidate, placement, goal, random)
        if placed is None:
            return None
        candidate.put(placed)
    return candidate


def _placed(
    arrangement: Arrangement, placement: Placement, goal: int, random: Random
) -> Placement | None:
    """A placement for a bishop that is not here, all of it free and below the goal."""
    price = np.ones(len(arrangement.count), dtype=np.int32)
    price[arrangement.count > 0] += TAKEN_PRICE
    price[goal:] += CLOSED
    span = 1 << placement.cell.bits
    for _ in range(PLACES):
        lowest = 0 if random.random() < ANYWHERE else max(0, goal - NEAR)
        start = int(random.integers(lowest, max(lowest + 1, goal)))
        magic = sparse_start(random) if random.random() < NEW_MAGIC else placement.choice.magic
        choice = Choice(magic, placement.choice.constant, start)
        offsets = Offsets(max(0, start - span), min(goal, start + span))
        annealed = anneal_placement(
            placement.cell, choice, Prices(price, BISHOP_CONFLICT), offsets, EFFORT, random
        )
        if annealed is not None and annealed.end <= goal and arrangement.is_free(annealed):
            return annealed
    return None


# Where a buffer can be pushed together: cut it, and see how far the right part can move.
#
# A cut parts the squares by their offset. Moving all squares right of a cut by `distance`
# to the left shortens the buffer by as much; what then overlaps is the price. All cuts and
# all distances are tried at once, by shift-and over 64-bit words.

U = np.uint64
OVERLAP_WORTH = 0.25
"""A slot that overlaps makes a cut as much worse as this part of a slot of distance."""


class _Squares(NamedTuple):
    """Squares from left to right: their offsets, and square n's slots,
    slots[bounds[n] : bounds[n + 1]].
    """

    starts: Slots
    bounds: Slots
    slots: Slots


class Cut(NamedTuple):
    """Everything from `edge` on moves left by `distance`."""

    edge: int
    distance: int


@dataclass(frozen=True, slots=True)
class CutTable:
    """How many slots overlap, at [n, distance], when the squares from number n of `keys` on move
    left by `distance`; more than `limit` where that is too many.
    """

    keys: list[Key]
    starts: Slots
    overlaps: NDArray[np.int32]
    limit: int

    def draw(self, random: Random, spreads: Sequence[float]) -> Cut | None:
        """A random cut in front of any square but the first; None if all are too expensive. The
        smaller the spread (one of `spreads`), the likelier the cut that gains most.
        """
        choices = np.argwhere(self.overlaps[1:, 1:] <= self.limit) + 1
        if not len(choices):
            return None
        gains = choices[:, 1] - OVERLAP_WORTH * self.overlaps[choices[:, 0], choices[:, 1]]
        weight = np.exp((gains - gains.max()) / float(random.choice(spreads)))
        number, distance = choices[random.choice(len(choices), p=weight / weight.sum())]
        return Cut(int(self.starts[number]), int(distance))


def cut_table(
    arrangement: Arrangement, keys: Collection[Key], farthest: int, limit: int
) -> CutTable:
    """All cuts of the squares `keys`, at distances up to `farthest`."""
    ordered = sorted(keys, key=lambda key: (arrangement.placements[key].offset, key))
    slots = [arrangement.placements[key].slots for key in ordered]
    starts = np.array([arrangement.placements[key].offset for key in ordered], dtype=np.int64)
    squares = _Squares(starts, np.cumsum([0, *map(len, slots)]), np.concatenate(slots))
    right = bitset(slots, arrangement.capacity + farthest + 256)
    overlaps = np.zeros((len(ordered), farthest + 1), dtype=np.int32)
    _count_overlaps(squares, right, limit, overlaps)
    return CutTable(ordered, starts, overlaps, limit)


@entry_point
def _count_overlaps(
    squares: _Squares, right: Words, limit: Count, overlaps: NDArray[np.int32]
) -> None:
    """Fill overlaps[n, distance] for a cut in front of every square n. `right` is the bitset of
    all squares; it is used up.
    """
    left = np.zeros_like(right)
    last = np.int64(-1)
    for cut in range(len(squares.starts)):
        # Squares before the cut are in `left`; the right part begins at this one's offset.
        start = squares.starts[cut]
        for distance in range(1, overlaps.shape[1]):
            if start < distance:
                overlaps[cut, distance] = limit + 1
            else:
                first = (start - distance) >> 6
                overlaps[cut, distance] = _overlap(left, right, first, last >> 6, distance, limit)
        for place in range(squares.bounds[cut], squares.bounds[cut + 1]):
            slot = squares.slots[place]
            bit = U(1) << U(slot & 63)
            left[slot >> 6] |= bit
            right[slot >> 6] &= ~bit
            last = max(last, slot)


@inner
def _overlap(
    left: Words, right: Words, first: Count, last: Count, distance: Count, limit: Count
) -> Count:
    """Slots of words first..last of `left` that `right`, moved left by `distance`, uses too; or
    more than `limit`.
    """
    total = np.int64(0)
    for place in range(first, last + 1):
        total += np.int64(popcount(left[place] & word_at(right, 64 * place + distance)))
        if total > limit:
            break
    return total


# Repairing an arrangement whose squares overlap, or reach beyond the length aimed at.

ROUNDS = 10
"""Rooks annealed at most, one after the other."""
WORST = 3
"""A round takes one of so many rooks that overlap most."""
MOST_REPAIRABLE = 200
"""Where rooks overlap in more slots than this, no repair is tried."""
GIVE_UP_CHANCE = 0.6
"""How often the repair ends after a round that has not helped."""
ROOK_HEATS = (1.5, 3.0, 6.0)
ROOK_STEPS, ROOK_COLD, ROOK_REACH = 40_000, 0.6, 64
ROOK_OVERLAP = Overlap(8, 2)
BISHOP_EFFORT, BISHOP_REACH, BISHOP_PLACES = WalkEffort(30_000, 8.0, 0.8), 2000, 6
BISHOP_OVERLAP = Overlap(6, 6)


def repair(candidate: Arrangement, goal: int, random: Random) -> None:
    """Anneal what overlaps, rooks first, while that helps; bishops go wherever they fit."""
    before: int | None = None
    for _ in range(ROUNDS):
        overlaps = overlapping(candidate, Piece.ROOK, goal)
        slots = sum(amount for amount, _ in overlaps)
        if not overlaps or slots > MOST_REPAIRABLE:
            break
        if before is not None and slots >= before and random.random() < GIVE_UP_CHANCE:
            break
        before = slots
        _, key = overlaps[int(random.integers(min(WORST, len(overlaps))))]
        effort = WalkEffort(ROOK_STEPS, float(random.choice(ROOK_HEATS)), ROOK_COLD)
        price = prices(candidate, key, goal, ROOK_OVERLAP)
        place_anew(candidate, key, price, effort, ROOK_REACH, random)
    if overlapping(candidate, Piece.ROOK, goal):
        return
    for _, key in overlapping(candidate, Piece.BISHOP, goal):
        if not scatter(candidate, key, goal, random):
            return


def overlapping(candidate: Arrangement, piece: Piece, goal: int) -> list[tuple[int, Key]]:
    """The squares of a piece that overlap others of their kind (bishops: anything), or reach
    beyond the goal; with the slots where they do, worst first.
    """
    count = candidate.count
    if piece is Piece.ROOK:
        count = np.zeros_like(count)
        for placement in candidate.placements.values():
            if placement.piece is Piece.ROOK:
                count[placement.slots] += 1
    amounts = [
        (
            int(np.count_nonzero((count[placement.slots] > 1) | (placement.slots >= goal))),
            placement.key,
        )
        for placement in candidate.placements.values()
        if placement.piece is piece
    ]
    return sorted((item for item in amounts if item[0]), reverse=True)


def scatter(candidate: Arrangement, key: Key, goal: int, random: Random) -> bool:
    """Find holes for a bishop anywhere; True if it overlaps nothing at the end."""
    placement = candidate.placements[key]
    price = prices(candidate, key, goal, BISHOP_OVERLAP)
    for place in range(BISHOP_PLACES):
        if place:
            candidate.replace(
                placement.at(int(random.integers(max(1, goal - int(placement.used[-1])))))
            )
        place_anew(candidate, key, price, BISHOP_EFFORT, BISHOP_REACH, random)
        if candidate.overlap_of(key) == 0 and candidate.placements[key].end <= goal:
            return True
    return False


# Squeezing an arrangement: push it together where that almost fits, then repair.
#
# One attempt, on a copy:
#
# 1. *Cut.* Take a square or two out (often), look at the big squares alone, and choose a cut
#    and a distance with few overlaps (`cut_table`). Everything right of the cut moves left.
# 2. *Place anew* the squares that were taken out by placement-aware annealing: all others fixed,
#    magic and offset together, overlaps priced.
# 3. *Repair* whatever still overlaps, worst first, at low temperature.
#
# The attempt counts if nothing overlaps at the end. Between such attempts single squares
# are *thinned* in place: fewer used slots open holes without moving anything. Where bishops
# stand at the end, they are put closer together (`shortened`).

TO_THIN, TO_THIN_BISHOP, TO_SHORTEN = 0.30, 0.36, 0.84
"""Up to which random number an attempt is of which kind; beyond the last one it squeezes."""
LOOSE = 0.75
"""Below this fill an arrangement is loose: it may be pushed together in long strides, too."""
LOOSE_STRIDES, STRIDES = (24, 64, 160, 1024), (32, 128, 384)
OVERLAPS_TO_REPAIR = (0, 4, 12, 24, 40)
"""Most slots that may overlap after a cut."""
SPREADS = (2.0, 8.0, 24.0)
NO_SQUARE_OUT, ONE_SQUARE_OUT = 0.10, 0.75
"""Up to which random number no square is taken out, or one; beyond it two, at most so far apart:"""
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
        key = self._random_key(self._rooks())
        candidate = self.best.copy()
        goal = candidate.length
        steps = int(self.random.choice(THIN_STEPS))
        effort = WalkEffort(steps, float(self.random.choice(THIN_HEATS)), THIN_COLD)
        reach = int(self.random.choice(THIN_REACHES))
        price = prices(candidate, key, goal, THIN_OVERLAP)
        magic = self._another_magic(candidate, key, THIN_ANEW)
        if not place_anew(candidate, key, price, effort, reach, self.random, magic):
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
            scatter(candidate, self._random_key(keys), self.best.length, self.random)
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

    def _random_key(self, keys: list[Key]) -> Key:
        return keys[int(self.random.integers(len(keys)))]

    def _another_magic(self, candidate: Arrangement, key: Key, chance: float) -> int | None:
        """A random magic to begin with, with some probability."""
        if self.random.random() < chance:
            return random_start(candidate.placements[key].cell.square, self.random)
        return None

    def _squares_out(self, rooks: list[Key]) -> list[Key]:
        """None, one, or two near each other."""
        chance = self.random.random()
        if chance < NO_SQUARE_OUT:
            return []
        first = int(self.random.integers(len(rooks)))
        if chance < ONE_SQUARE_OUT:
            return [rooks[first]]
        second = min(len(rooks) - 1, first + 1 + int(self.random.integers(NEIGHBOURS)))
        return list(dict.fromkeys((rooks[first], rooks[second])))

    def _cut(self, keys: list[Key]) -> Cut | None:
        """A random cut with few overlaps among the squares kept."""
        limit = int(self.random.choice(OVERLAPS_TO_REPAIR))
        loose = self.best.used_slots < LOOSE * self.best.length
        farthest = int(self.random.choice(LOOSE_STRIDES if loose else STRIDES))
        return cut_table(self.best, keys, farthest, limit).draw(self.random, SPREADS)

    def _pushed_together(self, cut: Cut) -> Arrangement:
        """A copy in which everything right of the cut has moved."""
        candidate = self.best.copy()
        right = [
            key
            for key, placement in candidate.placements.items()
            if placement.offset >= cut.edge and placement.offset >= cut.distance
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
            place_anew(candidate, key, price, effort, OUT_REACH, self.random, magic)
            if candidate.overlap_of(key) == 0:
                return
            anew = 0.0
