"""A layered layout from nothing: pairs of rooks on pages, rebuilt round by round, then the rest."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from magicert.chess import Piece
from magicert.compact.kernels import WalkEffort
from magicert.compact.pages.bishops import fill_pages, worth
from magicert.compact.pages.columns import (
    COLUMNS,
    CONFLICT,
    MOST_CLASSES,
    PAGE,
    ColumnTask,
    Pair,
    Pairs,
    Shelf,
    anneal_columns,
    as_library,
    rook_libraries,
    row_start,
    save_libraries,
    turned,
    turned_placement,
)
from magicert.compact.placements import CellData, Key, Placement, Random, Words, next_seed
from magicert.compact.progress import ALONE, Workers, WorkPhase
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.system.whole_file import write_whole
from research.packing.layered.dense import Blocks, dense_rooks, finish
from research.packing.layered.pages import (
    ALWAYS,
    FULL,
    NEVER,
    LibraryEffort,
    Page,
    PagePlace,
    Placer,
    Places,
    best_matching,
    classes_agree,
    columns_of,
    page_length,
    pair_libraries,
    relation,
    turned_place,
)

# Rooks beside others: a magic annealed for a page, for as few new columns as can be.
#
# A library knows nothing of the page. A magic that is made for it finds columns that a rook which
# always agrees has claimed already, and those where one of its file or of the next sees what this
# one needs (research/packing/layered.md, "Pairs and classes").


U = np.uint64
WIDTHS = (6, 6, 5)
"""Row steps (log2): one of them is drawn."""


def anneal_beside(
    placer: Placer, page: Page, square: int, most: int, effort: WalkEffort
) -> tuple[PagePlace, int] | None:
    """A magic that is annealed for a page, and its new columns. None if it does not fit, or needs
    more than `most` new ones.
    """
    guest, lines, random = placer.guests[square], placer.lines[square], placer.random
    blocked, empty = _blocked(page, square)
    classes = blocked[: int(lines.numbers.max()) + 1]
    open_to_some = FULL & ~int(np.bitwise_and.reduce(classes))
    shared = open_to_some & ~empty
    least = placer.shelf[square].least
    if open_to_some.bit_count() < least or shared.bit_count() + most < least:
        return None
    turn = guest.step * int(random.integers(COLUMNS // guest.step))
    # The page is turned back while the magic is annealed.
    words = np.append(blocked, U(empty))
    words = turned(words, np.full(len(words), (COLUMNS - turn) % COLUMNS, np.uint8))
    step = int(random.choice(WIDTHS))
    task = ColumnTask(lines, step, CONFLICT, words[:-1], words[-1])
    start = row_start(lines, step, random)
    found = anneal_columns(task, start, effort, most, next_seed(random))
    if found is None:
        return None
    place = turned_place(*found, turn)
    return place, (place.columns & empty).bit_count()


def _blocked(page: Page, square: int) -> tuple[Words, int]:
    """The columns of a page that each attack set of a rook's file must not claim, and those that
    nobody has.
    """
    blocked = np.zeros(MOST_CLASSES, np.uint64)
    for other, place in page.places.items():
        how = relation((Piece.ROOK, square), (Piece.ROOK, other))
        if how == NEVER:
            blocked |= U(place.columns)
        elif how != ALWAYS:
            agree = classes_agree(square, other)
            claimed = page.claimed[other][: agree.shape[1]]
            apart = np.where(agree, U(0), claimed)
            blocked[: len(agree)] |= np.bitwise_or.reduce(apart, axis=1)
    return blocked, FULL & ~page.columns


# Rebuilding pages: some rooks are taken out and put back, alone or in pairs.
#
# What finds no place on a page stands behind the pages in a block (`dense`). Everything follows
# from the seed.

STEPS = 300
"""Rebuildings of one worker in one round."""
HOT, COLD = 1.5, 0.3
"""The first and the last temperature of a round, in columns."""
EFFORT = LibraryEffort(0.1, 1500)
ANNEALED, BESIDE = 4, WalkEffort(20_000, 200.0, 6.0)
"""Pages that a magic is annealed for where those of the library need new columns; and how."""
ONE_OR_TWO, WHOLE_PAGE = 0.3, 0.2
"""How often one rook or two are taken out; how often most of a page."""
NO_BLOCK, NO_PLACE = 1.3, 60
"""What a square that has no dense magic costs without a place: its columns times, and more."""
USED, ROOM = 0.5, 1.0
"""What a column in use costs, and what each column of an empty page is worth. The worth of a page
goes by the square of its free columns: they are more use on one page than on two.
"""


class BoardParts(NamedTuple):
    """What boards are made of: libraries of rooks and of pairs, and blocks."""

    shelf: Shelf
    pairs: Pairs
    blocks: Blocks

    def left_cost(self, left: Iterable[int]) -> float:
        """What squares without a page cost, in columns."""
        left = frozenset(left)
        homeless = self.blocks.homeless(left)
        lost = sum(NO_BLOCK * self.shelf[square].least + NO_PLACE for square in homeless)
        return lost + self.blocks.entries(left) / (PAGE // COLUMNS)


@dataclass(frozen=True)
class PagedRooks:
    """Pages, and the rooks that are on none."""

    pages: tuple[Places, ...]

    @property
    def left(self) -> frozenset[int]:
        """The rooks without a page."""
        return frozenset(range(64)) - {square for page in self.pages for square in page}

    def cost(self, parts: BoardParts) -> float:
        """What is made smaller: columns, blocks, and squares that have no place at all."""
        used = [columns_of(page).bit_count() for page in self.pages]
        room = sum((COLUMNS - columns) ** 2 for columns in used) / COLUMNS
        return USED * sum(used) - ROOM * room + parts.left_cost(self.left)

    def entries(self, blocks: Blocks) -> int:
        """About how many entries this needs, bishops aside; more if a square has no place."""
        return PAGE * len(self.pages) + blocks.entries(self.left)

    def complete(self, blocks: Blocks) -> bool:
        """Whether whatever is left has a block."""
        return not blocks.homeless(self.left)


def save_parts(parts: BoardParts, path: Path) -> None:
    """Write the parts of boards for this command's other processes."""
    write_whole(path, pickle.dumps(parts))


