"""Leaves a second: the checker extracted from Coq, another build of it, and the one in Python.

    python benchmarks/bench_proved.py [--before PROGRAM] [CERTIFICATE ...]

`make proved` compiles the first (build/proved); without it this says so. PROGRAM is the
magicert-proved of another commit, for a comparison in one run. Each checker reads each file once.
The time is that of one core, without xz's for the extracted ones.
"""

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from magicert.data import tables_folder
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import read_certificate

PROVED = Path(__file__).parents[1] / "build" / "proved" / "magicert-proved"
WANTED = 3_000_000
USUAL = ("bishop-d8-4", "bishop-f1-4", "bishop-c7-4")


def python_rate(path: Path) -> float:
    """Leaves a second of the checker in Python, from the unpacked file."""
    certificate = read_certificate(path)
    start = time.process_time()
    report = check(certificate)
    assert report.verdict == "valid", report.problems
    return report.leaves / (time.process_time() - start)


def proved_rate(program: Path, path: Path) -> float:
    """The same of an extracted one, which says it itself."""
    run = subprocess.run([program, path], capture_output=True, text=True, check=True)
    found = re.search(r"\(([\d,]+) a second of the core's time\)", run.stdout)
    assert found is not None, run.stdout
    return float(found[1].replace(",", ""))


def main(*names: str) -> int:
    """Print a row for each certificate."""
    if not PROVED.exists():
        print("not compiled: make proved does it, if Coq is installed")
        return 0
    before = Path(names[1]) if names[:1] == ("--before",) else None
    names = names[2:] if before else names
    folder = tables_folder() / "certificates"
    paths = [Path(name) for name in names] or [folder / f"{name}.cover.xz" for name in USUAL]
    head = ["extracted", *(["before"] if before else []), "wanted", "Python"]
    print(f"{'leaves a second':24}" + "".join(f" {word:>12}" for word in head))
    for path in paths:
        rates = [proved_rate(PROVED, path), *([proved_rate(before, path)] if before else [])]
        rates += [WANTED, python_rate(path)]
        print(f"{path.name.split('.')[0]:24}" + "".join(f" {rate:12,.0f}" for rate in rates))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory of the extracted ones: {most:.0f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
