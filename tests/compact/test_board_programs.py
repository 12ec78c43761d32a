"""Tables of other boards and pieces: small ones of every kind, emitted, compiled and run, and read
back. C, C++ and Rust fill them, and answer all lookups; the others have them as finished data, and
answer a sample. One program a language holds all tables, so that one compilation tries them all.
The answers come from the walk of `magicert.board`, square by square.
"""

import random
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import magicert
from magicert.api.forms import TableForm
from magicert.betza import parse_piece
from magicert.board import Board, hexagon, parse_board, place_of, square_at, squares_of
from magicert.compact.emit import LANGUAGES, EmittedTable, binary, prepare_table, printer
from magicert.compact.emit.spelling import camel
from magicert.compact.emit.template import load, render
from magicert.data import tables_folder
from magicert.formula import parse
from magicert.movement import Atom, Movement, Region, attacks_of, usual_mask
from magicert.occupancy import carry_rippler
from magicert.search.finders.trial import construct_magic
from magicert.table import JoinedPiece, PieceTable, Table, TwoLevel, read_table
from magicert.table.write import write_table

Run = Callable[..., Result]
Ran = Callable[..., bytes]


def shipped(name: str) -> Path:
    """A table of another engine's board."""
    return tables_folder() / "boards" / f"{name}.toml"


HORSE = shipped("fairy_horse")


@cache
def unit_of(path: Path) -> EmittedTable:
    return prepare_table(read_table(path), "test")


@cache
def bits_of(board: Board, order: str) -> list[int]:
    """The bit of each square in an order."""
    return [1 << place_of(order, square, board) for square in range(board.squares)]


def in_bits(board: Board, order: str, squares: int) -> int:
    """A bitboard of squares in the bits of an order."""
    bits = bits_of(board, order)
    return sum(bits[square] for square in squares_of(squares))


def made(
    board: Board, pieces: dict[str, str], order: str, shared: bool = False, lines: bool = False
) -> Table:
    """A table with magics that tell all occupancies apart."""
    parts, form = {}, TableForm(lines=lines)
    movements = {
        name: PALACE if notation == "palace" else parse_piece(notation)
        for name, notation in pieces.items()
    }
    for name, movement in form.parts_of(movements).items():
        squares = [square_at(order, bit, board) for bit in range(board.squares)]
        masks = [in_bits(board, order, usual_mask(board, movement, s)) for s in squares]
        bits = tuple(max(1, mask.bit_count()) for mask in masks)
        rows = zip(masks, bits, strict=True)
        magic = tuple(construct_magic(mask, few, board.word, 1) for mask, few in rows)
        index = parse(f"((occ & mask) * magic) >> ({board.word} - bits)", word=board.word)
        parts[name] = PieceTable(name, movement, index, {"magic": magic, "bits": bits})
    joined = {
        name: JoinedPiece(movements[name], names) for name, names in form.joined(movements).items()
    }
    return Table(
        "made", parts, order=order, listing=order, shared=shared, board=board, joined=joined
    )


def in_pairs(board: str, *pieces: str) -> Table:
    """Pieces with one index for two lines, and for all with the same masks."""
    return magicert.find_set(pieces, board=board, form="pairs").table


