"""Attack sets by walking from square to square: the truth for every piece and board."""

from functools import cache

from magicert.board.bits import bitboard
from magicert.board.geometry import Board
from magicert.board.movement import Atom, Movement, Step


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
