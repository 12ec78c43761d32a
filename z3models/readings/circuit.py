"""Boolean circuits with constants folded and equal gates shared, and their clauses.

A literal is a nonzero int as in DIMACS; `TRUE` is variable 1. Clauses are written for a
gate only when something asks for its output (Tseitin 1968, by need): of a 64-bit adder
whose low sums nobody looks at, only the carries remain.
"""

from collections.abc import Callable, Iterator

Clause = list[int]

TRUE = 1
FALSE = -1


class Circuit:
    """Gates over literals; `clauses(outputs)` states the cones that are still unstated."""

    def __init__(self) -> None:
        self.variables = 1
        self.gates: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.known: dict[tuple[str, tuple[int, ...]], int] = {}
        self.stated: set[int] = {TRUE}
        self.begun = False

    def variable(self) -> int:
        """A new unknown."""
        self.variables += 1
        return self.variables

    def both(self, a: int, b: int) -> int:
        """`a` and `b`."""
        if b in (a, TRUE):
            return a
        if a == TRUE:
            return b
        if FALSE in (a, b) or a == -b:
            return FALSE
        return self._gate("and", (a, b) if a < b else (b, a))

    def either(self, a: int, b: int) -> int:
        """`a` or `b`."""
        return -self.both(-a, -b)

    def differ(self, a: int, b: int) -> int:
        """`a` xor `b`."""
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
            if gate in self.stated:
                continue
            self.stated.add(gate)
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
        output = self.known.get(key)
        if output is None:
            output = self.known[key] = self.variable()
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
