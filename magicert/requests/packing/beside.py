"""What is said beside a layout: exact bounds of small squares, and shorter tables that ship."""

from dataclasses import dataclass

from magicert.board import square_name
from magicert.compact.anneal.seat import Key
from magicert.compact.layouts.bounds import Shortest, shortest
from magicert.compact.layouts.layout import Layout
from magicert.data import record_tables
from magicert.table import read_table

EXACT_SECONDS = 60.0
"""How long an exact bound may take, after the budget."""


@dataclass(frozen=True, slots=True)
class ExactBound:
    """How many entries the smallest squares need alone; None where no bound was found."""

    squares: tuple[Key, ...]
    found: Shortest | None

    def __str__(self) -> str:
        names = " ".join(f"{piece}-{square_name(square)}" for piece, square in self.squares)
        if self.found is None:
            return f"{names}: no exact bound in {EXACT_SECONDS:.0f} s"
        length, bound = self.found.length, self.found.bound
        proved = "exactly" if length == bound else f"{bound:,} to"
        return f"{names}: alone they need {proved} {length:,} entries"


def exact_bound(layout: Layout, squares: int) -> ExactBound:
    """The shortest buffer of the squares with the fewest used slots, alone."""
    group = sorted(layout.seats, key=lambda seat: (len(seat.used), seat.square))[:squares]
    found = shortest([seat.used for seat in group], EXACT_SECONDS)
    return ExactBound(tuple(seat.key for seat in group), found)


def shorter_record(layout: Layout) -> tuple[str, int] | None:
    """The shortest table that ships for the same squares, if it is shorter, and its entries."""
    found: list[tuple[str, int]] = []
    for name, path in record_tables().items():
        table = read_table(path).table
        alike = set(table.pieces) == set(layout.pieces) and table.half_board == layout.half_board
        alike = alike and all(half.result is None for half in table.pieces.values())
        if alike and table.two_level is None and table.buffer_size is not None:
            found.append((name, table.buffer_size))
    best = min(found, key=lambda record: record[1], default=None)
    return best if best is not None and best[1] < layout.length else None
