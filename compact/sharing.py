"""Movers in one shared buffer: each in the holes of others, and in slots that hold its sets.

First fit: the movers from the biggest down, each with the magic and at the offset that takes the
fewest free slots. Then attempts, each of which counts if the buffer gets no longer and, where it is
as long, no fuller: one mover is annealed against what the slots hold; those at the end, or some
anywhere, are taken out and put back in another order.

When: `magicert pack` for a table of any board.

Why: on a board's lines movers are small, and fit almost anywhere. How long the buffer is follows
from how many slots all of them use together, so the attempts look for magics that use few, and
for places where the slots hold the right sets already.

Cost: a mover of 256 occupancies is annealed in some hundredths of a second, and put back in less
than a thousandth (`fullest_fit`). All attempts follow from the seed; a buffer never holds a
conflict.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from magicert.compact.kernels import FREE, Held, WalkEffort, fullest_fit
from magicert.compact.movers import (
    Anneal,
    Key,
    Mover,
    MoverPlacement,
    SlotPrices,
    annealed,
)
from magicert.compact.placements import Random
from magicert.search.finders.trial import construct_magic
from magicert.system.deadline import Deadline

Pools = Mapping[Key, Sequence[MoverPlacement]]
"""Of each mover some magics at offset 0, those with the fewest slots first."""


class SharedBuffer:
    """Placements of movers, none in conflict: what each slot holds, and how many use it."""

    def __init__(self, capacity: int) -> None:
        self.held: Held = np.full(capacity, FREE, dtype=np.int32)
        self.users = np.zeros(capacity, dtype=np.int32)
        self.placements: dict[Key, MoverPlacement] = {}

    @classmethod
    def of(cls, placements: Iterable[MoverPlacement]) -> "SharedBuffer":
        """A buffer of these. Raises ValueError where two of them want one slot."""
        placements = list(placements)
        margin = max((1 << max(p.mover.bits) for p in placements), default=0)
        buffer = cls(max((p.end for p in placements), default=0) + margin)
        for placement in placements:
            if not buffer.fits(placement):
                raise ValueError(f"{placement.key}: another attack set is in a slot")
            buffer.put(placement)
        return buffer

    def fits(self, placement: MoverPlacement) -> bool:
        """Whether no slot of a placement that is not here holds anything else."""
        held = self.held[placement.slots]
        return bool(((held == FREE) | (held == placement.holds)).all())

    def put(self, placement: MoverPlacement) -> None:
        """Place a mover that has no placement, where it fits."""
        self.placements[placement.key] = placement
        slots = placement.slots
        self.held[slots] = placement.holds
        self.users[slots] += 1

    def take(self, key: Key) -> MoverPlacement:
        """Take out a mover."""
        placement = self.placements.pop(key)
        slots = placement.slots
        self.users[slots] -= 1
        self.held[slots[self.users[slots] == 0]] = FREE
        return placement

    def more(self, placement: MoverPlacement) -> int:
        """How many more slots are used with a placement that is not here."""
        return int(np.count_nonzero(self.held[placement.slots] == FREE))

    @property
    def length(self) -> int:
        """The last slot used + 1."""
        return max((placement.end for placement in self.placements.values()), default=0)

    @property
    def used_slots(self) -> int:
        """How many slots are used."""
        return int(np.count_nonzero(self.users))

    @property
    def figures(self) -> tuple[int, int]:
        """What a buffer is judged by: the smaller the better."""
        return self.length, self.used_slots


# Pools: magics with few used slots, for an empty buffer. A walk begins with a magic that works:
# the given one, or one that is built.

UNIT = 4
"""The price of a free slot while magics are annealed."""
TAKEN, CLOSED, CONFLICT = 6 * UNIT, 8 * UNIT, 1000
"""The prices of a slot that holds another set, of one beyond the length aimed at beside its own,
and of a conflict."""
HEATS = (2.0, 6.0, 16.0)
"""First temperatures, in prices of a slot."""
MOST_STEPS, LEAST_STEPS, LOOKUPS = 30_000, 200, 1 << 23
"""Steps of a walk: as many as make so many lookups, within limits."""
POOL = 6
"""Magics in a pool, and walks for each."""
WALKS = 2


def effort_of(mover: Mover, hot: float) -> WalkEffort:
    """A walk's length for a mover."""
    steps = min(MOST_STEPS, max(LEAST_STEPS, LOOKUPS // len(mover.numbers)))
    return WalkEffort(steps, hot * UNIT, UNIT / 2)


def fill_pool(seed: int, deadline: Deadline, first: MoverPlacement) -> list[MoverPlacement]:
    """A mover's pool; `first` is its magic so far, and in it. BudgetOverError at the deadline."""
    mover = first.mover
    random = np.random.default_rng([seed, mover.key[1], len(mover.numbers)])
    found = {(first.bits, first.magic): first.at(0)}
    for number in range(POOL * WALKS):
        deadline.check()
        start = _start(mover, first, random)
        empty = np.full(2 << start.bits, FREE, dtype=np.int32)
        prices = SlotPrices(empty, UNIT, TAKEN, 0, len(empty), CONFLICT)
        effort = effort_of(mover, HEATS[number % len(HEATS)])
        best = annealed(mover, Anneal(start.bits, start.magic, 0, 0, 1, effort), prices, random)
        for placement in (start, best):
            if placement is not None:
                found.setdefault((placement.bits, placement.magic), placement.at(0))
    return sorted(found.values(), key=lambda p: (len(p.used), p.bits, p.magic))[:POOL]


def _start(mover: Mover, first: MoverPlacement, random: Random) -> MoverPlacement:
    """A magic that works, of one of the mover's numbers of bits where that is possible."""
    bits = int(random.choice(mover.bits))
    magic = construct_magic(mover.mask, bits, mover.width, int(random.integers(1 << 63)))
    built = None if magic is None else mover.placed(magic, bits)
    return first if built is None or random.random() < OWN else built


OWN = 0.25
"""How often a walk begins with the magic that there is."""


# First fit, and attempts to do better.

CANDIDATES = 3
"""Magics of a pool that are tried in the buffer."""
NOISE = 0.3
"""By how much the order by size is disturbed."""
THIN, SHORTEN, SHUFFLE = 0.6, 0.8, 0.98
"""Up to which random number an attempt is of which kind; beyond the last it is first fit anew."""
SHORTENINGS = (1, 4, 16, 64)
"""By how many slots an attempt may try to shorten the buffer."""
MOST_OUT = 12
"""Most movers that are taken out beside those at the end."""
REACHES = (0, 64, 1 << 40)
"""How far an offset may move while its mover is annealed."""
JUMP = 64
ELSEWHERE = 0.5
"""How often a mover is annealed from another magic, anywhere."""


def first_fit(
    pools: Pools, capacity: int, order: Iterable[Key], deadline: Deadline
) -> SharedBuffer:
    """Each mover in turn where it takes the fewest free slots. Behind all others there is always
    a place. BudgetOverError at the deadline.
    """
    buffer = SharedBuffer(capacity)
    length = 0
    for key in order:
        deadline.check()
        placement = _fitted(buffer, pools[key], length, inside=False)
        assert placement is not None
        buffer.put(placement)
        length = max(length, placement.end)
    return buffer


def capacity_of(pools: Pools) -> int:
    """Slots that are always enough, and a margin behind them."""
    spans = [max(int(p.used[-1]) + 1 for p in pool) for pool in pools.values()]
    return sum(spans) + max(1 << max(pool[0].mover.bits) for pool in pools.values())


def by_size(pools: Pools, random: Random | None = None) -> list[Key]:
    """The movers from the biggest down; with `random` not quite."""
    sizes = np.array([len(pool[0].used) for pool in pools.values()], dtype=float)
    if random is not None:
        sizes *= np.exp(NOISE * random.standard_normal(len(sizes)))
    keys = list(pools)
    return [keys[place] for place in np.argsort(-sizes, kind="stable").tolist()]


def _fitted(
    buffer: SharedBuffer, pool: Iterable[MoverPlacement], end: int, *, inside: bool
) -> MoverPlacement | None:
    """A mover's magic and offset that take the fewest free slots, and lie before `end` if they are
    to be `inside`; None where none fits.
    """
    best, fewest = None, 0
    for entry in pool:
        highest = end - int(entry.used[-1]) - 1 if inside else end
        if highest < 0:
            continue
        offset = int(fullest_fit(buffer.held, entry.used, entry.holds, highest))
        if offset > highest:
            continue
        placement = entry.at(offset)
        beyond = max(0, placement.end - end)
        more = buffer.more(placement) + beyond
        if best is None or more < fewest:
            best, fewest = placement, more
    return best


class Improver:
    """Improves one buffer, in place: `buffer` is always valid, and never gets worse."""

    def __init__(
        self, placements: Iterable[MoverPlacement], pools: Pools, seed: Sequence[int]
    ) -> None:
        self.buffer = SharedBuffer.of(placements)
        self.pools = pools
        self.keys = sorted(pools)
        self.random = np.random.default_rng(seed)

    def step(self, deadline: Deadline) -> None:
        """One attempt of a kind chosen at random."""
        chance = self.random.random()
        if chance < THIN:
            self.thin()
        elif chance < SHORTEN:
            self.shorten()
        elif chance < SHUFFLE:
            self.shuffle()
        else:
            self.fit_anew(deadline)

    def thin(self) -> None:
        """Anneal one mover where it is, or another magic of it anywhere, for fewer slots."""
        buffer = self.buffer
        end = buffer.length
        before = buffer.take(self._any_key())
        after = self._annealed(before, end)
        better = after is not None and after.end <= end and buffer.fits(after)
        if better and after is not None and buffer.more(after) <= buffer.more(before):
            buffer.put(after)
        else:
            buffer.put(before)

    def _annealed(self, before: MoverPlacement, end: int) -> MoverPlacement | None:
        """A mover that is not here, annealed below `end`."""
        buffer, random, mover = self.buffer, self.random, before.mover
        start, reach = before, int(random.choice(REACHES))
        if random.random() < ELSEWHERE:
            pool = self.pools[mover.key]
            start = pool[int(random.integers(len(pool)))]
            span = int(start.used[-1]) + 1
            start, reach = start.at(int(random.integers(max(1, end - span + 1)))), REACHES[-1]
        prices = SlotPrices(buffer.held, UNIT, TAKEN, CLOSED, end, CONFLICT)
        effort = effort_of(mover, float(random.choice(HEATS)))
        how = Anneal(start.bits, start.magic, start.offset, min(reach, end), JUMP, effort)
        return annealed(mover, how, prices, random)

    def shorten(self) -> None:
        """Take out the movers at the end, and some others; put them back before it."""
        end = self.buffer.length - int(self.random.choice(SHORTENINGS))
        out = [key for key, placed in self.buffer.placements.items() if placed.end > end]
        self._put_back([*out, *self._some_keys()], end)

    def shuffle(self) -> None:
        """Take out some movers, and put them back where they take fewer slots."""
        self._put_back(self._some_keys(), self.buffer.length)

    def _put_back(self, keys: Iterable[Key], end: int) -> None:
        """Put movers back before `end` in another order; all as they were where that fails."""
        buffer = self.buffer
        before = buffer.figures
        out = {key: buffer.take(key) for key in dict.fromkeys(keys)}
        pools = {key: (placed.at(0), *self._some_of(key)) for key, placed in out.items()}
        put: list[Key] = []
        for key in by_size(pools, self.random):
            placement = _fitted(buffer, pools[key], end, inside=True)
            if placement is None:
                placement = self._annealed(out[key], end)
                if placement is None or placement.end > end or not buffer.fits(placement):
                    break
            buffer.put(placement)
            put.append(key)
        if len(put) < len(out) or buffer.figures > before:
            for key in put:
                buffer.take(key)
            for placement in out.values():
                buffer.put(placement)

    def fit_anew(self, deadline: Deadline) -> None:
        """First fit with the magics that there are, in another order."""
        pools = {
            key: (placed.at(0), *self._some_of(key))
            for key, placed in self.buffer.placements.items()
        }
        order = by_size(pools, self.random)
        buffer = first_fit(pools, capacity_of(pools), order, deadline)
        if buffer.figures <= self.buffer.figures:
            self.buffer = SharedBuffer.of(buffer.placements.values())

    def _some_of(self, key: Key) -> Iterator[MoverPlacement]:
        """Some magics of a mover's pool."""
        pool = self.pools[key]
        for place in self.random.choice(len(pool), min(len(pool), CANDIDATES), replace=False):
            yield pool[int(place)]

    def _any_key(self) -> Key:
        return self.keys[int(self.random.integers(len(self.keys)))]

    def _some_keys(self) -> list[Key]:
        return [self._any_key() for _ in range(int(self.random.integers(1, MOST_OUT + 1)))]


def improved(
    pools: Pools, attempts: int, deadline: Deadline, placements: Sequence[MoverPlacement],
    seed: Sequence[int],
) -> list[MoverPlacement]:  # fmt: skip
    """What a worker makes of a buffer in so many attempts. BudgetOverError at the deadline."""
    improver = Improver(placements, pools, seed)
    for _ in range(attempts):
        deadline.check()
        improver.step(deadline)
    return list(improver.buffer.placements.values())
