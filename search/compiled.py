"""How the kernels of this package are compiled, with the words and vectors that they share.

Helpers are inlined by LLVM and do no reference counting: they get tuples of some forty
arrays and create none, and counting references at each call made the search 100 times
slower. What is called seldom is a function of its own (`called`), so that it is compiled once.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from magicert.system.compiled import Compile, compiled
from magicert.system.words import popcount

Word = Any
"""In a kernel's annotations: a uint64. (numba takes its types from the signature.)"""

helper = compiled(inner=True, forceinline=True, _nrt=False)
called = compiled(inner=True, _nrt=False)
entry_point = compiled()


def precompiled(signature: str | None) -> Compile:
    """Compile a kernel for exactly one signature, with the interpreter's lock released.

    Without a signature (small helpers that kernels call) it is compiled on first use.
    All arithmetic in a kernel must be on uint64: a plain literal beside a uint64 would make
    numba fall back to int64 or float64, so literals are wrapped.
    """
    return compiled(signature, nogil=True)


# 64-bit words in compiled code: the constants that kernels share, and the lowest bit.
#
# All of it is uint64: beside a plain literal numba would fall back to int64 or float64.

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


# What kernels in vector instructions share: numba has no vectors, so they are written for LLVM.

WORD = ir.IntType(64)


def vector(lanes: int) -> Any:  # noqa: ANN401
    """The type of so many words."""
    return ir.VectorType(WORD, lanes)


def word_constant(value: int) -> Any:  # noqa: ANN401
    """A constant."""
    return ir.Constant(WORD, value)


def lane(number: int) -> Any:  # noqa: ANN401
    """The number of a lane."""
    return ir.Constant(ir.IntType(32), number)


def splat(builder: Any, value: Any, lanes: int) -> Any:  # noqa: ANN401
    """A vector with one value in all lanes."""
    zeros = ir.Constant(vector(lanes), [0] * lanes)
    inserted = builder.insert_element(zeros, value, lane(0))
    first_lanes = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(inserted, zeros, first_lanes)


def call_intrinsic(builder: Any, name: str, values: list[Any]) -> Any:  # noqa: ANN401
    """What an LLVM intrinsic makes of vectors that are as long as its result."""
    kind = ir.FunctionType(values[0].type, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)
