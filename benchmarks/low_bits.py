"""The plain search that published disproofs used: low bits first, one bit at a time.

Written for comparison in the style of search/kernel/descent.py, with none of its ideas: m modulo
2^q is known; every occupancy that does not see the bits above has its exact slot.
"""

import numpy as np
from numba import njit

ONE = np.uint64(1)


@njit(cache=True)
def low_bits_first(multiplicand, attack, first, shift, width, most):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Count the tests of a complete search: (tests, magics found). At most `most` tests.

    Rows are sorted by falling ctz; first[q] is how many are visible when q bits are known.
    """
    slots = 1 << (64 - shift)
    holds = np.full(slots, -1, dtype=np.int32)
    log = np.zeros(len(multiplicand) + 1, dtype=np.int64)
    log_first = np.zeros(width + 2, dtype=np.int64)
    side = np.zeros(width + 2, dtype=np.int64)
    shift64 = np.uint64(shift)
    m = np.uint64(0)
    tests = magics = logged = q = 0
    while q >= 0 and tests < most:
        if side[q] == 2:
            side[q] = 0
            q -= 1
            while logged > log_first[q + 1]:
                logged -= 1
                holds[log[logged]] = -1
            continue
        # Bit q of m is side[q]; it makes q + 1 bits known.
        bit = ONE << np.uint64(q)
        m = (m & (bit - ONE)) | (bit if side[q] else np.uint64(0))
        side[q] += 1
        tests += 1
        begin = logged
        alive = True
        for row in range(first[q], first[q + 1]):
            slot = np.int64((multiplicand[row] * m) >> shift64)
            if holds[slot] < 0:
                holds[slot] = attack[row]
                log[logged] = slot
                logged += 1
            elif holds[slot] != attack[row]:
                alive = False
                break
        if alive and q + 1 < width:
            q += 1
            log_first[q] = begin
            continue
        magics += alive
        while logged > begin:
            logged -= 1
            holds[log[logged]] = -1
    return tests, magics
