"""`magicert check ATLAS`: an atlas that says more than its files."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result

from magicert.atlas import Atlas, Entry, Range, write_atlas
from magicert.data import atlas_path, tables_folder
from magicert.jobs.atlas_files import check_atlas
from magicert.jobs.covers.replay import settled_share
from magicert.outcome import Evidence, Unseen
from magicert.problem import InputError
from magicert.verify.cover.file import FIRST_LINE, read_certificate

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
        ('"leaves"', '"hashes"\nby_leaves = 1.0', "by_leaves 1, but the evidence is hashes"),
        ('"leaves"', '"hashes"\nby_leaves = 0.25', "by_leaves 0.25, but the evidence is hashes"),
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


def test_a_share_is_at_most_all(run: Run, folder: Path):
    path = folder / "a.toml"
    path.write_text(path.read_text().replace('"leaves"', '"leaves"\nby_leaves = 1.5'))
    assert "by_leaves 1.5: expected 0 to 1" in run("check", path).stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bits":3', '"bits":4', "bits: 4, and the certificate has 3"),
        ('"shard":0', '"shard":1', "shard 1: the certificate has 1"),
        ('"0x1fffffffffff"', '"0xfffffffffff"', "another root, or other leaves"),
        ('"leaves":10110087', '"leaves":10110086', "another root, or other leaves"),
        ('"magics":[]', '"magics":[["0x1","0x1"]]', "lists other magics"),
        ('"leaves":10110087', '"leaves":"all"', "Expected `int`"),
    ],
)
def test_a_line_of_the_proved_checker_fits_its_certificate(
    tmp_path: Path, old: str, new: str, message: str
):
    tables = atlas_path("white").parent
    for place in ("certificates/bishop-a6-3.cover.xz", "settled/bishop-a6-3.settled"):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_bytes((tables / place).read_bytes())
    certificate = tmp_path / "certificates" / "bishop-a6-3.cover.xz"
    header = read_certificate(certificate).header
    assert settled_share(certificate, header) == 1
    line = tmp_path / "settled" / "bishop-a6-3.settled"
    assert old in line.read_text()
    line.write_text(line.read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        settled_share(certificate, header)


def test_a_cell_is_there_once(run: Run, folder: Path):
    """The later one would count, whatever the first one says."""
    path = folder / "a.toml"
    twice = '\n[[cell]]\npiece = "bishop"\nsquare = "d1"\nbits = 4\nstate = "open"\n'
    path.write_text(path.read_text() + twice)
    for command in (("check", path), ("atlas", "--atlas", path)):
        result = run(*command)
        assert result.exit_code == 2
        assert "bishop d1, 4 bits: is there 2 times" in result.stderr


@pytest.mark.parametrize("scheme", ["white", "black"])
def test_the_shipped_atlases_say_what_their_files_say(scheme: str):
    found = check_atlas(atlas_path(scheme), Unseen)
    assert found.problems == ()
    assert found.magics >= 64


LISTED = "rook-c2-9.cover.xz"
"""A list of all magics of a cell, in some of its shards."""
MAGIC = "0x2002cac99fffa"
"""The first of them. All have indexes up to 511."""
BELOW = "bishop-e8-5-to-28.cover.xz"


def listed(**more: Any) -> Entry:
    """Rook c2, as the atlas has it."""
    known = Range(largest=511, magic=MAGIC, least=511, certificate=LISTED, evidence=Evidence.COUNTS)
    cell: dict[str, Any] = {"state": "exists", "magic": MAGIC, "range": known}
    return Entry(piece="rook", square="c2", bits=9, **cell | more)


def below(least: int, largest: int) -> Entry:
    """Bishop e8, with a certificate that says that no magic has indexes up to 28."""
    magic = "0x10020200" if largest == 31 else "0x4f68bcb9"
    known = Range(
        largest=largest, magic=magic, least=least, certificate=BELOW, evidence=Evidence.COUNTS
    )
    return Entry(piece="bishop", square="e8", bits=5, state="exists", magic=magic, range=known)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (listed(), None),
        (below(29, 29), None),
        (below(28, 29), None),
        (below(30, 31), "is about white bishop e8, 5 bits, indexes up to 28"),
        (below(29, 30), "has indexes up to 29, not 30"),
        (
            listed(state="impossible", magic="", range=None, certificate=LISTED, evidence="counts"),
            "has a magic with indexes up to 511: expected none below 512",
        ),
    ],
)
def test_what_a_range_or_a_list_of_all_magics_says(
    tmp_path: Path, entry: Entry, message: str | None
):
    for name in (LISTED, BELOW):
        shutil.copy(tables_folder() / "certificates" / name, tmp_path)
    write_atlas(tmp_path / "a.toml", Atlas([entry]))
    problems = check_atlas(tmp_path / "a.toml", Unseen).problems
    assert [message in problem for problem in problems] == [True] * bool(message)


@pytest.mark.parametrize(
    ("shard", "message"),
    [
        ({"magic_count": "0x1000"}, "magics and lists 32: expected all of them"),
        ({"magics": [["0x0", "0xffffffffffff"]], "magic_count": "0x1000000000000"}, "at most"),
        ({"magics": [["0x1", "0x1"]], "magic_count": "0x1"}, "0x1 is no magic"),
    ],
)
def test_a_list_is_of_all_magics_and_of_nothing_else(
    tmp_path: Path, shard: dict[str, Any], message: str
):
    header = msgspec.to_builtins(read_certificate(tables_folder() / "certificates" / LISTED).header)
    header["shards"][-1] |= shard
    kept = {key: value for key, value in header.items() if value is not None}
    (tmp_path / LISTED).write_bytes(FIRST_LINE + json.dumps(kept).encode() + b"\n")
    write_atlas(tmp_path / "a.toml", Atlas([listed()]))
    (problem,) = check_atlas(tmp_path / "a.toml", Unseen).problems
    assert message in problem


def test_a_table_is_no_atlas(run: Run):
    assert run("check", tables_folder() / "published" / "bbc.toml").exit_code == 2
