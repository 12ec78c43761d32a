"""Another reading of a formula: translated to Python source and compiled by numba.

It reads the same tree as the plain reading does, which is its reference in the tests. The
parameters of the cell become constants, so only `occ` and the free parameter remain.
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
from search.precompiled import Word
from search.trial_kernel import SIGNATURE, first_magic, population

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


def translate(cell: Cell) -> str:
    """The source of `index(form, word, magic, shift)`, all words uint64.

    Raises InputError where a shift's amount depends on the occupancy or on the magic, or
    reaches the word's width.
    """
    values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
    problems: list[Problem] = []
    body = _Translation(cell, values, problems).expression(cell.scheme.formula.tree)
    if problems:
        raise InputError(problems)
    return f"def index(form, word, magic, shift):\n    return {body}\n"


class _Translation:
    def __init__(self, cell: Cell, values: dict[str, int], problems: list[Problem]) -> None:
        self.cell = cell
        self.values = values
        self.problems = problems
        self.variable = {OCCUPANCY, cell.scheme.free}

    def expression(self, node: Node) -> str:
        """Source of a subtree; what depends on no variable is a literal."""
        if not names(node) & self.variable:
            try:
                return f"U({evaluate(node, self.values, self.cell.scheme.formula.text)})"
            except InputError as error:
                self.problems += error.problems
                return "U(0)"
        match node:
            case Name():
                return "word" if node.name == OCCUPANCY else "magic"
            case Unary():
                operand = self.expression(node.operand)
                whole = f"(~{operand})" if node.operator == "~" else f"(~{operand} + U(1))"
                return self.wrapped(whole, node.width)
            case Binary():
                return self.binary(node)
            case Call():
                return self.call(node)
            case Literal():
                raise AssertionError(node)

    def binary(self, node: Binary) -> str:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.operator in ("<<", ">>"):
            self.check_shift(node)
        whole = f"({left} {node.operator} {right})"
        return self.wrapped(whole, node.width) if node.operator in "*+-<<" else whole

    def check_shift(self, node: Binary) -> None:
        text = self.cell.scheme.formula.text
        if names(node.right) & self.variable:
            message = "this engine wants a shift whose amount depends on neither occ nor the magic"
            self.problems.append(Problem(message, text=text, span=node.right.span))
            return
        amount = evaluate(node.right, self.values, text)
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
def _compiled(source: str) -> Any:  # noqa: ANN401
    scope = dict(_HELPERS)
    exec(source, scope)  # nothing but operators, literals and our own helpers
    index = numba.njit(scope["index"])
    njit: Any = numba.njit
    # The very loop of the known schemes, with another `index` in its place.
    loop: Any = first_magic.py_func
    kernel = FunctionType(loop.__code__, {**loop.__globals__, "index": index}, "first_magic")
    return index, njit(SIGNATURE, nogil=True)(kernel)


def compiled_index(cell: Cell) -> Any:  # noqa: ANN401
    """The compiled `index(form, word, magic, shift)` of a cell's formula."""
    return _compiled(translate(cell))[0]


def compiled_kernel(cell: Cell) -> Any:  # noqa: ANN401
    """`first_magic` with the cell's formula as its index; it takes a second to compile."""
    return _compiled(translate(cell))[1]
