"""The fit kernel: which magic of a rook's library needs the fewest new columns beside a page.

A column of the page is blocked (a square is there that never agrees with this one), doubtful (one
that may agree), or welcome (only squares that always agree), or empty. Blocked columns refuse a
magic at once, by one AND. In doubtful columns every occupancy is looked up.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, Word, entry, inner
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS
from magicert.system.words import popcount

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


@entry
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


@entry
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
