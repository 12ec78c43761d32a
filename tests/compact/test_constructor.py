"""The constructor of magics that engines call at start-up. C's is tried on all masks of many pieces
on all boards; the other languages must build the magics that a plain routine here builds. Attacks
are held against the walk of `magicert.board`, square by square.
"""

import random
import shlex
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from magicert.betza import parse_piece
from magicert.board import Board, bitboard, squares_of
from magicert.compact.emit import LANGUAGES, printer
from magicert.compact.emit.constructor import (
    CHESS_PIECES,
    constructor,
    constructors,
    pieces_of,
)
from magicert.compact.emit.template import load, render
from magicert.movement import attacks_of
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
    "rook", "queen", "cannon=pR", "grasshopper", "nightrider", "horse", "horse-to",
    "janggi-elephant", "W2", "bottom=bR", "knight", "mixed=bBpWW", "amazon=NQ",
)  # fmt: skip
"""Whole, by lines, and what has no mask."""
BOARDS = {
    NARROW: (Board(8, 8), Board(5, 7), Board(3, 3), Board(1, 9), Board(9, 7)),
    WIDE: (Board(9, 10), Board(12, 10), Board(8, 8), Board(14, 9), Board(1, 1)),
}
CONSTRUCT, MAKE, LOOK_UP = range(3)
"""What the programs are asked for; LOOK_UP is the first piece."""
Query = tuple[int, int, int]
Ran = Callable[..., bytes]


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


def cases() -> Iterator[Any]:
    """Each language with words of both widths; the gate has C with both, and Rust with one."""
    for language in COMMANDS:
        for board in (WIDE, NARROW):
            more = language == "c++" or (board is NARROW and language == "rust")
            yield pytest.param(language, board, marks=[pytest.mark.long] if more else [])


@pytest.mark.parametrize(("language", "board"), [*cases()], ids=str)
def test_a_language_builds_magics_and_attacks(language, board, ran, tmp_path):
    assert {*COMMANDS} == {*constructors()}
    given = [
        (mask.bit_count() + more, mask) for mask in masks(board.word) for more in (0, 2, -1)
    ]  # fmt: skip
    spans = [
        (mask.bit_length() - (mask & -mask).bit_length() + 1, mask) for mask in masks(board.word)
    ]
    given += [(span, mask) for span, mask in spans if span < 32]
    queries: list[Query] = [(CONSTRUCT, bits, mask) for bits, mask in given]
    answers = [reference(mask, bits, board.word) for bits, mask in given]
    assert sum(answer > 0 for answer in answers) > 100
    for (bits, mask), magic in zip(given, answers, strict=True):
        assert magic or (bits, mask) not in spans
        assert not magic or is_perfect(mask, bits, board.word, magic)
    for one in BOARDS[board]:
        queries.append((MAKE, one.files, one.ranks))
        answers.append(1)
        for query, answer in lookups(one):
            queries.append(query)
            answers.append(answer)
    for files, ranks in ((board.word + 1, 1), (0, 5), (5, 0), (1, board.word + 1), (20, 3)):
        queries.append((MAKE, files, ranks))
        answers.append(0)
    program(language, board, tmp_path)
    commands = [COMMANDS[language]] if COMMANDS[language] else []
    run = RUN.get(language, "./main")
    assert numbers(ran(tmp_path, *commands, run, queries=asked(queries))) == answers


def test_what_is_emitted_in_c_has_no_undefined_behaviour(ran, tmp_path):
    """Nor does it leak, or read outside of its tables."""
    program("c", NARROW, tmp_path)
    queries = [
        (MAKE, 5, 7),
        *(query for query, _ in lookups(Board(5, 7))),
        (MAKE, 65, 1),
        (MAKE, 3, 3),
    ]
    ran(tmp_path, f"gcc -std=c99 -O1 {CHECKED} main.c -o main", "./main", queries=asked(queries))


ALL = (
    "R", "B", "Q", "NN", "CC", "ZZ", "DD", "AA", "HH", "GG", "pR", "pB", "pQ", "pNN", "gR", "gB",
    "gQ", "gNN", "nN", "horse-to", "nA", "nZ", "nD", "nC", "nH", "nG", "fR", "W2", "F3",
    "NNR", "QpR", "RnAN",
)  # fmt: skip
WHOLE = {
    "B",
    "NN",
    "CC",
    "ZZ",
    "DD",
    "AA",
    "HH",
    "GG",
    "pB",
    "pNN",
    "gB",
    "gNN",
    "nN",
    "horse-to",
    "nA",
}
"""Pieces whose whole masks all have a magic, up to 12x10."""


