"""On toy boards every magic can be tried: the models must agree on every cell."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from magicert.formula import parse
from magicert.occupancy import carry_rippler, numbered
from magicert.outcome import Exists, Impossible, Outcome
from magicert.z3models.lemmas import live_bits
from magicert.z3models.methods import pigeonhole, settle
from magicert.z3models.question import Question
from magicert.z3models.readings.circuit import wired_bits
from magicert.z3models.solvers.bitwuzla_solver import BitwuzlaBackend
from magicert.z3models.solvers.sat_solver import SatBackend
from magicert.z3models.solvers.z3_solver import ENCODINGS, LOGIC, Z3Backend

SIDE = 4
STEPS = {"rook": ((0, 1), (1, 0), (0, -1), (-1, 0)), "bishop": ((1, 1), (1, -1), (-1, -1), (-1, 1))}
WHITE = parse("(((occ & mask) * magic) & 0xffff) >> (16 - bits)")
NARROW = parse("(((occ & mask) * (magic & 0xff)) & 0xffff) >> (16 - bits)")
BLACK = parse("(((occ | ~mask) * magic) & 0xffff) >> (16 - bits)")


def toy_rays(square: int, piece: str) -> Iterator[list[int]]:
    for step in STEPS[piece]:
        file, rank = square % SIDE, square // SIDE
        squares = []
        while 0 <= file + step[0] < SIDE and 0 <= rank + step[1] < SIDE:
            file, rank = file + step[0], rank + step[1]
            squares.append(rank * SIDE + file)
        yield squares


def toy_question(piece: str, square: int, bits: int, formula: Any = WHITE) -> Question:
    """A cell of a 4x4 board with 16-bit magics."""
    rays = list(toy_rays(square, piece))
    mask = sum(1 << s for ray in rays for s in ray[:-1])
    occupancies = tuple(carry_rippler(mask))

    def attacks(occupancy: int) -> int:
        reached = 0
        for ray in rays:
            for s in ray:
                reached |= 1 << s
                if occupancy >> s & 1:
                    break
        return reached

    sets = numbered(map(attacks, occupancies))
    values = {"mask": mask, "bits": bits}
    return Question(formula, "magic", values, occupancies, sets, (1 << bits) - 1)


def valid_magics(question: Question) -> set[int]:
    """Every 16-bit magic is tried, in 16-bit arithmetic of its own."""
    black = question.formula is BLACK
    mask, bits = question.values["mask"], question.values["bits"]
    base = ~mask & 0xFFFF if black else 0
    occupancies = np.array([(o | base) & 0xFFFF for o in question.occupancies], dtype=np.uint32)
    magics = np.arange(1 << (8 if question.formula is NARROW else 16), dtype=np.uint32)
    index = ((magics[:, None] * occupancies[None, :]) & 0xFFFF) >> (16 - bits)
    attacks = np.array(question.attacks)
    good = np.ones(len(magics), dtype=bool)
    for i in range(len(attacks)):
        for j in range(i):
            if attacks[i] != attacks[j]:
                good &= index[:, i] != index[:, j]
    return set(np.flatnonzero(good).tolist())


def outcome(question: Question, how: str, report: Any, everything: bool = False) -> Outcome:
    solver, encoding = how.split("-")
    if (none := pigeonhole(question)) is not None:
        return none
    backend: Any
    if solver in ("z3", "multiply", "bitwuzla"):
        kind: Any = BitwuzlaBackend if solver == "bitwuzla" else Z3Backend
        more = {"shift_add": False} if solver == "multiply" else {}
        backend = kind(question, live_bits(question), logic=LOGIC[encoding], **more)
    else:
        backend = SatBackend(question, wired_bits(question), solver)
    return settle(question, backend, encoding, report, argument="", everything=everything)


def agrees(question: Question, expected: set[int], how: str, report: Any) -> type[Outcome]:
    """The kind of the answer, which is that of trying all magics."""
    answer = outcome(question, how, report)
    if isinstance(answer, Exists):
        assert answer.magic in expected
    else:
        assert isinstance(answer, Impossible)
        assert not expected
    return type(answer)


HOW = [
    *(f"z3-{encoding}" for encoding in ENCODINGS),
    "multiply-pairwise",
    "bitwuzla-table",
    "cadical195-table",
    "glucose42-pairwise",
]


@pytest.mark.parametrize("how", HOW)
def test_every_toy_cell_agrees_with_trying_all_magics(how, silent):
    verdicts = set()
    for formula, square, bits in product((WHITE, NARROW), (0, 3, 6, 9), (1, 2, 3, 4)):
        question = toy_question("rook", square, bits, formula)
        verdict = agrees(question, valid_magics(question), how, silent())
        verdicts.add((verdict, question.attack_sets <= 1 << bits))
    # Both answers occur, and the "no" not only by counting.
    assert {(Exists, True), (Impossible, False), (Impossible, True)} <= verdicts


@pytest.mark.parametrize("how", ["z3-table", "cadical195-pairwise"])
def test_all_magics_are_found(how, silent):
    """Up to the bits that do not matter, which both engines leave 0."""
    found_any = 0
    for square in range(0, SIDE * SIDE, 3):
        question = toy_question("rook", square, 4, NARROW)
        expected, live = valid_magics(question), wired_bits(question)
        answer = outcome(question, how, silent(), everything=True)
        if isinstance(answer, Impossible):
            assert not expected
            continue
        assert isinstance(answer, Exists)
        assert answer.complete
        assert sorted(answer.magics) == sorted({magic & live for magic in expected})
        found_any += 1
    assert found_any


# The same toy in words of 128 bits, where it lies across both lanes, and its magic has 128 bits.
SHIFTED = parse("((((occ & mask) >> 56) * magic) & 0xffff) >> (16 - bits)", word=128)
# In a product of 64 bits the magic has 64.
FOLDED = parse("((u64((occ & mask) >> 56) * magic) & 0xffff) >> (16 - bits)", word=128)


@pytest.mark.parametrize(
    "how", ["z3-table", "multiply-pairwise", "bitwuzla-table", "cadical195-table"]
)
@pytest.mark.parametrize("formula", [SHIFTED, FOLDED])
def test_toy_cells_of_128_bit_words_agree_as_well(how, formula, silent):
    verdicts = set()
    for square, bits in ((0, 3), (5, 3), (6, 4), (9, 3), (12, 2)):
        toy = toy_question("rook", square, bits)
        question = replace(
            toy,
            formula=formula,
            values={**toy.values, "mask": toy.values["mask"] << 56},
            occupancies=tuple(occupancy << 56 for occupancy in toy.occupancies),
        )
        assert live_bits(question) >> 16 == 0
        verdicts.add(agrees(question, valid_magics(toy), how, silent()))
    assert verdicts == {Exists, Impossible}


def test_black_toy_cells_agree_as_well(silent):
    for square, bits in product((0, 5, 15), (2, 3)):
        question = toy_question("bishop", square, bits, BLACK)
        for how in ("z3-table", "glucose42-table"):
            agrees(question, valid_magics(question), how, silent())


def test_two_live_bits_sets_agree(ask):
    """Z3 proves what the circuit shows: the same dead bits. White's are those of the period."""
    for scheme in ("white", "black", "two-halves", "two-halves-add"):
        for piece, square in (("bishop", "d8"), ("rook", "a5"), ("bishop", "c1")):
            question = ask(piece, square, 5, scheme)
            live, mask = wired_bits(question), question.values["mask"]
            assert live_bits(question) == live
            if scheme == "white":
                assert live == (1 << 64 - ((mask & -mask).bit_length() - 1)) - 1
            if scheme == "black":
                assert live == (1 << 64) - 1
