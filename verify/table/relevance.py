"""Which bits of the occupancy can change an index at all, for all 2^64 occupancies.

An abstract reading of the formula: for each bit of each intermediate word it keeps the
set of occupancy bits that can influence it, and whether it can be 1 at all. Both are
upper bounds (a carry is assumed possible wherever one could start), so an occupancy bit
outside the result is proved irrelevant, and an index never exceeds `largest`. With the
usual formulas the result is exactly the mask.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.formula import Formula
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY, Binary, Call, Name, Node, Unary, names

Words = NDArray[np.uint64]

_BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)
_NONE = np.uint64(0)


@dataclass(frozen=True, slots=True)
class Relevance:
    """Per row: `occupancy`, the occupancy bits that may matter, and `largest`, a bound
    (of the form 2^n - 1) on the index; both uint64 of shape (rows,).
    """

    occupancy: Words
    largest: Words


@dataclass(frozen=True, slots=True)
class _Word:
    """Abstract words, one a row: `depends[row, i]` is the set of occupancy bits that can
    influence bit i; `may[row]` has a 1 wherever the word may have one; `known` is the
    value where it does not depend on the occupancy at all.
    """

    depends: Words
    may: Words
    known: Words | None = None


def relevance(formula: Formula, parameters: Mapping[str, Words], rows: int) -> Relevance:
    """Analyse a formula for `rows` squares; parameters are uint64 arrays of shape (rows, 1)."""
    reader = _Reader(formula.text, parameters, rows)
    word = reader.read(formula.tree)
    occupancy = np.bitwise_or.reduce(word.depends, axis=1) | reader.amounts
    return Relevance(occupancy, _smear(word.may))


def _smear(x: Words) -> Words:
    """All bits up to the highest one."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | (x >> np.uint64(shift))
    return x


