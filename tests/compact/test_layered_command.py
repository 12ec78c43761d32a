"""Packing in layers from nothing and from a table: the job and the command."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from magicert.board import Piece
from magicert.cli.app import cli
from magicert.compact.layered.dense import Blocks, finish
from magicert.compact.layouts import rooks_first
from magicert.data import find_table
from magicert.outcome import Quiet
from magicert.problem import InputError
from magicert.requests.pack import Pack
from magicert.requests.packing.layered import (
    RESULT,
    PackedInLayers,
    cells_of,
    dense_cells,
    layered_layout,
    pack_layered,
)
from magicert.requests.packing.shared import save
from magicert.table import read_table
from magicert.verify.table.verifier import verify


@contextmanager
def silent_watch(_doing: str, _unit: str) -> Iterator[Quiet]:
    yield Quiet()


def test_what_is_packed_is_verified_and_says_how(tmp_path: Path):
    source, output = find_table("layered_48036"), tmp_path / "mine.toml"
    asked = Pack(output, 600.0, layered=True, source=source, rounds=0)
    outcome = pack_layered(asked, silent_watch)
    assert isinstance(outcome, PackedInLayers)
    assert (outcome.layout.length, outcome.used) == (48_036, 45_232)
    file = read_table(output)
    assert verify(file).verdict == "valid"
    assert str(file.table.pieces[Piece.ROOK].result) == "word & line"
    assert file.table.provenance.command.startswith("magicert pack --layered --from layered_48036")
    assert (tmp_path / "mine.certificate.json").exists()


def test_a_shift_for_each_square(tmp_path: Path):
    asked = Pack(tmp_path / "mine.toml", 600.0, layered=True, fixed_shift=False)
    cells = cells_of(asked)
    corner, rook = (Piece.BISHOP, 0), (Piece.ROOK, 27)
    bits = cells[corner].bits, cells[rook].bits, dense_cells(asked)[rook].bits
    assert bits == (6, 12, 10)
    assert "--scheme black --square-shifts" in asked.again(0, 1)
    layout = layered_layout(read_table(find_table("layered")))
    others = [seat for seat in layout.seats if seat.key != corner]
    placed = {seat.key: seat.cell for seat in others} | {corner: cells[corner]}
    floor = finish(placed, others, Blocks({}), np.random.default_rng(1))
    mixed = replace(layout, seats=rooks_first(floor.seats.values()))
    save(mixed, asked, "", [], RESULT)
    file = read_table(asked.path)
    assert file.table.pieces[Piece.BISHOP].parameters["bits"][:2] == (6, 9)
    assert verify(file).verdict == "valid"


def test_a_budget_that_is_too_short_is_unknown(tmp_path: Path):
    outcome = pack_layered(Pack(tmp_path / "mine.toml", 1e-9, layered=True), silent_watch)
    assert outcome.exit_status == 3
    assert "no layout" in str(outcome)


def test_another_result_is_refused(tmp_path: Path):
    text = find_table("layered_48036").read_text().replace("word & line", "word ^ line")
    (tmp_path / "odd.toml").write_text(text)
    with pytest.raises(InputError, match="expected 'word & line', or a plain table"):
        layered_layout(read_table(tmp_path / "odd.toml"))


def magicert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_the_command_says_what_came_of_it(tmp_path: Path):
    output = tmp_path / "mine.toml"
    arguments = ("pack", "--layered", "--from", "layered_48036", "--rounds", "0", "-o", output)
    done = magicert(*arguments)
    assert done.exit_code == 0, done.output
    assert "48,036 entries (layered, black); 45,232 used; 0 rounds" in done.output
    again = magicert(*arguments[:-2], "--resume", "--json", "-o", output)
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["entries"] == 48_036


def test_impossible_and_unknown_wishes(tmp_path: Path):
    output = tmp_path / "no.toml"
    done = magicert("pack", "--layered", "--limit", "100", "-o", output)
    assert (done.exit_code, done.output.split()[0]) == (1, "IMPOSSIBLE")
    assert not output.exists()
    arguments = ("--from", "layered_48036", "--rounds", "0", "--limit", "40000")
    done = magicert("pack", "--layered", *arguments, "-o", output)
    assert done.exit_code == 3
    assert "UNKNOWN at most 40,000 entries" in done.output
    assert verify(read_table(output)).verdict == "valid"


@pytest.mark.parametrize("option", [("--half",), ("--rook-bits", "11")])
def test_options_that_layers_do_not_have(tmp_path: Path, option: tuple[str, ...]):
    done = magicert("pack", "--layered", *option, "-o", tmp_path / "no.toml")
    assert done.exit_code == 2
    assert "expected none with --layered" in done.output
