"""A magic that somebody found enters the atlas: tried first, credited, and only if it is news."""

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.atlas import Atlas, Entry, read_atlas, write_atlas
from magicert.board import Piece, parse_square
from magicert.cli.app import cli
from magicert.jobs.atlas_files import Submitted, submit
from magicert.problem import InputError

TODAY = date(2026, 11, 23)
GIVEN = {
    "cell": "rook g1, 10 bits",
    "magic": "0x1c00169a9b2fffd8",
    "finder": "Michal Witanowski",
    "date": "2026-06-01",
    "source": "a repository",
}
G1 = parse_square("g1")
CELL = (Piece.ROOK, G1, -10)


def ask(folder: Path, *entries: Entry, **changed: str) -> tuple[Submitted, Atlas]:
    write_atlas(folder / "atlas.toml", Atlas(entries))
    text = "".join(f'{key} = "{value}"\n' for key, value in (GIVEN | changed).items())
    (folder / "found.toml").write_text(text)
    found = submit(folder / "found.toml", folder / "atlas.toml", folder / "new.toml", TODAY)
    new = folder / "new.toml"
    return found, read_atlas(new) if new.exists() else Atlas()


def g1(state: str, bits: int = 10, **more: object) -> Entry:
    return Entry(piece="rook", square="g1", bits=bits, state=state, **more)


def test_an_open_cell_is_settled_with_its_credit(tmp_path: Path) -> None:
    found, atlas = ask(tmp_path, g1("open", estimate=3.5e5, tried=["much"]))
    entry = atlas.entries[CELL]
    assert (found.valid, found.reason, found.entry) == (True, "", entry)
    assert entry.credit == "Michal Witanowski, 2026-06-01 (a repository)"
    assert (entry.state, entry.magic, entry.tried) == ("exists", GIVEN["magic"], [])
    assert entry.range is not None
    assert entry.range.largest == 1023
    assert [e.bits for e in atlas.open()] == [9]


def test_what_is_no_magic_is_not_entered(tmp_path: Path) -> None:
    found, atlas = ask(tmp_path, g1("open"), magic="0x1c00169a9b2fffd9")
    assert (found.valid, len(atlas.entries)) == (False, 0)


@pytest.mark.parametrize(
    ("before", "entered"),
    [("2026-06-02", True), ("2026-06-01", False), ("2026-05-31", False), ("2027", True),
     ("2026", False), ("by 2030-01-01", False), ("", True)],
)  # fmt: skip
def test_only_an_older_magic_replaces_one(tmp_path: Path, before: str, entered: bool) -> None:
    known = g1("exists", magic="0x9c00016564d7fff0", finder="somebody", published=before)
    found, atlas = ask(tmp_path, known)
    assert found.valid
    assert bool(found.reason) != entered
    assert (CELL in atlas.entries) == entered


def test_a_magic_that_a_certificate_says_does_not_exist_is_said_so(tmp_path: Path) -> None:
    for bits in (10, 11):
        with pytest.raises(InputError, match=r"a valid magic, but rook g1, .*none exists"):
            ask(tmp_path, g1("impossible", bits, certificate="certificates/x.cover.xz"))


@pytest.mark.parametrize(
    ("key", "value"),
    [("cell", "queen g1, 10 bits"), ("cell", "rook g1, 12 bits"), ("magic", "12"),
     ("magic", "0x11c00169a9b2fffd8"), ("finder", " "), ("source", ""), ("date", "2026-11-24"),
     ("date", "20260601"), ("date", "June"), ("scheme", "green"), ("colour", "red")],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, key: str, value: str) -> None:
    with pytest.raises(InputError) as refused:
        ask(tmp_path, g1("open"), **{key: value})
    assert "found.toml" in str(refused.value)
    assert key in str(refused.value)


def test_the_command(tmp_path: Path) -> None:
    ask(tmp_path, g1("open"))
    (tmp_path / "new.toml").unlink()
    common = [
        "atlas",
        "--atlas",
        str(tmp_path / "atlas.toml"),
        "--output",
        str(tmp_path / "new.toml"),
    ]
    arguments = [*common, "--submit", str(tmp_path / "found.toml")]
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, result.stdout.split()[0]) == (0, "valid")
    assert "Michal Witanowski, 2026-06-01 (a repository)" in result.stdout
    again = CliRunner().invoke(
        cli, ["atlas", "--atlas", str(tmp_path / "new.toml"), *arguments[3:]]
    )
    assert again.exit_code == 1
    assert "known since Michal Witanowski" in again.stdout
