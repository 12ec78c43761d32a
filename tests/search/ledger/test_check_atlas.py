"""`magicert check ATLAS`: an atlas that says more than its files."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.data import tables_folder

Run = Callable[..., Result]
CELLS = """
[[cell]]
piece = "bishop"
square = "d1"
bits = 5
state = "exists"
magic = "MAGIC"

[[cell]]
piece = "bishop"
square = "d1"
bits = 4
state = "impossible"
certificate = "certificates/bishop-d1-4.cover.xz"
evidence = "leaves"
proof = "proofs/bishop-d1-4.drup.xz"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An atlas of one square, with its files."""
    for name in ("certificates/bishop-d1-4.cover.xz", "proofs/bishop-d1-4.drup.xz"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(tables_folder() / name, tmp_path / name)
    shipped = (tables_folder() / "atlas.toml").read_text()
    found = re.search(
        r'square = "d1"\nbits = 5\nstate = "exists"\nmagic = "(0x[0-9a-f]+)"', shipped
    )
    assert found
    (tmp_path / "a.toml").write_text(CELLS.replace("MAGIC", found[1]))
    return tmp_path


def test_an_atlas_that_says_what_its_files_say(run: Run, folder: Path):
    result = run("check", folder / "a.toml")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("valid ")
    assert "magics tried: 1; certificates read, but not checked: 1 " in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('magic = "', 'magic = "0x1"\nsource = "', "0x1 is no magic of it"),
        ("bits = 4", "bits = 3", "is about white bishop d1, 4 bits"),
        ("bits = 4", "bits = 3", "proofs/bishop-d1-4.drup.xz is about"),
        ('"leaves"', '"hashes"', "the evidence is leaves, not hashes"),
        ('evidence = "leaves"\n', "", "the evidence is leaves, not named"),
        ("bishop-d1-4.cover", "bishop-e1-4.cover", "cannot be read"),
        ("bishop-d1-4.drup", "bishop-e1-4.drup", "No such file"),
        ('certificate = "certificates/bishop-d1-4.cover.xz"\n', "", "no certificate is named"),
    ],
)
def test_what_an_atlas_says_more_is_found(run: Run, folder: Path, old: str, new: str, message: str):
    path = folder / "a.toml"
    path.write_text(path.read_text().replace(old, new))
    result = run("check", path)
    assert result.exit_code == 1, result.output
    assert result.stdout.startswith("invalid ")
    assert message in result.stderr


def test_a_cell_is_there_once(run: Run, folder: Path):
    """The later one would count, whatever the first one says."""
    path = folder / "a.toml"
    twice = '\n[[cell]]\npiece = "bishop"\nsquare = "d1"\nbits = 4\nstate = "open"\n'
    path.write_text(path.read_text() + twice)
    for command in (("check", path), ("atlas", "--atlas", path)):
        result = run(*command)
        assert result.exit_code == 2
        assert "bishop d1, 4 bits: is there 2 times" in result.stderr


def test_a_table_is_no_atlas(run: Run):
    assert run("check", tables_folder() / "published" / "bbc.toml").exit_code == 2
