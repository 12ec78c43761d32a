"""The formula language: one small, safe expression language for index formulas.

`parse` turns text into a tree (`magicert.formula.tree`) that interpreters *read*:
plain integers (`integers.py`) and numpy (`numpy_reading.py`) here, Z3 in
`z3models`, source code in `compact`. docs/formula.md is its reference.
"""

from magicert.formula.parse import Formula, parse

__all__ = ["Formula", "parse"]
