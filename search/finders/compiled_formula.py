"""Formulas compiled: the tree as Python source, which numba compiles, for 64 and 128 bits."""

from functools import lru_cache
from types import FunctionType
from typing import Any, TypeAlias

import numba
import numpy as np

from magicert.cell import Cell
from magicert.formula.tree import (
    OCCUPANCY,
    Binary,
    Call,
    Literal,
    Name,
    Node,
    Reading,
    Unary,
    evaluate,
    names,
    shift_problem,
)
from magicert.problem import InputError, Problem
from magicert.search.compiled import Word
from magicert.search.finders.trial_kernel import SIGNATURE, first_magic
from magicert.system.words import high_product, popcount

# Arithmetic on 128-bit words in compiled code: pairs (low, high) of uint64, wrapping.
#
# What a formula is translated to calls these. LLVM puts them in line.

Wide: TypeAlias = "tuple[Word, Word]"

_ZERO, _ONE, _63, _64 = np.uint64(0), np.uint64(1), np.uint64(63), np.uint64(64)


@numba.njit
def wide_invert(x: Wide) -> Wide:
    """`~x`."""
    return ~x[0], ~x[1]


@numba.njit
def wide_and(x: Wide, y: Wide) -> Wide:
    """`x & y`."""
    return x[0] & y[0], x[1] & y[1]


@numba.njit
def wide_or(x: Wide, y: Wide) -> Wide:
    """`x | y`."""
    return x[0] | y[0], x[1] | y[1]


@numba.njit
def wide_xor(x: Wide, y: Wide) -> Wide:
    """`x ^ y`."""
    return x[0] ^ y[0], x[1] ^ y[1]


@numba.njit
def wide_add(x: Wide, y: Wide) -> Wide:
    """`x + y`."""
    low = x[0] + y[0]
    carry = _ONE if low < y[0] else _ZERO
    return low, x[1] + y[1] + carry


@numba.njit
def wide_subtract(x: Wide, y: Wide) -> Wide:
    """`x - y`."""
    borrow = _ONE if x[0] < y[0] else _ZERO
    return x[0] - y[0], x[1] - y[1] - borrow


@numba.njit
def wide_multiply(x: Wide, y: Wide) -> Wide:
    """`x * y`."""
    return x[0] * y[0], high_product(x[0], y[0]) + x[0] * y[1] + x[1] * y[0]


@numba.njit
def wide_left(x: Wide, amount: Word) -> Wide:
    """`x << amount`, by less than 128."""
    by = amount & _63
    low = x[0] << by
    if amount >= _64:
        return _ZERO, low
    # In two steps: nothing may be shifted by 64.
    return low, (x[1] << by) | ((x[0] >> _ONE) >> (_63 - by))


@numba.njit
def wide_right(x: Wide, amount: Word) -> Wide:
    """`x >> amount`, by less than 128."""
    by = amount & _63
    high = x[1] >> by
    if amount >= _64:
        return high, _ZERO
    return (x[0] >> by) | ((x[1] << _ONE) << (_63 - by)), high


@numba.njit
def wide_popcount(x: Wide) -> Word:
    """The number of ones."""
    return popcount(x[0]) + popcount(x[1])


@numba.njit
def wide_ctz(x: Wide) -> Word:
    """The number of zeros below the lowest one; 128 of 0."""
    low, above = x[0], _ZERO
    if low == _ZERO:
        low, above = x[1], _64
    # Of 0 this is 64 again: 0 - 1 has all bits.
    return above + popcount((low & (~low + _ONE)) - _ONE)


@numba.njit
def wide_index(x: Wide) -> Word:
    """A word as an index of 64 bits; what has more bits is 2^64 - 1, which fits no table."""
    return x[0] if x[1] == _ZERO else ~_ZERO


_OPERATIONS: tuple[Any, ...] = (
    wide_invert, wide_and, wide_or, wide_xor, wide_add, wide_subtract, wide_multiply,
    wide_left, wide_right, wide_popcount, wide_ctz, wide_index,
)  # fmt: skip
OPERATIONS = {operation.__name__: operation for operation in _OPERATIONS}
"""What translated formulas call, by name."""


# The compiled reading of a formula: Python source, which numba compiles.
#
# What differs from cell to cell (mask and bits) stays a variable, so that a formula is compiled
# once for all squares: `index` takes them where the known schemes take form and shift.
#
# In a formula of 128-bit words the words of that width are pairs.


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
    left = amount % width
    if left == np.uint64(0):
        return x
    return (x << left) | (x >> (width - left))


_HELPERS: dict[str, Any] = {
    "U": np.uint64, "popcount": popcount, "ctz": _ctz, "bswap": _bswap, "pext": _pext,
    "rotate": _rotate, **OPERATIONS,
}  # fmt: skip

_WIDE = {
    "+": "wide_add", "-": "wide_subtract", "*": "wide_multiply",
    "&": "wide_and", "|": "wide_or", "^": "wide_xor",
    "<<": "wide_left", ">>": "wide_right",
}  # fmt: skip

_VARIABLES = {OCCUPANCY: "word", "mask": "form", "bits": "shift"}


