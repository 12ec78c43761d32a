"""Pages of a layered buffer: who may share entries, pairs of rooks, and where a rook fits.

An entry is loaded and ANDed with the *line*, the attack set on the empty board. So a square asks
for ones on its attack set and zeros on the rest of its line; nobody asks for the other bits.
Two squares may use one entry if they agree on the bits that both lines have.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial, reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, squares_of
from magicert.chess import Piece, attack_set, mask
from magicert.compact.kernels import (
    Count,
    WalkEffort,
    Word,
    entry_point,
    inner,
    next_below,
    random_state,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    CONFLICT,
    FEW,
    MOST_CLASSES,
    PAGE,
    ROW_BITS,
    ColumnTask,
    Library,
    Lines,
    Pair,
    PairLibrary,
    Pairs,
    Shelf,
    anneal_columns,
    load_libraries,
    rook_lines,
    row_start,
    turn_step,
)
from magicert.compact.placements import (
    Key,
    Random,
    SquareData,
    Words,
    next_seed,
    square_data,
    subsets,
)
from magicert.compact.progress import Workers, WorkPhase
from magicert.system.deadline import Deadline
from magicert.system.words import popcount
from research.packing.assignment import assigned

ALWAYS, MAYBE, NEVER = 0, 1, 2
"""How two squares get on in one column of a page."""
A_FILE = 0x0101010101010101
"""The squares of the a-file."""


@dataclass(frozen=True, slots=True)
class Needs:
    """A square with its wants: `zeros[n]` must be 0 where occupancy n looks, in doubling order;
    its attack set, `square.attacks[n]`, must be 1.
    """

    square: SquareData
    line: int
    zeros: Words


@cache
def needs_of(piece: Piece, square: int) -> Needs:
    """The wants of a square, made once."""
    data = square_data(piece, square)
    line = attack_set(piece, square, 0)
    return Needs(data, line, np.uint64(line) & ~data.attacks)


@cache
def relation(one: Key, other: Key) -> int:
    """ALWAYS: whatever bit both lines have is attacked by both on every board. MAYBE: rooks of one
    file or of neighbouring files, whose columns can agree. NEVER: all others.
    """
    common = attack_set(*one, 0) & attack_set(*other, 0)
    if not common & ~(_everywhere(one) & _everywhere(other)):
        return ALWAYS
    rooks = one[0] is other[0] is Piece.ROOK
    return MAYBE if rooks and abs((one[1] & 7) - (other[1] & 7)) <= 1 else NEVER


def _everywhere(key: Key) -> int:
    """What a square attacks on every board."""
    return attack_set(*key, (1 << 64) - 1)


@cache
def classes_agree(one: int, other: int) -> NDArray[np.bool_]:
    """For each attack set of a rook's file, which ones of another rook's file it can share a column
    with, whatever their ranks read. Attack sets have the numbers of `lines.rook_lines`.
    """
    wants, others = _file_wants(one), _file_wants(other)
    return np.array([[_agree(own, its) for its in others] for own in wants])


class _Wants(NamedTuple):
    """What a rook wants in a column: ones, zeros, and the bits of its rank, which vary by row."""

    ones: int
    zeros: int
    vary: int


def _file_wants(square: int) -> list[_Wants]:
    key = Piece.ROOK, square
    line, always = attack_set(*key, 0), _everywhere(key)
    on_file = A_FILE << (square & 7)
    blockers = list(squares_of(mask(*key) & on_file))
    sets = sorted({attack_set(*key, occupancy) & on_file for occupancy in subsets(blockers)})
    return [_Wants(one | always, line & on_file & ~one, line & ~on_file & ~always) for one in sets]


def _agree(one: _Wants, other: _Wants) -> bool:
    clash = one.ones & other.zeros | one.zeros & other.ones
    return not clash and not one.vary & _bits(other) and not other.vary & _bits(one)


def _bits(wants: _Wants) -> int:
    return wants.ones | wants.zeros | wants.vary


def page_length(scheme: str) -> int:
    """The entries of a page. Under white only an offset turns columns: those that it pushes over
    the edge stand one row further down.
    """
    return PAGE + COLUMNS if scheme == "white" else PAGE


# Pairs of rooks: every rook with one of its diagonal neighbours, for the least cost in all.
#
# A diagonal step changes the rank's parity, so the neighbours are a bipartite graph, and the best
# pairs are an assignment.

NO_PAIR = 10**6
"""The cost of squares that are no neighbours."""


def diagonal_pairs() -> list[Pair]:
    """All pairs of squares that touch at a corner, the lower one first."""
    return [
        (square, square + 8 + by)
        for square in range(56)
        for by in (-1, 1)
        if 0 <= (square & 7) + by < 8
    ]


def best_matching(cost: Mapping[Pair, int]) -> list[Pair]:
    """32 of the pairs of `cost` that have every square once, for the least sum."""
    even = [square for square in range(64) if not square >> 3 & 1]
    odd = [square for square in range(64) if square >> 3 & 1]
    table = [[cost.get((min(a, b), max(a, b)), NO_PAIR) for b in odd] for a in even]
    _, chosen = assigned(np.array(table, np.int64))
    pairs = zip(even, chosen.tolist(), strict=True)
    return sorted((min(a, odd[n]), max(a, odd[n])) for a, n in pairs)


# The fit kernel: which magic of a rook's library needs the fewest new columns beside a page.
#
# A column of the page is blocked (a square is there that never agrees with this one), doubtful (one
# that may agree), or welcome (only squares that always agree), or empty. Blocked columns refuse a
# magic at once, by one AND. In doubtful columns every occupancy is looked up.

U = np.uint64


class Guest(NamedTuple):
    """A rook that looks for a place: its library, its mask bits, what its occupancies want, the
    numbers of its file's attack sets. Its indexes wrap at the page's end if `wraps`; otherwise an
    offset turns it, one row longer.
    """

    columns: Words
    magics: Words
    shifts: NDArray[np.int64]
    ones: Words
    zeros: Words
    classes: NDArray[np.int64]
    around: Word
    step: int
    wraps: bool


class Host(NamedTuple):
    """A page: ones and zeros wanted of each entry, and its columns as bits of words."""

    ones: Words
    zeros: Words
    blocked: Word
    doubtful: Word
    empty: Word


@inner
def _turn(guest: Guest, magic: Word, turn: Count, products: Words) -> Count:
    """The first product of a magic that is turned; by how much an offset turns it."""
    products[0] = guest.around * magic
    if not guest.wraps:
        return turn
    products[0] += U(turn) << U(64 - ROW_BITS)
    return np.int64(0)


@inner
def _agrees(guest: Guest, host: Host, magic: Word, turn: Count, products: Words) -> bool:
    """Whether a magic wants nothing of the page's entries that contradicts what is wanted."""
    pushed = _turn(guest, magic, turn, products)
    index = np.int64(products[0] >> U(64 - ROW_BITS)) + pushed
    if (guest.ones[0] & host.zeros[index]) | (guest.zeros[0] & host.ones[index]):
        return False
    size = 1
    for shift in guest.shifts:
        one = magic << U(shift)
        for n in range(size):
            product = products[n] + one
            products[size + n] = product
            index = np.int64(product >> U(64 - ROW_BITS)) + pushed
            ones, zeros = guest.ones[size + n], guest.zeros[size + n]
            if (ones & host.zeros[index]) | (zeros & host.ones[index]):
                return False
        size *= 2
    return True


