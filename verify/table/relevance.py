"""Which bits of the occupancy can change an index at all, for all occupancies.

An abstract reading of the formula: for each bit of each intermediate word it keeps the
set of occupancy bits that can influence it, and whether it can be 1 at all. Both are
upper bounds (a carry is assumed possible wherever one could start), so an occupancy bit
outside the result is proved irrelevant, and an index never exceeds `largest`. With the
usual formulas the result is exactly the mask.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from magicert.formula import Formula
from magicert.formula.numpy_reading import evaluate
from magicert.formula.reading import Reading
from magicert.formula.tree import OCCUPANCY, WORD, Binary, Call, Literal, Name, Node, Unary, names
from magicert.formula.wide import (
    Words,
    bit_and,
    bit_or,
    full,
    ints,
    nonzero,
    or_accumulate,
    or_reduce,
    single_bits,
    words,
)

Numbers: TypeAlias = NDArray[Any]
"""Python's integers, one a row: few, and of any width."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """Per row: `occupancy`, the occupancy bits that may matter, and `largest`, a bound
    (of the form 2^n - 1) on the index; both words of shape (rows,).
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
    may: Numbers
    known: Numbers | None = None


def relevance(formula: Formula, parameters: Mapping[str, Words], rows: int) -> Relevance:
    """Analyse a formula for `rows` squares; parameters are words of shape (rows, 1)."""
    reading = _Dependencies(formula, parameters, rows)
    word = reading.value(formula.tree)
    matters = bit_or(or_reduce(word.depends), reading.amounts)
    return Relevance(matters, words(_smear(word.may), formula.word))


