"""What a cell can be about: a slider on a square, any piece on any board, or keys."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from magicert.betza import piece_words
from magicert.board import CHESS, Board
from magicert.cell import Cell, Target
from magicert.chess import MOVEMENTS, Piece, attack_set, mask, square_name
from magicert.formula import parse
from magicert.formula.tree import OCCUPANCY, Binary, evaluate, names
from magicert.movement import Movement, attacks_of, least_mask, usual_mask
from magicert.occupancy import numbered
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES, Scheme

# A slider on a square: the occupancies of its mask, each with its attack set.


@dataclass(frozen=True, slots=True)
class Slider(Target):
    """A piece on a square. The words are the occupancies in pdep order."""

    piece: Piece
    square: int

    @property
    def kind(self) -> str:
        return self.piece.value

    @property
    def words(self) -> tuple[int, ...]:
        return _words_and_values(CHESS, MOVEMENTS[self.piece], self.square, self.mask)[0]

    @property
    def values(self) -> tuple[int, ...]:
        return _words_and_values(CHESS, MOVEMENTS[self.piece], self.square, self.mask)[1]

    @property
    def mask(self) -> int:
        return mask(self.piece, self.square)

    @property
    def usual_bits(self) -> int:
        """c, the popcount of the mask: from there on every square has magics."""
        return self.mask.bit_count()

    def suits_window(self, bits: int) -> bool:
        return True

    @property
    def stream(self) -> int:
        """1 to 128."""
        return 64 * list(Piece).index(self.piece) + self.square + 1

    @property
    def piece_square(self) -> tuple[Piece, int]:
        return self.piece, self.square

    @property
    def parts(self) -> tuple[str, int]:
        return self.piece.value, self.square

    @property
    def described(self) -> dict[str, Any]:
        return {"piece": self.piece.value, "square": square_name(self.square)}

    def values_again(self) -> Iterator[int]:
        """From first principles: the ray walk for every occupancy."""
        return (attack_set(self.piece, self.square, occupancy) for occupancy in self.words)

    def __str__(self) -> str:
        return f"{self.piece} {square_name(self.square)}"


def square_cell(
    scheme: Scheme,
    piece: Piece,
    square: int,
    bits: int,
    fixed: Mapping[str, int] | None = None,
    largest_index: int | None = None,
) -> Cell:
    """The cell of a slider on a square."""
    return Cell(scheme, Slider(piece, square), bits, fixed or {}, largest_index)


def slider_of(cell: Cell) -> Slider:
    """The slider that a cell is about. Raises InputError where it is about anything else."""
    if not isinstance(cell.target, Slider):
        raise InputError([Problem("expected a slider on a square", key=str(cell))])
    return cell.target


# Any piece on a square of any board: the occupancies of its mask, with attack sets.
#
# Rook and bishop of chess are `Slider`. To engines and certificates this is a list of words with
# values, as keys are.

MOST_WINDOW_SQUARES = 12
"""The window search comes to an end for chess's rooks, which have so many."""

MASKS = {"least": least_mask, "usual": usual_mask}


@dataclass(frozen=True, slots=True)
class Mover(Target):
    """A piece on a square. The words are the occupancies of its mask, in pdep order."""

    board: Board
    movement: Movement
    square: int
    masks: Literal["least", "usual"] = "least"

    @property
    def kind(self) -> str:
        return "piece"

    @property
    def words(self) -> tuple[int, ...]:
        """All occupancies of the mask. Raises InputError for a mask that is too wide."""
        return _words_and_values(self.board, self.movement, self.square, self.mask)[0]

    @property
    def values(self) -> tuple[int, ...]:
        return _words_and_values(self.board, self.movement, self.square, self.mask)[1]

    @property
    def mask(self) -> int:
        """The usual one, or the squares whose occupancy can change the attack set."""
        return MASKS[self.masks](self.board, self.movement, self.square)

    @property
    def width(self) -> int:
        return self.board.word

    @property
    def usual_bits(self) -> int:
        """The popcount of the mask; one where it is empty."""
        return max(1, self.mask.bit_count())

    def suits_window(self, bits: int) -> bool:
        return self.width == 64 and self.mask.bit_count() <= MOST_WINDOW_SQUARES

    @property
    def stream(self) -> int:
        """By its square, as of chess's rook."""
        return self.square + 1

    @property
    def named(self) -> dict[str, Any]:
        return {
            "piece": piece_words(self.movement),
            "board": str(self.board),
            "square": self.board.name(self.square),
        }

    def values_again(self) -> Iterator[int]:
        """From first principles: the walk for every occupancy."""
        return (attacks_of(self.board, self.movement, self.square, o) for o in self.words)

    def __str__(self) -> str:
        piece = piece_words(self.movement) or "piece"
        return f"{piece} {self.board.name(self.square)} on {self.board}"


@dataclass(frozen=True, slots=True)
class Occupancies(Mover):
    """All occupancies of some squares, each with a value of its own: whatever several pieces on a
    square attack, an index that tells these apart serves them all.
    """

    all_of: int = 0

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(range(1 << self.all_of.bit_count()))

    @property
    def mask(self) -> int:
        return self.all_of

    def values_again(self) -> Iterator[int]:
        return iter(self.words)


def piece_on(
    board: Board, movement: Movement, square: int, masks: Literal["least", "usual"] = "least"
) -> Slider | Mover:
    """A piece on a square (a1 = 0): certificates call chess's rook and bishop by name."""
    for piece in Piece:
        if board == CHESS and movement.rules == MOVEMENTS[piece].rules:
            return Slider(piece, square)
    return Mover(board, movement, square, masks)


