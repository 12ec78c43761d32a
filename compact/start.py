"""A first layout: every square gets a magic and a place, by first fit or on pages.

First fit takes the squares from the biggest down; each gets the choice that lengthens the buffer
least: annealed into holes, from its pool at the lowest offset that fits, or annealed at the end.
With rooks of 12 bits pages are filled with whole columns first, and filled again in rounds.

When: `pack --from-nothing`, and where the given table's squares share nothing.

Why pages: whole columns tile without loss. The table `black` was made so from nothing, in an hour;
by squeezing the published table of 87,988 entries we came to 84,683.

Cost: some minutes for rooks on pages. With a shift for each square there are no pages: 105,892
entries after a minute, 105,687 after ten (`tables/pack-runs.toml`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece, square_name
from magicert.compact.anneal import (
    TRIES,
    Efforts,
    Offsets,
    Pools,
    Prices,
    anneal_placement,
    fill_pool,
    load_pools,
    save_pools,
)
from magicert.compact.kernels import FREE, WalkEffort, lowest_fit
from magicert.compact.layouts import MARGIN, Arrangement, Layout, rooks_first
from magicert.compact.pages.bishops import (
    Page,
    PagePlacement,
    Pages,
    bishop_shelf,
    claimed,
    fill_pages,
    in_free_columns,
    judged_with_bishops,
    refill_round,
    worth,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    PAGE,
    ROW_BITS,
    Library,
    Shelf,
    as_library,
    rook_libraries,
    save_libraries,
    turned_placement,
)
from magicert.compact.pages.interleave import Interleaved, interleaved
from magicert.compact.placements import CellData, Key, Placement, Random, Slots, cell_data
from magicert.compact.progress import ALONE, Workers, WorkPhase
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

Cells = Mapping[Key, CellData]
"""The squares that are wanted, with their scheme and bits."""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """A placement for each of some cells of one scheme: `shared` or one buffer for each piece,
    `private` slots for every square, a file of `pools`, at most so many rounds of refilling
    pages, before `refill_until`.
    """

    cells: Cells
    seed: int = 1
    shared: bool = True
    private: bool = False
    pools: Path | None = None
    refills: int = 0
    refill_until: Deadline = FOREVER

    @property
    def scheme(self) -> str:
        return next(iter(self.cells.values())).scheme

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that squares are wanted of."""
        return tuple(piece for piece in Piece if any(key[0] is piece for key in self.cells))

    @property
    def on_pages(self) -> bool:
        """Whether rooks begin on pages."""
        rooks = {cell.bits for (piece, _), cell in self.cells.items() if piece is Piece.ROOK}
        return rooks == {ROW_BITS} and not self.private and self.pools is None


class NoPlaceError(ValueError):
    """Squares that cannot have so few bits. `impossible` says whether that is proved."""

    def __init__(self, message: str, impossible: bool) -> None:
        self.impossible = impossible
        super().__init__(message)


def refuse_impossible(cells: Cells) -> None:
    """Raise NoPlaceError where a square has more attack sets than indexes."""
    lacking = [
        f"{piece} {square_name(square)}: {cell.square.attack_sets} different attack sets, but only "
        f"{1 << cell.bits} indexes of {cell.bits} bits"
        for (piece, square), cell in cells.items()
        if cell.square.attack_sets > 1 << cell.bits
    ]
    if lacking:
        raise NoPlaceError("\n".join(lacking), impossible=True)


# A pool for every square that is wanted: from a file, and annealed where the file has none.

EFFORTS: Efforts = {Piece.ROOK: (2, 40_000), Piece.BISHOP: (6, 120_000)}
POOLS = WorkPhase("magics for every square", "squares")


