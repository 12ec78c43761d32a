"""How the kernel's functions are compiled.

Helpers are inlined by LLVM and do no reference counting: they get tuples of some forty
arrays and create none, and counting references at each call made the search 100 times
slower. What is called seldom is a function of its own (`called`), so that it is compiled once.

numba's cache looks at a function's own file only, but its code has that of other files in
it: here the whole room is a part of the cache's key.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

Compile = Callable[[Callable[..., Any]], Callable[..., Any]]


def _room() -> str:
    """A hash of this folder's source."""
    sha = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        sha.update(path.read_bytes())
    return sha.hexdigest()


ROOM = _room()


def compiled(**options: bool) -> Compile:
    """Compile on first use, and keep what was compiled where that can be written."""
    njit: Any = numba.njit

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        plain: Callable[..., Any] = njit(**options)(function)
        try:
            kept: Any = njit(cache=True, **options)(function)
            index = kept._cache._cache_file
            index._source_stamp = (index._source_stamp, ROOM)
        except AttributeError:  # another numba: rather no cache than a stale one
            return plain
        except RuntimeError as error:
            if "no locator" not in str(error):
                raise
            return plain
        result: Callable[..., Any] = kept
        return result

    return decorate


helper = compiled(forceinline=True, _nrt=False)
called = compiled(_nrt=False)
entry = compiled()
