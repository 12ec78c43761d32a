"""What is not written of other boards, and what a program that is refuses by itself."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.betza import parse_piece
from magicert.board import Board, attacks_of
from magicert.compact.emit import LANGUAGES, binary, make_unit, printer
from magicert.problem import InputError
from magicert.table import read_table

WIDE = ("c", "c++", "javascript", "python", "rust", "typescript", "zig")
Shipped = Callable[[str], Path]
Run = Callable[..., Result]


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_a_filled_table_checks_itself(shipped: Shipped, tmp_path: Path) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    text = printer("c++", "m", "m").emit(unit, literal=False)
    magic = text.split("{(unsigned __int128)UINT64_C(0x1002), ")[1].split("), 126")[0]
    wrong = text.replace(magic, "((unsigned __int128)1 << 64 | UINT64_C(1)", 1)
    main = "int main() { return m::horse_attacks(0, 0) == 0; }\n"
    for source, sound in ((text, True), (wrong, False)):
        (tmp_path / "m.hpp").write_text(source)
        (tmp_path / "main.cpp").write_text(f'#include "m.hpp"\n{main}')
        subprocess.run(["g++", "-std=c++17", "main.cpp", "-o", "run"], cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is sound
        assert ("m.hpp: " in done.stderr) is not sound


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - set(WIDE)))
def test_other_languages_say_what_is_offered(shipped: Shipped, language: str) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    with pytest.raises(
        InputError, match=f"no words of 128 bits: expected one of {re.escape(', '.join(WIDE))}"
    ):
        printer(language).emit(unit, literal=False)


def test_a_finished_buffer_is_not_too_long(shipped: Shipped, run: Run) -> None:
    result = run("emit", shipped("haitaka_rook"), "--lang", "c++", "--literal")
    assert result.exit_code == 2
    assert "8,323,072 bytes: finished buffers in source have at most 6,291,456" in result.stderr


def test_binary_has_both_halves_of_a_word(shipped: Shipped) -> None:
    unit = make_unit(read_table(shipped("fairy_elephant")), "test")
    data = binary(unit)
    (words,) = (buffer for buffer in unit.buffers.values())
    assert len(data) == 16 * len(words)
    first = attacks_of(Board(12, 10), parse_piece("nA"), 0, 0)
    assert int.from_bytes(data[:16], "little") == first


def test_a_package_and_a_bench_are_for_chess(shipped: Shipped, run: Run, tmp_path: Path) -> None:
    result = run("emit", shipped("fairy_horse"), "--lang", "rust", "--crate", tmp_path / "x")
    assert result.exit_code == 2
    assert "a package serves chess only" in result.stderr
    result = run("bench", shipped("fairy_horse"))
    assert result.exit_code == 2
    assert "bench serves chess only" in result.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_a_compiler_without_such_words_is_told(shipped: Shipped, tmp_path: Path) -> None:
    unit: Any = make_unit(read_table(shipped("fairy_horse")), "test")
    text = printer("c++", "m", "m").emit(unit, literal=False)
    (tmp_path / "m.cpp").write_text(f"#undef __SIZEOF_INT128__\n{text}")
    done = subprocess.run(
        ["g++", "-fsyntax-only", tmp_path / "m.cpp"], capture_output=True, text=True, check=False
    )
    assert "m.hpp needs unsigned __int128: expected GCC or Clang" in done.stderr


WRITTEN = ("c", "c++", "rust")
Run = Callable[..., Result]
Certified = Callable[[str, str], bool]


def read_back(run: Run, path: Path, text: str) -> Result:
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


@pytest.fixture
def certified(run: Run, small: dict[str, Path], asked: Any, tmp_path: Path) -> Certified:
    """Whether a small table is read back and certified with all its lookups; False where its
    source does not say how.
    """

    def one(language: str, name: str) -> bool:
        path = small[name]
        unit = make_unit(read_table(path), "test")
        spell = printer(language, None, name)
        if unit.asked is None:
            return False
        source = tmp_path / f"{name}{spell.dialect.suffix}"
        result = read_back(run, source, spell.emit(unit, literal=False))
        assert result.exit_code == 0, f"{name}: {result.output}"
        lookups = sum(len(piece.queries) for piece in asked(path))
        assert f"{lookups:,} lookups" in result.stdout
        return True

    return one


@pytest.mark.parametrize("language", WRITTEN)
def test_a_source_is_read_back_as_its_comment_says(certified: Certified, language: str) -> None:
    assert certified(language, "lances")


def test_a_piece_without_notation_is_told_in_a_file(certified: Certified) -> None:
    assert certified("c++", "pikafish_bishop")


def test_a_wrong_shift_in_a_source_is_refused(
    run: Run, shipped: Callable[[str], Path], tmp_path: Path
) -> None:
    unit = make_unit(read_table(shipped("fairy_horse")), "test")
    text = printer("c++", None, "horse").emit(unit, literal=False)
    assert read_back(run, tmp_path / "horse.hpp", text.replace(", 125, ", ", 124, ")).exit_code != 0


@pytest.mark.slow
@pytest.mark.parametrize("language", WRITTEN)
def test_every_source_is_read_back(
    certified: Certified, small: dict[str, Path], language: str
) -> None:
    assert sum(certified(language, name) for name in small) == len(small) - 2
