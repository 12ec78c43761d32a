"""The lowest offset at which a set of indexes meets no slot that is taken.

Row displacement, as for sparse parse tables (Tarjan and Yao 1979), over 64-bit words: 64
slots are compared by one shift-and, and the first common slot ends the comparison.
"""

import numpy as np

from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, entry
from magicert.compact.layouts.bitset import word_at

U = np.uint64


@entry
def lowest_fit(taken: Words, used: Words, highest: Count) -> Count:
    """The lowest offset in 0..highest at which `used` meets nothing taken, or highest + 1.

    Both are bitsets; `taken` reaches a word further than `used` at offset `highest`.
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
