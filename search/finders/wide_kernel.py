"""The loop of random candidates for words of two lanes: each is tried until its first conflict.

As in trial_kernel.py the occupancies with the fewest blockers come first, and the table
of indexes is never cleared: an entry carries the number of the candidate that wrote it, above the
24 bits of the attack set's number.
"""

import numpy as np

from magicert.search.compiled import Word, precompiled
from magicert.search.finders import drawing
from magicert.search.finders.drawing import Words
from magicert.system.words import high_product

U = np.uint64
_0, _1, _2, _24 = U(0), U(1), U(2), U(24)

stream_word = precompiled(None)(drawing.stream_word)


@precompiled(None)
def index(low: Word, high: Word, magic_low: Word, magic_high: Word, shift: Word) -> Word:
    """The top bits of the product's high lane."""
    return (high_product(low, magic_low) + low * magic_high + high * magic_low) >> shift


@precompiled(
    "UniTuple(uint64, 3)(uint64[::1], uint64[::1], uint64[::1], uint64, uint64, uint64, uint64, "
    "uint64, uint64[::1])"
)
def first_magic(
    low: Words, high: Words, numbers: Words, shift: Word, ands: Word, key: Word, number: Word,
    end: Word, table: Words,
) -> tuple[Word, Word, Word]:  # fmt: skip
    """The first magic among candidates [number, end) of the stream `key`, in two lanes.

    Each lane of candidate t is the AND of `ands` words of the stream. `shift` is 64 less the index
    bits; `table` is as in trial_kernel.py. Returns (number of the magic or `end`, low lane, high
    lane).
    """
    count = U(len(low))
    while number < end:
        at = number * ands * _2
        magic_low, magic_high = stream_word(key, at), stream_word(key, at + _1)
        last = at + ands * _2
        at += _2
        while at < last:
            magic_low &= stream_word(key, at)
            magic_high &= stream_word(key, at + _1)
            at += _2
        stamp = (number + _1) << _24
        place = _0
        while place < count:
            slot = index(low[place], high[place], magic_low, magic_high, shift)
            entry = stamp | numbers[place]
            difference = table[slot] ^ entry
            if difference >> _24 != _0:
                table[slot] = entry
            elif difference != _0:
                break
            place += _1
        if place == count:
            return number, magic_low, magic_high
        number += _1
    return end, _0, _0
