"""Occupancies: the 2^c subsets of a mask, and the attack sets that belong to them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from magicert.board import Piece, attack_set, beyond, mask, squares_of
from magicert.dataclass import dataclass


def pdep(number: int, mask: int) -> int:
    """Deposit the low bits of `number` on the squares of `mask`, lowest first.

    Occupancy number n of a mask in *pdep order* is `pdep(n, mask)`.
    """
    occupancy = 0
    for place, square in enumerate(squares_of(mask)):
        occupancy |= (number >> place & 1) << square
    return occupancy


def pdep_order(mask: int) -> Iterator[int]:
    """All subsets of `mask` in pdep order, by the definition."""
    for number in range(1 << mask.bit_count()):
        yield pdep(number, mask)


def carry_rippler(mask: int) -> Iterator[int]:
    """All subsets of `mask` by the carry-rippler `o = (o - mask) & mask`.

    It yields the same sequence as `pdep_order`, at one subtraction a step.
    """
    occupancy = 0
    while True:
        yield occupancy
        occupancy = (occupancy - mask) & mask
        if not occupancy:
            return


@dataclass(frozen=True, slots=True)
class Occupancies:
    """All occupancies of one square's mask, in pdep order, with what they block.

    `attack_sets[n]` is the attack set of `occupancies[n]`, and `attacks[n]` its number: equal
    for equal attack sets, from 0 in the order of their first appearance.
    """

    occupancies: tuple[int, ...]
    attack_sets: tuple[int, ...]
    attacks: tuple[int, ...]

    @property
    def distinct(self) -> int:
        return max(self.attacks) + 1


@lru_cache(maxsize=128)  # every square of both pieces
def all_occupancies(piece: Piece, square: int) -> Occupancies:
    """The occupancies of a square, by doubling: a blocker hides what is beyond it, no more.

    The verifiers do not use it; they have their own. The tests hold all against the ray walk.
    """
    occupancies, sets = [0], [attack_set(piece, square, 0)]
    for blocker in squares_of(mask(piece, square)):
        visible = ~beyond(piece, square, blocker)
        occupancies += [occupancy | 1 << blocker for occupancy in occupancies]
        sets += [attacks & visible for attacks in sets]
    return Occupancies(tuple(occupancies), tuple(sets), numbered(sets))


def numbered(sets: Iterable[int]) -> tuple[int, ...]:
    """Attack sets as numbers, in the order of their first appearance."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(board, len(numbers)) for board in sets)
