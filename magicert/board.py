"""Boards, pieces, squares: the geometry, by a slow and obvious walk.

A bitboard is an int whose bit s stands for square s; bit = rank * files + file, a1 = 0.
Everything here is plain Python on purpose: it is the truth that the fast code is held
against, so it must be readable at a glance.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, reduce
from itertools import islice, takewhile
from operator import or_
from typing import Literal, get_args

FILES = "abcdefghijklmnopqrstuvwxyz"
MOST_SQUARES = 128
"""The bits of the longest word."""

WORD = (1 << 64) - 1
"""All 64 bits."""


@dataclass(frozen=True)
class Board:
    """A board of `files` x `ranks` squares: 1 to 26 files, at most 128 squares.

    A square is 0..squares-1 with a1=0 and b1=1; the next rank begins at `files`.
    """

    files: int
    ranks: int

    def __post_init__(self) -> None:
        if not 1 <= self.files <= len(FILES) or self.ranks < 1:
            raise ValueError(f"board {self}: expected 1 to {len(FILES)} files, and ranks from 1")
        if self.squares > MOST_SQUARES:
            raise ValueError(
                f"board {self}: {self.squares} squares, expected at most {MOST_SQUARES}"
            )

    @cached_property
    def squares(self) -> int:
        return self.files * self.ranks

    @cached_property
    def word(self) -> int:
        """The bits of the words that hold a bitboard: 64 up to 64 squares, 128 above."""
        return 64 if self.squares <= 64 else 128

    @cached_property
    def full(self) -> int:
        return (1 << self.squares) - 1

    def square(self, file: int, rank: int) -> int | None:
        """The square on a file and rank, each from 0; None where the board does not reach."""
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def place(self, square: int) -> tuple[int, int]:
        """The file and the rank of a square, each from 0."""
        rank, file = divmod(square, self.files)
        return file, rank

    def line(self, square: int, step: tuple[int, int]) -> Iterator[int]:
        """The squares from `square` by one step, two steps and so on, to the board's edge."""
        (file, rank), (across, up) = self.place(square), step
        file, rank = file + across, rank + up
        while 0 <= file < self.files and 0 <= rank < self.ranks:
            yield rank * self.files + file
            file, rank = file + across, rank + up

    def name(self, square: int) -> str:
        """The name of a square: 0 is "a1"."""
        if not 0 <= square < self.squares:
            raise ValueError(f"square {square}: expected 0..{self.squares - 1}")
        file, rank = self.place(square)
        return f"{FILES[file]}{rank + 1}"

    def hex(self, bits: int) -> str:
        """A bitboard as text, as wide as the board's words."""
        return f"0x{bits:0{self.word // 4}x}"

    def parse(self, name: str) -> int:
        """The square called `name`; ValueError unless the board has one."""
        match = re.fullmatch(r"([a-z])([1-9][0-9]{0,2})", name, re.ASCII)
        square = match and self.square(FILES.index(match[1]), int(match[2]) - 1)
        if square is None:
            raise ValueError(f"square {name!r}: expected a1..{self.name(self.squares - 1)}")
        return square

    def __str__(self) -> str:
        return f"{self.files}x{self.ranks}"


CHESS = Board(8, 8)


def parse_board(text: str) -> Board:
    """The board called "12x10": files, then ranks. ValueError for anything else."""
    match = re.fullmatch(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})", text, re.ASCII)
    if not match:
        raise ValueError(f"board {text!r}: expected files and ranks, such as 12x10")
    return Board(int(match[1]), int(match[2]))


# Bitboards as integers: bit s stands for square s.


def bitboard(squares: Iterable[int]) -> int:
    """The bitboard with exactly these squares."""
    board = 0
    for square in squares:
        board |= 1 << square
    return board


def squares_of(board: int) -> Iterator[int]:
    """The squares of a bitboard, lowest first."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


# Square orders: which square of the board a bit, or a row of a table, stands for.
#
# An order is named by its first square, a corner of the board, when the squares run along the
# ranks, and with `-files` behind it when they run along the files. Of 8x8 these are `a1`, `h1`,
# `a8`, `h8`, `a1-files` (a1, a2, ..., h8) and so on; of 9x10 `a1`, `i1`, `a10`, `i10`, `a1-files`
# (a1, a2, ..., a10, b1, ...) and so on.

BY_FILES = "-files"


@cache
def orders(board: Board) -> tuple[str, ...]:
    """The names of a board's square orders; `a1` is the first."""
    last = board.files - 1
    top = (board.ranks - 1) * board.files
    corners = dict.fromkeys(board.name(square) for square in (0, last, top, top + last))
    return (*corners, *(corner + BY_FILES for corner in corners))


