"""A formula as a circuit of gates, one literal a bit, and a question as clauses for SAT solvers.

Gates with constants folded and equal ones shared; clauses are written for a gate only where
something asks for its output (Tseitin, by need). Products of known and unknown words are sums of
shifted words, which all occupancies share.

When: `--engine sat` and `export --format dimacs`, for any scheme. Cells of the white scheme are
exported with the clauses of `verify/proof/cnf.py`, which shares no code with these.

Why it is apart: the engine "z3" translates the same formula into Z3's terms. As the two share the
parsed formula and nothing else, a SAT solver's answer is a second opinion.

Cost: one adder for an occupancy, of which only the carries remain where nobody looks at low sums.
Rook cells are large: 2^c occupancies times 2^k slots.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import or_

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
from magicert.z3models.question import Pair, Question

# Boolean circuits with constants folded and equal gates shared, and their clauses.
#
# A literal is a nonzero int as in DIMACS; `TRUE` is variable 1. Clauses are written for a
# gate only when something asks for its output (Tseitin 1968, by need): of a 64-bit adder
# whose low sums nobody looks at, only the carries remain.


Clause = list[int]

TRUE = 1
FALSE = -1


class Circuit:
    """Gates over literals; `clauses(outputs)` states the cones that are still unstated."""

    def __init__(self) -> None:
        self.variables = 1
        self.gates: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.outputs: dict[tuple[str, tuple[int, ...]], int] = {}
        self.emitted: set[int] = {TRUE}
        self.begun = False

    def variable(self) -> int:
        self.variables += 1
        return self.variables

    def both(self, a: int, b: int) -> int:
        if b in (a, TRUE):
            return a
        if a == TRUE:
            return b
        if FALSE in (a, b) or a == -b:
            return FALSE
        return self._gate("and", (a, b) if a < b else (b, a))

    def either(self, a: int, b: int) -> int:
        return -self.both(-a, -b)

    def differ(self, a: int, b: int) -> int:
        sign = 1
        if a < 0:
            a, sign = -a, -sign
        if b < 0:
            b, sign = -b, -sign
        if a == b:
            return FALSE * sign
        if TRUE in (a, b):
            return -sign * (b if a == TRUE else a)
        return sign * self._gate("xor", (a, b) if a < b else (b, a))

    def choose(self, condition: int, a: int, b: int) -> int:
        """`a` if the condition holds, else `b`."""
        if condition in (TRUE, FALSE) or a == b:
            return a if condition == TRUE or a == b else b
        if a in (TRUE, FALSE) or b in (TRUE, FALSE) or a == -b:
            return self.either(self.both(condition, a), self.both(-condition, b))
        if condition < 0:
            condition, a, b = -condition, b, a
        return self._gate("mux", (condition, a, b))

    def odd(self, a: int, b: int, c: int) -> int:
        """`a` xor `b` xor `c`: a full adder's sum."""
        constant = {abs(a), abs(b), abs(c)} & {TRUE}
        if constant or abs(a) == abs(b) or abs(b) == abs(c) or abs(a) == abs(c):
            return self.differ(self.differ(a, b), c)
        sign = -1 if (a < 0) ^ (b < 0) ^ (c < 0) else 1
        x, y, z = sorted((abs(a), abs(b), abs(c)))
        return sign * self._gate("odd", (x, y, z))

    def majority(self, a: int, b: int, c: int) -> int:
        """At least two of a, b, c: a full adder's carry."""
        a, b, c = sorted((a, b, c), key=abs)
        if a == TRUE:
            return self.either(b, c)
        if a == FALSE:
            return self.both(b, c)
        if b in (a, c):
            return b
        if a == -b:
            return c
        if b == -c:
            return a
        if a < 0:
            return -self._gate("majority", (-a, -b, -c))
        return self._gate("majority", (a, b, c))

    def clauses(self, *outputs: int) -> Iterator[Clause]:
        """The clauses of the gates below `outputs` that no earlier call has yielded."""
        if not self.begun:
            self.begun = True
            yield [TRUE]
        waiting = [abs(output) for output in outputs]
        while waiting:
            gate = waiting.pop()
            if gate in self.emitted:
                continue
            self.emitted.add(gate)
            if gate not in self.gates:
                continue
            kind, operands = self.gates[gate]
            waiting.extend(map(abs, operands))
            yield from _CLAUSES[kind](gate, *operands)

    def operands(self, gate: int) -> tuple[int, ...]:
        """What a gate's output is computed from; nothing for an unknown."""
        return self.gates[gate][1] if gate in self.gates else ()

    def _gate(self, kind: str, operands: tuple[int, ...]) -> int:
        key = (kind, operands)
        output = self.outputs.get(key)
        if output is None:
            output = self.outputs[key] = self.variable()
            self.gates[output] = key
        return output


