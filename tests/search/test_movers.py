"""Cells of a piece on a small board: words and values by the walk, asked of engines as keys."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, Piece, attacks_of
from magicert.cell import Cell, Keys, Mover, Slider, first_conflict, subject_of
from magicert.engine import EngineRequest, load, option_values
from magicert.occupancy import numbered
from magicert.outcome import Exists, Quiet
from magicert.scheme import SCHEMES

WHITE = SCHEMES["white"]
TRIAL = load("trial")


@settings(max_examples=40, deadline=None)
@given(
    st.builds(Board, st.integers(1, 16), st.integers(1, 8)),
    st.sampled_from(["R", "pR", "NN", "nN", "gQ", "B", "DD", "fR", "Q2"]),
    st.sampled_from(["least", "usual"]),
    st.data(),
)
def test_words_and_values_are_those_of_the_walk(
    board: Board, name: str, masks: Any, data: st.DataObject
) -> None:
    piece = parse_piece(name)
    square = data.draw(st.integers(0, board.squares - 1))
    mover = Mover(board, piece, square, masks)
    if mover.mask.bit_count() > 9:
        return
    words = (
        [word for word in range(board.full + 1) if not word & ~mover.mask]
        if board.squares <= 12
        else sorted(mover.words)
    )
    assert sorted(mover.words) == words
    assert len(mover.words) == 1 << mover.mask.bit_count()
    sets = [attacks_of(board, piece, square, word) for word in mover.words]
    assert mover.values == numbered(sets)
    assert list(mover.values_again()) == sets


def test_on_the_chess_board_it_is_the_slider() -> None:
    for name, piece in (("R", Piece.ROOK), ("B", Piece.BISHOP)):
        mover, slider = Mover(Board(8, 8), parse_piece(name), 27), Slider(piece, 27)
        assert (mover.words, mover.values, mover.mask) == (slider.words, slider.values, slider.mask)


def test_a_ledger_and_a_certificate_see_keys() -> None:
    mover = Mover(Board(5, 5), parse_piece("R"), 12)
    again = subject_of(*mover.parts)
    assert isinstance(again, Keys)
    assert (again.words, again.values) == (mover.words, mover.values)
    assert mover.described == again.described
    assert mover.named == {"piece": "R", "board": "5x5", "square": "c3"}


@pytest.mark.parametrize(("board", "name", "square"), [("7x7", "pR", 24), ("6x10", "NN", 30)])
def test_trial_finds_and_the_slow_check_agrees(board: str, name: str, square: int) -> None:
    files, ranks = map(int, board.split("x"))
    mover = Mover(Board(files, ranks), parse_piece(name), square)
    cell = Cell(WHITE, mover, mover.usual_bits)
    outcome = TRIAL.solve(EngineRequest(cell, options=option_values(TRIAL, {})), Quiet())
    assert isinstance(outcome, Exists)
    assert first_conflict(cell, outcome.magic) is None
