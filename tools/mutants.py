"""Break the code on purpose, and see whether the tests notice.

    python tools/mutants.py [tests/mutants/cover.toml ...]

Each mutant of a list replaces one text in one file. The tests named for it run on a copy of the
checkout. A mutant is killed if they fail, or take ten times as long, and survives if they pass.
`equivalent` says why a mutant cannot be told from the code; such a one must survive. `interpreted`
runs kernels by Python: a second instead of a minute of compiling. Tests must pass before a change.
Exit status: 0 if every other mutant is killed, 1 if one survives, 2 if a list is wrong.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
LISTS = ROOT / "tests" / "mutants"
NOTHING_RUN = (4, 5)
"""Exit statuses of pytest: a file that is not there, and no test that is named so."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: `old` stands exactly once in `file`."""

    file: str
    old: str
    new: str
    tests: str
    equivalent: str = ""
    interpreted: bool = False


def read(path: Path) -> list[Mutant]:
    """A list's mutants. Raises ValueError where one does not fit the code."""
    listed = tomllib.loads(path.read_text("utf-8"))
    usual = {key: value for key, value in listed.items() if key != "mutant"}
    mutants = [Mutant(**usual | entry) for entry in listed["mutant"]]
    for mutant in mutants:
        count = (ROOT / mutant.file).read_text("utf-8").count(mutant.old)
        if count != 1 or mutant.old == mutant.new:
            raise ValueError(f"{path.name}: {mutant.old!r} stands {count} times in {mutant.file}")
    return mutants


def copy(folder: Path) -> None:
    """The checkout's own files."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()  # fmt: skip
    for name in names:
        if (ROOT / name).exists() or (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def fails(folder: Path, tests: str, interpreted: bool, limit: float | None = None) -> bool:
    """Whether these tests fail on the copy as it is, or do not end within that many seconds."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-profile", "mutants"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "MAGICERT_TEST_WHEEL": ""}
    if interpreted:
        environment |= {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{folder}:{LISTS}"}
        command += ["-p", "interpreted", "-W", "ignore"]  # words that overflow wrap, and say so
    command += shlex.split(tests)
    try:
        run = subprocess.run(command, cwd=folder, env=environment, check=False,
                             capture_output=True, timeout=limit)  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    if run.returncode in NOTHING_RUN:
        raise ValueError(f"{tests}: no test was run")
    return run.returncode != 0


def killed(folder: Path, mutant: Mutant, limit: float) -> bool:
    """Whether the tests fail with the mutant in place, or never end."""
    path = folder / mutant.file
    text = path.read_text("utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        return fails(folder, mutant.tests, mutant.interpreted, limit)
    finally:
        path.write_text(text, "utf-8")


def main(*lists: str) -> int:
    """Run the mutants of these lists, or of all; the exit status."""
    paths = [Path(name) for name in lists] or sorted(LISTS.glob("*.toml"))
    try:
        mutants = [(path.stem, mutant) for path in paths for mutant in read(path)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(error, file=sys.stderr)
        return 2
    dead = survived = equal = 0
    limits = {}
    with tempfile.TemporaryDirectory() as name:
        copy(Path(name))
        for tests, interpreted in dict.fromkeys((m.tests, m.interpreted) for _, m in mutants):
            began = time.monotonic()
            if fails(Path(name), tests, interpreted):
                print(f"{tests}: fails before anything is changed", file=sys.stderr)
                return 2
            limits[tests, interpreted] = 60 + 10 * (time.monotonic() - began)
        for number, (room, mutant) in enumerate(mutants, 1):
            began = time.monotonic()
            dies = killed(Path(name), mutant, limits[mutant.tests, mutant.interpreted])
            dead += dies
            equal += bool(mutant.equivalent) and not dies
            survived += not dies and not mutant.equivalent
            verdict = "killed" if dies else "equivalent" if mutant.equivalent else "SURVIVED"
            change = " ".join(f"{mutant.old} -> {mutant.new}".split())
            seconds = time.monotonic() - began
            shown = f"{number:>3}/{len(mutants)} {verdict:<10} {seconds:5.0f} s  {room}"
            print(f"{shown}: {change[:100]}", flush=True)
    print(f"{dead} killed, {survived} survived, {equal} equivalent, of {len(mutants)}")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