def _and(g: int, a: int, b: int) -> list[Clause]:
    return [[-g, a], [-g, b], [g, -a, -b]]


def _xor(g: int, a: int, b: int) -> list[Clause]:
    return [[-g, a, b], [-g, -a, -b], [g, -a, b], [g, a, -b]]


def _mux(g: int, c: int, a: int, b: int) -> list[Clause]:
    # The last two are implied, and let unit propagation see a = b.
    return [[-c, -a, g], [-c, a, -g], [c, -b, g], [c, b, -g], [-a, -b, g], [a, b, -g]]


def _odd(g: int, a: int, b: int, c: int) -> list[Clause]:
    return [
        [s * a, t * b, u * c, -s * t * u * g] for s in (1, -1) for t in (1, -1) for u in (1, -1)
    ]


def _majority(g: int, a: int, b: int, c: int) -> list[Clause]:
    return [
        [-a, -b, g], [-a, -c, g], [-b, -c, g],
        [a, b, -g], [a, c, -g], [b, c, -g],
    ]  # fmt: skip


_CLAUSES: dict[str, Callable[..., list[Clause]]] = {
    "and": _and, "xor": _xor, "mux": _mux, "odd": _odd, "majority": _majority,
}  # fmt: skip


# The bits interpretation of a formula: its value as one literal of a circuit per bit.
#
# It shares no code with the Z3 interpretation, so that a SAT solver on its clauses is a second
# opinion on everything that Z3 says. Known words stay integers; a product known * unknown
# becomes a sum of shifted words, shared between all occupancies that are read.

Bits = tuple[int, ...]
"""A word as literals, lowest bit first."""


def constant_bits(value: int, width: int) -> Bits:
    """A constant."""
    return tuple(TRUE if value >> i & 1 else FALSE for i in range(width))


class BitsInterpretation(Interpretation[Bits]):
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
            return constant_bits(evaluate(node, fixed, self.text), node.width)
        return super().value(node)

    def literal(self, node: Literal) -> Bits:
        return constant_bits(node.value, node.width)

    def name(self, node: Name) -> Bits:
        word = self.values[node.name]
        if isinstance(word, int):
            return constant_bits(word, node.width)
        if len(word) > node.width:
            raise ValueError(f"{node.name}: a word of {len(word)} bits is used at {node.width}")
        return widen(word, node.width)

    def invert(self, node: Unary, x: Bits) -> Bits:
        return tuple(-bit for bit in x)

    def negate(self, node: Unary, x: Bits) -> Bits:
        return self._sum(self.invert(node, x), constant_bits(0, node.width), TRUE)

    def multiply(self, node: Binary, x: Bits, y: Bits) -> Bits:
        """Shift and add over the factor with more known bits."""
        x, y = widen(x, node.width), widen(y, node.width)
        if _unknown(y) < _unknown(x):
            x, y = y, x
        if not _unknown(x):
            return self._constant_times(_value(x), y)
        total = constant_bits(0, len(x))
        for place, bit in enumerate(x):
            if bit != FALSE:
                row = tuple(self.circuit.both(bit, y_bit) for y_bit in y)
                total = self._sum(total, _up(row, place))
        return total

    def _constant_times(self, factor: int, word: Bits) -> Bits:
        """`factor * word`, from the product of the factor without its lowest one."""
        if factor == 0:
            return constant_bits(0, len(word))
        product = self.sums.get((word, factor))
        if product is None:
            lowest = factor & -factor
            shifted = _up(word, lowest.bit_length() - 1)
            without_lowest = self._constant_times(factor ^ lowest, word)
            product = self.sums[word, factor] = self._sum(without_lowest, shifted)
        return product

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
                if not _unknown(x) and not _value(x):  # 0 stays 0, whatever it is shifted by
                    return x
                raise InputError([shift_problem(node, by, self.text)])
            return moved(x, by)
        for place, bit in enumerate(amount):
            x = self._choose(bit, moved(x, min(1 << place, len(x))), x)
        return x

    def _choose(self, condition: int, x: Bits, y: Bits) -> Bits:
        return tuple(self.circuit.choose(condition, a, b) for a, b in zip(x, y, strict=True))

    def u32(self, node: Call, x: Bits) -> Bits:
        return x[:32]

    def hi32(self, node: Call, x: Bits) -> Bits:
        return widen(x, 64)[32:64]

    def rol32(self, node: Call, x: Bits, amount: Bits) -> Bits:
        return self._rotate(x[:32], amount, log2=5)

    def u64(self, node: Call, x: Bits) -> Bits:
        return widen(x, 64)[:64]

    def hi64(self, node: Call, x: Bits) -> Bits:
        return widen(x, 128)[64:128]

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
        extracted = constant_bits(0, 64)
        pairs = zip(widen(x, 64)[:64], widen(mask, 64)[:64], strict=True)
        for bit, chosen in reversed([*pairs]):
            extracted = self._choose(chosen, (bit, *extracted[:63]), extracted)
        return extracted

    def popcount(self, node: Call, x: Bits) -> Bits:
        total = constant_bits(0, 64)
        for bit in x:
            total = self._sum(total, widen((bit,), 64))
        return total

    def ctz(self, node: Call, x: Bits) -> Bits:
        count = constant_bits(len(x), 64)
        for place in reversed(range(len(x))):
            count = self._choose(x[place], constant_bits(place, 64), count)
        return count


