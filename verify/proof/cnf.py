"""A white cell as clauses: satisfied by a magic and its table, and by nothing else. A black cell as
clauses that its magics satisfy, and perhaps more.

This file is what a proof's reader has to believe, so it says everything in the plainest way and
shares nothing with the models that the solvers of `magicert find` work on. Occupancies and attack
sets are those of the cover checker, which takes them from nobody.

Variables, in the order in which they are numbered:

1. the bits of the magic below the LCM period, lowest first;
2. for each nonempty occupancy, in ascending order, the bits of occupancy * magic. The
   product is that of the occupancy without its highest square, plus the magic shifted up to
   that square. Each place is a full adder: a variable for its sum, one for its carry;
3. for each slot and each square that some attack sets have and some have not: whether the
   attack set in that slot has the square.

The clauses state the adders, then for each occupancy and each slot: if the top bits of the
product are the slot's number, the slot holds the occupancy's attack set. (If a valid magic
exists, the table that it fills satisfies them. If they are satisfied, the magic in them is
valid, since a slot holds one attack set.)

Black is white with a constant: (o | ~mask) * m = o * m + C, where C = ~mask * m. There each product
begins with C, after 1. a word of variables. What C has to do with m is left out: where no
constant at all gives a magic, black has none. The top bits of C are 0, since what they add to every
slot's number gives the slots other numbers and does no more.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_

from magicert.board import squares_of
from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.shapes import Shape
from magicert.targets import slider_of
from magicert.verify.cover.statement import attack_set, occupancies

ZERO = 0
"""In place of a literal: a bit that is 0 whatever the magic."""

Word = list[int]
"""Literals, lowest bit first."""


@dataclass(frozen=True, slots=True)
class HashProblem:
    """Attack sets by occupancy (the empty one first, every other one after its subsets), to be
    told apart by the top `bits` of a product of `width` bits. Where it is `free`, each square of an
    occupancy has a word of its own instead of the magic shifted up to it. With a `constant` a word,
    any word, is added to every product.
    """

    attacks: Mapping[int, int]
    bits: int
    width: int = 64
    free: bool = False
    constant: bool = False

    @property
    def magic_bits(self) -> int:
        """How many bits of a magic reach a product: those below the LCM period."""
        return self.width - next(squares_of(bitboard_of(self.attacks)))

    @property
    def varying(self) -> list[int]:
        """The squares that some attack sets have and some have not."""
        sets = self.attacks.values()
        return list(squares_of(bitboard_of(sets) & ~reduce(and_, sets)))


def bitboard_of(sets: Iterable[int]) -> int:
    """The union of some sets."""
    return reduce(or_, sets, 0)


@dataclass(slots=True)
class CnfFormula:
    """Clauses in the making. `magic` are the variables of the magic's bits."""

    magic: Word = field(default_factory=list)
    variables: int = 0
    clauses: list[tuple[int, ...]] = field(default_factory=list)

    def variable(self) -> int:
        self.variables += 1
        return self.variables

    def add(self, *bits: int) -> tuple[int, int]:
        """(sum, carry) of up to three bits."""
        bits = tuple(bit for bit in bits if bit != ZERO)
        if len(bits) < 2:
            return (bits or (ZERO,))[0], ZERO
        total, carry = self.variable(), self.variable()
        if len(bits) == 2:
            a, b = bits
            self.clauses += [
                (-total, a, b), (-total, -a, -b), (total, -a, b), (total, a, -b),
                (-carry, a), (-carry, b), (carry, -a, -b),
            ]  # fmt: skip
            return total, carry
        a, b, c = bits
        for x in (a, -a):
            for y in (b, -b):
                odd = (x == a) == (y == b)
                self.clauses += [(-x, -y, -c, total if odd else -total)]
                self.clauses += [(-x, -y, c, -total if odd else total)]
        for x, y in ((a, b), (a, c), (b, c)):
            self.clauses += [(-x, -y, carry), (x, y, -carry)]
        return total, carry

    def sum(self, first: Word, second: Word) -> Word:
        """Two words added, wrapping."""
        total, carry = [], ZERO
        for a, b in zip(first, second, strict=True):
            bit, carry = self.add(a, b, carry)
            total.append(bit)
        return total

    def dimacs(self) -> str:
        """The clauses as text in the format that every SAT solver reads."""
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join(lines) + "\n"

    def digest(self) -> str:
        """The SHA-256 of that text."""
        return hashlib.sha256(self.dimacs().encode()).hexdigest()


def hash_problem_of(cell: Cell | Shape) -> HashProblem:
    """What a cell or a shape asks for. Raises InputError for a cell that is neither white nor
    black.
    """
    if isinstance(cell, Shape):
        return hash_problem_of_shape(cell)
    cell.check()
    if cell.scheme.name not in ("white", "black") or cell.largest_index is not None:
        message = "a proof can be had for white and black, with all indexes of their bits"
        raise InputError([Problem(message, key=str(cell))])
    piece, square = slider_of(cell).piece_square
    subsets = occupancies(piece.value, square)
    attacks = {o: attack_set(piece.value, square, o) for o in subsets}
    return HashProblem(attacks, cell.bits, constant=cell.scheme.name == "black")


def hash_problem_of_shape(shape: Shape) -> HashProblem:
    """What a shape asks for: any words at all for its squares, numbered ray by ray, outwards. An
    attack set has the squares up to the first blocker, and an edge of the board for each free ray.
    """
    attacks = {}
    for occupancy in range(1 << sum(shape.rays)):
        seen = first = 0
        for number, length in enumerate(shape.rays):
            for square in range(first, first + length):
                seen |= 1 << square
                if occupancy >> square & 1:
                    break
            else:
                seen |= 1 << sum(shape.rays) + number
            first += length
        attacks[occupancy] = seen
    return HashProblem(attacks, shape.bits, free=True, constant=shape.scheme == "black")


def _words_of(problem: HashProblem, formula: CnfFormula) -> dict[int, Word]:
    """For each square what its occupancies add to their product."""
    squares = list(squares_of(bitboard_of(problem.attacks)))
    if problem.free:
        return {square: [formula.variable() for _ in range(problem.width)] for square in squares}
    formula.magic = [formula.variable() for _ in range(problem.magic_bits)]
    long = [ZERO] * problem.width
    return {s: [*long[:s], *formula.magic, *long][: problem.width] for s in squares}


def formula_of(problem: HashProblem) -> CnfFormula:
    """The clauses."""
    formula = CnfFormula()
    words = _words_of(problem, formula)
    constant = [ZERO] * problem.width
    if problem.constant:
        constant[: -problem.bits] = [formula.variable() for _ in constant[: -problem.bits]]
    products = {0: constant}
    for occupancy in problem.attacks:
        if occupancy:
            highest = occupancy.bit_length() - 1
            products[occupancy] = formula.sum(products[occupancy ^ 1 << highest], words[highest])
    slots = range(1 << problem.bits)
    table = [{square: formula.variable() for square in problem.varying} for _ in slots]
    for occupancy, attacks in problem.attacks.items():
        index = products[occupancy][problem.width - problem.bits :]
        for slot, attack_bits in zip(slots, table, strict=True):
            digits = [(bit, slot >> place & 1) for place, bit in enumerate(index)]
            if (ZERO, 1) in digits:
                continue
            elsewhere = [-bit if digit else bit for bit, digit in digits if bit != ZERO]
            for square, has in attack_bits.items():
                formula.clauses.append((*elsewhere, has if attacks >> square & 1 else -has))
    return formula