@entry_point
def best_fit(
    guest: Guest, host: Host, first: Count, count: Count, most: Count, checks: Count
) -> tuple[Count, Count, Count]:
    """The place in the library, the turn, and the new columns of the magic that needs fewest, of
    `count` magics from `first` on; place -1 where none needs at most `most`.

    At most `checks` magics are looked up in doubtful columns.
    """
    products = np.empty(PAGE, np.uint64)
    best, best_turn, fewest = -1, 0, most + 1
    for n in range(count):
        at = (first + n) % len(guest.columns)
        own = guest.columns[at]
        for turn in range(0, COLUMNS, guest.step):
            columns = own << U(turn) | own >> U((COLUMNS - turn) & 63)
            if columns & host.blocked:
                continue
            new = np.int64(popcount(columns & host.empty))
            if new >= fewest:
                continue
            if columns & host.doubtful:
                if checks <= 0:
                    continue
                checks -= 1
                if not _agrees(guest, host, guest.magics[at], turn, products):
                    continue
            best, best_turn, fewest = at, turn, new
            if new == 0:
                return best, best_turn, fewest
    return best, best_turn, fewest


@entry_point
def add_needs(
    guest: Guest, magic: Word, turn: Count, ones: Words, zeros: Words, claimed: Words
) -> bool:
    """Write a square's wants into a page, and the columns that each class of its file claims;
    False if the wants contradict what is there.
    """
    products = np.empty(PAGE, np.uint64)
    pushed = _turn(guest, magic, turn, products)
    size = 1
    for shift in guest.shifts:
        one = magic << U(shift)
        for n in range(size):
            products[size + n] = products[n] + one
        size *= 2
    agreed = True
    for n in range(size):
        index = np.int64(products[n] >> U(64 - ROW_BITS)) + pushed
        ones[index] |= guest.ones[n]
        zeros[index] |= guest.zeros[n]
        agreed &= (ones[index] & zeros[index]) == U(0)
        # The file's blockers come first in doubling order.
        claimed[guest.classes[n & (len(guest.classes) - 1)]] |= U(1) << U(index & (COLUMNS - 1))
    return agreed


