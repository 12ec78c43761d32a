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
from magicert.formula.reading import Reading
from magicert.formula.tree import OCCUPANCY, WORD, Binary, Call, Literal, Name, Node, Unary, names

Words = NDArray[np.uint64]

_BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)
_NONE = np.uint64(0)
_UP_TO_127 = np.uint64(127)
"""The bits that a number up to 64 can have."""


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
    reading = _Dependencies(formula.text, parameters, rows)
    word = reading.value(formula.tree)
    return Relevance(_all_of(word.depends) | reading.amounts, _smear(word.may))


def _smear(x: Words) -> Words:
    """All bits up to the highest one."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | (x >> np.uint64(shift))
    return x


class _Dependencies(Reading[_Word]):
    def __init__(self, text: str, parameters: Mapping[str, Words], rows: int) -> None:
        self.text = text
        self.parameters = parameters
        self.rows = rows
        self.open = {OCCUPANCY} | ({WORD} - parameters.keys())
        # What decides whether a shift reaches the width matters, whatever becomes of its value.
        self.amounts = np.zeros(rows, dtype=np.uint64)

    def value(self, node: Node) -> _Word:
        """A subtree without occupancy and loaded word is computed, not analysed."""
        return super().value(node) if names(node) & self.open else self.known(node)

    def known(self, node: Node) -> _Word:
        value = evaluate(node, self.parameters, self.text).astype(np.uint64)
        words = np.broadcast_to(value.reshape(-1), (self.rows,))
        return _Word(np.zeros((self.rows, 64), dtype=np.uint64), words, words)

    def literal(self, node: Literal) -> _Word:
        return self.known(node)

    def name(self, node: Name) -> _Word:
        if node.name not in self.open:
            return self.known(node)
        if node.name == WORD:  # it follows from the index, and may be anything
            return _Word(np.zeros((self.rows, 64), dtype=np.uint64), self.any_value())
        return _Word(np.broadcast_to(_BITS, (self.rows, 64)), self.any_value())

    def any_value(self) -> Words:
        """`may` of words of which nothing is known."""
        return np.full(self.rows, ~_NONE)

    def invert(self, node: Unary, x: _Word) -> _Word:
        return _word(x.depends, self.any_value(), node.width)

    def negate(self, node: Unary, x: _Word) -> _Word:
        return _word(_upwards(x.depends), self.any_value(), node.width)

    def bitwise_and(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 0, the other does not matter.
        return _word(x.depends | y.depends, x.may & y.may, node.width)

    def bitwise_or(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 1, the other does not matter.
        open_bits = ~(_ones(x) | _ones(y))
        return _word(_where(open_bits, x.depends | y.depends), x.may | y.may, node.width)

    def bitwise_xor(self, node: Binary, x: _Word, y: _Word) -> _Word:
        return _word(x.depends | y.depends, x.may | y.may, node.width)

    def add(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # x <= x.may and y <= y.may, so this bounds the sum, unless it wraps.
        most = x.may + y.may
        may = np.where(most < x.may, ~_NONE, _smear(most))
        return _word(_upwards(x.depends | y.depends), may, node.width)

    def subtract(self, node: Binary, x: _Word, y: _Word) -> _Word:
        return _word(_upwards(x.depends | y.depends), self.any_value(), node.width)

    def multiply(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Bit i of x reaches the product's bits from i + ctz(y) up, and likewise for y.
        depends = _upwards(_shifted(x.depends, _ctz(y.may)) | _shifted(y.depends, _ctz(x.may)))
        # Words of a and b bits have a product of at most a + b: below that nothing wraps.
        wraps = _length(x.may) + _length(y.may) > 64
        may = np.where(wraps, ~_NONE, _smear(x.may * y.may))
        return _word(depends, may, node.width)

    def shift_left(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return _word(self.anywhere(node, x, amount), self.any_value(), node.width)
        by = _below_64(amount.known)
        return _word(_shifted(x.depends, by), x.may << by.astype(np.uint64), node.width)

    def shift_right(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return _word(self.anywhere(node, x, amount), _smear(x.may), node.width)
        by = _below_64(amount.known)
        return _word(_shifted(x.depends, -by), x.may >> by.astype(np.uint64), node.width)

    def anywhere(self, node: Binary, x: _Word, amount: _Word) -> Words:
        """What a shift by an amount that depends on the occupancy depends on, at every bit."""
        can_be_refused = _smear(amount.may) >= node.width
        self.amounts |= np.where(can_be_refused, _all_of(amount.depends), _NONE)
        return self.everywhere(x.depends | amount.depends)

    def everywhere(self, depends: Words) -> Words:
        """Every bit may depend on whatever any bit depends on."""
        return np.broadcast_to(_all_of(depends)[:, None], (self.rows, 64))

    def u32(self, node: Call, x: _Word) -> _Word:
        return _word(x.depends, x.may, 32)

    lo32 = u32

    def hi32(self, node: Call, x: _Word) -> _Word:
        return _word(_shifted(x.depends, np.full(self.rows, -32)), x.may >> np.uint64(32), 32)

    def rol32(self, node: Call, x: _Word, amount: _Word) -> _Word:
        return self.rotate(_word(x.depends, x.may, 32), amount, 32)

    def rol64(self, node: Call, x: _Word, amount: _Word) -> _Word:
        return self.rotate(x, amount, 64)

    def rotate(self, x: _Word, amount: _Word, width: int) -> _Word:
        if amount.known is None:
            return _word(self.everywhere(x.depends | amount.depends), self.any_value(), width)
        turn = (amount.known % np.uint64(width)).astype(np.int64)
        places = (np.arange(width)[None, :] - turn[:, None]) % width
        depends = np.zeros((self.rows, 64), dtype=np.uint64)
        depends[:, :width] = np.take_along_axis(x.depends[:, :width], places, axis=1)
        # Which bits may be 1 turns with them.
        ones = (x.may[:, None] >> places.astype(np.uint64)) & np.uint64(1)
        may = np.bitwise_or.reduce(ones << np.arange(width, dtype=np.uint64), axis=1)
        return _word(depends, may, width)

    def bswap64(self, node: Call, x: _Word) -> _Word:
        places = np.arange(64).reshape(8, 8)[::-1].reshape(64)
        return _word(x.depends[:, places], x.may.byteswap(), 64)

    def popcount(self, node: Call, x: _Word) -> _Word:
        # At most 64, and every bit of x counts.
        return _word(self.everywhere(x.depends), np.full(self.rows, _UP_TO_127), 64)

    def ctz(self, node: Call, x: _Word) -> _Word:
        return _word(self.everywhere(x.depends), np.full(self.rows, _UP_TO_127), 64)


def _word(depends: Words, may: Words, width: int) -> _Word:
    """A word that can only have ones, and so only depend, where `may` says."""
    may = may & np.uint64((1 << width) - 1)
    return _Word(_where(may, depends), may)


def _all_of(depends: Words) -> Words:
    return np.bitwise_or.reduce(depends, axis=1)


def _below_64(amounts: Words) -> NDArray[np.int64]:
    """Shift amounts; those of the width or more are refused elsewhere, and only must not hurt."""
    return np.minimum(amounts, np.uint64(63)).astype(np.int64)


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
