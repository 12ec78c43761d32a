"""Have the independent program count shards again that a stored file says it has counted.

Without a C compiler our kernels do it. They know the survivors, and not what came of them.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import magicert.verify
from magicert.board import Piece, mask, parse_square
from magicert.jobs.covers.counted import CELLS, STEP, Counted, read_counted
from magicert.jobs.covers.work import choose
from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem
from magicert.search.problem.plan import Plan
from magicert.search.shards.recount import recount_shard
from magicert.search.shards.work import Work

SOURCE = Path(str(magicert.verify.__file__)).parent / "recount" / "recount.c"
PROGRAM, KERNELS = "recount.c", "our kernels"
FLAGS = (("-O3", "-std=c11", "-march=native"), ("-O3", "-std=c11"))
"""A compiler that does not know the first ones gets the second."""


@dataclass(frozen=True, slots=True)
class CountedAgain:
    """A stored file: who counted which of its shards again, and what came out differently."""

    counted: Counted
    by: str
    numbers: tuple[int, ...]
    seed: int | None
    problems: tuple[str, ...]

    @property
    def verdict(self) -> Literal["valid", "invalid", "unknown"]:
        """Valid is what the program has counted again in every shard of the cell."""
        if self.problems:
            return "invalid"
        everything = self.counted.is_whole and len(self.numbers) == len(self.counted.rows)
        return "valid" if everything and self.by == PROGRAM else "unknown"


def count_again(path: Path, shards: int | None, seed: int | None, watch: Watch) -> CountedAgain:
    """Count so many random shards of a stored file again, or ALL; None for none.

    Raises InputError where the file is not as it should be.
    """
    counted = read_counted(path)
    if shards is None:
        return CountedAgain(counted, "", (), None, ())
    rows = sorted(counted.rows)
    places, seed = choose(len(rows), shards, seed)
    numbers = tuple(rows[place] for place in places)
    problems: list[str] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="magicert-")))
        program = compiled(folder)
        observer = stack.enter_context(watch(f"counting {path.name} again", "shards"))
        for done, number in enumerate(numbers):
            observer.progress(done, len(numbers))
            if program is None:
                problems += _by_kernels(counted, number)
            else:
                problems += _by_program(program, counted, number, str(path))
    by = KERNELS if program is None else PROGRAM
    return CountedAgain(counted, by, numbers, seed, tuple(problems))


def compiled(folder: Path) -> Path | None:
    """The independent program, compiled into a folder; None where nothing compiles it."""
    compiler = shutil.which("cc")
    for flags in FLAGS if compiler else ():
        command = [str(compiler), *flags, "-o", str(folder / "recount"), str(SOURCE)]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return folder / "recount"
    return None


def _by_program(program: Path, counted: Counted, number: int, file: str) -> Sequence[str]:
    about = [counted.piece, counted.square, counted.bits, counted.steps, counted.level, number]
    command = [str(program), *map(str, about)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise InputError([Problem(f"{PROGRAM}: {found.stderr.strip()}", file)])
    line = found.stdout.rstrip("\n")
    return [] if line == counted.rows[number].text else [_differs(number, line)]


def _by_kernels(counted: Counted, number: int) -> Sequence[str]:
    row, again = counted.rows[number], recount_shard(_work(counted), number)
    if (row.survivors, row.sha256) == (again.survivors, again.sha256):
        return []
    return [_differs(number, f"{again.survivors} {again.sha256}")]


def _differs(number: int, line: str) -> str:
    return f"shard {number}: counted again it is {' '.join(line.split())[:140]}"


def _work(counted: Counted) -> Work:
    """The shards of a file as the search's work: the line, the chain, and what is behind it."""
    square, width = parse_square(counted.square), counted.width
    relevant = mask(Piece(counted.piece), square)
    file = [bit for bit in range(64) if relevant >> bit & 1 and bit // 8 != square // 8]
    finest = 64 - counted.bits - CELLS
    chained = [bit for bit in file if bit <= finest]
    end = finest - chained[-1] if chained == file else 0
    steps = (STEP,) * counted.steps + (f"c{width - counted.steps - end}.{CELLS}",) + (STEP,) * end
    return Work(counted.cell, Plan(width, steps, 1, 2), counted.level, record=False)
