"""Where a function has its squares: the number of each, and its bit.

    --order i9-files       81 bits: number 0 is i9, 1 is i8, ...
    --order i9-files/63    the same numbers, 0..62 in the lower word of 64 bits, 63..80 in the upper
                           one from its bit 0 on: bit 63 is no square's

Words by numbers have bit n for square number n, and no gap. The function's own have each square's
bit where it stands; all others are 0, and so are the holes of a board.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from magicert.board import BY_FILES, Board, orders, squares_in, squares_of
from magicert.functions.execute import words
from magicert.functions.execute.words import Word

HALF = 64
"""The bits of the lower word."""
GAP = "/"
"""Behind an order, before the number of squares that stand in the lower word."""


@dataclass(frozen=True)
class Layout:
    """The squares of a board in a function's words."""

    board: Board
    order: str
    lower: int
    """How many numbers stand in the lower word; all that fit, where there is no gap."""

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """The square of each number."""
        return squares_in(self.order, self.board)

    @cached_property
    def bits(self) -> dict[int, int]:
        """The bit of each number, but for holes."""
        return {
            number: number if number < self.lower else HALF + number - self.lower
            for number, square in enumerate(self.squares)
            if self.board.has(square)
        }

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number of each square that is no hole."""
        return {self.squares[number]: number for number in self.bits}

    @property
    def name(self) -> str:
        """The text that `layout_of` reads as this layout."""
        return self.order if self.lower == HALF else f"{self.order}{GAP}{self.lower}"

    def as_passed(self, by_number: Word) -> Word:
        """A word by numbers as the function takes it."""
        width = self.board.word
        places = dict.fromkeys(reversed(range(width)), words.boolean(False))
        for number, bit in self.bits.items():
            places[bit] = words.extract(by_number, 1, number)
        return words.concat(*places.values())

    def on_board(self, by_number: Word) -> Word:
        """A word by numbers as a bitboard: bit s is square s."""
        places = dict.fromkeys(reversed(range(self.board.word)), words.boolean(False))
        for square, number in self.numbers.items():
            places[square] = words.extract(by_number, 1, number)
        return words.concat(*places.values())

    def from_board(self, bitboard: Word) -> Word:
        """A bitboard as the function gives it."""
        places = dict.fromkeys(reversed(range(self.board.word)), words.boolean(False))
        for number, bit in self.bits.items():
            places[bit] = words.extract(bitboard, 1, self.squares[number])
        return words.concat(*places.values())

    def number_passed(self, by_number: int) -> int:
        """The same of a number: `as_passed`."""
        return sum(1 << bit for number, bit in self.bits.items() if by_number >> number & 1)

    def number_given(self, squares: Iterable[int]) -> int:
        """Squares as the function gives them."""
        return sum(1 << self.bits[self.numbers[square]] for square in squares)

    def squares_given(self, word: int) -> frozenset[int]:
        """The squares in a word that the function takes or gives; bits that are none's are not."""
        return frozenset(self.squares[n] for n, bit in self.bits.items() if word >> bit & 1)

    def has_stray_bits(self, word: int) -> bool:
        """Whether a word has bits that are no square's."""
        return bool(word & ~self.number_given(squares_of(self.board.full)))


def layout_of(text: str, board: Board) -> Layout:
    """An order, with a gap or without one. Raises ValueError for what the board has not."""
    order, gap, lower = text.partition(GAP)
    if order not in orders(board):
        expected = f"expected one of {', '.join(orders(board))}"
        if board.word > HALF:
            expected += ", or with a gap between the words, such as "
            expected += f"{orders(board)[0]}{GAP}{HALF - 1}"
        raise ValueError(f"order {text!r}: {expected}")
    if not gap:
        return Layout(board, order, HALF)
    least = max(1, board.squares - HALF)
    if board.word != 2 * HALF or not lower.isdecimal() or not least <= int(lower) <= HALF:
        message = f"expected {least} to {HALF} squares in the lower word"
        if board.word != 2 * HALF:
            message = f"a board of {board.squares} squares has one word"
        raise ValueError(f"order {text!r}: {message}")
    return Layout(board, order, int(lower))


def layouts_of(board: Board) -> Iterator[Layout]:
    """The layouts that a function of a board may have: each order, and for two words those gaps
    before which the lower one has whole files or ranks.
    """
    for order in orders(board):
        yield Layout(board, order, HALF)
        line = board.ranks if order.endswith(BY_FILES) else board.files
        for lower in range(HALF // line * line, max(0, board.squares - HALF - 1), -line):
            if board.word == 2 * HALF and lower < HALF:
                yield Layout(board, order, lower)


def order_alone(text: str) -> str:
    """An order without its gap."""
    return text.partition(GAP)[0]
