"""What the trial kernel needs to know of a cell's formula.

The products of the known schemes are compiled once, in `trial_kernel.index`. Any other
formula is translated and compiled when it is asked for (see compiled_formula.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from magicert.cell import Cell
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.scheme import Product
from magicert.search.finders.all_occupancies import Words, all_occupancies
from magicert.search.finders.drawing import WIDE, product_form

MOST_BITS = 24
"""A kernel's table has an entry of eight bytes for each index: 128 MiB."""


@dataclass(frozen=True, slots=True)
class CompiledForm:
    """`number` says how `index` joins a word and a magic; `words` are the occupancies as it
    takes them, with their `attacks` numbers. A formula of its own has a `kernel` of its own,
    which takes the mask for `number` and the index bits for `shift`.
    """

    number: int
    words: Words
    attacks: Words
    shift: int
    kernel: Callable[..., Any] | None = None


def check_bits(cell: Cell) -> None:
    """Raises InputError for more bits than a table of indexes can have."""
    if cell.bits > MOST_BITS:
        message = f"expected at most {MOST_BITS}: every index needs an entry in memory"
        raise InputError([Problem(message, key=f"bits {cell.bits}")])


def form_of(cell: Cell) -> CompiledForm:
    """The form of a cell's formula.

    Raises InputError for more bits than a table of indexes can have, and for a formula
    that cannot be compiled.
    """
    check_bits(cell)
    square = all_occupancies(cell.about)
    number, product = product_form(cell), cell.scheme.product
    if product is not None and not product.constant:
        words = _multiplicands(product, square.occupancies, cell.mask)
        return CompiledForm(WIDE, words, square.attacks, 64 - cell.bits)
    if number != WIDE:
        return CompiledForm(number, square.occupancies, square.attacks, 32 - cell.bits)
    from magicert.search.finders.compiled_formula import compiled_kernel

    kernel = compiled_kernel(cell)
    return CompiledForm(cell.mask, square.occupancies, square.attacks, cell.bits, kernel)


def _multiplicands(product: Product, occupancies: Words, mask: int) -> Words:
    values = {OCCUPANCY: occupancies, "mask": np.array([mask], dtype=np.uint64)}
    # A literal makes it one row of a table: (1, occupancies).
    return evaluate(product.multiplicand.tree, values, product.multiplicand.text).reshape(-1)