class _Reader:
    def __init__(self, text: str, parameters: Mapping[str, Words], rows: int) -> None:
        self.text = text
        self.parameters = parameters
        self.rows = rows
        # What decides whether a shift reaches the width matters, whatever becomes of its value.
        self.amounts = np.zeros(rows, dtype=np.uint64)

    def read(self, node: Node) -> _Word:
        if OCCUPANCY not in names(node):
            value = evaluate(node, self.parameters, self.text).astype(np.uint64)
            known = np.broadcast_to(value.reshape(-1), (self.rows,))
            return _Word(self.nothing(), known, known)
        match node:
            case Name():
                depends = np.broadcast_to(_BITS, (self.rows, 64))
                return _Word(depends, np.full(self.rows, ~_NONE))
            case Unary():
                return self.unary(node, self.read(node.operand))
            case Binary():
                return self.binary(node, self.read(node.left), self.read(node.right))
            case Call():
                return self.call(node, [self.read(argument) for argument in node.arguments])
        raise AssertionError(node)

    def nothing(self) -> Words:
        return np.zeros((self.rows, 64), dtype=np.uint64)

    def unary(self, node: Unary, x: _Word) -> _Word:
        depends = x.depends if node.operator == "~" else _upwards(x.depends)
        return self.word(depends, np.full(self.rows, ~_NONE), node.width)

    def binary(self, node: Binary, x: _Word, y: _Word) -> _Word:
        both = x.depends | y.depends
        match node.operator:
            case "&":
                # Where one side is known to be 0, the other does not matter.
                return self.word(both, x.may & y.may, node.width)
            case "|":
                ones = _ones(x) | _ones(y)
                return self.word(_where(~ones, both), x.may | y.may, node.width)
            case "^":
                return self.word(both, x.may | y.may, node.width)
            case "+":
                # x <= x.may and y <= y.may, so this bounds the sum, unless it wraps.
                most = x.may + y.may
                may = np.where(most < x.may, ~_NONE, _smear(most))
                return self.word(_upwards(both), may, node.width)
            case "-":
                return self.word(_upwards(both), np.full(self.rows, ~_NONE), node.width)
            case "*":
                return self.product(node, x, y)
        return self.shift(node, x, y)

    def product(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Bit i of x reaches the product's bits from i + ctz(y) up, and likewise for y.
        depends = _upwards(_shifted(x.depends, _ctz(y.may)) | _shifted(y.depends, _ctz(x.may)))
        # Words of a and b bits have a product of at most a + b: below that nothing wraps.
        wraps = _length(x.may) + _length(y.may) > 64
        may = np.where(wraps, ~_NONE, _smear(x.may * y.may))
        return self.word(depends, may, node.width)

    def shift(self, node: Binary, x: _Word, y: _Word) -> _Word:
        if y.known is None:
            # The amount depends on the occupancy: everything may reach everything.
            decides = np.bitwise_or.reduce(y.depends, axis=1)
            self.amounts |= np.where(_smear(y.may) >= node.width, decides, _NONE)
            everything = np.bitwise_or.reduce(x.depends | y.depends, axis=1)[:, None]
            depends = np.broadcast_to(everything, (self.rows, 64))
            may = np.full(self.rows, ~_NONE) if node.operator == "<<" else _smear(x.may)
            return self.word(depends, may, node.width)
        # Amounts of the width or more are refused elsewhere; here they only must not hurt.
        amount = np.minimum(y.known, np.uint64(63)).astype(np.int64)
        if node.operator == "<<":
            may = x.may << amount.astype(np.uint64)
            return self.word(_shifted(x.depends, amount), may, node.width)
        return self.word(
            _shifted(x.depends, -amount), x.may >> amount.astype(np.uint64), node.width
        )

    def call(self, node: Call, words: list[_Word]) -> _Word:
        x = words[0]
        match node.function:
            case "u32" | "lo32":
                return self.word(x.depends, x.may, 32)
            case "hi32":
                return self.word(
                    _shifted(x.depends, np.full(self.rows, -32)), x.may >> np.uint64(32), 32
                )
            case "rol32":
                return self.rotate(self.word(x.depends, x.may, 32), words[1], 32)
            case "rol64":
                return self.rotate(x, words[1], 64)
            case "bswap64":
                places = np.arange(64).reshape(8, 8)[::-1].reshape(64)
                return self.word(x.depends[:, places], x.may.byteswap(), 64)
        # popcount and ctz: at most 64, and every bit of x counts.
        everything = np.bitwise_or.reduce(x.depends, axis=1)[:, None]
        depends = np.broadcast_to(everything, (self.rows, 64))
        return self.word(depends, np.full(self.rows, np.uint64(127)), 64)

    def rotate(self, x: _Word, amount: _Word, width: int) -> _Word:
        if amount.known is None:
            everything = np.bitwise_or.reduce(x.depends | amount.depends, axis=1)[:, None]
            depends = np.broadcast_to(everything, (self.rows, 64))
            return self.word(depends, np.full(self.rows, ~_NONE), width)
        turn = (amount.known % np.uint64(width)).astype(np.int64)
        places = (np.arange(width)[None, :] - turn[:, None]) % width
        depends = self.nothing()
        depends[:, :width] = np.take_along_axis(x.depends[:, :width], places, axis=1)
        # Which bits may be 1 turns with them.
        ones = (x.may[:, None] >> places.astype(np.uint64)) & np.uint64(1)
        may = np.bitwise_or.reduce(ones << np.arange(width, dtype=np.uint64), axis=1)
        return self.word(depends, may, width)

    def word(self, depends: Words, may: Words, width: int) -> _Word:
        """A word that can only have ones, and so only depend, where `may` says."""
        may = may & np.uint64((1 << width) - 1)
        return _Word(_where(may, depends), may)


def _ones(x: _Word) -> Words:
    return x.known if x.known is not None else np.zeros_like(x.may)


def _where(bits: Words, depends: Words) -> Words:
    return np.where((bits[:, None] & _BITS) != 0, depends, _NONE)


def _upwards(depends: Words) -> Words:
    """Carries go up: each bit depends on whatever the bits below it depend on."""
    return np.bitwise_or.accumulate(depends, axis=1)


def _shifted(depends: Words, amount: NDArray[np.int64]) -> Words:
    """Each row's bits moved up by its amount (down where negative)."""
    places = np.arange(64)[None, :] - amount[:, None]
    inside = (places >= 0) & (places < 64)
    return np.where(inside, np.take_along_axis(depends, np.clip(places, 0, 63), axis=1), _NONE)


def _ctz(x: Words) -> NDArray[np.int64]:
    return np.bitwise_count((x & np.negative(x)) - np.uint64(1)).astype(np.int64)


def _length(x: Words) -> NDArray[np.int64]:
    return np.bitwise_count(_smear(x)).astype(np.int64)
