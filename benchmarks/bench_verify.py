"""Verification: one table, one process, all tables; each beside its reference, in one run.

    python benchmarks/bench_verify.py [--smallest]

With --smallest each is done once, and one table stands for all.
"""

import importlib.util
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType

from magicert.data import published_tables
from magicert.table import read_table
from magicert.verify.table.verifier import verify

ROOT = Path(__file__).parents[1]
MAGICERT = [sys.executable, "-P", "-c", "from magicert.commands import main; main()"]


def reference() -> ModuleType:
    """The slow reference verifier of the tests."""
    spec = importlib.util.spec_from_file_location("slow", ROOT / "tests/verify/conftest.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["slow"] = module
    spec.loader.exec_module(module)
    return module


def seconds(
    work: Callable[[], object], runs: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    times = []
    for _ in range(runs):
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)


def process(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main(smallest: bool = False) -> None:
    file = read_table(published_tables()["shakmaty"])
    start = time.perf_counter()
    verify(file)
    first = time.perf_counter() - start
    # In this process the time on the processor counts, so that a busy machine hurts neither.
    warm = seconds(lambda: verify(file), 1 if smallest else 50, time.process_time)
    judged = reference().Judged
    runs = 1 if smallest else 3
    slow = seconds(lambda: judged(file.table).run(), runs, time.process_time)
    print("one table, 107,648 lookups (median of 50; aim: 5 ms and 200 times the reference)")
    print(f"  verifier              {1e3 * warm:10.2f} ms   (first call {1e3 * first:.1f} ms)")
    print(f"  slow reference        {1e3 * slow:10.2f} ms   ratio {slow / warm:,.0f}")

    imports = "import numpy, click, rich"
    mine, theirs = [], []
    for _ in range(1 if smallest else 15):  # in turn, so that a machine's moods hit both
        mine.append(seconds(lambda: process(*MAGICERT, "verify", str(file.path)), 1))
        theirs.append(seconds(lambda: process(sys.executable, "-P", "-c", imports), 1))
    ratio = median(a / b for a, b in zip(mine, theirs, strict=True))
    print("whole process (median of 15 pairs; aim: ratio 2.5)")
    print(f"  magicert verify ONE   {1e3 * median(mine):10.0f} ms")
    print(f"  {imports:<21} {1e3 * median(theirs):6.0f} ms   ratio {ratio:.2f}")

    if smallest:
        return
    published = seconds(lambda: process(*MAGICERT, "verify", "--published"), 5)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print("all published tables in one process (median of 5; aim: 1 s, 150 MB)")
    print(f"  {len(published_tables())} tables             {1e3 * published:10.0f} ms   "
          f"largest process so far {peak:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main("--smallest" in sys.argv)
