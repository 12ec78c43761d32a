"""`python -m research.atlas`: what can be run here."""

print(
    """Run from a checkout (research/atlas/README.md says what for):

    python -m research.atlas.build [LEDGER...]     enter what ledgers have finished
    python -m research.atlas.evidence FILE...      enter counts and leaves of another program
    python -m research.atlas.narrow_ranges ATLAS   the least largest index of each square
    python -m research.atlas.proofs                write the proofs by a SAT solver that ship"""
)
