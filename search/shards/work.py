"""What there is to do of a cell, cut in shards, and what a shard comes to."""

from dataclasses import dataclass

from magicert.cell import Cell
from magicert.search.problem.plan import bits_of, down, up
from magicert.search.problem.plans import AnyPlan

Root = tuple[int, int, int]
"""(w, low, high): all m with low <= m mod 2^w <= high."""
MOST_SHARDS = 1 << 12
MOST_LISTED = 10_000
"""Intervals of magics that a shard lists; all are counted."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the search did: deterministic, so a replay must reproduce it.

    `nodes` were visited; `drops` are pieces cut off their ends; `cells` died in fans and
    chains, in `words` tests of 64 at once; `examined` occupancies were looked at in nodes.
    """

    nodes: int = 0
    drops: int = 0
    cells: int = 0
    words: int = 0
    examined: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(self.values, other.values, strict=True)))

    @property
    def values(self) -> tuple[int, int, int, int, int]:
        """As a tuple, in the order of the fields."""
        return self.nodes, self.drops, self.cells, self.words, self.examined

    @property
    def tests(self) -> int:
        """Nodes visited and words of cells tested."""
        return self.nodes + self.words


@dataclass(frozen=True, slots=True)
class Work:
    """A cell, the plan of its search, and the level at which it is cut in shards.

    With `record` the leaves are written and hashed, otherwise everything is only counted.
    """

    cell: Cell
    plan: AnyPlan
    level: int
    record: bool = True

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return 1 << sum(map(bits_of, self.plan.steps[: self.level]))

    def root(self, number: int) -> Root:
        """The interval of shard number n, in the order of the search."""
        low, left = 0, self.shards
        for (p, q), step in zip(self.plan.windows, self.plan.steps[: self.level], strict=False):
            left >>= bits_of(step)
            digit, number = divmod(number, left)
            low += _reversed(digit, up(step)) << q if up(step) else digit << (p - down(step))
        p, q = self.plan.windows[self.level]
        return q, low, low + (1 << p) - 1

    def is_everything(self) -> bool:
        """Whether the roots of the shards, together, are all m: each multiple of 2^p below 2^q
        begins one, for the window [p, q) at the level.
        """
        p, q = self.plan.windows[self.level]
        roots = {self.root(number) for number in range(self.shards)}
        return roots == {(q, low, low + (1 << p) - 1) for low in range(0, 1 << q, 1 << p)}


def _reversed(digit: int, bits: int) -> int:
    """The digit with its bits in reverse: the lowest new bit of m divides the children first."""
    return int(f"{digit:0{bits}b}"[::-1], 2)


def level_for(plan: AnyPlan, shards: float) -> int:
    """The first level that cuts a plan's search in at least so many shards, MOST_SHARDS at most."""
    count = 1
    for level, step in enumerate(plan.steps):
        more = count << bits_of(step)
        if count >= shards or more > MOST_SHARDS:
            return level
        count = more
    return 0


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What a shard came to. `sha256` is empty where nothing was recorded.

    `magics` are intervals [low, high] modulo 2^w of the whole cell, at most MOST_LISTED of
    them; `magic_count` counts every magic. `seconds` are of one core, by the `engine` named.
    `survivors` and `digest` are of the shard's chain (see recount.py), where it was asked for.
    """

    number: int
    counts: Counts
    leaves: int
    sha256: str
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    finished: bool = True
    survivors: int = 0
    digest: str = ""
    engine: str = ""
