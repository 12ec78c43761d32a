"""Emitted sources in projects of two files, with names that engines use, over all lookups; and
formulas in every language, each of which means what magicert's own reading means.

The projects take the code lines of each source's usage comment as they are: what the comment
says compiles. One project a language holds all tables, so that one compilation tries them all.
"""

import random
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.compact.emit import LANGUAGES, EmittedTable, Printer, prepare_table, printer
from magicert.compact.emit.dialect import read_dialect
from magicert.compact.emit.template import load, render
from magicert.compact.emit.ways import languages_of_ways, print_way, ways_of
from magicert.data import find_table
from magicert.formula import parse
from magicert.formula.tree import FUNCTIONS, Call, Node, evaluate, walk
from magicert.problem import InputError
from magicert.table import Table, read_table
from magicert.table.write import write_table

Ran = Callable[..., bytes]
Tables = Sequence[tuple[EmittedTable, bool]]


HERE = Path(__file__).parent
C_FLAGS = "-DNDEBUG -Wall -Wextra -Wshadow -Wconversion -Werror"
COMPILERS = tomllib.loads((HERE / "compilers.toml").read_text())


def test_every_language_is_compiled_and_run():
    # Python runs here, TypeScript without its types is JavaScript (test_emit_text).
    assert {*COMPILERS, "python", "typescript"} == {*LANGUAGES}
    # Tables use few operations: what is wrong with the others, only the formulas show.
    assert [name for name, row in COMPILERS.items() if "formulas" not in row] == []


def rows_of(sources: Sequence[str], comment: str) -> list[dict[str, object]]:
    """What the project's files say of each table: the code of its usage comment."""
    rows, mark = [], f"{comment}     "
    for number, source in enumerate(sources):
        head = source.splitlines()[:40]
        code = [line.removeprefix(mark).strip() for line in head if line.startswith(mark)]
        assert code, f"expected code in the usage comment, behind {mark!r}"
        *above, rook = code
        once = [line for line in above if line.endswith("init();")]
        head = [line for line in above if line not in once]
        shared = "\n".join(line for line in head if "#define" not in line).replace("rook", "bishop")
        bishop = rook.replace("rook", "bishop").replace("Rook", "Bishop")
        if "queen" in source.casefold():  # two sets that have no square in common
            head = [line.replace("rook", "queenAttacks, bishop") for line in head]
            call = rook[rook.index("=") + 1 :].strip("; ")
            queen = call.replace("rook", "queen").replace("Rook", "Queen")
            other = call.replace("rook", "bishop").replace("Rook", "Bishop")
            rook = rook.replace(call, f"{queen} ^ {other}")
        row = {"n": number, "head": "\n".join(head), "shared": shared, "once": " ".join(once)}
        rows.append({**row, "rook": rook, "bishop": bishop})
    return rows


def write_project(folder: Path, sources: Sequence[str], *languages: str, ending: str = "") -> None:
    """Its files, of the last language that has them; those with @N in their name for each table."""
    rows = rows_of(sources, LANGUAGES[languages[-1]].comment)
    for path in (path for each in languages for path in (HERE / "projects" / each).glob("*")):
        for row in rows if "@N" in path.name else [{}]:
            name = path.stem.replace("@N", str(row.get("n"))) + (ending or path.suffix)
            text = render(load(path), {"tables": rows, "count": len(rows), **row})
            (folder / name).write_text(text)


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
def black() -> EmittedTable:
    return prepare_table(read_table(find_table("cfish_black")), "magicert emit test")


