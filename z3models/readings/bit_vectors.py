"""The Z3 reading of a formula: its value as a bit-vector term of the node's width.

Names stand for integers or for 64-bit terms. What is known stays an integer, so a
product of a known and an unknown word can be written as a sum of shifted words, and
such sums are shared: along the subset tree of a mask every occupancy costs one adder.

A shift by an unknown amount follows Z3: from the word's width on it yields 0, where the
other readings refuse. Callers bound unknown amounts.
"""

from collections.abc import Mapping
from typing import TypeAlias

import z3

from magicert.formula.integers import evaluate, shift_problem
from magicert.formula.tree import Binary, Call, Name, Node, Unary, children, names
from magicert.problem import InputError

Word: TypeAlias = "int | z3.BitVecRef"
"""A known word, or a term of the node's width."""


class Z3Reading:
    """Reads trees; one object shares its sums between the occupancies it reads.

    With `shift_add` a product known * unknown becomes a sum of shifted words, without it
    Z3's own multiplication.
    """

    def __init__(self, *, shift_add: bool = True, text: str = "") -> None:
        self.shift_add = shift_add
        self.text = text
        self.sums: dict[tuple[int, int], z3.BitVecRef] = {}
        self.bases: dict[int, int] = {}
        self.used: dict[int, frozenset[str]] = {}
        self.kept: list[z3.BitVecRef] = []

    def term(self, node: Node, values: Mapping[str, Word]) -> z3.BitVecRef:
        """The value as a term, constant or not."""
        return _term(self.read(node, values), node.width)

    def read(self, node: Node, values: Mapping[str, Word]) -> Word:
        """The value of a tree: an int where every name it depends on is one.

        Raises InputError where a known shift amount is the word's width or more.
        """
        used = self._names(node)
        known = {name: value for name in used if isinstance(value := values[name], int)}
        if len(known) == len(used):
            return evaluate(node, known, self.text)
        operands = [self.read(child, values) for child in children(node)]
        match node:
            case Name():
                return values[node.name]
            case Unary():
                operand = _term(operands[0], node.width)
                return ~operand if node.operator == "~" else -operand
            case Binary():
                return self._binary(node, *operands)
            case Call():
                return _call(node, operands)
        raise AssertionError(node)

    def _names(self, node: Node) -> frozenset[str]:
        if id(node) not in self.used:
            self.used[id(node)] = names(node)
        return self.used[id(node)]

    def _binary(self, node: Binary, left: Word, right: Word) -> Word:
        width = node.width
        if node.operator in ("<<", ">>"):
            return self._shift(node, left, right)
        if node.operator == "*" and self.shift_add:
            if isinstance(left, int):
                return self._product(node, left, _term(right, width))
            if isinstance(right, int):
                return self._product(node, right, left)
        x, y = _term(left, width), _term(right, width)
        match node.operator:
            case "*":
                return x * y
            case "+":
                return x + y
            case "-":
                return x - y
            case "&":
                return x & y
            case "^":
                return x ^ y
            case "|":
                return x | y
        raise AssertionError(node.operator)

    def _shift(self, node: Binary, left: Word, right: Word) -> z3.BitVecRef:
        x = _term(left, node.width)
        if isinstance(right, int):
            if right >= node.width:
                raise InputError([shift_problem(node, right, self.text)])
            return x << right if node.operator == "<<" else z3.LShR(x, right)
        # The amount may be wider than the word: nothing of it may be lost.
        width = max(node.width, node.right.width)
        wide, amount = _term(x, width), _term(right, width)
        shifted = wide << amount if node.operator == "<<" else z3.LShR(wide, amount)
        return z3.Extract(node.width - 1, 0, shifted) if width > node.width else shifted

    def _product(self, node: Node, known: int, word: z3.BitVecRef) -> Word:
        # The first value seen is the root of the subset tree: ~mask in the black scheme.
        word = _term(word, node.width)
        base = self.bases.setdefault(id(node), known)
        if known & base != base:
            base = 0
        return self._sum(known, base, word)

    def _sum(self, known: int, base: int, word: z3.BitVecRef) -> Word:
        if known == 0:
            return 0
        key = (known, word.get_id())
        found = self.sums.get(key)
        if found is None:
            rest = known ^ base if known != base else known
            lowest = rest & -rest
            shifted = word << (lowest.bit_length() - 1)
            below = self._sum(known ^ lowest, base if known != base else 0, word)
            found = shifted if isinstance(below, int) else below + shifted
            self.sums[key] = found
            self.kept.append(word)  # ids are only unique among living terms
        return found


def _term(word: Word, width: int) -> z3.BitVecRef:
    """A word as a term of `width` bits, zero-extended."""
    if isinstance(word, int):
        return z3.BitVecVal(word, width)
    return z3.ZeroExt(width - word.size(), word) if word.size() < width else word


def _call(node: Call, operands: list[Word]) -> z3.BitVecRef:
    inner = node.arguments[0].width
    x = _term(operands[0], inner)
    match node.function:
        case "u32" | "lo32":
            return z3.Extract(31, 0, x)
        case "hi32":
            return z3.Extract(63, 32, x) if inner == 64 else z3.BitVecVal(0, 32)
        case "rol32":
            return _rotate(z3.Extract(31, 0, x), operands[1], 5)
        case "rol64":
            return _rotate(_term(x, 64), operands[1], 6)
        case "bswap64":
            wide = _term(x, 64)
            return z3.Concat(*(z3.Extract(8 * i + 7, 8 * i, wide) for i in range(8)))
        case "popcount":
            bits = (z3.ZeroExt(63, z3.Extract(i, i, x)) for i in range(inner))
            return z3.Sum(*bits)
        case "ctz":
            count = z3.BitVecVal(inner, 64)
            for i in reversed(range(inner)):
                count = z3.If(z3.Extract(i, i, x) == 1, z3.BitVecVal(i, 64), count)
            return count
    raise AssertionError(node.function)


def _rotate(x: z3.BitVecRef, amount: Word, log2: int) -> z3.BitVecRef:
    width = 1 << log2
    if isinstance(amount, int):
        return z3.RotateLeft(x, amount % width)
    # A rotation by an unknown amount, one bit of the amount at a time.
    for place in range(log2):
        turned = z3.RotateLeft(x, 1 << place)
        x = z3.If(z3.Extract(place, place, amount) == 1, turned, x)
    return x
