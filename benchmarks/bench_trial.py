"""How long trial takes for whole sets, beside the limits and Romstad's own program.

    python benchmarks/bench_trial.py [--drawings | --smallest]

One core, warm (kernels compiled, occupancies listed), in processor time, so that a busy
machine does not matter; each figure is the median of `SEEDS` sets, since luck decides. The
whole process includes Python's start, the imports, the verification of the table and the
writing of its file. With --drawings also how sets fare with other numbers of words to AND
and of ones in the top byte.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from magicert.api.forms import TableForm
from magicert.board import CHESS
from magicert.cell import Cell
from magicert.chess import MOVEMENTS, Piece
from magicert.engine import EngineRequest, option_values
from magicert.outcome import Exists, Quiet
from magicert.scheme import SCHEMES
from magicert.search.finders import trial

SEEDS = range(1, 12)
ROMSTAD = "(Romstad's program, gcc -O3, such a machine: {})"


def set_seconds(cells: Sequence[Cell], seed: int, **given: str) -> float:
    """Seconds for a magic of every cell; infinite if one is not found."""
    options = option_values(trial, {"construct": "no", **given})
    started = time.process_time()
    for cell in cells:
        request = EngineRequest(cell, seed=seed, seconds=20.0, options=options)
        if not isinstance(trial.solve(request, Quiet()), Exists):
            return float("inf")
    return time.process_time() - started


def show(what: str, seconds: Sequence[float], limit: float | None, note: str = "") -> None:
    """One line: median, best, worst, the limit and a reference."""
    beside = (
        ""
        if limit is None
        else f"  limit {limit:.1f} s: {'ok' if median(seconds) <= limit else 'MISSED'}"
    )
    print(f"{what:<44} median {median(seconds):.3f} s  ({min(seconds):.3f} to "
          f"{max(seconds):.3f}){beside} {note}", flush=True)  # fmt: skip


def cells_of(scheme: str, pieces: Sequence[Piece], fixed: bool = False) -> tuple[Cell, ...]:
    parts = {piece.value: MOVEMENTS[piece] for piece in pieces}
    form = TableForm(fixed_shift=fixed)
    return tuple(form.cells(CHESS, parts, SCHEMES[scheme]).values())


def warm(scheme: str, fixed: bool, pieces: Sequence[Piece] = tuple(Piece)) -> list[float]:
    cells = cells_of(scheme, pieces, fixed)
    set_seconds(cells, 0)
    return [set_seconds(cells, seed) for seed in SEEDS]


def whole_process() -> tuple[list[float], list[float]]:
    """`magicert find-set -o FILE` as a user runs it, by the clock and in processor time.

    The first run, which fills the cache, does not count.
    """
    clock, processor = [], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in (1, *SEEDS):
            code = "from magicert.commands import main; main()"
            table = str(Path(folder) / "table.toml")
            command = [
                sys.executable,
                "-P",
                "-c",
                code,
                "find-set",
                "--seed",
                str(seed),
                "-o",
                table,
            ]
            before, started = os.times(), time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            after = os.times()
            clock.append(time.perf_counter() - started)
            processor.append(
                after.children_user + after.children_system
                - before.children_user - before.children_system
            )  # fmt: skip
    return clock[1:], processor[1:]


def drawings() -> None:
    """Sets with every drawing that is not hopeless; the engine's own choice is trial.BEST."""
    for scheme in ("white", "black", "two-halves"):
        for piece in Piece:
            cells = cells_of(scheme, [piece])
            for ands in (2, 3, 4):
                for top in (0, 5, 6):
                    times = [
                        set_seconds(cells, s, ands=str(ands), top=str(top)) for s in range(1, 6)
                    ]
                    show(f"{scheme} {piece}, AND of {ands}, top byte {top}", times, None)


def main() -> None:
    if "--smallest" in sys.argv:
        show("64 bishops", [set_seconds(cells_of("white", [Piece.BISHOP]), 1)], None)
        return
    show("128 magics at c bits, 64-bit", warm("white", fixed=False), 0.3, ROMSTAD.format("1.25 s"))
    show("128 magics at c bits, two halves", warm("two-halves", fixed=False), 0.1,
         ROMSTAD.format("0.24 s"))  # fmt: skip
    show("128 magics, fixed shift 12/9", warm("white", fixed=True), 0.3)
    show("128 magics at c bits, black", warm("black", fixed=False), None)
    show(
        "64 bishops at c bits, two halves with +",
        warm("two-halves-add", False, [Piece.BISHOP]),
        None,
    )
    clock, processor = whole_process()
    show("whole process, 128 magics at c bits", processor, 1.5)
    show("the same by the clock", clock, 1.5)
    if "--drawings" in sys.argv:
        drawings()


if __name__ == "__main__":
    main()
