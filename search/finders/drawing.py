"""What every finder draws from: a cell's words, fewest 1 bits first; random candidates by number.

Also the question that counting answers alone. Nothing here is compiled.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD
from magicert.cell import Cell, Target
from magicert.chess import Piece
from magicert.outcome import Evidence, Impossible
from magicert.scheme import SCHEMES

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class AllOccupancies:
    """The words of a cell, those with the fewest 1 bits first: of a square its occupancies.

    `attacks` are numbers, equal if and only if the values are. Candidates fail soonest in this
    order: two lone blockers always have different attack sets, while large occupancies
    mostly agree with a smaller one. Keys are as good in any order.
    """

    occupancies: Words
    attacks: Words


@lru_cache(maxsize=256)
def all_occupancies(about: Target) -> AllOccupancies:
    """The words of what a cell is about."""
    words = np.array(about.words, dtype=np.uint64)
    order = np.argsort(np.bitwise_count(words), kind="stable")
    return AllOccupancies(words[order], np.array(about.values, dtype=np.uint64)[order])


# The question that counting answers: fewer slots than attack sets.


def too_few_slots(cell: Cell) -> Impossible | None:
    """IMPOSSIBLE if the attack sets outnumber the slots (pigeonhole); else None."""
    slots = cell.last_index + 1
    if slots >> cell.mask.bit_count():  # a slot for every word
        return None
    distinct = cell.distinct
    if distinct <= slots:
        return None
    least = (distinct - 1).bit_length()
    return Impossible(
        f"{distinct} different attack sets do not fit in {slots} slots "
        f"(at least {least} bits are needed, by counting)",
        figures={"attack sets": distinct, "slots": slots},
        evidence=Evidence.COUNTING,
    )


# How trial draws its candidates: ANDs of random words, and a look at a product's top byte.

WIDE, HALVES_XOR, HALVES_ADD = range(3)
"""The forms of an index: one 64-bit product, or two 32-bit products joined by xor or +."""

_HALVES = {
    SCHEMES["two-halves"].formula.tree: HALVES_XOR,
    SCHEMES["two-halves-add"].formula.tree: HALVES_ADD,
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Words to AND, and the fewest 1 bits in the top byte of mask * candidate."""

    ands: int
    top: int


BEST_DRAWINGS: dict[tuple[int, str], Drawing] = {
    (WIDE, Piece.ROOK): Drawing(3, 0),
    (WIDE, Piece.BISHOP): Drawing(3, 6),
    (HALVES_XOR, Piece.ROOK): Drawing(3, 0),
    (HALVES_XOR, Piece.BISHOP): Drawing(2, 0),
    (HALVES_ADD, Piece.ROOK): Drawing(2, 0),
    (HALVES_ADD, Piece.BISHOP): Drawing(2, 0),
    (WIDE, "piece"): Drawing(3, 0),
}
"""The measured best (benchmarks/bench_trial.py prints the others beside them)."""
FOR_OTHER_WORDS = Drawing(1, 0)
"""For all other words: they have no structure that a sparse magic would suit."""


def product_form(cell: Cell) -> int:
    """HALVES_XOR or HALVES_ADD for the two schemes of two products, WIDE for all others."""
    return _HALVES.get(cell.scheme.formula.tree, WIDE)


def drawing_of(cell: Cell, ands: int, top: int) -> Drawing:
    """The drawing asked for: 0 words, or a top byte below 0, ask for the best of the cell. In words
    of 128 bits 0 stays: there two numbers take turns.
    """
    if cell.target.width > 64:
        return Drawing(ands, 0)
    best = BEST_DRAWINGS.get((product_form(cell), cell.target.kind), FOR_OTHER_WORDS)
    return Drawing(ands or best.ands, best.top if top < 0 else top)


# Random words by number: a small generator of our own, the same on every machine.
#
# Word n of a stream is a mix of `key + (n + 1) * GAMMA` (SplitMix64: Steele, Lea and Flood,
# "Fast splittable pseudorandom number generators", 2014). Since a word is a function of its
# number, candidate number t is the same whoever tries it: a seed gives the same table with
# every number of workers and after every interruption.

GAMMA = 0x9E37_79B9_7F4A_7C15
_FIRST = 0xBF58_476D_1CE4_E5B9
_SECOND = 0x94D0_49BB_1331_11EB

U = np.uint64
_G, _M1, _M2 = U(GAMMA), U(_FIRST), U(_SECOND)
_ONE, _27, _30, _31 = U(1), U(27), U(30), U(31)


def mix(x: int) -> int:
    """The finalizer of SplitMix64, in plain integers."""
    x = (x ^ x >> 30) * _FIRST & WORD
    x = (x ^ x >> 27) * _SECOND & WORD
    return x ^ x >> 31


def word(key: int, number: int) -> int:
    """Word `number` of the stream `key`, in plain integers: the reference of `stream_word`."""
    return mix((key + (number + 1) * GAMMA) & WORD)


def stream_key(seed: int, number: int) -> int:
    """The key of stream `number`: numbers and seeds get streams that have nothing in common."""
    key = mix(number)
    while True:
        key = mix(key ^ mix((seed & WORD) + GAMMA & WORD))
        seed >>= 64
        if not seed:
            return key


def stream_word(key: Any, number: Any) -> Any:  # noqa: ANN401
    """`word` of uint64: of one number in compiled code, or of an array of them in numpy."""
    x = key + (number + _ONE) * _G
    x = (x ^ (x >> _30)) * _M1
    x = (x ^ (x >> _27)) * _M2
    return x ^ (x >> _31)
