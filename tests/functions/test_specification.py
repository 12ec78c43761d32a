"""What the board says, as words, against the walk of `magicert.board` from square to square."""

from functools import reduce
from operator import or_

from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, hexagon, squares_of
from magicert.functions.compare.specification import attack_set, emptiness, set_wise, xray
from magicert.functions.execute import words
from magicert.movement import Atom, Movement, Region, attacks_of

BOARDS = [Board(8, 8), Board(5, 7), Board(9, 10), Board(9, 9, 1 << 40 | 1 << 20), hexagon(7)]
PALACE = Movement((Atom("rider", ((1, 0), (-1, 0), (0, 1), (0, -1))),), (Region((1, 0), (3, 2)),))
PIECES = [
    PALACE,
    *map(parse_piece, ("R", "Q", "fR", "W3", "NN", "N", "K", "nN", "nA", "pR", "gQ", "spR3", "RnN")),
    parse_piece("horse-to"),
]  # fmt: skip


@st.composite
def movers(draw):
    """A board, a piece, a square of the board, and which squares of it are occupied."""
    board, movement = draw(st.sampled_from(BOARDS)), draw(st.sampled_from(PIECES))
    square, occupied = draw(st.integers(0, board.squares - 1)), draw(st.integers(0, board.full))
    return board, movement, square, occupied & draw(st.integers(0, board.full))


def number_of(word, **values):
    return words.number_of(word, values)


@given(mover=movers())
def test_a_piece_attacks_what_it_walks_to(mover):
    board, movement, square, occupied = mover
    o = words.variable("o", board.word)
    found = number_of(attack_set(board, movement, square, emptiness(o)), o=occupied)
    assert found == attacks_of(board, movement, square, occupied)


@settings(max_examples=10)
@given(mover=movers(), among=st.data())
def test_pieces_on_a_set_attack_what_each_of_them_does(mover, among):
    board, movement, _, occupied = mover
    sliders = among.draw(st.integers(0, board.full))
    o, s = words.variable("o", board.word), words.variable("s", board.word)
    found = number_of(set_wise(board, movement, s, emptiness(o)), o=occupied, s=sliders)
    each = (attacks_of(board, movement, square, occupied) for square in squares_of(sliders))
    assert found == reduce(or_, each, 0)


@given(mover=movers(), among=st.data())
def test_an_x_ray_sees_what_stands_behind_attacked_blockers(mover, among):
    board, movement, square, occupied = mover
    blockers = among.draw(st.integers(0, board.full)) & occupied
    o, b = words.variable("o", board.word), words.variable("b", board.word)
    first = attacks_of(board, movement, square, occupied)
    behind = attacks_of(board, movement, square, occupied & ~(blockers & first))
    found = number_of(xray(board, movement, square, o, b), o=occupied, b=blockers)
    assert found == first ^ behind