# The pair kernel: two rooks that always agree, on as few columns together as can be.
#
# Whatever columns two rooks of ALWAYS claim, they may have in common. So a pair costs the union of
# its columns, and the best pairs have one rook's columns inside the other's.


@entry_point
def find_pairs(
    host: Words,
    guest: Words,
    step: Count,
    most: Count,
    hosts: Count,
    looks: Count,
    seed: Word,
    found: Words,
) -> tuple[Count, Count]:
    """Pairs of at most `most` columns, and the fewest columns of all pairs met.

    `hosts` random members of one library are each held against `looks` members of the other, in
    every turn that is a multiple of `step`. A row of `found` is filled for a host's best pair: the
    union of the columns, the two places, and the guest's turn.
    """
    state = random_state(seed)
    met, fewest = 0, np.int64(COLUMNS + 1)
    for _ in range(hosts):
        if met == found.shape[0]:
            break
        one = next_below(state, len(host))
        own = host[one]
        outside = ~own
        size = np.int64(popcount(own))
        first = next_below(state, len(guest))
        best, best_at, best_turn = np.int64(COLUMNS + 1), 0, 0
        for n in range(looks):
            at = (first + n) % len(guest)
            columns = guest[at]
            for turn in range(0, COLUMNS, step):
                turned = columns << U(turn) | columns >> U((COLUMNS - turn) & 63)
                both = size + np.int64(popcount(turned & outside))
                if both < best:
                    best, best_at, best_turn = both, at, turn
            if best == size:
                break
        fewest = min(fewest, best)
        if best <= most:
            columns = guest[best_at]
            turned = columns << U(best_turn) | columns >> U((COLUMNS - best_turn) & 63)
            found[met, 0], found[met, 1] = own | turned, U(one)
            found[met, 2], found[met, 3] = U(best_at), U(best_turn)
            met += 1
    return met, fewest


@entry_point
def best_pair(
    pairs: Words, step: Count, used: Word, first: Count, count: Count, most: Count
) -> tuple[Count, Count, Count]:
    """The row, the turn and the columns of the smallest pair that meets no used column, of `count`
    rows of `pairs` from `first` on; row -1 where none has at most `most` columns.
    """
    best, best_turn, fewest = -1, 0, most + 1
    for n in range(count):
        at = (first + n) % len(pairs)
        own = pairs[at, 0]
        size = np.int64(popcount(own))
        if size >= fewest:
            continue
        for turn in range(0, COLUMNS, step):
            if (own << U(turn) | own >> U((COLUMNS - turn) & 63)) & used:
                continue
            best, best_turn, fewest = at, turn, size
            break
    return best, best_turn, fewest


# Pages as they are worked on: several rooks in a column, wherever they need few new columns.

FULL = (1 << COLUMNS) - 1
LONGEST = PAGE + COLUMNS
"""Entries of the longest page (`page_length`)."""


class PagePlace(NamedTuple):
    """A rook on a page: its magic, how far it is turned, its columns."""

    magic: int
    turn: int
    columns: int


Places = Mapping[int, PagePlace]
"""A page: the places of its rooks, by square."""


def columns_of(places: Places) -> int:
    """The columns in use, as the bits of a word."""
    return reduce(or_, (place.columns for place in places.values()), 0)


class LibraryEffort(NamedTuple):
    """The part of a library that is looked at, and how many magics in doubtful columns at most."""

    share: float
    checks: int


@dataclass
class Page:
    """A page: who is where, what is wanted of each entry, and for each rook the columns that each
    attack set of its file claims.
    """

    places: dict[int, PagePlace] = field(default_factory=dict)
    claimed: dict[int, Words] = field(default_factory=dict)
    ones: Words = field(default_factory=lambda: np.zeros(LONGEST, np.uint64))
    zeros: Words = field(default_factory=lambda: np.zeros(LONGEST, np.uint64))

    @property
    def columns(self) -> int:
        return columns_of(self.places)

    def copy(self) -> "Page":
        return Page(dict(self.places), dict(self.claimed), self.ones.copy(), self.zeros.copy())


