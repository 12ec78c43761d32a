"""The table: magics, offsets and formulas of one engine, as a file describes them.

`read_table` and `write_table` are the two directions between a TOML file and a
`Table`. docs/table-format.md is the reference of the format.
"""

from magicert.table.model import PieceTable, Provenance, Table, TwoLevel
from magicert.table.read import parse_table, read_table
from magicert.table.write import table_toml, write_table

__all__ = [
    "PieceTable",
    "Provenance",
    "Table",
    "TwoLevel",
    "parse_table",
    "read_table",
    "table_toml",
    "write_table",
]
