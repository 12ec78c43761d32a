"""How the kernel's functions are compiled.

Helpers are inlined by LLVM and do no reference counting: they get tuples of some forty
arrays and create none, and counting references at each call made the search 100 times
slower. numba's cache looks at a function's own file only: after a change to the constants
of state.py, remove search/__pycache__.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

helper: Callable[[Callable[..., Any]], Callable[..., Any]] = njit(
    cache=True,
    forceinline=True,
    _nrt=False,  # type: ignore[call-overload]  # known to numba, not to its types
)
entry: Callable[[Callable[..., Any]], Any] = njit(cache=True)
