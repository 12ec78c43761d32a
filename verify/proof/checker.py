"""Checking a proof: every step goes to a verified checker that is not ours.

That checker is `drup` (M. Fredrikson): it is written in Why3, proved there to accept nothing but
proofs, and extracted to machine code. It is slow on a whole proof, since each step would be
propagated through all clauses. So it gets each step with the clauses that this step needs and
no others: is there a contradiction between them and the step's negation? What is left to
believe here is that these are clauses of the cell or steps that were accepted before, and that
the last step is the empty clause; and `cnf`, which says what the cell's clauses are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from magicert.outcome import Evidence
from magicert.problem import InputError, Problem
from magicert.verify.proof.cnf import formula_of, hash_problem_of
from magicert.verify.proof.document import Proof

Progress = Callable[[int, int], None]
"""Told how many steps are checked, of how many."""

OFTEN = 100
"""Steps between two calls of it."""


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """Every step holds: there is no magic."""

    exit_status: ClassVar[int] = 0
    evidence: ClassVar[Evidence] = Evidence.PROOF
    proof: Proof
    steps: int
    antecedents: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Something does not hold: the file proves nothing."""

    exit_status: ClassVar[int] = 1
    reason: str


def check(proof: Proof, progress: Progress | None = None) -> CheckedProof | Refused:
    """Check a proof against the clauses of its cell, which are made anew.

    Raises InputError where the verified checker is not installed.
    """
    formula = formula_of(hash_problem_of(proof.cell_or_shape))
    if formula.digest() != proof.formula:
        reason = f"its formula has the SHA-256 {proof.formula}: expected {formula.digest()}"
        return Refused(f"{reason}, the clauses of {proof.cell_or_shape}")
    checked = check_steps(formula.clauses, formula.variables, proof.steps, progress)
    if isinstance(checked, Refused):
        return checked
    return CheckedProof(proof, checked.steps, checked.antecedents)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The verified checker accepts every step: the clauses contradict each other."""

    steps: int
    antecedents: int


def check_steps(
    clauses: Sequence[tuple[int, ...]],
    variables: int,
    proof: Sequence[tuple[int, ...]],
    progress: Progress | None = None,
) -> Accepted | Refused:
    """Check the steps of a proof that clauses of so many variables contradict each other.

    Raises InputError where the verified checker is not installed.
    """
    if not proof or proof[-1]:
        return Refused("the last step is not the empty clause")
    for number, step in enumerate(proof):
        if any(abs(literal) > variables for literal in step):
            return Refused(f"step {number + 1} names a variable that the formula does not have")
    contradict = verified_checker()
    from magicert.verify.proof.antecedents import steps_of

    steps = steps_of(clauses, proof, every=True)
    if isinstance(steps, int):
        return Refused(f"step {steps + 1} does not follow by unit propagation")
    accepted = list(clauses)
    for number, clause in enumerate(proof):
        # Only what was accepted before can be looked up.
        needed = [accepted[place] for place in steps[number].antecedents]
        if not contradict([*needed, *((-literal,) for literal in clause)]):
            return Refused(f"step {number + 1} is not accepted by the verified checker")
        accepted.append(clause)
        if progress is not None and number % OFTEN == 0:
            progress(number, len(steps))
    return Accepted(len(steps), sum(len(step.antecedents) for step in steps))


def verified_checker() -> Callable[[list[tuple[int, ...]]], bool]:
    """Whether clauses contradict each other by unit propagation alone, says `drup`.

    The proof that it is handed is the empty clause. (It would accept a clause that only keeps the
    formula satisfiable, too, but the empty clause never is one.)
    """
    try:
        import drup
    except ImportError:
        message = "needs pip install 'magicert[proofs]' (Linux on x86-64)"
        raise InputError([Problem(message, key="drup")]) from None
    return lambda clauses: drup.check_proof(clauses, [[]]).outcome is drup.Outcome.VALID
