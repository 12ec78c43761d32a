"""Emitted sources in projects of two files, with names that engines use, over all lookups.

The projects take the code lines of each source's usage comment as they are: what the comment
says compiles. One project a language holds all tables, so that one compilation tries them all.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.compact.emit import LANGUAGES, Unit, make_unit, printer
from magicert.data import find_table
from magicert.table import Table, read_table
from magicert.table.write import write_table

ROOKS, LOOKUPS = 102_400, 107_648
Ran = Callable[..., bytes]
Tables = Sequence[tuple[Unit, bool]]


@dataclass(frozen=True)
class Project:
    """How one language's project is written, compiled and run; its files lie in projects/.

    A line or a file name with an @ is there once for each table: @N is its number, @HEAD what
    its usage comment has at the top of a file (@SHARED: of all files but one), @ONCE what it
    calls once, @ROOK its lookup, and @BISHOP the same for bishops.
    """

    files: dict[str, str]
    commands: tuple[str, ...]
    source: str = "v@N"
    """Where an emitted source goes, without the ending."""
    scope: str | None = None
    without: tuple[str, ...] = ()
    """What the compilers here have not: a source that says it is left out."""


C_FLAGS = "-O1 -DNDEBUG -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"
FOLDER = Path(__file__).parent / "projects"


def files(language: str, ending: str = "") -> dict[str, str]:
    """The files of a language's project, by name; with another ending, if one is given."""
    paths = sorted((FOLDER / language).iterdir())
    return {p.stem + (ending or p.suffix): p.read_text() for p in paths}


PROJECTS = {
    "c": Project(
        files("c"), (f"gcc -std=c99 {C_FLAGS} engine.c movegen.c -o main", "./main"), scope="v@N_"
    ),
    "c++": Project(
        files("c", ".cpp"),
        # Without optimisation: what is inlined hides two copies of a table.
        (f"g++ -std=c++17 {C_FLAGS} -O0 engine.cpp movegen.cpp -o main", "./main"),
        scope="engine::v@N",
    ),
    "rust": Project(
        files("rust"),
        # Debug assertions on: arithmetic that does not wrap in so many words panics.
        ("rustc --edition=2021 -Dwarnings -Cdebug-assertions=on -Copt-level=1 main.rs", "./main"),
    ),
    "java": Project(
        files("java"),
        ("javac -Xlint:all -Werror Main.java", "java -XX:TieredStopAtLevel=1 Main"),
        source="engine/magics/v@N",
        scope="engine.magics",
    ),
    "csharp": Project(
        files("csharp"),
        ("mcs -checked+ -warnaserror -out:main.exe -recurse:*.cs", "mono main.exe"),
        scope="Engine.Magics",
        without=("System.Numerics", "System.Buffers"),  # Mono's library is an older one
    ),
    "go": Project(
        files("go"),
        ("go vet ./...", "go build -o main .", "./main"),
        source="v@N/v@N",
        scope="v@N",
    ),
    "zig": Project(files("zig"), ("zig build-exe -lc main.zig", "./main")),
    "javascript": Project(files("javascript"), ("node main.mjs",)),
    "javascript-32": Project(files("javascript") | files("javascript-32"), ("node main.mjs",)),
}


def test_every_language_is_compiled_and_run():
    # Python runs here, TypeScript without its types is JavaScript (test_emit_text); nobody who
    # works on this has a compiler for Swift.
    assert {*PROJECTS, "python", "typescript", "swift"} == {*LANGUAGES}


MARKS = ("@N", "@HEAD", "@SHARED", "@ONCE", "@ROOK", "@BISHOP")


def filled(text: str, sources: Sequence[str]) -> str:
    """A project's text, with the lines of each table."""
    lines = []
    for line in text.replace("TABLES", str(len(sources))).splitlines():
        if any(mark in line for mark in MARKS):
            lines += [replaced(line, number, source) for number, source in enumerate(sources)]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def replaced(text: str, number: int, source: str) -> str:
    """A line for one table, with the code of its usage comment."""
    *above, rook = (
        line[2:].strip() for line in source.splitlines()[:40] if line.startswith("//     ")
    )
    once = [line for line in above if line.endswith("init();")]
    head = [line for line in above if line not in once]
    shared = "\n".join(line for line in head if "#define" not in line).replace("rook", "bishop")
    bishop = rook.replace("rook", "bishop").replace("Rook", "Bishop")
    words = (str(number), "\n".join(head), shared, " ".join(once), rook, bishop)
    for mark, what in zip(MARKS, words, strict=True):
        text = text.replace(mark, what)
    return text


