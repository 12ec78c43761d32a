"""Check the proof of a SAT solver that a cell, or all squares of a shape, have no magic."""

import time
from collections.abc import Callable
from pathlib import Path

from magicert.cell import Cell, Shape
from magicert.dataclass import dataclass
from magicert.outcome import Observer
from magicert.verify.cover.file import begins
from magicert.verify.proof.checker import CheckedProof, Refused, check
from magicert.verify.proof.document import FIRST_LINE, read_proof


@dataclass(frozen=True, slots=True)
class ProofReport:
    """What a file claims, and whether it proves that. `verdict.exit_status` is 0 or 1."""

    about: Cell | Shape
    solver: str
    verdict: CheckedProof | Refused
    seconds: float


def check_proof(path: Path, observer: Observer) -> ProofReport:
    """Check every step of the file.

    Raises InputError where the file is no proof, or where the verified checker that looks at the
    steps is not installed.
    """
    started = time.monotonic()
    proof = read_proof(path)
    verdict = check(proof, steps_seen_by(observer))
    return ProofReport(proof.about, proof.solver, verdict, time.monotonic() - started)


def is_proof_file(path: Path) -> bool:
    """Whether a file begins, unpacked, as a proof does. False where it cannot be read, or only
    once (a pipe).
    """
    return begins(path, FIRST_LINE.encode())


def steps_seen_by(observer: Observer) -> Callable[[int, int], None]:
    """Progress in steps, told to an observer."""
    return lambda done, total: observer.progress(done, total, "steps")
