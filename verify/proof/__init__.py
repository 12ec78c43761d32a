"""Proofs by SAT solvers: read, and checked by a verified checker that is not ours.

checker      every step of a proof, handed to the verified checker
antecedents  which earlier clauses a step needs
document     the file of a proof
cnf          the clauses that a cell stands for
"""
