"""Layered against plain tables: seconds to verify, bytes, nanoseconds a lookup.

    python benchmarks/bench_layered.py

The reference is the plain record `black`, verified and measured in the same run.
"""

import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.compact.timing.bench import bench
from magicert.data import find_table
from magicert.table import read_table
from magicert.table.read import TableFile
from magicert.verify.table.verifier import verify

NAMES = ("black", "layered_48036", "two_level_79593")
GAMES = Path(__file__).parents[1] / "tables" / "games"
TURNS = 5


def main() -> None:
    files = [read_table(find_table(name)) for name in NAMES]
    print(f"{'table':<18} {'entries':>8} {'verify s':>9}")
    for name, file in zip(NAMES, files, strict=True):
        best = min(_seconds(file) for _ in range(3))
        print(f"{name:<18} {file.table.buffer_size:>8,} {best:>9.3f}")
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        print("no C compiler: lookups are not measured")
        return
    with TemporaryDirectory() as folder:
        speeds = bench(files, GAMES, Path(folder), compiler, TURNS)
    plain = speeds[0].nanoseconds
    print(f"\n{'table':<18} {'bytes':>8}  ns random (beside plain)  ns games (beside plain)")
    for speed in speeds:
        shown = "  ".join(
            f"{value:5.2f} ({value - plain[kind]:+.2f})"
            for kind, value in speed.nanoseconds.items()
        )
        print(f"{speed.name:<18} {speed.bytes:>8,}  {shown}")


def _seconds(file: TableFile) -> float:
    start = time.perf_counter()
    report = verify(file)
    assert report.verdict == "valid"
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