@lru_cache(maxsize=1)
def load_parts(path: Path) -> BoardParts:
    """The parts of a file, read once in every process."""
    parts: BoardParts = pickle.loads(path.read_bytes())
    return parts


def rebuild(
    path: Path, scheme: str, board: PagedRooks, deadline: Deadline, seed: tuple[int, ...]
) -> PagedRooks:
    """A board that costs no more, after STEPS rebuildings. The parts are in a file.
    BudgetOverError at the deadline.
    """
    work = _Work(load_parts(path), scheme, board, seed)
    for step in range(STEPS):
        deadline.check()
        work.step(HOT * (COLD / HOT) ** (step / STEPS))
    return work.best


class _Work:
    def __init__(
        self, parts: BoardParts, scheme: str, board: PagedRooks, seed: tuple[int, ...]
    ) -> None:
        self.parts, self.shelf, pairs = parts, parts.shelf, parts.pairs
        self.random: Random = np.random.default_rng(seed)
        self.placer = Placer(self.shelf, pairs, scheme, self.random)
        self.partners: dict[int, list[Pair]] = {square: [] for square in self.shelf}
        for key in sorted(pairs):
            for square in key:
                self.partners[square].append(key)
        self.pages = [self.placer.page(places) for places in board.pages]
        self.best = board
        self.cost = self.least = board.cost(parts)

    def step(self, temperature: float) -> None:
        """Take some rooks out and put them back; as before, if that is too much worse."""
        where = {square: n for n, page in enumerate(self.pages) for square in page.places}
        chosen = self._chosen(where)
        saved: dict[int, Page] = {}
        for n in sorted({where[square] for square in chosen if square in where}):
            saved[n] = self.pages[n].copy()
            gone = [square for square in self.pages[n].places if square in chosen]
            self.placer.remove(self.pages[n], gone)
        left = set(self.shelf) - where.keys()
        self._put_back(chosen | left, saved)
        board = PagedRooks(tuple(dict(page.places) for page in self.pages))
        cost = board.cost(self.parts)
        if cost > self.cost - temperature * np.log(1.0 - self.random.random()):
            for n, page in saved.items():
                self.pages[n] = page
            return
        self.cost = cost
        if cost < self.least:
            self.best, self.least = board, cost

    def _chosen(self, where: dict[int, int]) -> set[int]:
        """One or two; most of a page; or one, some neighbours, some of their pages, some others."""
        random = self.random
        left = sorted(set(self.shelf) - where.keys())
        kind = random.random() if where else 1.0
        if kind < ONE_OR_TWO:
            return set(random.permutation(sorted(where))[: int(random.integers(1, 3))].tolist())
        if kind < ONE_OR_TWO + WHOLE_PAGE:
            page = sorted(self.pages[where[int(random.choice(sorted(where)))]].places)
            return set(random.permutation(page)[: int(random.integers(2, len(page) + 2))].tolist())
        whole = left if left and (not where or random.random() < 0.5) else sorted(where)
        chosen = {int(random.choice(whole))}
        for square in sorted(chosen):
            near = [other for key in self.partners[square] for other in key if other != square]
            chosen |= set(random.permutation(near)[: int(random.integers(3))].tolist())
        for square in sorted(chosen & where.keys()):
            if random.random() < 0.5:
                mates = sorted(self.pages[where[square]].places)
                chosen |= set(random.permutation(mates)[: int(random.integers(3))].tolist())
        return chosen | set(random.integers(64, size=int(random.integers(3))).tolist())

    def _put_back(self, squares: set[int], saved: dict[int, Page]) -> None:
        """Place squares, the larger ones first, alone or in pairs: what saves more columns."""
        left = set(squares)
        while left:
            noise = 1 + 0.6 * self.random.random(64)
            square = max(sorted(left), key=lambda one: self.shelf[one].least * noise[one])
            found = self._alone(square)
            if found is None or found[0] < self.shelf[square].least:
                found = max([*filter(None, [found, self._paired(square, left)])], default=None,
                            key=lambda one: one[0])  # fmt: skip
            if found is None:
                left.discard(square)
                continue
            _, n, places = found
            saved.setdefault(n, self.pages[n].copy())
            for one, place in places.items():
                self.placer.add(self.pages[n], one, place)
                left.discard(one)

    def _alone(self, square: int) -> tuple[float, int, Places] | None:
        """What it saves, the page and the place of a rook alone."""
        best = None
        least = self.shelf[square].least
        most = min(COLUMNS, least + 8)

        def fits() -> Iterator[tuple[int, tuple[PagePlace, int] | None]]:
            for n in self._any_order():
                yield n, self.placer.fit(self.pages[n], square, most, EFFORT)
            for n in self._any_order()[:ANNEALED]:
                yield n, anneal_beside(self.placer, self.pages[n], square, most, BESIDE)

        for n, found in fits():
            if found is not None:
                place, new = found
                best, most = (float(least - new), n, {square: place}), new - 1
                if most < 0:
                    break
        return best

    def _any_order(self) -> list[int]:
        """The numbers of all pages."""
        return self.random.permutation(len(self.pages)).tolist()

    def _paired(self, square: int, left: set[int]) -> tuple[float, int, Places] | None:
        """The same of a rook with one of its neighbours that have no place."""
        best = None
        for key in self.partners[square]:
            if not left.issuperset(key):
                continue
            both = sum(self.shelf[one].least for one in key)
            for n in self._any_order():
                found = self.placer.fit_pair(self.pages[n], key)
                if found is not None:
                    places, columns = found
                    saves = both - columns + self.random.random()
                    if best is None or saves > best[0]:
                        best = (saves, n, places)
        return best


