"""The bits reading of a formula: its value as one literal of a circuit per bit.

It shares no code with the Z3 reading, so that a SAT solver on its clauses is a second
opinion on everything that Z3 says. Known words stay integers; a product known * unknown
becomes a sum of shifted words, shared between all occupancies that are read.
"""

from collections.abc import Mapping

from magicert.formula.integers import evaluate, shift_problem
from magicert.formula.tree import Binary, Call, Name, Node, Unary, names
from magicert.problem import InputError
from magicert.z3models.readings.circuit import FALSE, TRUE, Circuit

Bits = tuple[int, ...]
"""A word as literals, lowest bit first."""


def known_bits(value: int, width: int) -> Bits:
    """A constant."""
    return tuple(TRUE if value >> i & 1 else FALSE for i in range(width))


class BitsReading:
    """Reads trees into one circuit. Names stand for integers or for 64 literals."""

    def __init__(self, circuit: Circuit, text: str = "") -> None:
        self.circuit = circuit
        self.text = text
        self.sums: dict[tuple[Bits, int], Bits] = {}

    def read(self, node: Node, values: Mapping[str, int | Bits]) -> Bits:
        """The value of a tree, `node.width` literals.

        Raises InputError where a known shift amount is the word's width or more; by an
        unknown amount of the width or more the value is 0.
        """
        fixed = {name: v for name in names(node) if isinstance(v := values[name], int)}
        if len(fixed) == len(names(node)):
            return known_bits(evaluate(node, fixed, self.text), node.width)
        match node:
            case Name():
                bits = values[node.name]
                assert isinstance(bits, tuple)
                return bits
            case Unary():
                flipped = tuple(-bit for bit in self.read(node.operand, values))
                if node.operator == "~":
                    return flipped
                return self.add(flipped, known_bits(0, node.width), TRUE)
            case Binary():
                return self.binary(node, values)
            case Call():
                return self.call(node, values)
        raise AssertionError(node)

    def binary(self, node: Binary, values: Mapping[str, int | Bits]) -> Bits:
        """An operator on two words."""
        left, right = self.read(node.left, values), self.read(node.right, values)
        if node.operator in ("<<", ">>"):
            return self.shift(node, left, right)
        x, y = widen(left, node.width), widen(right, node.width)
        gates = self.circuit
        match node.operator:
            case "*":
                return self.multiply(x, y)
            case "+":
                return self.add(x, y)
            case "-":
                return self.add(x, tuple(-bit for bit in y), TRUE)
            case "&":
                return tuple(map(gates.both, x, y))
            case "|":
                return tuple(map(gates.either, x, y))
            case "^":
                return tuple(map(gates.differ, x, y))
        raise AssertionError(node.operator)

    def add(self, x: Bits, y: Bits, carry: int = FALSE) -> Bits:
        """X + y + carry, wrapping."""
        total = []
        for a, b in zip(x, y, strict=True):
            total.append(self.circuit.odd(a, b, carry))
            carry = self.circuit.majority(a, b, carry)
        return tuple(total)

    def multiply(self, x: Bits, y: Bits) -> Bits:
        """X * y, wrapping: shift and add over the factor with more known bits."""
        if _unknown(y) < _unknown(x):
            x, y = y, x
        if not _unknown(x):
            return self.known_times(_value(x), y)
        total = known_bits(0, len(x))
        for place, bit in enumerate(x):
            if bit != FALSE:
                row = tuple(self.circuit.both(bit, other) for other in y)
                total = self.add(total, _up(row, place))
        return total

    def known_times(self, factor: int, word: Bits) -> Bits:
        """Factor * word, from the product of factor without its lowest one."""
        if factor == 0:
            return known_bits(0, len(word))
        found = self.sums.get((word, factor))
        if found is None:
            lowest = factor & -factor
            shifted = _up(word, lowest.bit_length() - 1)
            rest = self.known_times(factor ^ lowest, word)
            found = self.sums[word, factor] = self.add(rest, shifted)
        return found

    def shift(self, node: Binary, x: Bits, amount: Bits) -> Bits:
        """X << amount or x >> amount."""
        left = node.operator == "<<"
        if not _unknown(amount):
            by = _value(amount)
            if by >= node.width:
                raise InputError([shift_problem(node, by, self.text)])
            return _up(x, by) if left else _down(x, by)
        for place, bit in enumerate(amount):
            by = min(1 << place, len(x))
            moved = _up(x, by) if left else _down(x, by)
            x = self.mux(bit, moved, x)
        return x

    def mux(self, condition: int, x: Bits, y: Bits) -> Bits:
        """X if condition, else y."""
        return tuple(self.circuit.choose(condition, a, b) for a, b in zip(x, y, strict=True))

    def call(self, node: Call, values: Mapping[str, int | Bits]) -> Bits:
        """A function of the language."""
        x = self.read(node.arguments[0], values)
        match node.function:
            case "u32" | "lo32":
                return x[:32]
            case "hi32":
                return widen(x, 64)[32:]
            case "rol32":
                return self.rotate(x[:32], self.read(node.arguments[1], values), 5)
            case "rol64":
                return self.rotate(widen(x, 64), self.read(node.arguments[1], values), 6)
            case "bswap64":
                wide = widen(x, 64)
                return tuple(bit for i in range(56, -8, -8) for bit in wide[i : i + 8])
            case "popcount":
                total = known_bits(0, 64)
                for bit in x:
                    total = self.add(total, widen((bit,), 64))
                return total
            case "ctz":
                count = known_bits(len(x), 64)
                for place in reversed(range(len(x))):
                    count = self.mux(x[place], known_bits(place, 64), count)
                return count
        raise AssertionError(node.function)

    def rotate(self, x: Bits, amount: Bits, log2: int) -> Bits:
        """X rotated left by the low `log2` bits of amount."""
        for place in range(log2):
            by = 1 << place
            x = self.mux(amount[place], x[-by:] + x[:-by], x)
        return x


def widen(x: Bits, width: int) -> Bits:
    """x, zero-extended."""
    return x + known_bits(0, width - len(x))


def _up(x: Bits, by: int) -> Bits:
    return (known_bits(0, by) + x)[: len(x)]


def _down(x: Bits, by: int) -> Bits:
    return widen(x[by:], len(x))


def _unknown(x: Bits) -> int:
    return sum(abs(bit) != TRUE for bit in x)


def _value(x: Bits) -> int:
    return sum(1 << place for place, bit in enumerate(x) if bit == TRUE)
