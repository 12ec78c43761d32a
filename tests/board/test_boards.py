"""Boards: names and orders of squares, lines, occupancies of chess; Betza's notation; attack sets,
masks and bundles of any piece.

tests/verify/test_attacks.py holds attack sets against the verifier's own walk, on random boards.
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert import board as boards
from magicert.betza import HEXAGONAL, NAMES, parse_piece
from magicert.board import CHESS, Board, squares_of
from magicert.chess import MOVEMENTS, Piece, mask, parse_square, square_name
from magicert.movement import (
    Atom,
    Movement,
    Region,
    attacks_of,
    bundles,
    least_mask,
    legs_between,
    usual_mask,
)
from magicert.occupancy import carry_rippler


@pytest.mark.parametrize(
    "text",
    ["12x10 l10 128", "9x10 i10 128", "8x8 h8 64", "1x1 a1 64", "16x16 p16 256", "13x10 m10 256"],
)
def test_squares_have_names_and_places(text):
    size, last, word = text.split()
    board = boards.parse_board(size)
    names = [board.name(square) for square in range(board.squares)]
    assert (str(board), names[0], names[-1], board.word) == (size, "a1", last, int(word))
    assert [board.parse(name) for name in names] == list(range(board.squares))
    assert board.full == (1 << board.squares) - 1
    for order in boards.orders(board):
        squares = [boards.square_at(order, place, board) for place in range(board.squares)]
        assert sorted(squares) == list(range(board.squares))
        assert [boards.place_of(order, square, board) for square in squares] == sorted(squares)


def test_other_names_and_boards_are_refused_and_lines_end_at_the_edge():
    for name in ("", "a", "a0", "a01", "m1", "a11", "A1", "a1 ", "aa1", "a\u0661"):
        with pytest.raises(ValueError, match=r"expected a1\.\.l10"):
            Board(12, 10).parse(name)
    sizes = [boards.parse_board(text).squares for text in ("16x8", "26x4", "1x128")]
    assert sizes == [128, 104, 128]
    for text in ("26x5", "27x1", "1x129", "17x16"):
        with pytest.raises(ValueError, match=f"board {text}"):
            boards.parse_board(text)
    for text in ("", "8", "0x0", "0x8", "8x0", "8X8", "8x8 ", "-1x8", "08x8", "8x8x8", "8x8 a1"):
        with pytest.raises(ValueError, match="expected files and ranks, such as 12x10"):
            boards.parse_board(text)
    board = Board(5, 6)
    assert [board.name(s) for s in board.line(board.parse("b2"), (1, 2))] == ["c4", "d6"]
    assert list(board.line(board.parse("a1"), (-1, 0))) == []


HOLED = boards.parse_board("7x6-d2,b4-c5,g6")


def test_holes_are_no_part_of_the_board():
    assert HOLED.full.bit_count() == len(HOLED.playable) == 42 - 6
    assert HOLED.squares == 42, "squares keep their numbers"
    assert [HOLED.name(s) for s in HOLED.line(HOLED.parse("d6"), (0, -1))] == ["d5", "d4", "d3"]
    with pytest.raises(ValueError, match="square 'c4': a hole of 7x6-d2,b4-c5,g6"):
        HOLED.parse("c4")
    for text in ("3x3-d1", "3x3-a1-b2-c3", "3x3-", "3x3-a1,,b1", "3x3-a1-"):
        with pytest.raises(ValueError, match=f"board '{text}', its holes: "):
            boards.parse_board(text)
    with pytest.raises(ValueError, match="all squares are holes"):
        boards.parse_board("2x2-b2-a1")


def test_a_hexagon_is_a_board_with_holes():
    board = boards.parse_board("hexagon11")
    assert (board.full.bit_count(), board.squares, board.word) == (91, 121, 128)
    assert str(Board(11, 11, board.holes)) == "hexagon11"
    corners = {board.name(s) for s in board.playable if len(lines_from(board, s)) == 3}
    assert corners == {"a1", "a6", "f1", "f11", "k6", "k11"}
    for text in ("hexagon10", "hexagon17", "hexagon1"):
        with pytest.raises(ValueError, match=f"board {text}: expected an odd number from 3 to 15"):
            boards.parse_board(text)


def test_the_pieces_of_a_hexagon_turn_with_it():
    """A turn by a sixth takes each piece's steps to themselves: (x, y) goes to (x - y, x)."""
    for atoms in HEXAGONAL.values():
        for atom in atoms:
            assert {(x - y, x) for x, y in atom.steps} == set(atom.steps)
    board = boards.parse_board("hexagon11")
    middle, reached = board.parse("f6"), {}
    for name in HEXAGONAL:
        attacks = attacks_of(board, parse_piece(name), middle, 0)
        reached[name] = attacks.bit_count()
    assert reached == {
        "hex-rook": 30, "hex-bishop": 12, "hex-queen": 42, "hex-king": 12, "hex-knight": 12,
        "hex-cannon": 0,
    }  # fmt: skip


