"""How far a cell is: its shards, added up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from magicert.search.shards.work import Counts, ShardResult


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a cell is. `engines`: how many shards were done by which engine, "" where a
    ledger of the first version did not say.
    """

    shards: int
    done: int
    counts: Counts
    leaves: int
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    engines: Mapping[str, int]

    @property
    def finished(self) -> bool:
        """Whether every shard is done."""
        return self.done == self.shards


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