class Placer:
    """Puts rooks and pairs of rooks on pages, and takes them off."""

    def __init__(self, shelf: Shelf, pairs: Pairs, scheme: str, random: Random) -> None:
        self.shelf = shelf
        self.pairs = pairs
        self.random = random
        self.lines = {square: rook_lines(square, scheme == "black") for square in shelf}
        self.guests = {
            square: _guest(library, self.lines[square], scheme) for square, library in shelf.items()
        }

    def page(self, places: Places) -> Page:
        """A page with some rooks."""
        page = Page()
        for square, place in places.items():
            self.add(page, square, place)
        return page

    def add(self, page: Page, square: int, place: PagePlace) -> None:
        """Put a rook on a page; it must agree with who is there."""
        guest, claimed = self.guests[square], np.zeros(MOST_CLASSES, np.uint64)
        agreed = add_needs(guest, U(place.magic), place.turn, page.ones, page.zeros, claimed)
        assert agreed, (square, place)
        page.places[square], page.claimed[square] = place, claimed

    def remove(self, page: Page, squares: Iterable[int]) -> None:
        """Take rooks off a page."""
        for square in squares:
            del page.places[square], page.claimed[square]
        page.ones[:] = 0
        page.zeros[:] = 0
        for square, place in page.places.items():
            self.add(page, square, place)

    def fit(
        self, page: Page, square: int, most: int, effort: LibraryEffort
    ) -> tuple[PagePlace, int] | None:
        """The place of a rook with the fewest new columns, at most `most`; and how many."""
        blocked = doubtful = 0
        for other, place in page.places.items():
            how = relation((Piece.ROOK, square), (Piece.ROOK, other))
            if how == NEVER:
                blocked |= place.columns
            elif how != ALWAYS:
                doubtful |= place.columns
        empty = FULL & ~page.columns
        guest = self.guests[square]
        size = len(guest.columns)
        host = Host(page.ones, page.zeros, U(blocked), U(doubtful), U(empty))
        at, turn, new = best_fit(
            guest, host, int(self.random.integers(size)), max(1, int(size * effort.share)),
            min(most, empty.bit_count()), effort.checks,
        )  # fmt: skip
        return None if at < 0 else (self.place(square, int(at), int(turn)), int(new))

    def fit_pair(self, page: Page, key: Pair) -> tuple[dict[int, PagePlace], int] | None:
        """The places of a pair in empty columns, and how many they are."""
        pairs, used = self.pairs[key], page.columns
        size = len(pairs.rows)
        if not size or COLUMNS - used.bit_count() < pairs.least:
            return None
        first, count = int(self.random.integers(size)), (size + 1) // 2
        row, turn, columns = best_pair(pairs.rows, pairs.step, U(used), first, count, COLUMNS)
        return None if row < 0 else (self.row(pairs, int(row), int(turn)), int(columns))

    def row(self, pairs: PairLibrary, row: int, turn: int) -> dict[int, PagePlace]:
        """The places of a row of a library of pairs."""
        _, host, guest, by = map(int, pairs.rows[row])
        return {
            pairs.host: self.place(pairs.host, host, turn % COLUMNS),
            pairs.guest: self.place(pairs.guest, guest, (turn + by) % COLUMNS),
        }

    def place(self, square: int, at: int, turn: int) -> PagePlace:
        """A member of a library, turned."""
        library = self.shelf[square]
        return turned_place(int(library.magics[at]), int(library.columns[at]), turn)


def turned_place(magic: int, columns: int, turn: int) -> PagePlace:
    """The place of a magic whose columns are turned to the left."""
    return PagePlace(magic, turn, (columns << turn | columns >> (COLUMNS - turn)) & FULL)


def _guest(library: Library, lines: Lines, scheme: str) -> Guest:
    needs = needs_of(Piece.ROOK, library.square)
    data = needs.square
    around = data.around if scheme == "black" else U(0)
    return Guest(
        library.columns, library.magics, data.shifts, data.attacks, needs.zeros,
        lines.numbers, around, turn_step(scheme, library.square), scheme != "white",
    )  # fmt: skip


# Libraries of pairs: rooks on diagonally neighbouring squares, on as few columns as can be.
#
# Everything follows from the seed: efforts are numbers of magics looked at, never of seconds.

FIRST_HOSTS, MOST_ROWS = 25, 8000
"""Hosts that say how few columns a pair needs, and the most pairs in a library."""
FIRST_LOOKS, LOOKS = 160_000, 2 * 10**8
"""Columns that are looked at for one host, and for a whole library, turns included."""
ANNEALED_HOSTS, WIDER = 120, 2
"""Hosts for which a guest is annealed, where the libraries have no pair without loss; by how much
their columns may exceed the fewest. A pair may be smaller with a host that is not the smallest.
"""
ANNEALED_STEPS = 6, 5
"""Their row steps (log2)."""
BESIDE = WalkEffort(60_000, 200.0, 6.0)
PAIRING = WorkPhase("pairs of rooks", "pairs")


