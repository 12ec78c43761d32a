"""The table: magics, offsets and formulas of one engine, as a file describes them.

    read       from a TOML file to a `Table`
    write      from a `Table` to a TOML file
    document   the keys at the top of a file, and its sections
    pieces     a piece's section
    moves      how a piece moves
    buffers    one or two levels, and the files of finished buffers
    values     numbers, texts and lists, each of them checked
    words      how keys, values and limits are named in messages
    locate     where in the file a key stands
    chess      what only serves chess says so
    model      the table

docs/table-format.md is the reference of the format.
"""

from magicert.table.chess import chess_halves, chess_only
from magicert.table.model import PieceTable, Provenance, Table, TwoLevel
from magicert.table.read import TableFile, parse_table, read_table, table_of
from magicert.table.write import table_toml, write_table

__all__ = [
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
    "table_toml",
    "write_table",
]
