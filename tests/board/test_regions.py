"""Regions behind a piece's name: what they mean, how they are written, and what is none."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert import find, find_set
from magicert.betza import parse_piece, piece_words
from magicert.board import Board
from magicert.movement import Movement, Region, attacks_of, usual_mask
from magicert.problem import InputError
from magicert.table import table_of

PIECES = ("R", "B", "K", "N", "NN", "pR", "gQ", "nN", "nA", "nZ", "fR", "W3nA", "horse-to")


def squares(board: Board, region: Region) -> int:
    (left, low), (right, high) = region.low, region.high
    return sum(1 << s for s in range(board.squares)
               if left <= s % board.files <= right and low <= s // board.files <= high)  # fmt: skip


@st.composite
def confined(draw: st.DrawFn) -> tuple[Board, Movement]:
    """A piece of a board with one to three regions that have no square in common."""
    board = Board(draw(st.integers(1, 9)), draw(st.integers(1, 9)))
    corner = st.tuples(st.integers(0, board.files - 1), st.integers(0, board.ranks - 1))
    regions: list[Region] = []
    for pair in draw(st.lists(st.tuples(corner, corner), min_size=1, max_size=3)):
        files, ranks = map(sorted, zip(*pair, strict=True))
        region = Region((files[0], ranks[0]), (files[1], ranks[1]))
        if not any(squares(board, region) & squares(board, other) for other in regions):
            regions.append(region)
    return board, replace(parse_piece(draw(st.sampled_from(PIECES))), regions=tuple(regions))


@given(confined(), st.data())
def test_a_piece_has_the_attacks_that_it_has_without_regions_inside_its_own(question, data):
    """As engines write it: attacks & region[square]. Masks are cut as well."""
    board, movement = question
    square = data.draw(st.integers(0, board.squares - 1))
    occupied = data.draw(st.integers(0, board.full))
    own = sum(squares(board, r) for r in movement.regions if squares(board, r) >> square & 1)
    free = replace(movement, regions=())
    found = attacks_of(board, movement, square, occupied)
    assert found == attacks_of(board, free, square, occupied) & own
    mask = usual_mask(board, movement, square)
    assert mask & ~own == 0
    assert attacks_of(board, movement, square, occupied & mask) == found


@given(confined())
def test_what_is_written_is_read_back(question):
    board, movement = question
    assert parse_piece(piece_words(movement), board) == movement


@given(confined())
def test_regions_that_overlap_are_refused(question):
    board, movement = question
    first = movement.regions[0]
    inside = Region(first.low, first.low)
    words = piece_words(replace(movement, regions=(*movement.regions, inside)))
    if inside in movement.regions:
        assert parse_piece(words, board) == movement  # the same one twice
    else:
        with pytest.raises(ValueError, match="overlap on"):
            parse_piece(words, board)


@pytest.mark.cases_of("no_region.tsv")
def test_no_region(run, tmp_path, piece, message):
    """The same line wherever a piece is named."""
    path = tmp_path / "magic.h"
    path.write_text(f"unsigned __int128 M[90] = {{{'1, ' * 90}}};\n")
    board = ("--board", "9x10")
    for words in (
        ("show", piece, "c5", *board), ("find", piece, "c5", *board),
        ("find-set", "--piece", piece, "--sizes", *board),
        ("verify", path, "--piece", f"M={piece}", *board),
    ):  # fmt: skip
        assert message in run(*words, status=2).output
    for ask in (lambda: find(piece, "c5", board="9x10"), lambda: find_set(piece, board="9x10")):
        with pytest.raises(InputError) as caught:
            ask()
        assert message in str(caught.value)
    with pytest.raises(InputError) as caught:
        table_of({"magicert": 1, "name": "t", "board": "9x10", "a": {
            "piece": piece, "index": "occ & 1"}})  # fmt: skip
    assert [str(caught.value)] == [f"a.piece: {message}"]


def test_regions_everywhere_a_piece_is_named(run, tmp_path):
    """From the words of a command to a table, to source and to a verdict about it."""
    piece, path, code = "elephant@a1-i5,a6-i10", tmp_path / "e.toml", tmp_path / "e.h"
    shown = run("show", piece, "c5", "--board", "9x10", "--json", status=0).stdout
    assert '"attacked": [\n  "a3",\n  "e3"\n ]' in shown
    assert "EXISTS elephant@a1-i5,a6-i10 c5 on 9x10" in run(
        "find", piece, "c5", "--board", "9x10", status=0
    ).stdout  # fmt: skip
    run("find-set", "--board", "9x10", "--piece", piece, "-o", path, status=0)
    assert 'piece = { betza = "elephant", region = ["a1-i5", "a6-i10"] }' in path.read_text()
    text = path.read_text()
    path.write_text(
        text.replace('{ betza = "elephant", region = ["a1-i5", "a6-i10"] }', f'"{piece}"')
    )
    assert "416 lookups" in run("verify", path, status=0).stdout
    run("emit", path, "--lang", "c", "-o", code, status=0)
    wanted = ("--board", "9x10", "--piece", f"magics_elephant={piece}")
    assert " ".join(wanted) in run("verify", code, status=2).output
    assert "416 lookups" in run("verify", code, *wanted, status=0).stdout


def test_chess_s_rook_in_a_region_needs_another_name(run):
    """A section or a piece called rook is chess's."""
    run("find-set", "--piece", "half=rook@a1-h4,a5-h8", "--sizes", status=0)
    refused = run("find-set", "--piece", "rook@a1-h4,a5-h8", "--sizes", status=2).stderr
    assert "it is not called as chess's rook" in refused


def test_a_square_with_an_empty_mask_has_one_slot(run, tmp_path):
    """Outside of all regions nothing is read: whatever is shifted by all of its bits is 0."""
    path, code = tmp_path / "e.toml", tmp_path / "e.h"
    words = ("find-set", "--board", "9x10", "--piece", "elephant@a1-i5", "-o", path)
    found = run(*words, status=0).stdout
    slots, lookups = (re.search(rf"([\d,]+) {what}", found)[1] for what in ("slots", "lookups"))
    assert slots == lookups
    text = re.sub(r"bits = \[[^\]]*\]\n|buffer_size = \d+\n", "", path.read_text())
    path.write_text(text.replace("128 - bits", "128 - popcount(mask)"))
    assert f"{lookups} lookups" in run("verify", path, status=0).stdout
    run("emit", path, "--lang", "c", "-o", code, status=0)
    amounts = {int(amount) for amount in re.findall(r", (\d+), \d+\},\n", code.read_text())}
    assert max(amounts) == 127
    broken = re.sub(r'"0x[0-9a-f]+"', '"0x1"', path.read_text())
    path.write_text(broken)
    run("verify", path, status=1)
