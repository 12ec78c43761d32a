"""How a piece moves, as data: atoms of one rule each, and regions that it may not leave."""

from dataclasses import dataclass
from typing import Literal, get_args

Step = tuple[int, int]
"""Files to the right, ranks up."""

Kind = Literal["rider", "hopper", "lame leaper"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Atom:
    """Steps that follow one rule.

    - A *rider* goes on along each step up to the first blocker, which it attacks.
    - A *hopper* attacks beyond exactly one hurdle, up to the next blocker (the cannon).
    - A *lame leaper* attacks the target of each step unless one of its legs is occupied.

    `limit` is how far the first two go: a rider so many steps, a hopper so many squares
    behind its hurdle (1: the grasshopper); 0 is no limit. A rider of limit 1 is a leaper.
    With `from_target` a lame leaper's attack set are the squares from which such a piece
    attacks: the legs lie on the walk back.
    """

    kind: Kind
    steps: tuple[Step, ...]
    limit: int = 0
    from_target: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r}: expected one of {', '.join(KINDS)}")
        if not self.steps:
            raise ValueError("no steps: expected at least one, such as [1, 0]")
        if (0, 0) in self.steps:
            raise ValueError("the step [0, 0] goes nowhere")
        if len(set(self.steps)) < len(self.steps):
            twice = next(step for step in self.steps if self.steps.count(step) > 1)
            raise ValueError(f"the step {list(twice)} stands there twice")
        if self.limit < 0:
            raise ValueError(f"limit {self.limit}: expected 0 (none) or more")
        lame = self.kind == "lame leaper"
        if lame and self.limit:
            raise ValueError("a lame leaper has no limit: expected 0")
        if self.from_target and not lame:
            raise ValueError(f"from_target with a {self.kind}: expected a lame leaper")


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle from one corner to the other, as files and ranks from 0."""

    low: tuple[int, int]
    high: tuple[int, int]

    def holds(self, file: int, rank: int) -> bool:
        """Whether a square lies in it."""
        return self.low[0] <= file <= self.high[0] and self.low[1] <= rank <= self.high[1]


@dataclass(frozen=True, slots=True)
class Movement:
    """A piece: the atoms it is made of, whose attack sets join.

    With `regions` it stays in those that hold its square, and has no moves outside all
    of them. `name` is how its maker called it: a name, or Betza's notation.
    """

    atoms: tuple[Atom, ...]
    regions: tuple[Region, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        if not self.atoms:
            raise ValueError("a piece without moves: expected at least one step")
