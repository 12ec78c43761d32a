"""One way into the annealing kernel, for everyone who anneals a single square."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.kernel import anneal
from magicert.compact.anneal.squares import SquareData

Random = np.random.Generator
Prices = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a square is tried: candidates, and the temperatures, in used slots."""

    steps: int
    hot: float
    cold: float


def annealed(
    data: SquareData,
    bits: int,
    mode: int,
    start: tuple[int, int, int],
    price: Prices,
    conflict: int,
    within: tuple[int, int],
    jump: int,
    effort: Effort,
    random: Random,
) -> tuple[int, int, int, int]:
    """The best magic, constant and offset found from a start of the three, and their cost:
    `price` for every slot used, `conflict` for every conflict. Offsets stay `within` a range
    and move by up to `jump`.
    """
    magic, constant, offset, cost = anneal(
        np.uint64(start[0]), np.uint64(start[1]), np.int64(start[2]), mode, data.around,
        np.uint64(64 - bits), data.shifts, data.numbers, price, np.int64(conflict),
        np.int64(within[0]), np.int64(within[1]), np.int64(jump), effort.hot, effort.cold,
        np.int64(effort.steps), np.int64(0), np.uint64(random.integers(1 << 63)),
    )  # fmt: skip
    return int(magic), int(constant), int(offset), int(cost)
