"""How large the house is, and what a command costs to start: lines, double class names, files that
a command executes, processor time beside the bare imports.

python benchmarks/bench_size.py
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
SOURCE = "tests/source/samples/bbc.c"
COMMANDS = {
    "a table": ["verify", "shakmaty"],
    "a source": ["verify", SOURCE],
    "--help": ["--help"],
}
"""What is counted; aims: 25 files for a table, 40 for a source, help in 0.15 s."""
BARE = "import numpy, click"
RUN = """
import os, sys
sys.path.insert(0, os.getcwd())
from magicert.cli.app import cli
try:
    cli.main(sys.argv[1:], prog_name="magicert")
except SystemExit:
    pass
root = os.getcwd() + os.sep
files = {os.path.realpath(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
print(len([f for f in files if f.startswith(root) and not f.endswith("__init__.py")]), file=sys.stderr)
"""  # noqa: E501 - a program
TURNS = 9


def modules(folder: str) -> Iterator[Path]:
    """The Python files below a folder, each once."""
    for place, _, names in os.walk(ROOT / folder):
        yield from (Path(place, name) for name in names if name.endswith((".py", ".pyi")))


def lines(folder: str) -> int:
    """Lines of Python."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in modules(folder))


def double_classes() -> dict[str, list[str]]:
    """Class names of the library that stand for several classes, with their files."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in (path for folder in LIBRARY for path in modules(folder)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return {name: files for name, files in sorted(found.items()) if len(files) > 1}


def executed(words: list[str]) -> int:
    """Modules of ours that a command executes, without the `__init__` of folders."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, *words], cwd=ROOT, text=True, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    return int(done.stderr.splitlines()[-1])


def seconds(*command: str) -> float:
    """Processor time of a process, the least of some, its bytecode cached."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        best = float("inf")
        for _ in range(TURNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [sys.executable, "-P", *command], cwd=ROOT, check=True, env=environment,
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best = min(best, used)
        return best


def main() -> None:
    for folder in LIBRARY:
        print(f"{folder:<24} {lines(folder):>8,} lines")
    print(f"{'library':<24} {sum(map(lines, LIBRARY)):>8,} lines   (aim: 40,000)")
    print(f"{'tests':<24} {lines('tests'):>8,} lines   (aim: 20,000)")
    double = double_classes()
    print(f"{'double class names':<24} {len(double):>8}   {', '.join(double) or 'none'}")
    for name, words in COMMANDS.items():
        print(f"{name:<24} {executed(words):>8} files executed")
    bare, help_ = seconds("-c", BARE), seconds("-m", "magicert", "--help")
    one = seconds("-m", "magicert", "verify", "shakmaty")
    print(f"{BARE:<24} {1e3 * bare:>8.0f} ms of processor time")
    print(f"{'magicert --help':<24} {1e3 * help_:>8.0f} ms   (aim: 150)")
    print(f"{'verify of one table':<24} {1e3 * one:>8.0f} ms   {one / bare:.2f} times (aim: 1.7)")
    print(f"{'import magicert':<24} {1e3 * seconds('-c', 'import magicert'):>8.0f} ms")


if __name__ == "__main__":
    main()
