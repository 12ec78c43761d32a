"""What taking m and ~m together saves: random shards of a cell, both ways in one run.

    python benchmarks/bench_mirror.py [SHARDS] [SEED]

For each plan: seconds of one core for so many shards and their mirror images, each searched on its
own, and for the same shards mirrored; the ratio; and how many magics either found.
"""

import random
import sys

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.problem.mirror import mirrored
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import terms_of
from magicert.search.shards.shard import run_shard
from magicert.search.shards.work import Work

PLANS = (
    ("b1", 10, Plan(62, (*["d1"] * 18, "c35.4k", *["d1"] * 9), 1, 2), 12),
    ("c1", 10, Plan(63, (*["d1"] * 19, "c36.4k", *["d1"] * 8), 1, 2), 12),
    ("d1", 10, Plan(63, (*["d1"] * 19, "c37.4k", *["d1"] * 7), 1, 2), 12),
)
"""Square, bits, plan, and the level at which it is cut."""


def main(shards: str = "8", seed: str = "1") -> None:
    print(f"{'cell':<20}{'apart':>10}{'together':>10}{'saves':>9}{'magics':>14}")
    for square, bits, plan, level in PLANS:
        cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits)
        alone = Work(cell, plan, level, record=False)
        both = Work(cell, mirrored(plan, terms_of(cell)), level, record=False)
        for work in (alone, both):  # compiled, and not timed
            run_shard(work, 0)
        numbers = random.Random(int(seed)).sample(range(both.shards), int(shards))
        apart = [run_shard(alone, part) for n in numbers for part in both.parts_of(n)]
        together = [run_shard(both, n) for n in numbers]
        before, after = (sum(r.seconds for r in some) for some in (apart, together))
        magics = " ".join(str(sum(r.magic_count for r in some)) for some in (apart, together))
        name = f"rook {square}, {bits} bits"
        print(
            f"{name:<20}{before:>8.1f} s{after:>8.1f} s{before / after:>8.2f}x{magics:>14}",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
