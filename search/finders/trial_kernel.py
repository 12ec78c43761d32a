"""The inner loop of trial: candidates from a stream, each tried until its first conflict.

Two numbers decide its speed: how many candidates are tried until one works (that is the
art of drawing them sparse: the AND of several random words) and how many occupancies are
looked up until a bad one fails (their order). The table of indexes is never cleared: an
entry carries the number of the candidate that wrote it, and others are as good as empty.
"""

import numpy as np

from magicert.search.compiled import Word, precompiled
from magicert.search.finders import drawing
from magicert.search.finders.drawing import HALVES_XOR, WIDE, Words
from magicert.system.words import popcount

U = np.uint64
_0, _1, _16, _32, _56 = U(0), U(1), U(16), U(32), U(56)
_LOW = U(0xFFFF_FFFF)

stream_word = precompiled(None)(drawing.stream_word)


@precompiled(None)
def index(form: Word, word: Word, magic: Word, shift: Word) -> Word:
    """The index of an occupancy's word: `word` is `occ & mask`, or `occ | ~mask` in black."""
    if form == U(WIDE):
        return (word * magic) >> shift
    low = (word & _LOW) * (magic & _LOW)
    high = (word >> _32) * (magic >> _32)
    if form == U(HALVES_XOR):
        return ((low ^ high) & _LOW) >> shift
    return ((low + high) & _LOW) >> shift


SIGNATURE = (
    "UniTuple(uint64, 4)"
    "(uint64[::1], uint64[::1], uint64, uint64, uint64, uint64, uint64, uint64, "
    "uint64, uint64, uint64, uint64[::1])"
)


@precompiled(SIGNATURE)
def first_magic(
    words: Words, attacks: Words, form: Word, shift: Word, largest: Word, mask: Word,
    ands: Word, least_top: Word, key: Word, number: Word, end: Word, table: Words,
) -> tuple[Word, Word, Word, Word]:  # fmt: skip
    """The first magic among candidates [number, end) of the stream `key`.

    Candidate t is the AND of stream words t*ands .. t*ands+ands-1; it is rejected at once
    if the top byte of mask * candidate has fewer than `least_top` ones. `table` has an
    entry per index, zero before the first call and handed on unchanged to the next; a
    candidate must not be tried twice with the same table. Returns (number of the magic or
    `end`, magic, candidates looked up, lookups).
    """
    looked_up = _0
    lookups = _0
    count = U(len(words))
    while number < end:
        at = number * ands
        magic = stream_word(key, at)
        last = at + ands
        at += _1
        while at < last:
            magic &= stream_word(key, at)
            at += _1
        if least_top > _0 and popcount((mask * magic) >> _56) < least_top:
            number += _1
            continue
        looked_up += _1
        stamp = (number + _1) << _16
        place = _0
        while place < count:
            slot = index(form, words[place], magic, shift)
            if slot > largest:
                break
            entry = stamp | attacks[place]
            difference = table[slot] ^ entry
            if difference >> _16 != _0:
                table[slot] = entry
            elif difference != _0:
                break
            place += _1
        lookups += place
        if place == count:
            return number, magic, looked_up, lookups
        number += _1
    return end, _0, looked_up, lookups
