"""A page: rooks side by side in whole columns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSeat:
    """A square on a page: its magic, the columns that it claims, how far they are turned, and
    how many it would claim at least.
    """

    square: int
    magic: int
    columns: int
    turn: int
    least: int


Page = tuple[PageSeat, ...]
Pages = tuple[Page, ...]


def worth(page: Page) -> int:
    """The columns that a page's squares would claim at least: what it is good for."""
    return sum(seat.least for seat in page)


def score(pages: Pages) -> tuple[int, int]:
    """The smaller the better: first how many pages, then how unequally they are filled. A nearly
    empty page beside full ones is nearly gone.
    """
    return len(pages), -sum(worth(page) ** 2 for page in pages)
