"""Ways to get attacks: compiled with warnings as errors, and tried for every occupancy of every
mask, and with all other squares occupied. What the head says of proofs is held against the text.
"""

import hashlib
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from magicert.compact.emit import Unit, make_unit, printer
from magicert.compact.emit.ways import (
    PROVED,
    TARGETS,
    kit,
    languages_of_ways,
    print_way,
    unit_of,
    ways,
)
from magicert.data import find_table
from magicert.table import read_table

PROGRAMS = Path(__file__).parent / "programs" / "ways"
FLAGS = "-O1 -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"
V3 = "-mavx2 -mbmi2"
COMMANDS = {
    "c": ("main.c", f"gcc -std=c99 {FLAGS} main.c -o main"),
    "c++": ("main.cpp", f"g++ -std=c++17 {FLAGS} main.cpp -o main"),
    "rust": ("main.rs", "rustc --edition=2021 -Copt-level=1 -Dwarnings main.rs -o main"),
}
OTHER_TARGETS = {"c": V3, "c++": V3, "rust": "-Ctarget-cpu=x86-64-v3"}
LARGE = ("magic", "pext")
"""Megabytes of source: their digests are looked at here, `pytest -m slow` runs them."""
SMALL = [way for way in ways() if way not in LARGE]

STD = "namespace std { using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; }\n"


@cache
def tables(way: str) -> Unit | None:
    return unit_of(way)


def write_program(language: str, names: Sequence[str], folder: Path) -> None:
    """A program that tries some ways, with a name space for each."""
    suffix = printer(language).dialect.suffix
    for way in names:
        scope = {"c": f"{way}_", "c++": way}.get(language)
        text = print_way(way, printer(language, scope, way), tables(way))
        (folder / f"{way}{suffix}").write_text(text)
    main = (PROGRAMS / {"rust": "main.rs", "zig": "main.zig"}.get(language, "main.c")).read_text()
    if language == "zig":
        imports = ", ".join(f'@import("{way}.zig")' for way in names)
        (folder / "main.zig").write_text(main.replace("@IMPORTS", imports))
        return
    include = (
        "#[allow(dead_code)]\nmod {};\n" if language == "rust" else f'#include "{{}}{suffix}"\n'
    )
    before = {"c": "{}_", "c++": "{}::", "rust": "{}::"}[language]
    brackets = ("(", "[", "])") if language == "rust" else ("{", "{", "}}")
    rows = []
    for way in names:
        called = ", ".join(before.format(way) + f"{p}_attacks" for p in ("rook", "bishop", "queen"))
        rows.append(f'{brackets[0]}"{way}", {brackets[1]}{called}{brackets[2]}')
    text = main.replace("@WAYS", ", ".join(rows))
    text = text.replace("@INCLUDES", "".join(include.format(way) for way in names))
    (folder / COMMANDS[language][0]).write_text(text)


def has_v3() -> bool:
    """Whether this processor runs what is compiled for x86-64-v3."""
    info = Path("/proc/cpuinfo")
    return info.exists() and {"avx2", "bmi2"} <= set(info.read_text().split())


def try_ways(language: str, names: Sequence[str], more: str, folder: Path) -> None:
    command = COMMANDS[language][1].split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    write_program(language, names, folder)
    for flags in [[], *([more.split()] if more and has_v3() else [])]:
        done = subprocess.run(
            [*command, *flags], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        done = subprocess.run([folder / "main"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, str(len(names) * 107_648)), done.stderr


@pytest.mark.parametrize("language", COMMANDS)
def test_the_ways_answer_every_occupancy(language: str, tmp_path: Path) -> None:
    try_ways(language, SMALL, OTHER_TARGETS[language], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("language", COMMANDS)
def test_the_large_ways_answer_every_occupancy(language: str, tmp_path: Path) -> None:
    try_ways(language, LARGE, OTHER_TARGETS[language], tmp_path)


@pytest.mark.toolchain
@pytest.mark.parametrize("target", ["", "-mcpu=x86_64_v3"])
def test_the_ways_of_zig(target: str, tmp_path: Path) -> None:
    if shutil.which("zig") is None and find_spec("ziglang") is None:
        pytest.skip("no zig here")
    zig = ["zig"] if shutil.which("zig") else ["python-zig"]
    if target and not has_v3():
        pytest.skip("not this processor")
    write_program("zig", SMALL, tmp_path)
    command = [*zig, "build-exe", "-lc", "-fllvm", "-OReleaseSafe", *target.split(), "main.zig"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, str(len(SMALL) * 107_648)), done.stderr


def test_every_language_with_ways_is_tried() -> None:
    assert {*COMMANDS, "zig"} == {*languages_of_ways()}


def test_a_text_that_is_not_the_proved_one_does_not_say_so() -> None:
    row = printer("c", "other_")
    assert "Nobody has proved" in print_way("hyperbola", row)


def test_any_table_is_written_as_a_way() -> None:
    command = "magicert emit bbc.toml --way magic --lang c"
    unit = make_unit(read_table(find_table("bbc")), command)
    text = print_way("magic", printer("c"), unit, command)
    assert "--order a8 --target x86_64 -- -x c -DMAGICS_API=\n" in text
    assert f"{command}\n" in text
    assert "Nobody has proved" in text


def test_what_the_formula_uses_is_stored() -> None:
    text = print_way("magic", printer("c"), tables("magic"))
    assert "(occ | magics_rook[square].not_mask)" in text
    assert "~" not in text


@pytest.mark.parametrize("language", languages_of_ways())
def test_what_was_proved_is_what_is_emitted(language: str) -> None:
    """After a change of a text: tools/kits.py."""
    records = tomllib.loads(PROVED.read_text("utf-8")).get(language, {})
    assert {*records} == {*ways()}
    for way, record in records.items():
        made = kit(way, printer(language), tables(way))
        assert record["sha256"] == made.digest == hashlib.sha256(made.body.encode()).hexdigest(), (
            way
        )
        assert {*record["seconds"]} == {*TARGETS}
        assert max(record["seconds"].values()) < 30


def test_formatters_leave_rust_as_it_is(tmp_path: Path) -> None:
    if shutil.which("rustfmt") is None:
        pytest.skip("no rustfmt here")
    files: list[Path] = []
    for way in SMALL:
        files.append(tmp_path / f"{way}.rs")
        files[-1].write_text(print_way(way, printer("rust"), tables(way)))
    command = ["rustfmt", "--check", "--edition=2021", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[:2000]


@pytest.mark.parametrize("way", ["hyperbola_avx2", "best"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_target_of_32_bits_gets_what_it_has(way: str, language: str, tmp_path: Path) -> None:
    """AVX2 alone does not do: GCC gives words of 64 bits out of vectors on x86-64 only."""
    suffix = printer(language).dialect.suffix
    (tmp_path / f"a{suffix}").write_text(print_way(way, printer(language)))
    (tmp_path / "cstdint").write_text("#include <stdint.h>\n" + STD)
    flags = "-m32 -mavx2 -mbmi2 -ffreestanding -D_MM_MALLOC_H_INCLUDED -I. -fsyntax-only"
    command = ["gcc", *flags.split(), "-x", language, f"a{suffix}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_lines_in_bytes_are_small() -> None:
    assert kit("lines_in_bytes", printer("c")).constants < 2048
