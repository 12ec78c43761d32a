from hypothesis import given
from hypothesis import strategies as st

from magicert.board import (
    Piece,
    attack_set,
    beyond,
    bitboard,
    mask,
    parse_square,
    ray,
    square_name,
    squares_of,
)
from magicert.occupancy import carry_rippler, pdep, pdep_order

SQUARES = st.integers(0, 63)
BOARDS = st.integers(0, (1 << 64) - 1)
PIECES = st.sampled_from(list(Piece))


def on(*names: str) -> int:
    return bitboard(map(parse_square, names))


def test_square_names_are_numbered_from_a1() -> None:
    assert [square_name(s) for s in (0, 1, 8, 63)] == ["a1", "b1", "a2", "h8"]
    assert [parse_square(square_name(s)) for s in range(64)] == list(range(64))


def test_masks_leave_out_the_last_square_of_each_ray() -> None:
    assert mask(Piece.ROOK, parse_square("a1")) == 0x000101010101017E
    assert mask(Piece.BISHOP, parse_square("a1")) == 0x0040201008040200
    assert sorted({mask(Piece.ROOK, s).bit_count() for s in range(64)}) == [10, 11, 12]
    assert sorted({mask(Piece.BISHOP, s).bit_count() for s in range(64)}) == [5, 6, 7, 9]


def test_all_lookups_of_both_pieces_are_107648() -> None:
    assert sum(1 << mask(p, s).bit_count() for p in Piece for s in range(64)) == 107_648


def test_a_blocker_is_attacked_and_ends_its_ray() -> None:
    attacks = attack_set(Piece.ROOK, parse_square("e4"), on("e6", "c4"))
    rank_and_up = ("c4", "d4", "f4", "g4", "h4", "e5", "e6")
    assert attacks == on(*rank_and_up, "e3", "e2", "e1")


@given(PIECES, SQUARES, BOARDS)
def test_occupancy_outside_the_mask_changes_nothing(piece: Piece, square: int, board: int) -> None:
    inside = board & mask(piece, square)
    assert attack_set(piece, square, board) == attack_set(piece, square, inside)


@given(PIECES, SQUARES, BOARDS)
def test_attacks_are_what_no_blocker_hides(piece: Piece, square: int, board: int) -> None:
    hidden = 0
    for blocker in squares_of(board & ~(1 << square)):
        hidden |= beyond(piece, square, blocker)
    assert attack_set(piece, square, board) == attack_set(piece, square, 0) & ~hidden


@given(PIECES, SQUARES, SQUARES, BOARDS)
def test_attacking_is_mutual(piece: Piece, a: int, b: int, board: int) -> None:
    # Blockers on the two squares themselves stand between nothing.
    there = attack_set(piece, a, board) >> b & 1
    assert there == attack_set(piece, b, board) >> a & 1


def test_rays_stop_at_the_edge() -> None:
    assert [square_name(s) for s in ray(parse_square("f6"), (1, 1))] == ["g7", "h8"]
    assert ray(parse_square("h8"), (0, 1)) == []


@given(st.integers(0, (1 << 64) - 1).filter(lambda m: m.bit_count() <= 10))
def test_both_orders_list_all_subsets_alike(board: int) -> None:
    listed = list(carry_rippler(board))
    assert listed == list(pdep_order(board))
    assert len(set(listed)) == 1 << board.bit_count()
    assert all(occupancy & ~board == 0 for occupancy in listed)


@given(PIECES, SQUARES, st.data())
def test_the_numbered_occupancy_is_the_listed_one(
    piece: Piece, square: int, data: st.DataObject
) -> None:
    board = mask(piece, square)
    number = data.draw(st.integers(0, (1 << board.bit_count()) - 1))
    rank = sum(1 << i for i, s in enumerate(squares_of(board)) if pdep(number, board) >> s & 1)
    assert rank == number
