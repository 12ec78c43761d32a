"""How a piece moves, as data: atoms of one rule each, and regions that it may not leave."""

from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from magicert.board.geometry import Board, bitboard

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


# Attack sets by walking from square to square: the truth for every piece and board.


def attack_set(board: Board, movement: Movement, square: int, occupied: int) -> int:
    """A(o): the squares that a piece on `square` attacks."""
    allowed = allowed_squares(board, movement, square)
    attacks = 0
    for atom in movement.atoms:
        for step in atom.steps:
            attacks |= step_attacks(board, atom, square, step, occupied, allowed)
    return attacks


@cache
def allowed_squares(board: Board, movement: Movement, square: int) -> int:
    """The squares of the regions that hold `square`; the whole board where there are none."""
    if not movement.regions:
        return board.full
    around = [region for region in movement.regions if region.holds(*board.place(square))]
    return bitboard(
        target
        for target in range(board.squares)
        if any(region.holds(*board.place(target)) for region in around)
    )


def step_attacks(
    board: Board, atom: Atom, square: int, step: Step, occupied: int, allowed: int
) -> int:
    """What one step of an atom attacks."""
    if atom.kind == "lame leaper":
        return _lame(board, atom, square, step, occupied, allowed)
    attacks = hurdles = behind = 0
    for distance, target in enumerate(board.line(square, step), 1):
        if not allowed >> target & 1:
            break
        blocked = occupied >> target & 1
        if atom.kind == "rider":
            attacks |= 1 << target
            if blocked or distance == atom.limit:
                break
            continue
        if hurdles:
            attacks |= 1 << target
            behind += 1
            if blocked or behind == atom.limit:
                break
        hurdles += blocked
    return attacks


def _lame(board: Board, atom: Atom, square: int, step: Step, occupied: int, allowed: int) -> int:
    target = next(board.line(square, step), None)
    if target is None or not allowed >> target & 1:
        return 0
    legs = (
        legs_between(board, target, square)
        if atom.from_target
        else legs_between(board, square, target)
    )
    return 0 if occupied & bitboard(legs) else 1 << target


@cache
def legs_between(board: Board, start: int, target: int) -> tuple[int, ...]:
    """The squares strictly inside the walk from `start` to `target`.

    It shortens the longer of the two distances by orthogonal steps, and goes diagonally
    when both are equal.
    """
    (file, rank), (last_file, last_rank) = board.place(start), board.place(target)
    legs: list[int] = []
    while True:
        across, up = last_file - file, last_rank - rank
        if abs(across) >= abs(up):
            file += (across > 0) - (across < 0)
        if abs(up) >= abs(across):
            rank += (up > 0) - (up < 0)
        if (file, rank) == (last_file, last_rank):
            return tuple(legs)
        leg = board.square(file, rank)
        assert leg is not None  # between two squares of the board
        legs.append(leg)