def counted(board: Board, least: int, most: int, ran: Ran, folder: Path) -> dict[str, list[int]]:
    """Of each piece, on the boards from 3x3 to 12x10 with so many squares: whole masks, how many of
    them have no magic, masks by lines, and how many of those have none.
    """
    program("c", board, folder, [f"piece{n}={piece}" for n, piece in enumerate(ALL)])
    said = ran(folder, "gcc -O2 all_masks.c -o all", f"./all {least} {most}").decode()
    rows = [line.split() for line in said.splitlines()]
    return {piece: [int(word) for word in row[1:]] for piece, row in zip(ALL, rows, strict=True)}


@pytest.mark.parametrize(
    ("board", "least", "most"),
    [
        (NARROW, 9, 20),
        pytest.param(NARROW, 9, 64, marks=pytest.mark.long),
        pytest.param(WIDE, 65, 120, marks=pytest.mark.long),
    ],
)
def test_each_line_of_each_piece_has_a_magic_on_each_board(board, least, most, ran, tmp_path):
    """The program holds each magic against the conditions of the proof, and tries small masks."""
    found = counted(board, least, most, ran, tmp_path)
    assert sum(row[0] for row in found.values()) > 2000
    assert [piece for piece, row in found.items() if row[3]] == []
    assert {piece for piece in WHOLE if found[piece][1]} == set()


@pytest.mark.parametrize("board", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)], ids=str)
def test_any_line_and_any_three_squares_have_a_magic(board, ran, tmp_path):
    program("c", board, tmp_path)
    said = ran(tmp_path, "gcc -O2 lines.c -o lines", "./lines").decode().split()
    assert (said[0], said[2], said[3], said[5]) == ("lines", "0", "three", "0")
    assert int(said[1]) > 50_000
    assert int(said[4]) > 40_000


def heads(language: str, *pieces: str, board: Board = NARROW) -> list[str]:
    """The lines of a head, without what makes them comments."""
    text = constructor(printer(language, None, "magics"), board, pieces or CHESS_PIECES)
    return [line.lstrip("/ ") for line in text.split("\n\n")[0].splitlines()]


@pytest.mark.parametrize("language", COMMANDS)
def test_a_head_says_what_writes_the_file_again(language, run):
    options = ("--board", "9x10", "--piece", "cannon", "--piece", "general=W")
    text = run("emit", "--constructor", "--lang", language, *options, status=0).stdout
    again = next(line for line in text.splitlines() if "magicert emit" in line)
    words = shlex.split(again.partition("magicert emit")[2])
    assert run("emit", *words, status=0).stdout == text
    assert "H.G. Muller" in text


IN_RUST = """mod magics;
static PIECES: std::sync::OnceLock<magics::Pieces> = std::sync::OnceLock::new();

pub fn init() {
    let _ = PIECES.set(magics::Pieces::new(8, 8).unwrap());
}

pub fn rook(square: usize, occupied: u64) -> u64 {
    PIECES.get().map_or(0, |pieces| pieces.rook_attacks(square, occupied))
}
"""


@pytest.mark.slow
def test_a_table_in_rust_is_proved_where_the_engine_keeps_it(run, here):
    pytest.importorskip("llvmlite")
    run("emit", "--constructor", "--lang", "rust", "-o", here / "magics.rs", status=0)
    (here / "engine.rs").write_text(IN_RUST)
    words = ("engine.rs", "--function", "rook=rook", "--init", "init")
    assert "64 of 64 squares proved" in run("verify", *words, status=0).stdout


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_command_that_proves_the_functions_does(language, run, here):
    pytest.importorskip("llvmlite")
    path = here / f"magics{LANGUAGES[language].suffix}"
    run("emit", "--constructor", "--lang", language, "-o", path, status=0)
    command = next(line for line in heads(language) if line.startswith("magicert verify"))
    proved = run(*shlex.split(command)[1:], status=0).stdout
    assert proved.count("64 of 64 squares proved") == 2


@pytest.mark.long
def test_a_constructor_that_lets_two_squares_share_a_place_is_refuted(run, here):
    pytest.importorskip("llvmlite")
    text = run("emit", "--constructor", "--lang", "c", "--piece", "bishop", status=0).stdout
    (here / "magics.h").write_text(text.replace("if (place & ~ones->free) return 0;", ""))
    command = next(line for line in heads("c", "bishop") if line.startswith("magicert verify"))
    assert "refuted: a wrong set" in run(*shlex.split(command)[1:], status=1).stdout


def test_names_that_no_program_can_have_are_refused(run):
    for pieces, message in (
        (("rook", "rook"), "rook stands there twice"),
        (("a=R", "a=B"), "a stands there twice"),
        (("NN", "nN"), "expected pieces that differ in more than case"),
        (("2=R",), "expected a name that begins with a letter"),
    ):
        words = [word for piece in pieces for word in ("--piece", piece)]
        said = run("emit", "--constructor", "--lang", "c", *words, status=2).output
        assert message in " ".join(said.split())
