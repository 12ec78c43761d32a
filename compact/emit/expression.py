"""The formula's tree as an expression of another language: what is emitted is what was proved.

    _Expression   the reading: it says where the brackets go
    Dialect       how one language writes each operation

Operands that are operations themselves are printed in brackets, except in chains of one
associative operator. So no language's precedence has to be known (C, Go, Swift and Python
all differ).
"""

import re
from collections.abc import Mapping
from string import Template

from magicert.formula.reading import Reading
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary, walk
from magicert.problem import InputError, Problem

_WIDE = "c, c++, python, rust"
"""The languages that have words of 128 bits."""

_CHAINS = ("&", "|", "^", "+", "*")
"""Associative operators: a chain of one of them needs no brackets."""


class Dialect:
    """How one language writes the operations of the formula language, as texts.

    Words of 128 bits are of few languages: `widest` says so.

    $word is the operand, $receiver the same where a method is called on it, $width its width in
    bits, $log the logarithm of that, $ones a word of so many ones, $own what names begin with.
    """

    name = ""
    """What `--lang` takes."""
    widest = 64
    """The bits of the widest word that the language has."""
    small = large = typed = "$value"
    """A literal below 256, one from there on, and one that is a 64-bit word wherever it stands."""
    typed_128 = ""
    """A literal that is a 128-bit word."""
    low32: str
    """`u32` and `lo32`."""
    high32: str
    """`hi32`, of at most 64 bits."""
    low64 = high64 = ""
    """`u64` and `lo64`, and `hi64`, of a 128-bit word."""
    no_high32 = ""
    """`hi32` of a 32-bit word, where `high32` would shift it too far."""
    rotated: str
    """A word rotated left by $amount, modulo its width."""
    turns = ("$word", "$word")
    """That amount: plain digits less than the width, or a computed word."""
    swapped: str
    """A 64-bit word with its bytes reversed."""
    counted: str
    counted_128 = ""
    """The number of ones, a 64-bit word; of a 128-bit word, where that makes a difference."""
    trailing: str
    """The zeros below the lowest one, a 64-bit word; the width, if the operand is 0."""
    inverted, negated = "~$word", "-$word"
    arithmetic = "$word $operator $right"
    """Two words of one width joined by *, + or -, wrapping."""
    left_shift, right_shift = "$word << $amount", "$word >> $amount"
    """Logical shifts by less than the word's width."""
    shift_amounts = ("$word", "$word")
    """Their amounts: plain digits, or a computed word."""
    other_amount = ""
    """A computed amount of another width than the shifted word, if that makes a difference."""
    widened = "$word"
    """A 32-bit word as a 64-bit one."""
    widened_128 = ""
    """A 32-bit or a 64-bit word as a 128-bit one."""

    @property
    def own(self) -> str:
        """What all names begin with, where a language has nothing else to keep them apart."""
        return ""

    def text(
        self, node: Node, names: Mapping[str, str], widths: Mapping[str, int] | None = None
    ) -> str:
        """The expression of a tree; `names` says what stands for each name.

        `widths` gives the bits of what stands there where they are not 64. Raises InputError
        where the tree has words that the language lacks.
        """
        if any(part.width > self.widest for part in walk(node)):
            message = f"{self.name} output has no words of 128 bits: expected one of {_WIDE}"
            raise InputError([Problem(message, key=f"--lang {self.name}")])
        return _Expression(self, names, widths or {}).value(node)

    def put(self, text: str, word: str, width: int = 64, **more: object) -> str:
        """A text with its words put in."""
        words = {"word": word, "receiver": receiver(word), "width": width, "own": self.own}
        words |= {"log": width.bit_length() - 1, "ones": f"{(1 << width) - 1:x}"}
        return Template(text).substitute({**words, **more})

    def literal(self, value: int, *, typed: bool = False, width: int = 64) -> str:
        """A literal; with its type, if it must be a 64-bit word where no type is inferred."""
        text = self.typed if typed else self.small if value < 256 else self.large
        text = self.typed_128 if width == 128 else text
        return Template(text).substitute(value=value if value < 256 else hex(value))

    def narrow(self, function: str, word: str, width: int) -> str:
        """One of u32, lo32 and hi32; `width` is that of the argument."""
        if width == 128 and function == "hi32":
            word, width = self.put(self.low64, word, 128), 64
        high = self.no_high32 if width == 32 and self.no_high32 else self.high32
        return self.put(high if function == "hi32" else self.low32, word, width)

    def widen(self, word: str, width: int) -> str:
        """A narrower word as one of 64 or 128 bits."""
        return self.put(self.widened_128 if width == 128 else self.widened, word)

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Two words of one width, joined by one of * + - & ^ |, wrapping."""
        if operator not in "*+-":
            return f"{left} {operator} {right}"
        return self.put(self.arithmetic, left, width, operator=operator, right=right)

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """A logical shift by less than the word's width."""
        literal, computed = self.shift_amounts
        if amount_width != width:
            computed = self.other_amount or computed
        shown = self.put(literal if amount.isdigit() else computed, amount, width)
        text = self.left_shift if operator == "<<" else self.right_shift
        return self.put(text, left, width, amount=shown)