def pair_libraries(
    path: Path, scheme: str, seed: int, workers: Workers
) -> tuple[Shelf, dict[Pair, PairLibrary]]:
    """The libraries of all pairs, from those of single rooks in a file, and these with the magics
    that were annealed for pairs. BudgetOverError at the deadline.
    """
    keys = diagonal_pairs()
    shelf = dict(load_libraries(path))
    found: dict[Pair, PairLibrary] = {}
    work = partial(_pairs_of, path, scheme, seed, workers.deadline)
    for pairs in workers.each(PAIRING, work, keys):
        # The guest's new magics come behind those that other pairs have added.
        begin, base = len(shelf[pairs.guest].magics), len(load_libraries(path)[pairs.guest].magics)
        rows = pairs.rows.copy()
        rows[rows[:, 2] >= base, 2] += U(begin - base)
        shelf[pairs.guest] = _with_more(shelf[pairs.guest], pairs.more)
        found[pairs.key] = replace(pairs, rows=rows)
    return shelf, found


def _with_more(library: Library, more: Words) -> Library:
    return Library(
        library.square,
        np.concatenate([library.columns, more[:, 1]]),
        np.concatenate([library.magics, more[:, 0]]),
        np.concatenate([library.turns, np.zeros(len(more), np.uint8)]),
    )


def _pairs_of(path: Path, scheme: str, seed: int, deadline: Deadline, pair: Pair) -> PairLibrary:
    deadline.check()
    shelf = load_libraries(path)
    random = np.random.default_rng([seed, *pair])
    host, guest = sorted(pair, key=lambda square: (-shelf[square].least, square))
    columns = shelf[host].columns
    sizes = np.bitwise_count(columns)
    # A host with few magics of its fewest columns has others in some more.
    wide = max(shelf[host].least + 1, int(np.sort(sizes)[:FEW][-1]))
    places = np.flatnonzero(sizes <= wide)
    step = turn_step(scheme, guest)
    turns = COLUMNS // step
    looks = min(len(shelf[guest].columns), FIRST_LOOKS // turns)

    def search(most: int, hosts: int) -> tuple[Words, int]:
        found = np.zeros((hosts, 4), U)
        order = shelf[guest].columns, step, most, hosts, looks, next_seed(random)
        met, fewest = find_pairs(columns[places], *order, found)
        return found[:met], int(fewest)

    _, fewest = search(0, FIRST_HOSTS)
    hosts = max(1, min(MOST_ROWS, LOOKS // (looks * turns)))
    rows, also = search(max(fewest + 1, wide), hosts)
    if also > max(fewest + 1, wide):  # the first ones were lucky
        rows, also = search(also, hosts)
    rows[:, 1] = places[rows[:, 1].astype(np.int64)]
    more = np.zeros((0, 2), U)
    if scheme == "black" and also > max(shelf[host].least, shelf[guest].least):
        beside, more = _beside(shelf, host, guest, also, random, deadline)
        rows = np.concatenate([rows, beside])
    _, first = np.unique(rows[:, 0], return_index=True)
    return PairLibrary(host, guest, rows[first], max(step, turn_step(scheme, host)), more)


def _beside(
    shelf: Shelf, host: int, guest: int, most: int, random: Random, deadline: Deadline
) -> tuple[Words, Words]:
    """Pairs of at most `most` columns whose guest is annealed for its host, and the new magics with
    their columns, whose places are behind those of the guest's library.
    """
    lines = rook_lines(guest, True)
    columns = shelf[host].columns
    sizes = np.bitwise_count(columns)
    rows: list[list[int]] = []
    more: list[list[int]] = []
    spares = range(WIDER + 1)
    places = [np.flatnonzero(sizes <= min(most, shelf[host].least + spare)) for spare in spares]
    for n in range(ANNEALED_HOSTS):
        deadline.check()
        place = int(random.choice(places[n % len(places)]))
        own = int(columns[place])
        for step in ANNEALED_STEPS:
            task = ColumnTask(lines, step, CONFLICT, empty=U(WORD & ~own))
            start, spare = row_start(lines, step, random), most - own.bit_count()
            found = anneal_columns(task, start, BESIDE, spare, next_seed(random))
            if found is None:
                continue
            magic, claimed = found
            rows.append([own | claimed, place, len(shelf[guest].magics) + len(more), 0])
            more.append([magic, claimed])
    return np.array(rows, U).reshape(-1, 4), np.array(more, U).reshape(-1, 2)
