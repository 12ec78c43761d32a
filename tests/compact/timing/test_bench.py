"""The benchmark's occupancies, and that it measures programs which answer alike."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.board import Piece
from magicert.compact.timing.bench import COMPILERS, Speed, bench, random_lookups
from magicert.compact.timing.games import positions, slider_lookups
from magicert.data import find_table, tables_folder
from magicert.jobs import measure
from magicert.table import read_table

GAMES = tables_folder() / "games"


def test_a_game_is_played_with_captures_castling_and_en_passant():
    moves = "e2e4 a7a6 e4e5 d7d5 e5d6 e7d6 g1f3 f8e7 f1e2 g8f6 e1g1"
    *_, last = positions(moves)
    assert last[5] == "r"  # f1, after castling
    assert last[6] == "k"
    assert 4 not in last
    assert 7 not in last
    assert 35 not in last  # d5, taken en passant
    assert last[43] == "p"
    assert len(last) == 30


@pytest.mark.parametrize("game", ["opera_1858", "immortal_1851"])
def test_the_games_end_as_they_did(game: str):
    *_, last = positions((GAMES / f"{game}.txt").read_text())
    mated_king = {"opera_1858": 60, "immortal_1851": 59}[game]
    mating_square = {"opera_1858": (59, "r"), "immortal_1851": (52, "b")}[game]
    assert last[mated_king] == "k"
    assert last[mating_square[0]] == mating_square[1]


def test_sliders_are_looked_up_where_they_stand():
    lookups = slider_lookups(GAMES)
    assert {piece for piece, _, _ in lookups} == set(Piece)
    assert all(occupied >> square & 1 for _, square, occupied in lookups)
    assert random_lookups(2) == random_lookups(2) != random_lookups(3)


def test_several_tables_are_measured_in_one_run(tmp_path: Path):
    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        pytest.skip("no C compiler here")
    names = ["stockfish21_64", "cfish_black", "black_85065"]
    files = [read_table(find_table(name)) for name in names]
    speeds = bench(files, GAMES, tmp_path, compiler, turns=1)
    assert all(s.medians == s.nanoseconds and s.unsteady == 0 for s in speeds)
    assert [(s.name, s.entries) for s in speeds] == [
        ("stockfish21_64", 107_648), ("cfish_black", 87_988), ("black_85065", 85_065),
    ]  # fmt: skip
    assert all(set(s.nanoseconds) == {"random", "games"} for s in speeds)
    assert all(0 < ns < 10_000 for s in speeds for ns in s.nanoseconds.values())


@pytest.mark.parametrize(("median", "warned"), [(2.05, False), (2.5, True)])
def test_the_median_is_shown_and_a_wide_one_warned_of(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, median: float, warned: bool
):
    speed = Speed("a", 9, 72, {"random": 2.0, "games": 2.0}, {"random": 2.0, "games": median})
    monkeypatch.setattr(measure, "measure", lambda *_: [speed])
    result = run("bench", "black")
    assert result.stdout.splitlines()[1].split()[3:] == ["2.00", "2.00", "2.00", f"{median:.2f}"]
    assert ("a median turn took 25% longer than the best" in result.stdout) == warned
