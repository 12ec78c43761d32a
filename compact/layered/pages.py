"""Rooks on pages, several in a column: squares are taken out and put back where they need the
fewest new columns.

Everything follows from the seeds: efforts are numbers of magics looked at, never of seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.squares import Words
from magicert.compact.layered.fit_kernel import Guest, Host, add_needs, best_fit
from magicert.compact.layered.needs import ALWAYS, NEVER, needs_of, relation, turn_step
from magicert.compact.pages.library import Library, Shelf
from magicert.compact.pages.lines import COLUMNS, PAGE

U = np.uint64
FULL = (1 << COLUMNS) - 1
UNPLACED = 1.25
"""What a square without a place costs, in times of its fewest columns."""


class Place(NamedTuple):
    """A rook on a page: its magic in the library, how far it is turned, its columns."""

    at: int
    turn: int
    columns: int


@dataclass
class Page:
    """A page, as it is worked on: who is where, and what is wanted of each entry."""

    places: dict[int, Place] = field(default_factory=dict)
    ones: Words = field(default_factory=lambda: np.zeros(PAGE, np.uint64))
    zeros: Words = field(default_factory=lambda: np.zeros(PAGE, np.uint64))

    @property
    def columns(self) -> int:
        """The columns in use, as the bits of a word."""
        used = 0
        for place in self.places.values():
            used |= place.columns
        return used

    def copy(self) -> "Page":
        """An independent copy."""
        return Page(dict(self.places), self.ones.copy(), self.zeros.copy())


@dataclass
class Board:
    """All pages, and the rooks that have no place."""

    pages: list[Page]
    left: set[int]

    def cost(self, shelf: Shelf) -> float:
        """The columns in use, and what is not placed."""
        used = sum(page.columns.bit_count() for page in self.pages)
        return used + UNPLACED * sum(shelf[square].least for square in self.left)


class Placer:
    """Puts rooks on pages and takes them off."""

    def __init__(self, shelf: Shelf, scheme: str, seed: int) -> None:
        self.shelf = shelf
        self.scheme = scheme
        self.random = np.random.default_rng(seed)
        self.guests = {square: _guest(library, scheme) for square, library in shelf.items()}

    def add(self, page: Page, square: int, place: Place) -> None:
        """Put a rook on a page; it must agree with who is there."""
        guest = self.guests[square]
        agreed = add_needs(guest, guest.magics[place.at], place.turn, page.ones, page.zeros)
        assert agreed, (square, place)
        page.places[square] = place

    def remove(self, page: Page, squares: Iterable[int]) -> None:
        """Take rooks off a page."""
        for square in squares:
            del page.places[square]
        page.ones[:] = 0
        page.zeros[:] = 0
        for square, place in page.places.items():
            self.add(page, square, place)

    def fit(
        self, page: Page, square: int, most: int, share: float, checks: int
    ) -> tuple[Place, int] | None:
        """The place with the fewest new columns, at most `most`."""
        blocked, doubtful = 0, 0
        used = 0
        for other, place in page.places.items():
            how = relation((Piece.ROOK, square), (Piece.ROOK, other))
            used |= place.columns
            if how == NEVER:
                blocked |= place.columns
            elif how != ALWAYS:
                doubtful |= place.columns
        empty = FULL & ~used
        most = min(most, empty.bit_count())
        guest = self.guests[square]
        size = len(guest.columns)
        count = max(1, int(size * share))
        host = Host(page.ones, page.zeros, U(blocked), U(doubtful), U(empty))
        at, turn, new = best_fit(guest, host, int(self.random.integers(size)), count, most, checks)
        if at < 0:
            return None
        turned = _turned(int(guest.columns[at]), turn)
        return Place(int(at), int(turn), turned), int(new)

    def insert(self, board: Board, square: int, share: float, checks: int) -> bool:
        """Put a rook where it needs the fewest new columns."""
        best = None
        most = COLUMNS
        order = self.random.permutation(len(board.pages)).tolist()
        for n in order:
            found = self.fit(board.pages[n], square, most, share, checks)
            if found is not None:
                best, most = (n, found[0]), found[1] - 1
                if most < 0:
                    break
        if best is None:
            board.left.add(square)
            return False
        self.add(board.pages[best[0]], square, best[1])
        board.left.discard(square)
        return True


def _turned(columns: int, turn: int) -> int:
    return (columns << turn | columns >> (COLUMNS - turn)) & FULL


def _guest(library: Library, scheme: str) -> Guest:
    needs = needs_of(Piece.ROOK, library.square)
    data = needs.square
    around = data.around if scheme == "black" else U(0)
    return Guest(
        library.columns,
        library.magics,
        data.shifts,
        data.attacks,
        needs.zeros,
        around,
        turn_step(scheme, library.square),
    )
