"""The atlas: what is shipped is true, and settling adds to it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.atlas import MARKS, Atlas, Entry, atlas_toml, label, read_atlas, write_atlas
from magicert.board import Piece, mask, parse_square
from magicert.cli.app import cli
from magicert.data import tables_folder
from magicert.jobs.settle_atlas import BudgetEnded, Settling, settle_atlas
from magicert.outcome import Evidence, Unseen
from magicert.problem import InputError
from magicert.search.planning import OutOfTime
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import read_certificate

SHIPPED = tables_folder() / "atlas.toml"


def entry(square: str, bits: int, state: str, **more: object) -> Entry:
    return Entry(piece="bishop", square=square, bits=bits, state=state, **more)


def test_every_square_is_there():
    atlas = read_atlas(SHIPPED)
    for piece in Piece:
        for square in range(64):
            c = mask(piece, square).bit_count()
            best = atlas.best(piece, square)
            assert best is not None
            assert best.bits <= c
            states = {
                e.state for e in atlas if (e.piece, parse_square(e.square)) == (piece, square)
            }
            assert states & {"open", "impossible"}


def test_certificates_of_the_atlas():
    """Those with leaves are checked, leaf by leaf."""
    names = {e.certificate for e in read_atlas(SHIPPED) if e.certificate}
    read = [read_certificate(SHIPPED.parent / name) for name in sorted(names)]
    checked = [check(certificate).verdict for certificate in read if certificate.header.streams]
    assert len(checked) >= 8
    assert set(checked) == {"valid"}


def test_the_atlas_says_what_its_impossible_cells_rest_on():
    """The kinds that `magicert check` finds in the files: no more is said of any cell."""
    atlas = read_atlas(SHIPPED)
    kinds = atlas.evidence()
    assert None not in kinds
    drawn = run("atlas").output
    assert f"{atlas.also_proved()} also have a solver's checked proof" in drawn
    shipped = {f"proofs/{path.name}" for path in (SHIPPED.parent / "proofs").glob("*.drup.xz")}
    assert {entry.proof for entry in atlas if entry.proof} == shipped
    for kind, count in kinds.items():
        assert f"{count} {kind}" in drawn
        assert f"{MARKS[kind]} {kind}" in drawn


def test_bishop_c1_and_d1_are_settled():
    atlas = read_atlas(SHIPPED)
    assert label(atlas, Piece.BISHOP, parse_square("d1")) == " 5="
    assert label(atlas, Piece.BISHOP, parse_square("c1")) == " 5h"
    assert label(atlas, Piece.BISHOP, parse_square("d5")) == " 9?"


def test_a_proof_has_a_letter_where_it_is_all_there_is():
    proved = {"proof": "proofs/x.drup.xz"}
    beside = entry("d8", 4, "impossible", evidence=Evidence.COUNTS, **proved)
    alone = entry("e8", 4, "impossible", evidence=Evidence.PROOF, **proved)
    atlas = Atlas([beside, alone])
    for square in ("d8", "e8"):
        atlas.put(entry(square, 5, "exists", magic="0x1"))
    assert [label(atlas, Piece.BISHOP, parse_square(square)) for square in ("d8", "e8")] == [
        " 5c",
        " 5p",
    ]
    assert atlas.also_proved() == 1


def test_an_atlas_reads_back(tmp_path: Path):
    atlas = Atlas(
        [
            entry("d8", 5, "exists", magic="0x208800"),
            entry("d8", 4, "impossible", certificate="c", evidence=Evidence.LEAVES, tests=5),
            entry("e8", 4, "open", estimate=2.5, source="somebody"),
        ]
    )
    write_atlas(tmp_path / "a.toml", atlas)
    again = read_atlas(tmp_path / "a.toml")
    assert list(again) == list(atlas)
    assert atlas_toml(again) == atlas_toml(atlas)


def test_open_cells_are_those_without_an_answer():
    atlas = Atlas(
        [
            entry("a1", 5, "open", estimate=3),
            entry("a2", 4, "open"),
            entry("a3", 4, "open", estimate=1),
            entry("b1", 4, "open"),
            entry("b1", 3, "exists", magic="0x1"),
            entry("b2", 3, "open"),
            entry("b2", 4, "impossible"),
        ]
    )
    assert [e.square for e in atlas.open()] == ["a3", "a1", "a2"]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([entry("a1", 7, "open")], "expected 1 to 6"),
        ([entry("a1", 6, "exists")], "no magic is given"),
        (
            [entry("a1", 4, "exists", magic="0x1"), entry("a1", 5, "impossible")],
            "5 bits are impossible",
        ),
    ],
)  # fmt: skip
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


def run(*arguments: object):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


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
    assert len(cells) == len(read_atlas(SHIPPED).entries)
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
