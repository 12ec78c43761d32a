"""Disproving by cubes over the bits of the magic (cube and conquer; Heule, Kullmann,
Wieringa, Biere 2011), adaptively: a cube that takes too many conflicts is split in two.

The high bits come first: they decide where the low squares of the mask fall, and with
those known a solver refutes most cubes within a few thousand conflicts.
"""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from magicert.outcome import Exists, GaveUp, Impossible, Outcome, Unknown
from magicert.z3models.methods.cube_ledger import Cube, CubeLedger
from magicert.z3models.methods.settle import verified
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Backend, Model
from magicert.z3models.solvers.child import ChildObserver


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
    report: ChildObserver,
) -> Outcome:
    """Settle this process's share of the cubes: those whose number is `report.share` modulo
    `report.shares`. `solver` names who refutes, for the ledger.
    """
    branching = cutting.branching(live)
    ledger = CubeLedger(cutting.ledger or ":memory:", question, branching, solver)
    depth = min(cutting.depth, len(branching))
    backend.state_everything(encoding)
    mine = range(report.share, 1 << depth, report.shares)
    started, known = time.process_time(), 0
    refuted: list[Cube] = []
    for done, prefix in enumerate(mine):
        report.progress(done, len(mine), f"cubes, {backend.conflicts:,} conflicts")
        waiting: list[Cube] = [(depth, prefix)]
        while waiting:
            cube = waiting.pop()
            stored = ledger.verdict(cube)
            verdict = stored or _try(cube, backend, branching, cutting, ledger)
            if isinstance(verdict, Model):
                return Exists((verified(question, verdict.magic),))
            if isinstance(verdict, GaveUp):
                return Unknown(f"the solver gave up on a cube: {verdict.reason}")
            if verdict == "split":
                waiting += [(cube[0] + 1, 2 * cube[1] + half) for half in (1, 0)]
            else:
                refuted.append(cube)
                known += stored is not None
    if ledger.damaged:
        report.say(f"{cutting.ledger}: {ledger.damaged:,} cubes without a good seal, done again")
    if not are_everything(refuted, {(depth, prefix) for prefix in mine}):
        raise AssertionError("the refuted cubes do not make up all magics")
    figures = {
        "cubes": len(refuted), "read from the ledger": known,
        "conflicts": backend.conflicts, "cpu": time.process_time() - started,
    }  # fmt: skip
    argument = f"all cubes over the magic's bits refuted by {solver}"
    return Impossible(argument, figures=figures)


def are_everything(cubes: Collection[Cube], wanted: Collection[Cube]) -> bool:
    """Whether cubes make up the wanted ones and nothing else, none of their magics twice."""
    finest = max(depth for depth, _ in (*cubes, *wanted))
    return _joined(cubes, finest) == _joined(wanted, finest)


def _joined(cubes: Iterable[Cube], finest: int) -> list[list[int]]:
    """Cubes as intervals of prefixes of the finest depth; those that touch are one."""
    intervals: list[list[int]] = []
    for first, last in sorted(
        (prefix << finest - depth, (prefix + 1 << finest - depth)) for depth, prefix in cubes
    ):
        if intervals and intervals[-1][1] == first:
            intervals[-1][1] = last
        else:
            intervals.append([first, last])
    return intervals


def _try(
    cube: Cube,
    backend: Backend,
    branching: tuple[int, ...],
    cutting: Cutting,
    ledger: CubeLedger,
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
    ledger.settle(cube, verdict, spent, time.monotonic() - started)
    return verdict
