"""Ways to get attacks: compiled with warnings as errors, and tried for every occupancy of every
mask, and with all other squares occupied; what the head says of proofs is held against the text.
The changes of docs/engines.md give four engines an emitted file; perft counts the same moves.
"""

import hashlib
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from magicert.compact.emit import EmittedTable, prepare_table, printer
from magicert.compact.emit import ways as emitted
from magicert.compact.emit.template import load, render
from magicert.compact.emit.ways import kit, print_way
from magicert.data import find_table
from magicert.problem import InputError
from magicert.table import read_table

HERE = Path(__file__).parent
PROGRAMS, SHAPES = HERE / "programs" / "ways", HERE / "shapes"
FLAGS = "-O1 -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"
V3 = "-mavx2 -mbmi2"
ZIG = "zig" if shutil.which("zig") else "python-zig"
COMMANDS = {
    "c": (f"gcc -std=c99 {FLAGS} main.c -o main", V3),
    "c++": (f"g++ -std=c++17 {FLAGS} -x c++ main.c -o main", ""),
    "rust": (
        "rustc --edition=2021 -Copt-level=1 -Dwarnings main.rs -o main",
        "-Ctarget-cpu=x86-64-v3",
    ),
    "zig": (f"{ZIG} build-exe -lc -fllvm -OReleaseSafe main.zig", "-mcpu=x86_64_v3"),
}
"""How a program of all ways is compiled, and what compiles it for x86-64-v3 (C's text is C++'s)."""
LEFT_OUT = {"zig": pytest.mark.toolchain, "c++": pytest.mark.long}
LANGUAGES = [pytest.param(each, marks=LEFT_OUT.get(each, ())) for each in COMMANDS]
LARGE = ("magic", "pext")
"""Megabytes of source: their digests are looked at here, `pytest -m slow` runs them."""
SMALL = [way for way in emitted.ways() if way not in LARGE]
Ran = Callable[..., bytes]


@cache
def tables(way: str) -> EmittedTable | None:
    return emitted.unit_of(way)


@cache
def printed(way: str, language: str) -> str:
    return print_way(way, printer(language), tables(way))


def write_program(language: str, names: Sequence[str], folder: Path) -> None:
    """A program that tries some ways, with a name space for each."""
    suffix, rows = printer(language).dialect.suffix, []
    for way in names:
        scope = {"c": f"{way}_", "c++": way}.get(language)
        text = print_way(way, printer(language, scope, way), tables(way))
        (folder / f"{way}{suffix}").write_text(text)
        called = f"{way}::" if language == "c++" else scope
        rows.append({"way": way, "file": f"{way}{suffix}", "scope": called})
    name = {"rust": "main.rs", "zig": "main.zig"}.get(language, "main.c")
    (folder / name).write_text(render(load(PROGRAMS / name), {"ways": rows}))


