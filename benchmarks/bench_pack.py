"""Lengths of packed buffers beside the published ones, and the speed of the kernels.

    python benchmarks/bench_pack.py [SECONDS | --smallest]

Tables whose entries are no attack sets (layers, two levels) are left out. With --smallest the
kernels take few steps, and nothing is packed.
"""

import itertools
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from magicert.chess import Piece, square_name
from magicert.compact.anneal import Offsets, Prices, anneal_placement
from magicert.compact.kernels import WalkEffort
from magicert.compact.layouts import from_table
from magicert.compact.pack import squeezed
from magicert.compact.pages.columns import ColumnTask, column_anneal, rook_lines, row_start
from magicert.compact.placements import Choice, cell_data
from magicert.data import find_table, record_tables
from magicert.problem import InputError
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import read_table

PUBLISHED = {"white": "cfish_plain", "black": "cfish_black"}


def lengths(names: Iterable[str]) -> None:
    print("length, used slots, holes (fixed shift 12/9)")
    layouts = {}
    for name in names:
        with suppress(InputError):
            layouts[name] = from_table(read_table(find_table(name)))
    for name, layout in layouts.items():
        print(f"  {name:<16} {layout.length:8,} {layout.used_slots:8,} {layout.holes:8,}")
    for name, layout in layouts.items():
        if name in record_tables() and not layout.half_board:
            print(f"  {name}: two-level bytes {layout.length + 50_624:,} (published 147,888)")


def kernel(most: int = 50_000) -> None:
    print("annealing kernel, candidates a second on one core")
    for square in (0, 18, 60):
        cell = cell_data("black", Piece.ROOK, square, 12)
        prices = Prices(np.ones(4096, dtype=np.int32), 20)
        for steps in (10, most):
            start = time.process_time()
            anneal_placement(
                cell, Choice(0x80280013FF84FFFF), prices, Offsets(0, 0),
                WalkEffort(steps, 12.0, 1.0), np.random.default_rng(1),
            )  # fmt: skip
            passed = time.process_time() - start
        print(f"  rook, c = {len(cell.square.shifts)}: {steps / passed:12,.0f}")


def improvement(seconds: float) -> None:
    print(f"{seconds:.0f} s of packing on one core, from the published tables")
    for scheme, name in PUBLISHED.items():
        layout = from_table(read_table(find_table(name)))
        parts, deadline = [*map(layout.arrangement, layout.buffers)], Deadline.after(seconds)
        with suppress(BudgetOverError):
            for number in itertools.count():
                at = number % len(parts)
                parts[at] = squeezed(parts[at], [(1, number, 0)], deadline)
        print(f"  {scheme}: {layout.length:,} to {layout.with_arrangements(parts).length:,}")


def column_kernel(most: int = 100_000) -> None:
    print("column kernel, candidates a second on one core (row step 64 and 16)")
    random = np.random.default_rng(1)
    for square in (7, 18, 35):
        lines = rook_lines(square, black=True)
        for step in (6, 4):
            for candidates in (10, most):
                magic = np.uint64(row_start(lines, step, random))
                start = time.process_time()
                task, effort = ColumnTask(lines, step, 300), WalkEffort(candidates, 150.0, 6.0)
                column_anneal(task, magic, effort, np.uint64(1))
                passed = time.process_time() - start
            print(f"  {square_name(square)}, {1 << step}: {candidates / passed:12,.0f}")


def from_nothing(seconds: float) -> None:
    """What the command makes of nothing on two cores."""
    for scheme in ("black", "white"):
        with TemporaryDirectory() as folder:
            output = Path(folder) / "packed.toml"
            words = f"pack --from-nothing --scheme {scheme} --budget {seconds:.0f}s --workers 2"
            words += " --name bench"
            command = [sys.executable, "-P", "-m", "magicert", *words.split(), "-o", str(output)]
            said = subprocess.run(command, capture_output=True, text=True, check=False)
            print(f"from nothing, {seconds:.0f} s on two cores (aim: below 100,000 in 600 s)")
            print(said.stdout.strip() or said.stderr.strip())


if __name__ == "__main__":
    print(Path(__file__).name)
    if "--smallest" in sys.argv:
        lengths(("cfish_black", "layered"))
        kernel(100)
        column_kernel(100)
        sys.exit()
    lengths((*PUBLISHED.values(), *record_tables()))
    kernel()
    column_kernel()
    improvement(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
    from_nothing(float(sys.argv[1]) if len(sys.argv) > 1 else 300.0)
