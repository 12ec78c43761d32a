"""The tail: bishops at the end of a buffer, put closer together."""

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.squares import CONSTANT_MODES
from magicert.compact.layouts.arrangement import MARGIN, Arrangement
from magicert.compact.squeeze.bishops_behind import ends_with_bishops, shortened
from magicert.compact.start.first_fit import Wish, fill_pools, place

SQUARES = (0, 1, 2, 9, 10, 16, 17, 18)


def loose() -> Arrangement:
    """Some bishops one behind the other."""
    wish = Wish("black", {(Piece.BISHOP, square): 9 for square in SQUARES})
    efforts = dict.fromkeys(Piece, (1, 10_000))
    pools = fill_pools(wish, 1, efforts, map, lambda _done, _all, _note: None)
    return place(wish, pools, 1, [Piece.BISHOP])


def test_a_shorter_tail_has_the_same_squares_and_no_overlap():
    arrangement = loose()
    random = np.random.default_rng(1)
    lengths = [arrangement.length]
    for _ in range(40):
        shorter = shortened(arrangement, random)
        if shorter is not None:
            assert shorter.length < arrangement.length
            assert shorter.overlaps() == 0
            assert shorter.seats.keys() == arrangement.seats.keys()
            arrangement = shorter
            lengths.append(shorter.length)
    assert len(lengths) > 1


def test_a_rook_at_the_end_is_left_alone():
    arrangement = loose()
    assert ends_with_bishops(arrangement)
    wish = Wish("black", {(Piece.ROOK, 18): 12})
    efforts = dict.fromkeys(Piece, (1, 10_000))
    pools = fill_pools(wish, 1, efforts, map, lambda _done, _all, _note: None)
    rook = place(wish, pools, 1, [Piece.ROOK]).seats[Piece.ROOK, 18]
    rook.offset = arrangement.length
    mode = CONSTANT_MODES["black"]
    both = Arrangement(mode, [*arrangement.seats.values(), rook], rook.end + MARGIN)
    assert not ends_with_bishops(both)
    assert shortened(both, np.random.default_rng(1)) is None
