"""The atlas: what is shipped is true, and settling adds to it."""

import itertools
import json
import runpy
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from magicert.atlas import (
    MARKS,
    Atlas,
    Entry,
    Range,
    atlas_toml,
    label,
    range_label,
    read_atlas,
    write_atlas,
)
from magicert.board import Piece, mask, parse_square, square_name
from magicert.cell import square_cell
from magicert.cli.app import cli
from magicert.data import atlas_path, tables_folder
from magicert.jobs.atlas_files import Submitted, submit
from magicert.jobs.settle_atlas import BudgetEnded, Settling, settle_atlas
from magicert.outcome import Evidence, Unseen
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.planning import OutOfTime
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import read_certificate

SHIPPED = tables_folder() / "atlas.toml"
WHITE, BLACK = (read_atlas(atlas_path(scheme)) for scheme in ("white", "black"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def entry(square: str, bits: int, state: str, **more: object) -> Entry:
    return Entry(piece="bishop", square=square, bits=bits, state=state, **more)


def test_every_square_is_there():
    """With its shortest table; and black has a magic wherever white has one (docs/atlas.md)."""
    for piece, square in itertools.product(Piece, range(64)):
        best, black = (atlas.best(piece, square) for atlas in (WHITE, BLACK))
        assert best is not None
        assert best.range is not None
        assert best.bits <= mask(piece, square).bit_count()
        name = square_name(square)
        states = {e.state for e in WHITE if (e.piece, e.square) == (piece, name)}
        assert states & {"open", "impossible"}
        if piece is Piece.BISHOP:  # of rooks there is nothing yet
            assert black is not None
            assert black.bits <= best.bits


def test_certificates_of_the_atlas():
    """Those with leaves are checked, leaf by leaf."""
    names = {e.certificate for e in WHITE if e.certificate}
    read = [read_certificate(SHIPPED.parent / name) for name in sorted(names)]
    checked = [check(certificate).verdict for certificate in read if certificate.header.streams]
    assert len(checked) >= 8
    assert set(checked) == {"valid"}


def test_the_atlas_says_what_its_impossible_cells_rest_on():
    """The kinds that `magicert check` finds in the files: no more is said of any cell."""
    kinds = WHITE.evidence()
    assert None not in kinds
    drawn = run("atlas").output
    assert f"{WHITE.also_proved()} also have a solver's checked proof" in drawn
    shipped = {f"proofs/{path.name}" for path in (SHIPPED.parent / "proofs").glob("*.drup.xz")}
    assert {entry.proof for entry in WHITE if entry.proof} == shipped
    for kind, count in kinds.items():
        assert f"{count} {kind}" in drawn
        assert f"{MARKS[kind]} {kind}" in drawn


def test_bishop_c1_and_d1_are_settled():
    for square, said in (("d1", " 5="), ("c1", " 5h"), ("d5", " 9?")):
        assert label(WHITE, Piece.BISHOP, parse_square(square)) == said


def test_a_proof_has_a_letter_where_it_is_all_there_is():
    proved = {"proof": "proofs/x.drup.xz"}
    beside = entry("d8", 4, "impossible", evidence=Evidence.COUNTS, **proved)
    alone = entry("e8", 4, "impossible", evidence=Evidence.PROOF, **proved)
    atlas = Atlas([beside, alone])
    for square in ("d8", "e8"):
        atlas.put(entry(square, 5, "exists", magic="0x1"))
    for square, said in (("d8", " 5c"), ("e8", " 5p")):
        assert label(atlas, Piece.BISHOP, parse_square(square)) == said
    assert atlas.also_proved() == 1


def test_an_atlas_reads_back(tmp_path: Path):
    atlas = Atlas([
        entry("d8", 5, "exists", magic="0x208800"),
        entry("d8", 4, "impossible", certificate="c", evidence=Evidence.LEAVES, tests=5),
        entry("e8", 4, "open", estimate=2.5, source="somebody"),
    ])  # fmt: skip
    write_atlas(tmp_path / "a.toml", atlas)
    again = read_atlas(tmp_path / "a.toml")
    assert list(again) == list(atlas)
    assert atlas_toml(again) == atlas_toml(atlas)


def test_open_cells_are_those_without_an_answer():
    atlas = Atlas([
        entry("a1", 5, "open", estimate=3), entry("a2", 4, "open"),
        entry("a3", 4, "open", estimate=1), entry("b1", 4, "open"),
        entry("b1", 3, "exists", magic="0x1"), entry("b2", 3, "open"),
        entry("b2", 4, "impossible"),
    ])  # fmt: skip
    assert [e.square for e in atlas.open()] == ["a3", "a1", "a2"]


def ranged(state: str, **known: Any) -> Entry:
    return entry("d8", 5, state, magic="0x1", range=Range(magic="0x1", **known))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([entry("a1", 7, "open")], "expected 1 to 6"),
        ([entry("a1", 6, "exists")], "no magic is given"),
        ([entry("a1", 4, "exists", magic="0x1"), entry("a1", 5, "impossible")], "5 bits are imp"),
        ([ranged("exists", largest=32, least=0)], "expected least <= largest <= 31"),
        ([ranged("exists", largest=20, least=21)], "range 21 to 20"),
        ([ranged("open", largest=20, least=2)], "open, but a range is given"),
        ([ranged("exists", largest=20, least=2, certificate="c")], "or neither"),
    ],
)
def test_contradictions_are_refused(tmp_path: Path, entries: list[Entry], message: str):
    write_atlas(tmp_path / "a.toml", Atlas(entries))
    with pytest.raises(InputError, match=message):
        read_atlas(tmp_path / "a.toml")


