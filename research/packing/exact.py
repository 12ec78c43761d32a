"""Which rooks share a page, and which bishops a band: an exact solver chooses from a pool.

`magicert pack` fills one page after the other, and refills a few. Here the pages of a table that is
given and pages filled with rooks drawn at random are a pool, and OR-tools chooses those that have
all rooks and the most room for bishops; round by round some of them give up their rooks, and more
pages are drawn. Then patterns of bishops are drawn for the columns that stay free and for bands
behind, and OR-tools chooses again.

When: for a plain table of the black scheme. The libraries are those of `magicert pack
--from-nothing` with the same seed, but for the bishops of the centre.

What a "no" means: no choice from this pool. Only sums of fewest columns say more, and they too are
of these libraries.

Cost: all efforts are counts, and the solver's are its own deterministic units, so a seed gives the
same table on every machine.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from magicert.chess import FIXED_BITS, Piece
from magicert.compact.anneal import arrays_of
from magicert.compact.layouts import Layout, rooks_first
from magicert.compact.pages.bishops import (
    BAND,
    FULL,
    LIBRARY_SIZE,
    NO_CONFLICT,
    BandTask,
    Ints,
    Page,
    PagePlacement,
    _solve,
    _Start,
    _walk_magics,
    band_columns,
    bishop_shelf,
    claimed,
    worth,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    PAGE,
    Library,
    Shelf,
    rook_libraries,
    turned_placement,
)
from magicert.compact.pages.interleave import Interleaved, interleaved
from magicert.compact.placements import CellData, Choice, Placement, Random, Words, cell_data
from magicert.compact.progress import Workers, WorkPhase
from magicert.compact.start import PAIR, Paged, _with_pair
from magicert.outcome import HasOutcome, OutcomeKind
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver

SCHEME = "black"
U = np.uint64
EASY = 128
"""Occupancies of a bishop whose magics are annealed in a second."""
SPARE_COLUMNS = ((0, 0), (3, 8), (0, 0), (4, 14), (0, 0), (9, 40))
"""Columns that the rooks drawn for a page may leave free, by turns: none, or some for bishops. One
or two are of no use to them."""
WAYS = 6
"""Ways to fill a page that leaves columns free, of which that with the most room for bishops
stays."""
DRAWS = 400
"""Random choices of rooks for one page that comes close enough."""
PAGES, FREED, TRIES = 17, (3, 7), 60
"""Pages in all; how many give up their rooks in a round; how many groups of these are tried then.
"""
ROUND_UNITS = 2.0
"""Deterministic units of OR-tools for the choice of a round."""
FILLING = WorkPhase("choosing pages", "rounds")
DRAWING = WorkPhase("bishops in bands", "bands")
BEHIND, PATTERNS, WHOLE_BANDS = (4, 5, 6), 150, 8
"""Bands behind the pages that are tried; how often bishops are drawn into each kind of band, and so
many times more for those behind.
"""
CHOOSING = 15.0
"""Deterministic units of OR-tools for one choice: about so many seconds of a fast core."""


class Libraries(NamedTuple):
    """What may be chosen: rooks (two that interleave as one square), that pair, bishops."""

    rooks: Shelf
    pair: Interleaved | None
    bishops: Shelf


def libraries(layout: Layout, seed: int, path: Path | None, workers: Workers) -> Libraries:
    """The packer's libraries of a seed; those of bishops that have very many occupancies from
    walks that begin with the magics of a layout. They are kept in a file, if there is one.
    """
    if path is not None and path.exists():
        kept: Libraries = pickle.loads(path.read_bytes())
        return kept
    rooks = rook_libraries(range(64), True, seed, workers)
    shelf = {library.square: library for library in rooks}
    pair = interleaved(shelf, seed, workers)
    bishops = [place for place in layout.placements if place.piece is Piece.BISHOP]
    hard = [place for place in bishops if len(place.cell.square.occupancies) > EASY]
    easy = [place.cell for place in bishops if len(place.cell.square.occupancies) <= EASY]
    bishop_libraries = {
        place.square: walked_library(place.cell, place.choice.magic, seed) for place in hard
    } | bishop_shelf(easy, seed, workers)
    made = Libraries(
        {library.square: library for library in _with_pair(shelf, pair, seed)},
        pair,
        bishop_libraries,
    )
    if path is not None:
        write_whole(path, pickle.dumps(made))
    return made


def walked_library(cell: CellData, magic: int, seed: int) -> Library:
    """A library of the magics that walks from one meet: for a bishop of the centre, whose annealing
    takes minutes.
    """
    random = np.random.default_rng([seed, cell.square.square, 6])
    start = int(band_columns(BandTask(arrays_of(cell), NO_CONFLICT), U(magic))).bit_count()
    magic_of = _walk_magics(cell, [_Start(start, magic)], random)
    fewest_first = sorted(magic_of, key=int.bit_count)[:LIBRARY_SIZE]
    magics = np.array([magic_of[columns] for columns in fewest_first], np.uint64)
    columns = np.array(fewest_first, np.uint64)
    return Library(cell.square.square, columns, magics, np.zeros(len(columns), np.uint8))


# Pages.


@dataclass(frozen=True)
class Candidate:
    """A page, and how many columns of bishops found room on it: eight bands of them."""

    page: Page
    room: int

    @property
    def squares(self) -> frozenset[int]:
        """Its rooks."""
        return frozenset(rook.square for rook in self.page)


def page_pool(
    made: Libraries, squares: Sequence[int], seed: tuple[int, ...], tries: int
) -> Iterator[Candidate]:
    """Pages that were filled with some of these rooks, drawn at random."""
    least = np.array([made.rooks[square].least for square in squares])
    for number in range(tries):
        random = np.random.default_rng([*seed, number, 3])
        spare = SPARE_COLUMNS[number % len(SPARE_COLUMNS)]
        yield from filled(made, _drawn(squares, least, spare, random), random)


def filled(made: Libraries, squares: Sequence[int], random: Random) -> list[Candidate]:
    """The page with all of these rooks, of some ways that with the most room; empty if there is
    none.
    """
    free = COLUMNS - sum(made.rooks[square].least for square in squares)
    if not squares or free < 0:
        return []
    found: list[Candidate] = []
    for _ in range(WAYS if free else 1):
        page = _solve(made.rooks, squares, random)
        if not page:
            break
        found.append(Candidate(page, room_for_bishops(made.bishops, page)))
    return [max(found, key=lambda candidate: candidate.room)] if found else []


def given_pages(made: Libraries, layout: Layout, seed: int) -> Iterator[Candidate]:
    """The pages of a layout: as they are, or where two of their rooks interleave, filled with the
    same rooks from libraries, if that is found.
    """
    pages: dict[int, list[Placement]] = {}
    for place in layout.placements:
        if place.piece is Piece.ROOK:
            pages.setdefault(int(np.median(place.slots)) // PAGE, []).append(place)
    pair = set[int]() if made.pair is None else {*made.pair.pairs.key}
    for number, places in pages.items():
        squares = {place.square for place in places}
        page = _as_page(made, places, number * PAGE)
        if page:
            yield Candidate(page, room_for_bishops(made.bishops, page))
        elif pair and squares >= pair:
            random = np.random.default_rng([seed, number, 7])
            yield from filled(made, sorted(squares - pair | {PAIR}), random)


def _as_page(made: Libraries, places: Sequence[Placement], start: int) -> Page:
    """Rooks in whole columns of a page that begins at `start`, or a few slots beside it where
    squeezing moved it; none where one of them has no columns of its own.
    """
    aside = [place.offset - start for place in places]
    start += max(aside, key=aside.count)
    page: list[PagePlacement] = []
    for place in places:
        turn = (place.offset - start) % PAGE
        slots = place.slots - start
        turned = turned_placement(place.cell, place.choice.magic, turn, 0).slots
        least = made.rooks[place.square].least if place.square in made.rooks else COLUMNS
        on_page = 0 <= slots.min() <= slots.max() < PAGE
        if not on_page or not np.array_equal(np.sort(slots), np.sort(turned)):
            return ()
        columns = sum(1 << column for column in set((slots % COLUMNS).tolist()))
        page.append(PagePlacement(place.square, place.choice.magic, columns, turn, least))
    total = sum(rook.columns.bit_count() for rook in page)
    return tuple(page) if total == claimed(tuple(page)).bit_count() else ()


def _drawn(
    squares: Sequence[int], least: Ints, spare: tuple[int, int], random: Random
) -> list[int]:
    """Rooks whose fewest columns leave so many of a page, at least and at most; none if no draw
    came to that.
    """
    fewest, most = spare
    for _ in range(DRAWS):
        group: list[int] = []
        free = COLUMNS
        for at in random.permutation(len(squares)).tolist():
            if least[at] <= free - fewest:
                group.append(squares[at])
                free -= int(least[at])
            if free <= most:
                return sorted(group)
    return []


def room_for_bishops(shelf: Shelf, page: Page) -> int:
    """The columns of different bishops that were put into a page's eight bands, one after another,
    the smallest first.
    """
    room, placed = FULL & ~claimed(page), set[int]()
    if room.bit_count() < min(library.least for library in shelf.values()):
        return 0
    fitting = {
        square: columns
        for square, library in shelf.items()
        if len(columns := library.columns[library.columns & U(~room & FULL) == 0])
    }
    for _ in range(PAGE // BAND):
        free = room
        for square in sorted(fitting, key=lambda n: shelf[n].least):
            fits = fitting[square][fitting[square] & U(~free & FULL) == 0]
            if square not in placed and len(fits):
                free &= ~int(fits[0])
                placed.add(square)
    return sum(shelf[square].least for square in placed)


class Chosen(NamedTuple):
    """Pages without a rook in common, the rooks that none of them has, the room for bishops on the
    pages, and whether no choice from the pool is better.
    """

    candidates: list[Candidate]
    uncovered: list[int]
    room: int
    is_best: bool


def choose_pages(
    shelf: Shelf, pool: Sequence[Candidate], most: int, units: float = CHOOSING
) -> Chosen:
    """At most so many pages of the pool: first as many columns of rooks as can be, then as much
    room for bishops.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"page {n}") for n in range(len(pool))]
    for square in shelf:
        model.add_at_most_one(
            var for var, one in zip(taken, pool, strict=True) if square in one.squares
        )
    model.add(sum(taken) <= most)
    price = 1 + most * FULL.bit_count() * PAGE // BAND
    values = [price * worth(one.page) + one.room for one in pool]
    model.maximize(sum(value * var for value, var in zip(values, taken, strict=True)))
    solver = _solver(units)
    status = solver.solve(model)
    chosen = [one for one, var in zip(pool, taken, strict=True) if solver.value(var)]
    placed = {square for one in chosen for square in one.squares}
    room = sum(one.room for one in chosen)
    uncovered = [square for square in shelf if square not in placed]
    return Chosen(chosen, uncovered, room, status == cp_model.OPTIMAL)


