"""Bit strings of slots: 256 positions in a ring, one for each value of the top eight bits.

A slot of eight bits or more lies at its top eight bits, in the string of its *class*, its other
bits. A slot of fewer bits fills a *run* of positions. A string is stored twice in a row, so that
256 bits can be read from any position on.

While a new square's value grows by one in the top eight bits, each slot moves by one position and
stays in its class: so one read at a product's position says for all 256 values which of them
meet the string.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.words import LAST, ONE, SIX, ZERO

WORDS_EACH = 8
"""Words of a string: four, twice."""
EACH, HALF = np.uint64(WORDS_EACH), np.uint64(WORDS_EACH // 2)
TOP = np.uint64(56)
"""A product's position are the bits from here on."""


@helper
def string_of(task, product):
    """Where a product's position lies in the strings of its number of squares: the word, and the
    bit in it.
    """
    own = (product >> task.shift) & (task.classes - ONE)
    return own * EACH + (product >> (TOP + SIX)), (product >> TOP) & LAST


@helper
def read(strings, word, bit):
    """64 positions from a bit of a word on."""
    return (strings[word] >> bit) | ((strings[word + ONE] << ONE) << (LAST - bit))


@helper
def put(task, strings, first, product):
    """Set a product's slot in the strings that begin at `first`, in their first halves."""
    word, bit = string_of(task, product)
    bits = task.run - ONE
    strings[first + word] |= widened(task, ONE << (bit & ~bits))


@helper
def take_out(task, strings, product):
    """Clear a product's slot in strings that begin at 0, in both halves."""
    word, bit = string_of(task, product)
    bits = ~widened(task, ONE << (bit & ~(task.run - ONE)))
    strings[word] &= bits
    strings[word + HALF] &= bits


@helper
def widened(task, starts):
    """Runs from the positions where they start."""
    if task.run == ONE:
        return starts
    if task.run > LAST:
        return ZERO - starts
    return starts * ((ONE << task.run) - ONE)


@helper
def snapped(task, positions):
    """The runs that have any of these positions."""
    by = ONE
    while by < task.run:
        positions |= positions >> by
        by <<= ONE
    starts = ONE
    by = task.run
    while by <= LAST:
        starts |= starts << by
        by <<= ONE
    return widened(task, positions & starts)


@helper
def repeat(task, strings, first):
    """Write the second half of every string from `first` on."""
    for own in range(task.classes):
        word = first + np.uint64(own) * EACH
        for n in range(HALF):
            strings[word + HALF + np.uint64(n)] = strings[word + np.uint64(n)]
