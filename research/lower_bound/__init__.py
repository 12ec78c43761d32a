"""How short a buffer of all rook and bishop attacks cannot be: docs/lower-bound.md."""
