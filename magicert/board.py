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
MOST_SQUARES = 256
"""The bits of the longest word."""
LONG_SIDES = 128
"""Up to so many squares a board may have any sides, up to 26 files."""
LONGEST_SIDE = 16
"""The longest side of a larger board."""

WORD = (1 << 64) - 1
"""All 64 bits."""


def word_of(squares: int) -> int:
    """The bits of the words that hold a bitboard of so many squares."""
    return next(bits for bits in (64, 128, 256) if squares <= bits)


@dataclass(frozen=True)
class Board:
    """A board of `files` x `ranks` squares, at most 256: 16 x 16, or up to 26 files and any ranks
    where there are at most 128 squares.

    A square is 0..squares-1 with a1=0 and b1=1; the next rank begins at `files`. `holes` are
    squares that are no part of the board, as a bitboard: they keep their numbers, no piece stands
    there, and riders stop before them as at the edge.
    """

    files: int
    ranks: int
    holes: int = 0

    def __post_init__(self) -> None:
        size = f"{self.files}x{self.ranks}"
        if not 1 <= self.files <= len(FILES) or self.ranks < 1:
            raise ValueError(f"board {size}: expected 1 to {len(FILES)} files, and ranks from 1")
        squares = self.files * self.ranks
        if squares > LONG_SIDES and max(self.files, self.ranks) > LONGEST_SIDE:
            expected = f"expected at most {LONGEST_SIDE} a side beyond {LONG_SIDES} squares"
            raise ValueError(f"board {size}: {squares} squares, {expected}")
        if self.holes >> squares:
            raise ValueError(f"board {size}: expected holes among its {squares} squares")
        if self.holes.bit_count() == squares:
            raise ValueError(f"board {size}: all squares are holes: expected one that is none")

    @cached_property
    def squares(self) -> int:
        """How many numbers squares have, those of holes among them."""
        return self.files * self.ranks

    @cached_property
    def word(self) -> int:
        """The bits of the words that hold a bitboard, 64, 128 or 256: as few as can be."""
        return word_of(self.squares)

    @cached_property
    def full(self) -> int:
        """All squares but the holes."""
        return ((1 << self.squares) - 1) & ~self.holes

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """The squares that are no holes, lowest first."""
        return tuple(squares_of(self.full))

    def has(self, square: int) -> bool:
        """Whether a square is part of the board: on it, and no hole."""
        return bool(self.full >> square & 1)

    def square(self, file: int, rank: int) -> int | None:
        """The square on a file and rank, each from 0; None where the board does not reach, and
        for a hole.
        """
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            square = rank * self.files + file
            return None if self.holes >> square & 1 else square
        return None

    def place(self, square: int) -> tuple[int, int]:
        """The file and the rank of a square, each from 0."""
        rank, file = divmod(square, self.files)
        return file, rank

    def line(self, square: int, step: tuple[int, int]) -> Iterator[int]:
        """The squares from `square` by one step, two steps and so on, to the board's edge or to
        the first hole.
        """
        (file, rank), (across, up) = self.place(square), step
        file, rank = file + across, rank + up
        while (target := self.square(file, rank)) is not None:
            yield target
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
        square = self.parse_corner(name)
        self.check_no_hole(square)
        return square

    def parse_corner(self, name: str) -> int:
        """The same for what may be a hole: a corner of a rectangle, or of the whole board."""
        match = re.fullmatch(r"([a-z])([1-9][0-9]{0,2})", name, re.ASCII)
        file, rank = (FILES.index(match[1]), int(match[2]) - 1) if match else (self.files, 0)
        if file >= self.files or rank >= self.ranks:
            last = self.name(self.squares - 1)
            raise ValueError(f"{name!r} is not on this board: expected a1..{last}")
        return rank * self.files + file

    def check_no_hole(self, square: int) -> None:
        """Raise ValueError for a hole."""
        if self.holes >> square & 1:
            raise ValueError(f"square {self.name(square)!r}: a hole of {self}: expected a square")

    def rectangle(self, text: str) -> int:
        """The squares of a rectangle by two of its corners, as in "a1-c2", or a square alone, as a
        bitboard; holes among them. Raises ValueError.
        """
        ends = [self.place(self.parse_corner(corner.strip())) for corner in text.split("-")]
        if len(ends) > 2:
            raise ValueError(f"{text!r}: expected a square, or two corners such as a1-c2")
        (left, right), (low, high) = (sorted((ends[0][axis], ends[-1][axis])) for axis in (0, 1))
        across, up = range(left, right + 1), range(low, high + 1)
        return bitboard(rank * self.files + file for file in across for rank in up)

    def __str__(self) -> str:
        """The text that `parse_board` reads as this board."""
        size = f"{self.files}x{self.ranks}"
        if not self.holes:
            return size
        is_odd = self.files == self.ranks and self.files % 2
        if is_odd and self.holes == _outside_hexagon(self.files):
            return f"{HEXAGON}{self.files}"
        return f"{size}-{','.join(self._rectangles())}"

    def _rectangles(self) -> Iterator[str]:
        """The holes as rectangles, each as far to the right and then as high as it goes."""
        left = self.holes
        while left:
            file, rank = self.place((left & -left).bit_length() - 1)
            wide = next(n for n in range(1, 99) if not self._holds(left, file + n, rank))
            high = next(
                n for n in range(1, 199)
                if not all(self._holds(left, file + x, rank + n) for x in range(wide))
            )  # fmt: skip
            first = self.name(rank * self.files + file)
            last = self.name((rank + high - 1) * self.files + file + wide - 1)
            text = first if first == last else f"{first}-{last}"
            yield text
            left &= ~self.rectangle(text)

    def _holds(self, squares: int, file: int, rank: int) -> bool:
        """Whether a square is on the grid and among some squares."""
        inside = file < self.files and rank < self.ranks
        return inside and bool(squares >> (rank * self.files + file) & 1)


