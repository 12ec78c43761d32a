"""Lemmas about a table's index formula, each for all 2^64 occupancies at once.

    mask      no square outside the mask changes the index
    bound     the index stays below 2^bits, for every occupancy
    period    magic and magic mod 2^(64 - ctz(mask)) give the same index, whatever the
              magic: the LCM period (white schemes have it, black ones do not)
    line      of a layered table: the attack set stays on the line, and no bit of the loaded word
              outside the line changes it, whatever stands in the entry
    constant  the black product equals the white one with a constant added:
              (occ | ~mask) * m = (occ & mask) * m + ~mask * m

`mask` and `bound` are what an engine relies on; the others are facts about the scheme. A
counterexample is confirmed by the plain reading before anybody sees it.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from magicert.formula import Formula, parse
from magicert.formula.integers import evaluate
from magicert.formula.tree import LINE, OCCUPANCY, WORD, Binary, children, walk
from magicert.z3models.readings.bit_vectors import Word, Z3Reading

PATIENCE = 20_000
"""Milliseconds for one proof."""

RELIED_ON = ("mask", "bound")


@dataclass(frozen=True, slots=True)
class Row:
    """One square of a table: its mask in the engine's bit order and all its parameters."""

    formula: Formula
    square: str
    mask: int
    parameters: Mapping[str, int]
    result: Formula | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Proved:
    """No counterexample exists."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two readings that should agree, or one index that is too large, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Z3 did not know in time."""

    reason: str


Verdict = Proved | Counterexample | Undecided


def mask_lemma(row: Row) -> Verdict:
    """index(occ) = index(occ & mask)."""
    occ = z3.BitVec(OCCUPANCY, 64)
    found = _counterexample(_index(row, occ) != _index(row, occ & row.mask))
    if not isinstance(found, z3.ModelRef):
        return found
    occupancy = _value(found, occ)
    one, other = (_plain(row, {OCCUPANCY: o}) for o in (occupancy, occupancy & row.mask))
    assert one != other
    outside = occupancy & ~row.mask
    return Counterexample(
        f"occupancy {occupancy:#018x} has index {one}, without its bits {outside:#x} outside "
        f"the mask {other}"
    )


def bound_lemma(row: Row) -> Verdict | None:
    """index(occ) < 2^bits, where the table says what bits is."""
    bits = index_bits(row)
    if bits is None or bits >= row.formula.tree.width:
        return None
    occ = z3.BitVec(OCCUPANCY, 64)
    index = _index(row, occ)
    found = _counterexample(z3.UGE(index, z3.BitVecVal(1 << bits, index.size())))
    if not isinstance(found, z3.ModelRef):
        return found
    occupancy = _value(found, occ)
    one = _plain(row, {OCCUPANCY: occupancy})
    assert one >> bits
    return Counterexample(
        f"occupancy {occupancy:#018x} has index {one}: expected below {1 << bits}"
    )


def period_lemma(row: Row) -> Verdict | None:
    """index(occ, m) = index(occ, m mod P) for all occ and m; None without a magic."""
    if "magic" not in row.parameters or not row.mask:
        return None
    period = 1 << (64 - ((row.mask & -row.mask).bit_length() - 1))
    # A scheme without the period is refuted by almost any magic; Z3 need not search for it.
    draw = random.Random(row.square)
    for _ in range(64):
        found = _period_broken(row, period, draw.getrandbits(64), draw.getrandbits(64))
        if found is not None:
            return found
    occ, magic = z3.BitVecs("occ magic", 64)
    reduced = magic & ((period - 1) & ((1 << 64) - 1))
    model = _counterexample(_index(row, occ, magic) != _index(row, occ, reduced))
    if not isinstance(model, z3.ModelRef):
        return model
    found = _period_broken(row, period, _value(model, occ), _value(model, magic))
    assert found is not None
    return found


def _period_broken(row: Row, period: int, occupancy: int, value: int) -> Counterexample | None:
    one, other = (_plain(row, {OCCUPANCY: occupancy, "magic": m}) for m in (value, value % period))
    if one == other:
        return None
    return Counterexample(
        f"occupancy {occupancy:#018x} has index {one} with magic {value:#018x}, and {other} "
        f"with that mod {period:#x}"
    )


