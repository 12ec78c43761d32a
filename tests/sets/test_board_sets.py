"""`magicert find --board`: what is written verifies, what is wrong is named."""

import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.betza import parse_piece
from magicert.board import attacks_of, parse_board
from magicert.data import small_board_tables
from magicert.outcome import Unknown
from magicert.requests import set_search
from magicert.table import read_table
from magicert.table.write import MARK

Run = Callable[..., Result]
SET = ("find", "--set", "--board")


@pytest.mark.parametrize(
    ("board", "pieces", "options"),
    [
        ("5x5", ["rook", "bishop"], []),
        ("8x8", ["rook"], []),
        ("6x6", ["NN", "cannon=pR"], ["--masks", "usual"]),
        ("9x10", ["cannon", "horse"], ["--form", "lines", "--two-level"]),
        ("12x10", ["sR", "grasshopper_v=vgR"], ["--fixed-shift"]),
        ("1x12", ["R"], []),
        ("3x3", ["lance", "nA"], ["--workers", "2"]),
    ],
)
def test_a_set_is_written_and_verifies(
    run: Run, tmp_path: Path, board: str, pieces: list[str], options: list[str]
) -> None:
    output = tmp_path / "table.toml"
    named = [word for piece in pieces for word in ("--piece", piece)]
    result = run(*SET, board, *named, *options, "-o", output)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("EXISTS set of ")
    assert run("verify", output).stdout.startswith("valid")
    again = tmp_path / "again.toml"
    command = read_table(output).table.provenance.command.split()
    assert run(*command[1:], "-o", again).exit_code == 0
    assert again.read_text() == output.read_text()


def test_the_magics_hold_by_the_slow_walk(run: Run) -> None:
    result = run(*SET, "9x10", "--piece", "cannon=vpR", "--json")
    found = json.loads(result.stdout)
    assert found["outcome"] == "exists"
    board, piece = parse_board("9x10"), parse_piece("vpR")
    for name, magic in found["magics"]["cannon"].items():
        square, bits, number = board.parse(name), magic["bits"], int(magic["magic"], 16)
        column = [s for s in range(90) if s % 9 == square % 9 and s != square]
        seen: dict[int, int] = {}
        for subset in range(1 << len(column)):
            occupied = sum(1 << s for place, s in enumerate(column) if subset >> place & 1)
            relevant = occupied & ~(1 << column[0] if column[0] < square else 0)
            relevant &= ~(1 << column[-1] if column[-1] > square else 0)
            index = (relevant * number & (1 << 128) - 1) >> (128 - bits)
            attacks = attacks_of(board, piece, square, occupied)
            assert seen.setdefault(index, attacks) == attacks


def test_one_square_of_a_large_board(run: Run) -> None:
    found = run("find", "pR", "e5", "--board", "9x10", "--json")
    assert found.exit_code == 0
    document = json.loads(found.stdout)
    assert (document["piece"], document["board"], document["square"]) == ("pR", "9x10", "e5")
    assert document["bits"] == 13
    none = run("find", "pR", "e5", "--board", "9x10", "--bits", "8")
    assert none.exit_code == 1
    assert "3773 different attack sets do not fit in 256 slots" in none.stdout
    assert run("disprove", "pR", "e5", "--board", "9x10", "--bits", "8").exit_code == 0
    open_ = run("find", "pR", "e5", "--board", "9x10", "--bits", "12", "-O", "candidates=10")
    assert open_.exit_code == 3
    assert open_.stdout.startswith("UNKNOWN")


def test_one_square_of_a_small_board_goes_to_the_engines(run: Run) -> None:
    found = run("find", "R", "c3", "--board", "5x5", "--json")
    document = json.loads(found.stdout)
    assert (document["outcome"], document["bits"]) == ("exists", 4)
    assert (document["piece"], document["board"], document["square"]) == ("R", "5x5", "c3")


