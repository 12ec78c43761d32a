"""What the trial kernel needs to know of a cell's formula.

The schemes that engines use have a compiled reading each, in `trial_kernel.index`. Any
other formula is translated and compiled when it is asked for (see compiled_formula.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from magicert.board import WORD
from magicert.cell import Cell
from magicert.formula import Formula, parse
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem
from magicert.search.finders.all_occupancies import Words, all_occupancies
from magicert.search.finders.trial_kernel import HALVES_ADD, HALVES_XOR, WIDE

MOST_BITS = 24
"""A kernel's table has an entry of eight bytes for each index: 128 MiB."""


@dataclass(frozen=True, slots=True)
class Form:
    """`number` says how `index` joins a word and a magic; `words` are the occupancies as it
    takes them, with their `attacks` numbers. A formula of its own has a `kernel` of its own,
    which takes the mask for `number` and the index bits for `shift`.
    """

    number: int
    words: Words
    attacks: Words
    shift: int
    kernel: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    number: int
    width: int
    black: bool = False


_PRODUCT = "((occ & mask) * magic) >> (64 - bits)"
_BLACK = "((occ | ~mask) * magic) >> (64 - bits)"
_HALVES = "((u32(occ & mask) * u32(magic)) {} (hi32(occ & mask) * hi32(magic))) >> (32 - bits)"


def skeleton(formula: Formula) -> object:
    """A formula without its spelling: equal for formulas that differ in blanks or brackets."""
    return _skeleton(formula.tree)


def _skeleton(node: Node) -> object:
    match node:
        case Literal():
            return node.value
        case Name():
            return node.name
        case Unary():
            return node.operator, _skeleton(node.operand)
        case Binary():
            return node.operator, _skeleton(node.left), _skeleton(node.right)
        case Call():
            return node.function, *map(_skeleton, node.arguments)


_KNOWN = {
    skeleton(parse(_PRODUCT)): _Known(WIDE, 64),
    skeleton(parse(_BLACK)): _Known(WIDE, 64, black=True),
    skeleton(parse(_HALVES.format("^"))): _Known(HALVES_XOR, 32),
    skeleton(parse(_HALVES.format("+"))): _Known(HALVES_ADD, 32),
}


def form_of(cell: Cell) -> Form:
    """The form of a cell's formula.

    Raises InputError for more bits than a table of indexes can have, and for a formula
    that cannot be compiled.
    """
    if cell.bits > MOST_BITS:
        message = f"expected at most {MOST_BITS}: every index needs an entry in memory"
        raise InputError([Problem(message, key=f"bits {cell.bits}")])
    square = all_occupancies(cell.piece, cell.square)
    known = _KNOWN.get(skeleton(cell.scheme.formula))
    if known is None:
        from magicert.search.finders.compiled_formula import compiled_kernel

        kernel = compiled_kernel(cell)
        return Form(cell.mask, square.occupancies, square.attacks, cell.bits, kernel)
    words = square.occupancies
    if known.black:
        words = words | np.uint64(~cell.mask & WORD)
    return Form(known.number, words, square.attacks, known.width - cell.bits)
