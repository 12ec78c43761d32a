"""Schemes and the products they declare, cells and their periods, texts in TOML; all occupancies of
many magics at once, held against one magic and one occupancy at a time.
"""

import random
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.atlas import Atlas, AtlasCell, atlas_toml
from magicert.board import WORD
from magicert.cell import Cell, first_conflict, first_conflicting_places
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.formula import parse
from magicert.occupancy import carry_rippler
from magicert.scheme import SCHEMES, Product, Scheme, resolve_scheme
from magicert.search import problem
from magicert.search.finders.trial import form_of
from magicert.search.finders.trial_kernel import index
from magicert.system.toml_text import quoted
from magicert.targets import Slider, square_cell
from magicert.valid import AllIndexes, invalid, largest_indexes

U = np.uint64
pieces = st.sampled_from(list(Piece))
squares = st.integers(0, 63)
magics = st.integers(0, WORD)
PRODUCTS = [scheme for scheme in SCHEMES.values() if scheme.product]
# Nobody uses it; what is known of products must do for it.
BLOCKED = Product(parse("mask & ~occ"))
NEW = Scheme("blocked", BLOCKED.formula, "magic", "the empty squares of the mask", BLOCKED)


def cell_of(scheme: Scheme, piece: Piece, square: int, bits: int = 5) -> Cell:
    return square_cell(scheme, piece, square, bits, {"constant": 0x123456789ABCDEF0})


def test_the_formulas_of_the_schemes():
    halves = "((u32(occ & mask) * u32(magic)) {} (hi32(occ & mask) * hi32(magic))) >> (32 - bits)"
    assert {name: scheme.formula.text for name, scheme in SCHEMES.items()} == {
        "white": "((occ & mask) * magic) >> (64 - bits)",
        "black": "((occ | ~mask) * magic) >> (64 - bits)",
        "constant": "((occ & mask) * magic + constant) >> (64 - bits)",
        "two-halves": halves.format("^"),
        "two-halves-add": halves.format("+"),
    }
    spelled = resolve_scheme("(((occ)|~mask)*(magic))>>(64-bits)")
    assert (spelled.name, spelled.product) == ("custom", SCHEMES["black"].product)
    assert resolve_scheme("((occ & mask) * magic) >> 52").product is None


@pytest.mark.parametrize("scheme", [*PRODUCTS, NEW], ids=lambda scheme: scheme.name)
@settings(max_examples=10)  # of each scheme
@given(pieces, squares, magics, st.data())
def test_a_product_is_what_the_formula_says(scheme, piece, square, magic, data):
    cell = cell_of(scheme, piece, square)
    assert scheme.product
    number = data.draw(st.integers(0, len(cell.words) - 1))
    occupancy = Slider(piece, square).words[number]
    constant = cell.fixed["constant"] if scheme.product.constant else 0
    product = scheme.product.multiplicands(cell.words, cell.mask)[number] * magic + constant & WORD
    assert cell.index(magic, occupancy) == product >> (64 - cell.bits)


@pytest.mark.parametrize("scheme", [*SCHEMES.values(), NEW], ids=lambda scheme: scheme.name)
@settings(max_examples=10)
@given(pieces, squares, magics, st.integers(0, WORD))
def test_magics_congruent_modulo_the_period_are_the_same(scheme, piece, square, magic, times):
    cell = cell_of(scheme, piece, square)
    other = (magic + times * cell.period) % (1 << 64)
    for occupancy in (0, cell.mask, cell.mask & -cell.mask, cell.mask & magic):
        assert cell.index(magic, occupancy) == cell.index(other, occupancy)


@given(pieces, squares)
def test_the_period_is_that_of_the_multiplicands(piece, square):
    relevant = mask(piece, square)
    lowest = relevant & -relevant
    for name, scheme in SCHEMES.items():
        period = (1 << 64) // (lowest if name in ("white", "constant") else 1)
        assert cell_of(scheme, piece, square).period == period


def test_a_new_product_is_known_to_the_finders_and_to_the_window_search(monkeypatch):
    cell = square_cell(NEW, Piece.BISHOP, parse_square("d4"), 9)
    form = form_of(cell)
    assert form.kernel is None
    xs = BLOCKED.multiplicands(cell.words, cell.mask)
    multiplicands = dict(zip(cell.words, xs, strict=True))
    expected = sorted(zip(xs, cell.values, strict=True))
    assert sorted(form.words.tolist()) == [x for x, _ in expected]
    magic = 0x0123456789ABCDEF
    for occupancy, x in multiplicands.items():
        found = index(U(form.number), U(x), U(magic), U(form.shift))
        assert int(found) == cell.index(magic, occupancy)
    monkeypatch.setattr(problem, "SCHEMES", ("blocked",))
    products = problem.terms_of(cell).multiplicand
    assert products.tolist() == list(multiplicands.values())


@given(pieces, squares)
def test_all_occupancies_are_what_the_ray_walk_says(piece, square):
    listed = Slider(piece, square)
    assert list(listed.words) == list(carry_rippler(mask(piece, square)))
    walked = [attack_set(piece, square, occupancy) for occupancy in listed.words]
    firsts = list(dict.fromkeys(walked))
    assert [firsts[number] for number in listed.values] == walked


def test_the_first_clash():
    for indexes, attacks, clash in (
        ([], [], None),
        ([1, 2, 1], [0, 1, 0], None),
        ([1, 2, 1], [0, 1, 2], (0, 2)),
        ([1, 1, 1], [0, 0, 1], (0, 2)),
        ([3, 4, 9, 3], [0, 1, 2, 1], (2, 2)),
        ([8, 8], [0, 1], (0, 1)),
    ):
        assert first_conflicting_places(indexes, attacks, 8) == clash


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_text_is_read_back(text):
    """A source with quotation marks in it wrote an atlas that nobody could read."""
    assert tomllib.loads(f"key = {quoted(text)}") == {"key": text}
    entry = AtlasCell(piece="rook", square="a1", bits=12, state="open", source=text)
    (cell,) = tomllib.loads(atlas_toml(Atlas([entry])))["cell"]
    assert cell.get("source", "") == text


# -- many magics at once

CELLS = [
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5),
    square_cell(SCHEMES["black"], Piece.BISHOP, parse_square("h4"), 5),
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("b1"), 5, largest_index=27),
    square_cell(resolve_scheme("two-halves"), Piece.BISHOP, parse_square("b1"), 6),
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("b1"), 30),
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("e8"), 5),
]
MAGIC = 0x4F68BCB9
"""Of the last one: 32 occupancies in 30 slots."""


@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_it_says_what_the_plain_reading_says(cell, examples):
    for seed in range(examples):
        rng = random.Random(seed)
        sparse = [
            rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) for _ in range(40)
        ]
        magics = [MAGIC, *(MAGIC ^ 1 << bit for bit in rng.sample(range(64), 16)), *sparse]
        assert invalid(cell, magics) == [magic for magic in magics if first_conflict(cell, magic)]


def test_the_largest_index_that_is_allowed():
    """Two words of one value, on 0 and 1: nothing conflicts, but 1 may be too large."""
    for last in (0, 1):
        indexes = AllIndexes(parse("occ * magic"), "magic", {}, [0, 1], [0, 0], last)
        assert indexes.valid([1]).tolist() == [last == 1]
        assert indexes.conflicts(1) == [(1, 1)] * (last == 0)
    assert largest_indexes(CELLS[-1], [MAGIC, 0x10020200]) == [29, 31]
