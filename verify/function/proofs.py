"""A proof for a square: the clauses that say "there is a wrong occupancy", and why there is none.

    rook-a1.cnf     the clauses, in the format of every SAT solver
    rook-a1.drup    clauses that follow one from the other, up to the empty one

The solver that finds it is not believed: every step goes to the verified checker.
"""

import hashlib
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole
from magicert.verify.function.clauses import WordClauses
from magicert.verify.function.words import Word
from magicert.verify.proof.checker import Refused, check_steps

SOLVER = "glucose4"


@dataclass(frozen=True, slots=True)
class ProofFiles:
    """The files' SHA-256, and how many steps the checker accepted."""

    cnf: str
    drup: str
    steps: int


def prove(condition: Word, comments: list[str], stem: Path) -> ProofFiles | None:
    """Write both files; None where the condition can hold.

    Raises InputError where a library is missing, UndecidedError where the condition has no clauses.
    """
    made = WordClauses()
    made.state(condition)
    steps = _refuted(made.clauses)
    if steps is None:
        return None
    checked = check_steps(made.clauses, made.count, steps)
    if isinstance(checked, Refused):
        raise AssertionError(f"the proof that {SOLVER} wrote is refused: {checked.reason}")
    cnf = made.dimacs(comments).encode()
    drup = "".join(" ".join(map(str, (*step, 0))) + "\n" for step in steps).encode()
    for ending, data in ((".cnf", cnf), (".drup", drup)):
        write_whole(stem.with_name(stem.name + ending), data)
    return ProofFiles(hashlib.sha256(cnf).hexdigest(), hashlib.sha256(drup).hexdigest(), len(steps))


def _refuted(clauses: list[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
    """The clauses that a solver learned, up to the empty one; None where it satisfies them."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        message = "needs pip install 'magicert[proofs]'"
        raise InputError([Problem(message, key="--proof")]) from None
    with Solver(name=SOLVER, bootstrap_with=clauses, with_proof=True) as found:
        solver: Any = found
        if solver.solve():
            return None
        # Lines that begin with d forget a clause; a checker need not.
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    learned = (tuple(map(int, line.split()[:-1])) for line in lines)
    # A contradiction that was there before the search is not written down.
    return [*takewhile(len, learned), ()]
