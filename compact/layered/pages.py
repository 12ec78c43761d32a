"""Pages as they are worked on: several rooks in a column, wherever they need few new columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import Words
from magicert.compact.layered.fit_kernel import Guest, Host, add_needs, best_fit
from magicert.compact.layered.needs import ALWAYS, NEVER, needs_of, relation
from magicert.compact.layered.pair_kernel import best_pair
from magicert.compact.pages.column_kernel import MOST_CLASSES
from magicert.compact.pages.library import Library, Shelf
from magicert.compact.pages.lines import COLUMNS, PAGE, Lines, rook_lines, turn_step
from magicert.compact.pages.pairs import Pair, PairLibrary, Pairs

U = np.uint64
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
        """The columns in use, as the bits of a word."""
        used = 0
        for place in self.places.values():
            used |= place.columns
        return used

    def copy(self) -> "Page":
        """An independent copy."""
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
        used = blocked = doubtful = 0
        for other, place in page.places.items():
            how = relation((Piece.ROOK, square), (Piece.ROOK, other))
            used |= place.columns
            if how == NEVER:
                blocked |= place.columns
            elif how != ALWAYS:
                doubtful |= place.columns
        empty = FULL & ~used
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
        if not len(pairs.rows) or COLUMNS - used.bit_count() < pairs.least:
            return None
        size = len(pairs.rows)
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
