"""A proof for a square: the clauses that say "there is a wrong occupancy", and why there is none.

    rook-a1.cnf     the clauses, in the format of every SAT solver
    rook-a1.drup    clauses that follow one from the other, up to the empty one

The solver that finds it is not believed: every step goes to the verified checker.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import takewhile
from pathlib import Path
from typing import Any

from magicert.functions.compare.solvers import plain_of
from magicert.functions.execute import words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.words import Word
from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole
from magicert.verify.proof.checker import Refused, check_steps

SOLVER = "glucose4"


def prove(condition: Word, comments: list[str], stem: Path) -> str:
    """Write both files for a condition that never holds; how many steps the checker accepted, and
    the SHA-256 of the clauses.

    Raises InputError where a library is missing, UndecidedError where the condition has no clauses.
    """
    clauses = WordClauses()
    clauses.state(condition)
    steps = _refuted(clauses.clauses)
    checked = check_steps(clauses.clauses, clauses.count, steps)
    if isinstance(checked, Refused):
        raise AssertionError(f"the proof that {SOLVER} wrote is refused: {checked.reason}")
    cnf = clauses.dimacs(comments).encode()
    drup = "".join(" ".join(map(str, (*step, 0))) + "\n" for step in steps).encode()
    for ending, data in ((".cnf", cnf), (".drup", drup)):
        write_whole(stem.with_name(stem.name + ending), data)
    return f"{len(steps)} steps for the clauses {hashlib.sha256(cnf).hexdigest()}"


def _refuted(clauses: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The clauses that a solver learned, up to the empty one."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        message = "needs pip install 'magicert[proofs]'"
        raise InputError([Problem(message, key="--proof")]) from None
    with Solver(name=SOLVER, bootstrap_with=clauses, with_proof=True) as answer:
        solver: Any = answer
        if solver.solve():
            raise AssertionError("the SAT solver satisfies what is proved to be impossible")
        # Lines that begin with d forget a clause; a checker need not.
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    learned = (tuple(map(int, line.split()[:-1])) for line in lines)
    # A contradiction that was there before the search is not written down.
    return [*takewhile(len, learned), ()]


# Words as clauses: a condition on words becomes clauses that can be satisfied just if it can hold.
#
# This is what the reader of a proof has to believe, besides the words themselves. Variable 1 is
# true. Each bit of a word is a literal; each gate is a new variable with its clauses.

TRUE = 1
Bits = list[int]
"""Literals, lowest bit first."""


class WordClauses:
    """Clauses in the making. `inputs` are the bits of each variable."""

    def __init__(self) -> None:
        self.count = TRUE
        self.clauses: list[tuple[int, ...]] = [(TRUE,)]
        self.inputs: dict[str, Bits] = {}
        self._gates: dict[tuple[str, int, int], int] = {}
        self._bits: dict[int, Bits] = {}

    def state(self, condition: Word) -> None:
        (bit,) = self.bits(condition)
        self.clauses.append((bit,))

    def new_variable(self) -> int:
        self.count += 1
        return self.count

    def dimacs(self, comments: Sequence[str]) -> str:
        """As text in the format that every SAT solver reads."""
        lines = [f"c {comment}" for comment in comments]
        for name, bits in self.inputs.items():
            lines.append(
                f"c {name}: bits 0 to {len(bits) - 1} are variables {bits[0]} to {bits[-1]}"
            )
        lines.append(f"p cnf {self.count} {len(self.clauses)}")
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join(lines) + "\n"

    # Gates

    def and_gate(self, x: int, y: int) -> int:
        if -TRUE in (x, y) or x == -y:
            return -TRUE
        if x in (TRUE, y):
            return y
        if y == TRUE:
            return x
        key = ("and", min(x, y), max(x, y))
        if key not in self._gates:
            out = self._gates[key] = self.new_variable()
            self.clauses += [(-out, x), (-out, y), (out, -x, -y)]
        return self._gates[key]

    def either(self, x: int, y: int) -> int:
        return -self.and_gate(-x, -y)

    def differ(self, x: int, y: int) -> int:
        if abs(x) == TRUE:
            return -y if x == TRUE else y
        if abs(y) == TRUE:
            return -x if y == TRUE else x
        if abs(x) == abs(y):
            return -TRUE if x == y else TRUE
        sign = 1 if (x > 0) == (y > 0) else -1
        x, y = sorted((abs(x), abs(y)))
        key = ("xor", x, y)
        if key not in self._gates:
            out = self._gates[key] = self.new_variable()
            self.clauses += [(-out, x, y), (-out, -x, -y), (out, -x, y), (out, x, -y)]
        return sign * self._gates[key]

    def choice(self, condition: int, x: int, y: int) -> int:
        """X where the condition holds, otherwise y."""
        if x == y:
            return x
        return self.either(self.and_gate(condition, x), self.and_gate(-condition, y))

    def sum(self, x: Bits, y: Bits, carry: int = -TRUE) -> tuple[Bits, int]:
        """The sum, and what is carried out of it."""
        total = []
        for a, b in zip(x, y, strict=True):
            half = self.differ(a, b)
            total.append(self.differ(half, carry))
            carry = self.either(self.and_gate(a, b), self.and_gate(half, carry))
        return total, carry

    def less(self, x: Bits, y: Bits) -> int:
        """X < y, unsigned: x + ~y + 1 carries nothing."""
        _, carry = self.sum(x, [-bit for bit in y], TRUE)
        return -carry

    # Words

    def bits(self, root: Word) -> Bits:
        """The bits of a word. Raises UndecidedError for a division."""
        for node in words.walk([root]):
            if id(node) not in self._bits:
                self._bits[id(node)] = self._bits_of(node)
        return self._bits[id(root)]

    def _bits_of(self, node: Word) -> Bits:
        args = [self._bits[id(arg)] for arg in node.args]
        gates: dict[str, Callable[[int, int], int]] = {
            "and": self.and_gate, "or": self.either, "xor": self.differ,
        }  # fmt: skip
        match node.op:
            case "constant":
                return [TRUE if node.data >> n & 1 else -TRUE for n in range(node.width)]
            case "variable":
                self.inputs[node.data] = [self.new_variable() for _ in range(node.width)]
                return self.inputs[node.data]
            case "and" | "or" | "xor":
                return [gates[node.op](x, y) for x, y in zip(*args, strict=True)]
            case "not":
                return [-bit for bit in args[0]]
            case "add":
                return self.sum(args[0], args[1])[0]
            case "sub":
                return self.sum(args[0], [-bit for bit in args[1]], TRUE)[0]
            case "mul":
                return self._product(*args)
            case "shl" | "lshr" | "ashr":
                return self._shifted(node.op, *args)
            case "eq":
                same = [-self.differ(x, y) for x, y in zip(*args, strict=True)]
                return [reduce(self.and_gate, same)]
            case "ult":
                return [self.less(*args)]
            case "slt":
                x, y = ([*word[:-1], -word[-1]] for word in args)
                return [self.less(x, y)]
            case "ite":
                (condition,), x, y = args
                return [self.choice(condition, a, b) for a, b in zip(x, y, strict=True)]
            case "concat":
                return [bit for word in reversed(args) for bit in word]
            case "extract":
                return args[0][node.data : node.data + node.width]
            case "sext":
                return args[0] + [args[0][-1]] * (node.width - len(args[0]))
            case "table" | "popcount" | "reverse":
                return self.bits(plain_of(node))
        raise UndecidedError(f"no clauses for {node.op}")

    def _product(self, x: Bits, y: Bits) -> Bits:
        total = [-TRUE] * len(x)
        for place, bit in enumerate(y):
            if bit != -TRUE:
                row = [-TRUE] * place + [self.and_gate(bit, other) for other in x[: len(x) - place]]
                total, _ = self.sum(total, row)
        return total

    def _shifted(self, op: str, x: Bits, amount: Bits) -> Bits:
        """By one bit of the amount after another; where a higher one is set nothing is left."""
        filler = x[-1] if op == "ashr" else -TRUE
        width = len(x)
        for place, bit in enumerate(amount):
            by = min(1 << place, width) if place < width.bit_length() + 1 else width
            moved = [filler] * by + x[: width - by] if op == "shl" else x[by:] + [filler] * by
            x = [self.choice(bit, a, b) for a, b in zip(moved, x, strict=True)]
        return x
