"""Another reading of a formula: translated to Python source and compiled by numba.

It reads the same tree as the plain reading does, which is its reference in the tests. What
differs from cell to cell (mask and bits) stays a variable, so that a formula is compiled
once for all squares: `index` takes them where the known schemes take form and shift.
"""

from functools import lru_cache
from types import FunctionType
from typing import Any

import numba
import numpy as np

from magicert.cell import Cell
from magicert.formula.integers import evaluate
from magicert.formula.tree import OCCUPANCY, Binary, Call, Literal, Name, Node, Unary, names
from magicert.problem import InputError, Problem
from magicert.search.compiled import Word
from magicert.search.finders.trial_kernel import SIGNATURE, first_magic, population

_HELPERS: dict[str, Any] = {"U": np.uint64, "population": population}


@numba.njit
def _ctz(x: Word, width: Word) -> Word:
    if x == np.uint64(0):
        return width
    return population((x & (~x + np.uint64(1))) - np.uint64(1))


@numba.njit
def _bswap(x: Word) -> Word:
    swapped = np.uint64(0)
    for _ in range(8):
        swapped = (swapped << np.uint64(8)) | (x & np.uint64(255))
        x >>= np.uint64(8)
    return swapped


@numba.njit
def _rotate(x: Word, amount: Word, width: Word) -> Word:
    left = amount % width
    if left == np.uint64(0):
        return x
    return (x << left) | (x >> (width - left))


_HELPERS |= {"ctz": _ctz, "bswap": _bswap, "rotate": _rotate}


_VARIABLES = {OCCUPANCY: "word", "mask": "form", "bits": "shift"}


def translate(cell: Cell) -> str:
    """The source of `index(form, word, magic, shift)`, all words uint64.

    Raises InputError where a shift's amount depends on the occupancy or on the magic, or
    reaches the word's width in this cell.
    """
    translation = _Translation(cell)
    body = translation.expression(cell.scheme.formula.tree)
    if translation.problems:
        raise InputError(translation.problems)
    return f"def index(form, word, magic, shift):\n    return {body}\n"


class _Translation:
    def __init__(self, cell: Cell) -> None:
        self.text = cell.scheme.formula.text
        self.free = cell.scheme.free
        self.values = {**cell.fixed, "bits": cell.bits, "mask": cell.mask}
        self.problems: list[Problem] = []

    def expression(self, node: Node) -> str:
        """The source of a subtree."""
        match node:
            case Literal():
                return f"U({node.value})"
            case Name():
                if node.name == self.free:
                    return "magic"
                return _VARIABLES.get(node.name) or f"U({self.values[node.name]})"
            case Unary():
                operand = self.expression(node.operand)
                whole = f"(~{operand})" if node.operator == "~" else f"(~{operand} + U(1))"
                return self.wrapped(whole, node.width)
            case Binary():
                return self.binary(node)
            case Call():
                return self.call(node)

    def binary(self, node: Binary) -> str:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.operator in ("<<", ">>"):
            self.check_shift(node)
        whole = f"({left} {node.operator} {right})"
        return self.wrapped(whole, node.width) if node.operator in "*+-<<" else whole

    def check_shift(self, node: Binary) -> None:
        text = self.text
        if names(node.right) & {OCCUPANCY, self.free}:
            message = "this engine wants a shift whose amount depends on neither occ nor the magic"
            self.problems.append(Problem(message, text=text, span=node.right.span))
            return
        try:
            amount = evaluate(node.right, self.values, text)
        except InputError as error:  # a shift within the amount
            self.problems += error.problems
            return
        if amount >= node.width:
            message = f"shift by {amount}: expected less than the word's width, {node.width}"
            self.problems.append(Problem(message, text=text, span=node.right.span))

    def call(self, node: Call) -> str:
        arguments = [self.expression(argument) for argument in node.arguments]
        x = arguments[0]
        match node.function:
            case "u32" | "lo32":
                return self.wrapped(x, 32)
            case "hi32":
                return f"({x} >> U(32))"
            case "rol32":
                whole = f"rotate({self.wrapped(x, 32)}, {arguments[1]}, U(32))"
                return self.wrapped(whole, 32)
            case "rol64":
                return f"rotate({x}, {arguments[1]}, U(64))"
            case "bswap64":
                return f"bswap({x})"
            case "popcount":
                return f"population({x})"
            case "ctz":
                return f"ctz({x}, U({node.arguments[0].width}))"
        raise AssertionError(node.function)

    @staticmethod
    def wrapped(source: str, width: int) -> str:
        return source if width == 64 else f"({source} & U(4294967295))"


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


def compiled_index(cell: Cell) -> Any:  # noqa: ANN401
    """The compiled `index(form, word, magic, shift)` of a cell's formula."""
    return _index(translate(cell))


def compiled_kernel(cell: Cell) -> Any:  # noqa: ANN401
    """`first_magic` with the cell's formula as its index; it takes a second to compile."""
    return _kernel(translate(cell))