@pytest.fixture(scope="session")
def tables(
    black: EmittedTable, half_board: Table, tmp_path_factory: pytest.TempPathFactory
) -> Tables:
    """Tables of every kind, and whether they are to be written with their finished buffers."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(half_board, folder / "half.toml")
    (folder / "turned.toml").write_text(turned_text())
    names = ("black_two_level", "layered_48036", "two_level_79593", "stockfish21_64")
    paths = (*map(find_table, names), folder / "half.toml", folder / "turned.toml")
    units = [prepare_table(read_table(path), "magicert emit test") for path in paths]
    return [(black, False), (black, True), *((unit, False) for unit in units)]


def sources(project: dict[str, Any], language: str, tables: Tables) -> Iterator[str]:
    """The emitted sources of the tables, and of the ways that no other test compiles."""

    def named(number: int) -> Printer:
        scope = project["scope"] and project["scope"].replace("@N", str(number))
        return printer(language, scope, f"v{number}")

    # C++ writes the same finished tables as C.
    written = [pair for pair in tables if language != "c" or not pair[1]]
    for number, pair in enumerate(written):
        yield named(number).emit(*pair)
    if language in {*languages_of_ways()} - {*languages_of_ways(proved=True)}:
        for number, way in enumerate(ways_of(language), len(written)):
            yield print_way(way, named(number))


@pytest.mark.parametrize("language", COMPILERS)
def test_a_project_of_two_files_answers_all_lookups_of_all_tables(
    language, tables, all_lookups, ran, tmp_path
):
    empty = {"source": "v@N", "scope": None, "ending": "", "like": language}
    project = empty | COMPILERS[language]["project"]
    texts = list(sources(project, language, tables))
    for number, text in enumerate(texts):
        name = project["source"].replace("@N", str(number))
        path = tmp_path / f"{name}{LANGUAGES[language].suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    write_project(tmp_path, texts, project["like"], language, ending=project["ending"])
    answers = ran(tmp_path, *project["commands"], queries=all_lookups.queries)
    found = np.frombuffer(answers, dtype="<u8").reshape(-1, len(texts))
    wanted = np.array(all_lookups.attacks, dtype=np.uint64)
    assert [int((column != wanted).sum()) for column in found.T] == [0] * len(texts)


def test_python_modules_answer_the_lookups(tables, answers):
    for unit, literal in tables:
        answers(printer("python").emit(unit, literal))


@pytest.mark.parametrize("compiler", ["g++", "clang++", "zig c++ -fno-sanitize=undefined"])
def test_a_global_of_a_c_plus_plus_program_may_be_a_lookup(compiler, black, ran, tmp_path):
    """A program of two files, with tables of every kind."""
    names = {"levels": "black_two_level", "layers": "layered_48036", "knight": "pikafish_knight"}
    units = {
        name: prepare_table(read_table(find_table(table)), "") for name, table in names.items()
    }
    for name, unit in {"plain": black, **units}.items():
        (tmp_path / f"{name}.hpp").write_text(printer("c++", name, name).emit(unit, False))
    shutil.copytree(HERE / "programs" / "globals", tmp_path, dirs_exist_ok=True)
    for name in ("main", "other"):
        flags = f"-std=c++17 {C_FLAGS} -Wno-pedantic -O0 -c {name}.cpp -o {name}.o"
        ran(tmp_path, f"{compiler} {flags}")
    for files in ("main.o other.o", "other.o main.o"):
        ran(tmp_path, f"cc {files} -o main", "./main")


@pytest.mark.parametrize("name", ["stockfish21_64", "black_two_level", "layered_48036"])
def test_a_global_of_a_go_package_may_be_a_lookup(name, ran, tmp_path):
    unit = prepare_table(read_table(find_table(name)), "")
    (tmp_path / "magics.go").write_text(printer("go", "main", "magics").emit(unit, False))
    # A file in front of the tables, and a variable in front of its function.
    wanted = "0x1010101010101fe"
    main = f"func main() {{\n\tif corner != {wanted} {{\n\t\tpanic(corner)\n\t}}\n}}\n"
    (tmp_path / "a.go").write_text(f"package main\n\nvar corner = RookAttacks(0, 0)\n\n{main}")
    ran(tmp_path, "go run a.go magics.go")


@pytest.mark.parametrize(("language", "compiler"), [("c", "gcc"), ("c++", "g++")])
def test_the_fill_routine_stops_at_a_write_that_changes_an_entry(
    language, compiler, black, ran, tmp_path
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


def test_clippy_has_nothing_to_say(tables, ran, tmp_path):
    texts = [printer("rust", stem=f"v{n}").emit(*table) for n, table in enumerate(tables)]
    for number, text in enumerate(texts):
        (tmp_path / f"v{number}.rs").write_text(text)
    write_project(tmp_path, texts, "rust")
    ran(tmp_path, "clippy-driver --edition=2021 --emit=metadata -Dwarnings main.rs")


def test_gofmt_changes_nothing(tables, ran, tmp_path):
    wide = (prepare_table(read_table(find_table("fairy_horse")), ""), True)
    for number, (unit, literal) in enumerate([*tables[:5], wide]):
        (tmp_path / f"v{number}.go").write_text(printer("go").emit(unit, literal))
    assert ran(tmp_path, "gofmt -l .") == b""


# Formulas.

FOLDERS = {64: "formulas", 128: "wide", 256: "wider"}
PROGRAMS = {word: HERE / "programs" / folder for word, folder in FOLDERS.items()}
"""Of formulas of words beyond 64 bits `big` has as many bits and is used so; `magic` has 64 and is
used at both.
"""
NAMES = {64: ("occ", "mask"), **dict.fromkeys((128, 256), ("occ", "mask", "big", "magic"))}
FORMULAS = {word: (at / "formulas.txt").read_text().splitlines() for word, at in PROGRAMS.items()}
WRITTEN = {language: row["formulas"] for language, row in COMPILERS.items() if "formulas" in row}
RUN = [
    (name, word)
    for name, row in WRITTEN.items()
    for word, at in PROGRAMS.items()
    if (at / row["file"]).exists()
]
IN_TURN = [pytest.param(*each, marks=[pytest.mark.long] * (each[0] == "c++")) for each in RUN]
"""C++'s text is C's."""


def rows(word: int) -> list[tuple[int, ...]]:
    """Edges and chance, in words and amounts: a value for each name."""
    chance, low = random.Random(20), (1 << 64) - 1
    edges = [0, 1, 2, 31, 32, 33, 63, 64, 1 << 31, 1 << 32, 1 << 63, (1 << 32) - 1, low]
    edges += [0xFFFFFFFF00000000] if word == 64 else [1 << 64, 1 << 127, (1 << 128) - 1, 3 << 63]
    edges += [] if word < 256 else [1 << 128, 1 << 191, 3 << 191, 1 << 255, (1 << 256) - 1]
    found = [(x, y, x ^ y, (x + y) & low) for x in edges for y in edges]
    for _ in range(200):
        x, y, z, magic, *three = (chance.getrandbits(word) for _ in range(7))
        few = three[0] & three[1] & three[2]
        found += [(x, y, z, magic & low), (few, chance.randrange(130), z, few % 130)]
    return [row[: len(NAMES[word])] for row in found]


def program(language: str, path: Path, trees: Sequence[Node], word: int) -> str:
    """One function for each tree, and a loop that answers all of them for each row read."""
    spell = printer(language)
    widths = {name: word for name in NAMES[word] if name != "magic"}
    rows = []
    for number, tree in enumerate(trees):
        shown = spell.text(tree, {name: name for name in NAMES[word]}, widths)
        if tree.width < word == 256:
            shown = spell.widen(f"({shown})", word, tree.width)
        elif language == "java" and tree.width == 32:
            shown = spell.put(spell.dialect.widened, f"({shown})")
        rows.append({"n": number, "shown": shown})
    helpers = spell.needed(trees, word)
    static = "constexpr" if language == "c++" else "static"
    scope = {"formulas": rows, "count": len(rows), "helpers": helpers, "static": static}
    return render(load(path), {**scope, **spell.word(word)})


@pytest.mark.parametrize("word", FORMULAS)
def test_every_function_is_among_the_formulas(word):
    trees = [parse(text, word=word).tree for text in FORMULAS[word] if text]
    used = {node.function for tree in trees for node in walk(tree) if isinstance(node, Call)}
    assert used == set(FUNCTIONS) - {"lo32", "lo64"}


@pytest.mark.parametrize(("language", "word"), IN_TURN)
def test_a_compiled_formula_means_what_the_formula_means(language, word, ran, tmp_path):
    own = WRITTEN[language]
    trees = [parse(text, word=word).tree for text in FORMULAS[word] if text]
    path = PROGRAMS[word] / own["file"]
    (tmp_path / path.name).write_text(program(language, path, trees, word))
    named = [dict(zip(NAMES[word], row, strict=True)) for row in rows(word)]
    given, wanted = (
        b"".join(value.to_bytes(word // 8, "little") for value in values)
        for values in (
            [value for row in named for value in row.values()],
            [evaluate(tree, row) for row in named for tree in trees],
        )
    )
    assert ran(tmp_path, *own["commands"], queries=given) == wanted


def test_other_languages_say_that_they_have_no_such_words():
    tree = parse("u64(occ & mask) * magic >> 50", word=128).tree
    perl = Printer(read_dialect(HERE / "sigils" / "perl" / "dialect.toml"))
    with pytest.raises(InputError, match="no words of 128 bits: expected one of c, c"):
        perl.text(tree, {name: name for name in NAMES[128]})
