"""Threads that are told when nobody waits for them any more."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event


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
