"""A board: so many files and ranks, the names of its squares, the words that hold it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

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
        """How many squares there are."""
        return self.files * self.ranks

    @cached_property
    def word(self) -> int:
        """The bits of the words that hold a bitboard: 64 up to 64 squares, 128 above."""
        return 64 if self.squares <= 64 else 128

    @cached_property
    def full(self) -> int:
        """The bitboard with all squares."""
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
        file, rank = self.place(square)
        while True:
            file, rank = file + step[0], rank + step[1]
            target = self.square(file, rank)
            if target is None:
                return
            yield target

    def name(self, square: int) -> str:
        """The name of a square: 0 is "a1"."""
        if not 0 <= square < self.squares:
            raise ValueError(f"square {square}: expected 0..{self.squares - 1}")
        file, rank = self.place(square)
        return f"{FILES[file]}{rank + 1}"

    def parse(self, name: str) -> int:
        """The square called `name`; ValueError unless the board has one."""
        found = re.fullmatch(r"([a-z])([1-9][0-9]{0,2})", name, re.ASCII)
        square = found and self.square(FILES.index(found[1]), int(found[2]) - 1)
        if square is None:
            raise ValueError(f"square {name!r}: expected a1..{self.name(self.squares - 1)}")
        return square

    def __str__(self) -> str:
        return f"{self.files}x{self.ranks}"


CHESS = Board(8, 8)


def parse_board(text: str) -> Board:
    """The board called "12x10": files, then ranks. ValueError for anything else."""
    found = re.fullmatch(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})", text, re.ASCII)
    if not found:
        raise ValueError(f"board {text!r}: expected files and ranks, such as 12x10")
    return Board(int(found[1]), int(found[2]))


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
