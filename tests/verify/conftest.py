"""The slow reference verifier: a dictionary, the ray walk, plain integers; no numpy.

It shares with the verifier under test only the words of `magicert` (the ray walk, the
plain reading of formulas, the table), so agreement means something.
"""

from dataclasses import dataclass, field
from functools import cache

import pytest

from magicert.board import Piece, attack_set, mask, square_name
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.table import Table
from magicert.table.model import PieceTable, value_at


@dataclass
class SlowAnswer:
    """What the reference says of a table: per buffer the slots with their attack sets."""

    bad: set[str] = field(default_factory=set)
    slots: dict[str, dict[int, tuple[int, str]]] = field(default_factory=dict)
    lookups: int = 0

    @property
    def valid(self) -> bool:
        return not self.bad


walked = cache(attack_set)
"""The ray walk: many tables ask for the same attack sets."""


def slow_index(half: PieceTable, row: int, bit: int, occupancy: int) -> int:
    values = {name: value_at(values, row) for name, values in half.parameters.items()}
    values.setdefault("mask", mask(half.piece, bit))
    return evaluate(half.index.tree, {**values, "occ": occupancy}, half.index.text)


def slow_room(half: PieceTable, row: int) -> int:
    if half.square_size is not None:
        return value_at(half.square_size, row)
    if "bits" in half.parameters:
        return 1 << value_at(half.parameters["bits"], row)
    width = 32 if "u32" in half.index.text else 64
    return 1 << (width - value_at(half.parameters["shift"], row))


def slow_verify(table: Table, pieces: tuple[Piece, ...] = tuple(Piece)) -> SlowAnswer:
    """Look up every subset of the given mask and the true one, one by one."""
    answer = SlowAnswer()
    for piece in pieces:
        half = table.pieces[piece]
        buffer = "shared" if table.shared else piece.value
        declared = table.buffer_size if table.shared else half.buffer_size
        slots = answer.slots.setdefault(buffer, {})
        start = 0
        for row in range(64):
            bit, name = table.row_bit(row), f"{piece} {square_name(table.row_square(row))}"
            room = slow_room(half, row)
            offset = value_at(half.offset, row) if half.offset is not None else start
            start += room
            given = value_at(half.parameters.get("mask", (0,)), row)
            for occupancy in carry_rippler(mask(piece, bit) | given):
                index = slow_index(half, row, bit, occupancy)
                attacks = walked(piece, bit, occupancy)
                slot = offset + index
                answer.lookups += 1
                outside = half.offset is None and index >= room
                if outside or slot < 0 or (declared is not None and slot >= declared):
                    answer.bad.add(name)
                    continue
                other, owner = slots.setdefault(slot, (attacks, name))
                if other != attacks:
                    answer.bad |= {name, owner}
    return answer


@pytest.fixture(scope="session")
def slow():
    """The reference verifier."""
    return slow_verify


@pytest.fixture(scope="session")
def index_of():
    """The reference's index of one occupancy: `index_of(half, row, bit, occupancy)`."""
    return slow_index
