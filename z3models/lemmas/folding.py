"""Folding loses nothing: what a formula multiplies still tells all subsets of the mask apart.

A shogi engine has 81 squares and multiplies words of 64 bits,

    u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift

so squares 63 apart fall on one bit. That is harmless where no two squares of a mask do: then
each subset of the mask is folded to a word of its own. The proof is general. It takes the
*multiplicands*, the sides of products that depend on the occupancy, however they are made, and
asks whether two subsets of the mask have the same ones.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, islice

import z3

from magicert.board import squares_of
from magicert.formula.tree import (
    OCCUPANCY,
    SHIFTS,
    Binary,
    Call,
    Node,
    children,
    evaluate,
    names,
    walk,
)
from magicert.z3models.lemmas.row import Counterexample, TableRow, Verdict, model_of, value_of
from magicert.z3models.readings.bit_vectors import Word, Z3Reading

SUBSETS_TRIED = 3
"""Up to so many squares a counterexample is looked for one by one, so that it names few."""


def fold_lemma(row: TableRow) -> Verdict | None:
    """multiplicands(o1) = multiplicands(o2) only for o1 = o2, subsets of the mask.

    None where nothing is folded: no multiplicand shifts, rotates or narrows the occupancy.
    """
    folded = multiplicands(row.formula.tree)
    if not any(map(is_folded, folded)):
        return None
    one, other = z3.BitVecs("one other", row.formula.word)
    first, second = (_terms(row, folded, occupancy & row.mask) for occupancy in (one, other))
    alike = z3.And(*(x == y for x, y in zip(first, second, strict=True)))
    found = model_of(z3.And(alike, (one ^ other) & row.mask != 0))
    if not isinstance(found, z3.ModelRef):
        return found
    pair = next(_small(row, folded), None)
    if pair is None:
        pair = (value_of(found, one) & row.mask, value_of(found, other) & row.mask)
    words = _plain(row, folded, pair[0])
    assert pair[0] != pair[1]
    assert words == _plain(row, folded, pair[1])
    bits = [row.named(bit) for bit in squares_of(pair[0] | pair[1])]
    what = {1: f"bit {bits[0]} is lost: ", 2: f"bits {' and '.join(bits)} meet: "}
    shown = ", ".join(f"{word:#x}" for word in words)
    return Counterexample(
        f"{what.get(len(bits), '')}occupancies {row.hex(pair[0])} and {row.hex(pair[1])} "
        f"both become {shown}"
    )


def multiplicands(node: Node) -> list[Node]:
    """The sides of products that depend on the occupancy, where the other side does not.

    Products within a multiplicand are a part of it.
    """
    if isinstance(node, Binary) and node.operator == "*":
        sides = [side for side in (node.left, node.right) if OCCUPANCY in names(side)]
        if len(sides) == 1:
            return sides
    found = (side for child in children(node) for side in multiplicands(child))
    return list(dict.fromkeys(found))


def is_folded(multiplicand: Node) -> bool:
    """Whether it moves or narrows the occupancy, so that squares may meet or vanish."""
    return any(
        isinstance(node, Call) or (isinstance(node, Binary) and node.operator in SHIFTS)
        for node in walk(multiplicand)
        if OCCUPANCY in names(node)
    )


def _terms(row: TableRow, folded: list[Node], occupancy: z3.BitVecRef) -> list[z3.BitVecRef]:
    values: dict[str, Word] = {**row.parameters, "mask": row.mask, OCCUPANCY: occupancy}
    reading = Z3Reading(shift_add=False, text=row.formula.text)
    return [reading.term(node, values) for node in folded]


def _plain(row: TableRow, folded: list[Node], occupancy: int) -> tuple[int, ...]:
    values: Mapping[str, int] = {**row.parameters, "mask": row.mask, OCCUPANCY: occupancy}
    return tuple(evaluate(node, values, row.formula.text) for node in folded)


def _small(row: TableRow, folded: list[Node]) -> Iterator[tuple[int, int]]:
    """Pairs of small occupancies that become the same, those with the fewest squares first."""
    squares = squares_of(row.mask)
    for size in range(1, SUBSETS_TRIED + 1):
        for chosen in islice(combinations(squares, size), 5_000):
            seen: dict[tuple[int, ...], int] = {}
            for count in range(size + 1):
                for some in combinations(chosen, count):
                    occupancy = sum(1 << square for square in some)
                    words = _plain(row, folded, occupancy)
                    if words in seen:
                        yield seen[words], occupancy
                    seen[words] = occupancy
