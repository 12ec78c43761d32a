"""For kernels run by Python (NUMBA_DISABLE_JIT): the words that only compiled code has."""

import numpy as np

from magicert.system import words

words.popcount = lambda x: np.uint64(int(x).bit_count())
words.high_product = lambda x, y: np.uint64(int(x) * int(y) >> 64)