PALACE = Movement((Atom("rider", ((1, 0), (-1, 0), (0, 1), (0, -1))),), (Region((0, 0), (3, 2)),))


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Tables of every kind of piece, in orders that turn the board, with words of both widths."""
    folder = tmp_path_factory.mktemp("small")
    horses = {"horse": "nN", "horse-to": "horse-to"}
    cannons = {"cannon": "pR", "grasshopper": "gB", "two": "palace"}
    tables = {
        "lances": made(Board(5, 7), {"lance": "fR", "pR": "pR"}, "e7"),
        "horses": made(Board(5, 6), horses, "a6-files", shared=True),
        "cannons": made(Board(4, 5), cannons, "d1-files"),
        "wide": made(Board(9, 8), {"lance": "bR", **horses}, "i8-files"),
        "hexagon": made(hexagon(7), {"rook": "flRbrR", "cannon": "flpRrfpR", **horses}, "g1"),
    }
    joined = {"amazon": "QN", "rook": "R", "gold": "WfF", "cannon": "pR"}
    tables["joined"] = made(Board(4, 5), joined, "d5-files", shared=True, lines=True)
    tables["wide_joined"] = made(
        Board(11, 6), {"chancellor": "vRN", "silver": "FfW"}, "k1", lines=True
    )
    levels = {"levels": tables["cannons"], "wide_levels": tables["wide_joined"]}
    tables |= {name: replace(one, two_level=TwoLevel(8)) for name, one in levels.items()}
    tables["pairs"] = in_pairs("5x6-c3", "cannon", "rook", "horse", "gold=WfF", "amazon=vRN")
    # These move alike on a board that is turned by half.
    wide = in_pairs("11x6", "bishop", "diagonal-cannon")
    tables["wide_pairs"] = replace(wide, order="k6", listing="k6")
    for name, table in tables.items():
        write_table(table, folder / f"{name}.toml")
    names = ("fairy_horse", "fairy_elephant", "pikafish_bishop", "pikafish_knight")
    made_here = {name: folder / f"{name}.toml" for name in tables}
    return made_here | {name: shipped(name) for name in names}


@dataclass(frozen=True)
class Asked:
    """The lookups of one piece: its function, and what each must give."""

    function: str
    wide: bool
    leaps: bool
    """Whether the function takes only the square."""
    queries: list[tuple[int, int]]
    answers: list[int]


@cache
def asked(path: Path, every: int) -> list[Asked]:
    """All lookups of a table, or one in so many of each square's, squares outside of the masks
    occupied at random.
    """
    table, noise, found = read_table(path).table, random.Random(7), []
    board, order = table.board, table.order
    for piece, half in (table.pieces | table.joined).items():
        queries, answers = [], []
        for bit in range(board.squares):
            square = square_at(order, bit, board)
            if not board.has(square):
                continue
            mask = usual_mask(board, half.movement, square)
            for occupied in islice(carry_rippler(mask), 0, None, every):
                bits = occupied | noise.getrandbits(board.squares) & board.full & ~mask
                queries.append((bit, bits if order == "a1" else in_bits(board, order, bits)))
                attacks = attacks_of(board, half.movement, square, occupied)
                answers.append(in_bits(board, order, attacks))
        function = f"{piece.replace('-', '_')}_attacks"
        leaps = isinstance(half, JoinedPiece) and not half.parts
        found.append(Asked(function, board.word > 64, leaps, queries, answers))
    return found


LOW = (1 << 64) - 1
COMPILERS = tomllib.loads((Path(__file__).parent / "compilers.toml").read_text())
BOARDS = {name: row["boards"] for name, row in COMPILERS.items() if "boards" in row}
HERE = Path(__file__).parent / "programs"
PROGRAMS = {2: HERE / "boards", 4: HERE / "large"}
"""They read (square, low, high) and write (low, high); those of large boards four words."""
LARGE = [language for language, row in BOARDS.items() if (PROGRAMS[4] / row["file"]).exists()]


def named(language: str, piece: str) -> str:
    """The function of a piece."""
    if language in ("c", "c++", "rust"):
        return f"{piece}_attacks"
    return f"{camel(piece) if language in ('go', 'csharp') else piece}Attacks"


def answered(
    language: str, tables: dict[str, Path], ran: Ran, folder: Path, literal: bool = False,
    words: int = 2, every: int = 1,
) -> int:  # fmt: skip
    """Compile a program of these tables and run it; how many of its lookups were right: all."""
    own, pieces, asks = {"source": "@TABLE", "scope": "", "every": 7} | BOARDS[language], [], []
    for table, path in tables.items():
        scope, file = (own[key].replace("@TABLE", table) for key in ("scope", "source"))
        source = folder / f"{file}{LANGUAGES[language].suffix}"
        source.parent.mkdir(exist_ok=True)
        spell = printer(language, scope or None, source.stem)
        source.write_text(spell.emit(unit_of(path), literal))
        for piece in asked(path, every):
            some = list(zip(piece.queries, piece.answers, strict=True))[:: own["every"]]
            asks += some
            function = named(language, piece.function.removesuffix("_attacks"))
            row = {"table": table, "function": function, "wide": piece.wide, "count": len(some)}
            # Without the occupancy, where leaps are all: in a comment, or by another macro.
            cut, uncut, given = ("/*", "*/", "WITHOUT") if piece.leaps else ("", "", "WITH")
            without = {"leaps": piece.leaps, "cut": cut, "uncut": uncut, "with": given}
            pieces.append({**row, **without})
    program = load(PROGRAMS[words] / own["file"])
    names = [{"table": name, "upper": name.upper()} for name in tables]
    (folder / own["file"]).write_text(render(program, {"tables": names, "pieces": pieces}))
    (folder / "go.mod").write_text("module boards\n\ngo 1.18\n")
    starts = range(0, 64 * words, 64)
    lookups = [(square, *(occ >> start & LOW for start in starts)) for (square, occ), _ in asks]
    queries = b"".join(word.to_bytes(8, "little") for lookup in lookups for word in lookup)
    answers = b"".join(attacks.to_bytes(8 * words, "little") for _, attacks in asks)
    assert ran(folder, *own["commands"], queries=queries) == answers
    return len(asks)


@pytest.mark.parametrize(
    ("language", "literal"),
    # The finished buffers of C are those of C++.
    [
        *((language, False) for language in BOARDS),
        ("c++", True),
        pytest.param("rust", True, marks=pytest.mark.long),
    ],
)
def test_every_kind_of_piece(small, ran, tmp_path, language, literal):
    names = BOARDS[language].get("tables", small)
    count = answered(language, {name: small[name] for name in names}, ran, tmp_path, literal)
    assert count > (8_000 if "tables" not in BOARDS[language] else 300)


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """Tables of words of 256 bits, with holes; one of two levels, which is finished."""
    folder, board = tmp_path_factory.mktemp("large"), parse_board("13x11-e5-f6,b2,m9")
    pieces = {"lance": "fR6", "rook": "R2", "horse": "nN", "cannon": "spR7"}
    tables = {"walls": made(board, pieces, "m1-files")}
    tables["whole"] = made(Board(16, 16), {"elephant": "nA"}, "a1")
    tables["levels"] = replace(tables["walls"], two_level=TwoLevel(8))
    for name, table in tables.items():
        write_table(table, folder / f"{name}.toml")
    return {name: folder / f"{name}.toml" for name in tables}


# What the walk answers takes most of the time: some of the lookups, and by hand all of them.
SOME, ALL = 15, pytest.param(1, marks=pytest.mark.long)


@pytest.mark.parametrize("every", [SOME, ALL])
@pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=[pytest.mark.long] * (name == "c++")) for name in LARGE],
)
def test_words_of_256_bits_are_four_of_64(large, ran, tmp_path, language, every):
    names = ("levels", "whole") if language == "go" and every == SOME else large
    tables = {name: large[name] for name in names}
    count = answered(language, tables, ran, tmp_path, words=4, every=every)
    assert count > (500 if every == SOME else 10_000)


@pytest.mark.parametrize("every", [SOME, ALL])
def test_finished_tables_of_other_boards_in_python(small, large, every):
    names = ("horses", "levels", "wide", "wide_levels", "joined", "hexagon")
    for table in (*(small[name] for name in names), large["levels"]):
        scope: dict[str, Any] = {}
        exec(printer("python").emit(unit_of(table), literal=False), scope)
        for piece in asked(table, every if table == large["levels"] else 1):
            for (square, occ), attacks in list(zip(piece.queries, piece.answers, strict=True))[::7]:
                given = (square,) if piece.leaps else (square, occ)
                assert scope[piece.function](*given) == attacks


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++", "rust"])
@pytest.mark.parametrize("name", ["haitaka_rook", "pikafish_cannon", "fairy_cannon_diag"])
def test_large_tables(ran, tmp_path, language, name):
    assert answered(language, {name: shipped(name)}, ran, tmp_path) > 200_000


# What is not written of other boards, and what a program that is refuses by itself.


def test_a_filled_table_checks_itself(ran, tmp_path):
    text = printer("c++", "m", "m").emit(unit_of(HORSE), literal=False)
    magic = text.split("{(unsigned __int128)UINT64_C(0x1002), ")[1].split("), 126")[0]
    wrong = text.replace(magic, "((unsigned __int128)1 << 64 | UINT64_C(1)", 1)
    main = "int main() { return m::horse_attacks(0, 0) == 0; }\n"
    (tmp_path / "main.cpp").write_text(f'#include "m.hpp"\n{main}')
    for source, sound in ((text, True), (wrong, False)):
        (tmp_path / "m.hpp").write_text(source)
        ran(tmp_path, "g++ -std=c++17 main.cpp -o run")
        done = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is sound
        assert ("m.hpp: " in done.stderr) is not sound


def test_binary_has_both_halves_of_a_word():
    unit = unit_of(shipped("fairy_elephant"))
    (words,) = unit.buffers.values()
    data = binary(unit)
    assert len(data) == 16 * len(words)
    first = attacks_of(Board(12, 10), parse_piece("nA"), 0, 0)
    assert int.from_bytes(data[:16], "little") == first


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_a_compiler_without_such_words_is_told(tmp_path):
    text = printer("c++", "m", "m").emit(unit_of(HORSE), literal=False)
    (tmp_path / "m.cpp").write_text(f"#undef __SIZEOF_INT128__\n{text}")
    done = subprocess.run(
        ["g++", "-fsyntax-only", tmp_path / "m.cpp"], capture_output=True, text=True, check=False
    )
    assert "m.hpp needs unsigned __int128: expected GCC or Clang" in done.stderr


def read_back(run: Run, path: Path, text: str, status: int | None = None) -> Result:
    """What the source's own comment says: options, or a file beside it."""
    path.write_text(text)
    lines = [line.lstrip("/ ") for line in text.splitlines()]
    at = next(n for n, line in enumerate(lines) if line.startswith("Read it back: "))
    _, _, _, *words = lines[at].split(": ", 1)[1].replace(",", "").split()
    if "beside" in words:
        beside = lines[at + 1 : lines.index("", at)]
        path.with_name(f"{path.name}.toml").write_text("\n".join(beside) + "\n")
        words = []
    return run("verify", path, *words, status=status)


