"""Formulas of 64-bit words compiled: the tree as Python source, which numba compiles.

A class with a method for each operation of the language writes the formula as Python source, with
every literal and result wrapped to its width; numba makes a kernel of it.

When: `find --engine trial` with a formula that is none of the known schemes, whose products are
compiled once and for all in `trial_kernel`. Formulas of 128-bit words are not: `wide_kernel` and
numpy serve them.

Why: a candidate is tried on up to thousands of occupancies; walking the tree for each would be
slow.

Cost: one compilation for a formula, whatever the square: mask and bits stay variables. The tests
hold what it computes against plain Python integers, on formulas drawn from the language.
"""

from functools import lru_cache
from types import FunctionType
from typing import Any

import numba
import numpy as np

from magicert.cell import Cell
from magicert.formula.tree import (
    OCCUPANCY,
    Binary,
    Call,
    Interpretation,
    Literal,
    Name,
    Unary,
    evaluate,
    names,
    shift_problem,
)
from magicert.problem import InputError, Problem
from magicert.search.compiled import Word
from magicert.search.finders.trial_kernel import SIGNATURE, first_magic
from magicert.system.words import popcount

# The compiled interpretation of a formula: Python source, which numba compiles.
#
# What differs from cell to cell (mask and bits) stays a variable, so that a formula is compiled
# once for all squares: `index` takes them where the known schemes take form and shift.


@numba.njit
def _ctz(x: Word, width: Word) -> Word:
    if x == np.uint64(0):
        return width
    return popcount((x & (~x + np.uint64(1))) - np.uint64(1))


@numba.njit
def _bswap(x: Word) -> Word:
    swapped = np.uint64(0)
    for _ in range(8):
        swapped = (swapped << np.uint64(8)) | (x & np.uint64(255))
        x >>= np.uint64(8)
    return swapped


@numba.njit
def _pext(x: Word, mask: Word) -> Word:
    extracted, place = np.uint64(0), np.uint64(1)
    while mask != np.uint64(0):
        if x & mask & (~mask + np.uint64(1)):
            extracted |= place
        place <<= np.uint64(1)
        mask &= mask - np.uint64(1)
    return extracted


@numba.njit
def _rotate(x: Word, amount: Word, width: Word) -> Word:
    by = amount % width
    if by == np.uint64(0):
        return x
    return (x << by) | (x >> (width - by))


_HELPERS: dict[str, Any] = {
    "U": np.uint64, "popcount": popcount, "ctz": _ctz, "bswap": _bswap, "pext": _pext,
    "rotate": _rotate,
}  # fmt: skip

_VARIABLES = {OCCUPANCY: "word", "mask": "form", "bits": "shift"}


def translate(cell: Cell) -> str:
    """The source of `index(form, word, magic, shift)`, all words uint64.

    Raises InputError for a formula of 128-bit words, and where a shift's amount depends on the
    occupancy or on the magic, or reaches the word's width in this cell.
    """
    formula = cell.scheme.formula
    if formula.word != 64:
        message = "this engine takes formulas of 64-bit words"
        raise InputError([Problem(message, text=formula.text)])
    translation = _Translation(cell)
    body = translation.value(formula.tree)
    if translation.problems:
        raise InputError(translation.problems)
    return f"def index(form, word, magic, shift):\n    return {body}\n"


class _Translation(Interpretation[str]):
    def __init__(self, cell: Cell) -> None:
        self.text = cell.scheme.formula.text
        self.free = cell.scheme.free
        self.values = {**cell.fixed, "bits": cell.bits, "mask": cell.mask}
        self.problems: list[Problem] = []

    def literal(self, node: Literal) -> str:
        return f"U({node.value})"

    def name(self, node: Name) -> str:
        variable = "magic" if node.name == self.free else _VARIABLES.get(node.name)
        return variable or f"U({evaluate(node, self.values, self.text)})"

    def invert(self, node: Unary, x: str) -> str:
        return _wrapped(f"(~{x})", node.width)

    def negate(self, node: Unary, x: str) -> str:
        return _wrapped(f"(~{x} + U(1))", node.width)

    def add(self, node: Binary, x: str, y: str) -> str:
        return _wrapped(self.bitwise_and(node, x, y), node.width)

    multiply = subtract = add

    def bitwise_and(self, node: Binary, x: str, y: str) -> str:
        return f"({x} {node.operator} {y})"

    bitwise_xor = bitwise_or = bitwise_and

    def shift_left(self, node: Binary, x: str, amount: str) -> str:
        return _wrapped(self.shift_right(node, x, amount), node.width)

    def shift_right(self, node: Binary, x: str, amount: str) -> str:
        self.check_shift(node)
        return f"({x} {node.operator} {amount})"

    def check_shift(self, node: Binary) -> None:
        if names(node.right) & {OCCUPANCY, self.free}:
            message = "this engine wants a shift whose amount depends on neither occ nor the magic"
            self.problems.append(Problem(message, text=self.text, span=node.right.span))
            return
        try:
            amount = evaluate(node.right, self.values, self.text)
        except InputError as error:  # a shift within the amount
            self.problems += error.problems
            return
        if amount >= node.width:
            self.problems.append(shift_problem(node, amount, self.text))

    def u32(self, node: Call, x: str) -> str:
        return _wrapped(x, 32)

    lo32 = u32

    def hi32(self, node: Call, x: str) -> str:
        return f"({x} >> U(32))"

    def rol32(self, node: Call, x: str, amount: str) -> str:
        return _wrapped(f"rotate({_wrapped(x, 32)}, {amount}, U(32))", 32)

    def u64(self, node: Call, x: str) -> str:
        return x

    lo64 = u64

    def hi64(self, node: Call, x: str) -> str:
        return "U(0)"

    def rol64(self, node: Call, x: str, amount: str) -> str:
        return f"rotate({x}, {amount}, U(64))"

    def bswap64(self, node: Call, x: str) -> str:
        return f"bswap({x})"

    def pext(self, node: Call, x: str, mask: str) -> str:
        return f"pext({x}, {mask})"

    def popcount(self, node: Call, x: str) -> str:
        return f"popcount({x})"

    def ctz(self, node: Call, x: str) -> str:
        return f"ctz({x}, U({node.arguments[0].width}))"


def _wrapped(source: str, width: int) -> str:
    return source if width >= 64 else f"({source} & U(4294967295))"


@lru_cache(maxsize=64)
def _index(source: str) -> Any:  # noqa: ANN401
    scope = dict(_HELPERS)
    exec(source, scope)  # nothing but operators, literals and our own helpers
    return numba.njit(scope["index"])


@lru_cache(maxsize=64)
def _kernel(source: str) -> Any:  # noqa: ANN401
    # The very loop of the known schemes, with another `index` in its place.
    loop: Any = first_magic.py_func
    globals_ = {**loop.__globals__, "index": _index(source)}
    njit: Any = numba.njit
    return njit(SIGNATURE, nogil=True)(FunctionType(loop.__code__, globals_, "first_magic"))


def compiled_kernel(cell: Cell) -> Any:  # noqa: ANN401
    """`first_magic` with the cell's formula as its index; it takes a second to compile.

    Raises InputError for a formula that cannot be compiled.
    """
    return _kernel(translate(cell))
