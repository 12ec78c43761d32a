"""What docs/packing.md says of the entries of a record, of slim magics and of white's column 0."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.kernels import WalkEffort
from magicert.compact.pages.columns import (
    FORBIDDEN,
    WIDEST_STEP,
    ColumnTask,
    column_anneal,
    column_walk,
    rook_lines,
    row_start,
)
from magicert.occupancy import carry_rippler

U = np.uint64
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "packing.md").read_text()
NOTEBOOK = (ROOT / "docs" / "notebook.md").read_text()
SLIM = re.findall(
    r"^\| (b\d) \| `(0x[0-9a-f]{16})` \| ([\d,]+) \| \d+ \(([\d,]+)\) \|$", NOTEBOOK, re.M
)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_page_says_where_the_entries_of_the_records_go():
    command = [sys.executable, "-P", str(ROOT / "benchmarks" / "bench_budget.py")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counted = re.findall(r"^  (?!with).*?  +([\d,]+) +[\d.]+%$", printed, re.M)
    section = PAGE.split("## Where the entries go")[1].split("\n## ")[0]
    black, white = counted[:5], counted[5:]
    said = re.findall(r"\d[\d,]*\d", section)
    assert [sum(map(number, column)) for column in (black, white)] == [number(said[0]), 88_745]
    assert said[1:6] == black
    assert said[6:8] == ["88,745", white[3]]


@pytest.mark.parametrize(("name", "magic", "slots", "columns"), SLIM)
def test_the_slim_magics_of_the_b_file_are_valid_and_use_so_many_slots(
    name: str, magic: str, slots: str, columns: str
):
    square = 8 * int(name[1]) - 7
    board = mask(Piece.ROOK, square)
    seen: dict[int, int] = {}
    for occupancy in carry_rippler(board):
        index = ((occupancy | ~board & WORD) * int(magic, 16) & WORD) >> 52
        attacks = attack_set(Piece.ROOK, square, occupancy)
        assert seen.setdefault(index, attacks) == attacks
    assert len(seen) == number(slots) < number(columns)


def test_the_notebook_has_five_slim_magics_and_their_sum():
    assert len(SLIM) == 5
    slots, columns = (sum(number(row[n]) for row in SLIM) for n in (2, 3))
    assert f"{slots:,} slots for five rooks instead of {columns:,}" in " ".join(NOTEBOOK.split())


@pytest.mark.parametrize("square", [48, 51, 46], ids=["a7", "d7", "g6"])
def test_no_magic_turns_a_white_rook(square: int):
    """Index 0 belongs to the empty board: column 0 is among the columns of every white set."""
    random = np.random.default_rng(square)
    lines = rook_lines(square, black=False)
    start = U(row_start(lines, WIDEST_STEP, random))
    task = ColumnTask(lines, WIDEST_STEP, 300)
    magic, _ = column_anneal(task, start, WalkEffort(40_000, 300.0, 6.0), U(1))
    found = np.empty((2, 1_000), dtype=np.uint64)
    met = column_walk(task._replace(conflict=FORBIDDEN), U(magic), 40, 4_000, U(1), found)
    assert met
    assert (found[1, :met] & U(1)).all()
