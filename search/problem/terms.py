"""A cell as the window search sees it: a list of products with their attack sets.

Every scheme that the search knows has the form

    slot(o) = (x(o) * m + c(o) mod 2^64) >> (64 - bits)

with small multiplicands x, so that x * m hardly moves while m moves a little. White is
x = o, c = 0. Black has huge multiplicands, o | ~mask, which are negated: with x = -y,
x*m + c = ~(y*m + ~c), so the index is 2^bits - 1 - slot for y and ~c. That slots run
backwards changes no conflict; a largest index becomes a least slot.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert import scheme as schemes
from magicert.board import WORD
from magicert.cell import Cell
from magicert.problem import InputError, Problem

Words = NDArray[np.uint64]
SCHEMES = tuple(name for name, scheme in schemes.SCHEMES.items() if scheme.product)
"""The schemes that the window search knows."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Row n belongs to occupancy number n in pdep order.

    `attack` numbers the attack sets from 0. Slots outside [least_slot, most_slot] are
    forbidden (a table range). `width` is the number of low bits of m that matter.
    """

    multiplicand: Words
    constant: Words
    attack: NDArray[np.int32]
    bits: int
    least_slot: int
    most_slot: int

    @property
    def shift(self) -> int:
        """64 - bits: a bucket of products is 2^shift wide."""
        return 64 - self.bits

    @property
    def width(self) -> int:
        """Magics that are congruent modulo 2^width have the same products."""
        return 64 - min(trailing_zeros(int(x)) for x in self.multiplicand)


def trailing_zeros(word: int) -> int:
    """The ctz of a 64-bit word; 64 for 0."""
    return (word & -word).bit_length() - 1 if word else 64


def mask_bits(terms: Terms) -> list[int]:
    """The bits of the mask, as far as the multiplicands show them."""
    return sorted({trailing_zeros(int(x)) for x in terms.multiplicand} - {64})


def terms_of(cell: Cell) -> Terms:
    """The products of a cell. Raises InputError for a scheme of another form."""
    product = cell.scheme.product
    if cell.scheme.name not in SCHEMES or product is None:
        message = f"the window search knows the schemes {', '.join(SCHEMES)}"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    if not 1 <= cell.bits <= 16:
        raise InputError([Problem("the window search takes 1 to 16", key=f"bits {cell.bits}")])
    if product.constant and product.constant not in cell.fixed:
        raise InputError([Problem("expected a value", key=product.constant)])
    constant = cell.fixed[product.constant] & WORD if product.constant else 0
    multiplicands = list(product.multiplicands(cell.words, cell.mask))
    attacks = list(cell.values)
    if cell.scheme.name == "black":
        multiplicands = [-x & WORD for x in multiplicands]
        least = (1 << cell.bits) - 1 - cell.last_index
        return terms(multiplicands, attacks, cell.bits, ~constant & WORD, least)
    return terms(multiplicands, attacks, cell.bits, constant, 0, cell.last_index)


def terms(
    multiplicands: list[int],
    attacks: list[int],
    bits: int,
    constant: int = 0,
    least_slot: int = 0,
    most_slot: int | None = None,
) -> Terms:
    """Terms from plain numbers: any multiplicands and any grouping will do."""
    last = (1 << bits) - 1
    return Terms(
        multiplicand=np.array(multiplicands, dtype=np.uint64),
        constant=np.full(len(multiplicands), constant, dtype=np.uint64),
        attack=np.array(attacks, dtype=np.int32),
        bits=bits,
        least_slot=least_slot,
        most_slot=last if most_slot is None else most_slot,
    )
