"""Layered tables: which bits of its word a lookup asks for, and where two lookups contradict.

In a layered table the attack set is made of the loaded word by a result formula, as in
`word & line`, so that squares may share a slot although their attack sets differ. A slot then holds
no attack set to compare: each lookup asks for ones and for zeros in its word, and the table is
valid if no slot is asked for both in one bit. Loaded for such tables only; a result formula in
which one bit may come from several bits of the word is not read like this (`single_sources`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import squares_of
from magicert.formula import Formula, parse
from magicert.formula.arrays import (
    Words,
    bit_and,
    bit_not,
    bit_or,
    bit_xor,
    evaluate,
    full,
    ints,
    lanes,
    nonzero,
    single_bits,
    widened,
    width_of,
)
from magicert.formula.tree import WORD
from magicert.formula.tree import evaluate as evaluate_one
from magicert.problem import InputError, Problem
from magicert.table.files import TableFile
from magicert.verify.table.counterexample import Position, Witness
from magicert.verify.table.layout import BufferLayout, Sources, sources_of
from magicert.verify.table.lookups import Block, Lookups, WrittenBuffer, values_of
from magicert.verify.table.report import Finding

# Which bits of its word a lookup asks for, so that the result formula yields the attack set.
#
# Where every bit of the result comes from one bit of the word at most, the values for the word 0
# and for the word of all ones say everything: where they differ, that bit decides; where they
# agree, no word can change the bit. With `word & line`: ones on the attack set, zeros on the rest
# of the line, and nothing elsewhere.


class RequiredBits(NamedTuple):
    """Of lookups: the bits of the word that must be one, those that must be zero, and where no
    word will do.
    """

    ones: Words
    zeros: Words
    hopeless: NDArray[np.bool_]


@cache
def single_sources(formula: Formula) -> Sources | None:
    """The bit of the word that each bit of the result comes from, as a set of one or none; None
    where a bit of the result may come from several.
    """
    sources = sources_of(formula)
    return sources if all(bits & (bits - 1) == 0 for bits in sources) else None


def required(block: Block) -> RequiredBits:
    """What the lookups of a block need. Their formula has single sources; without one the word is
    the attack set.
    """
    formula = block.layout.table.result
    if formula is None:
        nowhere = np.zeros(block.slots.shape, dtype=np.bool_)
        return RequiredBits(block.attacks, bit_not(block.attacks), nowhere)
    sources = single_sources(formula)
    assert sources is not None
    lowest, highest = (results(block, full((), word, formula.word)) for word in (0, -1))
    decided, wrong = bit_xor(lowest, highest), bit_xor(highest, block.attacks)
    ones = _moved(bit_and(decided, bit_not(wrong)), sources)
    zeros = _moved(bit_and(decided, wrong), sources)
    hopeless = nonzero(bit_or(bit_and(wrong, bit_not(decided)), bit_and(ones, zeros)))
    return RequiredBits(ones, zeros, hopeless)


def results(block: Block, words: Words) -> Words:
    """What the result formula makes of loaded words, one a lookup or one for all."""
    layout = block.layout
    formula = layout.table.result
    assert formula is not None
    values = values_of(layout, block.rows, block.occupancies)
    values[WORD] = np.broadcast_to(words, block.slots.shape)
    value = evaluate(formula.tree, values, formula.text)
    if value.dtype.names is None:  # of 32 bits, or of 64 on a large board
        value = widened(value.astype(np.uint64), formula.word)
    return np.broadcast_to(value, block.slots.shape)


def _moved(bits: Words, sources: Sources) -> Words:
    """Bits of the result as the bits of the word that they come from."""
    if all(source in (0, 1 << bit) for bit, source in enumerate(sources)):
        return bits
    width = width_of(bits)
    moved = np.zeros_like(bits)
    for single, source in zip(single_bits(width), sources, strict=True):
        is_set = nonzero(bit_and(bits, single))
        moved = bit_or(moved, np.where(is_set, full((), source, width), full((), 0, width)))
    return moved


# The entries of a layered buffer: which bits must be one, which zero, over all lookups.


class Entries(WrittenBuffer):
    """The ones of every entry: of two lookups that clash, one wants a zero, and finds them."""

    def write(self, block: Block) -> None:
        """Note which ones the lookups of a block want."""
        needed = required(block)
        inside = slice(None) if block.outside is None else ~block.outside
        places = self.places(block.slots[inside])
        for lane, bits in zip(lanes(self.attacks), lanes(needed.ones[inside]), strict=True):
            np.bitwise_or.at(lane, places, bits)

    def conflicts(self, block: Block) -> NDArray[np.int64]:
        """The places, with repeats, where a lookup of a block wants a zero and another one a one,
        or where no word will do for it.
        """
        needed = required(block)
        inside = slice(None) if block.outside is None else ~block.outside
        places = self.places(block.slots[inside])
        clash = nonzero(bit_and(self.attacks[places], needed.zeros[inside]))
        return places[clash | needed.hopeless[inside]]


def is_readable(buffer: BufferLayout) -> bool:
    """Whether the formulas say which bits of its word a lookup asks for."""
    formulas = (layout.table.result for layout in buffer.pieces)
    return all(formula is None or single_sources(formula) for formula in formulas)


def refuse_unread(file: TableFile, buffers: Iterable[BufferLayout]) -> None:
    """Refuse formulas of results about which nothing can be said without the finished buffer.

    Raises InputError.
    """
    problems = []
    for buffer in buffers:
        for layout in buffer.pieces:
            result, key = layout.table.result, f"{layout.table.piece}.result"
            if result is None or buffer.literal is not None:
                continue
            message = ""
            if file.table.two_level is not None:
                message = "with two levels: expected the finished buffers (literal)"
            elif single_sources(result) is None:
                message = (
                    f"{result.text!r}: expected a formula whose bits come from one bit of word "
                    "each, or a finished buffer (literal)"
                )
            line = file.line(str(layout.table.piece), "result")
            if message:
                problems.append(Problem(message, str(file.path), key, line))
    if problems:
        raise InputError(problems)


def sharing(lookups: Lookups) -> list[int]:
    """How many entries serve 1, 2, ... squares."""
    squares: dict[tuple[int, int], list[NDArray[np.int64]]] = {}
    for block in lookups:
        for row, slots in zip(block.rows.tolist(), block.slots, strict=True):
            home = block.layout.home(row)
            squares.setdefault((id(block.layout), home), []).append(slots[slots >= 0])
    slots_of_squares = [np.unique(np.concatenate(parts)) for parts in squares.values()]
    _, layers = np.unique(np.concatenate(slots_of_squares), return_counts=True)
    counts: list[int] = np.bincount(layers)[1:].tolist()
    return counts


# What is wrong with a layered table, by the simplest positions that show it.


@dataclass(frozen=True, slots=True)
class _Demand:
    """A position in a slot, and what it demands there."""

    position: Position
    ones: int
    zeros: int
    hopeless: bool


Member = tuple[int, int]
"""A piece of the buffer and a row of it."""


def layered_conflicts(witness: Witness, lookups: Lookups, bad: NDArray[np.int64]) -> list[Finding]:
    """One finding for each square that no word serves, and for each square or pair of squares
    that ask for different bits. `bad` are the slots, sorted.
    """
    slots = _demands(lookups, bad)
    hopeless: dict[Member, list[_Demand]] = {}
    pairs: dict[tuple[Member, Member], tuple[_Demand, _Demand]] = {}
    counts: dict[tuple[Member, Member], int] = {}
    for demands in slots.values():
        for member, demand in demands:
            if demand.hopeless:
                hopeless.setdefault(member, []).append(demand)
        for key, (first, second) in _conflicting(demands).items():
            counts[key] = counts.get(key, 0) + 1
            best = pairs.get(key)
            if best is None or _cost(first, second) < _cost(*best):
                pairs[key] = first, second
    findings = [_hopeless(witness, demands) for _, demands in sorted(hopeless.items())]
    findings += [_conflict(witness, *pairs[key], counts[key]) for key in sorted(pairs)]
    if not findings:
        raise AssertionError(f"slot {int(bad[0])} is bad, but nobody asks for anything: report it")
    return findings


def _cost(first_demand: _Demand, second_demand: _Demand) -> tuple[int, int, int]:
    (first, low), (second, high) = (
        first_demand.position.simplicity,
        second_demand.position.simplicity,
    )
    return first + second, low, high


def _demands(lookups: Lookups, bad: NDArray[np.int64]) -> dict[int, list[tuple[Member, _Demand]]]:
    """By slot: of every square its different demands, each by the simplest position."""
    slots: dict[int, dict[tuple[Member, int, int, bool], _Demand]] = {}
    pieces = [id(layout) for layout in lookups.buffer.pieces]
    for block in lookups:
        place = np.minimum(np.searchsorted(bad, block.slots), len(bad) - 1)
        needed = required(block)
        for row, n in zip(*np.nonzero(bad[place] == block.slots), strict=True):
            position = Position(block.layout, int(block.rows[row]), ints(block.occupancies[row, n]))
            demand = _Demand(
                position, ints(needed.ones[row, n]), ints(needed.zeros[row, n]),
                bool(needed.hopeless[row, n]),
            )  # fmt: skip
            member = pieces.index(id(block.layout)), position.row
            members = slots.setdefault(int(block.slots[row, n]), {})
            key = member, demand.ones, demand.zeros, demand.hopeless
            if key not in members or position.simplicity < members[key].position.simplicity:
                members[key] = demand
    return {
        slot: [(member, demand) for (member, *_), demand in members.items()]
        for slot, members in slots.items()
    }


def _conflicting(
    demands: list[tuple[Member, _Demand]],
) -> dict[tuple[Member, Member], tuple[_Demand, _Demand]]:
    """Of one slot: of each pair of squares the simplest positions that clash."""
    pairs: dict[tuple[Member, Member], tuple[_Demand, _Demand]] = {}
    demands = sorted(demands, key=lambda pair: pair[0])
    for place, (first, first_demand) in enumerate(demands):
        for second, second_demand in demands[place + 1 :]:
            if (first_demand.ones & second_demand.zeros) | (
                first_demand.zeros & second_demand.ones
            ):
                key = first, second
                if key not in pairs or _cost(first_demand, second_demand) < _cost(*pairs[key]):
                    pairs[key] = first_demand, second_demand
    return pairs


def _conflict(
    witness: Witness, first_demand: _Demand, second_demand: _Demand, slots: int
) -> Finding:
    positions = first_demand.position, second_demand.position
    first, second = map(witness.lookup, positions)
    (ones, zeros), (more_ones, more_zeros) = map(wants_of, positions)
    clash = (ones & more_zeros) | (zeros & more_ones)
    if first.slot != second.slot or not clash:
        raise AssertionError(
            f"numpy and plain integers disagree, please report it: {first_demand} {second_demand}"
        )
    places = "1 slot" if slots == 1 else f"{slots:,} slots"
    message = (
        f"two positions share slot {first.slot} but ask for different bits of it: "
        f"{_bits(witness, positions, clash)} ({places} in all)"
    )
    return Finding.of("conflict", message, slots, first, second)


def _bits(witness: Witness, positions: tuple[Position, ...], bits: int) -> str:
    """Bits of a word: as squares, where they stand for squares."""
    plain = not any(position.layout.mirrored[position.row] for position in positions)
    formulas = [position.layout.table.result for position in positions]
    sources = [single_sources(formula) for formula in formulas if formula is not None]
    in_place = all(
        source in (0, 1 << bit)
        for source_word in sources
        if source_word
        for bit, source in enumerate(source_word)
    )
    if plain and in_place:
        return " ".join(witness.names(bits))
    return "bits " + " ".join(map(str, squares_of(bits)))


def _hopeless(witness: Witness, demands: list[_Demand]) -> Finding:
    position = min((demand.position for demand in demands), key=lambda demand: demand.simplicity)
    formula = position.layout.table.result
    assert formula is not None
    lookup = witness.lookup(position)
    count = len(demands)
    message = (
        f"no word at slot {lookup.slot} makes {formula.text!r} the true attack set "
        f"({count:,} different demands in all)"
    )
    return Finding.of("result", message, count, lookup)


def wants_of(position: Position) -> tuple[int, int]:
    """The ones and zeros that a position wants of its word, bit by bit, by plain integers."""
    word = position.layout.mover.board.word
    formula = position.layout.table.result or parse(WORD, word=word)
    sources = single_sources(formula)
    assert sources is not None
    values, attacks = position.values, position.turned(position.attacks)
    ones = zeros = 0
    for bit in range(word):
        low, high = (
            evaluate_one(formula.tree, {**values, WORD: loaded}, formula.text) >> bit & 1
            for loaded in (0, (1 << word) - 1)
        )
        if low != high:
            if attacks >> bit & 1 == high:
                ones |= sources[bit]
            else:
                zeros |= sources[bit]
    return ones, zeros