def lines_from(board: Board, square: int) -> list[tuple[int, int]]:
    """The steps of a hexagon's rook that do not leave the board at once."""
    steps = [(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)]
    return [step for step in steps if next(board.line(square, step), None) is not None]


@pytest.mark.parametrize(
    ("board", "rows"),
    [
        (CHESS, "a1 b1 h8|h1 g1 a8|a8 b8 h1|h8 g8 a1|a1-files a2 h8|h8-files h7 a1"),
        (Board(9, 10), "i1 h1 a10|a10 b10 i1|i10-files i9 a1"),
    ],
)
def test_an_order_is_named_by_its_first_square(board, rows):
    places = (0, 1, board.squares - 1)
    for row in rows.split("|"):
        order, *listed = row.split()
        squares = [board.name(boards.square_at(order, place, board)) for place in places]
        assert squares == [order.partition("-")[0], *listed]
    assert boards.orders(CHESS) == boards.ORDERS
    assert boards.orders(Board(1, 3)) == ("a1", "a3", "a1-files", "a3-files"), "each corner once"
    with pytest.raises(ValueError, match="expected one of a1, h1"):
        boards.square_at("b2", 0)


def test_masks_are_those_of_the_board():
    squares = [(piece, square) for piece in Piece for square in range(64)]
    masks = [mask(*one) for one in squares]
    assert masks == [usual_mask(CHESS, MOVEMENTS[p], square) for p, square in squares]
    assert sum(1 << one.bit_count() for one in masks) == 107_648
    assert [parse_square(square_name(s)) for s in range(64)] == list(range(64))


@given(st.integers(0, (1 << 64) - 1).filter(lambda board: board.bit_count() <= 10))
def test_all_subsets_are_listed_by_their_numbers(board):
    listed = list(carry_rippler(board))
    assert len(listed) == 1 << board.bit_count()
    for number, occupancy in enumerate(listed):
        squares = [1 << i for i, s in enumerate(squares_of(board)) if occupancy >> s & 1]
        assert (sum(squares), occupancy & ~board) == (number, 0)


def atoms(text: str) -> set[tuple[str, int, frozenset[tuple[int, ...]]]]:
    return {(a.kind, a.limit, frozenset(a.steps)) for a in parse_piece(text).atoms}


@pytest.mark.cases_of("one_atom.tsv")
def test_one_atom(text, kind, said, steps):
    if kind == "refused":
        with pytest.raises(ValueError, match=said):
            parse_piece(text)
    else:
        pairs = [tuple(map(int, step.split(","))) for step in steps.split()]
        assert atoms(text) == {(kind, int(said), frozenset(pairs))}


def test_atoms_join_and_every_name_is_a_piece():
    assert atoms("Q") == atoms("R") | atoms("B") == atoms("RB")
    assert atoms("BN") == atoms("B") | atoms("N")
    assert len(atoms("N").pop()[2]) == 8
    assert [parse_piece(name).name for name in (*NAMES, *HEXAGONAL)] == [*NAMES, *HEXAGONAL]
    assert parse_piece("horse-to").atoms[0].from_target


# -- attack sets

XIANGQI = Board(9, 10)
HALF = (Region((0, 0), (8, 4)),)


def lists(of: Any, least: int, most: int) -> Any:
    return st.lists(of, min_size=least, max_size=most, unique=True).map(tuple)


steps = lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any), 1, 6)
atom = st.one_of(
    st.builds(Atom, st.sampled_from(["rider", "hopper"]), steps, st.integers(0, 3)),
    st.builds(Atom, st.just("lame leaper"), steps, st.just(0), st.booleans()),
)
region = st.tuples(*[st.integers(0, 5)] * 4).map(
    lambda c: Region((c[0], c[1]), (c[0] + c[2], c[1] + c[3]))
)
movements = st.builds(Movement, lists(atom, 1, 2), lists(region, 0, 2))


@st.composite
def questions(draw: Any, largest: int = 36) -> tuple[Board, Movement, int, int]:
    """A board, perhaps with holes, a movement, a square of it, and what is occupied."""
    sizes = st.builds(Board, st.integers(1, 6), st.integers(1, 6))
    board = with_holes(draw, draw(sizes.filter(lambda board: board.squares <= largest)))
    square, occupied = draw(st.sampled_from(board.playable)), draw(st.integers(0, board.full))
    return board, draw(movements), square, occupied & board.full


