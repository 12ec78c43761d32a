"""How large the house is, and what a command costs to start.

python benchmarks/bench_size.py              lines by part, then processor time
python benchmarks/bench_size.py --lines      lines only
python benchmarks/bench_size.py --of FOLDER  those of another checkout (git worktree add)

Counted are the lines of files that git knows: Python and its stubs; templates of what is emitted;
other sources, such as programs in C; tests, and beside them their data. Processor time is that of
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
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
PARTS = {
    "magicert/": "magicert", "verify/function/": "functions", "verify/": "verify",
    "search/": "search", "compact/": "compact", "z3models/": "z3models",
    "functions/": "functions", "research/": "research", "tests/": "tests", "site/": "site",
    "tools/": "tools", "benchmarks/": "benchmarks", "proofs/": "proofs",
}  # fmt: skip
"""The parts by the beginnings of paths, the longer ones first."""
PRODUCT = ("magicert", "verify", "search", "compact", "z3models")
TEMPLATES = ("compact/emit/languages/", "compact/emit/crate/")
PROGRAMS = {".c", ".h", ".v", ".ml", ".js", ".css", ".html", ".rs", ".sh", ".cpp", ".hpp"}
TABLE = "shakmaty"
BARE = "import numpy, click"
TURNS = 15

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


def files(root: Path) -> Iterator[str]:
    """The files that git knows, links left out."""
    listing = ["git", "-C", str(root), "ls-files", "-z"]
    text = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
    yield from (path for path in text.split("\0") if (root / path).is_file())


def kind_of(path: str) -> tuple[str, str] | None:
    """The part that a file belongs to, and what it holds; None for what is no code."""
    part = next((name for start, name in PARTS.items() if path.startswith(start)), None)
    suffix, name = PurePath(path).suffix, PurePath(path).name
    if part is None:
        return None
    if part == "tests" or "/tests/" in path:
        own = "tests" if suffix == ".py" else "test data"
        return ("research" if part == "research" else "tests"), own
    if path.startswith(TEMPLATES):
        return part, "templates"
    if suffix in (".py", ".pyi") and not name.startswith("test_"):
        return part, "Python"
    if name.startswith("test_") and suffix == ".py":
        return part, "tests"
    return (part, "programs") if suffix in PROGRAMS else None


def counted(root: Path) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Lines by part and kind, and lines of code by part."""
    lines: Counter[tuple[str, str]] = Counter()
    code: Counter[str] = Counter()
    for path in files(root):
        if (root / path).is_symlink() or (kind := kind_of(path)) is None:
            continue
        try:
            text = (root / path).read_text("utf-8")
        except UnicodeDecodeError:
            continue
        lines[kind] += len(text.splitlines())
        if kind[1] == "Python":
            code[kind[0]] += lines_of_code(text)
    return lines, code


def lines_of_code(text: str) -> int:
    """Lines of Python that are no blank, no comment, no docstring and no import."""
    others: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring or isinstance(node, ast.Import | ast.ImportFrom):
            others.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        number not in others and line.strip()[:1] not in ("", "#")
        for number, line in enumerate(text.splitlines(), 1)
    )


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Python with some words, in the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(
        [sys.executable, "-P", *words], cwd=ROOT, env=environment, text=True, check=True,
        capture_output=True,
    )  # fmt: skip


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


def show_lines(root: Path) -> None:
    """A row for each part, and the sums."""
    lines, code = counted(root)
    kinds = ("Python", "templates", "programs", "tests", "test data")
    print(f"{'lines':<12}" + "".join(f"{kind:>11}" for kind in kinds) + f"{'of it code':>12}")

    def row(name: str, parts: tuple[str, ...]) -> None:
        cells = "".join(f"{sum(lines[part, kind] for part in parts):>11,}" for kind in kinds)
        print(f"{name:<12}{cells}{sum(code[part] for part in parts):>12,}")

    for part in PRODUCT:
        row(f"  {part}", (part,))
    row("product", PRODUCT)
    for part in dict.fromkeys(PARTS.values()):
        if part not in PRODUCT:
            row(part, (part,))


def show_times() -> None:
    """What a command costs to start."""
    bare, help_, table = seconds(
        ("-c", BARE), ("-m", "magicert", "--help"), ("-m", "magicert", "verify", TABLE)
    )
    print(f"CPU of {BARE:<34}{1e3 * bare:6.0f} ms")
    print(f"CPU of {'magicert verify TABLE':<34}{1e3 * table:6.0f} ms, {table / bare:.2f} of that")
    print(f"CPU of {'magicert --help':<34}{1e3 * help_:6.0f} ms")
    warm = float(run("-c", WARM, TABLE).stdout)
    print(f"CPU of {'one more verification, warm':<34}{1e3 * warm:6.1f} ms")


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", action="store_true", help="lines only")
    parser.add_argument("--of", type=Path, default=ROOT, help="the lines of another checkout")
    given = parser.parse_args()
    show_lines(given.of)
    if not given.lines and given.of == ROOT:
        show_times()


if __name__ == "__main__":
    main()
