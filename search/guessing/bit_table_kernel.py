"""Settling the entries of a table of bits, one lowest bit at a time."""

import numpy as np

from magicert.search.compiled import Word, precompiled
from magicert.search.finders.all_occupancies import Words
from magicert.search.guessing.kernel import (
    EXHAUSTED,
    HIGH_FIRST,
    KNOWN,
    PENDING,
    STATUS,
    TESTS,
    VALUE,
    descend,
    is_cut,
)

U = np.uint64
_0, _1, _2, _128 = U(0), U(1), U(2), U(128)


@precompiled(None)
def forbid_pair(pairs: Words, one: Word, other: Word) -> None:
    """Mark two literals, each 2 * bit + value, as forbidden together."""
    pairs[_2 * one + (other & _1)] |= _1 << (other >> _1)
    pairs[_2 * other + (one & _1)] |= _1 << (one >> _1)


@precompiled(None)
def forbid_triple(triples: Words, one: Word, two: Word, three: Word) -> None:
    """Mark three literals as forbidden together: `three` beside `one` and `two`."""
    mark = _1 << (three >> _1)
    triples[_2 * (_128 * one + two) + (three & _1)] |= mark
    triples[_2 * (_128 * two + one) + (three & _1)] |= mark


SIGNATURE = (
    "void(uint64[::1], uint64[::1], uint64[::1], uint64, uint64, uint64, uint64, uint64, uint64, "
    "uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[::1])"
)


@precompiled(SIGNATURE)
def settle_entries(
    words: Words, attacks: Words, classes: Words, width: Word, largest: Word, relevant: Word,
    size: Word, lowest: Word, effort: Word, pairs: Words, triples: Words,
    state: Words, stack: Words, table: Words, counters: Words,
) -> None:  # fmt: skip
    """Search every entry whose lowest bit is `lowest`, each for `effort` tests.

    `counters` are entries, disallowed entries and tests, over all calls; the stamps of
    `table` go on counting in state[TESTS].
    """
    none = triples[:0]
    second = lowest + _1
    while second < U(64) and (relevant >> second) != _0:
        # For pairs the loop over the third bit runs once, and there is no third bit.
        third = second + _1
        last = U(64) if size > _2 else third + _1
        while third < last and (size == _2 or (relevant >> third) != _0):
            bits = (_1 << lowest) | (_1 << second)
            if size > _2:
                bits |= _1 << third
            for choice in range(_1 << size):
                one = _2 * lowest + (choice & _1)
                two = _2 * second + ((choice >> _1) & _1)
                three = _2 * third + (choice >> _2)
                value = ((one & _1) << lowest) | ((two & _1) << second)
                known = (_1 << lowest) | (_1 << second)
                hopeless = False
                if size > _2:
                    hopeless = is_cut(pairs, none, known, value, third, three & _1)
                    hopeless = hopeless or is_cut(
                        pairs, none, _1 << lowest, value & (_1 << lowest), second, two & _1
                    )
                    value |= (three & _1) << third
                counters[0] += _1
                if not hopeless:
                    state[KNOWN], state[VALUE], state[PENDING] = bits, value, _0
                    before = state[TESTS]
                    descend(
                        words, attacks, classes, width, largest, relevant, U(HIGH_FIRST),
                        pairs, none, state, stack, before + effort, table,
                    )  # fmt: skip
                    counters[2] += state[TESTS] - before
                    hopeless = state[STATUS] == U(EXHAUSTED)
                if hopeless:
                    counters[1] += _1
                    if size == _2:
                        forbid_pair(pairs, one, two)
                    else:
                        forbid_triple(triples, one, two, three)
                        forbid_triple(triples, two, three, one)
                        forbid_triple(triples, one, three, two)
            third += _1
        second += _1