def certified(run: Run, language: str, table: Path, folder: Path) -> bool:
    """Whether a small table is read back and certified with all its lookups; False where its
    source does not say how.
    """
    unit, spell = unit_of(table), printer(language, None, table.stem)
    if unit.facts is None:
        return False
    source = folder / f"{table.stem}{spell.dialect.suffix}"
    result = read_back(run, source, spell.emit(unit, literal=False), status=0)
    # A piece that is made of others has no numbers of its own.
    own = asked(table, 1)[: len(read_table(table).table.pieces)]
    lookups = sum(len(piece.queries) for piece in own)
    assert f"{lookups:,} lookups" in result.stdout
    return True


@pytest.mark.parametrize(
    ("language", "name"),
    # What has no notation is told in a file.
    [("c", "lances"), ("c++", "lances"), ("rust", "lances"), ("c++", "pikafish_bishop")],
)
def test_a_source_is_read_back_as_its_comment_says(run, small, language, name, tmp_path):
    assert certified(run, language, small[name], tmp_path)


@pytest.mark.parametrize("language", ["c", pytest.param("rust", marks=pytest.mark.long)])
def test_a_source_of_four_words_a_number_is_read_back(run, large, language, tmp_path):
    table = large["whole"]
    assert certified(run, language, table, tmp_path)
    (half,) = read_table(table).table.pieces.values()
    top = f"0x{max(half.parameters['magic']) >> 192:x}"
    text = printer(language, None, "whole").emit(unit_of(table), literal=False)
    assert top in text
    wrong = read_back(run, tmp_path / f"wrong.{language}", text.replace(top, "0x1"))
    assert wrong.exit_code in (1, 2, 3)


def test_a_wrong_shift_in_a_source_is_refused(run, tmp_path):
    text = printer("c++", None, "horse").emit(unit_of(HORSE), literal=False)
    assert read_back(run, tmp_path / "horse.hpp", text.replace(", 125, ", ", 124, ")).exit_code != 0


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++", "rust"])
def test_every_source_is_read_back(run, small, language, tmp_path):
    read = {name for name, table in small.items() if certified(run, language, table, tmp_path)}
    # Of two levels, and of entries of several pieces, a source does not say how it is read.
    assert small.keys() - read == {"levels", "wide_levels", "pairs", "wide_pairs"}
