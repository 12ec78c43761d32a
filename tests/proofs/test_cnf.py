"""The clauses of a cell, held against brute force: they are what a proof's reader believes."""

import random
from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from magicert.board import Piece, parse_square
from magicert.cell import Cell, Shape, first_conflict, square_cell
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.verify.cover import statement
from magicert.verify.proof import cnf
from magicert.verify.proof.cnf import HashProblem, asked_of, asked_of_shape, formula_of

WIDTH = 7


def white(square, bits) -> Cell:
    return square_cell(SCHEMES["white"], Piece.BISHOP, parse_square(square), bits)


def given_magic(formula, magic) -> list[int]:
    return [bit if magic >> place & 1 else -bit for place, bit in enumerate(formula.magic)]


def is_valid(asked, magic) -> bool:
    """By the definition: no slot holds two attack sets."""
    table: dict[int, int] = {}
    return all(
        table.setdefault((o * magic) % (1 << asked.width) >> (asked.width - asked.bits), a) == a
        for o, a in asked.attacks.items()
    )


def subsets(mask) -> list[int]:
    return [o for o in range(mask + 1) if o & mask == o]


@settings(max_examples=25, deadline=None)
@given(mask=st.integers(1, 2**WIDTH - 1), bits=st.integers(1, 3), data=st.data())
def test_they_are_satisfied_by_the_valid_magics_of_a_toy_and_by_no_others(mask, bits, data):
    mask &= mask - 1 if mask.bit_count() > 4 else mask
    sets = st.integers(0, 7)
    asked = HashProblem({o: data.draw(sets) for o in subsets(mask)}, bits, WIDTH)
    formula = formula_of(asked)
    assert len(formula.magic) == WIDTH - (mask & -mask).bit_length() + 1
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        for magic in range(1 << len(formula.magic)):
            satisfied = solver.solve(assumptions=given_magic(formula, magic))
            assert satisfied == is_valid(asked, magic), magic


@given(rays=st.sampled_from([(2,), (3,), (1, 1), (2, 1)]), bits=st.integers(1, 2), data=st.data())
def test_those_of_a_shape_are_satisfied_by_words_whose_sums_keep_attack_sets_apart(
    rays, bits, data
):
    asked = replace(asked_of_shape(Shape(rays, bits)), width=4)
    words = [data.draw(st.integers(0, 15)) for _ in range(sum(rays))]
    slots: dict[int, set[tuple[int, ...]]] = {}
    for subset in product((0, 1), repeat=len(words)):
        total = sum(word for word, taken in zip(words, subset, strict=True) if taken) % 16
        ends = [sum(rays[:n]) for n in range(len(rays) + 1)]
        first = tuple((*subset[a:b], 1).index(1) for a, b in pairwise(ends))
        slots.setdefault(total >> (4 - bits), set()).add(first)
    given_bits = [
        (4 * place + bit + 1) * (1 if word >> bit & 1 else -1)
        for place, word in enumerate(words)
        for bit in range(4)
    ]
    with Solver(name="glucose4", bootstrap_with=formula_of(asked).clauses) as solver:
        valid = all(len(seen) == 1 for seen in slots.values())
        assert solver.solve(assumptions=given_bits) == valid


@pytest.mark.parametrize(
    ("square", "bits", "known"),
    [("d1", 5, 0x4040080000000), ("d1", 4, None), ("a1", 5, 0xFFEDF9FD7CFCFFFF)],
)
def test_they_agree_with_the_plain_check_of_a_magic(square, bits, known):
    cell = white(square, bits)
    formula = formula_of(asked_of(cell))
    draw = random.Random(square)
    magics = [draw.getrandbits(64) & draw.getrandbits(64) for _ in range(60)]
    magics += [known ^ 1 << bit for bit in range(64)] + [known] if known is not None else []
    found = 0
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        for magic in magics:
            satisfied = solver.solve(assumptions=given_magic(formula, magic))
            assert satisfied == (first_conflict(cell, magic) is None), hex(magic)
            found += satisfied
    assert (found > 0) == (known is not None)


@pytest.mark.parametrize(
    "cell",
    [
        square_cell(SCHEMES["black"], Piece.BISHOP, 3, 4),
        square_cell(SCHEMES["white"], Piece.BISHOP, 3, 4, largest_index=11),
    ],
)
def test_other_questions_have_no_clauses(cell):
    with pytest.raises(InputError, match="a proof can be had for the white scheme"):
        asked_of(cell)


def test_the_attack_sets_are_those_of_the_cover_checker():
    """It takes them from nobody; tests hold them against the ray walk of the other rooms."""
    assert cnf.attack_set is statement.attack_set
    assert cnf.occupancies is statement.occupancies
