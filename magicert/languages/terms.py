"""Expressions that are evaluated: operators, casts and known functions of bits, over leaves.

A leaf is what only a given value says: a variable, an item, a field, a call of what is not known.
Integers wrap as a processor's do, also where a language leaves that open: what a term comes to is
held against what a formula comes to.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from magicert.languages.brackets import Tree
from magicert.languages.language import Int

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, ">": int.__gt__, "<=": int.__le__,
    ">=": int.__ge__, "===": int.__eq__, "!==": int.__ne__,
}  # fmt: skip
_WRAPPING: Mapping[str, Callable[[int, int], int]] = {
    "|": int.__or__, "^": int.__xor__, "&": int.__and__, "+": int.__add__, "-": int.__sub__,
    "*": int.__mul__, "&^": lambda a, b: a & ~b, "**": lambda a, b: pow(a, min(b, 4 * WORD)),
}  # fmt: skip
WORD = 64
"""The bits that a function turns round where its operand has no type."""
SHIFTS = (">>", ">>>", "<<")
OPERATORS = frozenset((*_WRAPPING, *SHIFTS, "/", "%"))
"""By C's names, with Go's `&^`, Python's `**`, and `>>>` for a shift that knows no sign."""


class UndefinedError(ArithmeticError):
    """A shift by a word's bits or more, or a division by nothing."""


@dataclass(frozen=True, slots=True)
class Term:
    """`operation`: an operator, a function of `FUNCTIONS`, leaf, number, cast or choice. `key`: a
    leaf's name. `number`: what a number is, and the type of a cast.
    """

    operation: str
    operands: tuple["Term", ...] = ()
    key: str = ""
    number: Int = Int(0)  # noqa: RUF009 - frozen

    def leaves(self) -> Iterator[str]:
        """What has to be given."""
        if self.key:
            yield self.key
        for operand in self.operands:
            yield from operand.leaves()

    def has(self, operation: str) -> bool:
        """Is it done anywhere in it?"""
        return self.operation == operation or any(part.has(operation) for part in self.operands)

    def value(self, given: Mapping[str, Int]) -> Int:
        """What it comes to. Raises UndefinedError where that is nothing."""
        if self.operation == "leaf":
            return given[self.key]
        if self.operation == "number":
            return self.number
        if self.operation == "choice":
            condition, first, second = self.operands
            return (first if condition.value(given).value else second).value(given)
        values = [operand.value(given) for operand in self.operands]
        if self.operation == "cast":
            return values[0].in_type(self.number.bits, self.number.signed)
        if self.operation in FUNCTIONS:
            return FUNCTIONS[self.operation](*values)
        return _signed(self.operation, *values) if len(values) == 1 else _joined(self, *values)


def leaf(key: str) -> Term:
    """What is called so."""
    return Term("leaf", key=key)


def number(value: Int) -> Term:
    """A number; without bits it takes the type of what stands beside it."""
    return Term("number", number=value)


def _signed(sign: str, a: Int) -> Int:
    value = {"-": -a.value, "~": ~a.value, "+": a.value}[sign]
    return Int(value).in_type(a.bits, a.signed) if a.bits else Int(value)


def _joined(term: Term, a: Int, b: Int) -> Int:
    sign = term.operation
    if sign in COMPARISONS:
        return Int(int(COMPARISONS[sign](a.value, b.value)), 32)
    a, b = _promoted(a), _promoted(b)
    if sign in SHIFTS:
        if not 0 <= b.value < (a.bits or 4 * WORD):
            raise UndefinedError
        value = a.value & ((1 << a.bits) - 1) if sign == ">>>" and a.bits else a.value
        value = value << b.value if sign == "<<" else value >> b.value
        return Int(value).in_type(a.bits, a.signed) if a.bits else Int(value)
    bits = max(a.bits, b.bits)
    signed = (a.signed or a.bits < bits) and (b.signed or b.bits < bits)
    if sign in ("/", "%"):
        if not b.value:
            raise UndefinedError
        quotient = abs(a.value) // abs(b.value) * (-1 if (a.value < 0) != (b.value < 0) else 1)
        value = quotient if sign == "/" else a.value - quotient * b.value
    else:
        value = _WRAPPING[sign](a.value, b.value)
    return Int(value).in_type(bits, signed) if bits else Int(value)


def _promoted(a: Int) -> Int:
    """What is narrower than 32 bits is computed in as many."""
    return Int(a.value, 32, True) if 0 < a.bits < 32 else a


def _bits(a: Int) -> tuple[int, int]:
    """The bits of a word, and the word as they are."""
    bits = a.bits or WORD
    return bits, a.value & ((1 << bits) - 1)


def _bytes_turned(a: Int) -> Int:
    bits, word = _bits(a)
    return Int(int.from_bytes(word.to_bytes(bits // 8, "little"), "big"), bits, a.signed)


def _bits_turned(a: Int) -> Int:
    bits, word = _bits(a)
    return Int(int(f"{word:0{bits}b}"[::-1], 2), bits, False).in_type(bits, a.signed)


def _rotated(a: Int, by: int) -> Int:
    bits, word = _bits(a)
    by %= bits
    return Int(word << by | word >> (bits - by)).in_type(bits, a.signed)


FUNCTIONS: Mapping[str, Callable[..., Int]] = {
    "popcount": lambda a: Int(_bits(a)[1].bit_count(), 32),
    "bytes turned": _bytes_turned,
    "bits turned": _bits_turned,
    "rotated left": lambda a, by: _rotated(a, by.value),
    "rotated right": lambda a, by: _rotated(a, -by.value),
}
PERMUTATIONS = frozenset(FUNCTIONS) - {"popcount"}
"""The functions that only move a word's bits."""
_CALLED = {
    "popcount": "popcount popcnt popcount64 popcountll countones onescount onescount64 bitcount "
                "countbits cntbits countsetbits popcnt64 numberofsetbits bitcount64",
    "bytes turned": "bswap bswap64 byteswap byteswapuint64 swapbytes reversebytes reversebytes64 "
                    "reverseendianness byteswapped byteswap64",
    "bits turned": "bitreverse bitreverse64 reversebits reversebits64 reverse64 reverse bitswap",
    "rotated left": "rotl rotl64 rotateleft rotateleft64",
    "rotated right": "rotr rotr64 rotateright rotateright64",
}  # fmt: skip
_FUNCTION_OF = {name: function for function, names in _CALLED.items() for name in names.split()}


def function_in(tree: Tree) -> tuple[str, tuple[Tree, ...]]:
    """The function of bits that is called, by a name of libraries, compilers or engines, and its
    operands; "" for none.
    """
    plain = re.sub(r"^_*builtin|[\W_]", "", tree.word.lower())
    function = _FUNCTION_OF.get(plain, "") if tree.kind in ("call", "field") else ""
    operands, wanted = tree.children, 1 + ("rotated" in function)
    if len(operands) == wanted + 1 and operands[0].kind == "name":
        operands = operands[1:]  # of a class or a package: Long.reverse(x), bits.Reverse64(x)
    return (function, operands) if function and len(operands) == wanted else ("", ())