def improved(
    made: Libraries, pool: list[Candidate], seed: int, rounds: int, workers: Workers
) -> Chosen:
    """The best choice after some rounds. Each draws pages from the rooks that have none and those
    of a few pages of the best choice, and adds them to the pool.
    """
    known = {(one.squares, claimed(one.page)) for one in pool}
    chosen = choose_pages(made.rooks, pool, PAGES, ROUND_UNITS)
    for number in range(rounds):
        random = np.random.default_rng([seed, number, 8])
        count = min(len(chosen.candidates), int(random.integers(*FREED)))
        freed = random.choice(len(chosen.candidates), count, replace=False).tolist()
        squares = {n for at in freed for n in chosen.candidates[at].squares}
        drawn = [
            *filled(made, chosen.uncovered, random),
            *page_pool(made, sorted(squares.union(chosen.uncovered)), (seed, number), TRIES),
        ]
        for one in drawn:
            if (key := (one.squares, claimed(one.page))) not in known:
                known.add(key)
                pool.append(one)
        chosen = choose_pages(made.rooks, pool, PAGES, ROUND_UNITS)
        left = sum(made.rooks[square].least for square in chosen.uncovered)
        note = f"{len(pool)} in the pool, without one: {left} columns of rooks; room {chosen.room}"
        workers.progress(FILLING, number + 1, rounds, note)
    return chosen


