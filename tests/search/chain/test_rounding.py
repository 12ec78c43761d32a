"""The bounds of docs/rounding-lemma.md (L3, L5), by plain arithmetic on real chains."""

import functools
import itertools

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import EXACT, GRID, STEP, WIDE, Chain, chain_of
from magicert.search.planning import chains
from magicert.search.problem import Plan, Terms, terms_of

CELLS = [("a1", 11), ("h2", 10), ("c2", 8)]


@functools.cache
def every_chain(square: str, bits: int) -> list[tuple[Terms, Plan, Chain]]:
    terms = terms_of(square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits))
    levels = [(plan, plan.steps.index(plan.chain)) for plan in chains(terms)]
    return [(terms, plan, chain_of(plan, terms, n, n + 1)) for plan, n in levels]


@pytest.mark.parametrize(("square", "bits"), CELLS)
def test_no_sum_drifts_further_than_its_table_allows(square: str, bits: int):
    seen = 0
    for terms, plan, chain in every_chain(square, bits):
        unit = 1 << (terms.shift - GRID)
        for depth, (p, below) in enumerate(itertools.pairwise(chain.below.tolist())):
            shape = {WIDE: chain.wide, EXACT: chain.exact}.get(chain.shapes[depth], chain.usual)
            length = 1 << min(p, below + 6)
            relations = slice(int(chain.first[depth]), int(chain.first[depth + 1]))
            moving = max(chain.moving[relations].tolist())
            square_alone = 1 << (moving.bit_length() - 1)
            # Of the square itself only what it moves in one cell; of the others, in the word.
            span = square_alone * ((1 << below) - 1) + (moving - square_alone) * (length - 1)
            fixed = max(chain.fixed[relations].tolist())
            moved = (unit << STEP) - 1 + fixed * (length - 1)
            assert span < shape.span, (plan.text, depth)
            assert moved < shape.moved, (plan.text, depth)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(("square", "bits"), CELLS)
def test_the_first_square_is_known_to_whole_units(square: str, bits: int):
    for terms, _, chain in every_chain(square, bits):
        unit = 1 << (terms.shift - GRID)
        word = 1 << (int(chain.below[2]) + 6)
        assert int(chain.below[1]) >= int(chain.below[2]) + 6
        assert int(chain.moving[0]) * word == int(chain.units_on) * unit
