"""Occupancies: the 2^c subsets of a mask."""

from collections.abc import Iterable, Iterator

from magicert.board import squares_of


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


def numbered(sets: Iterable[int]) -> tuple[int, ...]:
    """Attack sets as numbers, in the order of their first appearance."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(board, len(numbers)) for board in sets)
