"""Random words by number: a small generator of our own, the same on every machine.

Word n of a stream is a mix of `key + (n + 1) * GAMMA` (SplitMix64: Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014). Since a word is a function of its
number, candidate number t is the same whoever tries it: a seed gives the same table with
every number of workers and after every interruption.
"""

from typing import Any

import numpy as np

from magicert.board import WORD

GAMMA = 0x9E37_79B9_7F4A_7C15
_FIRST = 0xBF58_476D_1CE4_E5B9
_SECOND = 0x94D0_49BB_1331_11EB

U = np.uint64
_G, _M1, _M2 = U(GAMMA), U(_FIRST), U(_SECOND)
_ONE, _27, _30, _31 = U(1), U(27), U(30), U(31)


def mix(x: int) -> int:
    """The finalizer of SplitMix64, in plain integers."""
    x = (x ^ x >> 30) * _FIRST & WORD
    x = (x ^ x >> 27) * _SECOND & WORD
    return x ^ x >> 31


def word(key: int, number: int) -> int:
    """Word `number` of the stream `key`, in plain integers: the reference of `stream_word`."""
    return mix((key + (number + 1) * GAMMA) & WORD)


def stream_key(seed: int, number: int) -> int:
    """The key of stream `number`: numbers and seeds get streams that have nothing in common."""
    key = mix(number)
    while True:
        key = mix(key ^ mix((seed & WORD) + GAMMA & WORD))
        seed >>= 64
        if not seed:
            return key


def stream_word(key: Any, number: Any) -> Any:  # noqa: ANN401
    """`word` of uint64: of one number in compiled code, or of an array of them in numpy."""
    x = key + (number + _ONE) * _G
    x = (x ^ (x >> _30)) * _M1
    x = (x ^ (x >> _27)) * _M2
    return x ^ (x >> _31)
