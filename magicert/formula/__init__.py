"""The formula language: one small, safe expression language for index formulas.

The packages have interpretations of their own: dependencies in `verify`, compiled code in `search`,
Z3 and circuits in `z3models`, source code in `compact`. docs/formula.md is the reference.
"""

from magicert.formula.parse import Formula, parse

__all__ = ["Formula", "parse"]
