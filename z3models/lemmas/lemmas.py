"""Lemmas about a table's index formula, each for all occupancies at once.

    mask      no square outside the mask changes the index
    bound     the index stays below 2^bits, for every occupancy
    period    magic and magic mod 2^(64 - ctz(mask)) give the same index, whatever the
              magic: the LCM period (white schemes have it, black ones do not)
    fold      what is multiplied tells all subsets of the mask apart (folding.py)
    line      of a layered table: the attack set stays on the line, and no bit of the loaded word
              outside the line changes it, whatever stands in the entry
    constant  the black product equals the white one with a constant added:
              (occ | ~mask) * m = (occ & mask) * m + ~mask * m

`mask` and `bound` are what an engine relies on; the others are facts about the scheme. A
counterexample is confirmed by the plain reading before anybody sees it.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

import z3

from magicert.formula import parse
from magicert.formula.tree import (
    LINE,
    OCCUPANCY,
    WORD,
    Binary,
    children,
    evaluate,
    used_width,
    walk,
)
from magicert.z3models.lemmas.folding import fold_lemma, is_folded, multiplicands
from magicert.z3models.lemmas.row import (
    Counterexample,
    Proved,
    TableRow,
    Undecided,
    Verdict,
    model_of,
    value_of,
)
from magicert.z3models.readings.bit_vectors import Word, Z3Reading

RELIED_ON = ("mask", "bound")


def mask_lemma(row: TableRow) -> Verdict:
    """index(occ) = index(occ & mask)."""
    occ = z3.BitVec(OCCUPANCY, row.formula.word)
    found = model_of(_index(row, occ) != _index(row, occ & row.mask))
    if not isinstance(found, z3.ModelRef):
        return found
    occupancy = value_of(found, occ)
    one, other = (_plain(row, {OCCUPANCY: o}) for o in (occupancy, occupancy & row.mask))
    assert one != other
    outside = occupancy & ~row.mask
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {one}, without its bits {outside:#x} outside "
        f"the mask {other}"
    )


def bound_lemma(row: TableRow) -> Verdict | None:
    """index(occ) < 2^bits, where the table says what bits is."""
    bits = index_bits(row)
    if bits is None or bits >= row.formula.tree.width:
        return None
    occ = z3.BitVec(OCCUPANCY, row.formula.word)
    index = _index(row, occ)
    found = model_of(z3.UGE(index, z3.BitVecVal(1 << bits, index.size())))
    if not isinstance(found, z3.ModelRef):
        return found
    occupancy = value_of(found, occ)
    one = _plain(row, {OCCUPANCY: occupancy})
    assert one >> bits
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {one}: expected below {1 << bits}"
    )


def period_lemma(row: TableRow) -> Verdict | None:
    """index(occ, m) = index(occ, m mod P) for all occ and m; None without a magic."""
    if "magic" not in row.parameters or not row.mask:
        return None
    width = used_width(row.formula.tree, "magic")
    lowest = _lowest_bit(row)
    if lowest is None:
        return None
    period = 1 << (width - lowest)
    # A scheme without the period is refuted by almost any magic; Z3 need not search for it.
    draw = random.Random(row.square)
    for _ in range(64):
        occupancy, value = draw.getrandbits(row.formula.word), draw.getrandbits(width)
        found = _period_broken(row, period, occupancy, value)
        if found is not None:
            return found
    occ, magic = z3.BitVec(OCCUPANCY, row.formula.word), z3.BitVec("magic", width)
    reduced = magic & ((period - 1) & ((1 << width) - 1))
    model = model_of(_index(row, occ, magic) != _index(row, occ, reduced))
    if not isinstance(model, z3.ModelRef):
        return model
    found = _period_broken(row, period, value_of(model, occ), value_of(model, magic))
    assert found is not None
    return found


def _period_broken(row: TableRow, period: int, occupancy: int, value: int) -> Counterexample | None:
    one, other = (_plain(row, {OCCUPANCY: occupancy, "magic": m}) for m in (value, value % period))
    if one == other:
        return None
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {one} with magic {value:#018x}, and {other} "
        f"with that mod {period:#x}"
    )


def constant_lemma(row: TableRow) -> Verdict | None:
    """For all masks, magics and occupancies at once; None where the formula is not black.

    In two steps, since a multiplier circuit is hard to reason about and algebra is not:
    occ | ~mask = (occ & mask) + ~mask, and (x + y) * m = x * m + y * m.
    """
    black = parse("(occ | ~mask) * magic", word=row.formula.word).tree
    if not any(isinstance(node, Binary) and _same(node, black) for node in walk(row.formula.tree)):
        return None
    occ, mask, x, y, m = z3.BitVecs("occ mask x y m", row.formula.word)
    steps = (
        (occ | ~mask) != (occ & mask) + ~mask,
        z3.simplify((x + y) * m, som=True) != z3.simplify(x * m + y * m, som=True),
    )
    for step in steps:
        found = model_of(step)
        if isinstance(found, z3.ModelRef):
            raise AssertionError(f"arithmetic is broken: {found}")
        if isinstance(found, Undecided):
            return found
    return Proved()


def line_lemma(row: TableRow) -> Verdict | None:
    """For all words and occupancies; None where the entry is the attack set.

    So squares on other lines may have the other bits of an entry.
    """
    if row.result is None:
        return None
    width = row.result.word
    occ, word = z3.BitVecs("occ word", width)
    values: dict[str, Word] = {LINE: row.line, **row.parameters, "mask": row.mask, OCCUPANCY: occ}
    reading = Z3Reading(shift_add=False, text=row.result.text)
    result, cut = (
        reading.term(row.result.tree, {**values, WORD: loaded})
        for loaded in (word, word & row.line)
    )
    result, cut = (z3.ZeroExt(width - one.size(), one) for one in (result, cut))
    model = model_of(z3.Or(result != cut, result & ~z3.BitVecVal(row.line, width) != 0))
    if not isinstance(model, z3.ModelRef):
        return model
    plain = {LINE: row.line, **row.parameters, "mask": row.mask, OCCUPANCY: value_of(model, occ)}
    whole = value_of(model, word)
    first, second = (
        evaluate(row.result.tree, {**plain, WORD: loaded}, row.result.text)
        for loaded in (whole, whole & row.line)
    )
    assert first != second or first & ~row.line
    return Counterexample(
        f"the word {row.hex(whole)} yields {row.hex(first)}, its bits on the line "
        f"{row.hex(second)}; the line is {row.hex(row.line)}"
    )


LEMMAS: dict[str, tuple[str, Callable[[TableRow], Verdict | None]]] = {
    "mask": ("no square outside the mask changes the index", mask_lemma),
    "bound": ("the index stays below 2^bits", bound_lemma),
    "period": ("the magic matters only modulo the LCM period", period_lemma),
    "fold": ("what is multiplied tells all subsets of the mask apart", fold_lemma),
    "line": ("no bit of the loaded word outside the line matters", line_lemma),
    "constant": ("black is white with a constant added", constant_lemma),
}
"""By name: the statement, and the proof (None where the lemma says nothing of the row)."""


def index_bits(row: TableRow) -> int | None:
    """The index bits that a row claims: `bits`, or what its last shift leaves."""
    if "bits" in row.parameters:
        return row.parameters["bits"]
    tree = row.formula.tree
    if isinstance(tree, Binary) and tree.operator == ">>" and "shift" in row.parameters:
        return tree.width - row.parameters["shift"]
    return None


def _lowest_bit(row: TableRow) -> int | None:
    """The lowest bit of the mask where it is multiplied; None where no period follows from it."""
    word = row.mask
    factors = multiplicands(row.formula.tree)
    if row.formula.word > 64 and any(map(is_folded, factors)):
        if len(factors) > 1:
            return None
        values = {**row.parameters, "mask": row.mask, OCCUPANCY: row.mask}
        word = evaluate(factors[0], values, row.formula.text)
        if word & 1 or not word:  # the period would be all magics
            return None
    return (word & -word).bit_length() - 1


def _index(row: TableRow, occ: z3.BitVecRef, magic: z3.BitVecRef | None = None) -> z3.BitVecRef:
    values: dict[str, Word] = {**row.parameters, "mask": row.mask, OCCUPANCY: occ}
    if magic is not None:
        values["magic"] = magic
    reading = Z3Reading(shift_add=False, text=row.formula.text)
    return reading.term(row.formula.tree, values)


def _plain(row: TableRow, values: Mapping[str, int]) -> int:
    everything = {**row.parameters, "mask": row.mask, **values}
    return evaluate(row.formula.tree, everything, row.formula.text)


def _same(one: Any, other: Any) -> bool:  # noqa: ANN401 (any two nodes of formula trees)
    """Equal trees, wherever they stand in their texts."""
    if type(one) is not type(other):
        return False
    for name in ("operator", "name", "value", "function", "width"):
        if getattr(one, name, None) != getattr(other, name, None):
            return False
    pairs = zip(children(one), children(other), strict=False)
    return len(children(one)) == len(children(other)) and all(_same(a, b) for a, b in pairs)
