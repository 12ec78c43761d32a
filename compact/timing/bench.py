"""How fast are lookups? One C program for each table, the same loop around each.

The loop reads (square, occupancy) pairs from memory and adds up attack sets, so that
lookups overlap as they do in move generation. Programs take turns, and the best of
several turns counts: whatever else the machine does can only slow a turn down.
"""

import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from magicert.board import Piece
from magicert.compact.emit import make_unit, printer
from magicert.compact.timing.games import slider_lookups
from magicert.problem import InputError, Problem
from magicert.table import chess_only
from magicert.table.read import TableFile

QUERIES = 1 << 16
"""Lookups in one pass; their pairs take 1 MiB."""
PASSES = 40
"""Passes in one turn."""
TURNS = 7
"""Turns of each program."""

COMPILERS = ("cc", "gcc", "clang")

_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
    long half = atol(argv[1]), passes = atol(argv[2]);
    size_t queries = 2 * (size_t)half;
    uint64_t *query = malloc(queries * 16), sum = 0;
    struct timespec start, end;
    FILE *file = fopen(argv[3], "rb");
    if (argc != 4 || !query || !file || fread(query, 16, queries, file) != queries) return 1;
    magics_init();
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long pass = 0; pass < passes; pass++) {
        uint64_t *q = query;
        for (long n = 0; n < half; n++, q += 2) sum += magics_rook_attacks((unsigned)q[0], q[1]);
        for (long n = 0; n < half; n++, q += 2) sum += magics_bishop_attacks((unsigned)q[0], q[1]);
        __asm__ volatile("" : "+r"(sum) : : "memory");
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ns = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    printf("%.4f %llu\\n", ns / (double)passes / (double)queries, (unsigned long long)sum);
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Speed:
    """One table's figures: entries, bytes of all buffers, ns per lookup by kind of occupancy: of
    the best turn, and of the median one.
    """

    name: str
    entries: int
    bytes: int
    nanoseconds: dict[str, float]
    medians: dict[str, float]

    @property
    def unsteady(self) -> float:
        """How much longer the median turn took than the best, as a part of that, at the worst."""
        return max(self.medians[kind] / best - 1 for kind, best in self.nanoseconds.items())


def bench(
    files: Sequence[TableFile], games: Path, folder: Path, compiler: str, turns: int = TURNS
) -> list[Speed]:
    """Measure tables in one run, in a folder for temporary files.

    Raises InputError where a table cannot be emitted, or where two disagree on any answer.
    """
    programs = [_compiled(file, folder / f"bench{n}", compiler) for n, file in enumerate(files)]
    found: list[dict[str, list[float]]] = [{"random": [], "games": []} for _ in files]
    for kind, lookups in (("random", random_lookups()), ("games", slider_lookups(games))):
        _write(folder / kind, lookups)
        sums = set()
        for _ in range(turns):
            for program, figures in zip(programs, found, strict=True):
                command = [str(program), str(QUERIES // 2), str(PASSES), str(folder / kind)]
                shown = subprocess.run(command, capture_output=True, check=True, text=True).stdout
                nanoseconds, total = shown.split()
                figures[kind].append(float(nanoseconds))
                sums.add(total)
        if len(sums) > 1 and len({file.table.order for file in files}) == 1:
            raise InputError([Problem("the tables do not agree on all attack sets")])
    units = [make_unit(file, "magicert bench") for file in files]
    return [
        Speed(file.path.stem, unit.entries, unit.bytes, _each(min, turns), _each(median, turns))
        for file, unit, turns in zip(files, units, found, strict=True)
    ]


def _each(
    what: Callable[[list[float]], float], figures: dict[str, list[float]]
) -> dict[str, float]:
    return {kind: what(turns) for kind, turns in figures.items()}


def _compiled(file: TableFile, program: Path, compiler: str) -> Path:
    source = program.with_suffix(".c")
    chess_only(file.table, "bench", str(file.path))
    unit = make_unit(file, "magicert bench")
    text = printer("c").emit(unit, literal=False)
    # The loop's clock is POSIX; -march=native is left out, as released engines leave it out.
    defines = "#define _POSIX_C_SOURCE 199309L\n#define MAGICS_IMPLEMENTATION\n"
    source.write_text(defines + text + _MAIN, encoding="utf-8")
    subprocess.run([compiler, "-O2", "-std=c99", source, "-o", program], check=True)
    return program


def random_lookups(seed: int = 1) -> list[tuple[Piece, int, int]]:
    """Random squares and occupancies, a quarter of the board occupied."""
    noise = random.Random(seed)
    return [
        (piece, noise.randrange(64), noise.getrandbits(64) & noise.getrandbits(64))
        for piece in Piece
        for _ in range(QUERIES // 2)
    ]


def _write(path: Path, lookups: Sequence[tuple[Piece, int, int]]) -> None:
    """Write QUERIES pairs, the rooks' half first; those that there are, again and again."""
    with path.open("wb") as file:
        for piece in Piece:
            pairs = [(square, occupied) for p, square, occupied in lookups if p is piece]
            for pair in islice(cycle(pairs), QUERIES // 2):
                file.write(struct.pack("<QQ", *pair))