def widen(x: Bits, width: int) -> Bits:
    """The word, zero-extended."""
    return x + constant_bits(0, width - len(x))


def _up(x: Bits, by: int) -> Bits:
    return (constant_bits(0, by) + x)[: len(x)]


def _down(x: Bits, by: int) -> Bits:
    return widen(x[by:], len(x))


def _unknown(x: Bits) -> int:
    return sum(abs(bit) != TRUE for bit in x)


def _value(x: Bits) -> int:
    return sum(1 << place for place, bit in enumerate(x) if bit == TRUE)


# Which bits of the free parameter any index is wired to, read off the formula's circuit.
#
# In the white scheme the products o*m do not see the bits of m from 64 - ctz(mask) up: the
# LCM period, 2^(64 - ctz(mask)). In a scheme of two 32-bit halves both halves have such dead
# bits, and in the black scheme there are none. A bit without a wire changes nothing.


def occupied(question: Question) -> int:
    """The union of all occupancies: the mask."""
    return reduce(or_, question.occupancies)


def wired_bits(question: Question) -> int:
    """The bits of the free parameter outside which no bit reaches any index."""
    circuit = Circuit()
    mask = occupied(question)
    word: Bits = tuple(circuit.variable() for _ in range(question.free_width))
    # Squares that no occupancy has are constant 0, and what they would switch falls away.
    squares = range(question.formula.word)
    occ = tuple(circuit.variable() if mask >> i & 1 else FALSE for i in squares)
    waiting = [
        *BitsInterpretation(circuit).read(question.formula.tree, question.assignment(word, occ))
    ]
    reached: set[int] = set()
    while waiting:
        gate = abs(waiting.pop())
        if gate not in reached:
            reached.add(gate)
            waiting.extend(circuit.operands(gate))
    return sum(1 << i for i, literal in enumerate(word) if literal in reached)


#     table     one unknown attack set per bucket, in binary: where the index of o is v,
#               the bits of table[v] are those of A(o)
#     pairwise  every two occupancies with different attack sets differ in a bit of the index
#
# `Clauses` grows: occupancies and pairs may be added between two calls of a solver.


