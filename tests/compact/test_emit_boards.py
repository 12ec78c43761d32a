"""Emitted tables of other boards and pieces: gcc, g++ and rustc compile them, all lookups run.

The answers come from the walk of `magicert.board`, square by square. One program a language holds
all tables, so that one compilation tries them all; their own self-test runs when they are filled.
"""

import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.board import Board, Movement
from magicert.board.betza import parse_piece
from magicert.board.masks import Bundle, bundles, usual_mask
from magicert.board.movement import Atom, Region
from magicert.board.walk import attack_set
from magicert.compact.emit import LANGUAGES, binary, make_unit
from magicert.data import tables_folder
from magicert.formula import parse
from magicert.problem import InputError
from magicert.square_order import place_of, square_at
from magicert.table import PieceTable, Table, TwoLevel, read_table, write_table

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wpedantic", "-Werror"]
LOW = (1 << 64) - 1

READ = """
static int next(uint64_t *q) { return fread(q, 8, 3, stdin) == 3; }
static int told(uint64_t low, uint64_t high) {
    uint64_t words[2] = {low, high};
    return fwrite(words, 8, 2, stdout) == 2;
}
#define HIGH(x) (uint64_t)(sizeof(x) > 8 ? (x) >> (8 * sizeof(x) - 64) : 0)
#define UP(type, word) (sizeof(type) > 8 ? (type)(word) << (8 * sizeof(type) - 64) : 0)
#define BOTH(type, q) (type)(UP(type, q[2]) | q[1])
"""


def shipped(name: str) -> Path:
    """A table of another engine's board."""
    return tables_folder() / "boards" / f"{name}.toml"


def subsets_of(mask: int) -> Iterator[int]:
    """All subsets of a bitboard, the empty one first."""
    subset = 0
    while True:
        yield subset
        subset = (subset - mask) & mask
        if not subset:
            return


def made(
    board: Board, pieces: dict[str, Movement], order: str = "a1", shared: bool = False
) -> Table:
    """A table with magics by chance: for pieces of few relevant squares only."""
    chance = random.Random(3)
    parts = {}
    for name, movement in pieces.items():
        magics = [_magic(board, movement, order, bit, chance) for bit in range(board.squares)]
        index = parse(f"((occ & mask) * magic) >> ({board.word} - bits)", word=board.word)
        bits = tuple(_bits(board, movement, order, bit) for bit in range(board.squares))
        parameters = {"magic": tuple(magics), "bits": bits}
        parts[name] = PieceTable(name, movement, index, parameters)
    return Table("made", parts, order=order, listing=order, shared=shared, board=board)


def in_bits(board: Board, order: str, squares: int) -> int:
    """A bitboard of squares in the bits of an order."""
    found = (place_of(order, s, board) for s in range(board.squares) if squares >> s & 1)
    return sum(1 << bit for bit in found)


def _bits(board: Board, movement: Movement, order: str, bit: int) -> int:
    return max(1, usual_mask(board, movement, square_at(order, bit, board)).bit_count())


def _magic(board: Board, movement: Movement, order: str, bit: int, chance: random.Random) -> int:
    square = square_at(order, bit, board)
    mask = usual_mask(board, movement, square)
    subsets = [
        (in_bits(board, order, o), attack_set(board, movement, square, o)) for o in subsets_of(mask)
    ]
    shift, whole = board.word - _bits(board, movement, order, bit), (1 << board.word) - 1
    while True:
        magic = chance.getrandbits(board.word) & chance.getrandbits(board.word)
        slots: dict[int, int] = {}
        if all(slots.setdefault((o * magic & whole) >> shift, a) == a for o, a in subsets):
            return magic


PALACE = Movement((Atom("rider", ((1, 0), (-1, 0), (0, 1), (0, -1))),), (Region((0, 0), (3, 2)),))


def small(folder: Path) -> dict[str, Path]:
    """Tables of every kind of piece, in orders that turn the board, with words of both widths."""
    horses = {"horse": parse_piece("nN"), "horse-to": parse_piece("horse-to")}
    cannons = {"cannon": parse_piece("pR"), "grasshopper": parse_piece("gB"), "two": PALACE}
    tables = {
        "lances": made(Board(5, 7), {"lance": parse_piece("fR"), "left": parse_piece("W2")}, "e7"),
        "horses": made(Board(5, 6), horses, "a6-files", shared=True),
        "cannons": made(Board(4, 5), cannons, "d1-files"),
        "wide": made(Board(9, 8), {"lance": parse_piece("bR"), **horses}, "i8-files"),
    }
    levels = {"levels": tables["cannons"], "wide_levels": tables["wide"]}
    tables |= {name: replace(one, two_level=TwoLevel(8)) for name, one in levels.items()}
    for name, table in tables.items():
        write_table(table, folder / f"{name}.toml")
    names = ("fairy_horse", "fairy_elephant", "pikafish_bishop", "pikafish_knight")
    return {
        **{name: folder / f"{name}.toml" for name in tables},
        **{name: shipped(name) for name in names},
    }


