"""What a source is asked for: a board and its pieces, with a fast count of where a reading fails.

Chess's rook and bishop are found by their names and numbers. On any other board, and for any
other piece, the user says which list is which piece's: the names of the pieces are then those.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import CHESS, Board, orders, place_of, square_at
from magicert.chess import MOVEMENTS, Piece
from magicert.formula import Formula
from magicert.formula.arrays import RowsError, Words, evaluate, indexes, words
from magicert.formula.tree import OCCUPANCY
from magicert.movement import Movement, Step
from magicert.table.model import MASK_RULES, MaskRule
from magicert.verify.table.attacks import (
    BoardPiece,
    SizeGroup,
    chunk,
    groups,
    least_masks,
    usual_masks,
)
from magicert.verify.table.layout import line_of

_NO_NAMES = frozenset(
    """
    array attack attacks b bb bitboard bits board const data entries entry h init l list magic
    magics mask masks multiplier number numbers offset offsets s shift shifts sq square table tables
    v
    """.split()  # noqa: SIM905 - a table of words
)
"""Words of a list's name that do not tell its piece, unless nothing else does."""


_GLUED = re.compile(r"([a-z]*?)(rook|bishop)s?([a-z]*)")
"""A piece's name in a word without capitals or underscores: `ROOKMAGIC`, `magicsrook`."""


def split_words(*names: str) -> frozenset[str]:
    """The words of identifiers, in lower case: "RookMagics" and "rook_magics" have the same."""
    parts = (re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name) for name in names)
    words = {part.lower() for group in parts for part in group}
    for match in filter(None, map(_GLUED.fullmatch, tuple(words))):
        words.update(filter(None, match.groups()))
    return frozenset(words)


@dataclass(frozen=True, slots=True)
class SquareNumbering:
    """How bits and rows stand for squares: the order of the bits, and that of the rows."""

    order: str
    listing: str

    def row_square(self, row: int, board: Board) -> int:
        return square_at(self.listing, row, board)

    def row_bit(self, row: int, board: Board) -> int:
        return place_of(self.order, self.row_square(row, board), board)


