"""How the work of packing tells how far it is."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from magicert.system.deadline import Deadline

FOREVER = Deadline()


class Phase(NamedTuple):
    """A part of the work, and what it counts."""

    doing: str
    unit: str


Progress = Callable[[Phase, float, float, str], None]
"""Called with a phase, how much of it is done, how much there is in all, and a note."""
Mapper = Callable[..., Iterable[Any]]
"""Like the built-in `map`: carries out orders, in order, here or in other processes."""


def unseen(_phase: Phase, _done: float, _total: float, _note: str) -> None:
    """A progress that nobody looks at."""
