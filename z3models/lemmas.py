"""Lemmas about a table's index formula, each proved for all occupancies at once, or refuted.

No square outside the mask changes the index; the index stays below 2^bits; only the magic's low
bits matter; folding loses nothing; and more, listed below. Each is given to Z3 as "some occupancy
breaks it"; unsatisfiable means proved.

When: `magicert lemma TABLE`; and `live_bits`, before the engine "z3" takes dead bits to be 0.

Why: `verify` tries all subsets of what its own analysis of the formula calls relevant. This says
the same in another way, which shares the parsed formula with that analysis and nothing else.

Cost: `live_bits` takes hundredths of a second. A lemma that Z3 does not answer in time is reported
as undecided. Every counterexample is computed again with plain integers.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

import z3

from magicert.board import bitboard, place_of, squares_of
from magicert.formula import Formula, parse
from magicert.formula.tree import (
    LINE,
    OCCUPANCY,
    SHIFTS,
    WORD,
    Binary,
    Call,
    Node,
    children,
    evaluate,
    names,
    used_width,
    walk,
)
from magicert.movement import attacks_of, least_mask, usual_mask
from magicert.outcome import Observer, Outcome
from magicert.table.model import PieceTable, Table, value_at
from magicert.z3models.interpretations.bit_vectors import Word, Z3Interpretation
from magicert.z3models.interpretations.circuit import occupied, wired_bits
from magicert.z3models.question import Question
from magicert.z3models.solvers.child import Budget, ChildObserver, supervise

PATIENCE = 20_000
"""Milliseconds for one proof."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One square of a table: its mask in the engine's bit order and all its parameters.

    `squares` are the names of the squares by bit.
    """

    formula: Formula
    square: str
    mask: int
    parameters: Mapping[str, int]
    result: Formula | None = None
    line: int = 0
    squares: tuple[str, ...] = ()

    def hex(self, word: int) -> str:
        """A word of the board, with all its digits."""
        return f"{word:#0{self.formula.word // 4 + 2}x}"

    def bit_name(self, bit: int) -> str:
        return f"{bit} ({self.squares[bit]})" if bit < len(self.squares) else str(bit)


@dataclass(frozen=True, slots=True)
class Proved:
    """No counterexample exists."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two interpretations that should agree, or one index that is too large, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Z3 did not know in time."""

    reason: str


Verdict = Proved | Counterexample | Undecided


