"""Slots as a bitset: slot n is bit n & 63 of word n >> 6."""

from collections.abc import Sequence

import numpy as np

from magicert.compact.anneal.squares import Slots, Words
from magicert.compact.compiled import Count, Word, entry, inner

U = np.uint64


def bitset(slots: Sequence[Slots], length: int) -> Words:
    """The bitset of some slots below `length`, with a spare word behind."""
    flags = np.zeros((length + 63) // 64 * 64 + 64, dtype=np.uint8)
    for part in slots:
        flags[part] = 1
    return np.packbits(flags, bitorder="little").view(np.uint64)


@inner
def word_at(words: Words, slot: Count) -> Word:
    """The 64 bits of a bitset from a slot on; the word behind must be there."""
    bits = U(slot & 63)
    word = words[slot >> 6] >> bits
    if bits != U(0):
        word |= words[(slot >> 6) + 1] << (U(64) - bits)
    return word


@entry
def lowest_fit(taken: Words, used: Words, highest: Count) -> Count:
    """The lowest offset in 0..highest at which `used` meets nothing taken, or highest + 1.

    Row displacement, as for sparse parse tables (Tarjan and Yao 1979), 64 slots at once. Both
    are bitsets; `taken` reaches a word further than `used` at offset `highest`.
    """
    for offset in range(highest + 1):
        fits = True
        for place in range(len(used)):
            if word_at(taken, offset + 64 * place) & used[place] != U(0):
                fits = False
                break
        if fits:
            return offset
    return highest + 1
