"""Solvers, what they are told, and the processes that they run in.

registry         solvers by name
bitwuzla_solver  Bitwuzla
z3_solver        Z3
sat_solver       the SAT solvers of python-sat
proving          SAT solvers that write a proof
encodings        a question as constraints for Z3
clauses          a question as clauses for SAT solvers
candidate        the quick check of one magic
child            work in a process that can be killed
extras           which extra brings a solver's library
backend          what every solver can do
"""