def ready_pools(
    cells: Cells, seed: int, workers: Workers = ALONE, saved: Path | None = None
) -> dict[Key, list[Placement]]:
    """A pool for every cell. `saved` is a file of pools: what it has and is valid
    here is used, and what was missing is added to it.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    refuse_impossible(cells)
    pools = load_pools(saved, cells) if saved is not None and saved.exists() else {}
    missing = {key: cell for key, cell in cells.items() if key not in pools}
    if missing:
        pools |= fill_pools(missing, seed, EFFORTS, workers)
        if saved is not None:
            save_pools(saved, pools)
    return pools


def fill_pools(
    cells: Cells, seed: int, efforts: Efforts, workers: Workers = ALONE
) -> dict[Key, list[Placement]]:
    """A new pool for every square. Raises NoPlaceError for squares without any magic found,
    BudgetOverError.
    """
    work = partial(fill_pool, efforts, seed, workers.deadline)
    pools: dict[Key, list[Placement]] = {}
    filled = workers.each(POOLS, work, list(cells.values()), lambda pool: str(pool[0].cell))
    for (key, cell), pool in zip(cells.items(), filled, strict=True):
        pools[key] = pool
        if not pool:
            raise NoPlaceError(
                f"{cell}: no magic of {cell.bits} bits found in {TRIES} tries of "
                f"{efforts[key[0]][1]:,} candidates; that is no proof (magicert disprove)",
                impossible=False,
            )
    return pools


# First fit: the squares of a buffer one after the other, the biggest first.
#
# Each takes the placement that lengthens the buffer least: annealed into the holes inside it, or as
# its pool has it at the lowest offset that fits, or annealed into the holes at the end.

WINDOWS_LOOKED_AT, WINDOWS_ANNEALED = 400, 80
"""Windows of the buffer that are looked at for a hole, and those of them that are tried."""
ROOMIER = 5, 4
"""A square hardly ever fits where fewer than 5/4 of its slots are free."""
IN_HOLES = WalkEffort(60_000, 4.0, 0.3)
HOLE_CONFLICT = 20
AT_END = WalkEffort(30_000, 12.0, 0.8)
END_TAKEN_PRICE, END_CONFLICT = 9, 24
"""Annealing at the end: the prices of a slot that is taken and of a conflict."""
PRICE_STEP_LOG2 = 9
"""log2 of the slots behind the end after which a slot costs 1 more."""
PLACING = WorkPhase("placing squares in the buffer", "squares")
TAKEN = 0
"""What a slot holds that is in use: hardly ever what another square wants there."""
ENTRIES_PLACED = 3
"""Entries of a pool that are tried in the buffer, those with the fewest used slots."""


def place(
    cells: Cells,
    pools: Pools,
    seed: int,
    placed: Iterable[Placement] = (),
    workers: Workers = ALONE,
) -> Arrangement:
    """Place some squares in one buffer. Some have placements already and need no pool.

    Raises BudgetOverError at the deadline.
    """
    placements = list(placed)
    placed_keys = {placement.key for placement in placements}
    unplaced = [key for key in cells if key not in placed_keys]
    front = max((placement.end for placement in placements), default=0)
    longest = front + sum(1 << cells[key].bits for key in unplaced)
    arrangement = Arrangement(placements, longest + MARGIN)
    random = np.random.default_rng([seed, len(unplaced)])
    for n, key in enumerate(sorted(unplaced, key=lambda key: (-len(pools[key][0].used), key))):
        workers.deadline.check()
        workers.progress(PLACING, n, len(unplaced), f"{key[0]} {square_name(key[1])}")
        arrangement.put(_best_placement(arrangement, pools[key], front, random))
        front = max(front, arrangement.placements[key].end)
    return Arrangement(arrangement.placements.values(), front + MARGIN)


def _best_placement(
    arrangement: Arrangement, pool: Sequence[Placement], front: int, random: Random
) -> Placement:
    """A placement for a square that has none, in a buffer of length `front`. Behind the end every
    square finds one.
    """
    inside = _in_holes(arrangement, pool[0], front, random)
    if inside is not None:
        return inside
    placements: list[Placement] = []
    for entry in pool[:ENTRIES_PLACED]:
        fitted = _lowest(arrangement, entry, front)
        at_end = _at_end(arrangement, fitted, front, random)
        placements += [fitted] if at_end is None else [fitted, at_end]
    return min(placements, key=lambda placement: (placement.end, len(placement.used)))


def _lowest(arrangement: Arrangement, placement: Placement, front: int) -> Placement:
    """A placement moved to the lowest offset at which it fits, `front` at most."""
    held = np.full(front + int(placement.used[-1]) + 1, FREE, dtype=np.int32)
    held[:front][arrangement.used_before(front)] = TAKEN
    wanted = np.full(len(placement.used), TAKEN + 1, dtype=np.int32)
    return placement.at(int(lowest_fit(held, placement.used, wanted, front)))


def _in_holes(
    arrangement: Arrangement, placement: Placement, front: int, random: Random
) -> Placement | None:
    """A square annealed into the holes left inside the buffer, or None."""
    span = 1 << placement.cell.bits
    if front <= span or not arrangement.placements:
        return None
    slot_prices = np.ones(arrangement.capacity, dtype=np.int32)
    slot_prices[:front] = arrangement.used_before(front)
    for start in _roomy_offsets(slot_prices[:front] == 0, placement, random):
        offsets = Offsets(max(0, start - span), min(front, start + span))
        choice, prices = placement.choice._replace(offset=start), Prices(slot_prices, HOLE_CONFLICT)
        annealed = anneal_placement(placement.cell, choice, prices, offsets, IN_HOLES, random)
        if annealed is not None and annealed.end <= front and arrangement.is_free(annealed):
            return annealed
    return None


def _roomy_offsets(free: NDArray[np.bool_], placement: Placement, random: Random) -> Iterator[int]:
    """Random offsets from which on enough slots are free for a square, the roomiest first."""
    span = 1 << placement.cell.bits
    free_before = np.cumsum(free)
    starts = random.integers(len(free) - span, size=WINDOWS_LOOKED_AT)
    within: Slots = free_before[starts + span - 1] - free_before[starts]
    times, parts = ROOMIER
    enough = within > len(placement.used) * times // parts
    starts, within = starts[enough], within[enough]
    yield from starts[np.argsort(-within, kind="stable")][:WINDOWS_ANNEALED].tolist()


def _at_end(
    arrangement: Arrangement, fitted: Placement, front: int, random: Random
) -> Placement | None:
    """A placed square annealed into the last holes of the buffer, or None."""
    span = int(fitted.used[-1]) + 1
    start = max(0, min(fitted.offset, front - span // 2))
    slots = np.arange(arrangement.capacity)
    price = 1 + np.maximum(0, (slots - front) >> PRICE_STEP_LOG2)
    price[arrangement.used_before(arrangement.capacity)] = END_TAKEN_PRICE
    prices = Prices(price.astype(np.int32), END_CONFLICT)
    offsets = Offsets(max(0, start - span), front)
    choice = fitted.choice._replace(offset=start)
    annealed = anneal_placement(fitted.cell, choice, prices, offsets, AT_END, random)
    return annealed if annealed is not None and arrangement.is_free(annealed) else None


# A start from nothing for rooks of 12 bits: libraries, pages, then rounds of refilling them.

ROWS = PAGE // COLUMNS
PAIR = 64
"""The number, as of a square, of two rooks that interleave."""
REFILLING = WorkPhase("refilling pages", "rounds")


@dataclass(frozen=True)
class Paged:
    """Rooks on pages, and the two that interleave, if any."""

    scheme: str
    pages: Pages
    pair: Interleaved | None = None

    @property
    def placements(self) -> list[Placement]:
        """Every rook's placement in the buffer, the fullest pages first; last of all the page of
        two that interleave, since some of their slots may be pushed over its end. None overlap.

        Columns that are turned need an added constant, where the scheme has one. Otherwise an
        offset turns them, and those that it pushes over the edge begin a row further down: every
        square then moves up as far as its own columns are free.
        """
        heights = np.zeros(COLUMNS, dtype=np.int64)
        placements: list[Placement] = []

        def order(page: Page) -> tuple[bool, int]:
            return any(rook.square == PAIR for rook in page), -worth(page)

        for page in sorted(self.pages, key=order):
            for rook in sorted(page, key=lambda rook: rook.square):
                rook_placements = self._turned(rook)
                columns = np.array([n for n in range(COLUMNS) if rook.columns >> n & 1])
                pushed = columns < (0 if len(rook_placements) > 1 else rook_placements[0].offset)
                row = max(0, int((heights[columns] - pushed).max()))
                heights[columns] = row + pushed + ROWS
                placements += [
                    placement.at(row * COLUMNS + placement.offset) for placement in rook_placements
                ]
        return placements

    def _turned(self, rook: PagePlacement) -> list[Placement]:
        """A rook as if its page were the first, or two that interleave."""
        cells = partial(cell_data, self.scheme, Piece.ROOK, bits=ROW_BITS)
        if self.pair is None or rook.square != PAIR:
            return [turned_placement(cells(rook.square), rook.magic, rook.turn, 0)]
        pairs = self.pair.pairs
        _, host, guest, by = map(int, pairs.rows[rook.magic])
        return [
            turned_placement(cells(pairs.host), int(self.pair.hosts[host]), rook.turn, 0),
            turned_placement(cells(pairs.guest), int(self.pair.guests[guest]), rook.turn + by, 0),
        ]

    @property
    def without_emptiest(self) -> "Paged":
        """All pages but the emptiest, whose rooks may do better among the bishops behind."""
        emptiest = min(range(len(self.pages)), key=lambda n: worth(self.pages[n]))
        return replace(self, pages=self.pages[:emptiest] + self.pages[emptiest + 1 :])


PagesCallback = Callable[[Paged, int], None]


def first_pages(plan: StartPlan, workers: Workers = ALONE) -> tuple[list[Library], Paged]:
    """The libraries of a plan's rooks, of which two may interleave, and pages filled with them
    once.

    Raises NoPlaceError for a rook without any magic in whole columns, and BudgetOverError where
    the time was over before the pages were filled.
    """
    shelf = _shelf(plan, workers)
    pair = interleaved(shelf, plan.seed, workers) if plan.scheme == "black" else None
    libraries = _with_pair(shelf, pair, plan.seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        save_libraries(libraries, path)
        return libraries, Paged(plan.scheme, fill_pages(path, plan.seed, workers), pair)


def refilled_pages(
    plan: StartPlan,
    libraries: Sequence[Library],
    first: Paged,
    on_pages: PagesCallback,
    workers: Workers,
    bishops: Shelf,
) -> tuple[Paged, int]:
    """Better pages for the rooks of a plan, and the rounds of refilling it took: fewer, and where
    there can be no fewer, such as leave room for bishops.

    `on_pages` gets every filling that is better, and the rounds so far. The same seed and rounds
    give the same pages.
    """
    with TemporaryDirectory() as folder:
        path, bishop_path = Path(folder) / "libraries", Path(folder) / "bishops"
        save_libraries(libraries, path)
        save_libraries([*bishops.values()], bishop_path)
        judge = partial(judged_with_bishops, bishop_path)
        best, cost = first, judge(first.pages)
        workers.progress(REFILLING, 0, plan.refills, "")
        for number in range(plan.refills):
            try:
                pages = refill_round(path, best.pages, (plan.seed, number), workers, judge)
            except BudgetOverError:
                return best, number
            best, before, cost = replace(best, pages=pages), cost, judge(pages)
            if cost[:2] < before[:2]:
                on_pages(best, number + 1)
            workers.progress(REFILLING, number + 1, plan.refills, _note(pages))
    return best, plan.refills


def _note(pages: Pages) -> str:
    free = sorted(COLUMNS - claimed(page).bit_count() for page in pages)
    return f"{len(pages)} pages, free columns: {' '.join(str(count) for count in free if count)}"


def _shelf(plan: StartPlan, workers: Workers) -> Shelf:
    squares = [square for piece, square in plan.cells if piece is Piece.ROOK]
    libraries = rook_libraries(squares, plan.scheme == "black", plan.seed, workers)
    empty = [square_name(library.square) for library in libraries if not len(library.columns)]
    if empty:
        raise NoPlaceError(
            f"rooks {' '.join(empty)}: no magic of {ROW_BITS} bits in whole columns was found; "
            "that is no proof (another --seed, or --square-shifts)",
            impossible=False,
        )
    return {library.square: library for library in libraries}


def _with_pair(shelf: Shelf, pair: Interleaved | None, seed: int) -> list[Library]:
    """All libraries, two rooks that interleave as one square."""
    if pair is None:
        return [*shelf.values()]
    single = [library for square, library in shelf.items() if square not in pair.pairs.key]
    return [*single, as_library(pair.pairs, PAIR, seed)]


# A layout from nothing: rooks of 12 bits on pages, bishops in the columns that they leave free,
# everything else by first fit.

LayoutCallback = Callable[[Layout, int | None], None]
"""Called with every better layout, and the rounds of refilling pages that it took (None where
there are no pages)."""


def from_nothing(
    plan: StartPlan, on_layout: LayoutCallback, workers: Workers = ALONE
) -> int | None:
    """Make layouts, each shorter than the one before, and give them to `on_layout`; the rounds of
    refilling in all.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    pools: dict[Key, list[Placement]] = {}
    shelf: Shelf = {}
    lengths: list[int] = []

    def fill(keys: Iterable[Key]) -> None:
        missing = {key: plan.cells[key] for key in keys if key not in pools}
        pools.update(ready_pools(missing, plan.seed, workers, plan.pools))

    def lay_out(placed: list[Placement], rounds: int | None) -> None:
        placed_keys = {placement.key for placement in placed}
        fill(key for key in plan.cells if key not in placed_keys)
        layout = _layout(plan, pools, placed, workers)
        if not lengths or layout.length < lengths[-1]:
            lengths.append(layout.length)
            on_layout(layout, rounds)

    def with_bishops(pages: Paged, rounds: int) -> None:
        """All bishops in columns."""
        lay_out([*pages.placements, *in_columns(pages.placements, behind=True)], rounds)

    def lay_out_rest(placed: list[Placement], rounds: int) -> None:
        """As many bishops in columns as there is room for between the rooks, or all, where there
        are no more rooks to come.
        """
        lay_out([*placed, *in_columns(placed, behind=False)], rounds)
        if shelf and rooks <= {placement.key for placement in placed}:
            lay_out([*placed, *in_columns(placed, behind=True)], rounds)

    def in_columns(placed: list[Placement], *, behind: bool) -> list[Placement]:
        return in_free_columns(plan.scheme, shelf, placed, plan.seed, behind=behind)

    if not plan.on_pages:
        lay_out([], None)
        return None
    # What cannot be is said before the long work begins.
    fill(key for key in plan.cells if key[0] is Piece.BISHOP)
    rooks = {key for key in plan.cells if key[0] is Piece.ROOK}
    libraries, pages = first_pages(plan, workers)
    lay_out_rest(pages.placements, 0)
    lay_out_rest(pages.without_emptiest.placements, 0)
    refill_workers = workers._replace(deadline=plan.refill_until)
    if plan.shared:
        bishops = [cell for key, cell in plan.cells.items() if key[0] is Piece.BISHOP]
        shelf.update(bishop_shelf(bishops, plan.seed, refill_workers))
        lay_out_rest(pages.placements, 0)
    pages, rounds = refilled_pages(plan, libraries, pages, with_bishops, refill_workers, shelf)
    lay_out_rest(pages.placements, rounds)
    lay_out_rest(pages.without_emptiest.placements, rounds)
    return rounds


def _layout(plan: StartPlan, pools: Pools, placed: Sequence[Placement], workers: Workers) -> Layout:
    """A layout from nothing but pools and some squares that are placed already."""
    groups = (plan.pieces,) if plan.shared else tuple((piece,) for piece in plan.pieces)
    placements: list[Placement] = []
    for group in groups:
        cells = {key: cell for key, cell in plan.cells.items() if key[0] in group}
        if plan.private:
            placements += in_a_row(pools[key] for key in cells)
        else:
            group_placements = [placement for placement in placed if placement.piece in group]
            placements += place(
                cells, pools, plan.seed, group_placements, workers
            ).placements.values()
    return Layout(plan.scheme, rooks_first(placements), plan.shared)


def in_a_row(pools: Iterable[Sequence[Placement]]) -> list[Placement]:
    """From each pool the placement that ends first, one behind the other."""
    placements: list[Placement] = []
    start = 0
    for pool in pools:
        best = min(pool, key=lambda placement: (placement.end, placement.choice.magic))
        placements.append(best.at(start))
        start = placements[-1].end
    return placements
