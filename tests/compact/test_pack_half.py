"""`magicert pack --half`: from nothing, from a half board, on a half board; what is refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from magicert.board import Piece
from magicert.cli.app import cli
from magicert.compact.layouts.bounds import lower_bound
from magicert.compact.layouts.layout import from_table, to_table
from magicert.compact.layouts.two_level import two_level
from magicert.problem import InputError
from magicert.table import Provenance, Table, read_table, write_table
from magicert.verify.table.verifier import verify


def magicert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def given(half_board: Table, tmp_path: Path) -> Path:
    path = tmp_path / "given.toml"
    write_table(half_board, path)
    return path


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_bishops_of_ranks_1_to_4_from_nothing(scheme: str, tmp_path: Path):
    output = tmp_path / "out.toml"
    pools = ("--pools", tmp_path / "pools.npz")
    plan = ("--pieces", "bishop", "--bishop-bits", "10", "--rounds", "0")
    done = magicert("pack", "--half", "--scheme", scheme, *plan, *pools, "-o", output)
    assert done.exit_code == 0, done.output
    assert "no magics below 714" in done.output
    file = read_table(output)
    assert file.table.half_board
    assert len(file.table.pieces[Piece.BISHOP].parameters["magic"]) == 32
    assert f"--scheme {scheme} --bishop-bits 10 --half" in file.table.provenance.command
    report = verify(file)
    assert report.verdict == "valid"
    assert report.lookups == 5_248
    certificate = (tmp_path / "out.certificate.json").read_text()
    assert '"board": "ranks 1-4"' in certificate


@pytest.mark.usefixtures("hasty")
def test_apart_and_private_buffers_of_a_half_board(tmp_path: Path):
    output = tmp_path / "out.toml"
    plan = ("--half", "--private", "--apart", "--pieces", "bishop", "--bishop-bits", "10")
    done = magicert("pack", *plan, "-o", output)
    assert done.exit_code == 0, done.output
    report = verify(read_table(output))
    assert report.verdict == "valid"
    assert len({square.offset for square in report.squares}) == 32


def test_a_half_board_stays_one(given: Path, tmp_path: Path):
    output = tmp_path / "out.toml"
    done = magicert("pack", "--from", given, "--rounds", "0", "-o", output)
    assert done.exit_code == 0, done.output
    assert "no magics below 3,164" in done.output
    table = read_table(output).table
    assert table.half_board
    assert table.pieces == read_table(given).table.pieces
    again = magicert("pack", "--resume", "--rounds", "0", "-o", output)
    assert again.exit_code == 0, again.output
    table = read_table(output).table
    assert table.half_board
    assert "--half" in table.provenance.command


def test_a_layout_and_its_table_are_both_halves(given: Path):
    layout = from_table(read_table(given))
    assert layout.half_board
    assert len(layout.seats) == 64
    table = to_table(layout, "half", Provenance())
    assert table.pieces == read_table(given).table.pieces


def test_half_of_the_attack_sets_are_on_ranks_1_to_4():
    assert 2 * lower_bound(list(Piece), range(32)) == lower_bound(list(Piece)) == 6_328


def test_a_limit_below_the_attack_sets_of_half_a_board(tmp_path: Path):
    done = magicert("pack", "--half", "--limit", "3000", "-o", tmp_path / "no.toml")
    assert done.exit_code == 1
    assert "have 3,164 different attack sets" in done.output


def test_what_is_refused(given: Path, half_board: Table, tmp_path: Path):
    output = ("-o", tmp_path / "no.toml")
    whole = magicert("pack", "--half", "--from", "cfish_black", *output)
    assert whole.exit_code == 2
    assert "the whole board: expected a half board, or no --half" in whole.output
    levels = magicert("pack", "--from", given, "--two-level", "8", *output)
    assert levels.exit_code == 2
    assert "a half board: expected the whole board, or no --two-level" in levels.output
    both = magicert("pack", "--half", "--two-level", "8", *output)
    assert both.exit_code == 2
    assert "expected no --half" in both.output
    assert not (tmp_path / "no.toml").exists()
    with pytest.raises(InputError, match="a half board: expected the whole board"):
        two_level(half_board, 8)
