"""Compiling kernels with numba, and keeping what was compiled.

numba keeps compiled kernels beside the source file or, where that is read-only, in the
user's cache folder. Where neither can be written (a container without a home) it refuses
to cache at all: then the kernel is compiled anew in every process, which is slow but right.

numba's cache looks at a function's own file only, but its code has that of other files in
it: here a hash of all files of its room is a part of the cache's key.
"""

import glob
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

Compile = Callable[[Callable[..., Any]], Any]


def room_of(file: str) -> str:
    """A hash of the source beside a file."""
    sha = hashlib.sha256()
    for path in sorted(Path(file).parent.glob("*.py")):
        sha.update(path.read_bytes())
    return sha.hexdigest()


def compiled(room: str, signature: str | None = None, **options: bool | str) -> Compile:
    """Compile for exactly one signature, or without one on first use. `room` is room_of()."""

    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        dispatcher = _dispatcher(function, room, options)
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return decorate


def is_compiled(kernel: Any) -> bool:  # noqa: ANN401
    """Whether this process or an earlier one has compiled a kernel, so that it need not be again
    (but for other types, or on another processor).
    """
    try:
        return bool(kernel.overloads or kernel._cache._cache_file._load_index())
    except Exception:  # no cache, or none that can be read
        return False


def _dispatcher(function: Callable[..., Any], room: str, options: dict[str, bool | str]) -> Any:  # noqa: ANN401
    njit: Any = numba.njit
    try:
        kept = njit(cache=True, **options)(function)
        index = kept._cache._cache_file
        index._source_stamp = (index._source_stamp, room)
        _forget_the_stale(index)
    except (AttributeError, OSError):  # another numba: rather no cache than a stale one
        return njit(**options)(function)
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
        return njit(**options)(function)
    return kept


def _forget_the_stale(index: Any) -> None:  # noqa: ANN401
    """An index that an older version of the room left behind may name types that are no more.
    numba reads it before it looks at the stamp: such an index is emptied. And where nothing in an
    index counts, no code may be left that a process which died half-way through writing could pass
    off as fresh.
    """
    try:
        kept = index._load_index()
    except Exception:  # what unpickling raises is anybody's guess
        kept = {}
        index.flush()
    if not kept:
        whole = Path(index._index_path)
        for path in whole.parent.glob(f"{glob.escape(whole.stem)}.*.nbc"):
            path.unlink(missing_ok=True)
