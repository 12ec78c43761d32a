"""Proofs by SAT solvers: read, and checked by a verified checker that is not ours."""
