"""Every benchmark and every tool starts: what they import and call is still there."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALLEST = {
    "bench_boards": ("--smallest",),
    "bench_budget": ("cfish_black",),
    "bench_functions": ("--smallest",),
    "bench_proved": (),
    "bench_verify": ("--smallest",),
    "bench_pack": ("--smallest",),
    "bench_from_nothing": ("--smallest",),
    "bench_pack_boards": ("--smallest",),
    "bench_trial": ("--smallest",),
    "bench_constructor": ("--smallest",),
    "bench_window": ("--smallest",),
    "bench_low": ("--smallest",),
    "bench_z3models": ("--smallest",),
    "bench_wasm": ("kogge_stone",),
}
"""The benchmarks that are run, with the arguments of their smallest run."""
START = """
import runpy, sys
from pathlib import Path
sys.argv = sys.argv[1:]
sys.path.append(str(Path(sys.argv[0]).parent))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
NEEDS = {"bench_wasm": "ziglang", "bench_z3models": "pysat", "bench_pack": "numba",
         "bench_pack_boards": "numba", "bench_functions": "llvmlite",
         "bench_from_nothing": "numba"}  # fmt: skip
FILES = [
    path
    for folder in ("benchmarks", "tools")
    for path in sorted((ROOT / folder).glob("*.py"))
]  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_benchmark_or_a_tool_is_loaded(path, monkeypatch):
    """What it imports is there. Most tools write the project's files when they are run."""
    if path.stem in ("build_hook", "metadata_hook"):
        pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(str(path.parent))
    assert runpy.run_path(str(path), run_name="loaded")["__doc__"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param(*each, id=each[0], marks=pytest.mark.long if number else ())
        for number, each in enumerate(SMALLEST.items())
    ],
)
def test_a_benchmark_runs_at_its_smallest(name, arguments, child):
    if find_spec(NEEDS.get(name, "numpy")) is None:
        pytest.skip(f"needs {NEEDS[name]}")
    command = (*child.python, "-c", START, ROOT / "benchmarks" / f"{name}.py", *arguments)
    with child.start(command=command) as process:
        said, wrong = process.communicate()
    assert process.returncode == 0, said + wrong
