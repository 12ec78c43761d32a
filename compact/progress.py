"""What all work of packing is given: who carries it out, whom it tells how far it is, its end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from magicert.system.deadline import FOREVER, Deadline


class WorkPhase(NamedTuple):
    """A part of the work, and what it counts."""

    doing: str
    unit: str


Progress = Callable[[WorkPhase, float, float, str], None]
"""Called with a phase, how much of it is done, how much there is in all, and a note."""
Mapper = Callable[..., Iterable[Any]]
"""Like the built-in `map`: carries out orders, in order, here or in other processes."""


def ignore_progress(_phase: WorkPhase, _done: float, _total: float, _note: str) -> None:
    """A progress that nobody looks at."""


class Workers(NamedTuple):
    """Who carries out orders, whom they tell how far they are, and when all work ends."""

    mapper: Mapper = map
    progress: Progress = ignore_progress
    deadline: Deadline = FOREVER

    def each(
        self, phase: WorkPhase, work: Callable[[Any], Any], orders: Sequence[Any],
        note: Callable[[Any], str] = lambda _: "",
    ) -> Iterator[Any]:  # fmt: skip
        """What the orders come to, one after another."""
        self.progress(phase, 0, len(orders), "")
        for done, result in enumerate(self.mapper(work, orders), 1):
            yield result
            self.progress(phase, done, len(orders), note(result))


ALONE = Workers()
"""This process, unseen and without an end."""
