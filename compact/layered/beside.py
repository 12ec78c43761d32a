"""Rooks beside others: a magic annealed for a page, for as few new columns as can be.

A library knows nothing of the page. A magic that is made for it finds columns that a rook which
always agrees has claimed already, and those where one of its file or of the next sees what this
one needs (docs/layered.md, "Pairs and classes").
"""

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layered.needs import ALWAYS, NEVER, classes_agree, relation
from magicert.compact.layered.pages import FULL, Page, PagePlace, Placer, turned_place
from magicert.compact.pages.column_kernel import MOST_CLASSES, ColumnTask
from magicert.compact.pages.columns import CONFLICT, annealed, turned
from magicert.compact.pages.lines import COLUMNS, row_start

U = np.uint64
STEPS = (6, 6, 5)
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
    step = int(random.choice(STEPS))
    task = ColumnTask(lines, step, CONFLICT, words[:-1], words[-1])
    start = row_start(lines, step, random)
    found = annealed(task, start, effort, most, int(random.integers(1 << 62)))
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