ORDERS = orders(CHESS)
"""Those of chess. All of them are symmetries of its board."""


@cache
def squares_in(order: str, board: Board) -> tuple[int, ...]:
    """All squares, in their order.

    Raises ValueError for an order that the board has not.
    """
    if order not in orders(board):
        message = f"square order {order!r}: expected one of {', '.join(orders(board))}"
        raise ValueError(message)
    corner = board.parse(order.removesuffix(BY_FILES))
    file, rank = board.place(corner)
    across = range(board.files) if file == 0 else range(board.files - 1, -1, -1)
    up = range(board.ranks) if rank == 0 else range(board.ranks - 1, -1, -1)
    if order.endswith(BY_FILES):
        return tuple(rank * board.files + file for file in across for rank in up)
    return tuple(rank * board.files + file for rank in up for file in across)


@cache
def _places(order: str, board: Board) -> tuple[int, ...]:
    places = [0] * board.squares
    for place, square in enumerate(squares_in(order, board)):
        places[square] = place
    return tuple(places)


@cache
def row_bits(order: str, listing: str, board: Board) -> tuple[int, ...]:
    """Of lists that stand in `listing`, the place of each row's square in `order`."""
    places = _places(order, board)
    return tuple(places[square] for square in squares_in(listing, board))


@cache
def names_in(order: str, board: Board) -> tuple[str, ...]:
    """The names of all squares, in their order."""
    return tuple(map(board.name, squares_in(order, board)))


def square_at(order: str, place: int, board: Board = CHESS) -> int:
    """The square (a1=0) that stands at `place` of `order`.

    Raises ValueError for an unknown order.
    """
    return squares_in(order, board)[place]


def place_of(order: str, square: int, board: Board = CHESS) -> int:
    """The place of `square` in `order`: the inverse of `square_at`."""
    return _places(order, board)[square]


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
    return tuple(islice(inside, most))


def _blockers(board: Board, atom: Atom, square: int, step: Step, allowed: int) -> Iterator[int]:
    """The squares that a step's attacks may depend on."""
    targets = _targets(board, atom, square, step, allowed)
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


# Chess: the rook and the bishop of the 8x8 board, as the rooms of chess call them.
#
# The only module that knows of 8x8. A square is 0..63 with a1=0, b1=1, h8=63.


class Piece(StrEnum):
    """A sliding piece with a magic table of its own (the queen is the sum of both)."""

    ROOK = "rook"
    BISHOP = "bishop"


# A direction is a step in files and a step in ranks.
DIRECTIONS: dict[Piece, tuple[tuple[int, int], ...]] = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}

MOVEMENTS: dict[Piece, Movement] = {
    piece: Movement((Atom("rider", steps),), name=piece.value)
    for piece, steps in DIRECTIONS.items()
}
"""Both pieces as data."""


def square_name(square: int) -> str:
    """The name of a square: 0 is "a1", 63 is "h8"."""
    return CHESS.name(square)


def parse_square(name: str) -> int:
    """The square called `name`; ValueError unless it is a1..h8."""
    return CHESS.parse(name)


def ray(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `square` to the board's edge in one direction, nearest first."""
    return list(CHESS.line(square, direction))


FIXED_BITS = {Piece.ROOK: 12, Piece.BISHOP: 9}
"""The squares of the widest mask: with one shift for all squares of a piece it decides."""


@cache
def mask(piece: Piece, square: int) -> int:
    """The relevant occupancy: the rays of `piece` without the last square of each ray."""
    return least_mask(CHESS, MOVEMENTS[piece], square)


def attack_set(piece: Piece, square: int, occupied: int) -> int:
    """A(o): the squares that `piece` on `square` attacks, each ray up to its first blocker."""
    return attacks_of(CHESS, MOVEMENTS[piece], square, occupied)
