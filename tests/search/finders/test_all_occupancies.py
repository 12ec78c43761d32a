"""The search's own list of occupancies against the ray walk."""

import pytest

from magicert.board import Piece, attack_set, mask
from magicert.cell import Slider
from magicert.occupancy import carry_rippler
from magicert.search.finders.drawing import all_occupancies


@pytest.mark.parametrize("piece", list(Piece))
@pytest.mark.parametrize("square", [0, 7, 9, 27, 36, 52, 58, 63])
def test_occupancies_and_attacks_are_those_of_the_ray_walk(piece: Piece, square: int) -> None:
    listed = all_occupancies(Slider(piece, square))
    occupancies = [int(o) for o in listed.occupancies]
    assert sorted(occupancies) == sorted(carry_rippler(mask(piece, square)))
    by_number: dict[int, set[int]] = {}
    for occupancy, number in zip(occupancies, listed.attacks.tolist(), strict=True):
        by_number.setdefault(number, set()).add(attack_set(piece, square, occupancy))
    # One attack set to a number, and no two numbers for one attack set.
    assert all(len(sets) == 1 for sets in by_number.values())
    assert len(set.union(*by_number.values())) == len(by_number)
    assert set(by_number) == set(range(len(by_number)))


def test_fewest_blockers_come_first() -> None:
    counts = [int(o).bit_count() for o in all_occupancies(Slider(Piece.ROOK, 0)).occupancies]
    assert counts == sorted(counts)
