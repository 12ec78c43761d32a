"""The Z3 interpretation of a formula: its value as a bit-vector term of the node's width.

Names stand for integers or for terms of at most the width that they are used at. What is known
stays an integer, so a product of a known and an unknown word can be written as a sum of shifted
words, and such sums are shared: along the subset tree of a mask every occupancy costs one adder.

A shift by an unknown amount follows Z3: from the word's width on it yields 0, where the
other interpretations refuse. Callers bound unknown amounts.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import z3

from magicert.formula.tree import (
    Binary,
    Call,
    Interpretation,
    Literal,
    Name,
    Node,
    Unary,
    evaluate,
    names,
    shift_problem,
)
from magicert.problem import InputError

Word: TypeAlias = "int | z3.BitVecRef"
"""A known word, or a term of the node's width."""


class Z3Interpretation(Interpretation[Word]):
    """Reads trees; one object shares its sums between the occupancies it reads.

    With `shift_add` a product known * unknown becomes a sum of shifted words, without it
    Z3's own multiplication.
    """

    def __init__(self, *, shift_add: bool = True, text: str = "") -> None:
        self.shift_add = shift_add
        self.text = text
        self.values: Mapping[str, Word] = {}
        self.sums: dict[tuple[int, int], z3.BitVecRef] = {}
        self.bases: dict[int, int] = {}
        self.names_used: dict[int, frozenset[str]] = {}
        self.living_words: list[z3.BitVecRef] = []

    def term(self, node: Node, values: Mapping[str, Word]) -> z3.BitVecRef:
        """The value as a term, constant or not."""
        return _term(self.read(node, values), node.width)

    def read(self, node: Node, values: Mapping[str, Word]) -> Word:
        """The value of a tree: an int where every name it depends on is one.

        Raises InputError where a known shift amount is the word's width or more.
        """
        self.values = values
        return self.value(node)

    def value(self, node: Node) -> Word:
        """A subtree of which every name is known is computed."""
        used = self._names(node)
        constants = {name: value for name in used if isinstance(value := self.values[name], int)}
        if len(constants) == len(used):
            return evaluate(node, constants, self.text)
        return super().value(node)

    def _names(self, node: Node) -> frozenset[str]:
        if id(node) not in self.names_used:
            self.names_used[id(node)] = names(node)
        return self.names_used[id(node)]

    def literal(self, node: Literal) -> Word:
        return node.value

    def name(self, node: Name) -> Word:
        word = self.values[node.name]
        if not isinstance(word, int) and word.size() > node.width:
            raise ValueError(f"{node.name}: a term of {word.size()} bits is used at {node.width}")
        return word

    def invert(self, node: Unary, x: Word) -> Word:
        return ~_term(x, node.width)

    def negate(self, node: Unary, x: Word) -> Word:
        return -_term(x, node.width)

    def multiply(self, node: Binary, x: Word, y: Word) -> Word:
        if self.shift_add and isinstance(x, int):
            return self._product(node, x, _term(y, node.width))
        if self.shift_add and isinstance(y, int):
            return self._product(node, y, _term(x, node.width))
        return _term(x, node.width) * _term(y, node.width)

    def add(self, node: Binary, x: Word, y: Word) -> Word:
        return _term(x, node.width) + _term(y, node.width)

    def subtract(self, node: Binary, x: Word, y: Word) -> Word:
        return _term(x, node.width) - _term(y, node.width)

    def bitwise_and(self, node: Binary, x: Word, y: Word) -> Word:
        return _term(x, node.width) & _term(y, node.width)

    def bitwise_xor(self, node: Binary, x: Word, y: Word) -> Word:
        return _term(x, node.width) ^ _term(y, node.width)

    def bitwise_or(self, node: Binary, x: Word, y: Word) -> Word:
        return _term(x, node.width) | _term(y, node.width)

    def shift_left(self, node: Binary, x: Word, amount: Word) -> Word:
        return self._shift(lambda word, by: word << by, node, x, amount)

    def shift_right(self, node: Binary, x: Word, amount: Word) -> Word:
        return self._shift(z3.LShR, node, x, amount)

    def _shift(self, shift: Callable[..., Any], node: Binary, x: Word, amount: Word) -> Word:
        if isinstance(amount, int):
            if amount >= node.width:
                if _is_zero(x):  # which stays 0, whatever it is shifted by
                    return _term(x, node.width)
                raise InputError([shift_problem(node, amount, self.text)])
            return shift(_term(x, node.width), amount)
        # The amount may be wider than the word: nothing of it may be lost.
        width = max(node.width, node.right.width)
        shifted = shift(_term(x, width), _term(amount, width))
        return z3.Extract(node.width - 1, 0, shifted) if width > node.width else shifted

    def u32(self, node: Call, x: Word) -> Word:
        return z3.Extract(31, 0, _operand(node, x))

    def hi32(self, node: Call, x: Word) -> Word:
        return z3.Extract(63, 32, _low64(_operand(node, x)))

    def rol32(self, node: Call, x: Word, amount: Word) -> Word:
        return _rotate(z3.Extract(31, 0, _operand(node, x)), amount, log2=5)

    def u64(self, node: Call, x: Word) -> Word:
        return _low64(_operand(node, x))

    def hi64(self, node: Call, x: Word) -> Word:
        word = _operand(node, x)
        return z3.Extract(127, 64, _term(word, max(word.size(), 128)))

    def rol64(self, node: Call, x: Word, amount: Word) -> Word:
        return _rotate(_low64(_operand(node, x)), amount, log2=6)

    def bswap64(self, node: Call, x: Word) -> Word:
        wide = _low64(_operand(node, x))
        return z3.Concat(*(z3.Extract(8 * i + 7, 8 * i, wide) for i in range(8)))

    def pext(self, node: Call, x: Word, mask: Word) -> Word:
        word = _low64(_operand(node, x))
        if isinstance(mask, int):
            ones = [place for place in range(64) if mask >> place & 1]
            bits = (z3.ZeroExt(63, z3.Extract(place, place, word)) for place in ones)
            return z3.Sum(z3.BitVecVal(0, 64), *(bit << n for n, bit in enumerate(bits)))
        # From the top down: a one of the mask puts its bit below all that are above it.
        ones_of, extracted = _low64(_term(mask, node.arguments[1].width)), z3.BitVecVal(0, 64)
        for place in reversed(range(64)):
            joined = (extracted << 1) | z3.ZeroExt(63, z3.Extract(place, place, word))
            extracted = z3.If(z3.Extract(place, place, ones_of) == 1, joined, extracted)
        return extracted

    def popcount(self, node: Call, x: Word) -> Word:
        word = _operand(node, x)
        bits = (z3.ZeroExt(63, z3.Extract(i, i, word)) for i in range(word.size()))
        return z3.Sum(*bits)

    def ctz(self, node: Call, x: Word) -> Word:
        word = _operand(node, x)
        count = z3.BitVecVal(word.size(), 64)
        for i in reversed(range(word.size())):
            count = z3.If(z3.Extract(i, i, word) == 1, z3.BitVecVal(i, 64), count)
        return count

    def _product(self, node: Node, factor: int, word: z3.BitVecRef) -> Word:
        # The first value seen is the root of the subset tree: ~mask in the black scheme.
        base = self.bases.setdefault(id(node), factor)
        if factor & base != base:
            base = 0
        return self._sum(factor, base, word)

    def _sum(self, factor: int, base: int, word: z3.BitVecRef) -> Word:
        if factor == 0:
            return 0
        key = (factor, word.get_id())
        total = self.sums.get(key)
        if total is None:
            remaining = factor ^ base if factor != base else factor
            lowest = remaining & -remaining
            shifted = word << (lowest.bit_length() - 1)
            below = self._sum(factor ^ lowest, base if factor != base else 0, word)
            total = shifted if isinstance(below, int) else below + shifted
            self.sums[key] = total
            self.living_words.append(word)  # ids are only unique among living terms
        return total


