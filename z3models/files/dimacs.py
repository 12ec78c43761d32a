"""A question of any scheme as clauses, with the variables of the magic's bits.

Cells of the white scheme are written by `magicert.verify.proof.cnf`, the clauses that the shipped
proofs are about; these here serve all others.
"""

from collections.abc import Iterator, Mapping

from magicert.z3models.question import Question
from magicert.z3models.readings.circuit import FALSE, TRUE
from magicert.z3models.readings.wiring import wired_bits
from magicert.z3models.solvers.clauses import Clauses, validity


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
