"""`magicert pack`: what is on disk whenever it ends, how impossible wishes end, half boards."""

import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from magicert.board import Piece
from magicert.cli.app import cli
from magicert.compact.anneal import load_pools, save_pools
from magicert.compact.layouts import Layout, from_table, lower_bound, publish, to_table, two_level
from magicert.compact.seats import cell_data
from magicert.compact.start import NoPlaceError, fill_pools, place, ready_pools
from magicert.data import find_table
from magicert.problem import InputError
from magicert.table import Provenance, Table, read_table
from magicert.table.write import write_table
from magicert.verify.table.verifier import verify

LOST = 300
"""Seconds after which a signal counts as lost: far more than any machine needs."""


def magicert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_packing_a_published_table_writes_a_valid_table_and_its_certificate(tmp_path: Path):
    output = tmp_path / "out.toml"
    arguments = ("--from", "cfish_black", "--rounds", "0", "--two-level", "8")
    done = magicert("pack", *arguments, "-o", output)
    assert done.exit_code == 0, done.output
    assert "87,988 entries (black)" in done.output
    file = read_table(output)
    assert verify(file).verdict == "valid"
    command = file.table.provenance.command
    assert command.startswith("magicert pack --from cfish_black.toml --seed 1")
    assert (tmp_path / "out.certificate.json").exists()
    two = read_table(tmp_path / "out-two-level.toml")
    assert verify(two).verdict == "valid"
    assert "138,612 bytes" in done.output  # 87,988 numbers and 6,328 sets of eight bytes


def test_a_limit_below_the_number_of_attack_sets_is_impossible(tmp_path: Path):
    done = magicert("pack", "--limit", "6000", "-o", tmp_path / "no.toml")
    assert done.exit_code == 1
    assert done.output.startswith("IMPOSSIBLE at most 6,000 entries")
    assert not list(tmp_path.iterdir())


def test_a_limit_that_is_not_reached_is_unknown(tmp_path: Path):
    output = tmp_path / "long.toml"
    arguments = ("--from", "cfish_black", "--rounds", "0", "--limit", "60000")
    done = magicert("pack", *arguments, "-o", output)
    assert done.exit_code == 3
    assert "UNKNOWN at most 60,000 entries: the shortest found has 87,988" in done.output
    assert verify(read_table(output)).verdict == "valid"


def test_fewer_indexes_than_attack_sets_are_impossible(tmp_path: Path):
    done = magicert("pack", "--piece", "bishop", "--bishop-bits", "6", "-o", tmp_path / "no.toml")
    assert done.exit_code == 1
    assert "IMPOSSIBLE bishop d4: 108 different attack sets, but only 64" in done.output


def test_seven_bits_for_a_bishop_on_d4_are_not_found():
    cells = {(Piece.BISHOP, 27): cell_data("black", Piece.BISHOP, 27, 7)}
    with pytest.raises(NoPlaceError, match=r"bishop d4: no magic of 7 bits found") as error:
        fill_pools(cells, 1, dict.fromkeys(Piece, (1, 2_000)))
    assert not error.value.impossible


def test_a_table_that_cannot_be_packed_is_bad_input(tmp_path: Path):
    done = magicert("pack", "--from", "glaurung32", "-o", tmp_path / "no.toml")
    assert done.exit_code == 2
    assert "expected white, black or constant" in done.output


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_bishops_from_nothing(scheme: str, tmp_path: Path):
    keys = [(Piece.BISHOP, square) for square in range(64)]
    cells = {key: cell_data(scheme, *key, 10) for key in keys}
    pools = ready_pools(cells, 3)
    save_pools(tmp_path / "pools.npz", pools)
    loaded = load_pools(tmp_path / "pools.npz", cells)
    assert {key: [seat.choice for seat in pool] for key, pool in loaded.items()} == {
        key: [seat.choice for seat in pool] for key, pool in pools.items()
    }
    arrangement = place(cells, pools, 3)
    assert arrangement.overlaps() == 0
    seats = sorted(arrangement.seats.values(), key=lambda seat: seat.square)
    layout = Layout(scheme, tuple(seats))
    report = publish(to_table(layout, "bishops", Provenance()), tmp_path / "bishops.toml")
    assert report.buffers[0].length == layout.length == arrangement.length
    assert report.buffers[0].holes == layout.holes


@pytest.mark.usefixtures("hasty")
def test_private_buffers_do_not_overlap_and_pools_are_used_again(tmp_path: Path):
    arguments = ("--private", "--piece", "bishop", "--bishop-bits", "10")
    files = ("--pools", tmp_path / "pools.npz", "-o", tmp_path / "private.toml")
    first = magicert("pack", *arguments, *files)
    assert first.exit_code == 0, first.output
    kept = (tmp_path / "pools.npz").read_bytes()
    squares = verify(read_table(tmp_path / "private.toml")).squares
    ends = [square.offset + square.index_max + 1 for square in squares]
    assert [square.offset for square in squares] == [0, *ends[:-1]]
    again = magicert("pack", *arguments, *files, "--seed", "2")
    assert again.stdout.splitlines()[0] == first.stdout.splitlines()[0]
    assert (tmp_path / "pools.npz").read_bytes() == kept


def test_a_two_level_table_is_not_numbered_again():
    with pytest.raises(InputError, match="already"):
        two_level(two_level(read_table(find_table("cfish_black")).table, 8), 8)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_whoever_ends_a_run_leaves_a_valid_table_that_can_be_resumed(
    child: Any, sent: signal.Signals, tmp_path: Path
):
    output = tmp_path / "ended.toml"
    arguments = ("pack", "--from", "cfish_black", "--budget", "10h", "-o", output)
    with child.start(*arguments, command=child.impatient) as process:
        try:
            # The end of the errors is the end of the process: nothing is waited for that long.
            assert any("squeezing" in line for line in process.stderr)
            process.send_signal(sent)
            said, _ = process.communicate(timeout=LOST)
        finally:
            process.kill()
    assert process.returncode == (3 if sent == signal.SIGINT else -sent)
    assert ("interrupted" in said) == (sent == signal.SIGINT)
    report = verify(read_table(output))
    assert report.verdict == "valid"
    assert report.buffers[0].length <= 87_988
    assert magicert("pack", "--resume", "--rounds", "0", "-o", output).exit_code == 0


# Half boards.


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
    plan = ("--piece", "bishop", "--bishop-bits", "10", "--rounds", "0")
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
    plan = ("--half", "--private", "--apart", "--piece", "bishop", "--bishop-bits", "10")
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
