"""The formula language: one small, safe expression language for index formulas.

    numpy_reading   the value for many occupancies and squares at once
    lanes           arithmetic on 128-bit words in two lanes
    wide            arrays of 64-bit or of 128-bit words
    integers        the value, by plain integers: the reference of all other readings
    reading         what every reading has: a method for each operation, and the walk
    parse           from text to tree
    tokens          from text to tokens
    tree            the tree, and the operations of the language

The rooms have readings of their own: dependencies in `verify`, compiled code in `search`,
Z3 and circuits in `z3models`, source code in `compact`. docs/formula.md is the reference.
"""

from magicert.formula.parse import Formula, parse

__all__ = ["Formula", "parse"]
