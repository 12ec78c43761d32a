"""Compiling kernels ahead of their first call, and keeping what was compiled.

numba keeps compiled kernels beside the source file or, where that is read-only, in the
user's cache folder. Where neither can be written (a container without a home) it refuses
to cache at all: then the kernel is compiled anew in every process, which is slow but right.
"""

from collections.abc import Callable
from typing import Any

import numba

Word = Any
"""In a kernel's annotations: a uint64. (numba takes its types from the signature.)"""


def precompiled(signature: str | None) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel for exactly one signature, with the interpreter's lock released.

    Without a signature (small helpers that kernels call) it is compiled on first use.
    All arithmetic in a kernel must be on uint64: a plain literal beside a uint64 would make
    numba fall back to int64 or float64, so literals are wrapped.
    """
    njit: Any = numba.njit
    signatures = () if signature is None else (signature,)

    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        try:
            return njit(*signatures, cache=True, nogil=True)(function)
        except RuntimeError as error:
            if "no locator" not in str(error):
                raise
            return njit(*signatures, nogil=True)(function)

    return decorate