@dataclass(frozen=True)
class Asked:
    """The lookups of one piece: its table, its function, and what each must give."""

    table: str
    function: str
    wide: bool
    queries: list[tuple[int, int]]
    answers: list[int]


def parts_of(
    board: Board, movement: Movement, square: int, order: str
) -> list[Callable[[int], int]]:
    """What each bundle of a piece's steps attacks, in bits; each walk is made once."""

    def part(bundle: Bundle) -> Callable[[int], int]:
        blockers = sum(1 << blocker for blocker in bundle.blockers)

        @cache
        def walked(occupied: int) -> int:
            return in_bits(board, order, bundle.attacks(board, movement, square, occupied))

        return lambda occupied: walked(occupied & blockers)

    return [part(bundle) for bundle in bundles(board, movement, square)]


def asked(name: str, path: Path) -> Iterator[Asked]:
    """All lookups of a table, squares outside of the masks occupied at random."""
    table, noise = read_table(path).table, random.Random(7)
    board, order = table.board, table.order
    for piece, half in table.pieces.items():
        queries, answers = [], []
        for bit in range(board.squares):
            square = square_at(order, bit, board)
            mask = usual_mask(board, half.movement, square)
            parts = parts_of(board, half.movement, square, order)
            for occupied in subsets_of(mask):
                outside = noise.getrandbits(board.squares) & ~mask
                bits = occupied | outside
                queries.append((bit, bits if order == "a1" else in_bits(board, order, bits)))
                answers.append(sum(part(occupied) for part in parts))
        function = f"{piece.replace('-', '_')}_attacks"
        yield Asked(name, function, board.word > 64, queries, answers)


def bytes_of(words: Sequence[Sequence[int]]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for row in words for word in row)


def compiled(command: Sequence[str | Path], folder: Path) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"there is no {command[0]}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


def c_program(pieces: list[Asked], call: Callable[[Asked], str]) -> str:
    """The loops over the lookups, in C and C++; both are asked piece by piece."""
    loops = []
    for piece in pieces:
        kind = "unsigned __int128" if piece.wide else "uint64_t"
        loops.append(
            f"    for (long n = 0; n < {len(piece.queries)}; n++) {{\n"
            f"        if (!next(q)) return 1;\n"
            f"        {kind} found = {call(piece)}((unsigned)q[0], BOTH({kind}, q));\n"
            f"        if (!told((uint64_t)found, HIGH(found))) return 1;\n    }}\n"
        )
    return "".join(loops)