class _Dependencies(Reading[_Word]):
    def __init__(self, formula: Formula, parameters: Mapping[str, Words], rows: int) -> None:
        self.text = formula.text
        self.word = formula.word
        self.parameters = parameters
        self.rows = rows
        self.open = {OCCUPANCY} | ({WORD} - parameters.keys())
        self.bits = single_bits(self.word)
        # What decides whether a shift reaches the width matters, whatever becomes of its value.
        self.amounts = full(rows, 0, self.word)

    def value(self, node: Node) -> _Word:
        """A subtree without occupancy and loaded word is computed, not analysed."""
        return super().value(node) if names(node) & self.open else self.known(node)

    def known(self, node: Node) -> _Word:
        found = ints(evaluate(node, self.parameters, self.text).reshape(-1))
        numbers = np.empty(self.rows, dtype=object)
        numbers[:] = found
        return _Word(self.nothing(), numbers, numbers)

    def literal(self, node: Literal) -> _Word:
        return self.known(node)

    def name(self, node: Name) -> _Word:
        if node.name not in self.open:
            return self.known(node)
        if node.name == WORD:  # it follows from the index, and may be anything
            return _Word(self.nothing(), self.any_value())
        return _Word(np.broadcast_to(self.bits, (self.rows, self.word)), self.any_value())

    def nothing(self) -> Words:
        """`depends` of words that do not depend on the occupancy."""
        return full((self.rows, self.word), 0, self.word)

    def any_value(self) -> Numbers:
        """`may` of words of which nothing is known."""
        return self.all((1 << self.word) - 1)

    def all(self, number: int) -> Numbers:
        """One number for every row."""
        return np.full(self.rows, number, dtype=object)

    def limited(self, depends: Words, may: Numbers, width: int) -> _Word:
        """A word that can only have ones, and so only depend, where `may` says."""
        may = may & ((1 << width) - 1)
        return _Word(self.where(may, depends), may)

    def where(self, bits: Numbers, depends: Words) -> Words:
        """What those bits depend on; the others on nothing."""
        chosen = nonzero(bit_and(words(bits[:, None], self.word), self.bits))
        return np.where(chosen, depends, full((), 0, self.word))

    def invert(self, node: Unary, x: _Word) -> _Word:
        return self.limited(x.depends, self.any_value(), node.width)

    def negate(self, node: Unary, x: _Word) -> _Word:
        return self.limited(or_accumulate(x.depends), self.any_value(), node.width)

    def bitwise_and(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 0, the other does not matter.
        return self.limited(bit_or(x.depends, y.depends), x.may & y.may, node.width)

    def bitwise_or(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 1, the other does not matter.
        open_bits = ~(_ones(x) | _ones(y)) & ((1 << node.width) - 1)
        depends = self.where(open_bits, bit_or(x.depends, y.depends))
        return self.limited(depends, x.may | y.may, node.width)

    def bitwise_xor(self, node: Binary, x: _Word, y: _Word) -> _Word:
        return self.limited(bit_or(x.depends, y.depends), x.may | y.may, node.width)

    def add(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # x <= x.may and y <= y.may, so this bounds the sum.
        depends = or_accumulate(bit_or(x.depends, y.depends))
        return self.limited(depends, _smear(x.may + y.may), node.width)

    def subtract(self, node: Binary, x: _Word, y: _Word) -> _Word:
        depends = or_accumulate(bit_or(x.depends, y.depends))
        return self.limited(depends, self.any_value(), node.width)

    def multiply(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Bit i of x reaches the product's bits from i + ctz(y) up, and likewise for y.
        moved = (_shifted(x.depends, map(_ctz, y.may)), _shifted(y.depends, map(_ctz, x.may)))
        return self.limited(or_accumulate(bit_or(*moved)), _smear(x.may * y.may), node.width)

    def shift_left(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return self.limited(self.anywhere(node, x, amount), self.any_value(), node.width)
        by = self.below(node, amount.known)
        return self.limited(_shifted(x.depends, by), x.may << by, node.width)

    def shift_right(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return self.limited(self.anywhere(node, x, amount), _smear(x.may), node.width)
        by = self.below(node, amount.known)
        return self.limited(_shifted(x.depends, -by), x.may >> by, node.width)

    def below(self, node: Binary, amounts: Numbers) -> Numbers:
        """Shift amounts; those of the width or more are refused elsewhere: they must not hurt."""
        least: Numbers = np.minimum(amounts, node.width - 1)
        return least

    def anywhere(self, node: Binary, x: _Word, amount: _Word) -> Words:
        """What a shift by an amount that depends on the occupancy depends on, at every bit."""
        can_be_refused = _smear(amount.may) >= node.width
        refused = np.where(can_be_refused, or_reduce(amount.depends), full((), 0, self.word))
        self.amounts = bit_or(self.amounts, refused)
        return self.everywhere(bit_or(x.depends, amount.depends))

    def everywhere(self, depends: Words) -> Words:
        """Every bit may depend on whatever any bit depends on."""
        return np.broadcast_to(or_reduce(depends)[:, None], (self.rows, self.word))

    def u32(self, node: Call, x: _Word) -> _Word:
        return self.limited(x.depends, x.may, node.width)

    lo32 = u64 = lo64 = u32

    def hi32(self, node: Call, x: _Word) -> _Word:
        return self.limited(_shifted(x.depends, self.all(-32)), x.may >> 32, 32)

    def hi64(self, node: Call, x: _Word) -> _Word:
        return self.limited(_shifted(x.depends, self.all(-64)), x.may >> 64, 64)

    def rol32(self, node: Call, x: _Word, amount: _Word) -> _Word:
        width, x = node.width, self.limited(x.depends, x.may, node.width)
        if amount.known is None:
            depends = self.everywhere(bit_or(x.depends, amount.depends))
            return self.limited(depends, self.any_value(), width)
        turn = (amount.known % width).astype(np.int64)
        places = (np.arange(width)[None, :] - turn[:, None]) % width
        depends = self.nothing()
        depends[:, :width] = np.take_along_axis(x.depends[:, :width], places, axis=1)
        # Which bits may be 1 turns with them.
        may = x.may << turn.astype(object)
        return self.limited(depends, may | may >> width, width)

    rol64 = rol32

    def bswap64(self, node: Call, x: _Word) -> _Word:
        x, places = self.limited(x.depends, x.may, 64), np.arange(self.word)
        places[:64] ^= 56
        swapped = (int.from_bytes(number.to_bytes(8, "little"), "big") for number in x.may)
        return self.limited(x.depends[:, places], _numbers(swapped, self.rows), 64)

    def pext(self, node: Call, x: _Word, mask: _Word) -> _Word:
        if mask.known is None:
            # At most as many bits as the mask can have ones.
            may = _numbers(((1 << number.bit_count()) - 1 for number in mask.may), self.rows)
            return self.limited(self.everywhere(bit_or(x.depends, mask.depends)), may, 64)
        depends, x = self.nothing(), self.limited(x.depends, x.may, 64)
        may = self.all(0)
        for row, number in enumerate(mask.known):
            ones = [place for place in range(64) if number >> place & 1]
            depends[row, : len(ones)] = x.depends[row, ones]
            may[row] = sum((x.may[row] >> one & 1) << place for place, one in enumerate(ones))
        return self.limited(depends, may, 64)

    def popcount(self, node: Call, x: _Word) -> _Word:
        # At most the width, and every bit of x counts.
        most = 127 if node.arguments[0].width <= 64 else 255
        return self.limited(self.everywhere(x.depends), self.all(most), 64)

    ctz = popcount


def _numbers(found: Iterable[int], rows: int) -> Numbers:
    return np.fromiter(found, dtype=object, count=rows)


def _smear(x: Numbers) -> Numbers:
    """All bits up to the highest one."""
    return _numbers(((1 << number.bit_length()) - 1 for number in x), len(x))


def _ones(x: _Word) -> Numbers:
    return x.known if x.known is not None else np.zeros_like(x.may)


def _shifted(depends: Words, amount: Iterable[int]) -> Words:
    """Each row's bits moved up by its amount (down where negative)."""
    rows, width = depends.shape
    places = np.arange(width)[None, :] - np.fromiter(amount, np.int64, rows)[:, None]
    inside = (places >= 0) & (places < width)
    moved = np.take_along_axis(depends, np.clip(places, 0, width - 1), axis=1)
    return np.where(inside, moved, np.zeros((), depends.dtype))


def _ctz(number: int) -> int:
    """The zeros below the lowest one; as many as any width has where there is none."""
    return (number & -number).bit_length() - 1 if number else 128
