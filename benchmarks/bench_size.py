"""How large the house is, and what a command costs to start; each figure beside what was asked.

python benchmarks/bench_size.py

Lines, double class names, files of ours in which a command executes a function, processor time of
`verify` beside the bare imports (Python, numpy and click, which it cannot do without), of `--help`,
and of verifying one more table in a process that is warm. Times are the least of some; on a busy
machine they are too large, and their ratio is what counts.
"""

import ast
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARY = ("magicert", "verify", "search", "compact", "z3models")
TABLE = "shakmaty"
SOURCE = "tests/source/samples/bbc.c"
BARE = "import numpy, click"
TURNS = 15

EXECUTED = """
import os, sys
found, root = set(), os.getcwd() + os.sep
def seen(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>":
        found.add(frame.f_code.co_filename)
sys.path.insert(0, root)
sys.setprofile(seen)
from magicert.commands import main
sys.argv[0] = "magicert"
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
ours = {one for one in map(os.path.realpath, found) if one.startswith(root) and one[-3:] == ".py"}
ours = {one for one in ours if not one.startswith(sys.prefix + os.sep)}  # a virtual environment
print(len(ours), file=sys.stderr)
"""
WARM = """
import sys, time
from magicert.data import find_table
from magicert.table import read_table
from magicert.verify.table.verifier import verify
best, file = 9.0, read_table(find_table(sys.argv[1]))
for _ in range(200):
    began = time.process_time()
    assert verify(file).verdict == "valid"
    best = min(best, time.process_time() - began)
print(best)
"""


def modules(folder: str) -> Iterator[Path]:
    """The Python files below a folder, each once."""
    for place, _, names in os.walk(ROOT / folder):
        yield from (Path(place, name) for name in names if name.endswith((".py", ".pyi")))


def lines(folder: str) -> int:
    """Lines of Python."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in modules(folder))


def lines_of_code(folder: str) -> int:
    """Lines that are no blank, no comment, no docstring and no import."""
    count = 0
    for path in modules(folder):
        text = path.read_text("utf-8")
        others: set[int] = set()
        for node in ast.walk(ast.parse(text)):
            said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if said or isinstance(node, ast.Import | ast.ImportFrom):
                others.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        count += sum(
            number not in others and line.strip()[:1] not in ("", "#")
            for number, line in enumerate(text.splitlines(), 1)
        )
    return count


def double_classes() -> dict[str, list[str]]:
    """Class names of the library that stand for several classes, with their files."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in (path for folder in LIBRARY for path in modules(folder)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return {name: files for name, files in sorted(found.items()) if len(files) > 1}


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Python with some words, in the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(
        [sys.executable, "-P", *words], cwd=ROOT, env=environment, text=True, check=True,
        capture_output=True,
    )  # fmt: skip


def executed(*words: str) -> int:
    """Files of ours in which a command executes a function."""
    return int(run("-c", EXECUTED, *words).stderr.splitlines()[-1])


def seconds(*commands: tuple[str, ...]) -> list[float]:
    """Processor time of some processes, in turns, the least of each; their bytecode is cached."""
    best = [float("inf")] * len(commands)
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(TURNS):
            for place, command in enumerate(commands):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                run(*command, PYTHONPYCACHEPREFIX=cache)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                best[place] = min(best[place], used)
    return best


def row(name: str, figure: str, aim: str = "") -> None:
    """One figure beside what was asked."""
    print(f"{name:<36} {figure:>14}   {aim}".rstrip(), flush=True)


def main() -> None:
    counts = {folder: lines(folder) for folder in LIBRARY}
    row("lines of the library", f"{sum(counts.values()):,}", "asked 40,000")
    for folder, count in counts.items():
        row(f"  {folder}", f"{count:,}")
    row("  of it code", f"{sum(map(lines_of_code, LIBRARY)):,}")
    row("lines of the tests", f"{lines('tests'):,}", "asked 20,000")
    double = double_classes()
    row("class names with two meanings", str(len(double)), f"asked 0 {', '.join(double)}")
    row("files executed for a table", str(executed("verify", TABLE)), "asked 25")
    row("files executed for a source", str(executed("verify", SOURCE)), "asked 40")
    bare, help_, table = seconds(
        ("-c", BARE), ("-m", "magicert", "--help"), ("-m", "magicert", "verify", TABLE)
    )
    row(f"CPU of {BARE}", f"{1e3 * bare:.0f} ms")
    row("CPU of magicert verify TABLE", f"{1e3 * table:.0f} ms")
    row("  in bare imports", f"{table / bare:.2f}", "asked 1.7")
    row("CPU of magicert --help", f"{1e3 * help_:.0f} ms", "asked 150")
    warm = float(run("-c", WARM, TABLE).stdout)
    row("CPU of one more verification, warm", f"{1e3 * warm:.1f} ms", "asked 4.5")


if __name__ == "__main__":
    main()
