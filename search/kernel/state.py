"""The memory of one depth-first search: everything the kernel changes.

The kernel can stop between any two nodes and go on later, because all that it knows is here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.state import ChainPads, new_chain_pads
from magicert.search.kernel.task import Task
from magicert.search.problem.terms import Terms, Words

Ints = NDArray[np.int64]
BLOCK = 1 << 16
"""Leaves in a full block of the stream."""
MARGIN = 1 << 14
"""More leaves than the kernel can write between two looks at the room left."""
MOST_FOUND = 1 << 10
"""Intervals of magics before the kernel stops to have them collected."""
MOST_DROPS = 1 << 12
"""Drops at one node; more are not tried (the node is then a little wider than it could be)."""

PAIRS = 8
"""Pairs of occupancies that are remembered below a chain."""

# What comes of a node, and of asking for its next child.
OPEN, DEAD = 0, 1
LAST_CHILD, CHILD, LATER = 0, 1, 2

# Places in State.register.
LEVEL, ENTERING, LOGGED, DEFERRED, SERIAL = range(5)
NODES, DROPS, CELLS, WORDS, EXAMINED = range(5, 10)
LEAVES, FOUND, WRITTEN = range(10, 13)
LOOKED = 13
"""EXAMINED counts all occupancies that a node would look at, this one those until it was dead."""


class Pads(NamedTuple):
    """The table of slots, and what each level of the search knows.

    `owner` and `holds` say which occupancy took a slot and with which attack set (-1: free).
    `taken` and `of_set[a]` are the same as bits, each slot repeated once per unit;
    `clash[a]` is derived from them for the fan, at the node whose serial is clash_at[a].
    `log` is the undo log: slots in the order in which they were taken. `seen[slot]` is the
    serial of a node that was glanced at, times 2^16, plus the attack set it has there, and
    `seen_row` the occupancy. `recent` are pairs of occupancies that conflicted before; a place
    where both are the same is free.

    `both` and `mirrored` are masks, one for each level: all ones where what is found dead must be
    so for m and ~m alike, and where m stands for ~m (see mirror.py). `sides` is 1 where a node that
    was split at a corner has a second side left, and `corner` the interval that it began with.
    """

    owner: NDArray[np.int32]
    holds: NDArray[np.int32]
    seen: Ints
    seen_row: NDArray[np.int32]
    recent: NDArray[np.int32]
    taken: Words
    of_set: Words
    clash: Words
    clash_at: Ints
    log: Words
    log_first: Ints
    base: Words
    low: Words
    high: Words
    both: Words
    mirrored: Words
    sides: Ints
    corner: Words
    alive: Words
    word: Ints
    serial: Ints
    pending: NDArray[np.int32]
    pendings: Ints
    killer: NDArray[np.int32]
    covered: Words
    certain: NDArray[np.int32]
    certain_slot: Words


class Leaves(NamedTuple):
    """The leaf buffer, with its deferred part: drops from above, due after the subtree.

    A leaf: [lo, lo + span] modulo 2^width, the occupancies that conflict on it, and the gap
    between it and the leaf before. `next_low` is where the leaf before ended.
    """

    width: NDArray[np.uint8]
    gap: Words
    span: Words
    first: NDArray[np.uint16]
    second: NDArray[np.uint16]
    next_low: Words
    later_low: Words
    later_high: Words
    later_pair: NDArray[np.int32]
    later_first: Ints


class State(NamedTuple):
    """All of it. `found` has the magics as intervals [low, high] modulo 2^width."""

    register: Ints
    pads: Pads
    leaves: Leaves
    found: Words
    chain: ChainPads


def new_state(terms: Terms, task: Task, most_found: int = MOST_FOUND) -> State:
    """A state for subtrees of a task. It serves one subtree after another."""
    units_log2 = int(task.units)
    levels, rows = len(task.plan.p) + 1, len(terms.attack)
    slots = 1 << terms.bits
    words = max(1, (slots << units_log2) // 64)
    sets = int(terms.attack.max()) + 2
    holds = np.full(slots, -1, dtype=np.int32)
    owner = np.full(slots, -1, dtype=np.int32)
    taken = np.zeros(words, dtype=np.uint64)
    for slot in range(slots):
        if not terms.least_slot <= slot <= terms.most_slot:
            # Nobody's attack set: a conflict for whoever comes.
            holds[slot] = sets - 1
            unit = slot << units_log2
            taken[unit >> 6] |= np.uint64(((1 << (1 << units_log2)) - 1) << (unit & 63))
    room = BLOCK + 2 * MARGIN if task.record else 1
    later = levels * MOST_DROPS if task.record else 1
    return State(
        register=np.zeros(16, dtype=np.int64),
        pads=Pads(
            owner=owner,
            holds=holds,
            seen=np.zeros(slots, dtype=np.int64),
            seen_row=np.zeros(slots, dtype=np.int32),
            recent=np.zeros((PAIRS, 2), dtype=np.int32),
            taken=taken,
            of_set=np.zeros((sets, words), dtype=np.uint64),
            clash=np.zeros((sets, words), dtype=np.uint64),
            clash_at=np.full(sets, -1, dtype=np.int64),
            log=np.zeros(rows + 1, dtype=np.uint64),
            log_first=np.zeros(levels, dtype=np.int64),
            base=np.zeros(levels, dtype=np.uint64),
            low=np.zeros(levels, dtype=np.uint64),
            high=np.zeros(levels, dtype=np.uint64),
            both=np.zeros(levels, dtype=np.uint64),
            mirrored=np.zeros(levels, dtype=np.uint64),
            sides=np.zeros(levels, dtype=np.int64),
            corner=np.zeros(2, dtype=np.uint64),
            alive=np.zeros(levels, dtype=np.uint64),
            word=np.zeros(levels, dtype=np.int64),
            serial=np.zeros(levels, dtype=np.int64),
            pending=np.zeros((levels, rows), dtype=np.int32),
            pendings=np.zeros(levels, dtype=np.int64),
            killer=np.zeros((levels, 64), dtype=np.int32),
            covered=np.zeros(levels, dtype=np.uint64),
            certain=np.zeros(rows + 1, dtype=np.int32),
            certain_slot=np.zeros(rows + 1, dtype=np.uint64),
        ),
        leaves=Leaves(
            width=np.zeros(room, dtype=np.uint8),
            gap=np.zeros(room, dtype=np.uint64),
            span=np.zeros(room, dtype=np.uint64),
            first=np.zeros(room, dtype=np.uint16),
            second=np.zeros(room, dtype=np.uint16),
            next_low=np.zeros(1, dtype=np.uint64),
            later_low=np.zeros(later, dtype=np.uint64),
            later_high=np.zeros(later, dtype=np.uint64),
            later_pair=np.zeros((later, 2), dtype=np.int32),
            later_first=np.zeros(levels, dtype=np.int64),
        ),
        found=np.zeros((most_found, 2), dtype=np.uint64),
        chain=new_chain_pads(task.chain),
    )


def begin(task: Task, state: State, base: int, bits: int) -> None:
    """Start the subtree of all m with [base, base + 2^bits) as its root's interval."""
    assert state.register[LOGGED] == 0, "the subtree before was not finished"
    state.register[:] = 0
    state.pads.seen[:] = 0
    state.pads.recent[:] = 0
    state.register[ENTERING] = 1
    state.pads.clash_at[:] = -1
    state.pads.base[0] = state.pads.low[0] = base
    state.pads.high[0] = base + (1 << bits) - 1
    state.pads.both[0], state.pads.mirrored[0] = task.both, 0
    state.leaves.next_low[0] = base


def counted(state: State) -> list[int]:
    """The counts so far, in the order of Counts."""
    return [int(state.register[n]) for n in (NODES, DROPS, CELLS, WORDS, EXAMINED)]