def turned_text() -> str:
    """A table of all functions of the formula language, which undo one another."""
    index = (
        "rol32(rol32(((bswap64(bswap64(rol64(rol64(occ | ~mask, popcount(mask)), -popcount(mask))))"
        " * magic) >> (64 - bits)) + ctz(mask & -mask) - ctz(mask), 8), -8)"
    )
    plain = "((occ | ~mask) * magic) >> (64 - bits)"
    text = find_table("cfish_black").read_text()
    assert text.count(plain) == 2
    return text.replace(plain, index)


@pytest.fixture(scope="session")
def black() -> Unit:
    return make_unit(read_table(find_table("cfish_black")), "magicert emit test")


@pytest.fixture(scope="session")
def tables(black: Unit, half_board: Table, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Tables of every kind, and whether they are to be written with their finished buffers."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(half_board, folder / "half.toml")
    (folder / "turned.toml").write_text(turned_text())
    names = ("black_two_level", "layered_48036", "two_level_79593", "stockfish21_64")
    paths = (*map(find_table, names), folder / "half.toml", folder / "turned.toml")
    units = [make_unit(read_table(path), "magicert emit test") for path in paths]
    return [(black, False), (black, True), *((unit, False) for unit in units)]


def sources(language: str, project: Project, tables: Tables) -> Iterator[str]:
    """The emitted sources of the tables that the language can write and the compilers take."""
    number = 0
    for unit, literal in tables:
        if language == "javascript-32" and len(unit.buffers) > 1:
            continue  # shifts by an amount of the square's own
        scope = project.scope and project.scope.replace("@N", str(number))
        text = printer(language, scope, f"v{number}").emit(unit, literal)
        if not any(word in text for word in project.without):
            number += 1
            yield text


@pytest.mark.parametrize("language", PROJECTS)
def test_a_project_of_two_files_answers_all_lookups_of_all_tables(
    language: str, tables: Tables, all_lookups: Any, ran: Ran, tmp_path: Path
):
    project = PROJECTS[language]
    texts = list(sources(language, project, tables))
    for number, text in enumerate(texts):
        path = tmp_path / f"{project.source.replace('@N', str(number))}{LANGUAGES[language].suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name, text in project.files.items():
        if "@N" not in name:
            (tmp_path / name).write_text(filled(text, texts))
            continue
        for number, source in enumerate(texts):
            own = replaced(text, number, source)
            (tmp_path / name.replace("@N", str(number))).write_text(own)
    answers = ran(tmp_path, *project.commands, queries=all_lookups.queries)
    found = np.frombuffer(answers, dtype="<u8").reshape(-1, len(texts))
    wanted = np.array(all_lookups.attacks, dtype=np.uint64)
    assert [int((column != wanted).sum()) for column in found.T] == [0] * len(texts)


def test_python_modules_answer_the_lookups(tables: Tables, all_lookups: Any):
    some = [*range(0, ROOKS, 50), *range(ROOKS, LOOKUPS, 4)]
    for unit, literal in tables:
        scope: dict[str, Any] = {}
        exec(printer("python").emit(unit, literal), scope)
        for n in some:
            attacks = scope["rook_attacks" if n < ROOKS else "bishop_attacks"]
            assert attacks(*all_lookups.pairs[n]) == all_lookups.attacks[n]


GLOBALS = """
#include "plain.hpp"
#include "levels.hpp"
#include "layers.hpp"
#include "knight.hpp"
static const uint64_t rook = plain::rook_attacks(0, 0), bishop = plain::bishop_attacks(0, 0);
static const uint64_t leveled = levels::rook_attacks(0, 0), layered = layers::rook_attacks(0, 0);
static const unsigned __int128 horse = knight::horse_attacks(0, 0);
extern const uint64_t other;
int main() {
    const uint64_t rooks = 0x1010101010101fe, bishops = 0x8040201008040200;
    if (rook != rooks || leveled != rooks || layered != rooks) return 1;
    return bishop != bishops || other != bishops || horse != (1 << 19 | 1 << 11);
}
"""
OTHER = """
#include "plain.hpp"
extern const uint64_t other;
const uint64_t other = plain::bishop_attacks(0, 0);
"""


@pytest.fixture
def of_globals(black: Unit, tmp_path: Path) -> Path:
    """A C++ program of two files whose globals are lookups, in tables of every kind."""
    names = {"levels": "black_two_level", "layers": "layered_48036", "knight": "pikafish_knight"}
    units = {name: make_unit(read_table(find_table(table)), "") for name, table in names.items()}
    for name, unit in {"plain": black, **units}.items():
        (tmp_path / f"{name}.hpp").write_text(printer("c++", name, name).emit(unit, False))
    (tmp_path / "main.cpp").write_text(GLOBALS)
    (tmp_path / "other.cpp").write_text(OTHER)
    return tmp_path


@pytest.mark.parametrize("compiler", ["g++", "clang++", "zig c++ -fno-sanitize=undefined"])
def test_a_global_of_a_c_plus_plus_program_may_be_a_lookup(
    compiler: str, of_globals: Path, ran: Ran
):
    for name in ("main", "other"):
        flags = f"-std=c++17 {C_FLAGS} -Wno-pedantic -O0 -c {name}.cpp -o {name}.o"
        ran(of_globals, f"{compiler} {flags}")
    for files in ("main.o other.o", "other.o main.o"):
        ran(of_globals, f"cc {files} -o main", "./main")


@pytest.mark.parametrize("name", ["stockfish21_64", "black_two_level", "layered_48036"])
def test_a_global_of_a_go_package_may_be_a_lookup(name: str, ran: Ran, tmp_path: Path):
    unit = make_unit(read_table(find_table(name)), "")
    (tmp_path / "magics.go").write_text(printer("go", "main", "magics").emit(unit, False))
    # A file in front of the tables, and a variable in front of its function.
    wanted = "0x1010101010101fe"
    main = f"func main() {{\n\tif corner != {wanted} {{\n\t\tpanic(corner)\n\t}}\n}}\n"
    (tmp_path / "a.go").write_text(f"package main\n\nvar corner = RookAttacks(0, 0)\n\n{main}")
    ran(tmp_path, "go run a.go magics.go")


@pytest.mark.parametrize(("language", "compiler"), [("c", "gcc"), ("c++", "g++")])
def test_the_fill_routine_stops_at_a_write_that_changes_an_entry(
    language: str, compiler: str, black: Unit, ran: Ran, tmp_path: Path
):
    source = printer(language).emit(black, literal=False)
    magic = black.pieces[0].columns[1].values[0]
    broken = source.replace(f"UINT64_C(0x{magic:x})", f"UINT64_C(0x{magic ^ 1 << 30:x})")
    assert broken != source
    init = "magics_init();" if language == "c" else ""
    (tmp_path / "main").write_text(f"{broken}\nint main(void) {{ {init} return 0; }}\n")
    flags = f"-DNDEBUG -DMAGICS_IMPLEMENTATION -O1 -x {language}"
    ran(tmp_path, f"{compiler} {flags} main -o run")
    done = subprocess.run([tmp_path / "run"], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"a write would change an entry" in done.stderr


def test_clippy_has_nothing_to_say(tables: Tables, ran: Ran, tmp_path: Path):
    texts = [printer("rust", stem=f"v{n}").emit(*table) for n, table in enumerate(tables)]
    for number, text in enumerate(texts):
        (tmp_path / f"v{number}.rs").write_text(text)
    for name, text in PROJECTS["rust"].files.items():
        (tmp_path / name).write_text(filled(text, texts))
    ran(tmp_path, "clippy-driver --edition=2021 --emit=metadata -Dwarnings main.rs")


def test_gofmt_changes_nothing(tables: Tables, ran: Ran, tmp_path: Path):
    for number, (unit, literal) in enumerate(tables[:5]):
        (tmp_path / f"v{number}.go").write_text(printer("go").emit(unit, literal))
    assert ran(tmp_path, "gofmt -l .") == b""
