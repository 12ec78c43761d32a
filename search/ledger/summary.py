"""How far a cell is: its shards, added up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from magicert.search.shards.shard import (
    Counts,
    ShardResult,
)


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a cell is. `engines`: how many shards were done by which program. Besides those that
    are `done`, `begun` ones are done to `begun_share`, in shards; nothing else is said of them.
    """

    shards: int
    done: int
    counts: Counts
    leaves: int
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    engines: Mapping[str, int]
    begun: int = 0
    begun_share: float = 0.0

    @property
    def finished(self) -> bool:
        """Whether every shard is done."""
        return self.done == self.shards


class Progress(NamedTuple):
    """How far a cell is said to be: the `seconds` of each shard that is done, on one core; how many
    magics these found; and of shards that were `begun`, which share of each is done, in how many
    seconds.
    """

    seconds: list[float]
    magic_count: int
    begun: dict[int, tuple[float, float]]

    @property
    def done(self) -> int:
        """How many shards are done."""
        return len(self.seconds)


def summarise(results: list[ShardResult], shards: int) -> Summary:
    """Add up the results of different shards."""
    magics: list[tuple[int, int]] = []
    for result in results:
        magics += result.magics
    return Summary(
        shards=shards,
        done=len(results),
        counts=sum((result.counts for result in results), Counts()),
        leaves=sum(result.leaves for result in results),
        magics=tuple(sorted(magics)),
        magic_count=sum(result.magic_count for result in results),
        seconds=sum(result.seconds for result in results),
        engines=Counter(result.engine for result in results),
    )
