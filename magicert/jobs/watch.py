"""How a job shows its phases without knowing a terminal."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from magicert.engine import Observer, Quiet


class Phase(AbstractContextManager["Phase"], Observer, Protocol):
    """An observer of one phase of a job, from its beginning to its end."""


class Unseen(Quiet):
    """A phase that nobody looks at."""

    def __init__(self, doing: str, unit: str) -> None:
        """It shows nothing."""

    def __enter__(self) -> "Unseen":
        return self

    def __exit__(self, *error: object) -> None:
        """It keeps no error."""


Watch = Callable[[str, str], Phase]
"""`with watch("verifying surge.toml", "lookups") as observer:` begins a phase and names the unit
of what is done."""