def _term(word: Word, width: int) -> z3.BitVecRef:
    """A word as a term of `width` bits, zero-extended."""
    if isinstance(word, int):
        return z3.BitVecVal(word, width)
    return z3.ZeroExt(width - word.size(), word) if word.size() < width else word


def _is_zero(word: Word) -> bool:
    """Whether a word is 0, whatever the names stand for."""
    known = z3.simplify(word) if isinstance(word, z3.BitVecRef) else word
    return (known.as_long() if isinstance(known, z3.BitVecNumRef) else known) == 0


def _operand(node: Call, x: Word) -> z3.BitVecRef:
    """A function's first operand as a term of its own width."""
    return _term(x, node.arguments[0].width)


def _low64(x: z3.BitVecRef) -> z3.BitVecRef:
    return z3.Extract(63, 0, _term(x, 64)) if x.size() != 64 else x


def _rotate(x: z3.BitVecRef, amount: Word, *, log2: int) -> z3.BitVecRef:
    width = 1 << log2
    if isinstance(amount, int):
        return z3.RotateLeft(x, amount % width)
    # A rotation by an unknown amount, one bit of the amount at a time.
    for place in range(log2):
        turned = z3.RotateLeft(x, 1 << place)
        x = z3.If(z3.Extract(place, place, amount) == 1, turned, x)
    return x