def model_of(claim: z3.BoolRef, patience: int = PATIENCE) -> Any:  # noqa: ANN401 (z3 has no types)
    """A model of the negated lemma, or the verdict that there is none or that Z3 gave up."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", patience)
    solver.add(claim)
    result = solver.check()
    if result == z3.unsat:
        return Proved()
    return solver.model() if result == z3.sat else Undecided(solver.reason_unknown())


def value_of(model: z3.ModelRef, word: z3.BitVecRef) -> int:
    """The value of a word in a model."""
    return int(model.eval(word, model_completion=True).as_long())


# Folding loses nothing: what a formula multiplies still tells all subsets of the mask apart.
#
# A shogi engine has 81 squares and multiplies words of 64 bits,
#
#     u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift
#
# so squares 63 apart fall on one bit. That is harmless where no two squares of a mask do: then
# each subset of the mask is folded to a word of its own. The proof is general. It takes the
# *multiplicands*, the sides of products that depend on the occupancy, however they are made, and
# asks whether two subsets of the mask have the same ones.

SMALL_SUBSETS = 3
"""Counterexamples with up to so many squares are tried first, so that the text names few."""


def fold_lemma(row: TableRow) -> Verdict | None:
    """multiplicands(o1) = multiplicands(o2) only for o1 = o2, subsets of the mask.

    None where nothing is folded: no multiplicand shifts, rotates or narrows the occupancy.
    """
    folded = multiplicands(row.formula.tree)
    if not any(map(is_folded, folded)):
        return None
    first_occ, second_occ = z3.BitVecs("one other", row.formula.word)
    first, second = (
        _terms(row, folded, occupancy & row.mask) for occupancy in (first_occ, second_occ)
    )
    alike = z3.And(*(x == y for x, y in zip(first, second, strict=True)))
    model = model_of(z3.And(alike, (first_occ ^ second_occ) & row.mask != 0))
    if not isinstance(model, z3.ModelRef):
        return model
    pair = next(_small_pairs(row, folded), None)
    if pair is None:
        pair = (value_of(model, first_occ) & row.mask, value_of(model, second_occ) & row.mask)
    words = _plain_words(row, folded, pair[0])
    assert pair[0] != pair[1]
    assert words == _plain_words(row, folded, pair[1])
    bits = [row.bit_name(bit) for bit in squares_of(pair[0] | pair[1])]
    cause = {1: f"bit {bits[0]} is lost: ", 2: f"bits {' and '.join(bits)} meet: "}
    multiplied = ", ".join(f"{word:#x}" for word in words)
    return Counterexample(
        f"{cause.get(len(bits), '')}occupancies {row.hex(pair[0])} and {row.hex(pair[1])} "
        f"both become {multiplied}"
    )


def multiplicands(node: Node) -> list[Node]:
    """The sides of products that depend on the occupancy, where the other side does not.

    Products within a multiplicand are a part of it.
    """
    if isinstance(node, Binary) and node.operator == "*":
        sides = [side for side in (node.left, node.right) if OCCUPANCY in names(side)]
        if len(sides) == 1:
            return sides
    nested = (side for child in children(node) for side in multiplicands(child))
    return list(dict.fromkeys(nested))


def is_folded(multiplicand: Node) -> bool:
    """Whether it moves or narrows the occupancy, so that squares may meet or vanish."""
    return any(
        isinstance(node, Call) or (isinstance(node, Binary) and node.operator in SHIFTS)
        for node in walk(multiplicand)
        if OCCUPANCY in names(node)
    )


def _terms(
    row: TableRow, nodes: list[Node], occupancy: z3.BitVecRef, **overrides: Word
) -> list[z3.BitVecRef]:
    values: dict[str, Word] = {
        **row.parameters,
        "mask": row.mask,
        OCCUPANCY: occupancy,
        **overrides,
    }
    interpretation = Z3Interpretation(shift_add=False, text=row.formula.text)
    return [interpretation.term(node, values) for node in nodes]


def _plain_words(
    row: TableRow, nodes: list[Node], occupancy: int, **overrides: int
) -> tuple[int, ...]:
    values = {**row.parameters, "mask": row.mask, OCCUPANCY: occupancy, **overrides}
    return tuple(evaluate(node, values, row.formula.text) for node in nodes)


def _small_pairs(row: TableRow, folded: list[Node]) -> Iterator[tuple[int, int]]:
    """Pairs of small occupancies that become the same, those with the fewest squares first."""
    squares = squares_of(row.mask)
    for size in range(1, SMALL_SUBSETS + 1):
        for chosen in islice(combinations(squares, size), 5_000):
            occupancy_of: dict[tuple[int, ...], int] = {}
            for count in range(size + 1):
                for subset in combinations(chosen, count):
                    occupancy = sum(1 << square for square in subset)
                    words = _plain_words(row, folded, occupancy)
                    if words in occupancy_of:
                        yield occupancy_of[words], occupancy
                    occupancy_of[words] = occupancy


#     mask      no square outside the mask changes the index
#     bound     the index stays below 2^bits, for every occupancy
#     period    magic and magic mod 2^(64 - ctz(mask)) give the same index, whatever the
#               magic: the LCM period (white schemes have it, black ones do not)
#     fold      what is multiplied tells all subsets of the mask apart
#     line      of a layered table: the attack set stays on the line, and no bit of the loaded word
#               outside the line changes it, whatever stands in the entry
#     constant  the black product equals the white one with a constant added:
#               (occ | ~mask) * m = (occ & mask) * m + ~mask * m
#
# `mask` and `bound` are what an engine relies on; the others are facts about the scheme. A
# counterexample is confirmed by the plain interpretation before anybody sees it.

RELIED_ON = ("mask", "bound")


def mask_lemma(row: TableRow) -> Verdict:
    """index(occ) = index(occ & mask)."""
    occ = z3.BitVec(OCCUPANCY, row.formula.word)
    model = model_of(_value(row, occ) != _value(row, occ & row.mask))
    if not isinstance(model, z3.ModelRef):
        return model
    occupancy = value_of(model, occ)
    index, masked_index = (_plain_index(row, o) for o in (occupancy, occupancy & row.mask))
    assert index != masked_index
    outside = occupancy & ~row.mask
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {index}, without its bits {outside:#x} outside "
        f"the mask {masked_index}"
    )


def bound_lemma(row: TableRow) -> Verdict | None:
    """index(occ) < 2^bits, where the table says what bits is."""
    bits = index_bits(row)
    if bits is None or bits >= row.formula.tree.width:
        return None
    occ = z3.BitVec(OCCUPANCY, row.formula.word)
    index = _value(row, occ)
    model = model_of(z3.UGE(index, z3.BitVecVal(1 << bits, index.size())))
    if not isinstance(model, z3.ModelRef):
        return model
    occupancy = value_of(model, occ)
    too_large = _plain_index(row, occupancy)
    assert too_large >> bits
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {too_large}: expected below {1 << bits}"
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
        counterexample = _period_broken(row, period, occupancy, value)
        if counterexample is not None:
            return counterexample
    occ, magic = z3.BitVec(OCCUPANCY, row.formula.word), z3.BitVec("magic", width)
    reduced = magic & ((period - 1) & ((1 << width) - 1))
    model = model_of(_value(row, occ, magic=magic) != _value(row, occ, magic=reduced))
    if not isinstance(model, z3.ModelRef):
        return model
    counterexample = _period_broken(row, period, value_of(model, occ), value_of(model, magic))
    assert counterexample is not None
    return counterexample


def _period_broken(row: TableRow, period: int, occupancy: int, value: int) -> Counterexample | None:
    index, reduced_index = (_plain_index(row, occupancy, magic=m) for m in (value, value % period))
    if index == reduced_index:
        return None
    return Counterexample(
        f"occupancy {row.hex(occupancy)} has index {index} with magic {value:#018x}, and "
        f"{reduced_index} with that mod {period:#x}"
    )


def constant_lemma(row: TableRow) -> Verdict | None:
    """For all masks, magics and occupancies at once; None where the formula is not black.

    In two steps, since a multiplier circuit is hard to reason about and algebra is not:
    occ | ~mask = (occ & mask) + ~mask, and (x + y) * m = x * m + y * m.
    """
    black = parse("(occ | ~mask) * magic", word=row.formula.word).tree
    if not any(isinstance(node, Binary) and node == black for node in walk(row.formula.tree)):
        return None
    occ, mask, x, y, m = z3.BitVecs("occ mask x y m", row.formula.word)
    steps = (
        (occ | ~mask) != (occ & mask) + ~mask,
        z3.simplify((x + y) * m, som=True) != z3.simplify(x * m + y * m, som=True),
    )
    for step in steps:
        verdict = model_of(step)
        if isinstance(verdict, z3.ModelRef):
            raise AssertionError(f"arithmetic is broken: {verdict}")
        if isinstance(verdict, Undecided):
            return verdict
    return Proved()


def line_lemma(row: TableRow) -> Verdict | None:
    """For all words and occupancies; None where the entry is the attack set.

    So squares on other lines may have the other bits of an entry.
    """
    if row.result is None:
        return None
    width = row.result.word
    occ, word = z3.BitVecs("occ word", width)
    result_row = replace(row, formula=row.result, parameters={LINE: row.line, **row.parameters})
    values = (_value(result_row, occ, **{WORD: loaded}) for loaded in (word, word & row.line))
    result, cut = (z3.ZeroExt(width - term.size(), term) for term in values)
    model = model_of(z3.Or(result != cut, result & ~z3.BitVecVal(row.line, width) != 0))
    if not isinstance(model, z3.ModelRef):
        return model
    occupancy, whole = value_of(model, occ), value_of(model, word)
    first, second = (
        _plain_index(result_row, occupancy, **{WORD: loaded})
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
        (word,) = _plain_words(row, factors, row.mask)
        if word & 1 or not word:  # the period would be all magics
            return None
    return (word & -word).bit_length() - 1


def _value(row: TableRow, occupancy: z3.BitVecRef, **overrides: Word) -> z3.BitVecRef:
    """What the formula comes to: the index."""
    return _terms(row, [row.formula.tree], occupancy, **overrides)[0]


def _plain_index(row: TableRow, occupancy: int, **overrides: int) -> int:
    return _plain_words(row, [row.formula.tree], occupancy, **overrides)[0]


# The LCM period as a lemma that Z3 proves: dead bits of the magic change no index.
#
# `wiring` reads off which bits are dead; Z3, which knows nothing of that circuit,
# proves it for all occupancies and all magics at once. Only then may the bits be assumed 0.
# That makes answers canonical and costs hundredths of a second.

LIVE_PATIENCE = 10_000
"""Milliseconds for the proof; without it all bits are kept."""


def live_bits(question: Question) -> int:
    """A set of the free parameter's bits outside which, as Z3 proves, none matters."""
    live, all_bits = wired_bits(question), question.free_bits
    proved = live == all_bits or dead_bits_lemma(question, all_bits & ~live)
    return live if proved else all_bits