def try_ways(language: str, names: Sequence[str], ran: Ran, folder: Path) -> None:
    write_program(language, names, folder)
    command, more = COMMANDS[language]
    info = Path("/proc/cpuinfo")
    has_v3 = info.exists() and {"avx2", "bmi2"} <= set(info.read_text().split())
    for flags in ("", more) if has_v3 and more else ("",):
        answer = ran(folder, f"{command} {flags}", "./main")
        assert answer == str(len(names) * 107_648).encode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ways_answer_every_occupancy(language, ran, tmp_path):
    try_ways(language, SMALL, ran, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++", "rust"])
def test_the_large_ways_answer_every_occupancy(language, ran, tmp_path):
    try_ways(language, LARGE, ran, tmp_path)


def test_a_text_that_is_not_the_proved_one_does_not_say_so():
    assert {*COMMANDS} == {*emitted.languages_of_ways(proved=True)}  # every language is tried
    assert "Not proved yet" in print_way("hyperbola", printer("c", "other_"))
    # Any table is written as a way.
    command = "magicert emit bbc.toml --way magic --lang c"
    unit = prepare_table(read_table(find_table("bbc")), command)
    text = print_way("magic", printer("c"), unit, command)
    assert "--order a8 --target x86_64 -- -x c -DMAGICS_API=\n" in text
    assert f"{command}\n" in text
    assert "Not proved yet" in text
    # What the formula uses is stored.
    text = print_way("magic", printer("c"), tables("magic"))
    assert "(occ | magics_rook[square].not_mask)" in text
    assert "~" not in text
    assert kit("lines_in_bytes", printer("c")).constants < 2048


@pytest.mark.parametrize(
    ("language", "has"),
    [
        ("zig", "magic two_level pext pext16 pext_lines hyperbola hyperbola_avx2 reversal "
                "obstruction_difference kogge_stone kindergarten lines_in_bytes best"),
        *((name, "hyperbola lines_in_bytes") for name in ("go", "java", "csharp", "typescript")),
    ],
)  # fmt: skip
def test_a_language_says_which_ways_it_has(language, has):
    assert emitted.ways_of(language) == has.split()
    for way in emitted.ways().keys() - has.split():
        with pytest.raises(InputError, match=f"{language} has no {way}: expected hyperbola or "):
            emitted.refuse_way(way, language)
    for way in has.split():
        emitted.refuse_way(way, language)
    with pytest.raises(InputError, match="cannot write 'python': expected one of c, "):
        emitted.refuse_way("best", "python")


@pytest.mark.parametrize("language", emitted.languages_of_ways(proved=True))
def test_what_was_proved_is_what_is_emitted(language):
    """After a change of a text: tools/kits.py."""
    records = tomllib.loads(emitted.PROVED.read_text("utf-8")).get(language, {})
    assert {*records} == {*emitted.ways()}
    for way, record in records.items():
        made = kit(way, printer(language), tables(way))
        digest = hashlib.sha256(made.body.encode()).hexdigest()
        assert record["sha256"] == made.digest == digest, way
        assert {*emitted.TARGETS[:3]} <= {*record["seconds"]} <= {*emitted.TARGETS}
        assert max(record["seconds"].values()) < 30


@pytest.mark.toolchain
def test_formatters_leave_rust_as_it_is(ran, tmp_path):
    write_program("rust", SMALL, tmp_path)
    files = " ".join(f"{way}.rs" for way in SMALL)
    ran(tmp_path, f"rustfmt --check --edition=2021 {files}")


STD = "namespace std { using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; }\n"


@pytest.mark.parametrize("way", ["hyperbola_avx2", "best"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_target_of_32_bits_gets_what_it_has(way, language, ran, tmp_path):
    """AVX2 alone does not do: GCC gives words of 64 bits out of vectors on x86-64 only."""
    suffix = printer(language).dialect.suffix
    (tmp_path / f"a{suffix}").write_text(print_way(way, printer(language)))
    (tmp_path / "cstdint").write_text("#include <stdint.h>\n" + STD)
    flags = "-m32 -mavx2 -mbmi2 -ffreestanding -D_MM_MALLOC_H_INCLUDED -I. -fsyntax-only"
    ran(tmp_path, f"gcc {flags} -x {language} a{suffix}")


CL = "-D_MSC_VER=1940 -D_M_X64=100"
"""What Microsoft's compiler defines; not __BMI2__, whatever it is told."""


@pytest.mark.gate_takes(each_of="macros way")
@pytest.mark.parametrize("way", [name for name, row in emitted.ways().items() if row.needs])
@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize(
    ("macros", "gets"),
    [
        (f"{CL} -D__AVX2__=1", "error"),
        (f"{CL} -D__AVX2__=1 -D__BMI2__= -D__x86_64__=", "pext"),
        (CL, "hyperbola"),
        (f"{CL} -D__AVX2__=1 -D__clang__=1", "hyperbola"),  # clang-cl says itself what it has
        (f"{CL} -D__clang__=1 -D__x86_64__=1 -D__BMI2__=1", "pext"),
        ("-D__x86_64__=1 -D__AVX2__=1", "hyperbola"),
        ("-D__x86_64__=1 -D__BMI2__=1", "pext"),
    ],
)
def test_microsoft_s_compiler_says_what_it_wants(way, language, macros, gets, tmp_path):
    if not shutil.which("gcc"):
        pytest.skip("no gcc")
    for header in "immintrin.h", "stdint.h", "cstdint":
        (tmp_path / header).touch()
    (tmp_path / "a.c").write_text(printed(way, language))
    words = ["gcc", "-E", "-P", "-undef", "-nostdinc", "-I.", *macros.split(), "a.c"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    if emitted.ways()[way].needs != "bmi2":
        gets = "" if gets == "error" else gets.replace("pext", "")
    assert ("/D__BMI2__" in done.stderr) == (gets == "error")
    assert gets == "error" or ("_pext_u64" in done.stdout) == (gets == "pext")


# Engines.

PAGE = (HERE.parents[1] / "docs" / "engines.md").read_text("utf-8")
C = "-O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-variable"
COMPILED = {
    "start.c": f"gcc -std=c11 {C} -c start.c -o engine.o",
    "constant.cpp": f"g++ -std=c++17 {C} -c constant.cpp -o engine.o",
    "by_piece.cpp": f"g++ -std=c++17 {C} -c by_piece.cpp -o engine.o",
    "sliders.rs": "rustc --edition=2021 -O -Dwarnings -Cpanic=abort --crate-type=staticlib "
    "sliders.rs -o engine.o",
}
PERFT = f"gcc -std=c11 -O2 -Wall -Wextra -Werror -c {SHAPES / 'perft.c'}"
COUNTED = b"8902 97862 43238 9467 62379 "
SECTIONS = re.findall(r"\n    (magicert emit [^\n]*)\n\n```diff\n(.*?)```", PAGE, re.DOTALL)
"""The command and the diff of each engine, in the order of the page."""


def changed(source: str, diff: str) -> str:
    """A source after a change: each part of it stands there once."""
    for part in diff.strip("\n").split("\n\n"):
        lines = part.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


@pytest.fixture(scope="module")
def perft(ran: Ran, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What counts moves, without an engine."""
    folder = tmp_path_factory.mktemp("perft")
    ran(folder, PERFT)
    return folder / "perft.o"


@pytest.mark.parametrize(
    ("name", "command", "diff"),
    [(name, *section) for name, section in zip(COMPILED, SECTIONS, strict=True)],
)
def test_an_engine_counts_the_same_moves(name, command, diff, perft, ran, tmp_path):
    given = dict(pairwise(shlex.split(command)))
    file = tmp_path / Path(given["-o"]).name
    file.write_text(print_way(given["--way"], printer(given["--lang"], None, file.stem)))
    source = (SHAPES / name).read_text("utf-8")
    (tmp_path / name).write_text(changed(source, diff))
    assert ran(tmp_path, COMPILED[name], f"gcc {perft} engine.o -o perft", "./perft") == COUNTED
