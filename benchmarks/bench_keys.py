"""Keys: how long a magic takes, and a proof that there is none, beside plain random trial.

    python benchmarks/bench_keys.py

Plain random trial is what keyword tables are usually made with: a random word, all keys, a set;
it is written here in Python and, where there is a compiler, in C. Warm kernels, one core,
processor time; the whole command as well, as a user waits for it.
"""

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from magicert.cell import Cell
from magicert.data import tables_folder
from magicert.engine import EngineRequest, load, option_values
from magicert.key_file import read_keys
from magicert.outcome import Exists, Impossible, Outcome, Quiet, Unknown
from magicert.scheme import SCHEMES
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import read_certificate

SEEDS = range(1, 12)
LIMIT = 1.0
"""Seconds for 24 CSS-like keywords to 5 bits."""
WORD = (1 << 64) - 1

PLAIN_C = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t keys[65536];
int main(int argc, char **argv) {
    int shift = 64 - atoi(argv[1]), count = argc - 3;
    uint64_t state = strtoull(argv[2], 0, 0), tried = 0;
    for (int n = 0; n < count; n++) keys[n] = strtoull(argv[n + 3], 0, 0);
    for (;;) {
        uint64_t m = (state += 0x9e3779b97f4a7c15), used = 0;
        m = (m ^ m >> 30) * 0xbf58476d1ce4e5b9;
        m = (m ^ m >> 27) * 0x94d049bb133111eb;
        m ^= m >> 31;
        tried++;
        int n = 0;
        for (; n < count; n++) {
            uint64_t bit = (uint64_t)1 << (keys[n] * m >> shift);
            if (used & bit) break;
            used |= bit;
        }
        if (n == count) { printf("%llu\n", (unsigned long long)tried); return 0; }
    }
}
"""


def cell_of(name: str, bits: int) -> Cell:
    return Cell(SCHEMES["white"], read_keys(tables_folder() / "keys" / name).keys, bits)


def seconds(work: Callable[[int], object]) -> list[float]:
    """Processor time of the work for each seed."""
    taken = []
    for seed in SEEDS:
        started = time.process_time()
        work(seed)
        taken.append(time.process_time() - started)
    return taken


def show(what: str, taken: list[float], note: str = "") -> None:
    spread = f"({min(taken):.4f} to {max(taken):.4f})"
    print(f"{what:<50} median {median(taken):9.4f} s  {spread} {note}", flush=True)


def trial(cell: Cell, seed: int) -> None:
    engine = load("trial")
    request = EngineRequest(cell, seed=seed, options=option_values(engine, {}))
    assert isinstance(engine.solve(request, Quiet()), Exists)


def plain_python(cell: Cell, seed: int) -> None:
    draw = random.Random(seed)
    shift = 64 - cell.bits
    while True:
        magic = draw.getrandbits(64)
        seen: set[int] = set()
        for word in cell.words:
            slot = (word * magic & WORD) >> shift
            if slot in seen:
                break
            seen.add(slot)
        else:
            return


def plain_c(cell: Cell, folder: str) -> list[float] | None:
    if shutil.which("cc") is None:
        return None
    source, program = Path(folder) / "plain.c", Path(folder) / "plain"
    source.write_text(PLAIN_C)
    subprocess.run(["cc", "-O3", "-march=native", "-o", program, source], check=True)
    taken = []
    for seed in SEEDS:
        words = [str(cell.bits), str(seed * 1_000_003), *map(str, cell.words)]
        taken.append(run(str(program), *words)[0])
    return taken


def run(*words: str) -> tuple[float, float]:
    """A program of its own: processor time and wall clock."""
    before, started = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    wall, after = time.perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def finding() -> None:
    cell = cell_of("css.txt", 5)
    trial(cell, 0)
    taken = seconds(lambda seed: trial(cell, seed))
    verdict = "ok" if max(taken) <= LIMIT else "MISSED"
    show("24 keywords to 5 bits: magicert, trial", taken, f"limit {LIMIT:.1f} s: {verdict}")
    with tempfile.TemporaryDirectory() as folder:
        in_c = plain_c(cell, folder)
    if in_c:
        show("  the same by plain random trial in C", in_c)
    show("  the same by plain random trial in Python", seconds(lambda s: plain_python(cell, s))[:3])
    path = str(tables_folder() / "keys" / "css.txt")
    whole = [run(sys.executable, "-m", "magicert", "find", "--keys", path) for _ in range(5)]
    show("  the whole command: magicert find --keys", [spent for spent, _ in whole])
    show("  the whole command (wall)", [wall for _, wall in whole])


def proving() -> None:
    cell = cell_of("http.txt", 4)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "http.cover"
        for name in ("window", "z3", "sat"):
            outcome, taken = settled(cell, name, path)
            assert isinstance(outcome, Impossible)
            show(f"16 status codes, 4 bits, IMPOSSIBLE: {name} (wall)", [taken], outcome.evidence)
        started = time.perf_counter()
        report = check(read_certificate(path))
        taken = time.perf_counter() - started
        note = f"{report.verdict}, {report.leaves:,} leaves"
        show("  the certificate of the first, checked (wall)", [taken], note)
    outcome, taken = settled(cell, "trial", path)
    assert isinstance(outcome, Unknown)
    show("  random trial knows no more after", [taken], outcome.progress)


def settled(cell: Cell, name: str, certificate: Path) -> tuple[Outcome, float]:
    """What an engine says, and in what time, with compiled kernels."""
    engine = load(name)
    given = {"certificate": str(certificate), "planning": "1"} if name == "window" else {}
    request = EngineRequest(cell, options=option_values(engine, given))
    for _ in range(2 if name == "window" else 1):
        started = time.perf_counter()
        outcome = engine.solve(request, Quiet())
        taken = time.perf_counter() - started
    return outcome, taken


if __name__ == "__main__":
    finding()
    proving()
