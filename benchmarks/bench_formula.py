"""What a lookup costs the numpy reading, in words of 64 and of 128 bits.

    python benchmarks/bench_formula.py

As many lookups as a xiangqi rook's table has slots, 90 squares of 12,000 occupancies: seconds (the
best of five), millions a second, and bytes a lookup at the peak, result included.
"""

import time
import tracemalloc

import numpy as np

from magicert.formula import parse
from magicert.formula.arrays import Words, bit_and, evaluate, indexes, words

SQUARES, OCCUPANCIES, TURNS = 90, 12_000, 5
FORMULAS = (
    (64, "((occ & mask) * magic) >> (64 - popcount(mask))"),
    (128, "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift"),
    (128, "((occ & mask) * magic) >> (128 - popcount(mask))"),
)


def drawn(shape: tuple[int, int], width: int) -> Words:
    """Random words."""
    draw = np.random.default_rng(1)
    lanes = draw.integers(0, 1 << 64, (*shape, width // 64), dtype=np.uint64)
    return words(lanes[..., 0], 64) if width == 64 else lanes.view(words(0, 128).dtype)[..., 0]


def main() -> None:
    for width, text in FORMULAS:
        formula, some = parse(text, word=width), (SQUARES, 1)
        values = {
            "occ": drawn((SQUARES, OCCUPANCIES), width),
            "mask": bit_and(drawn(some, width), drawn((SQUARES + 1, 1), width)[1:]),
            "magic": drawn(some, 64 if "shift" in text else width),
            "shift": words([[50]], 64),
        }
        best = float("inf")
        for _ in range(TURNS):
            started = time.perf_counter()
            indexes(evaluate(formula.tree, values, text))
            best = min(best, time.perf_counter() - started)
        tracemalloc.start()
        indexes(evaluate(formula.tree, values, text))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        lookups = SQUARES * OCCUPANCIES
        print(f"{width:>3} bits  {best:6.3f} s  {lookups / best / 1e6:6.1f} million/s", end="  ")
        print(f"{peak / lookups:4.0f} bytes a lookup  {text}")


if __name__ == "__main__":
    main()
