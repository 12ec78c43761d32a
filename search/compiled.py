"""How the kernels of this room are compiled.

Helpers are inlined by LLVM and do no reference counting: they get tuples of some forty
arrays and create none, and counting references at each call made the search 100 times
slower. What is called seldom is a function of its own (`called`), so that it is compiled once.
"""

from typing import Any

from magicert.system.compiled import Compile, compiled

Word = Any
"""In a kernel's annotations: a uint64. (numba takes its types from the signature.)"""

helper = compiled(inner=True, forceinline=True, _nrt=False)
called = compiled(inner=True, _nrt=False)
entry = compiled()


def precompiled(signature: str | None) -> Compile:
    """Compile a kernel for exactly one signature, with the interpreter's lock released.

    Without a signature (small helpers that kernels call) it is compiled on first use.
    All arithmetic in a kernel must be on uint64: a plain literal beside a uint64 would make
    numba fall back to int64 or float64, so literals are wrapped.
    """
    return compiled(signature, nogil=True)
