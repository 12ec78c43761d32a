"""Which squares can change an attack set: the steps' blockers, the usual and the least mask.

A step's attacks depend on few squares, its *blockers*. Steps whose attacks have squares in
common are looked at together, as a *bundle*: a blocker of one may be hidden by the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from magicert.board.geometry import Board, bitboard, squares_of
from magicert.board.movement import (
    Atom,
    Movement,
    Step,
    allowed_squares,
    legs_between,
    step_attacks,
)

MOST_BLOCKERS = 20
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
    found: list[tuple[int, list[tuple[Atom, Step]]]] = []
    for atom in movement.atoms:
        for step in atom.steps:
            targets = bitboard(_targets(board, atom, square, step, allowed))
            if not targets:
                continue
            steps = [(atom, step)]
            for other in [one for one in found if one[0] & targets]:
                found.remove(other)
                targets, steps = targets | other[0], other[1] + steps
            found.append((targets, steps))
    return tuple(
        Bundle(
            tuple(steps),
            tuple(sorted({b for a, s in steps for b in _blockers(board, a, square, s, allowed)})),
        )
        for _, steps in found
    )


def _targets(board: Board, atom: Atom, square: int, step: Step, allowed: int) -> Iterator[int]:
    """The squares that a step may ever attack."""
    for distance, target in enumerate(board.line(square, step), 1):
        if not allowed >> target & 1:
            return
        yield target
        if atom.kind == "lame leaper" or (atom.kind == "rider" and distance == atom.limit):
            return


def _blockers(board: Board, atom: Atom, square: int, step: Step, allowed: int) -> Iterator[int]:
    """The squares that a step's attacks may depend on."""
    targets = list(_targets(board, atom, square, step, allowed))
    if not targets:
        return
    if atom.kind != "lame leaper":
        yield from targets[:-1]  # beyond the last one nothing can be hidden
    elif atom.from_target:
        yield from legs_between(board, targets[0], square)
    else:
        yield from legs_between(board, square, targets[0])


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

    Only where steps share targets and have more than 20 blockers between them may the mask
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
