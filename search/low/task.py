"""What a search with low bits first is about: nothing of it changes while the kernel runs.

A mask's squares are taken from the highest bit down. A *pattern* is a set of squares: bit n is the
n-th that was taken. So the patterns of the first t squares are the numbers below 2^t, and the
*new* ones of square t are those with bit t as their highest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.problem.low_plan import MOST_TAKEN, LowPlan
from magicert.search.problem.terms import Terms, Words, mask_bits

Ints = NDArray[np.int64]


class LowLevels(NamedTuple):
    """At level n m is known modulo 2^q[n], and squares[n] squares are taken. Its step adds width[n]
    bits; takes[n] says whether it takes a square.
    """

    q: Words
    width: Words
    squares: Ints
    takes: Ints


class Tests(NamedTuple):
    """What a new square's values are tested against.

    With t squares taken, the old patterns lonely[lonely_first[t]:lonely_first[t+1]] get, with the
    new square, an attack set that none of the old patterns has: every slot taken is a conflict.
    The other old patterns are in groups group_first[t]..group_first[t+1]: those of group g,
    hidden[hidden_first[g]:hidden_first[g+1]], get the attack set that the old patterns
    member[member_first[g]:member_first[g+1]] have.
    """

    lonely: Words
    lonely_first: Ints
    group_first: Ints
    hidden: Words
    hidden_first: Ints
    member: Words
    member_first: Ints


class LowTask(NamedTuple):
    """bit[t] is the mask bit of square t; attack[o] the attack set's number and row[o] the
    occupancy of pattern o. A bucket of products is 2^shift wide; slots outside
    [least_slot, most_slot] are forbidden. `record`: write leaves.
    """

    levels: LowLevels
    tests: Tests
    bit: Words
    attack: NDArray[np.int32]
    row: NDArray[np.int32]
    constant: np.uint64
    shift: np.uint64
    classes: np.uint64
    run: np.uint64
    least_slot: np.uint64
    most_slot: np.uint64
    record: bool


def low_task(
    terms: Terms, plan: LowPlan, level: int, end: int | None = None, record: bool = False
) -> LowTask:
    """The task of subtrees whose root is at `level`. With `end` the search stops at that level:
    what is open there counts as found.
    """
    plan.check(terms)
    squares = mask_bits(terms)[::-1]
    rows = {x: n for n, x in enumerate(terms.multiplicand.tolist())}
    row = [rows[_occupancy(pattern, squares)] for pattern in range(1 << len(squares))]
    attack = terms.attack[row]
    stop = len(plan.windows) if end is None else end + 1
    ends = [q for _, q in plan.windows[level:stop]]
    taken = [sum(64 - bit <= q for bit in squares) for q in ends]
    return LowTask(
        levels=LowLevels(
            q=np.array(ends, dtype=np.uint64),
            width=np.array([*plan.widths, 0][level:stop], dtype=np.uint64),
            squares=np.array(taken, dtype=np.int64),
            takes=np.array([*np.diff(taken), 0], dtype=np.int64),
        ),
        tests=_tests(attack.tolist(), len(squares)),
        bit=np.array([*squares, 0], dtype=np.uint64),
        attack=attack,
        row=np.array(row, dtype=np.int32),
        constant=np.uint64(terms.constant[0]),
        shift=np.uint64(terms.shift),
        classes=np.uint64(1 << max(0, terms.bits - MOST_TAKEN)),
        run=np.uint64(1 << max(0, MOST_TAKEN - terms.bits)),
        least_slot=np.uint64(terms.least_slot),
        most_slot=np.uint64(terms.most_slot),
        record=record,
    )


def _occupancy(pattern: int, squares: list[int]) -> int:
    return sum(1 << bit for n, bit in enumerate(squares) if pattern >> n & 1)


def _tests(attack: list[int], squares: int) -> Tests:
    """Small groups come first: they kill as often as large ones of the same attack set would."""
    lonely: list[int] = []
    hidden: list[int] = []
    member: list[int] = []
    lonely_first, group_first, hidden_first, member_first = [0], [0], [0], [0]
    for t in range(squares):
        old: dict[int, list[int]] = {}
        new: dict[int, list[int]] = {}
        for pattern in range(1 << t):
            old.setdefault(attack[pattern], []).append(pattern)
        for pattern in range(1 << t):
            own = attack[pattern | 1 << t]
            if own in old:
                new.setdefault(own, []).append(pattern)
            else:
                lonely.append(pattern)
        for own in sorted(new, key=lambda own: (len(new[own]), new[own])):
            hidden += new[own]
            member += old[own]
            hidden_first.append(len(hidden))
            member_first.append(len(member))
        lonely_first.append(len(lonely))
        group_first.append(len(hidden_first) - 1)
    return Tests(
        lonely=np.array(lonely or [0], dtype=np.uint64),
        lonely_first=np.array(lonely_first, dtype=np.int64),
        group_first=np.array(group_first, dtype=np.int64),
        hidden=np.array(hidden or [0], dtype=np.uint64),
        hidden_first=np.array(hidden_first, dtype=np.int64),
        member=np.array(member or [0], dtype=np.uint64),
        member_first=np.array(member_first, dtype=np.int64),
    )
