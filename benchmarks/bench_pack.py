"""Lengths of packed buffers beside the published ones, and the speed of the kernels.

python benchmarks/bench_pack.py [SECONDS]
"""

import sys
import time
from pathlib import Path

import numpy as np

from compact.fresh import Wish, fresh_layout, ready_pools
from compact.kernel import anneal
from compact.layout import from_table
from compact.pack import Plan, pack
from compact.squares import square_data
from magicert.board import Piece, mask
from magicert.data import find_table, record_tables
from magicert.table import read_table

PUBLISHED = {"white": "cfish_plain", "black": "cfish_black"}


def lengths() -> None:
    print("length, used slots, holes (fixed shift 12/9)")
    records = [name for name in record_tables() if not name.endswith("two_level")]
    names = [*PUBLISHED.values(), *records]
    for name in names:
        layout = from_table(read_table(find_table(name)))
        print(f"  {name:<16} {layout.length:8,} {layout.used_slots:8,} {layout.holes:8,}")
    for name in records:
        layout = from_table(read_table(find_table(name)))
        print(f"  {name}: two-level bytes {layout.length + 50_624:,} (published 147,888)")


def kernel() -> None:
    print("annealing kernel, candidates a second on one core")
    for square in (0, 18, 60):
        data = square_data(Piece.ROOK, square)
        price = np.ones(4096, dtype=np.int32)
        for steps in (10, 50_000):
            start = time.process_time()
            anneal(
                np.uint64(0x80280013FF84FFFF), np.uint64(0), np.int64(0), 1, data.around,
                np.uint64(52), data.shifts, data.numbers, price, np.int64(20), np.int64(0),
                np.int64(0), np.int64(1), 12.0, 1.0, np.int64(steps), np.int64(0), np.uint64(1),
            )  # fmt: skip
            passed = time.process_time() - start
        print(f"  rook, c = {data.c}: {steps / passed:12,.0f}")


def improvement(seconds: float) -> None:
    print(f"{seconds:.0f} s of packing on one core, from the published tables and from nothing")
    for scheme, name in PUBLISHED.items():
        layout = from_table(read_table(find_table(name)))
        result = pack(layout, Plan(seconds=seconds))
        print(f"  {scheme}: {layout.length:,} to {result.layout.length:,}")
    bits = {(piece, s): mask(piece, s).bit_count() for piece in Piece for s in range(64)}
    wish = Wish("black", bits)
    fresh = fresh_layout(wish, ready_pools(wish, 1, map, lambda *_: None), 1)
    result = pack(fresh, Plan(seconds=seconds))
    print(f"  fresh: {fresh.length:,} to {result.layout.length:,} (aim: below 100,000 in 10 min)")


if __name__ == "__main__":
    print(Path(__file__).name)
    lengths()
    kernel()
    improvement(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