REBUILDING = WorkPhase("rebuilding pages", "rounds")
PAUSE = 60.0
"""Seconds of rebuilding, at least, from one placing of the squares behind the pages to the next."""
Found = Callable[[tuple[Placement, ...], int], None]
"""Called with the placements of every shorter layout, and the rounds of rebuilding so far."""


@dataclass(frozen=True)
class LayeredPlan:
    """What is wanted: cells of 12 bits for rooks on pages and for the bishops, `dense` ones for
    rooks behind the pages, a seed, at most so many rounds of rebuilding, by so many workers, until
    when.
    """

    cells: Mapping[Key, CellData]
    dense: Mapping[Key, CellData]
    scheme: str
    seed: int
    rounds: int
    workers: int
    rebuild_until: Deadline


def layered_from_nothing(plan: LayeredPlan, found: Found, workers: Workers = ALONE) -> None:
    """Make layouts, each shorter than the one before.

    Raises BudgetOverError where the time was over before the first one.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        board = _first_board(plan, path, workers)
        parts = load_parts(path)
        shortest = _Shortest(plan, parts, found, workers)
        shortest.offer(board, 0)
        shortest.placement()
        rounds = 0
        try:
            while rounds < plan.rounds:
                if _page_to_spare(board, parts):
                    board = _without_emptiest(board)
                plan.rebuild_until.check()
                board = _round(plan, path, board, rounds, workers)
                rounds += 1
                shortest.offer(board, rounds)
                if shortest.due:
                    shortest.placement()
                shown = f"{board.entries(parts.blocks):,} entries without bishops"
                shown += f", {len(board.left)} rooks beside"
                workers.progress(REBUILDING, rounds, plan.rounds, shown)
        except BudgetOverError:
            pass
        shortest.placement()


class _Shortest:
    """The shortest layout, and a shorter board that waits for what is on no page: the squares
    behind the pages take longer than many rounds of rebuilding.
    """

    def __init__(
        self, plan: LayeredPlan, parts: BoardParts, found: Found, workers: Workers
    ) -> None:
        self.plan, self.parts, self.found, self.workers = plan, parts, found, workers
        self.length = self.entries = 1 << 40
        self.waiting: tuple[PagedRooks, int] | None = None
        self.pause = Deadline()

    @property
    def due(self) -> bool:
        """Whether a board waits, and the last one was placed a while ago."""
        return self.waiting is not None and self.pause.over

    def offer(self, board: PagedRooks, rounds: int) -> None:
        """Note a board down if it is complete and shorter than those before."""
        entries = board.entries(self.parts.blocks)
        if board.complete(self.parts.blocks) and entries < self.entries:
            self.waiting, self.entries = (board, rounds), entries

    def placement(self) -> None:
        """Finish the board that waits. Raises BudgetOverError."""
        if self.waiting is None:
            return
        board, rounds = self.waiting
        random = np.random.default_rng([self.plan.seed, rounds])
        placements = placements_of(self.plan, board.pages)
        buffer = finish(self.plan.cells, placements, self.parts.blocks, random, self.workers)
        self.waiting, self.pause = None, Deadline.after(PAUSE)
        if buffer.length < self.length:
            self.length = buffer.length
            self.found(tuple(buffer.placements.values()), rounds)


def _round(
    plan: LayeredPlan, path: Path, board: PagedRooks, number: int, workers: Workers
) -> PagedRooks:
    """All workers rebuild the same board, each by its own seed; the best goes on."""
    parts = load_parts(path)
    seeds = [(plan.seed, number, worker) for worker in range(plan.workers)]
    work = partial(rebuild, path, plan.scheme, board, plan.rebuild_until)
    return min(workers.mapper(work, seeds), key=lambda one: one.cost(parts))


def _first_board(plan: LayeredPlan, path: Path, workers: Workers) -> PagedRooks:
    """Pairs on pages, as the pages of plain packing are filled; the emptiest page is given up."""
    single = path.with_suffix(".rooks")
    black = plan.scheme == "black"
    save_libraries(rook_libraries(range(64), black, plan.seed, workers, turning=False), single)
    shelf, pairs = pair_libraries(single, plan.scheme, plan.seed, workers)
    save_parts(BoardParts(shelf, pairs, dense_rooks(plan.dense, plan.seed, workers)), path)
    chosen = [pairs[key] for key in best_matching({key: own.least for key, own in pairs.items()})]
    libraries = [as_library(one, number, plan.seed) for number, one in enumerate(chosen)]
    paired = path.with_suffix(".pairs")
    save_libraries(libraries, paired)
    filled = fill_pages(paired, plan.seed, workers)
    placer = Placer(shelf, pairs, plan.scheme, np.random.default_rng(plan.seed))
    pages = []
    for page in sorted(filled, key=lambda one: -worth(one)):
        rows = [
            placer.row(chosen[placement.square], placement.magic, placement.turn)
            for placement in page
        ]
        pages.append({square: place for row in rows for square, place in row.items()})
    return PagedRooks(tuple(pages))


def _page_to_spare(board: PagedRooks, parts: BoardParts) -> bool:
    """Whether what stands behind the pages is complete, and short enough for one page less."""
    behind = board.entries(parts.blocks) - PAGE * len(board.pages)
    return board.complete(parts.blocks) and behind <= PAGE // 2


def _without_emptiest(board: PagedRooks) -> PagedRooks:
    """The rooks of the page with the fewest columns lose their places."""
    fullest = sorted(board.pages, key=lambda page: (-columns_of(page).bit_count(), sorted(page)))
    return PagedRooks(tuple(fullest[:-1]))


def placements_of(plan: LayeredPlan, pages: Iterable[Places]) -> list[Placement]:
    """The placements of all rooks on pages, one page behind the other."""
    placements = []
    for number, page in enumerate(pages):
        for square, place in sorted(page.items()):
            cell, start = plan.cells[Piece.ROOK, square], number * page_length(plan.scheme)
            placements.append(turned_placement(cell, place.magic, place.turn, start))
    return placements