def _solver(units: float) -> "CpSolver":
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = units
    return solver


# Bishops.


class Pattern(NamedTuple):
    """Bishops side by side in a band: the number of their library's row for each."""

    rows: tuple[tuple[int, int], ...]

    @property
    def squares(self) -> frozenset[int]:
        """Who stands there."""
        return frozenset(square for square, _ in self.rows)


def patterns(shelf: Shelf, room: int, count: int, random: np.random.Generator) -> list[Pattern]:
    """Bishops drawn into the free columns of a band until none fits any more; without those that
    are a part of another.
    """
    fitting = {
        square: rows
        for square, library in shelf.items()
        if len(rows := np.flatnonzero(library.columns & U(~room & FULL) == 0))
    }
    found: dict[frozenset[int], Pattern] = {}
    squares = sorted(fitting)
    for _ in range(count if squares else 0):
        free, chosen = room, []
        weights = random.random(len(squares)) * [shelf[n].least ** 0.5 for n in squares]
        for at in np.argsort(-weights).tolist():
            square = squares[at]
            library = shelf[square]
            if library.least > free.bit_count():
                continue
            columns = library.columns[fitting[square]]
            fits = np.flatnonzero(columns & U(~free & FULL) == 0)
            if len(fits):
                row = int(fitting[square][fits[random.integers(len(fits))]])
                free &= ~int(library.columns[row])
                chosen.append((square, row))
        pattern = Pattern(tuple(chosen))
        found.setdefault(pattern.squares, pattern)
    return list(found.values())


