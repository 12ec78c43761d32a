"""What OR-tools chooses of a pool, held against trying all choices."""

from itertools import chain, combinations

import numpy as np
import pytest

from magicert.compact.layouts import from_table
from magicert.compact.pages.bishops import PagePlacement, claimed, worth
from magicert.compact.pages.columns import COLUMNS, Library
from magicert.compact.progress import ALONE
from magicert.data import find_table
from magicert.table import read_table
from research.packing import exact
from research.packing.exact import (
    Candidate,
    Libraries,
    choose_bishops,
    choose_pages,
    draw_bishops,
    filled,
    page_pool,
    patterns,
)

pytest.importorskip("ortools")
U = np.uint64


def library(square, columns):
    words = np.array(columns, U)
    return Library(square, words, np.arange(len(words), dtype=U), np.zeros(len(words), np.uint8))


@pytest.fixture(params=range(6))
def random(request):
    return np.random.default_rng(request.param)


def test_no_choice_of_pages_has_more_rooks_or_as_many_and_more_room(random):
    shelf = {n: library(n, [(1 << int(random.integers(3, 30))) - 1]) for n in range(8)}
    pool = []
    for _ in range(10):
        squares = random.choice(8, int(random.integers(1, 4)), replace=False).tolist()
        page = tuple(PagePlacement(n, 0, 0, 0, shelf[n].least) for n in squares)
        pool.append(Candidate(page, int(random.integers(100))))
    chosen = choose_pages(shelf, pool, 3)

    def disjoint(candidates):
        squares = [square for one in candidates for square in one.squares]
        return len(squares) == len(set(squares))

    def value(candidates):
        return sum(worth(one.page) for one in candidates), sum(one.room for one in candidates)

    all_choices = chain.from_iterable(combinations(pool, count) for count in range(4))
    assert disjoint(chosen.candidates)
    assert value(chosen.candidates) == max(filter(None, map(value, filter(disjoint, all_choices))))
    assert chosen.is_best
    assert chosen.room == value(chosen.candidates)[1]
    assert not set(chosen.uncovered) & {n for one in chosen.candidates for n in one.squares}


def test_pages_of_a_pool_are_full_or_have_room_and_no_two_rooks_of_one_share_a_column():
    quarters = [((1 << 16) - 1) << at for at in (0, 16, 32, 48)]
    rooks = {n: library(n, quarters) for n in range(6)}
    made = Libraries(rooks, None, {0: library(0, [0b111 << at for at in range(62)])})
    pool = [*page_pool(made, [*rooks], (1,), 20)]
    assert {one.room for one in pool} == {0, 3}
    for one in pool:
        columns = [rook.columns for rook in one.page]
        assert sum(columns).bit_count() == 16 * len(columns)
        assert (one.room == 3) == (sum(columns) != (1 << COLUMNS) - 1)
    assert pool == [*page_pool(made, [*rooks], (1,), 20)]
    assert filled(made, range(5), np.random.default_rng(1)) == []


def test_bishops_of_a_pattern_stand_in_free_columns_and_apart(random):
    shelf = {
        n: library(n, [0b111 << int(at) for at in random.integers(0, 40, 8)]) for n in range(12)
    }
    room = int(random.integers(1 << 63))
    drawn = patterns(shelf, room, 50, random)
    for pattern in drawn:
        words = [int(shelf[square].columns[row]) for square, row in pattern.rows]
        assert sum(words) == sum(words) & room
        assert sum(words).bit_count() == 3 * len(words)


def test_bishops_fill_what_is_free_and_no_choice_holds_more():
    shelf = {n: library(n, [0b11 << at for at in range(0, 8, 2)]) for n in range(7)}
    free = np.array([0b1111, 0b11, 0b11], U)
    drawn = draw_bishops(shelf, free, 1, 40, ALONE)
    banded = choose_bishops(shelf, free, 0, drawn)
    assert len(banded.rows) == 4
    assert (len(banded.left), banded.bound) == (3, 6)
    for band in range(3):
        rows = [row for row, where in banded.rows.values() if where == band]
        words = [int(shelf[0].columns[row]) for row in rows]
        assert sum(words) == sum(words) & int(free[band])
    assert not choose_bishops(shelf, free, 1, drawn).left


def test_the_centre_s_bishops_walk_from_the_table_that_is_given(monkeypatch, tmp_path):
    layout = from_table(read_table(find_table("black_72700")))
    annealed = []

    def shelf(cells, _seed, _workers):
        annealed.extend(cell.square.square for cell in cells)
        return {}

    monkeypatch.setattr(exact, "rook_libraries", lambda *_: [library(0, [1])])
    monkeypatch.setattr(exact, "interleaved", lambda *_: None)
    monkeypatch.setattr(exact, "bishop_shelf", shelf)
    made = exact.libraries(layout, 1, tmp_path / "kept", ALONE)
    assert set(made.bishops) == {27, 28, 35, 36}
    assert len(annealed) == 60
    assert all(len(shelf.magics) > 1 for shelf in made.bishops.values())
    kept = exact.libraries(layout, 1, tmp_path / "kept", ALONE)
    assert all((kept.bishops[n].magics == made.bishops[n].magics).all() for n in made.bishops)


def test_the_pages_of_a_table_are_those_of_its_rooks():
    layout = from_table(read_table(find_table("black_72700")))
    bishops = {0: library(0, [0b111 << at for at in range(62)])}
    rooks = {place.square: library(place.square, [1]) for place in layout.placements}
    pages = [*exact.given_pages(Libraries(rooks, None, bishops), layout, 1)]
    assert len(pages) == 16  # on the seventeenth b4 and b5 interleave
    for one in pages:
        assert sum(rook.columns.bit_count() for rook in one.page) == claimed(one.page).bit_count()
    assert len({square for one in pages for square in one.squares}) == 60
