"""The atlas: for every square and number of bits, what is known about magics.

A cell of the atlas is "exists" (with a magic), "impossible" (with its evidence) or "open"
(with an estimate). One question at k bits answers others: a magic of k bits is one of k + 1,
and where none has k bits none has fewer.
"""

from magicert.atlas.cells import Atlas
from magicert.atlas.drawing import (
    MARKS,
    OPEN_MARK,
    RANGE_MARKS,
    board,
    entry_name,
    label,
    range_board,
    range_label,
    range_mark,
)
from magicert.atlas.entry import Entry, Range, SchemeName, State
from magicert.atlas.file import atlas_toml, read_atlas, write_atlas

__all__ = [
    "MARKS",
    "OPEN_MARK",
    "RANGE_MARKS",
    "Atlas",
    "Entry",
    "Range",
    "SchemeName",
    "State",
    "atlas_toml",
    "board",
    "entry_name",
    "label",
    "range_board",
    "range_label",
    "range_mark",
    "read_atlas",
    "write_atlas",
]
