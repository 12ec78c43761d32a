"""Prove that a cell, or all squares of a shape, have no magic: by a SAT solver, checked by a
verified checker, in a file.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path

from magicert.cell import Cell
from magicert.known_magics import contradiction
from magicert.outcome import Exists, Impossible, Observer, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.shapes import Shape
from magicert.valid import check_magics
from magicert.verify.proof.antecedents import steps_of
from magicert.verify.proof.checker import Refused, check, verified_checker
from magicert.verify.proof.cnf import CnfFormula, formula_of, hash_problem_of
from magicert.verify.proof.document import Proof, write_proof
from magicert.z3models.solvers.child import Budget
from magicert.z3models.solvers.proving import PROVERS, Refutation, RefutationTask, Satisfied, refute


@dataclass(frozen=True, slots=True)
class ProofWanted:
    """A proof about a cell or a shape, written to `output`. The budget is the solver's; the
    checker's time is not limited.
    """

    cell_or_shape: Cell | Shape
    output: Path
    solver: str = PROVERS[0]
    budget: Budget = field(default_factory=Budget)


def prove(request: ProofWanted, observer: Observer) -> Outcome:
    """IMPOSSIBLE, with the file that proves it; or EXISTS, with a magic of the cell. Of a shape
    that free words satisfy, and of a black cell that some constant satisfies, nothing is known.

    The proof is checked before it is written. Raises InputError where the cell is of a scheme
    that has no clauses, where the solver is none, or where the checker is not installed.
    """
    verified_checker()
    if not request.output.parent.is_dir():
        raise InputError([Problem("no such folder", file=str(request.output.parent))])
    if request.solver not in PROVERS:
        message = f"expected one that writes proofs: {', '.join(PROVERS)}"
        raise InputError([Problem(message, key=f"solver {request.solver}")])
    formula = formula_of(hash_problem_of(request.cell_or_shape))
    proof = _proof(request, formula, observer)
    if not isinstance(proof, Proof):
        return proof
    started = time.monotonic()
    checked = check(proof, lambda done, total: observer.progress(done, total, "steps"))
    if isinstance(checked, Refused):
        raise AssertionError(f"the proof that {proof.solver} wrote is refused: {checked.reason}")
    if known := contradiction(request.cell_or_shape):
        return Unknown(
            f"{proof.solver} refuted it, but {known} is a magic: this is a bug of magicert"
        )
    size = write_proof(proof, request.output)
    return Impossible(
        f"refuted by {proof.solver}; the verified checker drup accepts all {checked.steps:,} steps",
        certificate=str(request.output),
        evidence=checked.evidence,
        figures={
            "steps": checked.steps,
            "bytes": size,
            "seconds of checking": time.monotonic() - started,
        },
    )


def _proof(request: ProofWanted, formula: CnfFormula, observer: Observer) -> Proof | Outcome:
    """What the solver learned, without what the end does not need."""
    task = RefutationTask(formula.clauses, request.solver)
    refutation = refute(task, observer, request.budget)
    match refutation:
        case Satisfied():
            if isinstance(request.cell_or_shape, Shape):
                return Unknown("free words satisfy it, so nothing follows for any square")
            if request.cell_or_shape.scheme.name == "black":
                return Unknown(
                    "a constant other than ~mask * magic satisfies it, so nothing follows"
                )
            bits = enumerate(formula.magic)
            magic = sum(1 << place for place, bit in bits if bit in refutation.literals)
            check_magics(request.cell_or_shape, [magic], task.solver_name)
            return Exists((magic,))
        case Refutation():
            needed = steps_of(formula.clauses, refutation.steps)
            if isinstance(needed, int):
                return Unknown(f"step {needed + 1} of {task.solver_name} does not follow")
            clauses = [step.clause for step in needed]
            return Proof(request.cell_or_shape, formula.digest(), task.solver_name, clauses)
    return refutation
