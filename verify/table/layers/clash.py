"""What is wrong with a layered table, by the simplest positions that show it.

Each pair is computed again by the plain integer reading and the slow walk before it is shown.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.board import squares_of
from magicert.formula import parse
from magicert.formula.integers import evaluate
from magicert.formula.tree import LINE, MASK, OCCUPANCY, WORD
from magicert.formula.wide import ints
from magicert.table.model import value_at
from magicert.verify.table.counterexample import Position, Witness
from magicert.verify.table.layers.wanted import single_sources, wanted
from magicert.verify.table.layout import line_of
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Finding


@dataclass(frozen=True, slots=True)
class _Wish:
    """A position in a slot, and what it wants there."""

    position: Position
    ones: int
    zeros: int
    hopeless: bool

    @property
    def simplicity(self) -> tuple[int, int]:
        return self.position.occupancy.bit_count(), self.position.occupancy


Member = tuple[int, int]
"""A piece of the buffer and a row of it."""


def clashes(witness: Witness, lookups: Lookups, bad: NDArray[np.int64]) -> list[Finding]:
    """One finding for each square that no word serves, and for each square or pair of squares
    that ask for different bits. `bad` are the slots, sorted.
    """
    slots = _wishes(lookups, bad)
    hopeless: dict[Member, list[_Wish]] = {}
    pairs: dict[tuple[Member, Member], tuple[_Wish, _Wish]] = {}
    counts: dict[tuple[Member, Member], int] = {}
    for wishes in slots.values():
        for member, wish in wishes:
            if wish.hopeless:
                hopeless.setdefault(member, []).append(wish)
        for key, (one, other) in _clashing(wishes).items():
            counts[key] = counts.get(key, 0) + 1
            best = pairs.get(key)
            if best is None or _cost(one, other) < _cost(*best):
                pairs[key] = one, other
    found = [_hopeless(witness, wishes) for _, wishes in sorted(hopeless.items())]
    found += [_clash(witness, *pairs[key], counts[key]) for key in sorted(pairs)]
    if not found:
        raise AssertionError(f"slot {int(bad[0])} is bad, but nobody asks for anything: report it")
    return found


def _cost(one: _Wish, other: _Wish) -> tuple[int, int, int]:
    (first, low), (second, high) = one.simplicity, other.simplicity
    return first + second, low, high


def _wishes(lookups: Lookups, bad: NDArray[np.int64]) -> dict[int, list[tuple[Member, _Wish]]]:
    """By slot: of every square its different wishes, each by the simplest position."""
    slots: dict[int, dict[tuple[Member, int, int, bool], _Wish]] = {}
    pieces = [id(layout) for layout in lookups.buffer.pieces]
    for block in lookups:
        place = np.minimum(np.searchsorted(bad, block.slots), len(bad) - 1)
        wants = wanted(block)
        for row, n in zip(*np.nonzero(bad[place] == block.slots), strict=True):
            position = Position(block.layout, int(block.rows[row]), ints(block.occupancies[row, n]))
            wish = _Wish(
                position, ints(wants.ones[row, n]), ints(wants.zeros[row, n]),
                bool(wants.hopeless[row, n]),
            )  # fmt: skip
            member = pieces.index(id(block.layout)), position.row
            own = slots.setdefault(int(block.slots[row, n]), {})
            key = member, wish.ones, wish.zeros, wish.hopeless
            if key not in own or wish.simplicity < own[key].simplicity:
                own[key] = wish
    return {
        slot: [(member, wish) for (member, *_), wish in own.items()] for slot, own in slots.items()
    }


def _clashing(
    wishes: list[tuple[Member, _Wish]],
) -> dict[tuple[Member, Member], tuple[_Wish, _Wish]]:
    """Of one slot: of each pair of squares the simplest positions that clash."""
    found: dict[tuple[Member, Member], tuple[_Wish, _Wish]] = {}
    wishes = sorted(wishes, key=lambda one: one[0])
    for place, (first, one) in enumerate(wishes):
        for second, other in wishes[place + 1 :]:
            if (one.ones & other.zeros) | (one.zeros & other.ones):
                key = first, second
                if key not in found or _cost(one, other) < _cost(*found[key]):
                    found[key] = one, other
    return found


def _clash(witness: Witness, one: _Wish, other: _Wish, slots: int) -> Finding:
    positions = one.position, other.position
    first, second = map(witness.lookup, positions)
    (ones, zeros), (more_ones, more_zeros) = map(wants_of, positions)
    clash = (ones & more_zeros) | (zeros & more_ones)
    if first.slot != second.slot or not clash:
        raise AssertionError(f"numpy and plain reading disagree, please report it: {one} {other}")
    places = "1 slot" if slots == 1 else f"{slots:,} slots"
    message = (
        f"two positions share slot {first.slot} but ask for different bits of it: "
        f"{_bits(witness, positions, clash)} ({places} in all)"
    )
    return Finding(
        kind="conflict",
        squares=list(dict.fromkeys(map(witness.name, positions))),
        message=message,
        count=slots,
        lookups=[first, second],
    )


def _bits(witness: Witness, positions: tuple[Position, ...], bits: int) -> str:
    """Bits of a word: as squares, where they stand for squares."""
    plain = not any(position.layout.mirrored[position.row] for position in positions)
    formulas = [position.layout.table.result for position in positions]
    sources = [single_sources(formula) for formula in formulas if formula is not None]
    in_place = all(
        source in (0, 1 << bit) for one in sources if one for bit, source in enumerate(one)
    )
    if plain and in_place:
        return " ".join(witness.names(bits))
    return "bits " + " ".join(map(str, squares_of(bits)))


def _hopeless(witness: Witness, wishes: list[_Wish]) -> Finding:
    wish = min(wishes, key=lambda one: one.simplicity)
    position = wish.position
    formula = position.layout.table.result
    assert formula is not None
    lookup = witness.lookup(position)
    count = len(wishes)
    message = (
        f"no word at slot {lookup.slot} makes {formula.text!r} the true attack set "
        f"({count:,} different demands in all)"
    )
    return Finding(
        kind="result", squares=[witness.name(position)], message=message, count=count,
        lookups=[lookup],
    )  # fmt: skip


def wants_of(position: Position) -> tuple[int, int]:
    """The ones and zeros that a position wants of its word, bit by bit, by the plain reading."""
    layout, home = position.layout, position.layout.home(position.row)
    word = layout.mover.board.word
    formula = layout.table.result or parse(WORD, word=word)
    sources = single_sources(formula)
    assert sources is not None
    values = {name: value_at(v, home) for name, v in layout.table.parameters.items()}
    values.setdefault(MASK, layout.given[home])
    values.setdefault(LINE, line_of(layout.mover, layout.bits[home]))
    values[OCCUPANCY] = position.turned(position.occupancy)
    attacks = Position(layout, home, values[OCCUPANCY]).attacks
    ones = zeros = 0
    for bit in range(word):
        low, high = (
            evaluate(formula.tree, {**values, WORD: loaded}, formula.text) >> bit & 1
            for loaded in (0, (1 << word) - 1)
        )
        if low != high:
            if attacks >> bit & 1 == high:
                ones |= sources[bit]
            else:
                zeros |= sources[bit]
    return ones, zeros
