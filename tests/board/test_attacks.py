"""Attack sets of any piece, where they are known; masks and bundles.

tests/verify/test_attacks.py holds them against the verifier's own walk, on random boards.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert import board as boards
from magicert.betza import parse_piece
from magicert.board import CHESS, Atom, Board, Movement, Region, attacks_of

XIANGQI = Board(9, 10)
_STEPS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any),
    min_size=1, max_size=6, unique=True,
).map(tuple)  # fmt: skip
_ATOMS = st.one_of(
    st.builds(Atom, st.sampled_from(["rider", "hopper"]), _STEPS, st.integers(0, 3)),
    st.builds(Atom, st.just("lame leaper"), _STEPS, st.just(0), st.booleans()),
)
_REGIONS = st.tuples(*[st.integers(0, 5)] * 4).map(
    lambda c: Region((c[0], c[1]), (c[0] + c[2], c[1] + c[3]))
)
MOVES = st.builds(
    Movement,
    st.lists(_ATOMS, min_size=1, max_size=2).map(tuple),
    st.lists(_REGIONS, max_size=2).map(tuple),
)
Question = tuple[Board, Movement, int, int]


QUESTIONS = st.builds(Board, st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda board: st.tuples(
        st.just(board), MOVES, st.integers(0, board.squares - 1), st.integers(0, board.full)
    )
)
"""A board, a movement, a square of it, and what is occupied."""


_HALF = Movement(parse_piece("nA").atoms, (Region((0, 0), (8, 4)),))


@pytest.mark.parametrize(
    ("board", "piece", "squares", "attacked"),
    [
        (XIANGQI, "pR", "b3", ""),
        (XIANGQI, "pR", "b3 b7", "b8 b9 b10"),
        (XIANGQI, "pR", "b3 b7 b9 b10", "b8 b9"),
        (CHESS, "gQ", "a1 d4 a8 f1", "g1 e5"),
        (XIANGQI, "nN", "a1", "c2 b3"),
        (XIANGQI, "nN", "a1 a2", "c2"),
        (XIANGQI, "nN", "a1 b2", "c2 b3"),
        (XIANGQI, "horse-to", "a1 a2", "c2 b3"),  # seen from its target: the leg is there
        (XIANGQI, "horse-to", "a1 b2", ""),
        (XIANGQI, _HALF, "c5", "a3 e3"),
        (XIANGQI, _HALF, "c6", ""),  # outside its region it has no moves
    ],
)
def test_what_is_known_of_a_piece(board, piece, squares, attacked):
    """On the first of the squares, where the others are occupied."""
    movement = parse_piece(piece) if isinstance(piece, str) else piece
    square, *blockers = map(board.parse, squares.split())
    found = attacks_of(board, movement, square, sum(1 << blocker for blocker in blockers))
    assert " ".join(board.name(s) for s in range(board.squares) if found >> s & 1) == attacked
    elephant = boards.legs_between(XIANGQI, XIANGQI.parse("b1"), XIANGQI.parse("d4"))
    assert [XIANGQI.name(leg) for leg in elephant] == ["b2", "c3"], "janggi's has two"


def test_the_published_number_of_moves():
    """43,764: who moves, whence, where to, what is taken, what a pawn becomes."""
    inner = CHESS.full & ~(0xFF | 0xFF << 56)  # where a pawn may stand, and be taken
    moves = 0
    for name in ("king", "queen", "rook", "bishop", "knight"):
        for square in range(64):
            targets = attacks_of(CHESS, parse_piece(name), square, 0)
            moves += 5 * targets.bit_count() + (targets & inner).bit_count()  # - Q R B N, and P
    for rank in range(2, 8):
        straight, aslant = 8 + 8 * (rank == 2), 14
        moves += 4 * (straight + 4 * aslant) if rank == 7 else straight + 5 * aslant
    en_passant, castling = 14, 2
    assert 2 * (moves + en_passant + castling) == 43_764


# -- masks


@given(QUESTIONS)
def test_masks_and_bundles_have_all_that_matters(question):
    board, movement, square, occupied = question
    mask = boards.least_mask(board, movement, square)
    seen = attacks_of(board, movement, square, occupied)
    assert attacks_of(board, movement, square, occupied & mask) == seen
    assert mask & ~boards.usual_mask(board, movement, square) == 0
    joined = 0
    for bundle in boards.bundles(board, movement, square):
        part = bundle.attacks(
            board, movement, square, occupied & sum(1 << b for b in bundle.blockers)
        )
        assert part & joined == 0
        joined |= part
    assert joined == seen


@settings(max_examples=25)
@given(QUESTIONS.filter(lambda question: question[0].squares <= 9))
def test_every_square_of_the_least_mask_matters(question):
    board, movement, square, _ = question
    every = range(1 << board.squares)
    sets = [attacks_of(board, movement, square, occupied) for occupied in every]
    matter = [s for s in range(board.squares) if any(sets[o] != sets[o ^ 1 << s] for o in every)]
    assert boards.least_mask(board, movement, square) == sum(1 << s for s in matter)


def test_squares_that_cannot_matter_are_left_out():
    board, rider = Board(12, 10), parse_piece("NN")
    usual = sum(1 << boards.usual_mask(board, rider, s).bit_count() for s in range(board.squares))
    least = sum(1 << boards.least_mask(board, rider, s).bit_count() for s in range(board.squares))
    assert usual > 8 * least
    # A dabbaba always attacks c1: what stands on b1 hides it from two steps of a rook, and nothing.
    movement = Movement((Atom("rider", ((2, 0),), 1), Atom("rider", ((1, 0),), 2)))
    assert boards.least_mask(Board(4, 1), movement, 0) == 0


@pytest.mark.parametrize(
    ("board", "piece", "slots"),
    [
        (XIANGQI, "R", 1081344),
        (XIANGQI, "pR", 1081344),
        (Board(12, 10), "B", 211968),
        (Board(12, 10), "sR", 71680),
        (Board(12, 10), "nN", 1280),
        (Board(9, 9), "R", 495616),
        (XIANGQI, "horse-to", 992),  # whose legs on an edge matter
        (XIANGQI, _HALF, 321),  # eyes on the other half do not
    ],
)
def test_the_slots_of_known_engines(board, piece, slots):
    movement = parse_piece(piece) if isinstance(piece, str) else piece
    masks = [boards.usual_mask(board, movement, s) for s in range(board.squares)]
    assert sum(1 << mask.bit_count() for mask in masks) == slots
