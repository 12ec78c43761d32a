"""Low bits first: seconds against a plain C program of the published method, and windows.

    python benchmarks/bench_low.py              six cells, or some of their shards, by all three
    python benchmarks/bench_low.py --smallest   compiles the C program only
    python benchmarks/bench_low.py --planner    what the planner takes on twelve cells of all ranks

benchmarks/low_bits.c is compiled with -Ofast beside it. The windows' seconds are an estimate where
that is more than ten. All of it on one core, counting only, by the process's own time.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from magicert.cell import Cell
from magicert.chess import Piece, parse_square
from magicert.scheme import SCHEMES
from magicert.search.planning import Estimate, choose_plan, sample
from magicert.search.problem import AnyPlan, LowPlan, low_plan, terms_of
from magicert.search.shards.shard import Work, run_shard
from magicert.targets import square_cell

SOURCE = Path(__file__).with_name("low_bits.c")
COMPILE = ("cc", "-Ofast", "-march=native", "-o")
PUBLISHED = {
    "bishop f8": "15 s", "bishop e7": "10 to 13 s", "bishop c8": "1.0 s", "rook f8": "20 minutes",
    "rook h7": "34 s", "rook g7": "47 s", "rook g8": "298 s",
}  # fmt: skip
"""What the published program took for the whole cell, on another machine (the issue's numbers)."""
CELLS = (
    ("bishop", "c8", 4, 0, (0,)), ("bishop", "f8", 4, 0, (0,)), ("bishop", "e7", 4, 0, (0,)),
    ("rook", "h7", 9, 1, (1,)), ("rook", "g7", 8, 1, (3,)), ("rook", "f8", 10, 5, (33, 101)),
)  # fmt: skip
"""Piece, square, bits, and which shards at which level of the plan."""
PLANNED = (
    ("bishop", "d1", 4), ("bishop", "e2", 4), ("bishop", "c3", 6), ("rook", "e3", 9),
    ("rook", "d4", 9), ("rook", "e5", 9), ("rook", "e6", 9), ("bishop", "e7", 4), ("rook", "g7", 8),
    ("bishop", "c8", 4), ("bishop", "f8", 4), ("rook", "h8", 10),
)  # fmt: skip
LONG = 10.0


def cell_of(piece: str, square: str, bits: int) -> Cell:
    return square_cell(SCHEMES["white"], Piece(piece), parse_square(square), bits)


def timed(cell: Cell, plan: AnyPlan, level: int, shards: tuple[int, ...]) -> tuple[int, float]:
    """Magics and seconds of some shards; `level` 0 has one, the whole cell."""
    work = Work(cell, plan, level, record=False)
    started = time.process_time()
    magics = sum(run_shard(work, number).magic_count for number in shards)
    return magics, time.process_time() - started


def windows(cell: Cell) -> Estimate:
    return choose_plan(terms_of(cell), budget=3.0, low=False)


def compare(program: str) -> None:
    timed(cell_of("bishop", "d8", 4), low_plan(terms_of(cell_of("bishop", "d8", 4))), 0, (0,))
    for piece, square, bits, level, shards in CELLS:
        cell = cell_of(piece, square, bits)
        plan = low_plan(terms_of(cell))
        work = Work(cell, plan, level, record=False)
        tests = seconds = found = 0.0
        for number in shards:
            q, m, _ = work.root(number)
            arguments = [piece, square, str(bits), str(q), str(m)]
            answer = subprocess.run([program, *arguments], check=True, capture_output=True).stdout
            tests, found, seconds = (
                a + b
                for a, b in zip((tests, found, seconds), map(float, answer.split()), strict=True)
            )
        magics, own = timed(cell, plan, level, shards)
        assert magics == found, (magics, found)
        part = "whole" if not level else f"{len(shards)} of {work.shards:,} shards"
        print(
            f"{piece} {square}, {bits} bits, {part}: C {tests:.3g} tests {seconds:.3f} s, low bits "
            f"first {own:.3f} s: {own / seconds:.3f} of it; published: "
            f"{PUBLISHED.get(f'{piece} {square}', '-')}",
            flush=True,
        )
        if level:
            continue
        estimate = windows(cell)
        if estimate.seconds < LONG:
            _, by_windows = timed(cell, estimate.plan, 0, (0,))
            print(f"    by windows: {by_windows:.3f} s, {by_windows / own:.3g} times as long")
        else:
            print(f"    by windows, the whole cell: {estimate}")


def planner() -> None:
    """The planner's choice against the better of the two kinds: by the clock where both take
    little, or else by estimates.
    """
    for name in PLANNED:
        cell = cell_of(*name)
        about = terms_of(cell)
        started = time.process_time()
        chosen = choose_plan(about, budget=5.0)
        planning = time.process_time() - started
        low = sample(about, low_plan(about), 1000, seed=2)
        assert low is not None
        other = windows(cell)
        kind = "low bits first" if isinstance(chosen.plan, LowPlan) else "windows"
        better = min(low.seconds, other.seconds)
        print(
            f"{' '.join(map(str, name)):<14} {kind:<14} {chosen.seconds:.3g} s; low bits first "
            f"{low.seconds:.3g} s, windows {other.seconds:.3g} s: {chosen.seconds / better:.2f} of "
            f"the better; planned in {planning:.1f} s",
            flush=True,
        )
        if chosen.seconds < LONG:
            _, seconds = timed(cell, chosen.plan, 0, (0,))
            print(
                f"{'':<14} it took {seconds:.3g} s: {seconds / chosen.seconds:.2f} of the estimate"
            )


def main() -> None:
    if "--planner" in sys.argv:
        planner()
        return
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/low_bits"
        subprocess.run([*COMPILE, program, str(SOURCE)], check=True)
        if "--smallest" not in sys.argv:
            compare(program)


if __name__ == "__main__":
    main()
