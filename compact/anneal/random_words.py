"""Pseudo-random numbers for compiled code: xorshift64* (Vigna 2016)."""

import numpy as np
from numpy.typing import NDArray

from magicert.compact.compiled import Count, Word, entry, helper

U = np.uint64
Random = np.random.Generator
"""What everything that is not compiled draws from."""
State = NDArray[np.uint64]
"""The generator's state: one word, not 0."""
WARM_UP = 8
"""Numbers dropped after seeding: similar seeds begin alike."""

_MULTIPLIER = U(0x2545F4914F6CDD1D)


@entry
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
