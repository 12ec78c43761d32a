"""docs/engines.md: its changes give four engines an emitted file; perft counts the same moves."""

import re
import shlex
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from magicert.compact.emit import printer
from magicert.compact.emit.ways import print_way

SHAPES = Path(__file__).parent / "shapes"
PAGE = (Path(__file__).parents[2] / "docs" / "engines.md").read_text("utf-8")
C = "-O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-variable"
COMPILED = {
    "start.c": f"gcc -std=c11 {C} -c start.c -o engine.o",
    "constant.cpp": f"g++ -std=c++17 {C} -c constant.cpp -o engine.o",
    "by_piece.cpp": f"g++ -std=c++17 {C} -c by_piece.cpp -o engine.o",
    "sliders.rs": "rustc --edition=2021 -O -Dwarnings -Cpanic=abort --crate-type=staticlib "
    "sliders.rs -o engine.o",
}
PERFT = f"gcc -std=c11 -O2 -Wall -Wextra -Werror {SHAPES / 'perft.c'} engine.o -o perft"
COUNTED = "8902 97862 43238 9467 62379 "


def sections() -> list[tuple[list[str], str]]:
    """The command and the diff of each engine, in the order of the page."""
    found = re.findall(r"\n    (magicert emit [^\n]*)\n\n```diff\n(.*?)```", PAGE, re.DOTALL)
    return [(shlex.split(command), diff) for command, diff in found]


def changed(source: str, diff: str) -> str:
    """A source after a change: each part of it stands there once."""
    for part in diff.strip("\n").split("\n\n"):
        lines = part.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


def counted(name: str, folder: Path) -> str:
    for command in (COMPILED[name].split(), PERFT.split()):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    return subprocess.run([folder / "perft"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("name", "command", "diff"), [
    (name, *section) for name, section in zip(COMPILED, sections(), strict=True)
])  # fmt: skip
def test_an_engine_counts_the_same_moves(
    name: str, command: list[str], diff: str, tmp_path: Path
) -> None:
    if shutil.which(COMPILED[name].split()[0]) is None or shutil.which("gcc") is None:
        pytest.skip("no compiler here")
    source = (SHAPES / name).read_text("utf-8")
    (tmp_path / name).write_text(source)
    assert counted(name, tmp_path) == COUNTED
    given = dict(pairwise(command))
    file = tmp_path / Path(given["-o"]).name
    file.write_text(print_way(given["--way"], printer(given["--lang"], None, file.stem)))
    (tmp_path / name).write_text(changed(source, diff))
    assert counted(name, tmp_path) == COUNTED