def constant_lemma(row: Row) -> Verdict | None:
    """For all masks, magics and occupancies at once; None where the formula is not black.

    In two steps, since a multiplier circuit is hard to reason about and algebra is not:
    occ | ~mask = (occ & mask) + ~mask, and (x + y) * m = x * m + y * m.
    """
    black = parse("(occ | ~mask) * magic").tree
    if not any(isinstance(node, Binary) and _same(node, black) for node in walk(row.formula.tree)):
        return None
    occ, mask, x, y, m = z3.BitVecs("occ mask x y m", 64)
    steps = (
        (occ | ~mask) != (occ & mask) + ~mask,
        z3.simplify((x + y) * m, som=True) != z3.simplify(x * m + y * m, som=True),
    )
    for step in steps:
        found = _counterexample(step)
        if isinstance(found, z3.ModelRef):
            raise AssertionError(f"arithmetic is broken: {found}")
        if isinstance(found, Undecided):
            return found
    return Proved()


def line_lemma(row: Row) -> Verdict | None:
    """For all words and occupancies; None where the entry is the attack set.

    So squares on other lines may have the other bits of an entry.
    """
    if row.result is None:
        return None
    occ, word = z3.BitVecs("occ word", 64)
    values: dict[str, Word] = {LINE: row.line, **row.parameters, "mask": row.mask, OCCUPANCY: occ}
    reading = Z3Reading(shift_add=False, text=row.result.text)
    result, cut = (
        reading.term(row.result.tree, {**values, WORD: loaded})
        for loaded in (word, word & row.line)
    )
    if result.size() == 32:
        result, cut = (z3.ZeroExt(32, one) for one in (result, cut))
    model = _counterexample(z3.Or(result != cut, result & ~z3.BitVecVal(row.line, 64) != 0))
    if not isinstance(model, z3.ModelRef):
        return model
    plain = {LINE: row.line, **row.parameters, "mask": row.mask, OCCUPANCY: _value(model, occ)}
    whole = _value(model, word)
    first, second = (
        evaluate(row.result.tree, {**plain, WORD: loaded}, row.result.text)
        for loaded in (whole, whole & row.line)
    )
    assert first != second or first & ~row.line
    return Counterexample(
        f"the word {whole:#018x} yields {first:#018x}, its bits on the line {second:#018x}; "
        f"the line is {row.line:#018x}"
    )


LEMMAS: dict[str, tuple[str, Callable[[Row], Verdict | None]]] = {
    "mask": ("no square outside the mask changes the index", mask_lemma),
    "bound": ("the index stays below 2^bits", bound_lemma),
    "period": ("the magic matters only modulo the LCM period", period_lemma),
    "line": ("no bit of the loaded word outside the line matters", line_lemma),
    "constant": ("black is white with a constant added", constant_lemma),
}
"""By name: the statement, and the proof (None where the lemma says nothing of the row)."""


def index_bits(row: Row) -> int | None:
    """The index bits that a row claims: `bits`, or what its last shift leaves."""
    if "bits" in row.parameters:
        return row.parameters["bits"]
    tree = row.formula.tree
    if isinstance(tree, Binary) and tree.operator == ">>" and "shift" in row.parameters:
        return tree.width - row.parameters["shift"]
    return None


def _index(row: Row, occ: z3.BitVecRef, magic: z3.BitVecRef | None = None) -> z3.BitVecRef:
    values: dict[str, Word] = {**row.parameters, "mask": row.mask, OCCUPANCY: occ}
    if magic is not None:
        values["magic"] = magic
    reading = Z3Reading(shift_add=False, text=row.formula.text)
    return reading.term(row.formula.tree, values)


def _plain(row: Row, values: Mapping[str, int]) -> int:
    everything = {**row.parameters, "mask": row.mask, **values}
    return evaluate(row.formula.tree, everything, row.formula.text)


def _counterexample(claim: z3.BoolRef) -> Any:  # noqa: ANN401 (z3 has no types: a model, or a verdict)
    """A model of the negated lemma, or the verdict that there is none or that Z3 gave up."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", PATIENCE)
    solver.add(claim)
    result = solver.check()
    if result == z3.unsat:
        return Proved()
    return solver.model() if result == z3.sat else Undecided(solver.reason_unknown())


def _value(model: z3.ModelRef, word: z3.BitVecRef) -> int:
    return int(model.eval(word, model_completion=True).as_long())


def _same(one: Any, other: Any) -> bool:  # noqa: ANN401 (any two nodes of formula trees)
    """Equal trees, wherever they stand in their texts."""
    if type(one) is not type(other):
        return False
    for name in ("operator", "name", "value", "function", "width"):
        if getattr(one, name, None) != getattr(other, name, None):
            return False
    pairs = zip(children(one), children(other), strict=False)
    return len(children(one)) == len(children(other)) and all(_same(a, b) for a, b in pairs)
