"""The verifier: tables, sources, certificates and proofs, each checked exhaustively.

    source    tables read straight from an engine's source
    table     every lookup of a table
    proof     proofs by SAT solvers
    cover     certificates that no magic exists, leaf by leaf

`recount` is no package: one C file that counts again what a chain of the search leaves alive.
"""