def dead_bits_lemma(question: Question, dead: int) -> bool:
    """Is it proved that clearing the bits `dead` of the magic never changes the index of any
    subset of the occupied squares?
    """
    mask, width = occupied(question), question.formula.word
    magic, subset = z3.BitVec("magic", question.free_width), z3.BitVec("subset", width)
    squares = (
        z3.Extract(i, i, subset) if mask >> i & 1 else z3.BitVecVal(0, 1)
        for i in reversed(range(width))
    )
    occ, interpretation = (
        z3.Concat(*squares),
        Z3Interpretation(shift_add=False, text=question.formula.text),
    )
    index, cleared_index = (
        interpretation.term(question.formula.tree, question.assignment(word, occ))
        for word in (magic, magic & ~dead)
    )
    return isinstance(model_of(index != cleared_index, LIVE_PATIENCE), Proved)


# What `magicert lemma` asks: all lemmas about a table, proved in a process of its own.


@dataclass(frozen=True, slots=True)
class LemmaResult:
    """One lemma for one piece: how many squares it is proved for, and what speaks against it."""

    piece: str
    lemma: str
    proved: int
    squares: int
    counterexamples: tuple[tuple[str, str], ...] = ()
    undecided: tuple[tuple[str, str], ...] = ()


def prove(table: Table, observer: Observer, budget: Budget) -> tuple[LemmaResult, ...] | Outcome:
    """Prove or refute every lemma for every square of the table, within a budget for all."""
    return supervise(work, table, observer, budget)


