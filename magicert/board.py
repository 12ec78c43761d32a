"""Boards and squares, bitboards as integers, and the orders in which squares are numbered.

A bitboard is an int whose bit s stands for square s; bit = rank * files + file, a1 = 0.
Everything here is plain Python on purpose: it is the truth that the fast code is held
against, so it must be readable at a glance.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

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
