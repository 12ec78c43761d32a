"""Bit guessing, compiled: what a few known bits of a magic already decide, and one tree of guesses.

A state says which bits of the magic are fixed, and to what. An occupancy is *certain* if no other
bit can move it out of its bucket. Two certain occupancies in one bucket with different attack sets
are a conflict that no completion prevents: then the last guess was wrong.

When: `--engine guess` (`guess.py`), white cells only.

Why: it proves as well as it finds; the order of the bits decides which: high bits first prove, low
bits first find.

Cost: Bishop d8 with 4 bits: 93,126 tests and 0.01 s with high bits first, 5,111,932 and 0.7 s with
low ones. Rook e4 with 10 bits: a magic in 0.9 s with low bits first, none in 10 s with high
(docs/finders.md). There is no certificate.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.search.compiled import Word, precompiled
from magicert.search.finders.drawing import Words, all_occupancies
from magicert.search.finders.trial import check_bits
from magicert.targets import slider_of

U = np.uint64
NONE: Words = np.zeros(0, dtype=U)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cell as the kernel reads it: its occupancies in runs of equal ctz, highest first."""

    words: Words
    attacks: Words
    classes: Words
    width: int
    largest: int
    bits: int

    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of `descend`, with the bits below the LCM period."""
        numbers = (self.width, self.largest, (1 << self.bits) - 1)
        return (self.words, self.attacks, self.classes, *map(U, numbers))


def pattern_of(cell: Cell) -> Pattern:
    """The pattern of a cell; InputError unless it is about a square, with the white formula."""
    if cell.scheme.formula.tree != SCHEMES["white"].formula.tree:
        message = "this engine reads the white formula only: try trial or z3"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    check_bits(cell)
    listed = all_occupancies(slider_of(cell))
    return pattern_from(listed.occupancies, listed.attacks, cell.bits, cell.last_index)


def pattern_from(occupancies: Words, attacks: Words, index_bits: int, largest: int) -> Pattern:
    """The pattern of any list of occupancies (empty first) with their attack numbers."""
    lowest = occupancies & (~occupancies + U(1))
    zeros = np.where(occupancies == 0, U(64), np.bitwise_count(lowest - U(1)))
    order = np.argsort(-zeros.astype(np.int64), kind="stable")
    zeros = zeros[order]
    starts = np.flatnonzero(np.concatenate([[True], zeros[1:] != zeros[:-1]]))
    ends = np.concatenate([starts[1:], [len(zeros)]])
    # The empty occupancy's ctz of 64 would be a shift by the word's width: 63 does as well.
    columns = [starts, ends, np.minimum(zeros[starts], 63)]
    classes = np.stack([column.astype(U) for column in columns], axis=1).ravel()
    return Pattern(
        words=occupancies[order],
        attacks=attacks[order],
        classes=classes,
        width=64 - index_bits,
        largest=largest,
        bits=64 - int(zeros[zeros < 64].min()),
    )


# The inner loop of bit guessing: what a few known bits of a magic already decide.
#
# A state is two words: `fixed` says which bits of the magic are fixed, `value` what they are.
# Of an occupancy o the unknown bits from 64 - ctz(o) on do not matter, since they leave the
# word. Of the others at most o * (all of them set) can still be added to o * value. If that
# cannot leave the bucket, the occupancy is *certain*. Two certain occupancies in one bucket
# with different attack sets are a conflict that no completion prevents.

_0, _1, _2, _3, _16, _64 = U(0), U(1), U(2), U(3), U(16), U(64)

LOW_FIRST, HIGH_FIRST, CONSTRAINED = range(3)
"""Which bit is guessed next."""

RUNNING, COMPLETE, EXHAUSTED = range(3)
FIXED, VALUE, LEVEL, PENDING, STATUS, TESTS, NODES, CUT = range(8)
"""The words of a state: the bits, the guesses above it, the number of alternatives that
wait on the stack, and counters: children tested, guesses made, children that a table cut."""


@precompiled(None)
def bit_length(x: Word) -> Word:
    """The number of bits up to the highest one."""
    length = _0
    step = U(32)
    while step > _0:
        if (x >> step) != _0:
            x = x >> step
            length += step
        step = step >> _1
    return length + x


@precompiled(None)
def certain(
    words: Words, attacks: Words, classes: Words, width: Word, largest: Word, relevant: Word,
    fixed: Word, value: Word, stamp: Word, table: Words,
) -> tuple[Word, Word]:  # fmt: skip
    """(1, 0) if the known bits make a conflict certain, else (0, certain occupancies).

    `classes` lists (first, end, ctz) for runs of `words` with one ctz; a bucket is
    2^width wide; `relevant` are the bits below the LCM period.
    """
    count = _0
    place = _0
    unknown = relevant & ~fixed
    bucket = (_1 << width) - _1
    entry = stamp << _16
    while place < U(len(classes)):
        first, end, zeros = classes[place], classes[place + _1], classes[place + _2]
        place += _3
        open_bits = unknown
        if zeros > _0:
            open_bits = unknown & ((_1 << (_64 - zeros)) - _1)
        open_length = bit_length(open_bits)
        # word * rest >= 2^(both lengths - 2): more than a bucket for the whole class?
        if open_length > _0 and zeros + open_length > width + _1:
            continue
        at = first
        while at < end:
            word = words[at]
            product = word * value
            if open_length > _0:
                if word >> _1 >> (width + _1 - open_length) > _0:
                    at += _1
                    continue
                if (product & bucket) + word * open_bits > bucket:
                    at += _1
                    continue
            slot = product >> width
            if slot > largest:
                return _1, _0
            difference = table[slot] ^ (entry | attacks[at])
            if difference >> _16 != _0:
                table[slot] = entry | attacks[at]
            elif difference != _0:
                return _1, _0
            count += _1
            at += _1
    return _0, count


@precompiled(None)
def is_cut(pairs: Words, triples: Words, fixed: Word, value: Word, bit: Word, chosen: Word) -> bool:
    """Whether a table forbids to add `bit` = `chosen` to the known bits.

    `pairs` holds, for each (bit, value), the other bits that must not be 0 and those that
    must not be 1; `triples` the same for each two (bit, value). Either may be empty.
    """
    zeros = fixed & ~value
    row = bit + bit + chosen
    if len(pairs) > 0 and (zeros & pairs[row + row]) | (value & pairs[row + row + _1]) != _0:
        return True
    if len(triples) > 0:
        remaining = fixed
        while remaining != _0:
            low = remaining & (~remaining + _1)
            remaining ^= low
            second_bit = bit_length(low) - _1
            second = second_bit + second_bit
            if value & low != _0:
                second += _1
            at = (row * U(128) + second) * _2
            if (zeros & triples[at]) | (value & triples[at + _1]) != _0:
                return True
    return False


@precompiled(None)
def next_in_order(order: Word, unknown: Word) -> Word:
    """The number of the lowest or the highest unknown bit."""
    if order == U(LOW_FIRST):
        return bit_length(unknown & (~unknown + _1)) - _1
    return bit_length(unknown) - _1


@precompiled(None)
def child(
    words: Words, attacks: Words, classes: Words, width: Word, largest: Word, relevant: Word,
    pairs: Words, triples: Words, state: Words, table: Words, bit: Word, chosen: Word,
) -> tuple[Word, Word]:  # fmt: skip
    """Whether `bit` = `chosen` is a conflict or cut, and how many occupancies are certain."""
    fixed, value = state[FIXED], state[VALUE]
    if is_cut(pairs, triples, fixed, value, bit, chosen):
        state[CUT] += _1
        return _1, _0
    state[TESTS] += _1
    return certain(
        words, attacks, classes, width, largest, relevant,
        fixed | (_1 << bit), value | (chosen << bit), state[TESTS], table,
    )  # fmt: skip


SIGNATURE = (
    "void(uint64[::1], uint64[::1], uint64[::1], uint64, uint64, uint64, uint64, "
    "uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64, uint64[::1])"
)


@precompiled(SIGNATURE)
def descend(
    words: Words, attacks: Words, classes: Words, width: Word, largest: Word, relevant: Word,
    order: Word, pairs: Words, triples: Words, state: Words, stack: Words, budget: Word,
    table: Words,
) -> None:  # fmt: skip
    """Guess on from `state` until a magic, the end of the tree, or `budget` tests in all.

    At each node both values of one bit are tried: if both conflict, return to the last
    guess; if one does, the other is forced; else the other waits on the `stack` (three
    words each: fixed, value, level). With the constrained order all unknown bits are
    tried, and the one that makes most occupancies certain is guessed.
    """
    state[STATUS] = U(RUNNING)
    while state[TESTS] < budget:
        fixed, value = state[FIXED], state[VALUE]
        unknown = relevant & ~fixed
        if unknown == _0:
            state[STATUS] = U(COMPLETE)
            return
        candidates = unknown
        if order != U(CONSTRAINED):
            candidates = _1 << next_in_order(order, unknown)
        best, best_certain, best_zero_conflicts, best_one_conflicts = _64, _0, _0, _0
        while candidates != _0:
            low = candidates & (~candidates + _1)
            candidates ^= low
            bit = bit_length(low) - _1
            zero_conflicts, zero_certain = child(
                words, attacks, classes, width, largest, relevant, pairs, triples, state, table,
                bit, _0,
            )  # fmt: skip
            one_conflicts, one_certain = child(
                words, attacks, classes, width, largest, relevant, pairs, triples, state, table,
                bit, _1,
            )  # fmt: skip
            certain_sum = _1 + zero_certain + one_certain
            if certain_sum > best_certain or zero_conflicts + one_conflicts > _0:
                best, best_certain, best_zero_conflicts, best_one_conflicts = (
                    bit,
                    certain_sum,
                    zero_conflicts,
                    one_conflicts,
                )
            if zero_conflicts + one_conflicts > _0:
                candidates = _0
        low = _1 << best
        if best_zero_conflicts + best_one_conflicts == _2:
            if state[PENDING] == _0:
                state[STATUS] = U(EXHAUSTED)
                return
            state[PENDING] -= _1
            at = _3 * state[PENDING]
            state[FIXED], state[VALUE] = stack[at], stack[at + _1]
            state[LEVEL] = stack[at + _2]
            continue
        state[FIXED] = fixed | low
        if best_zero_conflicts == _1:
            state[VALUE] = value | low
        elif best_one_conflicts == _0:
            state[NODES] += _1
            state[LEVEL] += _1
            at = _3 * state[PENDING]
            stack[at], stack[at + _1], stack[at + _2] = fixed | low, value | low, state[LEVEL]
            state[PENDING] += _1


# One tree of guesses over the bits of a magic.

ORDERS = ("low", "high", "constrained")
"""Guess the lowest unknown bit next, the highest, or the one that decides most."""


class GuessTree:
    """One tree of guesses: its state, its stack, and the tables that cut it."""

    def __init__(
        self, pattern: Pattern, order: str, pairs: Words = NONE, triples: Words = NONE
    ) -> None:
        self.pattern = pattern
        self.state = np.zeros(8, dtype=U)
        self.stack = np.zeros(3 * 65, dtype=U)
        self.table = np.zeros(1 << (64 - pattern.width), dtype=U)
        self.order = U(ORDERS.index(order))
        self.pairs, self.triples = pairs, triples

    def run(self, tests: int) -> int:
        """Guess on, for about so many tests; the status."""
        descend(
            *self.pattern.arguments(), self.order, self.pairs, self.triples, self.state, self.stack,
            self.state[TESTS] + U(tests), self.table,
        )  # fmt: skip
        return int(self.state[STATUS])

    def retreat(self) -> bool:
        """Leave a magic that was found; False if nothing is left behind it."""
        pending = int(self.state[PENDING])
        if not pending:
            return False
        self.state[PENDING] = U(pending - 1)
        at = 3 * (pending - 1)
        self.state[FIXED], self.state[VALUE], self.state[LEVEL] = self.stack[at : at + 3]
        return True

    @property
    def tests(self) -> int:
        """Children tested so far."""
        return int(self.state[TESTS])

    def share(self) -> float:
        """The share of the tree that is done, a guess counting as a half."""
        levels = self.stack[2 : 3 * int(self.state[PENDING]) : 3].tolist()
        return 1.0 - sum(2.0**-level for level in [*levels, int(self.state[LEVEL])])

    def figures(self) -> dict[str, float | int | str]:
        """Children tested, guesses, and children cut by a table."""
        state = self.state
        figures = {"tests": int(state[TESTS]), "guesses": int(state[NODES])}
        return {**figures, **({"cut": int(state[CUT])} if len(self.pairs) else {})}