@pytest.mark.parametrize("text", ["[[cell]]", "cell = 3", "[[cell]]\npiece = 'king'", "\0", "x = "])
def test_what_is_no_atlas_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"a\.toml"):
        read_atlas(path)


def test_it_is_drawn():
    result = run("atlas", "--cell")
    assert result.exit_code == 0
    assert "a  b  c" in result.output.replace("   ", "  ")
    assert "rook h1, 11 bits" in result.output


def test_settling_writes_certificates_and_resumes(tmp_path: Path):
    start, output, ledger = (tmp_path / name for name in ("start.toml", "out.toml", "l.db"))
    write_atlas(
        start,
        Atlas([entry("d8", 4, "open", estimate=2), entry("b8", 4, "open", estimate=1),
               entry("g5", 4, "open", estimate=9)]),
    )  # fmt: skip
    options = ["--settle", "--atlas", start, "--ledger", ledger, "--output", output]
    assert run("atlas", *options, "--only", "bishop:d8").exit_code == 0
    settled = {(e.square, e.state) for e in read_atlas(output)}
    assert settled == {("d8", "impossible"), ("b8", "open"), ("g5", "open")}
    assert read_atlas(output).evidence() == {Evidence.LEAVES: 1}
    assert run("check", tmp_path / "certificates" / "bishop-d8-4.cover.xz").exit_code == 0
    result = run("atlas", *options, "--budget", "0.001s")
    assert (result.exit_code, "budget" in result.output) == (3, True)
    assert "the ledger keeps what is done" in result.stderr


def test_settling_says_what_was_damaged_in_the_ledger(tmp_path: Path):
    start, output, ledger = (tmp_path / name for name in ("start.toml", "out.toml", "l.db"))
    write_atlas(start, Atlas([entry("d8", 4, "open", estimate=2)]))
    settle = ["atlas", "--settle", "--atlas", start, "--ledger", ledger, "--output", output]
    assert run(*settle).exit_code == 0
    with closing(sqlite3.connect(ledger)) as db:
        db.execute("delete from shard where number > 0")
        db.commit()
    again = run(*settle)
    assert (again.exit_code, "shard 1 again: it is missing" in again.output) == (0, True)


@pytest.mark.parametrize("cells", ["nonsense", "queen:d1", "bishop:", "bishop:j9", ":d6"])
def test_settling_no_cell_is_bad_input(tmp_path: Path, cells: str):
    output = tmp_path / "out.toml"
    result = run("atlas", "--settle", "--only", cells, "--output", output)
    assert result.exit_code == 2
    assert "expected rook, bishop, or a square such as bishop:d6" in result.stderr
    assert not output.exists()


def test_settling_what_is_settled_says_so(tmp_path: Path):
    files = ["--ledger", tmp_path / "l.db", "--output", tmp_path / "out.toml"]
    result = run("atlas", "--settle", "--only", "bishop:d1", *files)
    assert (result.exit_code, result.output) == (0, "no open cell among those asked for\n")


def test_the_atlas_as_json():
    cells = json.loads(run("atlas", "--json").stdout)["cells"]
    assert len(cells) == len(WHITE.entries)
    assert sum(cell.get("evidence") == "leaves" for cell in cells) >= 8


def test_the_budget_holds_for_compiling_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """No clock: the compiler that is asked for says that its time is over."""
    asked: list[float | None] = []

    def late(_: object, deadline: float | None) -> None:
        asked.append(deadline)
        raise OutOfTime

    monkeypatch.setattr("magicert.jobs.settle_atlas.compile_search", late)
    path = tmp_path / "open.toml"
    write_atlas(path, Atlas([entry("d1", 4, "open")]))
    settling = Settling(path, tmp_path / "atlas.toml", tmp_path / "a.db", seconds=1.0)
    (ended,) = settle_atlas(settling, Unseen)
    assert isinstance(ended, BudgetEnded)
    assert asked[0] is not None


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
    assert atlas.least_range(Piece.BISHOP, parse_square("e4"), 9) == 107


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


def test_a_range_is_narrowed_and_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """d8, from a magic that uses every slot of 32; and e8, where 29 is the smallest."""
    path = tmp_path / "atlas.toml"
    magics = {"d8": "0x208800", "e8": "0x10020200"}
    write_atlas(path, Atlas([entry(at, 5, "exists", magic=m) for at, m in magics.items()]))
    tool = Path(__file__).parents[3] / "tools" / "narrow_ranges.py"
    monkeypatch.setattr("sys.argv", [str(tool), str(path), "--trial", "0"])
    runpy.run_path(str(tool), run_name="__main__")
    found = {one.square: one.range for one in read_atlas(path)}
    for name, largest, status in (("d8", 31, 0), ("e8", 29, 3)):
        known = found[name]
        assert known is not None
        assert known.largest == known.least == largest
        checked = run("check", tmp_path / known.certificate, "--sample", "1")
        assert (checked.exit_code, "expected" in checked.output) == (status, False)
    assert {known.evidence for known in found.values() if known} >= {Evidence.LEAVES}


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
    files = ["--output", tmp_path / "new.toml", "--submit", tmp_path / "found.toml"]
    result = run("atlas", "--atlas", tmp_path / "atlas.toml", *files)
    assert (result.exit_code, result.stdout.split()[0]) == (0, "valid")
    assert "Michal Witanowski, 2026-06-01 (a repository)" in result.stdout
    again = run("atlas", "--atlas", tmp_path / "new.toml", *files)
    assert again.exit_code == 1
    assert "known since Michal Witanowski" in again.stdout
