"""The verifier: tables, sources, certificates and proofs, each checked exhaustively.

`recount` is no package: one C file that counts again what a chain of the search leaves alive.
"""