@dataclass(frozen=True)
class Banded:
    """Bishops in bands, by square: their library's row and the band. `left` have none."""

    rows: dict[int, tuple[int, int]]
    left: list[int]
    bound: int


Drawn = Mapping[int, Sequence[Pattern]]
"""Patterns by the free columns of their band."""


def draw_bishops(shelf: Shelf, free: Words, seed: int, count: int, workers: Workers) -> Drawn:
    """Patterns for each kind of band, and for whole ones behind."""
    drawn: dict[int, list[Pattern]] = {}
    rooms = np.unique(free).tolist()
    for number, room in enumerate([*rooms, FULL]):
        random = np.random.default_rng([seed, number, 5])
        drawn[room] = patterns(shelf, room, count * (WHOLE_BANDS if room == FULL else 1), random)
        note = f"{sum(map(len, drawn.values()))} patterns"
        workers.progress(DRAWING, number + 1, len(rooms) + 1, note)
    return drawn


def choose_bishops(
    shelf: Shelf, free: Words, behind: int, drawn: Drawn, units: float = CHOOSING
) -> Banded:
    """Bishops in the free columns of bands and in `behind` whole ones: as many columns of them as
    patterns that were drawn can hold.
    """
    from ortools.sat.python import cp_model

    rooms, bands = np.unique(np.concatenate([free, np.full(behind, FULL, U)]), return_inverse=True)
    model = cp_model.CpModel()
    users: dict[int, list[cp_model.IntVar]] = {square: [] for square in shelf}
    uses: list[tuple[int, Pattern, cp_model.IntVar]] = []
    for at, room in enumerate(rooms.tolist()):
        times = [model.new_bool_var(f"{at} {n}") for n in range(len(drawn[room]))]
        model.add(sum(times) <= int((bands == at).sum()))
        for var, pattern in zip(times, drawn[room], strict=True):
            uses.append((at, pattern, var))
            for square in pattern.squares:
                users[square].append(var)
    stands = {square: model.new_bool_var(f"bishop {square}") for square in shelf}
    for square, some in users.items():
        model.add(sum(some) >= stands[square])
    model.maximize(sum(shelf[square].least * var for square, var in stands.items()))
    solver = _solver(units)
    solver.solve(model)
    rows: dict[int, tuple[int, int]] = {}
    unused = {at: np.flatnonzero(bands == at).tolist() for at in range(len(rooms))}
    for at, pattern, var in uses:
        if solver.value(var):
            band = unused[at].pop(0)
            for square, row in pattern.rows:
                rows.setdefault(square, (row, band))
    total = sum(library.least for library in shelf.values())
    bound = total - round(solver.best_objective_bound)
    return Banded(rows, sorted(set(shelf) - set(rows)), bound)


