"""Bit-vector models: a scheme's formula and a cell become constraints for solvers.

engine_z3   the engine "z3": Z3, or Bitwuzla
engine_sat  the engine "sat": SAT solvers
gather      32-bit bit gatherers
lemmas      what holds for all occupancies, all magics, or all squares of a shape
files       a cell as a file that any solver reads
methods     how an engine goes about a cell
solvers     Z3, Bitwuzla and SAT solvers, what they are told, and their processes
readings    a formula as bit vectors, as a circuit
question    a cell without the chess
"""
