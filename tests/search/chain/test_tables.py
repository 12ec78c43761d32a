"""The tables of a chain against their definition, bit by bit (docs/rounding-lemma.md, D6 to D8)."""

import functools
import itertools
import random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import GRID, Chain, GridShape, Squares, chain_of, squares_of
from magicert.search.chain.descent import ChainPads, begin_chain, merge_first, new_chain_pads
from magicert.search.compiled import entry
from magicert.search.planning import chain_plan
from magicert.search.problem import Terms, mirrored, terms, terms_of

WORD = (1 << 64) - 1
STEP, SLACK, WIDER = 2, 5, 2
"""As the page has them: a test that takes them from the code would not notice another value."""


@entry
def fill(chain, pads, shift, base, both):
    begin_chain(chain, pads, shift, base, both)


@entry
def fill_merged(chain, pads, shift, start):
    merge_first(chain, pads, shift, start)


TOYS = [
    (4, 56, 4), (5, 55, 3), (4, 56, 4),
    (6, 59, 4), (6, 59, 3), (6, 59, 4), (6, 57, 4),
    (4, 56, 4), (5, 55, 3), (4, 55, 4),
]  # fmt: skip
"""Bits, the last square of the file, cells. From the fourth on the last square is exact; it moves
by two buckets from m to m + 1, and in the last one by half a bucket. The last three are mirrored.
"""
EXACT, MIRRORED = range(3, 7), range(7, 10)


class Toy(NamedTuple):
    """A line of two squares, a chain of three, and perhaps an exact one behind it."""

    about: Terms
    squares: Squares
    chain: Chain
    rng: random.Random


def toy(seed: int) -> Toy:
    """Most attack sets are equal."""
    rng = random.Random(seed)
    bits, last, cells = TOYS[seed]
    chain_squares = list(range(last - 8 * (3 if seed in EXACT else 2), last + 1, 8))
    line = [chain_squares[0] - 2, chain_squares[0] - 1]
    squares = line + chain_squares
    subsets = itertools.product((0, 1), repeat=len(squares))
    rows = [sum(1 << s for s, on in zip(squares, subset, strict=True) if on) for subset in subsets]
    attacks = [rng.choice([0, 0, 0, 1, 2]) for _ in rows]
    constant = 0 if seed in MIRRORED else rng.choice([0, WORD, rng.getrandbits(64)])
    about = terms(rows, attacks, bits, constant)
    plan = chain_plan(about, line, chain_squares, cells)
    plan = mirrored(plan, about) if seed in MIRRORED else plan
    step = plan.steps.index(plan.chain)
    return Toy(about, squares_of(plan, about, step), chain_of(plan, about, step, step + 1), rng)


class Filled(NamedTuple):
    """A toy's tables at a node, with merged ones for the word of a `start`. The node's m are less
    than `base` + `below` + 1, or for all real m of a mirrored one less than `base` + `below`.
    """

    about: Terms
    squares: Squares
    chain: Chain
    pads: ChainPads
    base: int
    below: int
    start: int
    both: bool

    def sets(self) -> list[tuple[str, GridShape, NDArray[np.uint64], NDArray[np.uint64]]]:
        pads, chain = self.pads, self.chain
        found = [
            ("usual", chain.usual, pads.usual, pads.usual_kept),
            ("wide", chain.wide, pads.wide, pads.wide_kept),
        ]
        if self.squares.exact is not None:
            found.append(("exact", chain.exact, pads.exact, pads.exact_kept))
        return found


@functools.cache
def filled(seed: int) -> Filled:
    about, squares, chain, rng = toy(seed)
    pads, shift = new_chain_pads(chain), np.uint64(about.shift)
    p, word = int(chain.below[0]), int(chain.below[2]) + 6
    both = seed in MIRRORED
    # Where m is all ones, patterns end where their buckets end.
    m = (1 << about.width) - 1 if seed == MIRRORED[-1] else rng.getrandbits(about.width)
    base, start = m >> p << p, m >> word << word
    fill(chain, pads, shift, np.uint64(base), np.uint64(WORD if both else 0))
    fill_merged(chain, pads, shift, np.uint64(start))
    return Filled(about, squares, chain, pads, base, (1 << p) - (not both), start, both)


