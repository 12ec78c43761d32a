"""The table: magics, offsets and formulas of one engine, as a file describes them.

docs/table-format.md is the reference of the format.
"""

from magicert.table.model import (
    JoinedPiece,
    PieceTable,
    Provenance,
    Table,
    TwoLevel,
    chess_halves,
    chess_only,
)
from magicert.table.read import TableFile, parse_table, read_table, table_of

__all__ = [
    "JoinedPiece",
    "PieceTable",
    "Provenance",
    "Table",
    "TableFile",
    "TwoLevel",
    "chess_halves",
    "chess_only",
    "parse_table",
    "read_table",
    "table_of",
]