def translate(cell: Cell) -> str:
    """The source of `index(form, word, magic, shift)`, all words uint64.

    In a formula of 128-bit words `form`, `word` and `magic` are pairs of low and high word.
    Raises InputError where a shift's amount depends on the occupancy or on the magic, or
    reaches the word's width in this cell.
    """
    translation = _Translation(cell)
    tree = cell.scheme.formula.tree
    body = translation.value(tree)
    if translation.problems:
        raise InputError(translation.problems)
    if tree.width == 128:
        body = f"wide_index({body})"
    return f"def index(form, word, magic, shift):\n    return {body}\n"


class _Translation(Reading[str]):
    def __init__(self, cell: Cell) -> None:
        self.text = cell.scheme.formula.text
        self.pairs = cell.scheme.formula.word == 128
        self.free = cell.scheme.free
        self.values = {**cell.fixed, "bits": cell.bits, "mask": cell.mask}
        self.problems: list[Problem] = []

    def literal(self, node: Literal) -> str:
        return _constant(node.value, node.width)

    def name(self, node: Name) -> str:
        variable = "magic" if node.name == self.free else _VARIABLES.get(node.name)
        if variable is None:
            return _constant(evaluate(node, self.values, self.text), node.width)
        if self.pairs and variable != "shift":
            # A magic that is used at 64 bits has no more: who draws magics sees to it.
            return variable if node.width == 128 else f"{variable}[0]"
        return _pair(variable, node.width, 64)

    def invert(self, node: Unary, x: str) -> str:
        if node.width == 128:
            return f"wide_invert({x})"
        return _wrapped(f"(~{x})", node.width)

    def negate(self, node: Unary, x: str) -> str:
        if node.width == 128:
            return f"wide_subtract({_constant(0, 128)}, {x})"
        return _wrapped(f"(~{x} + U(1))", node.width)

    def add(self, node: Binary, x: str, y: str) -> str:
        return _wrapped(self.bitwise_and(node, x, y), node.width)

    multiply = subtract = add

    def bitwise_and(self, node: Binary, x: str, y: str) -> str:
        if node.width == 128:
            x, y = _pair(x, 128, node.left.width), _pair(y, 128, node.right.width)
            return f"{_WIDE[node.operator]}({x}, {y})"
        return f"({x} {node.operator} {y})"

    bitwise_xor = bitwise_or = bitwise_and

    def shift_left(self, node: Binary, x: str, amount: str) -> str:
        return _wrapped(self.shift_right(node, x, amount), node.width)

    def shift_right(self, node: Binary, x: str, amount: str) -> str:
        self.check_shift(node)
        by = _low(amount, node.right)
        if node.width == 128:
            return f"{_WIDE[node.operator]}({x}, {by})"
        return f"({x} {node.operator} {by})"

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
        return _wrapped(_low(x, node.arguments[0]), 32)

    lo32 = u32

    def hi32(self, node: Call, x: str) -> str:
        return f"({_low(x, node.arguments[0])} >> U(32))"

    def rol32(self, node: Call, x: str, amount: str) -> str:
        word, by = map(_low, (x, amount), node.arguments)
        return _wrapped(f"rotate({_wrapped(word, 32)}, {by}, U(32))", 32)

    def u64(self, node: Call, x: str) -> str:
        return _low(x, node.arguments[0])

    lo64 = u64

    def hi64(self, node: Call, x: str) -> str:
        return f"{x}[1]" if node.arguments[0].width == 128 else "U(0)"

    def rol64(self, node: Call, x: str, amount: str) -> str:
        word, by = map(_low, (x, amount), node.arguments)
        return f"rotate({word}, {by}, U(64))"

    def bswap64(self, node: Call, x: str) -> str:
        return f"bswap({_low(x, node.arguments[0])})"

    def pext(self, node: Call, x: str, mask: str) -> str:
        word, ones = map(_low, (x, mask), node.arguments)
        return f"pext({word}, {ones})"

    def popcount(self, node: Call, x: str) -> str:
        return f"wide_popcount({x})" if node.arguments[0].width == 128 else f"popcount({x})"

    def ctz(self, node: Call, x: str) -> str:
        width = node.arguments[0].width
        return f"wide_ctz({x})" if width == 128 else f"ctz({x}, U({width}))"


def _constant(value: int, width: int) -> str:
    if width == 128:
        return f"(U({value & ((1 << 64) - 1)}), U({value >> 64}))"
    return f"U({value})"


def _pair(source: str, width: int, own: int) -> str:
    """A word of `own` bits as one of `width`."""
    return f"({source}, U(0))" if width == 128 and own < 128 else source


def _low(source: str, node: Node) -> str:
    """The low 64 bits of a word."""
    return f"{source}[0]" if node.width == 128 else source


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

    Raises InputError for a formula that cannot be compiled, or of 128-bit words.
    """
    if cell.scheme.formula.word != 64:
        message = "this engine takes formulas of 64-bit words"
        raise InputError([Problem(message, text=cell.scheme.formula.text)])
    return _kernel(translate(cell))
