"""Compiling kernels with numba, and keeping what was compiled.

numba keeps compiled kernels beside the source file or, where that is read-only, in the
user's cache folder. Where neither can be written (a container without a home) it refuses
to cache at all: then the kernel is compiled anew in every process, which is slow but right.

numba's cache looks at the time of a function's own file, but the compiled code contains that of
the files that it imports. Here a hash of all of them, wherever they lie, is the cache's key: what
is installed again unchanged need not be compiled again.

Processes that want the same kernel at once wait for the first, and load what it has compiled.
"""

import ast
import glob
import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # another system: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

Compile = Callable[[Callable[..., Any]], Any]


def sources(module: str) -> str:
    """A hash of the source of a module and of everything of ours that it imports on loading."""
    source_of: dict[str, bytes] = {}
    left = [module]
    while left:
        name = left.pop()
        if name not in source_of:
            source_of[name] = Path(str(sys.modules[name].__file__)).read_bytes()
            left += _imports(name, source_of[name])
    sha = hashlib.sha256()
    for _, source in sorted(source_of.items()):
        sha.update(source)
    return sha.hexdigest()


@cache
def _imports(module: str, source: bytes) -> tuple[str, ...]:
    """The modules of this package, or of its own, that a loaded module imports at its top level:
    a test has kernels, too.
    """

    def names() -> Iterator[str]:
        for node in _import_statements(source):
            if isinstance(node, ast.ImportFrom) and not node.level:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
                yield str(node.module)
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)

    ours = tuple(f"{name.partition('.')[0]}." for name in (__name__, module))
    return tuple(name for name in names() if name.startswith(ours) and name in sys.modules)


_IMPORT = re.compile(rb"^(?:from|import)\b(?:[^\n(]|\([^)]*\))*", re.MULTILINE)
"""What looks like an import at the top level, with all lines of its brackets."""


def _import_statements(source: bytes) -> list[ast.stmt]:
    """The statements of a source at its top level, or of these those only that look like imports:
    to parse the rest as well would take a fifth of a second whenever a search begins.
    """
    try:
        return ast.parse(b"\n".join(_IMPORT.findall(source))).body
    except SyntaxError:  # a line of a text that begins so, or a bracket in a comment
        return ast.parse(source).body


def compiled(
    signature: str | None = None, *, inner: bool = False, **options: bool | str
) -> Compile:
    """Compile for exactly one signature, or without one on first use.

    An inner kernel is for other kernels to call: Python cannot (TypeError), and no copy of its
    code is compiled that could be called by Python. No kernel is made to be called by C.
    """
    options |= {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner}

    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        dispatcher = _dispatcher(function, options)
        if inner:
            _hide_from_python(dispatcher)
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return decorate


def _hide_from_python(dispatcher: Any) -> None:  # noqa: ANN401
    """Let a call by Python find nothing compiled, and refuse it: it would jump to address 0."""

    def refused(*_: object, **_names: object) -> None:
        raise TypeError(f"{dispatcher.py_func.__name__} is for kernels to call, not for Python")

    dispatcher._insert = lambda *_, **_names: None
    dispatcher._compile_for_args = refused


def is_compiled(kernel: Any) -> bool:  # noqa: ANN401
    """Whether this process or an earlier one has compiled a kernel, so that it need not be again
    (but for other types, or on another processor).
    """
    try:
        return bool(kernel.overloads or kernel._cache._cache_file._load_index())
    except Exception:  # no cache, or none that can be read
        return False


def _dispatcher(function: Callable[..., Any], options: dict[str, bool | str]) -> Any:  # noqa: ANN401
    njit: Any = numba.njit
    try:
        dispatcher = njit(cache=True, **options)(function)
        # A full disk: what cannot be kept is compiled again by the next process.
        dispatcher._cache._guard_against_spurious_io_errors = lambda: suppress(OSError)
        index = dispatcher._cache._cache_file
        index._source_stamp = sources(function.__module__)
        _forget_the_stale(index)
        dispatcher.compile = _once(dispatcher.compile, f"{index._index_path}.lock")
    except (AttributeError, OSError):  # another numba: rather no cache than a stale one
        return njit(**options)(function)
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
        return njit(**options)(function)
    return dispatcher


def _once(compile_for: Callable[[Any], Any], lock: str) -> Callable[[Any], Any]:
    """Compiling that waits for a process that compiles the same kernel. A kernel's lock is taken
    before those of the kernels that it calls, and numba's, which is between threads, before all.
    """

    def waits(signature: Any) -> Any:  # noqa: ANN401
        with global_compiler_lock, _locked(lock):
            return compile_for(signature)

    return waits


_HELD: set[str] = set()


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold a lock between processes; it ends with its process. Where none can be had, go on."""
    if path in _HELD or fcntl is None:
        yield
        return
    with ExitStack() as stack:
        with suppress(OSError):
            fcntl.flock(stack.enter_context(Path(path).open("w")), fcntl.LOCK_EX)
        _HELD.add(path)
        stack.callback(_HELD.remove, path)
        yield


def _forget_the_stale(index: Any) -> None:  # noqa: ANN401
    """An index that an older version left behind may name types that are no more.
    numba reads it before it looks at the stamp: such an index is emptied. And where nothing in an
    index counts, no code may be left that a process which died half-way through writing could pass
    off as fresh.
    """
    try:
        overloads = index._load_index()
    except Exception:  # what unpickling raises is anybody's guess
        overloads = {}
        index.flush()
    if not overloads:
        whole = Path(index._index_path)
        for path in whole.parent.glob(f"{glob.escape(whole.stem)}.*.nbc"):
            path.unlink(missing_ok=True)
