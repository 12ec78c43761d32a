"""The cell: does a magic exist for this scheme, piece, square and number of bits?

Also the slow and obvious check of one magic against one cell, by the plain reading and
the ray walk. Every engine asks it before it reports a magic.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from magicert.board import Piece, attack_set, mask, square_name
from magicert.formula.integers import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.occupancy import carry_rippler
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme


@dataclass(frozen=True, slots=True)
class Cell:
    """(scheme, piece, square, bits), the unit of "does a magic exist?".

    `fixed` gives values to parameters of the scheme other than mask, bits and the free
    one. `largest_index` bounds the index below 2^bits - 1 (a table *range*); None: it
    does not.
    """

    scheme: Scheme
    piece: Piece
    square: int
    bits: int
    fixed: Mapping[str, int] = field(default_factory=dict)
    largest_index: int | None = None

    @property
    def mask(self) -> int:
        """The relevant occupancy of the square."""
        return mask(self.piece, self.square)

    @property
    def c(self) -> int:
        """popcount(mask)."""
        return self.mask.bit_count()

    @property
    def period(self) -> int:
        """Magics that are congruent modulo this have the same index for every occupancy.

        Where the magic is multiplied by `occ & mask` it is the LCM period, 2^(64 - ctz(mask)).
        Black multiplies it by `occ | ~mask`, which is odd: there it is 2^64, and so it is for
        schemes of another form, where no smaller one is known.
        """
        product = self.scheme.product
        return product.period(self.mask) if product else 1 << 64

    @property
    def last_index(self) -> int:
        """The largest index that is allowed."""
        return (1 << self.bits) - 1 if self.largest_index is None else self.largest_index

    def __str__(self) -> str:
        limit = "" if self.largest_index is None else f", indexes up to {self.largest_index}"
        name = square_name(self.square)
        return f"{self.scheme.name} {self.piece} {name}, {self.bits} bits{limit}"

    def check(self) -> None:
        """Refuse what is no question. Raises InputError with every problem."""
        problems = []
        if not 1 <= self.bits <= 32:
            problems.append(Problem("expected 1 to 32", key=f"bits {self.bits}"))
        elif self.largest_index is not None and not 0 <= self.largest_index < 1 << self.bits:
            message = f"expected 0 to {(1 << self.bits) - 1}"
            problems.append(Problem(message, key=f"largest index {self.largest_index}"))
        missing = self.scheme.parameters - {"mask", "bits", self.scheme.free, *self.fixed}
        if self.scheme.free not in self.scheme.parameters:
            message = f"the formula has no free parameter {self.scheme.free!r}"
            problems.append(Problem(message, key=f"scheme {self.scheme.name}"))
        problems += [Problem("expected a value", key=name) for name in sorted(missing)]
        if problems:
            raise InputError(problems)

    def index(self, magic: int, occupancy: int) -> int:
        """The index of one occupancy, by the plain reading."""
        values = {
            "bits": self.bits,
            **self.fixed,
            "mask": self.mask,
            self.scheme.free: magic,
            OCCUPANCY: occupancy,
        }
        return evaluate(self.scheme.formula.tree, values, self.scheme.formula.text)


def first_conflict(cell: Cell, magic: int) -> tuple[int, int] | None:
    """Two occupancies that break `magic`, or None if it is valid for the cell.

    Where an index is larger than the cell allows, both are that occupancy.
    """
    occupancies = list(carry_rippler(cell.mask))
    indexes = (cell.index(magic, occupancy) for occupancy in occupancies)
    # From first principles: the ray walk for every occupancy.
    attacks = (attack_set(cell.piece, cell.square, occupancy) for occupancy in occupancies)
    places = first_clash(indexes, attacks, cell.last_index)
    return places and (occupancies[places[0]], occupancies[places[1]])


def first_clash(
    indexes: Iterable[int], attacks: Iterable[int], last_index: int
) -> tuple[int, int] | None:
    """The first two places with one index and different attack sets, or None.

    Both are one place where its index is larger than `last_index`.
    """
    seen: dict[int, tuple[int, int]] = {}
    for place, (index, attack) in enumerate(zip(indexes, attacks, strict=True)):
        if index > last_index:
            return place, place
        other, other_attack = seen.setdefault(index, (place, attack))
        if other_attack != attack:
            return other, place
    return None
