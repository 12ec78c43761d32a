"""A cell as a file that any solver reads.

smt2    SMT-LIB 2.6, bit vectors
dimacs  clauses, for SAT solvers
"""