@pytest.mark.parametrize("seed", range(len(TOYS)))
def test_shapes_are_those_of_the_page(seed: int):
    at = toy(seed)
    cells, shift, exact = at.squares.cells, at.about.shift, at.squares.exact
    assert (exact is not None) == (seed in EXACT)
    bucket, unit = 1 << shift, 1 << (shift - GRID)
    slack = (unit >> SLACK) * (1 << (GRID - 2 - cells))
    usual, wide = bucket >> cells, bucket >> (cells - WIDER)
    shapes = [("usual", at.chain.usual), ("wide", at.chain.wide)]
    for name, shape in [*shapes, ("exact", at.chain.exact)][: 3 if exact else 2]:
        length, drift = {
            "usual": (usual, usual // 4), "wide": (wide, wide // 4), "exact": (0, usual)
        }[name]  # fmt: skip
        assert int(shape.span) == length + drift + slack
        assert int(shape.moved) == (unit << STEP) + drift + slack
        per_cell = {"usual": GRID - cells, "wide": GRID - cells + WIDER}.get(name)
        if per_cell is None:
            assert exact is not None
            per_cell = GRID - max(0, shift - exact)
        assert int(shape.per_cell) == per_cell
        assert int(at.chain.units_on) == 1 << (GRID - cells - 2)
        assert int(shape.words) == (1 << (at.about.bits + GRID - per_cell)) // 64


@pytest.mark.parametrize(("square", "bits"), [("g2", 9), ("a1", 11)])
def test_relations_are_all_places_of_the_squares_before(square: str, bits: int):
    """D4, each once: alone, or (where at most the first square is fixed) in a merged table."""
    about = terms_of(square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits))
    chosen = list(range(9, 14)) if square == "g2" else list(range(1, 7))
    before = [s for s in range(64) if about.multiplicand[-1] >> np.uint64(s) & np.uint64(1)]
    file = [s for s in before if s not in chosen and s not in (8, 15)]
    plan = chain_plan(about, chosen, file[:4], 4)
    step = plan.steps.index(plan.chain)
    chain, squares = chain_of(plan, about, step, step + 1), squares_of(plan, about, step)
    stages = [*squares.chain[:-1], squares.chain[-1], squares.chain[-1]]
    stages += [squares.exact] if squares.exact is not None else []
    kinds = len(chain.line.excluded)
    for depth, new in enumerate(stages):
        smaller = [1 << s for s in squares.chain if s < new]
        wanted = {
            (sum(a for a, place in zip(smaller, places, strict=True) if place & 1) + (1 << new),
             sum(a for a, place in zip(smaller, places, strict=True) if place & 2))
            for places in itertools.product(range(4), repeat=len(smaller))
        }  # fmt: skip
        found = []
        for n in range(int(chain.first[depth]), int(chain.first[depth + 1])):
            moving, fixed = int(chain.moving[n]), int(chain.fixed[n])
            shape = (chain.usual, chain.wide, chain.exact)[int(chain.shapes[depth])]
            if int(chain.table[n]) >> int(shape.per_cell) >= kinds * 17:
                head = squares.head
                found += [(moving, 0), (moving + head, 0), (moving, head), (moving + head, head)]
            else:
                found.append((moving, fixed))
                assert int(chain.fractions[n]) == (15 if fixed else 0)
        assert len(found) == len(set(found))
        assert set(found) == wanted


