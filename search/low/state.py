"""The memory of one depth-first search with low bits first: everything the kernel changes.

The kernel can stop between any two nodes and go on later, because all that it knows is here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.kernel.state import BLOCK, MARGIN, MOST_FOUND, Ints, Leaves
from magicert.search.low.strings import WORDS_EACH
from magicert.search.low.task import LowTask
from magicert.search.problem.terms import Terms, Words

VALUES = 256
"""Values that are tested together."""


class LowPads(NamedTuple):
    """What the levels know. Patterns of t squares have their products at product[2^t + pattern],
    once filled[t] says so; before, they are those of one square less, without and with the last
    square's, added[t].

    Strings of t squares begin at word t * classes * WORDS_EACH: `taken` has the slots of the
    patterns of t squares, `fresh` those of square t's new ones, for its value 0. `clash` is
    `taken` without the slots of one attack set.

    `m`, the living values of a node (`alive`, in the order of reversed bits) and the next one
    (`place`) are by level. `seen` says when a slot was last taken, and `seen_pattern` by whom;
    `owner` and `owned` are the same for the old patterns of a node whose leaves are written.
    """

    product: Words
    filled: Ints
    added: Words
    taken: Words
    fresh: Words
    clash: Words
    m: Words
    alive: Words
    place: Words
    seen: Ints
    seen_pattern: NDArray[np.int32]
    owned: Ints
    owner: NDArray[np.int32]
    reversed: Words


class LowState(NamedTuple):
    """All of it. `found` has the magics as intervals [low, high] modulo 2^width."""

    register: Ints
    pads: LowPads
    leaves: Leaves
    found: Words


def new_low_state(terms: Terms, task: LowTask, most_found: int = MOST_FOUND) -> LowState:
    """A state for subtrees of a task. It serves one subtree after another."""
    levels, squares = len(task.levels.q) + 1, len(task.bit)
    words = int(task.classes) * WORDS_EACH
    slots = 1 << terms.bits
    room = BLOCK + 2 * MARGIN if task.record else 1

    return LowState(
        register=np.zeros(16, dtype=np.int64),
        pads=LowPads(
            product=np.zeros(2 << squares, dtype=np.uint64),
            filled=np.zeros(squares + 1, dtype=np.int64),
            added=np.zeros(squares + 1, dtype=np.uint64),
            taken=np.zeros((squares + 1) * words, dtype=np.uint64),
            fresh=np.zeros((squares + 1) * words, dtype=np.uint64),
            clash=np.zeros(words, dtype=np.uint64),
            m=np.zeros(levels, dtype=np.uint64),
            alive=np.zeros((levels, VALUES // 64), dtype=np.uint64),
            place=np.zeros(levels, dtype=np.uint64),
            seen=np.zeros(slots, dtype=np.int64),
            seen_pattern=np.zeros(slots, dtype=np.int32),
            owned=np.zeros(slots, dtype=np.int64),
            owner=np.zeros(slots, dtype=np.int32),
            reversed=np.array([int(f"{n:08b}"[::-1], 2) for n in range(VALUES)], dtype=np.uint64),
        ),
        leaves=Leaves(
            width=np.zeros(room, dtype=np.uint8),
            gap=np.zeros(room, dtype=np.uint64),
            span=np.zeros(room, dtype=np.uint64),
            first=np.zeros(room, dtype=np.uint16),
            second=np.zeros(room, dtype=np.uint16),
            next_low=np.zeros(1, dtype=np.uint64),
            later_low=np.zeros(1, dtype=np.uint64),
            later_high=np.zeros(1, dtype=np.uint64),
            later_pair=np.zeros((1, 2), dtype=np.int32),
            later_first=np.zeros(1, dtype=np.int64),
        ),
        found=np.zeros((most_found, 2), dtype=np.uint64),
    )