@dataclass(frozen=True, eq=False)
class Variant:
    """A board and its pieces by name. Two games are equal only if they are the same object.

    `words` may mean a piece, `names` mean it and nothing else, `short` stand for it in the names
    of constants. `by_hand`: the user has said which list is which piece's.
    """

    board: Board
    movements: Mapping[str, Movement]
    words: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    short: Mapping[str, frozenset[str]]
    by_hand: bool = True

    @property
    def pieces(self) -> tuple[str, ...]:
        return tuple(self.movements)

    @property
    def squares(self) -> int:
        """How many numbers a list of one a square has."""
        return self.board.squares

    @cached_property
    def by_name(self) -> dict[str, int]:
        return {self.board.name(square): square for square in range(self.squares)}

    @property
    def word(self) -> int:
        """The bits of a bitboard's word: 64 or 128."""
        return self.board.word

    @property
    def whole(self) -> int:
        """The word with all its bits."""
        return (1 << self.word) - 1

    def piece_in(self, words: Collection[str]) -> str | None:
        """The piece that words of names speak of, if it is one."""
        return _only(self.words, words)

    def named(self, text: str) -> str | None:
        """The piece that a line of code names in full: `rookIndex`, BISHOP_SHIFT."""
        return _only(self.names, split_words(text))

    def briefly(self, words: Collection[str]) -> str | None:
        """The piece that the name of a constant speaks of."""
        return _only(self.short, words)

    @cached_property
    def arrangements(self) -> tuple[SquareNumbering, ...]:
        """All that differ. Orders of bits that a symmetry of the board and of all pieces makes
        the same are one: only the names of squares depend on which it is.
        """
        return tuple(
            SquareNumbering(order, listing)
            for order in dict.fromkeys(self.like.values())
            for listing in sorted(
                orders(self.board), key=lambda listing_order: listing_order != order
            )
        )

    @cached_property
    def like(self) -> dict[str, str]:
        """The first order that each order of bits is the same as."""
        likeness: dict[str, str] = {}
        for order in orders(self.board):
            alike = (first for first in likeness.values() if self._are_alike(first, order))
            likeness[order] = next(alike, order)
        return likeness

    def called(self, arrangement: SquareNumbering, order: str) -> SquareNumbering:
        """An arrangement with its bits called by another order that is the same as its own."""
        if order == arrangement.order:
            return arrangement
        board = self.board
        squares = [
            square_at(order, arrangement.row_bit(row, board), board) for row in range(self.squares)
        ]
        listing = next(
            listing
            for listing in orders(board)
            if all(square_at(listing, row, board) == square for row, square in enumerate(squares))
        )
        return SquareNumbering(order, listing)

    def _are_alike(self, a: str, b: str) -> bool:
        """Does the motion of the board from one order to the other keep all pieces?"""
        board = self.board
        moved = [square_at(a, place_of(b, s, board), board) for s in range(self.squares)]
        places = [board.place(square) for square in moved]
        x, y = places[0]
        right = _apart(places[0], places[1]) if board.files > 1 else (1, 0)
        up = _apart(places[0], places[board.files]) if board.ranks > 1 else (0, 1)
        straight = all(
            place == (x + file * right[0] + rank * up[0], y + file * right[1] + rank * up[1])
            for square, place in enumerate(places)
            for file, rank in [board.place(square)]
        )
        if not straight:
            return False

        def turned(step: Step) -> Step:
            return (
                step[0] * right[0] + step[1] * up[0],
                step[0] * right[1] + step[1] * up[1],
            )

        def is_kept(movement: Movement) -> bool:
            atoms = {(a.kind, frozenset(a.steps), a.limit, a.from_target) for a in movement.atoms}
            after = {
                (a.kind, frozenset(map(turned, a.steps)), a.limit, a.from_target)
                for a in movement.atoms
            }
            inside = [
                frozenset(s for s in range(self.squares) if region.holds(*board.place(s)))
                for region in movement.regions
            ]
            moved_regions = {frozenset(moved[s] for s in squares) for squares in inside}
            return atoms == after and moved_regions == set(inside)

        return all(map(is_kept, self.movements.values()))

    @cache  # noqa: B019 - a variant lives as long as its command
    def masks(self, piece: str, arrangement: SquareNumbering, rule: MaskRule) -> tuple[int, ...]:
        """The masks of a piece, one a row, in the order of the bits."""
        mover = self.mover(piece, arrangement)
        masks = usual_masks(mover) if rule == "usual" else least_masks(mover)
        return tuple(masks[arrangement.row_bit(row, self.board)] for row in range(self.squares))

    @cache  # noqa: B019
    def mask_bits(self, piece: str, arrangement: SquareNumbering) -> tuple[int, ...]:
        """How many squares its usual masks have, one number a row."""
        return tuple(mask.bit_count() for mask in self.masks(piece, arrangement, "usual"))

    @cache  # noqa: B019
    def lines(self, piece: str, arrangement: SquareNumbering) -> Words:
        """What a piece attacks on the empty board, one word a row."""
        mover = self.mover(piece, arrangement)
        bits = (arrangement.row_bit(row, self.board) for row in range(self.squares))
        return self.array(line_of(mover, bit) for bit in bits)

    def mover(self, piece: str, arrangement: SquareNumbering) -> BoardPiece:
        """How a piece moves over the bits."""
        return BoardPiece(self.board, self.movements[piece], arrangement.order)

    @cache  # noqa: B019
    def mask_words(self, piece: str, arrangement: SquareNumbering, rule: MaskRule) -> Words:
        return words(list(self.masks(piece, arrangement, rule)), self.word)

    @cache  # noqa: B019
    def mask_rules(self, piece: str) -> tuple[MaskRule, ...]:
        """The rules that make different masks for a piece, the usual one first."""
        usual, least = (self.masks(piece, self.arrangements[0], rule) for rule in MASK_RULES)
        return MASK_RULES if usual != least else MASK_RULES[:1]

    @cache  # noqa: B019
    def most_bits(self, piece: str) -> int:
        """The most squares that a mask of the piece has."""
        return max(self.mask_bits(piece, self.arrangements[0]))

    def words_of(self, values: Iterable[int]) -> tuple[int, ...]:
        """Numbers modulo the word."""
        return tuple(value & self.whole for value in values)

    def holds(self, value: int) -> bool:
        """Does a number, signed or not, fit into a word?"""
        return -(self.whole // 2) - 1 <= value <= self.whole

    def array(self, values: Iterable[int]) -> Words:
        return words(list(self.words_of(values)), self.word)


def _apart(start: Step, end: Step) -> Step:
    return end[0] - start[0], end[1] - start[1]


def _only(by_piece: Mapping[str, frozenset[str]], words: Collection[str]) -> str | None:
    matching = [piece for piece, vocabulary in by_piece.items() if not vocabulary.isdisjoint(words)]
    return matching[0] if len(matching) == 1 else None


def variant_of(
    board: Board, movements: Mapping[str, Movement], lists: Mapping[str, str]
) -> Variant:
    """A variant whose pieces' lists are given by hand: `lists` are their names, by piece."""
    names = {piece: split_words(lists.get(piece, piece), piece) for piece in movements}
    words = {}
    for piece, vocabulary in names.items():
        others = frozenset().union(*(o for other, o in names.items() if other != piece))
        words[piece] = (
            (vocabulary - others - _NO_NAMES) or (vocabulary - others) or frozenset({piece.lower()})
        )
    return Variant(board, movements, words, words, words)


_ROOK_NAMES = frozenset({"rook", "rooks", "torre", "turm", "orthogonal", "orthogonals", "ortho"})
_BISHOP_NAMES = frozenset({"bishop", "bishops", "alfil", "laufer", "diagonal", "diagonals", "diag"})
"""Words that mean a piece and nothing else, as `r`, `b`, `line` and `rank` do."""
_ROOK_WORDS = (
    "rook", "rk", "r", "torre", "turm", "tour", "orthogonal", "ortho", "straight", "line",
    "rmagic", "rmult", "rshift", "rbits", "cardinal", "rooks", "rank", "castle", "tower", "toren",
    "torn", "wieza", "ladya", "lines",
)  # fmt: skip
_BISHOP_WORDS = (
    "bishop", "bish", "b", "alfil", "laufer", "fou", "diagonal", "diag", "bmagic", "bmult",
    "bshift", "bbits", "bishops", "diagonals", "laeufer", "runner", "elephant", "loper", "lopare",
    "goniec", "slon", "diags",
)  # fmt: skip
CHESS_VARIANT = Variant(
    CHESS,
    {piece: MOVEMENTS[piece] for piece in Piece},
    {Piece.ROOK: frozenset(_ROOK_WORDS), Piece.BISHOP: frozenset(_BISHOP_WORDS)},
    {Piece.ROOK: _ROOK_NAMES, Piece.BISHOP: _BISHOP_NAMES},
    {Piece.ROOK: _ROOK_NAMES | {"r"}, Piece.BISHOP: _BISHOP_NAMES | {"b"}},
    by_hand=False,
)
"""What a source is asked for unless the user says otherwise."""


# A fast count of the squares on which a reading fails, before the exhaustive verifier.
#
# It looks at conflicts inside one square only: offsets and buffers come later. A reading
# that it refuses is wrong; one that it lets pass has still to be verified.

LARGEST_INDEX, LARGEST_BUFFER = 1 << 15, 1 << 22
"""Indexes of chess's tables are below the first; of any table, below the second."""
MOST_LOOKUPS = 1 << 22
SAMPLED = 6
"""Squares of a quick look."""
TELLING_BITS = 7
"""Of squares with fewer occupancy bits, random numbers are often right."""


@lru_cache(maxsize=6)
def _domain(variant: Variant, piece: str, order: str, rule: MaskRule) -> tuple[SizeGroup, ...]:
    """All occupancies; the rows of a group are bits."""
    by_bit = SquareNumbering(order, order)
    masks = variant.masks(piece, by_bit, rule)
    return tuple(groups(variant.mover(piece, by_bit), masks, tuple(range(variant.squares))))


@cache
def _rows(variant: Variant, arrangement: SquareNumbering) -> NDArray[np.intp]:
    """The row that each bit belongs to."""
    rows = np.empty(variant.squares, np.intp)
    for row in range(variant.squares):
        rows[arrangement.row_bit(row, variant.board)] = row
    return rows


@dataclass(frozen=True, slots=True)
class Probe:
    """A piece on the squares of an arrangement, with masks by a rule."""

    variant: Variant
    piece: str
    arrangement: SquareNumbering
    rule: MaskRule = "usual"

    def bad_in_sample(self, formula: Formula, parameters: Mapping[str, Words]) -> int:
        """How many of SAMPLED squares conflict, of a common number of occupancy bits (of chess's
        rook 10, of its bishop 7).
        """
        group = _telling(self._groups())
        places = np.linspace(0, len(group.rows) - 1, SAMPLED).astype(np.intp)
        # A part of the occupancies is enough: a wrong reading conflicts everywhere, as soon as
        # there are many more pairs of them than indexes.
        bits = group.occupancies.shape[1].bit_length() - 1 + len(group.high[0])
        step = max(1, group.occupancies.shape[1] // max(512, 8 << bits // 2))
        occupancies, attacks = group.occupancies[places, ::step], group.attacks[places, ::step]
        return int(self._bad(group.rows[places], occupancies, attacks, formula, parameters).sum())

    def bad_rows(self, formula: Formula, parameters: Mapping[str, Words]) -> list[int]:
        """All rows whose square conflicts with itself; of a piece with more than MOST_LOOKUPS
        occupancies, those that show it in a part of them.
        """
        rows = _rows(self.variant, self.arrangement)
        row_numbers: list[int] = []
        all_groups = self._groups()
        lookups = sum(group.occupancies.size << len(group.high[0]) for group in all_groups)
        for group in all_groups:
            known = _whole(group) if lookups <= MOST_LOOKUPS else chunk(group, 0)
            bad = self._bad(group.rows, *known, formula, parameters)
            row_numbers += rows[group.rows[bad]].tolist()
        return sorted(row_numbers)

    def _groups(self) -> tuple[SizeGroup, ...]:
        return _domain(self.variant, self.piece, self.arrangement.order, self.rule)

    def _bad(
        self,
        bits: NDArray[np.intp],
        occupancies: Words,
        attacks: Words,
        formula: Formula,
        parameters: Mapping[str, Words],
    ) -> NDArray[np.bool_]:
        """Which of the squares of some bits conflict with themselves."""
        rows = _rows(self.variant, self.arrangement)[bits]
        masks = self.variant.mask_words(self.piece, self.arrangement, self.rule)
        values = {"mask": masks[rows].reshape(-1, 1)} | {
            name: column[rows] for name, column in parameters.items()
        }
        try:
            index = evaluate(formula.tree, {**values, OCCUPANCY: occupancies}, formula.text)
        except RowsError:
            return np.ones(len(bits), np.bool_)
        slots, too_large = _slots(np.broadcast_to(indexes(index), occupancies.shape))
        width = int(slots.max()) + 1
        slots += np.arange(len(bits))[:, None] * width
        table = np.empty(len(bits) * width, attacks.dtype)
        table[slots] = attacks
        return too_large | (table[slots] != attacks).any(axis=1)


def _telling(size_groups: tuple[SizeGroup, ...]) -> SizeGroup:
    """The largest group of squares with enough bits; else the one with the most bits."""
    enough = [group for group in size_groups if group.occupancies.shape[1] >> TELLING_BITS]
    return max(enough, key=lambda group: len(group.rows)) if enough else size_groups[-1]


def _whole(group: SizeGroup) -> tuple[Words, Words]:
    """All occupancies of a group with their attack sets, those with high bits as well."""
    chunks = [chunk(group, number) for number in range(1 << len(group.high[0]))]
    if len(chunks) == 1:
        return chunks[0]
    occupancies, attacks = zip(*chunks, strict=True)
    return np.concatenate(occupancies, axis=1), np.concatenate(attacks, axis=1)


def _slots(index: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Indexes as small numbers, and the rows where they are too large for any buffer."""
    largest = max(LARGEST_INDEX, 4 * index.shape[1])
    too_large: NDArray[np.bool_] = np.any(index >= largest, axis=1)
    if too_large.any() and (index < LARGEST_BUFFER).all():
        # More bits than any mask needs: legal, and rare enough for a slower way.
        numbered = np.unique(index, return_inverse=True)[1].reshape(index.shape)
        return numbered.astype(np.int64), np.zeros(len(index), np.bool_)
    return np.minimum(index, largest - 1).astype(np.int64), too_large
