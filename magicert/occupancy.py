"""Occupancies: the 2^c subsets of a mask."""

from collections.abc import Iterable, Iterator


def carry_rippler(mask: int) -> Iterator[int]:
    """All subsets of `mask` in *pdep order*: the bits of number n, the lowest first, say which of
    its squares are occupied, the lowest first.
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
