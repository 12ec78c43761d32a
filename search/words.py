"""64-bit words in compiled code: the constants that kernels share, and the lowest bit.

All of it is uint64: beside a plain literal numba would fall back to int64 or float64.
"""

import numpy as np

from magicert.search.compiled import Word, helper
from magicert.system.words import popcount

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

SIX = np.uint64(6)
"""log2 of the bits of a word."""
LAST = np.uint64(63)
"""The last bit of a word."""


@helper
def lowest(word: Word) -> Word:
    """The number of the lowest set bit, as uint64; 64 if there is none."""
    return popcount((word & (ZERO - word)) - ONE)
