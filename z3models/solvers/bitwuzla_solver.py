"""Bitwuzla on the formulas that Z3 would have been asked.

It reads the SMT-LIB text that Z3 writes, so it shares the encoding and nothing of the solving.
"""

from typing import Any

import bitwuzla
import z3

from magicert.outcome import GaveUp
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Answer, Model, Refuted
from magicert.z3models.solvers.z3_solver import Z3Backend


def version(name: str = "bitwuzla") -> str:  # noqa: ARG001 (one module may speak to several solvers)
    """Bitwuzla's name and version."""
    return f"Bitwuzla {bitwuzla.version()}"


def backend(name: str, question: Question, live: int, **stating: Any) -> "BitwuzlaBackend":  # noqa: ANN401, ARG001
    """An empty backend of Bitwuzla."""
    return BitwuzlaBackend(question, live, **stating)


class BitwuzlaBackend(Z3Backend):
    """Bitwuzla, from scratch each time, on what Z3 would have been asked."""

    def check(self, assumed: list[z3.BoolRef], conflicts: int | None) -> Answer:
        """Hand the SMT-LIB text over; Bitwuzla has no budget of conflicts."""
        exporter = z3.SolverFor(self.logic)
        exporter.add(self.solver.assertions(), *assumed)
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        manager = bitwuzla.TermManager()
        parser = bitwuzla.Parser(manager, options)
        script = exporter.to_smt2().replace("(check-sat)", "")
        parser.parse(f"(set-logic {self.logic})\n{script}", True, False)
        solver = parser.bitwuzla()
        result = solver.check_sat()
        if result == bitwuzla.Result.UNSAT:
            return Refuted()
        if result != bitwuzla.Result.SAT:
            return GaveUp("Bitwuzla: unknown")
        word = parser.parse_term(self.question.free)
        return Model(int(solver.get_value(word).value(10)))
