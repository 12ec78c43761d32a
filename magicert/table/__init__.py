"""The table: magics, offsets and formulas of one engine, as a file describes them.

    write    from a `Table` to a TOML file
    read     from a TOML file to a `Table`
    words    how keys, values and limits are named in messages
    locate   where in the file a key stands
    model    the table

docs/table-format.md is the reference of the format.
"""

from magicert.table.model import PieceTable, Provenance, Table, TwoLevel
from magicert.table.read import TableFile, parse_table, read_table, table_of
from magicert.table.write import table_toml, write_table

__all__ = [
    "PieceTable",
    "Provenance",
    "Table",
    "TableFile",
    "TwoLevel",
    "parse_table",
    "read_table",
    "table_of",
    "table_toml",
    "write_table",
]
