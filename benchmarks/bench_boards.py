"""Tables of other boards: lookups a second for each, and the largest as a command, beside chess.

python benchmarks/bench_boards.py
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from magicert.data import board_tables, published_tables
from magicert.table import read_table
from magicert.verify.table.verifier import verify

MAGICERT = [sys.executable, "-P", "-c", "from magicert.cli import main; main()"]
LARGEST = "pikafish_cannon"
CHESS = "shakmaty"
RUNS = 5
FEW = 10_000
SMALL = "   (mostly the analysis of the formula)"
"""What is said of tables so small that their lookups are not what takes the time."""


def processor_seconds(path: Path) -> tuple[int, float]:
    """The lookups of a table, and the median of the time on the processor that one run takes.

    The first run fills what is kept between tables, so that each figure is of the work itself.
    """
    file = read_table(path)
    lookups = verify(file).lookups
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        verify(file)
        times.append(time.process_time() - start)
    return lookups, median(times)


def command(path: Path) -> tuple[float, float]:
    """The seconds and the peak MB of a whole `magicert verify`."""
    start = time.perf_counter()
    child = subprocess.Popen([*MAGICERT, "verify", str(path)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{path.stem}: exit status {child.returncode}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    print(f"the whole command (median of {RUNS}; aim: 2 s, 300 MB for the xiangqi cannon)")
    for path in (board_tables()[LARGEST], published_tables()[CHESS]):
        runs = [command(path) for _ in range(RUNS)]
        took, peak = median(run[0] for run in runs), max(run[1] for run in runs)
        print(f"  {path.stem:<20} {took:>8.2f} s {peak:>7.0f} MB")
    print(f"one process, time on the processor (median of {RUNS}; aim: 1 million lookups a second)")
    for name, path in board_tables().items():
        board = read_table(path).table.board
        lookups, seconds = processor_seconds(path)
        print(f"  {name:<20} {board!s:>5} {lookups:>10,} lookups {1e3 * seconds:>8.1f} ms "
              f"{lookups / seconds / 1e6:>7.2f} million/s{SMALL * (lookups < FEW)}",
              flush=True)  # fmt: skip
    lookups, seconds = processor_seconds(published_tables()[CHESS])
    print(f"  {CHESS:<20} chess {lookups:>10,} lookups {1e3 * seconds:>8.1f} ms "
          f"{lookups / seconds / 1e6:>7.2f} million/s   (64-bit words)")  # fmt: skip


if __name__ == "__main__":
    main()
