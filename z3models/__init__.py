"""Bit-vector models: a scheme's formula and a cell become constraints.

question      what is asked: a formula, occupancies with their attack sets, index bits
reading       the Z3 reading of the formula tree
encodings     ways to state validity to Z3
circuit, bits_reading, clauses
              the same question as clauses, bit-blasted here, for SAT solvers
settle        one question, settled by one solver call
refine        finding by counterexample-guided refinement with sparse cubes
cubes         disproving by cubes over the bits of the magic, with a resumable ledger
shape, lemmas, period
              what holds for all squares of a shape, all occupancies, all magics
gatherer      32-bit bit gatherers
engine_z3, engine_sat
              the doors to `magicert find` and `magicert disprove`
"""
