"""The table: magics, offsets and formulas of one engine, as a file describes them.

docs/table-format.md is the reference of the format.
"""

from magicert.table.files import TableFile, parse_table, read_table, table_of
from magicert.table.model import (
    JoinedPiece,
    PieceTable,
    Provenance,
    Table,
    TwoLevel,
    chess_only,
    chess_pieces,
)

__all__ = [
    "JoinedPiece",
    "PieceTable",
    "Provenance",
    "Table",
    "TableFile",
    "TwoLevel",
    "chess_only",
    "chess_pieces",
    "parse_table",
    "read_table",
    "table_of",
]
