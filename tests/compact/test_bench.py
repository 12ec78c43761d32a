"""`magicert bench`: what is looked up, and how long tables take."""

import shutil

import pytest

from magicert.chess import Piece, attack_set
from magicert.commands import bench as job
from magicert.commands.bench import COMPILERS
from magicert.compact.timing import boards, games
from magicert.compact.timing.speeds import Speed, speeds
from magicert.data import find_table, tables_folder
from magicert.problem import InputError
from magicert.table import read_table

COMPILER = next((name for name in COMPILERS if shutil.which(name)), "")
compiled = pytest.mark.skipif(not COMPILER, reason="no C compiler here")
GAMES = tables_folder() / "games"


def test_what_is_looked_up_around_games():
    boards = list(games.searched(GAMES))
    played = [b for path in GAMES.glob("*.txt") for b in games.positions(path.read_text("utf-8"))]
    assert all(board in boards for board in played)
    assert len(boards) > 10 * len(played)
    for piece in games.PIECES:
        found = games.game_lookups(boards, piece)
        assert len(found) == games.LOOKUPS
        assert all(occupied >> square & 1 for square, occupied in found)
        assert len(set(found)) > 500
    assert len(games.random_lookups(1)) == games.LOOKUPS
    assert games.random_lookups(1) != games.random_lookups(2)
    # A slider moves where it can.
    first, *after = boards[:3]
    occupied = sum(1 << square for square in first)
    targets = {next(s for s in b if b[s] == "r" and first.get(s) != "r") for b in after}
    assert all(attack_set(Piece.ROOK, 0, occupied) >> target & 1 for target in targets)


def test_without_a_compiler_it_says_what_to_install(run, monkeypatch):
    monkeypatch.setattr(job.shutil, "which", lambda _: None)
    result = run("bench", "black", status=2)
    assert "no C compiler: expected one of cc, gcc, clang (" in result.stderr


def test_a_game_is_played_with_captures_castling_and_en_passant_and_ends_as_it_did():
    *_, last = games.positions("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6 g1f3 f8e7 f1e2 g8f6 e1g1")
    assert (last[5], last[6], last[43], len(last)) == ("r", "k", "p", 30)  # after castling
    assert not {4, 7, 35} & last.keys()  # d5, taken en passant
    for game, king, (square, mate) in (
        ("opera_1858", 60, (59, "r")), ("immortal_1851", 59, (52, "b")),
    ):  # fmt: skip
        *_, last = games.positions((GAMES / f"{game}.txt").read_text())
        assert (last[king], last[square]) == ("k", mate)


@compiled
def test_several_tables_are_measured_in_one_run(tmp_path):
    files = [read_table(find_table(name)) for name in ("stockfish21_64", "carp")]  # carp: order a8
    found = speeds(files, GAMES, tmp_path, COMPILER, turns=1)
    assert all(s.medians == s.nanoseconds and s.unsteady == 0 for s in found)
    sizes = [("stockfish21_64", 107_648), ("carp", 87_988)]
    assert [(s.name, s.entries) for s in found] == sizes
    assert all(set(s.nanoseconds) == {"random", "games"} for s in found)
    assert all(0 < ns < 10_000 for s in found for ns in s.nanoseconds.values())


def test_the_median_is_shown_and_a_wide_one_warned_of(run, monkeypatch):
    for median, warned in ((2.05, False), (2.5, True)):
        best = {"random": 2.0, "games": 2.0}
        speed = Speed("a", 9, 72, best, {**best, "games": median})
        monkeypatch.setattr(job, "measure", lambda *_, speed=speed: [speed])
        said = run("bench", "black").stdout
        assert said.splitlines()[1].split()[3:] == ["2.00", "2.00", "2.00", f"{median:.2f}"]
        assert ("a median turn took 25% longer than the best" in said) == warned


@compiled
def test_tables_of_other_boards_are_measured_and_compared(run, tmp_path, monkeypatch):
    """Small boards and large, whole pieces, lines and leaps, holes, bits along the files; not
    beside chess, and not where an answer is wrong.
    """
    lines, small = tmp_path / "lines.toml", tmp_path / "small.toml"
    run("find-set", "--board", "6x7", "--piece", "a=NN", "--piece", "lance", "-o", small, status=0)
    run("find-set", "--board", "9x8", "--piece", "a=R", "--form", "lines", "-o", lines, status=0)
    shipped = find_table("pikafish_bishop")
    walls, large = tmp_path / "walls.toml", tmp_path / "large.toml"
    joined = ("--piece", "amazon", "--piece", "king", "--piece", "nA@a1-e3", "--form", "lines")
    run("find-set", "--board", "5x6-c3,e5-e6", *joined, "-o", walls, status=0)
    run("find-set", "--board", "13x12", "--piece", "horse", "-o", large, status=0)
    files = [read_table(path) for path in (shipped, small, lines, walls, large)]
    files.append(read_table(find_table("haitaka_rook")))
    found = speeds(files, GAMES, tmp_path, COMPILER, turns=1)
    assert [s.name for s in found] == [
        "pikafish_bishop", "small", "lines", "walls", "large", "haitaka_rook",
    ]  # fmt: skip
    assert found[0].entries == 552
    assert all(set(s.nanoseconds) == {"random"} for s in found)
    with pytest.raises(InputError, match="a table of chess beside"):
        speeds([files[0], read_table(find_table("black"))], GAMES, tmp_path, COMPILER, turns=1)
    monkeypatch.setattr(boards, "attacks_of", lambda *_: 1)
    with pytest.raises(InputError, match="wrong: lookup"):
        speeds(files[1:2], GAMES, tmp_path, COMPILER, turns=1)
