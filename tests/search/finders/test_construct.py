"""Magics by construction: what `is_perfect` says is true, and masks of pieces have them."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, bitboard, least_mask
from magicert.search.finders.trial import constructed, is_perfect

masks = st.sets(st.integers(0, 127), min_size=1, max_size=10).map(bitboard)


def all_apart(mask: int, bits: int, width: int, magic: int) -> bool:
    """By trying all occupancies, in plain integers."""
    word = (1 << width) - 1
    occupancies = [0]
    for bit in range(width):
        if mask >> bit & 1:
            occupancies += [occupied | 1 << bit for occupied in occupancies]
    indexes = {((o * magic) & word) >> (width - bits) for o in occupancies}
    return len(indexes) == len(occupancies)


@settings(max_examples=60, deadline=None)
@given(masks, st.integers(0, 2), st.sampled_from([64, 128]), st.integers(0, 9))
def test_what_is_constructed_tells_all_occupancies_apart(
    mask: int, more: int, width: int, key: int
) -> None:
    mask &= (1 << width) - 1
    bits = max(1, mask.bit_count() + more)
    magic = constructed(mask, bits, width, key)
    assert magic is None or all_apart(mask, bits, width, magic)


@settings(max_examples=300, deadline=None)
@given(masks, st.integers(1, 10), st.sets(st.integers(0, 127), max_size=12).map(bitboard))
@example(mask=0b11, bits=2, magic=0b11 << 126)  # two squares share a place
@example(mask=0b11, bits=2, magic=1 << 125 | 1 << 127)  # below the index both add up to a carry
def test_the_proof_holds_for_every_word_that_meets_its_conditions(
    mask: int, bits: int, magic: int
) -> None:
    if is_perfect(mask, bits, 128, magic):
        assert all_apart(mask, bits, 128, magic)


def test_a_carry_from_below_is_noticed() -> None:
    """Both squares have places of their own, but what lies below the index adds up to a carry."""
    mask, bits, width = 0b10001, 2, 64
    perfect = constructed(mask, bits, width, 1)
    assert perfect is not None
    assert is_perfect(mask, bits, width, perfect)
    low = (1 << (width - bits - 4)) - 1
    carrying = perfect | low
    assert not is_perfect(mask, bits, width, carrying)


def test_the_masks_of_xiangqi_have_magics_at_once() -> None:
    board, rook = Board(9, 10), parse_piece("R")
    for square in range(board.squares):
        mask = least_mask(board, rook, square)
        magic = constructed(mask, mask.bit_count(), board.word, square)
        assert magic is not None
        assert is_perfect(mask, mask.bit_count(), board.word, magic)


def test_fewer_bits_than_squares_have_none() -> None:
    assert constructed(0b111, 2, 64, 1) is None
