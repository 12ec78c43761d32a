"""What is asked of the models: is there a value of the free parameter that is valid?

A question is a cell without the chess: a formula, the values of its other parameters,
and the occupancies with the number of their attack set. Toy boards and short masks, on
which every magic can be tried, are questions as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from magicert.cell import Cell, first_conflicting_places
from magicert.formula import Formula
from magicert.formula.tree import OCCUPANCY, evaluate, used_width

Pair = tuple[int, int]
"""Two places in a question's list of occupancies."""


@dataclass(frozen=True, slots=True)
class Question:
    """Is there a value of `free` under which no two occupancies conflict?

    `attacks[i]` numbers the attack set of `occupancies[i]`, from 0. `values` holds every
    other name of the formula but `occ`. Indexes go from 0 to `largest_index`.
    """

    formula: Formula
    free: str
    values: Mapping[str, int]
    occupancies: tuple[int, ...]
    attacks: tuple[int, ...]
    largest_index: int

    @property
    def bits(self) -> int:
        """The index bits that `largest_index` needs."""
        return max(1, self.largest_index.bit_length())

    @property
    def free_bits(self) -> int:
        """All bits that the free parameter may have, as a word of ones."""
        return (1 << self.free_width) - 1

    @property
    def free_width(self) -> int:
        """How many bits the free parameter may have: 64, or 128 where it is used as such a word."""
        return used_width(self.formula.tree, self.free)

    @property
    def attack_sets(self) -> int:
        """How many distinct attack sets there are."""
        return len(set(self.attacks))

    def assignment(self, magic: Any, occupancy: Any) -> dict[str, Any]:  # noqa: ANN401
        """What stands for each name of the formula: numbers, or an interpretation's words."""
        return {**self.values, self.free: magic, OCCUPANCY: occupancy}

    def index(self, magic: int, occupancy: int) -> int:
        """The index of an occupancy, by the plain interpretation."""
        return evaluate(self.formula.tree, self.assignment(magic, occupancy), self.formula.text)

    def first_conflict(self, magic: int) -> Pair | None:
        """Two places that break `magic`, by the plain interpretation, or None if it is valid.

        Both are one place where its index is larger than `largest_index`.
        """
        indexes = (self.index(magic, occupancy) for occupancy in self.occupancies)
        return first_conflicting_places(indexes, self.attacks, self.largest_index)


def question_of(cell: Cell) -> Question:
    """The question that a cell asks. Raises InputError if it asks none (`Cell.check`)."""
    cell.check()
    values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
    return Question(
        formula=cell.scheme.formula,
        free=cell.scheme.free,
        values={name: values[name] for name in cell.scheme.parameters - {cell.scheme.free}},
        occupancies=cell.words,
        attacks=cell.values,
        largest_index=cell.last_index,
    )