def work(table: Table, report: ChildObserver) -> tuple[LemmaResult, ...]:
    """What that process does."""
    findings = []
    for number, (piece, piece_table) in enumerate(table.pieces.items()):
        rows = list(rows_of(table, piece_table))
        for place, name in enumerate(LEMMAS):
            done = number * len(LEMMAS) + place
            report.progress(done, len(table.pieces) * len(LEMMAS), f"{piece} {name}")
            findings.append(_lemma_result(piece, name, rows))
    return tuple(finding for finding in findings if finding.squares)


def _lemma_result(piece: str, name: str, rows: list[TableRow]) -> LemmaResult:
    _, lemma = LEMMAS[name]
    proved = squares = 0
    against, undecided = [], []
    for row in rows:
        match lemma(row):
            case Proved():
                proved += 1
            case Counterexample(text):
                against.append((row.square, text))
            case Undecided(reason):
                undecided.append((row.square, reason))
            case None:
                continue
        squares += 1
    return LemmaResult(piece, name, proved, squares, tuple(against), tuple(undecided))


def rows_of(table: Table, piece_table: PieceTable) -> Iterator[TableRow]:
    """The rows of a piece: one for each square that is no hole, or the 32 of a half board, which
    serve the other squares as well. Where the table gives no mask, it is the piece's usual or
    least one.
    """
    board, movement = table.board, piece_table.movement
    relevant = usual_mask if piece_table.masks == "usual" else least_mask
    names = tuple(board.name(table.bit_square(bit)) for bit in range(board.squares))

    def bits(squares: int) -> int:
        return bitboard(place_of(table.order, square, board) for square in squares_of(squares))

    for place in range(table.rows):
        square = table.row_square(place)
        if not board.has(square):  # what stands there is never read
            continue
        parameters = {name: value_at(v, place) for name, v in piece_table.parameters.items()}
        mask = bits(relevant(board, movement, square))
        line = bits(attacks_of(board, movement, square, 0))
        yield TableRow(
            piece_table.index, board.name(square), parameters.get("mask", mask), parameters,
            piece_table.result, line, names,
        )  # fmt: skip
