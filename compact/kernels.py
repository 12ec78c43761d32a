"""What the kernels of packing share: pseudo-random words, the annealing walk, bitsets.

All words are uint64 and all counts int64: `uint64 * int` would quietly become int64 or float64,
so literals beside a word are wrapped. `tests/project` looks at the types that numba inferred. The
pseudo-random words are xorshift64* (Vigna 2016).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.placements import Words
from magicert.system.compiled import compiled

Word = Any
"""In a kernel's annotations: a uint64."""
Count = Any
"""In a kernel's annotations: an int64."""

helper = compiled(inline="always")
inner = compiled(forceinline=True, _nrt=False)
"""For what is called once a candidate: without counting references to the arrays of its records,
which cost the column kernel half of its speed. It may not make arrays."""
entry_point = compiled()

U = np.uint64
State = NDArray[np.uint64]
"""The generator's state: one word, not 0."""
WARM_UP = 8
"""Numbers dropped after seeding: similar seeds begin alike."""

_MULTIPLIER = U(0x2545F4914F6CDD1D)


@entry_point
def random_state(seed: Word) -> State:
    """The state of a generator, from a seed."""
    state = np.empty(1, np.uint64)
    state[0] = seed | U(1)
    for _ in range(WARM_UP):
        next_word(state)
    return state


@helper
def next_word(state: State) -> Word:
    """The next pseudo-random word."""
    x = state[0]
    x ^= x << U(13)
    x ^= x >> U(7)
    x ^= x << U(17)
    state[0] = x
    return x * _MULTIPLIER


@helper
def next_below(state: State, bound: Count) -> Count:
    """A pseudo-random int64 from 0 to bound - 1, for bounds far below 2^32."""
    return np.int64(((next_word(state) >> U(32)) * U(bound)) >> U(32))


@helper
def next_fraction(state: State) -> float:
    """A pseudo-random float in (0, 1]."""
    return (np.float64(next_word(state) >> U(11)) + 1.0) / 9007199254740993.0  # 2^53 + 1


# Simulated annealing, once: a walk through choices whose cost may rise less and less.
#
# What a choice is, what it costs and which choices are its neighbours is the caller's: compiled
# functions that are inlined into the loop.

REFUSED = 1 << 50
"""The cost of a choice that was given up early: more than any limit."""


class WalkEffort(NamedTuple):
    """How long a walk is, in candidates, and its first and last temperature, in costs."""

    steps: int
    hot: float
    cold: float


@helper
def walk(
    task: Any,  # noqa: ANN401
    start: Any,  # noqa: ANN401
    effort: WalkEffort,
    seed: Word,
    scratch: Any,  # noqa: ANN401
    neighbour: Callable[..., tuple[Any, bool]],
    cost_of: Callable[..., Count],
) -> tuple[Any, Count]:
    """The best choice met from `start`, and its cost.

    `neighbour(task, choice, state)` gives another choice, and whether it may be taken at all;
    `cost_of(task, choice, limit, scratch)` its cost, or REFUSED once that exceeds `limit`.
    The temperature falls geometrically; the walk ends early at a cost of 0, the least.
    """
    state = random_state(seed)
    choice = start
    cost = cost_of(task, choice, np.int64(REFUSED - 1), scratch)
    best, least = choice, cost
    temperature = effort.hot
    cooling = (effort.cold / effort.hot) ** (1.0 / effort.steps)
    for _ in range(effort.steps):
        if least <= 0:
            break
        temperature *= cooling
        candidate, possible = neighbour(task, choice, state)
        if not possible:
            continue
        limit = cost - np.int64(temperature * np.log(next_fraction(state)))
        candidate_cost = cost_of(task, candidate, limit, scratch)
        if candidate_cost <= limit:
            choice, cost = candidate, candidate_cost
            if cost < least:
                best, least = choice, cost
    return best, least


@inner
def word_at(words: Words, slot: Count) -> Word:
    """The 64 bits of a bitset from a slot on; the word behind must be there."""
    bits = U(slot & 63)
    word = words[slot >> 6] >> bits
    if bits != U(0):
        word |= words[(slot >> 6) + 1] << (U(64) - bits)
    return word


FREE = -1
"""What a slot holds that nobody uses; what others hold is the number of an attack set."""
Held = NDArray[np.int32]
"""What slots hold, or are to hold."""


@inner
def new_slots(held: Held, used: NDArray[np.int64], wanted: Held, offset: Count) -> Count:
    """How many free slots it takes to put `wanted[n]` into slot offset + used[n] for every n; -1
    where something else is in one of them.
    """
    free = np.int64(0)
    for place in range(len(used)):
        there = held[offset + used[place]]
        if there == FREE:
            free += 1
        elif there != wanted[place]:
            return np.int64(-1)
    return free


@entry_point
def lowest_fit(held: Held, used: NDArray[np.int64], wanted: Held, highest: Count) -> Count:
    """The lowest offset in 0..highest at which nothing else is in the way, or highest + 1.

    Row displacement, as for sparse parse tables (Tarjan and Yao 1979). `held` reaches as far as
    `used` at offset `highest`.
    """
    for offset in range(highest + 1):
        if new_slots(held, used, wanted, offset) >= 0:
            return offset
    return highest + 1


@entry_point
def fullest_fit(held: Held, used: NDArray[np.int64], wanted: Held, highest: Count) -> Count:
    """The offset in 0..highest that takes the fewest free slots, the lowest of those; highest + 1
    where none fits.
    """
    best, fewest = np.int64(highest + 1), np.int64(len(used) + 1)
    for offset in range(highest + 1):
        free = new_slots(held, used, wanted, offset)
        if 0 <= free < fewest:
            best, fewest = np.int64(offset), free
    return best
