"""Verification of tables of large boards by lines, made here by find-set: of a 13x13 (800,656
lookups) and a 16x16 board (4,718,592), in words of 256 bits.

    python benchmarks/bench_boards.py [--smallest]

With --smallest the board has 13x10 squares, and its pieces are a horse and a lance.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert import find_set
from magicert.table import read_table
from magicert.verify.table.verifier import verify

MAGICERT = [sys.executable, "-P", "-c", "from magicert.commands import main; main()"]
MOST = 1 << 23
QUESTIONS = {"13x13": ("rook=R", "cannon=pR", "horse=nN"), "16x16": ("rook=R",)}
SMALLEST = {"13x10": ("horse=nN", "lance=fR4")}


def main(smallest: bool = False) -> None:
    print("board     lookups  find-set, s  verify, s  and as a command, s of CPU")
    for board, pieces in (SMALLEST if smallest else QUESTIONS).items():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "table.toml"
            start = time.process_time()
            find_set(pieces, board=board, form="lines", output=path)
            found = time.process_time()
            report = verify(read_table(path), max_lookups=MOST)
            verified = time.process_time()
            assert report.verdict == "valid"
            command = [*MAGICERT, "verify", str(path), "--max-lookups", str(MOST)]
            before = sum(cpu_of_children())
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            whole = sum(cpu_of_children()) - before
        seconds = f"{found - start:11.2f}  {verified - found:9.2f}  {whole:.2f}"
        print(f"{board:5}  {report.lookups:>10,}  {seconds}")


def cpu_of_children() -> tuple[float, float]:
    """The seconds of user and system time of all child processes so far."""
    times = os.times()
    return times.children_user, times.children_system


if __name__ == "__main__":
    main("--smallest" in sys.argv[1:])
