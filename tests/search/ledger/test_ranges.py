"""The shortest tables, and the black scheme: what the atlases say is in their files."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from magicert.atlas import Atlas, Entry, Range, range_label, read_atlas, write_atlas
from magicert.board import Piece, mask, parse_square
from magicert.cell import square_cell
from magicert.cli.app import cli
from magicert.data import atlas_path, tables_folder
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.scheme import SCHEMES

WHITE, BLACK = (read_atlas(atlas_path(scheme)) for scheme in ("white", "black"))
RANGES = [(entry, entry.range) for entry in WHITE if entry.range]
E4 = parse_square("e4")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_every_square_has_one_at_its_fewest_bits():
    for piece in Piece:
        for square in range(64):
            best = WHITE.best(piece, square)
            assert best is not None
            assert best.range is not None


def test_the_published_ranges_are_ours():
    """Re-verified, and each proved here or named as a claim."""
    published = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "build_atlas.py"))
    enter: Callable[..., None] = published["enter_range"]
    known: dict[str, Any] = published["json"].loads(
        (tables_folder() / "known-results.json").read_text("utf-8")
    )
    count = 0
    for entry in WHITE:
        place = known[entry.piece][entry.square]
        if "c_range" in place and entry.bits == place["c"]:
            count += 1
            assert entry.range is not None
            assert entry.range.largest == place["c_range"]
            assert entry.range.is_smallest or entry.range.claim
            wrong = {entry.piece: {entry.square: {**place, "c_range": place["c_range"] - 1}}}
            with pytest.raises(SystemExit, match="is not"):
                enter(WHITE, entry, known | wrong)
    assert count == 16


def test_fewer_bits_or_slots_give_a_bound():
    """Where 4 bits are impossible no magic of 5 has all its indexes below 16."""
    atlas = Atlas([Entry(piece="bishop", square="d8", bits=4, state="impossible")])
    square = parse_square("d8")
    sets = square_cell(SCHEMES["white"], Piece.BISHOP, square, 5).distinct
    assert atlas.least_range(Piece.BISHOP, square, 5) == 16
    assert atlas.least_range(Piece.BISHOP, square, 6) == sets - 1
    assert atlas.least_range(Piece.BISHOP, E4, 9) == 107


@pytest.mark.parametrize(
    ("more", "label"),
    [
        ({"largest": 30, "least": 30}, "  30-"),
        ({"largest": 30, "least": 30, "certificate": "c", "evidence": Evidence.HASHES}, "  30h"),
        ({"largest": 30, "least": 20, "certificate": "c", "evidence": Evidence.HASHES}, "  30?"),
        ({"largest": 30, "least": 0, "claim": "smallest in a page"}, "  30~"),
    ],
)
def test_a_range_is_drawn_with_what_it_rests_on(more: dict[str, Any], label: str):
    entry = Entry(piece="bishop", square="d8", bits=5, state="exists", magic="0x208800")
    entry.range = Range(magic="0x208800", **more)
    assert range_label(Atlas([entry]), Piece.BISHOP, parse_square("d8")) == label


@pytest.mark.parametrize(
    ("state", "more", "message"),
    [
        ("exists", {"largest": 32, "least": 0}, "expected least <= largest <= 31"),
        ("exists", {"largest": 20, "least": 21}, "range 21 to 20"),
        ("open", {"largest": 20, "least": 2}, "open, but a range is given"),
        ("exists", {"largest": 20, "least": 2, "certificate": "c"}, "or neither"),
    ],
)
def test_ranges_that_cannot_be_are_refused(
    tmp_path: Path, state: str, more: dict[str, int], message: str
):
    entry = Entry(piece="bishop", square="d8", bits=5, state=state, magic="0x1")  # type: ignore[arg-type]
    entry.range = Range(magic="0x1", **more)  # type: ignore[arg-type]
    write_atlas(tmp_path / "a.toml", Atlas([entry]))
    with pytest.raises(InputError, match=message):
        read_atlas(tmp_path / "a.toml")


def test_a_range_is_narrowed_and_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """d8, from a magic that uses every slot of 32; and e8, where 29 is the smallest."""
    path = tmp_path / "atlas.toml"
    magics = {"d8": "0x208800", "e8": "0x10020200"}
    entries = [
        Entry(piece="bishop", square=name, bits=5, state="exists", magic=magic)
        for name, magic in magics.items()
    ]
    write_atlas(path, Atlas(entries))
    tool = Path(__file__).parents[3] / "tools" / "narrow_ranges.py"
    monkeypatch.setattr("sys.argv", [str(tool), str(path), "--trial", "0"])
    runpy.run_path(str(tool), run_name="__main__")
    found = {entry.square: entry.range for entry in read_atlas(path)}
    for name, largest, status in (("d8", 31, 0), ("e8", 29, 3)):
        known = found[name]
        assert known is not None
        assert known.largest == known.least == largest
        checked = run("check", tmp_path / known.certificate, "--sample", "1")
        assert (checked.exit_code, "expected" in checked.output) == (status, False)
    assert {known.evidence for known in found.values() if known} >= {Evidence.LEAVES}


def test_black_has_a_magic_wherever_white_has_one_of_fewer_bits():
    """Of bishops, so far: docs/atlas.md says why."""
    for square in range(64):
        white, black = (atlas.best(Piece.BISHOP, square) for atlas in (WHITE, BLACK))
        assert white is not None
        assert black is not None
        assert black.bits <= white.bits <= mask(Piece.BISHOP, square).bit_count()


def test_the_command_draws_ranges_and_schemes():
    ranges = run("atlas", "--ranges")
    assert (ranges.exit_code, "30=" in ranges.stdout) == (0, True)
    assert "largest index of the shortest table known" in ranges.stdout
    black = run("atlas", "--scheme", "black")
    assert (black.exit_code, "rook" in black.stdout) == (0, False)
    assert run("atlas", "--scheme", "black", "--json").stdout.count('"exists"') >= 88
    wrong = run("atlas", "--scheme", "black", "--atlas", atlas_path("white"))
    assert (wrong.exit_code, "the scheme is white: expected black" in wrong.stderr) == (2, True)


def test_show_says_the_shortest_table():
    shown = run("show", "bishop", "e2").stdout
    assert "indexes 0 to 30 (5 bits, " in shown
    assert "proved smallest (leaves)" in shown


def test_settling_a_black_cell(tmp_path: Path):
    """The shipped one again, a shard of it: the ledger and the checker know the scheme."""
    entry = Entry(piece="bishop", square="e1", bits=1, state="open", estimate=1)
    write_atlas(tmp_path / "in.toml", Atlas([entry], "black"))
    files = ["--atlas", tmp_path / "in.toml", "--output", tmp_path / "out.toml"]
    result = run("atlas", "--settle", *files, "--ledger", tmp_path / "l.db", "--scheme", "black")
    assert (result.exit_code, result.stdout.startswith("black bishop e1, 1 bits")) == (0, True)
    settled = read_atlas(tmp_path / "out.toml")
    assert settled.scheme == "black"
    (again,) = settled
    assert again.certificate == "certificates/black-bishop-e1-1.cover.xz"
    assert run("check", tmp_path / again.certificate).exit_code in {0, 3}
