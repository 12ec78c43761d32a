"""The table: magics, offsets and formulas of one engine, as a file describes them.

docs/table-format.md is the reference of the format.
"""

from magicert.table.model import PieceTable, Provenance, Table, TwoLevel, chess_halves, chess_only
from magicert.table.read import TableFile, parse_table, read_table, table_of
from magicert.table.write import file_text, table_toml, write_table

__all__ = [
    "PieceTable",
    "Provenance",
    "Table",
    "TableFile",
    "TwoLevel",
    "chess_halves",
    "chess_only",
    "file_text",
    "parse_table",
    "read_table",
    "table_of",
    "table_toml",
    "write_table",
]
