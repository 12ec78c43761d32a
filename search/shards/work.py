"""What there is to do of a cell, cut in shards, and what a shard comes to."""

from dataclasses import dataclass

from magicert.cell import Cell
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import MIRROR, bits_of, down, up
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
    """A cell, the plan of its search, and the level at which it is cut in parts.

    With `record` the leaves are written and hashed, otherwise everything is only counted. Each
    part is a shard; but where the plan is mirrored, a shard is a part with its mirror image.
    """

    cell: Cell
    plan: AnyPlan
    level: int
    record: bool = True

    def __post_init__(self) -> None:
        if not is_mirrored(self.plan):
            return
        if self.record:
            raise ValueError('leaves are of m alone: no step "m" in their plan')
        if not 1 <= self.level <= self.plan.steps.index(MIRROR):
            raise ValueError(f'level {self.level}: expected 1 or more, up to the step "m"')

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return 1 << sum(map(bits_of, self.plan.steps[: self.level]))

    @property
    def shards(self) -> int:
        """How many shards there are: the first parts."""
        return self.parts // 2 if is_mirrored(self.plan) else self.parts

    def parts_of(self, shard: int) -> tuple[int, ...]:
        """The parts of a shard: its own, and if the plan is mirrored the one whose bits are all
        the other ones.
        """
        return (shard, self.parts - 1 - shard) if is_mirrored(self.plan) else (shard,)

    def root(self, number: int) -> Root:
        """The interval of part number n, in the order of the search."""
        low, left = 0, self.parts
        for (p, q), step in zip(self.plan.windows, self.plan.steps[: self.level], strict=False):
            left >>= bits_of(step)
            digit, number = divmod(number, left)
            low += _reversed(digit, up(step)) << q if up(step) else digit << (p - down(step))
        p, q = self.plan.windows[self.level]
        return q, low, low + (1 << p) - 1

    def is_everything(self) -> bool:
        """Whether the roots of the parts, together, are all m: each multiple of 2^p below 2^q
        begins one, for the window [p, q) at the level.
        """
        p, q = self.plan.windows[self.level]
        roots = {self.root(number) for number in range(self.parts)}
        return roots == {(q, low, low + (1 << p) - 1) for low in range(0, 1 << q, 1 << p)}


def _reversed(digit: int, bits: int) -> int:
    """The digit with its bits in reverse: the lowest new bit of m divides the children first."""
    return int(f"{digit:0{bits}b}"[::-1], 2)


def level_for(plan: AnyPlan, shards: float) -> int:
    """The first level that cuts a plan's search in at least so many parts, MOST_SHARDS at most. A
    mirrored plan has two or more.
    """
    shards = max(shards, 2) if is_mirrored(plan) else shards
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
