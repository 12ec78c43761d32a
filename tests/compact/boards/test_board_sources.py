"""Emitted sources of other boards, read back as their own comments say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.compact.emit import make_unit, printer
from magicert.table import read_table

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
