"""The bits reading of a formula: its value as one literal of a circuit per bit.

It shares no code with the Z3 reading, so that a SAT solver on its clauses is a second
opinion on everything that Z3 says. Known words stay integers; a product known * unknown
becomes a sum of shifted words, shared between all occupancies that are read.
"""

from collections.abc import Callable, Mapping

from magicert.formula.tree import (
    Binary,
    Call,
    Literal,
    Name,
    Node,
    Reading,
    Unary,
    evaluate,
    names,
    shift_problem,
)
from magicert.problem import InputError
from magicert.z3models.readings.circuit import FALSE, TRUE, Circuit

Bits = tuple[int, ...]
"""A word as literals, lowest bit first."""


def known_bits(value: int, width: int) -> Bits:
    """A constant."""
    return tuple(TRUE if value >> i & 1 else FALSE for i in range(width))


class BitsReading(Reading[Bits]):
    """Reads trees into one circuit. Names stand for integers or for literals, of which
    there are at most as many as the width that the name is used at.
    """

    def __init__(self, circuit: Circuit, text: str = "") -> None:
        self.circuit = circuit
        self.text = text
        self.values: Mapping[str, int | Bits] = {}
        self.sums: dict[tuple[Bits, int], Bits] = {}

    def read(self, node: Node, values: Mapping[str, int | Bits]) -> Bits:
        """The value of a tree, `node.width` literals.

        Raises InputError where a known shift amount is the word's width or more; by an
        unknown amount of the width or more the value is 0.
        """
        self.values = values
        return self.value(node)

    def value(self, node: Node) -> Bits:
        """A subtree of which every name is known is computed."""
        used = names(node)
        fixed = {name: v for name in used if isinstance(v := self.values[name], int)}
        if len(fixed) == len(used):
            return known_bits(evaluate(node, fixed, self.text), node.width)
        return super().value(node)

    def literal(self, node: Literal) -> Bits:
        return known_bits(node.value, node.width)

    def name(self, node: Name) -> Bits:
        word = self.values[node.name]
        if isinstance(word, int):
            return known_bits(word, node.width)
        if len(word) > node.width:
            raise ValueError(f"{node.name}: a word of {len(word)} bits is used at {node.width}")
        return widen(word, node.width)

    def invert(self, node: Unary, x: Bits) -> Bits:
        return tuple(-bit for bit in x)

    def negate(self, node: Unary, x: Bits) -> Bits:
        return self._sum(self.invert(node, x), known_bits(0, node.width), TRUE)

    def multiply(self, node: Binary, x: Bits, y: Bits) -> Bits:
        """Shift and add over the factor with more known bits."""
        x, y = widen(x, node.width), widen(y, node.width)
        if _unknown(y) < _unknown(x):
            x, y = y, x
        if not _unknown(x):
            return self._known_times(_value(x), y)
        total = known_bits(0, len(x))
        for place, bit in enumerate(x):
            if bit != FALSE:
                row = tuple(self.circuit.both(bit, other) for other in y)
                total = self._sum(total, _up(row, place))
        return total

    def _known_times(self, factor: int, word: Bits) -> Bits:
        """`factor * word`, from the product of the factor without its lowest one."""
        if factor == 0:
            return known_bits(0, len(word))
        found = self.sums.get((word, factor))
        if found is None:
            lowest = factor & -factor
            shifted = _up(word, lowest.bit_length() - 1)
            rest = self._known_times(factor ^ lowest, word)
            found = self.sums[word, factor] = self._sum(rest, shifted)
        return found

    def add(self, node: Binary, x: Bits, y: Bits) -> Bits:
        return self._sum(widen(x, node.width), widen(y, node.width))

    def subtract(self, node: Binary, x: Bits, y: Bits) -> Bits:
        flipped = tuple(-bit for bit in widen(y, node.width))
        return self._sum(widen(x, node.width), flipped, TRUE)

    def _sum(self, x: Bits, y: Bits, carry: int = FALSE) -> Bits:
        """`x + y + carry`, wrapping."""
        total = []
        for a, b in zip(x, y, strict=True):
            total.append(self.circuit.odd(a, b, carry))
            carry = self.circuit.majority(a, b, carry)
        return tuple(total)

    def bitwise_and(self, node: Binary, x: Bits, y: Bits) -> Bits:
        return tuple(map(self.circuit.both, widen(x, node.width), widen(y, node.width)))

    def bitwise_xor(self, node: Binary, x: Bits, y: Bits) -> Bits:
        return tuple(map(self.circuit.differ, widen(x, node.width), widen(y, node.width)))

    def bitwise_or(self, node: Binary, x: Bits, y: Bits) -> Bits:
        return tuple(map(self.circuit.either, widen(x, node.width), widen(y, node.width)))

    def shift_left(self, node: Binary, x: Bits, amount: Bits) -> Bits:
        return self._shift(_up, node, x, amount)

    def shift_right(self, node: Binary, x: Bits, amount: Bits) -> Bits:
        return self._shift(_down, node, x, amount)

    def _shift(
        self, moved: Callable[[Bits, int], Bits], node: Binary, x: Bits, amount: Bits
    ) -> Bits:
        if not _unknown(amount):
            by = _value(amount)
            if by >= node.width:
                raise InputError([shift_problem(node, by, self.text)])
            return moved(x, by)
        for place, bit in enumerate(amount):
            x = self._choose(bit, moved(x, min(1 << place, len(x))), x)
        return x

    def _choose(self, condition: int, x: Bits, y: Bits) -> Bits:
        """`x` if the condition holds, else `y`."""
        return tuple(self.circuit.choose(condition, a, b) for a, b in zip(x, y, strict=True))

    def u32(self, node: Call, x: Bits) -> Bits:
        return x[:32]

    lo32 = u32

    def hi32(self, node: Call, x: Bits) -> Bits:
        return widen(x, 64)[32:64]

    def rol32(self, node: Call, x: Bits, amount: Bits) -> Bits:
        return self._rotate(x[:32], amount, log2=5)

    def u64(self, node: Call, x: Bits) -> Bits:
        return widen(x, 64)[:64]

    lo64 = u64

    def hi64(self, node: Call, x: Bits) -> Bits:
        return widen(x, 128)[64:]

    def rol64(self, node: Call, x: Bits, amount: Bits) -> Bits:
        return self._rotate(widen(x, 64)[:64], amount, log2=6)

    def _rotate(self, x: Bits, amount: Bits, *, log2: int) -> Bits:
        """`x` rotated left by the low `log2` bits of the amount."""
        for place in range(log2):
            by = 1 << place
            x = self._choose(amount[place], x[-by:] + x[:-by], x)
        return x

    def bswap64(self, node: Call, x: Bits) -> Bits:
        wide = widen(x, 64)
        return tuple(bit for i in range(56, -8, -8) for bit in wide[i : i + 8])

    def pext(self, node: Call, x: Bits, mask: Bits) -> Bits:
        # From the top down: a one of the mask puts its bit below all that are above it.
        extracted = known_bits(0, 64)
        pairs = zip(widen(x, 64)[:64], widen(mask, 64)[:64], strict=True)
        for bit, chosen in reversed([*pairs]):
            extracted = self._choose(chosen, (bit, *extracted[:63]), extracted)
        return extracted

    def popcount(self, node: Call, x: Bits) -> Bits:
        total = known_bits(0, 64)
        for bit in x:
            total = self._sum(total, widen((bit,), 64))
        return total

    def ctz(self, node: Call, x: Bits) -> Bits:
        count = known_bits(len(x), 64)
        for place in reversed(range(len(x))):
            count = self._choose(x[place], known_bits(place, 64), count)
        return count


def widen(x: Bits, width: int) -> Bits:
    """The word, zero-extended."""
    return x + known_bits(0, width - len(x))


def _up(x: Bits, by: int) -> Bits:
    return (known_bits(0, by) + x)[: len(x)]


def _down(x: Bits, by: int) -> Bits:
    return widen(x[by:], len(x))


def _unknown(x: Bits) -> int:
    return sum(abs(bit) != TRUE for bit in x)


def _value(x: Bits) -> int:
    return sum(1 << place for place, bit in enumerate(x) if bit == TRUE)
