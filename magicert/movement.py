"""How a piece moves, what it attacks by a slow and obvious walk, and which squares matter for that.

As in `magicert.board`, everything here is plain Python on purpose: it is the truth that the fast
code is held against.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from itertools import islice, takewhile
from operator import or_
from typing import Literal, get_args

from magicert.board import Board, bitboard, squares_of

# How a piece moves, as data: atoms of one rule each, and regions that it may not leave.

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

    @property
    def rules(self) -> set[object]:
        """What it does, whatever it is called, and in whatever order its atoms stand."""
        steps = {(a.kind, step, a.limit, a.from_target) for a in self.atoms for step in a.steps}
        return {*steps, *self.regions}


# Attack sets by walking from square to square: the truth for every piece and board.


def attacks_of(board: Board, movement: Movement, square: int, occupied: int) -> int:
    """A(o): the squares that a piece on `square` attacks."""
    allowed = allowed_squares(board, movement, square)
    attacks = 0
    for atom in movement.atoms:
        for step in atom.steps:
            attacks |= step_attacks(board, atom, square, step, occupied, allowed)
    return attacks


@cache
def allowed_squares(board: Board, movement: Movement, square: int) -> int:
    """The squares of the regions that hold `square`; the whole board where there are none. From
    a hole there is no way to any.
    """
    if not board.has(square):
        return 0
    if not movement.regions:
        return board.full
    around = [region for region in movement.regions if region.holds(*board.place(square))]
    return bitboard(
        target
        for target in board.playable
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
    # The way does not lead over a hole.
    legs = bitboard(_legs(board, atom, square, target))
    return 0 if legs & (occupied | board.holes) else 1 << target


def _legs(board: Board, atom: Atom, square: int, target: int) -> tuple[int, ...]:
    """What a lame leaper walks over on its way to a target, or from there."""
    ends = (target, square) if atom.from_target else (square, target)
    return legs_between(board, *ends)


@cache
def legs_between(board: Board, start: int, target: int) -> tuple[int, ...]:
    """The squares strictly inside the walk from `start` to `target`, holes among them.

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
        legs.append(rank * board.files + file)


# Which squares can change an attack set: the steps' blockers, the usual and the least mask.
#
# A step's attacks depend on few squares, its *blockers*. Steps whose attacks have squares in
# common are looked at together, as a *bundle*: a blocker of one may be hidden by the other.

MOST_BLOCKERS = 12
"""Up to so many blockers of a bundle all their subsets are tried."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Steps of a piece on a square that share targets with each other and with no others.

    `blockers` are all squares that their attacks may depend on, lowest first. Two bundles have
    no target in common, but may have blockers in common: a horse's leg bars two of its steps.
    """

    steps: tuple[tuple[Atom, Step], ...]
    blockers: tuple[int, ...]

    def attacks(self, board: Board, movement: Movement, square: int, occupied: int) -> int:
        """What these steps attack."""
        allowed = allowed_squares(board, movement, square)
        parts = (step_attacks(board, a, square, s, occupied, allowed) for a, s in self.steps)
        return reduce(or_, parts, 0)


@cache
def bundles(board: Board, movement: Movement, square: int) -> tuple[Bundle, ...]:
    """The steps of a piece on a square, in bundles; steps off the board are left out."""
    allowed = allowed_squares(board, movement, square)
    groups: list[tuple[int, list[tuple[Atom, Step]]]] = []
    for atom in movement.atoms:
        for step in atom.steps:
            targets = bitboard(_targets(board, atom, square, step, allowed))
            if not targets:
                continue
            steps = [(atom, step)]
            for other in [group for group in groups if group[0] & targets]:
                groups.remove(other)
                targets, steps = targets | other[0], other[1] + steps
            groups.append((targets, steps))
    return tuple(
        Bundle(
            tuple(steps),
            tuple(sorted({b for a, s in steps for b in _blockers(board, a, square, s, allowed)})),
        )
        for _, steps in groups
    )


@cache
def _targets(board: Board, atom: Atom, square: int, step: Step, allowed: int) -> tuple[int, ...]:
    """The squares that a step may ever attack."""
    most = 1 if atom.kind == "lame leaper" else (atom.kind == "rider" and atom.limit) or None
    inside = takewhile(lambda target: allowed >> target & 1, board.line(square, step))
    targets = tuple(islice(inside, most))
    if atom.kind == "lame leaper" and targets:
        legs = bitboard(_legs(board, atom, square, targets[0]))
        return () if legs & board.holes else targets
    return targets


def _blockers(board: Board, atom: Atom, square: int, step: Step, allowed: int) -> Iterator[int]:
    """The squares that a step's attacks may depend on."""
    targets = _targets(board, atom, square, step, allowed)
    if not targets:
        return
    if atom.kind != "lame leaper":
        yield from targets[:-1]  # beyond the last one nothing can be hidden
    else:
        yield from _legs(board, atom, square, targets[0])


def moves_at_all(board: Board, movement: Movement) -> bool:
    """Whether a piece attacks anything, from some square.

    If it does, then on the empty board or, as a hopper, on the full one.
    """
    return any(
        attacks_of(board, movement, square, occupied)
        for square in range(board.squares)
        for occupied in (0, board.full)
    )


@cache
def usual_mask(board: Board, movement: Movement, square: int) -> int:
    """The mask that engines take: all squares on the lines of riders and hoppers, and all legs,
    inside the region and without the edges that the piece does not stand on; and whatever can
    matter besides.
    """
    allowed = allowed_squares(board, movement, square)
    crossed: set[int] = set()
    for atom in movement.atoms:
        for step in atom.steps:
            if atom.kind == "lame leaper":
                crossed.update(_blockers(board, atom, square, step, board.full))
            else:
                crossed.update(_targets(board, atom, square, step, allowed))
    usual = bitboard(crossed) & allowed & ~_edges(board, square)
    return usual | least_mask(board, movement, square)


def _edges(board: Board, square: int) -> int:
    """The board's edges without those that the square stands on."""
    file, rank = board.place(square)
    files = (_file(board, end) for end in {0, board.files - 1} - {file})
    ranks = (_rank(board, end) for end in {0, board.ranks - 1} - {rank})
    return reduce(or_, [*files, *ranks], 0)


@cache
def _file(board: Board, file: int) -> int:
    return bitboard(range(file, board.squares, board.files))


@cache
def _rank(board: Board, rank: int) -> int:
    return bitboard(range(rank * board.files, (rank + 1) * board.files))


@cache
def least_mask(board: Board, movement: Movement, square: int) -> int:
    """The squares whose occupancy can change the attack set: all of them, and no others.

    Only where steps share targets and have more than 12 blockers between them may the mask
    hold a square that another step always hides.
    """
    least = 0
    for bundle in bundles(board, movement, square):
        if len(bundle.steps) == 1 or len(bundle.blockers) > MOST_BLOCKERS:
            least |= bitboard(bundle.blockers)
        else:
            least |= _that_matter(board, movement, square, bundle)
    return least


def _that_matter(board: Board, movement: Movement, square: int, bundle: Bundle) -> int:
    """The blockers of a bundle whose occupancy changes its attacks, by trying all subsets."""
    occupancies = [0]
    for blocker in bundle.blockers:
        occupancies += [occupied | 1 << blocker for occupied in occupancies]
    attacks = {o: bundle.attacks(board, movement, square, o) for o in occupancies}
    return bitboard(
        blocker
        for blocker in squares_of(bitboard(bundle.blockers))
        if any(attacks[o] != attacks[o | 1 << blocker] for o in occupancies)
    )