def with_holes(draw: Any, board: Board) -> Board:
    holes = draw(st.just(0) | st.integers(0, board.full - 1))
    return Board(board.files, board.ranks, holes)


@given(st.data())
def test_the_text_of_a_board_is_read_as_that_board(data):
    whole = data.draw(st.builds(Board, st.integers(1, 16), st.integers(1, 16)))
    board = with_holes(data.draw, whole)
    assert boards.parse_board(str(board)) == board


@given(questions())
def test_a_hole_is_what_a_piece_cannot_enter_cross_or_hop_over(question):
    """Squares outside of a larger board, which the same walk never enters, do the same: but for
    hoppers, of which a hole ends the line before any hurdle, a hole is a blocker that nobody
    attacks.
    """
    board, movement, square, occupied = question
    whole, hopping = Board(board.files, board.ranks), Movement((Atom("hopper", ((1, 0),)),))
    found = attacks_of(board, movement, square, occupied)
    assert found & board.holes == 0
    if all(atom.kind != "hopper" for atom in movement.atoms):
        assert found == attacks_of(whole, movement, square, occupied | board.holes) & board.full
    row = list(board.line(square, (1, 0)))
    cut = Board(board.place(square)[0] + 1 + len(row), board.ranks)
    there = hopped(cut, hopping, *moved(board, cut, square, occupied))
    assert hopped(board, hopping, square, occupied) == there


def hopped(board: Board, movement: Movement, square: int, occupied: int) -> set[str]:
    attacks = attacks_of(board, movement, square, occupied)
    return {board.name(target) for target in squares_of(attacks)}


def moved(board: Board, cut: Board, square: int, occupied: int) -> tuple[int, int]:
    """A square and an occupancy of a board on another one of fewer files."""
    inside = [s for s in squares_of(occupied) if board.place(s)[0] < cut.files]
    return cut.parse(board.name(square)), sum(1 << cut.parse(board.name(s)) for s in inside)


def moves(text: str) -> Movement:
    """Those of a piece, which may be confined to half a xiangqi board."""
    piece = parse_piece(text.removeprefix("half "))
    return replace(piece, regions=HALF) if text.startswith("half ") else piece


@pytest.mark.cases_of("what_is_known_of_a_piece.tsv")
def test_what_is_known_of_a_piece(size, piece, squares, attacked):
    """On the first of the squares, where the others are occupied."""
    board = boards.parse_board(size)
    square, *blockers = map(board.parse, squares.split())
    found = attacks_of(board, moves(piece), square, sum(1 << blocker for blocker in blockers))
    assert " ".join(board.name(s) for s in range(board.squares) if found >> s & 1) == attacked
    elephant = legs_between(XIANGQI, XIANGQI.parse("b1"), XIANGQI.parse("d4"))
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


@given(questions())
def test_masks_and_bundles_have_all_that_matters(question):
    board, movement, square, occupied = question
    mask = least_mask(board, movement, square)
    seen = attacks_of(board, movement, square, occupied)
    assert attacks_of(board, movement, square, occupied & mask) == seen
    assert mask & ~usual_mask(board, movement, square) == 0
    joined = 0
    for bundle in bundles(board, movement, square):
        blockers = occupied & sum(1 << b for b in bundle.blockers)
        part = bundle.attacks(board, movement, square, blockers)
        assert part & joined == 0
        joined |= part
    assert joined == seen


@settings(max_examples=25)
@given(questions(largest=9))
def test_every_square_of_the_least_mask_matters(question):
    board, movement, square, _ = question
    every = [*carry_rippler(board.full)]
    sets = {occupied: attacks_of(board, movement, square, occupied) for occupied in every}
    matter = [s for s in board.playable if any(sets[o] != sets[o ^ 1 << s] for o in every)]
    assert least_mask(board, movement, square) == sum(1 << s for s in matter)


@pytest.mark.cases_of("the_slots_of_known_engines.tsv")
def test_the_slots_of_known_engines(size, piece, slots):
    board = boards.parse_board(size)
    masks = [usual_mask(board, moves(piece), s) for s in range(board.squares)]
    assert sum(1 << mask.bit_count() for mask in masks) == int(slots)


def test_squares_that_cannot_matter_are_left_out():
    board, rider = Board(12, 10), parse_piece("NN")
    usual, least = (
        sum(1 << mask(board, rider, s).bit_count() for s in range(board.squares))
        for mask in (usual_mask, least_mask)
    )
    assert usual > 8 * least
    # A dabbaba always attacks c1: what stands on b1 hides it from two steps of a rook, and nothing.
    movement = Movement((Atom("rider", ((2, 0),), 1), Atom("rider", ((1, 0),), 2)))
    assert least_mask(Board(4, 1), movement, 0) == 0