class _Expression(Reading[str]):
    """The text of each operation, by a dialect; a value is the text without outer brackets."""

    def __init__(
        self, dialect: Dialect, names: Mapping[str, str], widths: Mapping[str, int]
    ) -> None:
        self.dialect = dialect
        self.names = names
        self.widths = widths

    def literal(self, node: Literal) -> str:
        return self.dialect.literal(node.value, width=node.width)

    def name(self, node: Name) -> str:
        word, width = self.names[node.name], self.widths.get(node.name, 64)
        if width > node.width:  # the value fits: readings refuse it otherwise
            return self.dialect.put(self.dialect.low64, word, width)
        return self.widened(word, width, node.width)

    def invert(self, node: Unary, x: str) -> str:
        operand = _bracketed(node.operand, x)
        # "--x" would be another operator.
        operand = f"({operand})" if isinstance(node.operand, Unary) else operand
        text = self.dialect.inverted if node.operator == "~" else self.dialect.negated
        return self.dialect.put(text, operand, node.width)

    negate = invert

    def add(self, node: Binary, x: str, y: str) -> str:
        left, right = self.operand(node, node.left, x), self.operand(node, node.right, y)
        return self.dialect.binary(left, node.operator, right, node.width)

    multiply = subtract = bitwise_and = bitwise_xor = bitwise_or = add

    def operand(self, node: Binary, operand: Node, text: str) -> str:
        # What is widened is a chain of its own: its arithmetic wraps at 32 bits.
        if operand.width == node.width:
            return _bracketed(operand, text, node.operator)
        return self.widened(_bracketed(operand, text), operand.width, node.width)

    def widened(self, text: str, width: int, wanted: int) -> str:
        return self.dialect.widen(text, wanted) if width < wanted else text

    def shift_left(self, node: Binary, x: str, amount: str) -> str:
        left = self.word(node.left, _bracketed(node.left, x))
        by = node.right
        shown = str(by.value) if isinstance(by, Literal) else _bracketed(by, amount)
        return self.dialect.shift(left, node.operator, shown, node.width, by.width)

    shift_right = shift_left

    def word(self, node: Node, text: str) -> str:
        """An operand that must have a type of its own."""
        if isinstance(node, Literal):
            return self.dialect.literal(node.value, typed=True, width=node.width)
        return text

    def u32(self, node: Call, x: str) -> str:
        (operand,) = node.arguments
        return self.dialect.narrow(node.function, self.word(operand, x), operand.width)

    lo32 = hi32 = u32

    def rol32(self, node: Call, x: str, amount: str) -> str:
        operand = node.arguments[0]
        word = self.word(operand, x)
        if operand.width > 32:
            word = self.dialect.narrow("u32", word, operand.width)
        return self.rotated(node, word, amount)

    def u64(self, node: Call, x: str) -> str:
        operand, whole = node.arguments[0], self.whole(node, x)
        # The text of a call stands without brackets beside operators.
        as_it_is = operand.width == 64 and isinstance(operand, Binary | Unary)
        return f"({whole})" if as_it_is else whole

    lo64 = u64

    def hi64(self, node: Call, x: str) -> str:
        operand = node.arguments[0]
        if operand.width < 128:
            return self.dialect.literal(0, typed=True)
        return self.dialect.put(self.dialect.high64, self.word(operand, x), 128)

    def rol64(self, node: Call, x: str, amount: str) -> str:
        return self.rotated(node, self.whole(node, x), amount)

    def rotated(self, node: Call, word: str, amount: str) -> str:
        by, (literal, computed) = node.arguments[1], self.dialect.turns
        if isinstance(by, Literal):
            shown = self.dialect.put(literal, str(by.value % node.width))
        else:
            shown = self.dialect.put(computed, amount, node.width)
        return self.dialect.put(self.dialect.rotated, word, node.width, amount=shown)

    def bswap64(self, node: Call, x: str) -> str:
        return self.dialect.put(self.dialect.swapped, self.whole(node, x))

    def whole(self, node: Call, x: str) -> str:
        """The low 64 bits of the first operand, as a 64-bit word."""
        operand = node.arguments[0]
        if operand.width == 128:
            return self.dialect.put(self.dialect.low64, self.word(operand, x), 128)
        if operand.width == 32:
            return self.widened(_bracketed(operand, x), 32, 64)
        return self.word(operand, x)

    def popcount(self, node: Call, x: str) -> str:
        return self.counted(node, x, self.dialect.counted)

    def ctz(self, node: Call, x: str) -> str:
        return self.counted(node, x, self.dialect.trailing)

    def counted(self, node: Call, x: str, text: str) -> str:
        (operand,) = node.arguments
        if operand.width == 128 and text == self.dialect.counted:
            text = self.dialect.counted_128 or text
        return self.dialect.put(text, self.word(operand, x), operand.width)


def _bracketed(node: Node, text: str, inside: str = "") -> str:
    """An operand's text, in brackets where it stands beside the operator `inside`."""
    simple = isinstance(node, Literal | Name | Call | Unary)
    chain = isinstance(node, Binary) and node.operator == inside and inside in _CHAINS
    return text if simple or chain else f"({text})"


def receiver(text: str) -> str:
    """An expression that a method can be called on: in brackets where it needs them."""
    if text.isdecimal():  # the dot would be a decimal point
        return f"({text})"
    if re.fullmatch(r"[\w.\[\]]+", text):
        return text
    depth = 0
    for place, letter in enumerate(text, start=1):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            # The first bracket that closes at the very end holds all of it.
            return text if place == len(text) else f"({text})"
    raise AssertionError(text)
