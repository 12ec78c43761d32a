"""What `pack --from-nothing` comes to in ten minutes and in an hour, beside commit 9528eafe.

    python -P benchmarks/bench_from_nothing.py [BUDGET ... | --smallest] [--python PATH]

Both run on two workers, one after the other, on whatever else the machine does: an idle machine
of two cores is meant. The other commit comes from the git clone, and runs with the Python of
--python: this one, if it has its libraries. With --smallest both read a table and write it again.

Reference: the aims of 74,000 entries in ten minutes and 73,000 in an hour.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.table import read_table

ROOT = Path(__file__).parents[1]
COMMIT = "9528eafe"
AIMS = {"10m": 74_000, "1h": 73_000}
PLAIN = ("--scheme", "black", "--workers", "2")
SMALLEST = ("--from", "cfish_black", "--rounds", "0")


def entries(code: Path, python: str, options: Sequence[str]) -> tuple[int | None, float]:
    """The length of the table that a checkout's command writes (None: none), and its seconds."""
    with TemporaryDirectory() as folder:
        output = Path(folder) / "packed.toml"
        words = [python, "-P", "-m", "magicert", "pack", "--quiet", *options, "-o", str(output)]
        start = time.monotonic()
        done = subprocess.run(
            words, cwd=code, env=os.environ | {"PYTHONPATH": str(code)}, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        seconds = time.monotonic() - start
        if not output.exists():
            print(done.stderr.strip(), file=sys.stderr)
            return None, seconds
        return read_table(output).table.buffer_size, seconds


def compared(
    budgets: Sequence[str], options: Sequence[str], python: str, here: Sequence[str]
) -> None:
    """A row for each budget, its lengths printed as they come. `here` are options that the other
    lacks.
    """
    with TemporaryDirectory() as temporary:
        packed = Path(temporary) / "code.tar"
        git = ["git", "-C", str(ROOT), "archive", "--output", str(packed), COMMIT]
        subprocess.run(git, check=True)
        code = Path(temporary) / COMMIT
        shutil.unpack_archive(packed, code, filter="data")
        print(f"{'budget':<8}{'aim':>9}{'here':>9}{COMMIT:>10}  seconds")
        for budget in budgets:
            aim = f"{AIMS[budget]:,}" if budget in AIMS else ""
            print(f"{budget:<8}{aim:>9}", end="", flush=True)
            timed, took = [*options, "--budget", budget], []
            for folder, interpreter, words, width in (
                (ROOT, sys.executable, [*here, *timed], 9), (code, python, timed, 10),
            ):  # fmt: skip
                length, seconds = entries(folder, interpreter, words)
                took.append(f"{seconds:.0f}")
                print(f"{f'{length:,}' if length else 'none':>{width}}", end="", flush=True)
            print(f"  {', '.join(took)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budgets", nargs="*", default=[*AIMS])
    parser.add_argument("--smallest", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    print(Path(__file__).name)
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        print("expected a git clone: the other commit comes from it")
        return
    if given.smallest:
        compared(["1s"], SMALLEST, given.python, ())
    else:
        compared(given.budgets, PLAIN, given.python, ["--from-nothing"])


if __name__ == "__main__":
    main()
