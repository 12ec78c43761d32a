"""The stretches of a shard, in the order of the search: what they come to, and what is left."""

from dataclasses import dataclass, replace

from magicert.search.shards.rest import Rest
from magicert.search.shards.shard import ShardResult, Work


@dataclass(frozen=True, slots=True)
class Division:
    """A shard's stretches, which together are the shard: a result where it is done, else a rest.

    Results that are neighbours are joined, so a finished shard is a single result.
    """

    stretches: tuple[ShardResult | Rest, ...]

    @property
    def rests(self) -> tuple[Rest, ...]:
        """What is left."""
        return tuple(stretch for stretch in self.stretches if isinstance(stretch, Rest))

    @property
    def done(self) -> tuple[ShardResult, ...]:
        """What is done."""
        return tuple(stretch for stretch in self.stretches if not isinstance(stretch, Rest))

    @property
    def seconds(self) -> float:
        """Seconds of one core that the done part took."""
        return sum(stretch.seconds for stretch in self.done)

    def share(self, work: Work) -> float:
        """Which part of the shard's m is done."""
        return min(1.0, max(0.0, 1.0 - sum(rest.share(work) for rest in self.rests)))

    def enter(self, rest: Rest, result: ShardResult, left: tuple[Rest, ...]) -> "Division":
        """The division with `rest` replaced by the result of a run, and by what that run left."""
        place = self.stretches.index(rest)
        stretches: list[ShardResult | Rest] = list(self.stretches[:place])
        for stretch in (replace(result, rest=None), *left, *self.stretches[place + 1 :]):
            last = stretches[-1] if stretches else None
            if isinstance(stretch, Rest) or last is None or isinstance(last, Rest):
                stretches.append(stretch)
            else:
                stretches[-1] = last.joined(stretch)
        return Division(tuple(stretches))
