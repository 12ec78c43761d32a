"""Random boards and pieces."""

import pytest
from hypothesis import strategies as st

from magicert.board import Atom, Board, Movement, Region

BOARDS = st.builds(Board, st.integers(1, 12), st.integers(1, 10))
SMALL_BOARDS = st.builds(Board, st.integers(1, 6), st.integers(1, 6))
_STEPS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any),
    min_size=1, max_size=6, unique=True,
).map(tuple)  # fmt: skip
ATOMS = st.one_of(
    st.builds(Atom, st.sampled_from(["rider", "hopper"]), _STEPS, st.integers(0, 3)),
    st.builds(Atom, st.just("lame leaper"), _STEPS, st.just(0), st.booleans()),
)
_CORNERS = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
REGIONS = _CORNERS.map(lambda c: Region((c[0], c[1]), (c[0] + c[2], c[1] + c[3])))
MOVEMENTS = st.builds(
    Movement,
    st.lists(ATOMS, min_size=1, max_size=2).map(tuple),
    st.lists(REGIONS, max_size=2).map(tuple),
)


@pytest.fixture(scope="session")
def boards() -> st.SearchStrategy[Board]:
    return BOARDS


@pytest.fixture(scope="session")
def small_boards() -> st.SearchStrategy[Board]:
    return SMALL_BOARDS


@pytest.fixture(scope="session")
def movements() -> st.SearchStrategy[Movement]:
    return MOVEMENTS