def test_too_few_bits_for_a_set_are_impossible(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "table.toml"
    result = run(*SET, "9x9", "--piece", "rook", "--bits", "5", "-o", output)
    assert result.exit_code == 1
    assert result.stdout.startswith("IMPOSSIBLE set of white on 9x9")
    assert "different attack sets do not fit in 32 slots" in result.stderr
    assert not output.exists()


def test_what_was_found_is_kept_and_resumed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "table.toml"
    command = (*SET, "9x10", "--piece", "rook=sR", "-o", output)
    whole = set_search.find_all

    def interrupted(questions: Any, plan: Any, observer: Any, found: Any) -> dict[Any, Unknown]:
        some = dict(list(questions.items())[:40])
        whole(some, plan, observer, found)
        return {square: Unknown("interrupted") for square in questions if square not in some}

    monkeypatch.setattr(set_search, "find_all", interrupted)
    first = run(*command)
    assert first.exit_code == 3
    assert "the same command resumes" in first.stderr
    partial = tmp_path / "table.toml.partial"
    assert partial.exists()
    monkeypatch.setattr(set_search, "find_all", whole)
    other = run(*SET, "5x5", "--piece", "rook=sR", "-o", output)
    assert other.exit_code == 2
    assert "remove it, or choose another output" in other.stderr
    kept = partial.read_text()
    partial.write_text(re.sub('magic = "0x[0-9a-f]*"', 'magic = "0x0"', kept, count=1))
    refused = run(*command)
    assert refused.exit_code == 2
    assert "is no magic of" in refused.stderr
    partial.write_text(kept)
    assert run(*command).exit_code == 0
    assert not partial.exists()
    direct = tmp_path / "direct.toml"
    assert run(*SET, "9x10", "--piece", "rook=sR", "-o", direct).exit_code == 0
    assert direct.read_text() == output.read_text()


OFTEN = """
import sys
from magicert.cli.app import cli
from magicert.cli import progress
progress.LINE_EVERY = 0.05
cli(sys.argv[1:])
"""


def test_ctrl_c_keeps_what_is_found(child: Any, tmp_path: Path) -> None:
    """Rooks of 12 bits would take chance many minutes; the horses before them are kept."""
    output = tmp_path / "table.toml"
    asked = (*SET, "9x10", "--piece", "horse", "--piece", "rook", "--bits", "12", "-o", str(output))
    process = subprocess.Popen(
        [*child.python, "-c", OFTEN, *asked],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    assert "set of horse, rook on 9x10" in process.stderr.readline()
    for line in process.stderr:
        done = re.search(r"(\d+) of 180", line)
        if done and int(done[1]) >= 90:
            break
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate()
    assert process.returncode == 3
    assert printed.startswith("UNKNOWN set of white on 9x10")
    assert "the same command resumes" in errors
    assert "Traceback" not in errors
    kept = (tmp_path / "table.toml.partial").read_text()
    assert kept.count("bits = 12") >= 90
    assert not output.exists()


def test_sizes_are_those_of_the_engines(run: Run) -> None:
    result = run(*SET, "9x10", "--piece", "rook", "--piece", "cannon", "--sizes", "--json")
    forms = {form["options"]: form["bytes"] for form in json.loads(result.stdout)["forms"]}
    assert forms["--masks usual"] == 2 * 1_081_344 * 16  # Pikafish
    assert forms["--form lines"] == 667_648
    assert forms["--two-level"] == 2 * 1_081_344 * 2 + (13_800 + 152_106) * 16
    shown = run(*SET, "9x10", "--piece", "rook", "--piece", "cannon", "--sizes").stdout
    assert "198,368       41,728        2  --form lines --two-level" in shown


@pytest.mark.parametrize(
    "name",
    [
        "xiangqi-small",
        pytest.param("12x10-small", marks=pytest.mark.slow),
        pytest.param("12x10-lines", marks=pytest.mark.slow),
    ],
)
def test_the_tables_that_ship_are_what_their_commands_give(
    run: Run, tmp_path: Path, name: str
) -> None:
    path = small_board_tables()[name]
    output = tmp_path / "table.toml"
    command = read_table(path).table.provenance.command.split()
    assert run(*command[1:], "-o", output).exit_code == 0
    assert output.read_text().removeprefix(MARK) == path.read_text()


def test_a_square_without_a_magic_gets_one_bit_more(run: Run, tmp_path: Path) -> None:
    """The window search proves that a grasshopper on a1 of 4x5 has none of 7 bits."""
    none = run("find", "gQ", "a1", "--board", "4x5", "--engine", "window")
    assert none.exit_code == 1
    output = tmp_path / "table.toml"
    found = run(*SET, "4x5", "--piece", "a=gQ", "-o", output)
    assert found.exit_code == 0, found.output
    table = read_table(output).table
    assert table.pieces["a"].parameters["bits"][0] == 8
    assert run("verify", output).exit_code == 0
