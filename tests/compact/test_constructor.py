"""The constructor of magics that engines call at start-up. C's is tried on all masks of many pieces on all
boards; those of the other languages must build the same magics. Attacks are held against the walk of
`magicert.board`, square by square.
"""

import random
import re
import shlex
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from magicert.betza import parse_piece
from magicert.board import Board, attacks_of, bitboard, squares_of
from magicert.compact.emit import LANGUAGES, printer
from magicert.compact.emit.constructor import constructor, constructors, pieces_of
from magicert.compact.emit.template import load, render
from magicert.problem import InputError
from magicert.search.finders.trial import is_perfect

PROGRAMS = Path(__file__).parent / "programs" / "constructor"
NARROW, WIDE = Board(8, 8), Board(12, 10)
STRICT = "-DNDEBUG -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"
CHECKED = "-fsanitize=undefined,address -fno-sanitize-recover=all"
COMMANDS = {
    "c": f"gcc -std=c99 -O1 {STRICT} main.c -o main",
    "c++": f"g++ -std=c++17 -O1 {STRICT} main.cpp -o main",
    "rust": "rustc --edition=2021 -Dwarnings -Cdebug-assertions=on -Copt-level=1 main.rs",
    "go": "go build -o main .",
    "javascript": "",
}
MAINS = {
    "c": ("main.c", "all_masks.c", "lines.c"),
    "c++": ("main.cpp",),
    "rust": ("main.rs",),
    "go": ("main.go",),
    "javascript": ("main.mjs",),
}
RUN = {"javascript": "node main.mjs"}
SOURCES = {"go": "magics/magics.go"}

PIECES = (
    "rook", "queen", "cannon=pR", "grasshopper", "nightrider", "horse", "horse-to", "janggi-elephant",
    "W2", "bottom=bR", "knight", "mixed=bBpWW",
)  # fmt: skip
"""Whole, by lines, and what has no mask."""
BOARDS = {
    NARROW: (Board(8, 8), Board(5, 7), Board(3, 3), Board(1, 9), Board(9, 7)),
    WIDE: (Board(9, 10), Board(12, 10), Board(8, 8), Board(14, 9), Board(1, 1)),
}
CONSTRUCT, MAKE, LOOK_UP = range(3)
"""What the programs are asked for; LOOK_UP is the first piece."""
Query = tuple[int, int, int]


def program(language: str, board: Board, folder: Path, pieces: Sequence[str] = PIECES) -> None:
    """Writes the emitted file and the program that calls it."""
    suffix = LANGUAGES[language].suffix
    source = folder / SOURCES.get(language, f"magics{suffix}")
    source.parent.mkdir(exist_ok=True)
    source.write_text(constructor(printer(language, None, "magics"), board, pieces))
    given = [{**piece, "number": LOOK_UP + n} for n, piece in enumerate(pieces_of(pieces))]
    scope = {"pieces": given, "wide": board.word > 64}
    for name in MAINS[language]:
        (folder / name).write_text(render(load(PROGRAMS / name), scope))
    (folder / "go.mod").write_text("module engine\n\ngo 1.18\n")


def asked(queries: Sequence[Query]) -> bytes:
    """Each as four words: what, a number, a set of two halves."""
    low = (1 << 64) - 1
    return b"".join(struct.pack("<4Q", a, b, c & low, c >> 64) for a, b, c in queries)


def numbers(answers: bytes) -> list[int]:
    return [int.from_bytes(answers[n : n + 16], "little") for n in range(0, len(answers), 16)]


@cache
def masks(word: int) -> list[int]:
    """Masks of few squares and many, some on lines."""
    noise, found = random.Random(3), []
    for count in (*range(1, 11), 14) * 4:
        found.append(bitboard(noise.sample(range(word), count)))
        step = noise.randrange(1, 14)
        line = range(noise.randrange(step), word, step)
        found.append(bitboard(noise.sample(line, min(len(line), count))))
    return found


def lookups(board: Board) -> Iterator[tuple[Query, int]]:
    """Lookups of all pieces on a board, with their answers."""
    noise = random.Random(board.squares)
    for number, piece in enumerate(PIECES):
        movement = parse_piece(piece.rpartition("=")[2])
        for square in range(board.squares):
            for ands in range(4):
                occupied = board.full
                for _ in range(ands):
                    occupied &= noise.getrandbits(board.squares)
                answer = attacks_of(board, movement, square, occupied)
                yield (LOOK_UP + number, square, occupied), answer


@cache
def reference(mask: int, bits: int, word: int) -> int:
    """What the routine builds, written plainly; 0 for nothing."""
    squares, low = sorted(squares_of(mask), reverse=True), word - bits
    left = 0

    def complete(ones: tuple[int, ...], first: int) -> int:
        nonlocal left
        magic = sum(1 << one for one in ones)
        places = {}
        for square in squares:
            moved = (magic << square) % (1 << word) >> low
            if moved:
                places[square] = moved & -moved
        below = sum((magic << square) % (1 << low) for square in squares)
        if len({*places.values()}) < len(places) or below >> low:
            return 0
        if len(places) == len(squares):
            return magic
        left -= 1
        for n in range(bits):
            if left < 0:
                return 0
            one = low + (first - n) % bits - next(s for s in squares if s not in places)
            found = complete((*ones, one), first) if one >= 0 else 0
            if found:
                return found
        return 0

    for first in reversed(range(bits if len(squares) <= bits else 0)):
        left = 200
        if found := complete((), first):
            return found
    return 0


@pytest.mark.parametrize("board", [WIDE, NARROW], ids=str)
@pytest.mark.parametrize("language", COMMANDS)
def test_a_language_builds_magics_and_attacks(language, board, ran, tmp_path):
    assert {*COMMANDS} == {*constructors()}
    queries: list[Query] = [(CONSTRUCT, mask.bit_count(), mask) for mask in masks(board.word)]
    queries += [(CONSTRUCT, mask.bit_count() + 2, mask) for mask in masks(board.word)]
    queries += [(CONSTRUCT, mask.bit_count() - 1, mask) for mask in masks(board.word)]
    answers: list[int | None] = [None] * len(queries)
    for one in BOARDS[board]:
        queries.append((MAKE, one.files, one.ranks))
        answers.append(1)
        for query, answer in lookups(one):
            queries.append(query)
            answers.append(answer)
    for files, ranks in ((board.word + 1, 1), (0, 5), (5, 0), (1, board.word + 1)):
        queries.append((MAKE, files, ranks))
        answers.append(0)
    program(language, board, tmp_path)
    commands = [COMMANDS[language]] if COMMANDS[language] else []
    found = numbers(ran(tmp_path, *commands, RUN.get(language, "./main"), queries=asked(queries)))
    assert [a for a, b in zip(found, answers, strict=True) if b is not None] == [
        a for a in answers if a is not None
    ]
    built = 0
    for (kind, bits, mask), magic in zip(queries, found, strict=True):
        if kind != CONSTRUCT:
            break
        assert magic == reference(mask, bits, board.word)
        assert not magic or is_perfect(mask, bits, board.word, magic)
        built += magic > 0
    assert built > 100
