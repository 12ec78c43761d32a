"""Bishops at the end of a buffer, put closer together."""

import numpy as np

from magicert.board import Piece
from magicert.compact.layouts import MARGIN, Arrangement
from magicert.compact.seats import CellData, cell_data
from magicert.compact.squeeze import ends_with_bishops, shortened
from magicert.compact.start import fill_pools, place

SQUARES = (0, 1, 2, 9, 10, 16, 17, 18)


def placed(*cells: CellData) -> Arrangement:
    keyed = {(cell.square.piece, cell.square.square): cell for cell in cells}
    return place(keyed, fill_pools(keyed, 1, dict.fromkeys(Piece, (1, 10_000))), 1)


def loose() -> Arrangement:
    """Some bishops one behind the other."""
    return placed(*(cell_data("black", Piece.BISHOP, square, 9) for square in SQUARES))


def test_a_shorter_arrangement_has_the_same_squares_and_no_overlap():
    arrangement = loose()
    random = np.random.default_rng(1)
    found = 0
    while found < 2:  # Some attempts fail; the seed's third or so does not.
        shorter = shortened(arrangement, random)
        if shorter is not None:
            assert shorter.length < arrangement.length
            assert shorter.overlaps() == 0
            assert shorter.seats.keys() == arrangement.seats.keys()
            arrangement = shorter
            found += 1


def test_a_rook_at_the_end_is_left_alone():
    arrangement = loose()
    assert ends_with_bishops(arrangement)
    alone = placed(cell_data("black", Piece.ROOK, 18, 12)).seats[Piece.ROOK, 18]
    rook = alone.at(arrangement.length)
    both = Arrangement([*arrangement.seats.values(), rook], rook.end + MARGIN)
    assert not ends_with_bishops(both)
    assert shortened(both, np.random.default_rng(1)) is None
