"""Solvers by name. A new solver is a module like these and a line here."""

from importlib import import_module
from typing import Any

from magicert.z3models.solvers.backend import Solver

SMT = {"z3": "z3_solver", "bitwuzla": "bitwuzla_solver"}
"""Solvers of bit-vector formulas, by the module that speaks to them."""

SAT = dict.fromkeys(
    ("glucose42", "cadical195", "cadical153", "glucose4", "minicard", "minisat22"), "sat_solver"
)
"""Solvers of clauses. These are python-sat's that count conflicts."""


def solver(name: str) -> Solver:
    """The solver's module. Raises ImportError where its library is not installed."""
    module: Any = import_module(f"magicert.z3models.solvers.{(SMT | SAT)[name]}")
    return module