class Clauses:
    """The unknown magic, its circuit, and what is stated about it so far.

    `magic` are the literals of the free parameter; those outside `live` (a mask of the
    bits that matter, `period`) are constant 0.
    """

    def __init__(self, question: Question, live: int | None = None) -> None:
        live = question.free_bits if live is None else live
        self.question = question
        self.circuit = Circuit()
        self.magic: Bits = tuple(
            self.circuit.variable() if live >> i & 1 else FALSE for i in range(question.free_width)
        )
        self.interpretation = BitsInterpretation(self.circuit, question.formula.text)
        self.indexes: dict[int, Bits] = {}

    def index(self, place: int) -> Bits:
        """The literals of an occupancy's index, lowest first, in the formula's width."""
        if place not in self.indexes:
            values = self.question.assignment(self.magic, self.question.occupancies[place])
            self.indexes[place] = self.interpretation.read(self.question.formula.tree, values)
        return self.indexes[place]

    def within(self, place: int) -> Iterator[Clause]:
        """The index of this occupancy is at most the largest."""
        index = self.index(place)
        largest = self.question.largest_index
        for i, bit in enumerate(index):
            if largest >> i & 1 or bit == FALSE:
                continue
            # A one here, where the limit has none, needs a zero where it has a one above.
            above = [index[j] for j in range(i + 1, len(index)) if largest >> j & 1]
            clause = [-bit, *(-literal for literal in above)]
            yield from self.circuit.clauses(*clause)
            yield clause

    def apart(self, pair: Pair) -> Iterator[Clause]:
        """Two occupancies differ in their index."""
        bits = self.question.bits
        differences = [
            literal
            for a, b in zip(self.index(pair[0])[:bits], self.index(pair[1])[:bits], strict=True)
            if (literal := self.circuit.differ(a, b)) != FALSE
        ]
        if TRUE not in differences:
            yield from self.circuit.clauses(*differences)
            yield differences

    def value(self, model: list[int]) -> int:
        """The magic in a solver's model (signed literals); unmentioned bits are 0."""
        true = {literal for literal in model if literal > 0}
        return sum(1 << i for i, literal in enumerate(self.magic) if literal in true)

    def exclusion(self, magic: int) -> Clause:
        return [
            -literal if magic >> i & 1 else literal
            for i, literal in enumerate(self.magic)
            if literal != FALSE
        ]


def validity(clauses: Clauses, encoding: str) -> Iterator[Clause]:
    """Clauses that hold exactly for the valid values of the magic."""
    question = clauses.question
    for place in range(len(question.occupancies)):
        yield from clauses.within(place)
    if encoding == "pairwise":
        for place, attacks in enumerate(question.attacks):
            for earlier in range(place):
                if question.attacks[earlier] != attacks:
                    yield from clauses.apart((place, earlier))
    else:
        yield from _table(clauses)


def _table(clauses: Clauses) -> Iterator[Clause]:
    question, circuit = clauses.question, clauses.circuit
    digits = max(1, max(question.attacks).bit_length())
    table = [[circuit.variable() for _ in range(digits)] for _ in range(question.largest_index + 1)]
    for place, attacks in enumerate(question.attacks):
        index = clauses.index(place)[: question.bits]
        yield from circuit.clauses(*index)
        for bucket, number in enumerate(table):
            elsewhere = [-bit if bucket >> i & 1 else bit for i, bit in enumerate(index)]
            for digit, literal in enumerate(number):
                yield [*elsewhere, literal if attacks >> digit & 1 else -literal]


# A question of any scheme as clauses, with the variables of the magic's bits.
#
# Cells of the white scheme are written by `magicert.verify.proof.cnf`, the clauses that the shipped
# proofs are about; these here serve all others.


def clauses_of(question: Question, encoding: str) -> tuple[int, list[list[int]], dict[int, int]]:
    """How many variables there are, the clauses, and the variable of each bit of the magic."""
    stating = Clauses(question, wired_bits(question))
    clauses = [[TRUE], *validity(stating, encoding)]
    bits = {bit: literal for bit, literal in enumerate(stating.magic) if literal != FALSE}
    return stating.circuit.variables, clauses, bits


def dimacs(
    comments: list[str], variables: int, clauses: list[list[int]], bits: Mapping[int, int]
) -> Iterator[str]:
    """The lines of the file: comments, then `c magic BIT VARIABLE` for each bit of the magic that
    has a variable (the others are 0), then the clauses.
    """
    yield from (f"c {line}".rstrip() for line in comments)
    yield from (f"c magic {bit} {variable}" for bit, variable in bits.items())
    yield f"p cnf {variables} {len(clauses)}"
    yield from (" ".join(map(str, (*clause, 0))) for clause in clauses)