CHESS = Board(8, 8)

HEXAGON = "hexagon"
"""A board called hexagon11 has hexagonal cells, 11 on its longest lines."""
_SIZE = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})(?:-(.*))?", re.ASCII)


@cache
def _outside_hexagon(side: int) -> int:
    """The holes of a hexagon in a square of `side` x `side`, an odd number: of its cells the
    longest lines run along the middle file and rank, and from the lower left to the upper right.
    """
    squares = ((file, rank) for rank in range(side) for file in range(side))
    outside = ((file, rank) for file, rank in squares if abs(file - rank) > side // 2)
    return bitboard(rank * side + file for file, rank in outside)


def hexagon(side: int) -> Board:
    """The hexagonal board of an odd number of cells on its longest lines: 11 have 91 cells."""
    if side % 2 == 0 or not 3 <= side < LONGEST_SIDE:
        expected = f"expected an odd number from 3 to {LONGEST_SIDE - 1}"
        raise ValueError(f"board {HEXAGON}{side}: {expected}")
    return Board(side, side, _outside_hexagon(side))


def parse_board(text: str) -> Board:
    """The board called "12x10": files, then ranks; "10x10-d4,d7-e8" without the square d4 and those
    of the rectangle from d7 to e8; "hexagon11". ValueError for anything else.
    """
    if match := re.fullmatch(HEXAGON + "([0-9]{1,3})", text, re.ASCII):
        return hexagon(int(match[1]))
    match = _SIZE.fullmatch(text)
    if not match:
        message = "expected files and ranks, such as 12x10, with holes 10x10-d4,d7-e8, or hexagon11"
        raise ValueError(f"board {text!r}: {message}")
    whole = Board(int(match[1]), int(match[2]))
    if match[3] is None:
        return whole
    holes = 0
    for part in match[3].split(","):
        try:
            holes |= whole.rectangle(part.strip())
        except ValueError as error:
            raise ValueError(f"board {text!r}, its holes: {error}") from None
    return Board(whole.files, whole.ranks, holes)


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
    corner = board.parse_corner(order.removesuffix(BY_FILES))
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


# Chess: the rook and the bishop of the 8x8 board, by name. A square is 0..63: a1=0, b1=1, h8=63.


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
