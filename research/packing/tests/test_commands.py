"""`python -m research.packing`: what is on disk whenever it ends, and what cannot be."""

import json
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from magicert.chess import Piece
from magicert.compact import layouts
from magicert.compact.job import PackSettings, save
from magicert.compact.publish import NotValidError
from magicert.data import find_table
from magicert.outcome import NullPhase
from magicert.problem import InputError
from magicert.table import Provenance, read_table
from magicert.verify.table.verifier import verify
from research.packing import layered_job, overlaid_job
from research.packing.__main__ import main
from research.packing.layered.dense import Blocks, finish
from research.packing.overlay import parties as overlaying

NAME = "two_level_79593"


@pytest.fixture
def run():
    """Run a command of research.packing in this process."""

    def command(*words, status=None):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert status is None or result.exit_code == status, result.output
        return result

    return command


@pytest.mark.parametrize(
    "case", tomllib.loads(Path(__file__).with_name("refusals.toml").read_text())["cases"]
)
def test_what_cannot_be_is_refused(run, case, tmp_path):
    status, words, says = case
    result = run(*words.replace("no.toml", str(tmp_path / "no.toml")).split())
    assert (result.exit_code, says in result.output) == (status, True), result.output
    assert not list(tmp_path.iterdir())


def test_a_layered_table_is_packed_from_itself_and_resumed(run, tmp_path):
    output = tmp_path / "mine.toml"
    asked = ("layered", "--from", "layered_48036", "--rounds", "0", "--limit", "40000")
    done = run(*asked, "-o", output)
    assert (done.exit_code, "UNKNOWN at most 40,000 entries" in done.output) == (3, True)
    command = read_table(output).table.provenance.command
    assert command.startswith("python -m research.packing layered --from layered_48036")
    again = run("layered", "--resume", "--rounds", "0", "-o", output, status=0)
    assert "48,036 entries (layered, black); 45,232 used; 0 rounds" in again.output
    table = read_table(output).table
    assert str(table.pieces[Piece.ROOK].result) == "word & line"
    assert (tmp_path / "mine.certificate.json").exists()


def test_an_overlaid_table_is_packed_from_itself_and_wrong_numbers_are_never_written(run, tmp_path):
    output = tmp_path / "out.toml"
    asked = f"--from {NAME} --rounds 0"
    done = run("overlaid", *asked.split(), "--json", "-o", output, status=0)
    document = json.loads(done.stdout)
    assert (document["bytes"], document["entries"], document["words"]) == (79_593, 74_745, 606)
    command = read_table(output).table.provenance.command
    assert f"overlaid --from {NAME}" in command
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    layout = layouts.from_table(read_table(find_table("black")))
    parties = overlaying.parties_of(layout.placements)
    places = tuple(
        overlaying.PartyPlace(np.array([n % 7]), np.arange(party.size))
        for n, party in enumerate(parties)
    )
    table = layouts.to_table(layout, "out", Provenance())
    with pytest.raises((NotValidError, ValueError)):
        overlaying.write_overlaid(table, parties, overlaying.Overlay(512, places), output)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    again = run("overlaid", *asked.split(), "--resume", "--limit", "79592", "-o", output, status=3)
    assert "UNKNOWN at most 79,592 bytes: the best found has 79,593" in again.output
    assert len(list(tmp_path.glob("*.bin"))) == 2  # those before were removed


def test_a_forged_second_level_is_refused(run, tmp_path):
    for file in find_table(NAME).parent.glob(f"{NAME}.*"):
        shutil.copy(file, tmp_path / file.name)
    words = tmp_path / f"{NAME}.words.bin"
    data = bytearray(words.read_bytes())
    data[3000] ^= 0x10
    words.write_bytes(data)
    asked = ("--from", tmp_path / f"{NAME}.toml", "--rounds", "0")
    done = run("overlaid", *asked, "-o", tmp_path / "out.toml", status=2)
    assert "the table is invalid: expected a valid one" in done.output
    assert not (tmp_path / "out.toml").exists()


def test_words_that_are_interrupted_before_the_first_table_are_not_on_disk(tmp_path, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(overlaid_job, "first_overlay", interrupted)
    settings = PackSettings(output=tmp_path / "no.toml", source=read_table(find_table("black")))
    outcome = overlaid_job.OverlaidJob(settings, NullPhase).outcome()
    assert (outcome.on_disk, list(tmp_path.iterdir())) == (False, [])


def test_a_shift_for_each_square(tmp_path):
    settings = PackSettings(output=tmp_path / "mine.toml", fixed_shift=False)
    cells, behind = layered_job.cells(settings)
    corner, rook = (Piece.BISHOP, 0), (Piece.ROOK, 27)
    bits = cells[corner].bits, cells[rook].bits, behind[rook].bits
    assert bits == (6, 12, 10)
    layout = layered_job.layered_layout(read_table(find_table("layered")))
    others = [placement for placement in layout.placements if placement.key != corner]
    placed = {placement.key: placement.cell for placement in others} | {corner: cells[corner]}
    shared = finish(placed, others, Blocks({}), np.random.default_rng(1))
    mixed = replace(layout, placements=layouts.rooks_first(shared.placements.values()))
    save(mixed, settings, "", "", layered_job.RESULT)
    file = read_table(settings.output)
    assert file.table.pieces[Piece.BISHOP].parameters["bits"][:2] == (6, 9)
    assert verify(file).verdict == "valid"


def test_another_result_is_refused(tmp_path):
    text = find_table("layered_48036").read_text().replace("word & line", "word ^ line")
    (tmp_path / "odd.toml").write_text(text)
    with pytest.raises(InputError, match="expected 'word & line', or a plain table"):
        layered_job.layered_layout(read_table(tmp_path / "odd.toml"))


@pytest.mark.slow
def test_from_nothing_a_table_is_on_disk_after_the_first_words(run, tmp_path, monkeypatch):
    layout = layouts.from_table(read_table(find_table("black")))
    monkeypatch.setattr(overlaid_job, "first_level", lambda _plan, _crew: (layout, 3))
    run("overlaid", "--rounds", "1", "-o", tmp_path / "out.toml", status=0)
    table = read_table(tmp_path / "out.toml").table
    assert "overlaid --scheme black --refills 3 --seed 1" in table.provenance.command
