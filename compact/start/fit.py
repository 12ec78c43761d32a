"""First fit: the lowest offset at which a set of indexes meets no slot that is taken.

Row displacement, as for sparse parse tables (Tarjan and Yao 1979), over 64-bit words: 64
slots are compared by one shift-and, and the first common slot ends the comparison.
"""

import numpy as np

from magicert.compact.compiled import entry

U = np.uint64


@entry
def first_fit(taken, used, words, lowest, highest):  # type: ignore[no-untyped-def]
    """The lowest offset in lowest..highest that fits, or highest + 1.

    `taken` and `used` are bitsets; `used` has `words` words, `taken` reaches at least
    `words + 1` words beyond offset `highest`.
    """
    for offset in range(lowest, highest + 1):
        start = offset >> 6
        bits = U(offset & 63)
        fits = True
        for place in range(words):
            word = taken[start + place] >> bits
            if bits != U(0):
                word |= taken[start + place + 1] << (U(64) - bits)
            if word & used[place] != U(0):
                fits = False
                break
        if fits:
            return offset
    return highest + 1
