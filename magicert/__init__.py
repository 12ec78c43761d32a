"""magicert certifies, settles and compacts magic-bitboard tables.

This package holds the words that every other room shares (board, occupancies,
formula, scheme, table, outcome) and, on top of everything, the command line.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("magicert")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "0+checkout"

__all__ = ["__version__"]
