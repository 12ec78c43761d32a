"""A moment at which work ends: it travels with an order to whichever process carries it out."""

import time
from dataclasses import dataclass
from math import inf
from typing import Self


class BudgetOverError(Exception):
    """The time was over before the work was done."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Work ends at `ends`, in seconds of time.time(), which all processes share."""

    ends: float = inf

    @classmethod
    def after(cls, seconds: float | None) -> Self:
        """So many seconds from now; never, if none are said."""
        return cls() if seconds is None else cls(time.time() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, infinite without an end; 0 at the end and after it."""
        return max(0.0, self.ends - time.time())

    @property
    def over(self) -> bool:
        return self.left == 0

    def check(self) -> None:
        """Raise BudgetOverError at the end and after it."""
        if self.over:
            raise BudgetOverError


FOREVER = Deadline()
