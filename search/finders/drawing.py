"""How trial draws its candidates: ANDs of random words, and a look at a product's top byte."""

from dataclasses import dataclass

from magicert.board import Piece
from magicert.cell import Cell
from magicert.scheme import SCHEMES

WIDE, HALVES_XOR, HALVES_ADD = range(3)
"""The forms of an index: one 64-bit product, or two 32-bit products joined by xor or +."""

_HALVES = {
    SCHEMES["two-halves"].formula.tree: HALVES_XOR,
    SCHEMES["two-halves-add"].formula.tree: HALVES_ADD,
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Words to AND, and the fewest ones in the top byte of mask * candidate."""

    ands: int
    top: int


BEST: dict[tuple[int, str], Drawing] = {
    (WIDE, Piece.ROOK): Drawing(3, 0),
    (WIDE, Piece.BISHOP): Drawing(3, 6),
    (HALVES_XOR, Piece.ROOK): Drawing(3, 0),
    (HALVES_XOR, Piece.BISHOP): Drawing(2, 0),
    (HALVES_ADD, Piece.ROOK): Drawing(2, 0),
    (HALVES_ADD, Piece.BISHOP): Drawing(2, 0),
    (WIDE, "piece"): Drawing(3, 0),
}
"""The measured best (benchmarks/bench_trial.py prints the others beside them)."""
ANY = Drawing(1, 0)
"""For all other words: they have no structure that a sparse magic would suit."""


def product_form(cell: Cell) -> int:
    """HALVES_XOR or HALVES_ADD for the two schemes of two products, WIDE for all others."""
    return _HALVES.get(cell.scheme.formula.tree, WIDE)


def drawing_of(cell: Cell, ands: int, top: int) -> Drawing:
    """The drawing asked for: 0 words, or a top byte below 0, ask for the best of the cell. In words
    of 128 bits 0 stays: there two numbers take turns.
    """
    if cell.about.width > 64:
        return Drawing(ands, 0)
    best = BEST.get((product_form(cell), cell.about.kind), ANY)
    return Drawing(ands or best.ands, best.top if top < 0 else top)