def test_a_kind_says_where_attack_sets_are_equal():
    """D5, for each relation that is not merged and both sums."""
    at = toy(2)
    attack = {int(x): int(a) for x, a in zip(at.about.multiplicand, at.about.attack, strict=True)}
    line, chain = at.chain.line, at.chain
    patterns = line.multiplicand.tolist()
    for depth in range(len(chain.first) - 1):
        shape = (chain.usual, chain.wide, chain.exact)[int(chain.shapes[depth])]
        for n in range(int(chain.first[depth]), int(chain.first[depth + 1])):
            group = int(chain.table[n]) >> int(shape.per_cell)
            moving, fixed = int(chain.moving[n]), int(chain.fixed[n])
            head = at.squares.head
            told = [(group // 17, moving, fixed)]
            if group < len(line.excluded) * 17:
                assert group % 17 == (0 if fixed else 16)
            else:
                merged = chain.merged[group - len(line.excluded) * 17].tolist()
                sides = [(moving, 0), (moving + head, 0), (moving, head), (moving + head, head)]
                told = [(kind, *side) for kind, side in zip(merged, sides, strict=True)]
            for kind, one, other in told:
                for row, r in enumerate(patterns):
                    equal = [attack[r + one] == attack[x + other] for x in patterns]
                    assert line.member[line.excluded[kind, row]].tolist() == equal


def bits_of(shape: GridShape, table: NDArray[np.uint64], group: int) -> NDArray[np.bool_]:
    """The bit of each shift y in one table; that a row's last word repeats its first is checked."""
    units, words = 1 << int(shape.per_cell), int(shape.words)
    found = np.zeros(64 * words * units, dtype=np.bool_)
    for unit in range(units):
        first = (group * units + unit) * (words + 1)
        row = table[first : first + words]
        assert table[first + words] == row[0]
        found[unit::units] = np.unpackbits(row.view(np.uint8), bitorder="little")
    return found


def expected(at: Filled, shape: GridShape, kind: int, fraction: int) -> NDArray[np.bool_]:
    """D6: the bits of a kind's table for one fraction, the last of which is none. In a mirrored one
    the empty pattern, with nothing added, is not sure (L12).
    """
    chain, about = at.chain, at.about
    bucket, unit = 1 << about.shift, 1 << (about.shift - GRID)
    none = fraction == int(shape.fractions) - 1
    moved, added = (0, 0) if none else (int(shape.moved), fraction * unit << STEP)
    line = chain.line
    patterns = line.multiplicand.tolist()
    values = [(x * at.base + int(c)) & WORD for x, c in zip(patterns, line.constant, strict=True)]
    fixed = [(v + added) & WORD for v in values]
    sure = [
        v % bucket + x * at.below + moved < bucket and (x or not none or not at.both)
        for v, x in zip(fixed, patterns, strict=True)
    ]
    slots, per_cell = 1 << about.bits, int(shape.per_cell)
    cells_of_a_slot = 1 << (GRID - per_cell)
    y = np.arange(slots << GRID)
    dead = np.zeros(len(y), dtype=np.bool_)
    for row, (x, v) in enumerate(zip(patterns, values, strict=True)):
        equal = line.member[line.excluded[kind, row]]
        taken = np.zeros(slots, dtype=np.bool_)
        for other, slot in enumerate(fixed):
            if sure[other] and not equal[other]:
                taken[slot // bucket] = True
        last = (v % unit + x * at.below + int(shape.span) + unit - 1) // unit
        first_cell, last_cell = (v // unit + y) >> per_cell, (v // unit + y + last) >> per_cell
        ends = [cell // cells_of_a_slot % slots for cell in (first_cell, last_cell)]
        near = last_cell - first_cell <= cells_of_a_slot
        dead |= near & taken[ends[0]] & taken[ends[1]]
    return dead


@pytest.mark.parametrize("seed", range(len(TOYS)))
def test_a_table_has_the_bits_of_its_definition(seed: int):
    at = filled(seed)
    fractions = int(at.chain.usual.fractions)
    assert fractions == 17
    seen = 0
    for name, shape, table, _ in at.sets():
        for kind in range(len(at.chain.line.excluded)):
            for fraction in (0, 7, 15, 16):
                found = bits_of(shape, table, kind * fractions + fraction)
                wanted = expected(at, shape, kind, fraction)
                assert (found == wanted).all(), (name, kind, fraction)
                seen += int(wanted.sum())
    assert seen > 100


@pytest.mark.parametrize("seed", range(len(TOYS)))
def test_what_is_kept_is_set_for_all_of_some_shifts(seed: int):
    at = filled(seed)
    on = 1 << (GRID - at.squares.cells - 2)
    for _, shape, table, kept in at.sets():
        for group in range(0, len(at.chain.line.excluded) * int(shape.fractions), 5):
            bits = bits_of(shape, table, group)
            wanted = np.logical_and.reduce([np.roll(bits, -by) for by in range(on + 1)])
            assert (bits_of(shape, kept, group) == wanted).all()


@pytest.mark.parametrize("seed", range(len(TOYS)))
def test_merged_tables_are_the_four_places_of_the_first_square(seed: int):
    at = filled(seed)
    unit = 1 << (at.about.shift - GRID)
    product = at.squares.head * at.start & WORD
    assert product % unit == 0
    added, buckets = product // unit, product // (unit << GRID) << GRID
    fraction, none = added % (1 << GRID) >> STEP, 16
    assert len(at.chain.merged)
    for _, shape, table, kept in at.sets():
        behind = len(at.chain.line.excluded) * int(shape.fractions)
        for number, kinds in enumerate(at.chain.merged.tolist()):
            places = [
                (table, none, 0), (kept, none, added),
                (table, fraction, -buckets), (kept, fraction, added - buckets),
            ]  # fmt: skip
            wanted = np.logical_or.reduce(
                [
                    np.roll(
                        bits_of(shape, source, kind * 17 + row), -by % (1 << at.about.bits + GRID)
                    )
                    for kind, (source, row, by) in zip(kinds, places, strict=True)
                ]
            )
            assert (bits_of(shape, table, behind + number) == wanted).all()
