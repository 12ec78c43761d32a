"""Disproving by cubes over the bits of the magic (cube and conquer; Heule, Kullmann,
Wieringa, Biere 2011), adaptively: a cube that takes too many conflicts is split in two.

The high bits come first: they decide where the low squares of the mask fall, and with
those known a solver refutes most cubes within a few thousand conflicts.
"""

import time
from dataclasses import dataclass

from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.z3models.methods.cube_ledger import Cube, CubeLedger
from magicert.z3models.methods.settle import verified
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Backend, GaveUp, Model
from magicert.z3models.solvers.child import Report


@dataclass(frozen=True)
class Cutting:
    """How the magics are cut: first into 2^depth cubes, further where one takes more than
    `conflicts`. `order` is "high" or "low": which bits are fixed first. `ledger` is a file.
    """

    depth: int = 12
    conflicts: int = 20_000
    order: str = "high"
    ledger: str = ""

    def branching(self, live: int) -> tuple[int, ...]:
        """The live bits in the order in which cubes fix them."""
        places = [place for place in range(live.bit_length()) if live >> place & 1]
        return tuple(reversed(places)) if self.order == "high" else tuple(places)


def conquer(
    question: Question,
    backend: Backend,
    encoding: str,
    live: int,
    cutting: Cutting,
    solver: str,
    report: Report,
) -> Outcome:
    """Settle this process's share of the cubes: those whose number is `report.share` modulo
    `report.shares`. `solver` names who refutes, for the ledger.
    """
    branching = cutting.branching(live)
    ledger = CubeLedger(cutting.ledger or ":memory:", question, branching)
    depth = min(cutting.depth, len(branching))
    backend.state_everything(encoding)
    mine = range(report.share, 1 << depth, report.shares)
    for done, prefix in enumerate(mine):
        report.progress(done, len(mine), f"cubes, {backend.conflicts:,} conflicts")
        waiting: list[Cube] = [(depth, prefix)]
        while waiting:
            cube = waiting.pop()
            verdict = ledger.verdict(cube) or _try(
                cube, backend, branching, cutting, ledger, solver
            )
            if isinstance(verdict, Model):
                return Exists((verified(question, verdict.magic),))
            if isinstance(verdict, GaveUp):
                return Unknown(f"the solver gave up on a cube: {verdict.reason}")
            if verdict == "split":
                waiting += [(cube[0] + 1, 2 * cube[1] + half) for half in (1, 0)]
    totals = ledger.totals()
    argument = f"all cubes over the magic's bits refuted by {solver}"
    return Impossible(argument, figures={k: totals[k] for k in ("cubes", "conflicts", "cpu")})


def _try(
    cube: Cube,
    backend: Backend,
    branching: tuple[int, ...],
    cutting: Cutting,
    ledger: CubeLedger,
    solver: str,
) -> str | Model | GaveUp:
    depth, prefix = cube
    fixed = branching[:depth]
    # The first bit is the prefix's highest digit, so that neighbours share what was learned.
    ones = sum(1 << bit for i, bit in enumerate(reversed(fixed)) if prefix >> i & 1)
    zeros = sum(1 << bit for bit in fixed) & ~ones
    # The last bit is never in the way: a cube of one magic is not split further.
    budget = cutting.conflicts if depth < len(branching) else None
    before, started = backend.conflicts, time.monotonic()
    answer = backend.ask(ones=ones, zeros=zeros, conflicts=budget)
    if isinstance(answer, Model) or (isinstance(answer, GaveUp) and budget is None):
        return answer
    verdict = "split" if isinstance(answer, GaveUp) else "refuted"
    spent = backend.conflicts - before
    ledger.settle(cube, verdict, spent, time.monotonic() - started, solver)
    return verdict
