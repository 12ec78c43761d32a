"""How a job shows its phases without knowing a terminal."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from magicert.engine import Observer


class Phase(AbstractContextManager["Phase"], Observer, Protocol):
    """An observer of one phase of a job, from its beginning to its end."""


Watch = Callable[[str, str], Phase]
"""`with watch("verifying surge.toml", "lookups") as observer:` begins a phase and names the unit
of what is done."""
