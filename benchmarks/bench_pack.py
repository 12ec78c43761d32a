"""Lengths of packed buffers beside the published ones, and the speed of the kernels.

python benchmarks/bench_pack.py [SECONDS]
"""

import sys
import time
from pathlib import Path

import numpy as np

from compact.banded import CastPlan, banded_rooks
from compact.fresh import Wish, fresh_layout, ready_pools
from compact.kernel import anneal
from compact.layout import from_table
from compact.lines import rook_lines, row_start
from compact.pack import Plan, pack
from compact.plane import Heat, Plane
from compact.squares import square_data
from magicert.board import Piece, square_name
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
    print(f"{seconds:.0f} s of packing on one core, from the published tables")
    for scheme, name in PUBLISHED.items():
        layout = from_table(read_table(find_table(name)))
        result = pack(layout, Plan(seconds=seconds))
        print(f"  {scheme}: {layout.length:,} to {result.layout.length:,}")


def row_kernel() -> None:
    print("row kernel, candidates a second on one core (row step 64 and 16)")
    random = np.random.default_rng(1)
    for square in (7, 18, 35):
        lines = rook_lines(square)
        for step in (6, 4):
            plane = Plane("black")
            for heat in (Heat(10, 150.0, 4.0), Heat(100_000, 150.0, 4.0)):
                start = time.process_time()
                magic = row_start(lines, step, random)
                plane.anneal(square, step, (magic, 0), (1, 5), heat, random)
                passed = time.process_time() - start
            print(f"  {square_name(square)}, {1 << step}: {heat.steps / passed:12,.0f}")


def from_nothing(seconds: float) -> None:
    """What `magicert pack --budget SECONDS` does, here on one core."""
    began = time.monotonic()
    bits = {(piece, s): 12 if piece is Piece.ROOK else 9 for piece in Piece for s in range(64)}
    wish = Wish("black", bits)
    bishops = {key: b for key, b in bits.items() if key[0] is Piece.BISHOP}
    pools = ready_pools(Wish("black", bishops), 1, map, lambda *_: None)
    plan = CastPlan(1, 10_000, began + 0.8 * seconds)
    seats, rounds = banded_rooks("black", plan, map, lambda *_: None)
    fresh = fresh_layout(wish, pools, 1, seated=seats)
    left = max(0.0, seconds - (time.monotonic() - began))
    result = pack(fresh, Plan(seconds=left))
    print(
        f"from nothing, {time.monotonic() - began:.0f} s on one core: {rounds} castings, "
        f"{fresh.length:,} to {result.layout.length:,} (aim: below 100,000 in 600 s on two)"
    )


if __name__ == "__main__":
    print(Path(__file__).name)
    lengths()
    kernel()
    row_kernel()
    improvement(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
    from_nothing(float(sys.argv[1]) if len(sys.argv) > 1 else 300.0)
