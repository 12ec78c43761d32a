"""A function's proof: the first run and the second one, which finds the first one's cache, in turn.

    python benchmarks/bench_functions.py [--smallest] [-- WORDS OF magicert verify ...]

Seconds of the processor, of our processes and of the compilers together. The samples of the tests
are ours, one of each language; of an engine its own command is given, in the folder of its
repository as tables/engines.tsv has it. With --smallest one sample is enough.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

SAMPLES = Path(__file__).parents[1] / "tests" / "functions" / "samples"
MAGICERT = (sys.executable, "-P", "-c", "from magicert.commands import main; main()")
COMMANDS = {
    "C, multiplications": ("kogge_stone.c", "--function", "rook=rook_attacks"),
    "C, tables of an init": (
        "kindergarten.c", "--function", "rook=rook_attacks", "--init", "init",
    ),
    "Rust": ("hyperbola_bitreverse.rs", "--function", "rook=rook_attacks"),
    "Zig": ("rays.zig", "--function", "rook=rook_attacks"),
}  # fmt: skip
GOAL = 0.5
"""What a second run should take of the first one's time, at most."""


def run(words: Sequence[str], cache: Path) -> tuple[float, float, str]:
    """Seconds of the processor and of the clock, and the last line of the answer."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    began, before = time.perf_counter(), used()
    done = subprocess.run(
        [*MAGICERT, "verify", *words], capture_output=True, text=True, check=False,
        env={**os.environ, "MAGICERT_CACHE": str(cache)},
    )  # fmt: skip
    lines = (done.stdout + done.stderr).strip().splitlines() or ["no answer"]
    verdict = {0: "valid", 1: "invalid"}.get(done.returncode, lines[-1])
    return used() - before, time.perf_counter() - began, verdict


def main(*arguments: str) -> int:
    """A row for each command; 1 where one has no answer."""
    smallest = "--smallest" in arguments
    if "--" in arguments:
        words = arguments[arguments.index("--") + 1 :]
        commands = {words[0]: words}
    else:
        commands = {name: (str(SAMPLES / words[0]), *words[1:]) for name, words in COMMANDS.items()}
        if shutil.which("rustc") is None:
            del commands["Rust"]
        commands = dict([*commands.items()][: 1 if smallest else None])
    print(f"{'processor seconds (clock)':28}{'first':>16}{'second':>16}{'ratio':>8}  goal {GOAL}")
    well = True
    for name, words in commands.items():
        with TemporaryDirectory(prefix="magicert-") as folder:
            first, second = (run(words, Path(folder) / "cache") for _ in range(2))
        columns = "".join(f"{f'{cpu:.1f} ({wall:.1f})':>16}" for cpu, wall, _ in (first, second))
        print(f"{name:28}{columns}{second[0] / first[0]:8.2f}  {first[2]}, {second[2]}")
        well &= {first[2], second[2]} <= {"valid", "invalid"}
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