@lru_cache(maxsize=256)
def _words_and_values(
    board: Board, movement: Movement, square: int, mask: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    from magicert.blockers import blockers_of
    from magicert.formula import arrays

    occupancies = blockers_of(board, movement, square, mask)
    words = arrays.ints(occupancies.occupancies)
    return tuple(words), tuple(occupancies.numbers.tolist())


# A list of keys: any words, each with a value.

COMMON = 1e-6
"""Magics are common if so many of all random words are magics."""
MOST_BITS = 32
MOST_WINDOW_BITS = 30
"""log2 of the leaves that the window search may be expected to need."""


@dataclass(frozen=True, slots=True)
class Keys(Target):
    """Different words with the numbers of their values. `Keys.of` makes them."""

    listed: tuple[int, ...]
    numbers: tuple[int, ...]
    union: int
    name: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, words: Iterable[int], values: Iterable[int] | None = None, name: str = ""
    ) -> "Keys":
        """Words of 64 bits with any values; without values all of them are different.

        Raises InputError for no words at all, a word that comes twice, or one that is too large.
        """
        listed = tuple(words)
        numbers = tuple(range(len(listed))) if values is None else numbered(values)
        problems = [] if listed else [Problem("expected at least one key")]
        if len(set(listed)) < len(listed):
            problems.append(Problem("a key comes twice"))
        if len(numbers) != len(listed):
            problems.append(Problem(f"{len(listed)} keys with {len(numbers)} values"))
        if any(not 0 <= word < 1 << 64 for word in listed):
            problems.append(Problem("expected keys of 64 bits"))
        if problems:
            raise InputError(problems)
        union = 0
        for word in listed:
            union |= word
        return cls(listed, numbers, union, name)

    @property
    def kind(self) -> str:
        return "keys"

    @property
    def words(self) -> tuple[int, ...]:
        return self.listed

    @property
    def values(self) -> tuple[int, ...]:
        return self.numbers

    @property
    def mask(self) -> int:
        return self.union

    @property
    def least_bits(self) -> int:
        """The fewest bits whose slots hold all values."""
        return max(1, max(self.numbers).bit_length())

    @property
    def usual_bits(self) -> int:
        """From so many bits on a random word is a magic often enough."""
        many = range(self.least_bits, MOST_BITS + 1)
        return next((bits for bits in many if self.chance(bits) >= COMMON), MOST_BITS + 1)

    def chance(self, bits: int) -> float:
        """About how many of all random functions of so many bits keep the values apart. (That is
        no statement about multiplications: for one question there are none or some.)
        """
        return _chance(self.numbers, bits)

    def suits_window(self, bits: int) -> bool:
        """A key of n bits leaves its bucket about 2^(bits + n) times while m runs through all."""
        zeros = (self.union & -self.union).bit_length() - 1 if self.union else 0
        return self.union.bit_length() - zeros + bits <= MOST_WINDOW_BITS

    @property
    def stream(self) -> int:
        """The first one behind those of the squares."""
        return 129

    def __str__(self) -> str:
        count = f"{len(self.listed):,} key{'s' * (len(self.listed) > 1)}"
        return f"{count} of {self.name}" if self.name else count


@lru_cache(maxsize=64)
def _chance(numbers: tuple[int, ...], bits: int) -> float:
    slots, earlier, logarithm = 1 << bits, [0] * (max(numbers) + 1), 0.0
    apart = len(earlier) == len(numbers)
    for place, number in enumerate(numbers):
        others = place - earlier[number]
        taken = others if apart else slots * -math.expm1(-others / slots)
        if taken >= slots:
            return 0.0
        logarithm += math.log1p(-taken / slots)
        earlier[number] += 1
    return math.exp(logarithm)


def target_of(kind: str, rest: Any) -> Target:  # noqa: ANN401
    """The target with these `parts`. ValueError or TypeError where there is none."""
    if kind == "keys":
        words, values = zip(*rest, strict=True)
        return Keys.of(words, values)
    return Slider(Piece(kind), rest)


def in_64_bits(cell: Cell) -> Cell:
    """The same question, for a formula of keys that is the top bits of a product of 32 bits,
    `(g * u32(magic)) >> n`: g(key) 2^32 is multiplied in 64 bits, where the top bits are the same.
    The cell itself where its scheme is of another form.
    """
    tree = cell.scheme.formula.tree
    if not isinstance(cell.target, Keys) or not isinstance(tree, Binary) or tree.operator != ">>":
        return cell
    product = tree.left
    if not isinstance(product, Binary) or (product.operator, product.width) != ("*", 32):
        return cell
    sides = (product.left, product.right)
    factors = [side for side in sides if cell.scheme.free not in names(side)]
    low = parse(f"u32({cell.scheme.free})").tree
    halves = [side for side in sides if side == low]
    if (len(factors), len(halves)) != (1, 1) or names(tree.right) - {"bits"}:
        return cell
    known, text = {**cell.fixed, "bits": cell.bits, "mask": cell.mask}, cell.scheme.formula.text
    bits = 32 - evaluate(tree.right, known, text)
    words = [evaluate(factors[0], {**known, OCCUPANCY: w}, text) << 32 for w in cell.words]
    if bits < 1 or len(set(words)) < len(words):
        return cell
    largest = None if cell.last_index >= (1 << bits) - 1 else cell.last_index
    keys = Keys.of(words, cell.values, cell.target.name)
    return Cell(SCHEMES["white"], keys, bits, largest_index=largest)
