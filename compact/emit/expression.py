"""The formula's tree as an expression of another language: what is emitted is what was proved.

    _Expression   the interpretation: it says where the brackets go
    Speller       each operation, as a language's dialect has it

Operands that are operations themselves are printed in brackets, except in chains of one
associative operator. So no language's precedence has to be known (C, Go, Swift and Python
all differ).
"""

import re
from collections.abc import Mapping
from typing import NoReturn

from magicert.compact.emit.dialect import ByWidth, Dialect, dialects
from magicert.formula.tree import Binary, Call, Interpretation, Literal, Name, Node, Unary, walk
from magicert.problem import InputError, Problem

_CHAINS = ("&", "|", "^", "+", "*")
"""Associative operators: a chain of one of them needs no brackets."""


class Speller:
    """The formulas of a program, in one language. `own` is what names begin with."""

    def __init__(self, dialect: Dialect, own: str = "") -> None:
        self.dialect = dialect
        self.own = own

    def text(
        self, node: Node, names: Mapping[str, str], widths: Mapping[str, int] | None = None
    ) -> str:
        """The expression of a tree; `names` says what stands for each name.

        `widths` gives the bits of what stands there where they are not 64. Raises InputError
        where the tree has words that the language lacks.
        """
        widest = max(part.width for part in walk(node))
        if widest > self.dialect.widest:
            no_wide_words(self.dialect, widest)
        return _Expression(self, names, widths or {}).value(node)

    def put(self, text: ByWidth, word: str, width: int = 64, **more: object) -> str:
        words = {"word": word, "receiver": receiver(word), "width": width, "own": self.own}
        words |= {"log": width.bit_length() - 1, "ones": f"{(1 << width) - 1:x}"}
        words |= {"kind": self.kind(width), "zeros": ", 0" * (width // 64 - 1)}
        return self.dialect.fill(self.dialect.by_width(text, width), {**words, **more})

    def kind(self, width: int) -> str:
        """The type of words of so many bits in lists; "" where the language names none."""
        return self.dialect.fill(self.dialect.kinds.get(width, ""), {"own": self.own})

    def literal(self, value: int, *, typed: bool = False, width: int = 64, place: str = "") -> str:
        """A literal; with its type, if it must be a 64-bit word where no type is inferred. `place`
        says that it stands in a "list" or in a "column".
        """
        row, words = self.dialect, {"value": str(value) if value < 256 else hex(value)}
        text = row.typed if typed else row.small if value < 256 else row.large
        if width > 64:
            by_parts = row.in_parts(width)
            beyond = row.beyond_64 and value >> 64 and not by_parts
            text = row.beyond_64 if beyond else row.by_width(row.typed_128, width)
            other = {"list": row.listed_128, "column": row.column_128}.get(place)
            text = (by_parts and other) or text
            parts = [value >> start & ((1 << 64) - 1) for start in range(0, width, 64)]
            shown = [self.literal(part) for part in parts]
            words |= {"low": shown[0], "high": shown[1], "words": ", ".join(shown)}
            words |= {"kind": self.kind(width), "own": self.own}
        return row.fill(text, words)

    def narrow(self, function: str, word: str, width: int) -> str:
        """u32 or hi32; `width` is that of the argument."""
        if width > 64 and function == "hi32":
            word, width = self.put(self.dialect.low64, word, width), 64
        high, low = self.dialect.high32, self.dialect.low32
        return self.put(high if function == "hi32" else low, word, width)

    def widen(self, word: str, width: int, source: int) -> str:
        """A word of `source` bits as a wider one."""
        if source < 64 and self.dialect.in_parts(width):
            word = self.put(self.dialect.widened, word)
        text = self.dialect.widened_128 if width > 64 else self.dialect.widened
        return self.put(text, word, width)

    def plain(self, amount: str, width: int) -> str:
        """An amount as a word that the language itself has: its bits above 64 do not matter."""
        if width > 64 and self.dialect.in_parts(width):
            return self.put(self.dialect.low64, amount, width)
        return amount

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Two words of one width, joined by one of * + - & ^ |, wrapping."""
        text = self.dialect.arithmetic if operator in "*+-" else self.dialect.bitwise
        # A method binds tighter than any operator: its receiver needs its own brackets. And it
        # needs a type, which a literal alone has not.
        subject = f"({left})" if left.startswith("!") else left
        if re.fullmatch(r"\d+|0x[0-9a-f]+", left):
            subject = self.dialect.fill(self.dialect.typed, {"value": left})
        return self.put(
            text, left, width, operator=operator, right=right, subject=subject,
            bare=_bare(right), method=self.dialect.methods.get(operator, ""),
        )  # fmt: skip

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """A logical shift by less than the word's width."""
        literal, computed = self.dialect.shift_amounts
        if self.dialect.in_parts(width) and not amount.isdigit():
            narrow = amount_width < 64
            amount = self.widen(amount, 64, 32) if narrow else self.plain(amount, amount_width)
        elif amount_width != width:
            computed = self.dialect.other_amount or computed
        shown = self.put(literal if amount.isdigit() else computed, amount, width)
        text = self.dialect.left_shift if operator == "<<" else self.dialect.right_shift
        return self.put(text, left, width, amount=shown)


def no_wide_words(dialect: Dialect, width: int) -> NoReturn:
    """Raise InputError: a language has no words of so many bits."""
    wide = ", ".join(name for name, row in dialects().items() if row.widest >= width)
    message = f"{dialect.name} output has no words of {width} bits: expected one of {wide}"
    raise InputError([Problem(message, key=f"--lang {dialect.name}")])


class _Expression(Interpretation[str]):
    """The text of each operation, by a dialect; a value is the text without outer brackets."""

    def __init__(
        self, speller: Speller, names: Mapping[str, str], widths: Mapping[str, int]
    ) -> None:
        self.spell = speller
        self.dialect = speller.dialect
        self.names = names
        self.widths = widths

    def literal(self, node: Literal) -> str:
        return self.spell.literal(node.value, width=node.width)

    def name(self, node: Name) -> str:
        word, width = self.names[node.name], self.widths.get(node.name, 64)
        if width > node.width:  # the value fits: interpretations refuse it otherwise
            return self.spell.put(self.dialect.low64, word, width)
        return self.widened(word, width, node.width)

    def invert(self, node: Unary, x: str) -> str:
        operand = _bracketed(node.operand, x)
        # "--x" would be another operator.
        operand = f"({operand})" if isinstance(node.operand, Unary) else operand
        text = self.dialect.inverted if node.operator == "~" else self.dialect.negated
        return self.spell.put(text, operand, node.width)

    negate = invert

    def add(self, node: Binary, x: str, y: str) -> str:
        left, right = self.operand(node, node.left, x), self.operand(node, node.right, y)
        return self.spell.binary(left, node.operator, right, node.width)

    multiply = subtract = bitwise_and = bitwise_xor = bitwise_or = add

    def operand(self, node: Binary, operand: Node, text: str) -> str:
        # What is widened is a chain of its own: its arithmetic wraps at 32 bits.
        if operand.width == node.width:
            return _bracketed(operand, text, node.operator)
        return self.widened(_bracketed(operand, text), operand.width, node.width)

    def widened(self, text: str, width: int, target: int) -> str:
        return self.spell.widen(text, target, width) if width < target else text

    def shift_left(self, node: Binary, x: str, amount: str) -> str:
        left = self.word(node.left, _bracketed(node.left, x))
        by = node.right
        shown = str(by.value) if isinstance(by, Literal) else _bracketed(by, amount)
        return self.spell.shift(left, node.operator, shown, node.width, by.width)

    shift_right = shift_left

    def word(self, node: Node, text: str) -> str:
        """An operand that must have a type of its own."""
        if isinstance(node, Literal):
            return self.spell.literal(node.value, typed=True, width=node.width)
        return text

    def u32(self, node: Call, x: str) -> str:
        (operand,) = node.arguments
        return self.spell.narrow(node.function, self.word(operand, x), operand.width)

    hi32 = u32

    def rol32(self, node: Call, x: str, amount: str) -> str:
        operand = node.arguments[0]
        word = self.word(operand, x)
        if operand.width > 32:
            word = self.spell.narrow("u32", word, operand.width)
        return self.rotated(node, word, amount)

    def u64(self, node: Call, x: str) -> str:
        operand, whole = node.arguments[0], self.whole(node.arguments[0], x)
        # The text of a call stands without brackets beside operators.
        as_it_is = operand.width == 64 and isinstance(operand, Binary | Unary)
        return f"({whole})" if as_it_is else whole

    def hi64(self, node: Call, x: str) -> str:
        operand = node.arguments[0]
        if operand.width <= 64:
            return self.spell.literal(0, typed=True)
        return self.spell.put(self.dialect.high64, self.word(operand, x), operand.width)

    def rol64(self, node: Call, x: str, amount: str) -> str:
        return self.rotated(node, self.whole(node.arguments[0], x), amount)

    def rotated(self, node: Call, word: str, amount: str) -> str:
        by, (literal, computed) = node.arguments[1], self.dialect.turns
        if isinstance(by, Literal):
            shown = self.spell.put(literal, str(by.value % node.width))
        else:
            shown = self.spell.put(computed, self.spell.plain(amount, by.width), node.width)
        return self.spell.put(self.dialect.rotated, word, node.width, amount=shown)

    def bswap64(self, node: Call, x: str) -> str:
        return self.spell.put(self.dialect.swapped, self.whole(node.arguments[0], x))

    def pext(self, node: Call, x: str, mask: str) -> str:
        word, ones = map(self.whole, node.arguments, (x, mask))
        return self.spell.put(self.dialect.extracted, word, right=ones)

    def whole(self, operand: Node, x: str) -> str:
        """The low 64 bits of an operand, as a 64-bit word."""
        if operand.width > 64:
            return self.spell.put(self.dialect.low64, self.word(operand, x), operand.width)
        if operand.width == 32:
            return self.widened(_bracketed(operand, x), 32, 64)
        return self.word(operand, x)

    def popcount(self, node: Call, x: str) -> str:
        return self.counted(node, x, self.dialect.counted)

    def ctz(self, node: Call, x: str) -> str:
        return self.counted(node, x, self.dialect.trailing)

    def counted(self, node: Call, x: str, text: ByWidth) -> str:
        (operand,) = node.arguments
        return self.spell.put(text, self.word(operand, x), operand.width)


def _bracketed(node: Node, text: str, inside: str = "") -> str:
    """An operand's text, in brackets where it stands beside the operator `inside`."""
    simple = isinstance(node, Literal | Name | Call | Unary)
    simple = simple or (node.width > 64 and receiver(text) == text)
    chain = isinstance(node, Binary) and node.operator == inside and inside in _CHAINS
    return text if simple or chain else f"({text})"


_CHAIN = re.compile(r"(\(\)(?!\()|[\w$]+)(\.[\w$]+|\(\)|\[\])*")
"""Names, calls and indexes one behind the other, without what stands in their brackets. Brackets
in front of others, or of a name, would be a cast.
"""


def receiver(text: str) -> str:
    """An expression that a method can be called on: in brackets where it needs them."""
    if text.isdecimal():  # the dot would be a decimal point
        return f"({text})"
    return text if _CHAIN.fullmatch(_skeleton(text)) else f"({text})"


def _skeleton(text: str) -> str:
    """A text without what stands in its outermost brackets."""
    depth, kept = 0, []
    for letter in text:
        depth -= letter in ")]"
        if depth == 0:
            kept.append(letter)
        depth += letter in "(["
    return "".join(kept)


def _bare(text: str) -> str:
    """A text without brackets around all of it."""
    return text[1:-1] if _skeleton(text) == "()" else text