def free_columns(placements: Sequence[Placement]) -> Words:
    """The free columns of each band, up to the end of the last one that a rook uses."""
    end = max(placement.end for placement in placements)
    bands = -(-end // BAND)
    is_taken = np.zeros(bands * BAND, np.bool_)
    for placement in placements:
        is_taken[placement.used + placement.offset] = True
    rows = is_taken.reshape(-1, BAND // COLUMNS, COLUMNS).any(axis=1)
    free: Words = np.packbits(~rows, axis=1, bitorder="little").view("<u8")[:, 0]
    return free


def layout_of(pages: Sequence[Page], made: Libraries, banded: Banded) -> Layout:
    """Rooks on pages and bishops in bands, as a layout."""
    placements = Paged(SCHEME, tuple(pages), made.pair).placements
    for square, (row, band) in banded.rows.items():
        cell = cell_data(SCHEME, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP])
        magic = int(made.bishops[square].magics[row])
        placements.append(Placement.valid(cell, Choice(magic, 0, band * BAND)))
    return Layout(SCHEME, rooks_first(placements), True)


@dataclass(frozen=True, slots=True)
class Solved(HasOutcome):
    """What came of it: the pages; by how many bands there are behind, how many columns of bishops
    have no place, and how many have none at least, with these patterns; the layout (None: some
    square has no place).
    """

    chosen: Chosen
    left: dict[int, tuple[int, int]]
    layout: Layout | None

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.UNKNOWN if self.layout is None else OutcomeKind.EXISTS


def solved(made: Libraries, layout: Layout, seed: int, rounds: int, workers: Workers) -> Solved:
    """Pages of rooks for which OR-tools found the most room, and bishops on them and in as few
    bands behind as it found.
    """
    pool = [*given_pages(made, layout, seed), *page_pool(made, [*made.rooks], (seed,), TRIES)]
    chosen = improved(made, pool, seed, rounds, workers)
    if chosen.uncovered:
        return Solved(chosen, {}, None)
    pages = [one.page for one in chosen.candidates]
    free = free_columns(Paged(SCHEME, tuple(pages), made.pair).placements)
    drawn = draw_bishops(made.bishops, free, seed, PATTERNS, workers)
    left: dict[int, tuple[int, int]] = {}
    for behind in BEHIND:
        banded = choose_bishops(made.bishops, free, behind, drawn)
        left[behind] = sum(made.bishops[square].least for square in banded.left), banded.bound
        if not banded.left:
            return Solved(chosen, left, layout_of(pages, made, banded))
    return Solved(chosen, left, None)


def figures(found: Solved, made: Libraries) -> dict[str, int]:
    """What came of it, and what is proved of the libraries: sums of fewest columns."""
    rooks = sum(library.least for library in made.rooks.values())
    bishops = sum(library.least for library in made.bishops.values())
    pages = -(-rooks // COLUMNS)
    bands = PAGE // BAND
    free = (pages * COLUMNS - rooks) * bands
    said = {
        "fewest columns of rooks": rooks,
        "no fewer pages": pages,
        "fewest columns of bishops": bishops,
        "no fewer bands behind": -(-max(0, bishops - free) // COLUMNS),
        "pages": len(found.chosen.candidates),
        "columns of rooks on no page": sum(made.rooks[n].least for n in found.chosen.uncovered),
        "room for bishops": found.chosen.room,
    }
    for behind, (columns, bound) in found.left.items():
        said[f"with {behind} bands behind, columns of bishops without a place"] = columns
        said[f"with {behind} bands behind, at least"] = bound
    if found.layout is not None:
        said["entries"] = found.layout.length
    return said
