import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan
from magicert.search.shards.shard import Work


@pytest.fixture(scope="session")
def d1():
    """Bishop d1 at 4 bits (no magic), with a plan that takes milliseconds."""
    return square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 4)


@pytest.fixture(scope="session")
def d1_work(d1):
    """The same in 64 shards."""
    plan = Plan(54, (*["d1"] * 18, "d8", *["d1"] * 28), 2, 3)
    return Work(d1, plan, 6)
