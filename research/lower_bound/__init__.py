"""How short a buffer of all rook and bishop attacks cannot be: research/lower_bound/proof.md."""
