"""Bands: rooks with row steps, fitted into pages that stand one behind the other.

A band is a page's worth of squares that do not overlap. To fill one, a first square chooses
the row step; others follow as long as the row kernel finds magics for the slots that are
left, where a small overlap is repaired by annealing the band's squares in turn. Bands are
then *recast*: a few give up their squares and are filled anew, which counts if it brings
more of the board into fewer bands.

Everything follows from the seeds: fills are numbers of tries, never of seconds.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from compact.lines import PAGE, WIDEST_STEP, rook_lines, row_start
from compact.plane import HIGHEST_OFFSET, Heat, Plane, Random, RowSeat

STEPS = (6, 5, 4, 3, 2)
"""Row steps (log2) that are tried for a square, the most useful first."""
MEASURE = Heat(60_000, 300.0, 8.0)
MEASURED = 6
"""Walks for a size, of which three do where one came to a magic."""
FRESH = Heat(100_000, 150.0, 4.0)
REFIT = Heat(40_000, 150.0, 4.0)
PRICES = (1, 5)
"""Of a slot, and of one that is taken: small sets leave room, overlaps must go."""
QUICK, PATIENT = 14, 150
"""Refits in a row before a square that overlaps is given up: in the first casting, later."""
FAILURES = 8
"""Squares that fail before a band counts as full."""
TRIES = 4
"""Fillings of each band in the first casting, of which the best stays."""
MOST_CASTINGS = 300
"""Castings before giving up on a square that never comes to a magic."""
COPIES = 2
"""Recastings in one round, of which the best goes on."""

Sizes = dict[int, dict[int, int]]
"""By square and row step: the fewest slots that some tries came to."""
Band = tuple[RowSeat, ...]
Bands = tuple[Band, ...]
Mapper = Callable[..., Iterable]  # type: ignore[type-arg]  # like the built-in `map`


def slots_needed(job: tuple[str, int, int, int]) -> int | None:
    """The fewest slots that a square needs with a row step; None if no magic came of it.
    The job: scheme, square, step, seed.
    """
    scheme, square, step, seed = job
    random = np.random.default_rng([seed, square, step])
    plane = Plane(scheme)
    found = []
    for attempt in range(MEASURED):
        start = row_start(rook_lines(square), step, random)
        seat = plane.anneal(square, step, (start, 0), (1, 0), MEASURE, random)
        if seat is not None:
            found.append(len(seat.slots))
        if found and attempt >= 2:
            break
    return min(found, default=None)


def measure(scheme: str, seed: int, mapper: Mapper, progress: Callable[[int, int], None]) -> Sizes:
    """What every square needs with every row step that suits it."""
    jobs = [(scheme, square, step, seed) for square, step in product(range(64), STEPS)]
    sizes: Sizes = {}
    answers = zip(jobs, mapper(slots_needed, jobs), strict=True)
    for done, ((_, square, step, _), size) in enumerate(answers, 1):
        progress(done, len(jobs))
        # A wide step tiles best; a narrower one must save slots.
        known = sizes.setdefault(square, {})
        if size is not None and (step == WIDEST_STEP or size < 1.25 * _least(known, PAGE)):
            known[step] = size
    # A square that was unlucky everywhere is hard, not hopeless.
    return {square: known or dict.fromkeys(STEPS, PAGE) for square, known in sizes.items()}


def _least(known: Mapping[int, int], other: int) -> int:
    return min(known.values(), default=other)


@dataclass(frozen=True, slots=True)
class Casting:
    """An order to fill bands from some squares, as many as it takes; picklable."""

    scheme: str
    squares: tuple[int, ...]
    sizes: Sizes
    repairs: int
    seed: tuple[int, ...]


def cast_one(casting: Casting) -> Band:
    """Fill one band. Empty if not even one square came to a magic."""
    random = np.random.default_rng(casting.seed)
    sizes = casting.sizes
    awkward = 500
    weights = {
        square: (_least(sizes[square], PAGE) + awkward * (WIDEST_STEP not in sizes[square]))
        * (1 + 0.4 * random.random())
        for square in casting.squares
    }
    first = max(weights, key=lambda square: (weights[square], square))
    known = sizes[first]
    step = WIDEST_STEP if WIDEST_STEP in known else min(known, key=lambda e: (known[e] - e, e))
    return _fill(casting, first, step, random)


def _fill(casting: Casting, first: int, step: int, random: Random) -> Band:
    sizes = casting.sizes
    companions = [square for square in casting.squares if square != first and step in sizes[square]]
    urgency = {
        square: sizes[square][step] * (0.6 + 0.8 * random.random()) * _kinship(first, square)
        for square in companions
    }
    plane = Plane(casting.scheme)
    failures = 0
    for square in (first, *sorted(companions, key=lambda s: (-urgency[s], s))):
        if sizes[square][step] > plane.free:
            continue
        if _join(plane, square, step, 8 if square == first else 3, casting.repairs, random):
            continue
        failures += 1
        if failures > FAILURES:
            break
    return tuple(plane.seats.values())


def _kinship(first: int, square: int) -> float:
    """Half patterns interlock with those of their own file (the b file's with the g file's);
    a and h file squares fill whole columns and go with anything.
    """
    file, other = first & 7, square & 7
    if other in (0, 7):
        return 1.0
    return 2.2 if file == other or {file, other} == {1, 6} else 0.8


def _join(plane: Plane, square: int, step: int, tries: int, repairs: int, random: Random) -> bool:
    """Find a seat for one more square, if need be by refitting the others. False, and all
    others where they were, if that does not come about.
    """
    best: tuple[int, int] | None = None
    chosen: RowSeat | None = None
    for _ in range(tries):
        start = row_start(rook_lines(square), step, random)
        seat = plane.anneal(square, step, (start, 0), PRICES, FRESH, random)
        if seat is None:
            continue
        rank = (plane.meets(seat), len(seat.slots))
        if best is None or rank < best:
            best, chosen = rank, seat
        if best[0] == 0:
            break
    if chosen is None or best is None:
        return False
    if best[0] >= max(1, 40 + plane.free // 5):
        return False
    before = dict(plane.seats)
    plane.put(chosen)
    if _repair(plane, repairs, random):
        return True
    plane.restore(before)
    return False


def _repair(plane: Plane, repairs: int, random: Random) -> bool:
    """Refit squares until nothing overlaps. False if that does not come about."""
    for _ in range(repairs):
        bad = plane.overlapping
        if not bad:
            return True
        pool = bad if random.random() < 0.7 else list(plane.seats)
        square = pool[int(random.integers(len(pool)))]
        overlap = plane.overlap_of(square)
        old = plane.take(square)
        start = (old.magic, old.offset)
        heat = Heat(REFIT.steps // 2, float(random.choice([5.0, 20.0, 60.0])), 2.0)
        if random.random() < 0.4:
            start, heat = (row_start(rook_lines(square), old.step, random), 0), REFIT
        new = plane.anneal(square, old.step, start, (0, 1), heat, random)
        better = new is not None and (plane.meets(new) <= overlap or random.random() < 0.03)
        plane.put(new if better and new is not None else old)
    return not plane.overlapping


def cast(
    scheme: str,
    sizes: Sizes,
    seed: int,
    mapper: Mapper,
    progress: Callable[[int, int], None],
) -> Bands:
    """Bands for all squares, filled one after the other, each the best of TRIES."""
    worth = _worths(sizes)
    left = set(sizes)
    bands: list[Band] = []
    number = 0
    while left:
        castings = [
            Casting(scheme, tuple(sorted(left)), sizes, QUICK, (seed, number, attempt))
            for attempt in range(TRIES)
        ]
        number += 1
        best = max(mapper(cast_one, castings), key=lambda band: _worth(band, worth))
        if not best:
            if number > MOST_CASTINGS:
                raise RuntimeError(f"no row step for any of the squares {sorted(left)}")
            continue
        bands.append(best)
        left -= {seat.square for seat in best}
        progress(len(sizes) - len(left), len(sizes))
    return tuple(bands)


def _worths(sizes: Sizes) -> dict[int, int]:
    """What each square counts for in a band: the slots that it needs at least."""
    return {square: _least(known, PAGE) for square, known in sizes.items()}


def _used(band: Band) -> int:
    return sum(len(seat.slots) for seat in band)


def _worth(band: Band, worth: Mapping[int, int]) -> int:
    return sum(worth[seat.square] for seat in band)


def score(bands: Bands, sizes: Sizes) -> tuple[int, int, int]:
    """The smaller the better: bands; the more unequally filled; the slots used."""
    worth = _worths(sizes)
    filled = sum(_worth(band, worth) ** 2 for band in bands)
    return len(bands), -filled, sum(map(_used, bands))


@dataclass(frozen=True, slots=True)
class Recasting:
    """An order to recast a few of the bands, once; picklable."""

    scheme: str
    bands: Bands
    sizes: Sizes
    seed: tuple[int, ...]


def recast(order: Recasting) -> Bands:
    """One attempt: two or three bands filled anew, or squares of one band moved into another.
    The new bands, or the old ones where that brought nothing.
    """
    random = np.random.default_rng(order.seed)
    candidate = _filled_anew(order, random) if random.random() < 0.8 else _moved(order, random)
    if score(candidate, order.sizes) >= score(order.bands, order.sizes):
        return order.bands
    return candidate


def _filled_anew(order: Recasting, random: Random) -> Bands:
    """Let two or three bands give up their squares, and fill as many or fewer with them."""
    chosen = _choose(order, 2 + int(random.integers(2)), random)
    left = {seat.square for n in chosen for seat in order.bands[n]}
    new: list[Band] = []
    while left and len(new) < len(chosen):
        seed = (*order.seed, 1 + len(new))
        squares = tuple(sorted(left))
        band = cast_one(Casting(order.scheme, squares, order.sizes, PATIENT, seed))
        if not band:
            break
        new.append(band)
        left -= {seat.square for seat in band}
    if left:
        return order.bands
    return tuple(b for n, b in enumerate(order.bands) if n not in chosen) + tuple(new)


def _moved(order: Recasting, random: Random) -> Bands:
    """Thin the squares of a band out, and see who of an emptier one can join them."""
    source, target = sorted(_choose(order, 2, random), key=lambda n: _used(order.bands[n]))
    plane = Plane(order.scheme)
    plane.restore({seat.square: seat for seat in order.bands[target]})
    for square in tuple(plane.seats):
        _thin(plane, square, random)
    step = next(iter(plane.seats.values())).step
    staying: list[RowSeat] = []
    for seat in sorted(order.bands[source], key=lambda seat: (-len(seat.slots), seat.square)):
        size = order.sizes[seat.square].get(step, PAGE)
        if size > plane.free or not _join(plane, seat.square, step, 4, PATIENT, random):
            staying.append(seat)
    rest = tuple(b for n, b in enumerate(order.bands) if n not in (source, target))
    return (*rest, tuple(plane.seats.values()), *([tuple(staying)] if staying else []))


def _thin(plane: Plane, square: int, random: Random) -> None:
    """Anneal a square where it stands for fewer slots."""
    old = plane.take(square)
    heat = Heat(FRESH.steps, 40.0, 4.0)
    new = plane.anneal(square, old.step, (old.magic, old.offset), PRICES, heat, random)
    thinner = new is not None and len(new.slots) < len(old.slots) and not plane.meets(new)
    plane.put(new if thinner and new is not None else old)


def recast_round(
    scheme: str, bands: Bands, sizes: Sizes, seed: int, number: int, mapper: Mapper
) -> Bands:
    """One round: COPIES recastings of the same bands; the best of what they give."""
    orders = [Recasting(scheme, bands, sizes, (seed, number, copy)) for copy in range(COPIES)]
    return min((bands, *mapper(recast, orders)), key=lambda found: score(found, sizes))


def _choose(order: Recasting, count: int, random: Random) -> set[int]:
    """So many bands, emptier ones more often."""
    worth = _worths(order.sizes)
    empty = np.array([1.2 * PAGE - _worth(band, worth) for band in order.bands]).clip(1.0)
    count = min(len(empty), count)
    return set(random.choice(len(empty), count, replace=False, p=empty / empty.sum()).tolist())


def line_up(bands: Bands) -> list[tuple[RowSeat, int]]:
    """Every seat with its offset in the buffer. The bands stand as close as they can; the
    emptiest, which others may fill up, comes last.
    """
    ordered = sorted(bands, key=lambda band: -_used(band))
    taken = np.zeros((len(bands) + 1) * (PAGE + HIGHEST_OFFSET + 1), dtype=bool)
    placed: list[tuple[RowSeat, int]] = []
    end = 0
    for band in ordered:
        slots = np.concatenate([seat.slots for seat in band])
        base = max(-int(slots.min()), end - PAGE - 2 * HIGHEST_OFFSET)
        while taken[slots + base].any():
            base += 1
        taken[slots + base] = True
        end = max(end, base + int(slots.max()) + 1)
        placed += [(seat, seat.offset + base) for seat in band]
    return placed
