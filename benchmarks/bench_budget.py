"""Where the entries of a packed table go: slots of rooks and of bishops, and holes of each kind.

    python -P benchmarks/bench_budget.py [table or file ...]

Reference: the last line of each table, what its slots would take with no hole at all. A page has 64
rows of 64 columns; a column is free if none of its entries on that page is used.
"""

import sys
from pathlib import Path

import numpy as np

from magicert.chess import Piece
from magicert.compact.layouts import Layout, from_table
from magicert.compact.pages.columns import COLUMNS, PAGE
from magicert.data import find_table
from magicert.table import read_table

ROOK, BISHOP = 1, 2
RECORDS = ("black", "white")


def owners(layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Who uses each entry: 0 nobody."""
    who = np.zeros(layout.length, dtype=np.int8)
    for placement in layout.placements:
        who[placement.slots] = ROOK if placement.piece is Piece.ROOK else BISHOP
    return who


def budget(layout: Layout) -> dict[str, int]:
    """Entries by what they are, all of them together the length."""
    who = owners(layout)
    found = dict.fromkeys(
        ("rooks", "bishops", "holes in free columns", "other holes on pages", "holes behind"), 0
    )
    last = (
        max(placement.offset for placement in layout.placements if placement.piece is Piece.ROOK)
        // PAGE
        * PAGE
    )
    for start in range(0, last, PAGE):
        page = who[start : start + PAGE].reshape(-1, COLUMNS)
        free = PAGE // COLUMNS * int((page == 0).all(axis=0).sum())
        found["holes in free columns"] += free
        found["other holes on pages"] += int((page == 0).sum()) - free
    found["holes behind"] = int((who[last:] == 0).sum())
    found["rooks"], found["bishops"] = int((who == ROOK).sum()), int((who == BISHOP).sum())
    return found


def main() -> None:
    for name in sys.argv[1:] or RECORDS:
        path = Path(name) if name.endswith(".toml") else find_table(name)
        layout = from_table(read_table(path))
        print(f"{name}: {layout.length:,} entries")
        for what, entries in budget(layout).items():
            print(f"  {what:<24} {entries:>7,} {entries / layout.length:>6.1%}")
        print(f"  {'with no hole':<24} {layout.used_slots:>7,}")


if __name__ == "__main__":
    main()
