"""Workers that do not outlive who waits for them: processes, and threads."""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Event

SAFE_PATH = "PYTHONSAFEPATH"
"""With this in its environment a Python that is started looks for no module in the working folder:
a `tempfile.py` that lies there is somebody's own, and never to be run.
"""


@contextmanager
def safe_path() -> Iterator[None]:
    """Start a Python that does not look for its modules in the working folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. Whatever they still do when the block ends is dropped."""
    # Spawned, not forked: a fork of a process with threads may hang.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker)
    try:
        with safe_path():  # a process starts when there is work for it
            yield pool
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    # Ctrl-C is the parent's to handle; the others are ended by it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()


def die_with_parent() -> None:
    """A parent that is killed must leave nothing behind that runs for hours (Linux)."""
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


@contextmanager
def set_on_error(stop: Event) -> Iterator[None]:
    """Set `stop` when the block ends by an error, such as Ctrl-C at any moment: a pool of threads
    waits for all that was given to it before the error goes on.
    """
    try:
        yield
    except BaseException:
        stop.set()
        raise
