"""Magics by construction: one for every mask, in microseconds, with a proof instead of a trial.

A one in the magic, at bit t, moves the square b of the mask to bit b + t of the product; the index
is the product's top k bits. Of each square take its *place*: the lowest index bit that some one of
the magic moves it to. If all squares have different places, and all that lies below the index
adds up to less than 2^(width - k), so that no carry comes up, then different occupancies have
different indexes.

Proof. Without carries the index is the sum of v_b mod 2^k over the occupied squares b, where
v_b is an odd number times 2^place. Take two occupancies with equal sums. Of the squares in
which they differ look at the one of the lowest place p: their difference is an odd number times
2^p, plus or minus multiples of 2^(p + 1), so it is not 0 mod 2^k.

Such magics are perfect hash functions: they suit every piece that has this mask.
"""

from magicert.board import squares_of
from magicert.search.finders.random_words import stream_key, word

MOST_NODES = 200
"""Of one descent; then another begins, in another order."""
DESCENTS = 100


def constructed(mask: int, bits: int, width: int, key: int) -> int | None:
    """A magic for words of `width` bits whose index has `bits` bits; None if none was met.

    There is none with fewer bits than squares. `key` says in which order ones are tried.
    """
    if bits < mask.bit_count():
        return None
    squares = sorted(squares_of(mask), reverse=True)
    descents = (_Descent(squares, width - bits, stream_key(key, n)) for n in range(DESCENTS))
    found = (descent.below(0, (1 << bits) - 1, 0, 0) for descent in descents)
    return next((magic for magic in found if magic is not None), None)


def is_perfect(mask: int, bits: int, width: int, magic: int) -> bool:
    """Whether the two conditions hold: then all occupancies of the mask have different indexes.

    Where they do not, the magic may be one all the same.
    """
    low = width - bits
    carried = taken = 0
    for square in squares_of(mask):
        product = magic << square & (1 << width) - 1
        carried += product & (1 << low) - 1
        place = product >> low & -(product >> low)
        if not place or taken & place:
            return False
        taken |= place
    return carried < 1 << low


class _Descent:
    """Ones are chosen for the squares from the highest down. What a one moves into the index
    comes next in that order: the ones before it have moved it below.
    """

    def __init__(self, squares: list[int], low: int, key: int) -> None:
        self.squares = squares
        self.low = low
        self.key = key
        self.nodes = 0

    def below(self, done: int, free: int, magic: int, carried: int) -> int | None:
        """A magic that goes on from here; the first `done` squares have their places."""
        if done == len(self.squares):
            return magic
        self.nodes += 1
        for bit in self.shuffled(done, free):
            if self.nodes > MOST_NODES:
                return None
            rest = self.placed(done, free, magic, carried, bit)
            found = None if rest is None else self.below(*rest)
            if found is not None:
                return found
        return None

    def shuffled(self, done: int, free: int) -> list[int]:
        """The bits whose one moves the next square to a free place."""
        lowest, first = self.low - self.squares[done], self.nodes << 7
        places = sorted(squares_of(free), key=lambda place: word(self.key, first + place))
        return [lowest + place for place in places if lowest + place >= 0]

    def placed(
        self, done: int, free: int, magic: int, carried: int, bit: int
    ) -> tuple[int, int, int, int] | None:
        """The arguments of `below` once there is a one at this bit; None where two squares would
        share a place, or a carry could come up.
        """
        under = (1 << self.low) - 1
        for square in self.squares[done:]:
            place = square + bit - self.low
            if place < 0:
                break
            carried += magic << square & under
            if carried > under or not free >> place & 1:
                return None
            free &= ~(1 << place)
            done += 1
        return done, free, magic | 1 << bit, carried
