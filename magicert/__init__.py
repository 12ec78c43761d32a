"""magicert certifies, settles and compacts magic-bitboard tables.

This package holds the words that every other room shares (board, occupancies,
formula, scheme, table, outcome) and, on top of everything, the command line.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
