import itertools
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from magicert.board import bitboard
from magicert.chess import Piece, parse_square
from magicert.occupancy import carry_rippler
from magicert.scheme import SCHEMES
from magicert.search.planning import chain_plan
from magicert.search.problem import Plan, Terms, terms
from magicert.search.shards.shard import Work
from magicert.targets import square_cell


@pytest.fixture(scope="session")
def d1():
    """Bishop d1 at 4 bits (no magic), with a plan that takes milliseconds."""
    return square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 4)


@pytest.fixture(scope="session")
def d1_work(d1):
    """The same in 64 shards."""
    plan = Plan(54, (*["d1"] * 18, "d8", *["d1"] * 28), 2, 3)
    return Work(d1, plan, 6)


@pytest.fixture(scope="session")
def magics_in():
    """Every magic from low to high (all, if these are not said), from all pairs of occupancies."""

    def found(about: Terms, low: int = 0, high: int | None = None) -> NDArray[np.int64]:
        end = 1 << about.width if high is None else high + 1
        m = np.arange(low, end, dtype=np.uint64)
        slots = [
            ((x * m + c) >> np.uint64(about.shift)).astype(np.uint16)
            for x, c in zip(about.multiplicand, about.constant, strict=True)
        ]
        valid: NDArray[np.bool_] = np.ones(len(m), dtype=np.bool_)
        for slot in slots:
            valid &= (about.least_slot <= slot) & (slot <= about.most_slot)
        for one, other in itertools.combinations(range(len(slots)), 2):
            if about.attack[one] != about.attack[other]:
                valid &= slots[one] != slots[other]
        return low + np.flatnonzero(valid)

    return found


@pytest.fixture(scope="session")
def chained():
    """A line of two squares and a chain of three; most attack sets are equal: it has magics.

    With a spread there is a fourth square of the file, which m's last bits move by 2^spread
    buckets.
    """

    def toy(rng: Random, spread: int = 0, constant: int | None = None) -> tuple[Terms, Plan]:
        bits = 6 if spread else 4
        chain = [58 + spread - 8 * n for n in (3, 2, 1, 0)] if spread else [40, 48, 56]
        line = [chain[0] - 2, chain[0] - 1]
        rows = list(carry_rippler(bitboard(line + chain)))
        odd = rng.sample(range(1, len(rows)), rng.randint(2, 4))
        attacks = [1 + odd.index(n) % 4 if n in odd else 0 for n in range(len(rows))]
        if constant is None:
            constant = rng.choice([0, (1 << 64) - 1, rng.getrandbits(64)])
        about = terms(rows, attacks, bits, constant)
        return about, chain_plan(about, line, chain, 4)

    return toy
