"""The slow reference: a dictionary, the walk from square to square, plain integers; no numpy.

It shares with the verifier the table, the plain interpretation of formulas and the slow walk, so
agreement means something. It knows every board, half boards, and entries that squares share.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from itertools import accumulate
from operator import or_

import pytest

from magicert.board import bitboard, squares_of
from magicert.formula.tree import evaluate
from magicert.movement import attacks_of, usual_mask
from magicert.occupancy import carry_rippler
from magicert.table import PieceTable, Table
from magicert.table.model import value_at


def swapped(board):
    return int.from_bytes(board.to_bytes(8, "big"), "little")


def turned(board):
    return (board >> 3 | board << 61) & (1 << 64) - 1


RESULTS = {
    None: lambda attacks, _, every: (attacks, every & ~attacks),
    "word & line": lambda attacks, line, _: (attacks & line, line & ~attacks),
    "line & ~word": lambda attacks, line, _: (line & ~attacks, attacks & line),
    "word ^ line": lambda attacks, line, every: (line ^ attacks, every & ~(line ^ attacks)),
    "bswap64(word) & line": lambda a, line, _: (swapped(a & line), swapped(line & ~a)),
    "rol64(word, 3) & line": lambda a, line, _: (turned(a & line), turned(line & ~a)),
}
"""Result formulas, and which ones and zeros they want of the word: said again, not computed."""


@cache
def attack_sets(board, movement, order, bit, seen):
    """By the walk, each subset of the bits `seen` and what is attacked then; bit n is order[n]."""
    bits = {square: n for n, square in enumerate(order)}
    sets = []
    for occupancy in carry_rippler(seen):
        squares = bitboard(order[n] for n in squares_of(occupancy))
        attacked = attacks_of(board, movement, order[bit], squares)
        sets.append((occupancy, bitboard(bits[one] for one in squares_of(attacked))))
    return sets


@dataclass
class Judged:
    """What the reference says of a table. Squares are named as in reports: "rook a1"."""

    table: Table
    outside: set[str] = field(default_factory=set)
    slots: dict[str, dict[int, set[tuple[str, int, int]]]] = field(default_factory=dict)
    """By buffer and slot: who wants which ones and which zeros there."""
    wants: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """By square and occupancy: the same."""
    used: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    rows: dict[str, int] = field(default_factory=dict)
    indexes: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def bad(self) -> set[str]:
        """The squares with a lookup outside, or one that asks otherwise than another one."""
        found = set(self.outside)
        for wishes in (slot for buffer in self.slots.values() for slot in buffer.values()):
            ones, zeros = (reduce(or_, (wish[n] for wish in wishes)) for n in (1, 2))
            found |= {name for name, one, zero in wishes if one & zeros or zero & ones}
        return found

    @property
    def torn(self) -> set[str]:
        """The squares that ask one slot for two different words."""
        slots = (wishes for buffer in self.slots.values() for wishes in buffer.values())
        asked = (Counter(name for name, *_ in wishes) for wishes in slots)
        return {name for counts in asked for name, count in counts.items() if count > 1}

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The square of each bit."""
        return tuple(map(self.table.bit_square, range(self.table.board.squares)))

    def is_square(self, row: int) -> bool:
        """Whether a row is of no hole."""
        return self.table.row_square(row) in self.table.board.playable

    def home(self, row: int) -> int:
        """The row that serves a row, on half boards the mirrored one."""
        return row if row < self.table.rows else row ^ 56

    def home_of(self, wish: tuple[str, int, int]) -> tuple[str, int]:
        """The piece and the row of the list that a wish goes to."""
        return wish[0].split()[0], self.home(self.rows[wish[0]])

    def mask(self, half: PieceTable, row: int) -> int:
        """The usual mask, in the table's bits."""
        squares = usual_mask(self.table.board, half.movement, self.table.row_square(row))
        return bitboard(self.order.index(one) for one in squares_of(squares))

    def index(self, half: PieceTable, row: int) -> Callable[[int], int]:
        """The index of an occupancy."""
        home = self.home(row)
        values = {name: value_at(listed, home) for name, listed in half.parameters.items()}
        values.setdefault("mask", self.mask(half, home))
        tree, text = half.index.tree, half.index.text
        turn = swapped if home != row else int
        return lambda occupancy: evaluate(tree, {**values, "occ": turn(occupancy)}, text)

    def room(self, half: PieceTable, row: int) -> int:
        """How many slots a square has, where they stand one after another."""
        if half.square_size is not None:
            return value_at(half.square_size, row)
        if "bits" in half.parameters:
            return 1 << value_at(half.parameters["bits"], row)
        if "popcount(mask)" in half.index.text:
            return 1 << self.mask(half, row).bit_count()
        width = 32 if "u32" in half.index.text else 64
        return 1 << (width - value_at(half.parameters["shift"], row))

    def sets(self, half: PieceTable, row: int) -> list[tuple[int, int]]:
        """Each subset of the mask that is read and the true one, with its attack set."""
        table, home = self.table, self.home(row)
        given = value_at(half.parameters.get("mask", (self.mask(half, home),)), home)
        seen = self.mask(half, row) | (given if home == row else swapped(given))
        holes = bitboard(n for n, square in enumerate(self.order) if not table.board.has(square))
        seen &= ~holes  # nothing stands there, whatever a mask says
        return attack_sets(table.board, half.movement, self.order, table.row_bit(row), seen)

    def run(self) -> "Judged":
        start, table = 0, self.table
        for half in table.pieces.values():
            start = start if table.shared else 0
            packed = half.offset is None
            rows = range(table.rows) if packed else ()
            rooms = [self.room(half, row) if self.is_square(row) else 0 for row in rows]
            starts = half.offset or tuple(accumulate(rooms, initial=start))
            for row in filter(self.is_square, range(table.board.squares)):
                self.square(half, row, value_at(starts, self.home(row)))
            start += sum(rooms)
        return self

    def square(self, half: PieceTable, row: int, offset: int) -> None:
        """Make all lookups of one square, one by one."""
        table, home = self.table, self.home(row)
        name = f"{half.piece} {table.board.name(table.row_square(row))}"
        self.rows[name] = row
        slots = self.slots.setdefault("shared" if table.shared else half.piece, {})
        size = table.buffer_size if table.shared else half.buffer_size
        bounded = half.offset is None or half.square_size is not None
        room = self.room(half, home) if bounded else 1 << 128
        line = reduce(or_, (attacks for _, attacks in self.sets(half, home)))
        text, index_of = half.result.text if half.result else None, self.index(half, row)
        for occupancy, attacks in self.sets(half, row):
            index = index_of(occupancy)
            slot = offset + index
            self.indexes[name].append(index)
            if index >= room or slot < 0 or (size is not None and slot >= size):
                self.outside.add(name)
                continue
            self.used[name].add(slot)
            kept = attacks if home == row else swapped(attacks)
            ones, zeros = RESULTS[text](kept, line, (1 << table.board.word) - 1)
            self.wants[name, occupancy] = ones, zeros
            slots.setdefault(slot, set()).add((name, ones, zeros))
            if text not in (None, "word ^ line") and kept & ~line:  # no word yields it
                self.outside.add(name)


@pytest.fixture(scope="session")
def judge():
    """The reference verifier."""
    return lambda table: Judged(table).run()