def built_c(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    includes, starts = [], []
    for name, path in tables.items():
        text = LANGUAGES["c"](f"{name}_", name).emit(make_unit(read_table(path), "test"), literal)
        (folder / f"{name}.h").write_text(text)
        includes.append(f'#define {name.upper()}_IMPLEMENTATION\n#include "{name}.h"\n')
        starts.append(f"    {name}_init();\n")
    loops = c_program(pieces, lambda piece: f"{piece.table}_{piece.function}")
    pragma = '#pragma GCC diagnostic ignored "-Wpedantic"\n#pragma GCC diagnostic ignored'
    main = (
        f"#include <stdio.h>\n#include <stdint.h>\n{''.join(includes)}{pragma} "
        f'"-Wshift-count-overflow"\n{READ}int main(void) {{\n    uint64_t q[3];\n'
        f"{''.join(starts)}{loops}    return 0;\n}}\n"
    )
    (folder / "main.c").write_text(main)
    compiled(["gcc", "-O1", "-DNDEBUG", "-std=c99", *WARNINGS, "main.c", "-o", "run_c"], folder)
    return folder / "run_c"


def built_cpp(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    includes = []
    for name, path in tables.items():
        unit = make_unit(read_table(path), "test")
        (folder / f"{name}.hpp").write_text(LANGUAGES["c++"](name, name).emit(unit, literal))
        includes.append(f'#include "{name}.hpp"\n')
    loops = c_program(pieces, lambda piece: f"{piece.table}::{piece.function}")
    pragma = '#pragma GCC diagnostic ignored "-Wpedantic"\n#pragma GCC diagnostic ignored'
    main = (
        f"#include <cstdio>\n#include <cstdint>\n{''.join(includes)}{pragma} "
        f'"-Wshift-count-overflow"\nusing std::uint64_t;\n{READ}int main() {{\n'
        f"    uint64_t q[3];\n{loops}    return 0;\n}}\n"
    )
    (folder / "main.cpp").write_text(main)
    command = ["g++", "-O1", "-DNDEBUG", "-std=c++17", *WARNINGS, "main.cpp", "-o", "run_cpp"]
    compiled(command, folder)
    return folder / "run_cpp"


def built_rust(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    modules, calls = [], []
    for name, path in tables.items():
        unit = make_unit(read_table(path), "test")
        (folder / f"{name}.rs").write_text(LANGUAGES["rust"](None, name).emit(unit, literal))
        modules.append(f"#[rustfmt::skip]\nmod {name};\n")
    for piece in pieces:
        kind = "u128" if piece.wide else "u64"
        calls.append(
            f"    for _ in 0..{len(piece.queries)} {{\n        let (square, occ) = next(&mut at);\n"
            f"        let found = {piece.table}::{piece.function}(square, occ as {kind});\n"
            "        output.extend(u128::from(found).to_le_bytes());\n    }\n"
        )
    main = (
        f"{''.join(modules)}use std::io::{{Read, Write}};\nfn main() {{\n"
        "    let mut input = Vec::new();\n    std::io::stdin().read_to_end(&mut input).unwrap();\n"
        "    let bytes = |n: usize| input[8 * n..8 * n + 8].try_into().unwrap();\n"
        "    let word = |n: usize| u64::from_le_bytes(bytes(n));\n"
        "    let next = |at: &mut usize| {\n        *at += 3;\n"
        "        let occ = u128::from(word(*at - 1)) << 64 | u128::from(word(*at - 2));\n"
        "        (word(*at - 3) as usize, occ)\n    };\n"
        f"    let mut at = 0;\n    let mut output = Vec::new();\n{''.join(calls)}"
        "    std::io::stdout().write_all(&output).unwrap();\n}\n"
    )
    (folder / "main.rs").write_text(main)
    command = ["rustc", "--edition", "2021", "-O", "-D", "warnings", "main.rs", "-o", "run_rust"]
    compiled(command, folder)
    return folder / "run_rust"


BUILT = {"c": built_c, "c++": built_cpp, "rust": built_rust}


def right(language: str, folder: Path, tables: dict[str, Path], *, literal: bool = False) -> int:
    """Compile all tables, and run all their lookups; how many there were."""
    pieces = [piece for name, path in tables.items() for piece in asked(name, path)]
    program = BUILT[language](folder, tables, pieces, literal)
    queries = [(bit, occ & LOW, occ >> 64) for piece in pieces for bit, occ in piece.queries]
    answers = [(a & LOW, a >> 64) for piece in pieces for a in piece.answers]
    done = subprocess.run([program], input=bytes_of(queries), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == bytes_of(answers)
    return len(queries)


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("language", BUILT)
def test_every_lookup_of_every_kind_of_piece(tmp_path: Path, language: str, literal: bool) -> None:
    if literal and language == "c":
        pytest.skip("its finished buffers are those of C++")
    assert right(language, tmp_path, small(tmp_path), literal=literal) > 8_000


def read_back(run: Callable[..., Result], path: Path, text: str) -> Result:
    """What the source's own comment says: options, or a file beside it."""
    path.write_text(text)
    lines = [line.lstrip("/ ") for line in text.splitlines()]
    at = next(n for n, line in enumerate(lines) if line.startswith("Read it back: "))
    _, _, _, *words = lines[at].split(": ", 1)[1].replace(",", "").split()
    if "beside" in words:
        beside = lines[at + 1 : lines.index("", at)]
        path.with_name(f"{path.name}.toml").write_text("\n".join(beside) + "\n")
        words = []
    return run("verify", path, *words)


def certified(run: Callable[..., Result], folder: Path, language: str, name: str) -> bool:
    """Whether a small table is read back and certified with all its lookups; False where its
    source does not say how.
    """
    path = small(folder)[name]
    unit = make_unit(read_table(path), "test")
    printer = LANGUAGES[language](None, name)
    if unit.asked is None:
        return False
    source = folder / f"{name}{printer.suffix}"
    result = read_back(run, source, printer.emit(unit, literal=False))
    assert result.exit_code == 0, f"{name}: {result.output}"
    lookups = sum(len(piece.queries) for piece in asked(name, path))
    assert f"{lookups:,} lookups" in result.stdout
    return True


@pytest.mark.parametrize("language", BUILT)
def test_a_source_is_read_back_as_its_comment_says(
    run: Callable[..., Result], tmp_path: Path, language: str
) -> None:
    assert certified(run, tmp_path, language, "lances")


def test_a_piece_without_notation_is_told_in_a_file(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    assert certified(run, tmp_path, "c++", "pikafish_bishop")


def test_a_wrong_shift_in_a_source_is_refused(run: Callable[..., Result], tmp_path: Path) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    text = LANGUAGES["c++"](None, "horse").emit(unit, literal=False)
    assert read_back(run, tmp_path / "horse.hpp", text.replace(", 125, ", ", 124, ")).exit_code != 0


@pytest.mark.slow
@pytest.mark.parametrize("language", BUILT)
def test_every_source_is_read_back(
    run: Callable[..., Result], tmp_path: Path, language: str
) -> None:
    names = small(tmp_path)
    assert sum(certified(run, tmp_path, language, name) for name in names) == len(names) - 2


@pytest.mark.slow
@pytest.mark.parametrize("language", BUILT)
@pytest.mark.parametrize("name", ["haitaka_rook", "pikafish_cannon", "fairy_cannon_diag"])
def test_large_tables(tmp_path: Path, language: str, name: str) -> None:
    assert right(language, tmp_path, {name: shipped(name)}) > 200_000


def test_a_filled_table_checks_itself(tmp_path: Path) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    text = LANGUAGES["c++"]("m", "m").emit(unit, literal=False)
    magic = text.split("{(unsigned __int128)UINT64_C(0x1002), ")[1].split("), 126")[0]
    wrong = text.replace(magic, "((unsigned __int128)1 << 64 | UINT64_C(1)", 1)
    main = "int main() { return m::horse_attacks(0, 0) == 0; }\n"
    for source, sound in ((text, True), (wrong, False)):
        (tmp_path / "m.hpp").write_text(source)
        (tmp_path / "main.cpp").write_text(f'#include "m.hpp"\n{main}')
        compiled(["g++", "-std=c++17", "main.cpp", "-o", "run"], tmp_path)
        done = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is sound
        assert ("m.hpp: " in done.stderr) is not sound


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - set(BUILT)))
def test_other_languages_say_what_is_offered(language: str) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    with pytest.raises(InputError, match=r"expected c, c\+\+ or rust, or binary"):
        LANGUAGES[language]().emit(unit, literal=False)


def test_a_finished_buffer_is_not_too_long(run: Callable[..., Result]) -> None:
    result = run("emit", shipped("haitaka_rook"), "--lang", "c++", "--literal")
    assert result.exit_code == 2
    assert "8,323,072 bytes: finished buffers in source have at most 4,194,304" in result.stderr


def test_binary_has_both_halves_of_a_word() -> None:
    unit = make_unit(read_table(shipped("fairy_elephant")), "test")
    data = binary(unit)
    (words,) = (buffer for buffer in unit.buffers.values())
    assert len(data) == 16 * len(words)
    first = attack_set(Board(12, 10), parse_piece("nA"), 0, 0)
    assert int.from_bytes(data[:16], "little") == first


def test_a_package_and_a_bench_are_for_chess(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("emit", shipped("fairy_horse"), "--lang", "rust", "--crate", tmp_path / "x")
    assert result.exit_code == 2
    assert "a package serves chess only" in result.stderr
    result = run("bench", shipped("fairy_horse"))
    assert result.exit_code == 2
    assert "bench serves chess only" in result.stderr


def test_a_compiler_without_such_words_is_told(tmp_path: Path) -> None:
    unit: Any = make_unit(read_table(shipped("fairy_horse")), "test")
    text = LANGUAGES["c++"]("m", "m").emit(unit, literal=False)
    (tmp_path / "m.cpp").write_text(f"#undef __SIZEOF_INT128__\n{text}")
    done = subprocess.run(
        ["g++", "-fsyntax-only", tmp_path / "m.cpp"], capture_output=True, text=True, check=False
    )
    assert "m.hpp needs unsigned __int128: expected GCC or Clang" in done.stderr
