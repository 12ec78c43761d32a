"""What no layout can beat.

Three bounds, from the weakest to the strongest: no magics at all can use fewer slots than
there are different attack sets (no two squares have a common one, so nothing is shared);
a layout's own magics cannot go below the sum of their used slots; and of a small group of
squares the shortest arrangement can be found exactly (`magicert.compact.layouts.exact`).
"""

from collections.abc import Iterable, Sequence

from magicert.board import Piece
from magicert.compact.anneal.squares import square_data


def lower_bound(pieces: Iterable[Piece], squares: Sequence[int] = range(64)) -> int:
    """The different attack sets of the squares: of all 64, 4,900 for rooks, 1,428 for bishops."""
    return sum(square_data(piece, square).attack_sets for piece in pieces for square in squares)
