"""How long the lookups of tables of other boards take: random squares and occupancies.

Each lookup is compared with the walk square by square before it is timed.
"""

import random
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from magicert.board import bitboard, place_of, squares_of
from magicert.compact.emit import prepare_table, printer
from magicert.compact.emit.spelling import identifier
from magicert.movement import Movement, attacks_of
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.files import TableFile

HARNESS = Path(__file__).with_name("boards.c")
LOOKUPS = 4096
"""Of each function; boards.c says the same."""
HEAD = """#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define MAGICS_IMPLEMENTATION
"""
WORDS = {64: "uint64_t", 128: "unsigned __int128", 256: "magics_bitboard256"}
_FUNCTION = r"static inline {} magics_(\w+)_attacks\(unsigned square, "


@dataclass(frozen=True, slots=True)
class BoardProgram:
    """A table's lookups, compiled: its entries, the bytes of all buffers, the file of lookups."""

    path: Path
    lookups: Path
    entries: int
    bytes: int

    def measure(self, passes: int) -> float:
        """Nanoseconds a lookup, the mean of all functions. Raises InputError for a wrong answer."""
        run = subprocess.run(
            [self.path, self.lookups, str(passes)], capture_output=True, check=False, text=True,
            start_new_session=True,
        )  # fmt: skip
        if run.returncode:
            raise InputError([Problem(run.stdout.strip() or f"exit status {run.returncode}")])
        return fmean(float(line.split()[1]) for line in run.stdout.splitlines())


def program_of_board(file: TableFile, name: str, folder: Path, compiler: str) -> BoardProgram:
    """Compile the lookups of a table. Raises InputError where that cannot be done."""
    table, where = file.table, str(file.path)
    word = table.board.word
    unit = prepare_table(file, "magicert bench")
    text = printer("c").emit(unit, literal=False)
    functions = _functions(table, re.findall(_FUNCTION.format(re.escape(WORDS[word])), text))
    if not functions:
        message = f"no lookups in C by words of {word} bits: expected a table that emit writes so"
        raise InputError([Problem(message, file=where)])
    lookups, source, path = (folder / f"{name}{end}" for end in (".lookups", ".c", ""))
    noise = random.Random(1)
    lookups.write_bytes(
        b"".join(packed for piece in functions.values() for packed in _lookups(table, piece, noise))
    )
    every = " ".join(f"each(magics_{function}_attacks)" for function in functions)
    lines = [
        f"typedef {WORDS[word]} word;",
        f"#define WORD {word}",
        f"#define FUNCTIONS(each) {every}",
    ]
    source.write_text("\n".join([HEAD, text, *lines, HARNESS.read_text("utf-8")]), "utf-8")
    compiled = subprocess.run(
        [compiler, "-O2", "-std=c11", source, "-o", path],
        capture_output=True,
        check=False,
        text=True,
    )
    if compiled.returncode:
        words = (line for line in compiled.stderr.splitlines() if "error" in line)
        raise InputError([Problem(next(words, "it does not compile"), file=where)])
    return BoardProgram(path, lookups, unit.entries, unit.bytes)


def _functions(table: Table, names: Sequence[str]) -> dict[str, Movement]:
    """The functions to measure, with what their pieces are: all but those that are parts of another
    piece. What nothing blocks has no lookup.
    """
    parts = {part for piece in table.joined.values() for part in piece.parts}
    movements = {name: piece.movement for name, piece in table.pieces.items()}
    movements |= {name: piece.movement for name, piece in table.joined.items()}
    called = {identifier(name): moves for name, moves in movements.items() if name not in parts}
    return {name: called[name] for name in names if name in called}


def _lookups(table: Table, movement: Movement, noise: random.Random) -> Iterator[bytes]:
    """A quarter of the board is occupied; all by the engine's own bits."""
    board, size = table.board, table.board.word // 8
    squares = board.playable
    places = [place_of(table.order, square, board) for square in range(board.squares)]
    for _ in range(LOOKUPS):
        square = noise.choice(squares)
        occupied = noise.getrandbits(board.squares) & noise.getrandbits(board.squares) & board.full
        attacks = attacks_of(board, movement, square, occupied)
        words = (bitboard(places[s] for s in squares_of(word)) for word in (occupied, attacks))
        numbers = b"".join(word.to_bytes(size, "little") for word in words)
        yield numbers + struct.pack("<I12x", places[square])
