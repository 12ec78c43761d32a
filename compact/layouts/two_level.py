"""Two levels: a buffer of small numbers, and the distinct attack sets that they number.

A lookup reads number[offset + index] and then set[set_offset + number]. The buffer's
entries shrink from eight bytes to one (or two), and a second buffer holds every square's
attack sets once. Squares still may not share a number's slot unless their numbers agree,
so a layout of attack sets is a layout of numbers as it stands. (Pradu Kannan's idea of
2007; the byte version is Ankan Banerjee's.)

Attack sets are unions of rays that may end anywhere; no two squares have one in common,
so the second buffer has 4,900 rook sets and 1,428 bishop sets: 50,624 bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import square_data
from magicert.formula.wide import Words, unique
from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole
from magicert.table import PieceTable, Table, TwoLevel, chess_halves
from magicert.table.read import TableFile
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.layout import BufferLayout, lay_out
from magicert.verify.table.lookups import Lookups

NUMBER_KINDS: Mapping[int, type[np.unsignedinteger[Any]]] = {8: np.uint8, 16: np.uint16}
"""The type of a number, by its bits."""
Numbers = NDArray[np.unsignedinteger[Any]]


def two_level(table: Table, entry_bits: int) -> Table:
    """The two-level version of a table of attack sets, each square's sets in a row.

    Raises InputError where an entry cannot number all sets of a square, or the table is
    two-level already or a half board.
    """
    problems = []
    if table.two_level is not None:
        problems.append(Problem("already a two-level table"))
    if table.half_board:
        problems.append(Problem("a half board: expected the whole board for two levels"))
    pieces: dict[str, PieceTable] = {}
    for piece, half in chess_halves(table, "a second level").items():
        counts = [square_data(piece, table.row_bit(row)).attack_sets for row in range(64)]
        if max(counts) > 1 << entry_bits:
            message = f"entries of {entry_bits} bits cannot number {max(counts)} attack sets"
            problems.append(Problem(message, key=piece.value))
        starts = np.cumsum([0, *counts[:-1]])
        pieces[piece] = replace(
            half, attack_sets=sum(counts), set_offset=tuple(int(place) for place in starts)
        )
    if problems:
        raise InputError(problems)
    return replace(table, pieces=pieces, two_level=TwoLevel(entry_bits))


def fill_buffer(
    layout: BufferLayout,
    entry_bits: int,
    sets: Mapping[str, Words],
    starts: Mapping[str, Sequence[int]],
) -> Numbers:
    """The numbers of one buffer; the attack sets are written to `sets` from each row's start.

    A number is the place of an attack set among those of its square, in increasing order.
    Raises ValueError where a write would change a number.
    """
    lookups = Lookups(layout, MAX_LOOKUPS)
    length = 1 + max(int(block.slots.max()) for block in lookups)
    numbers: Numbers = np.zeros(length, dtype=NUMBER_KINDS[entry_bits])
    written = np.zeros(length, dtype=np.bool_)
    for block in lookups:
        piece = block.layout.table.piece
        for place, row in enumerate(block.rows.tolist()):
            own, number = unique(block.attacks[place])
            start = starts[piece][row]
            sets[piece][start : start + len(own)] = own
            slots = block.slots[place]
            if (written[slots] & (numbers[slots] != number)).any():
                raise ValueError("a write would change a number")
            numbers[slots] = number
            written[slots] = True
            if (numbers[slots] != number).any():
                raise ValueError("a square's own writes disagree")
    return numbers


def publish_two_level(table: Table, path: Path) -> int:
    """Write a two-level table with its finished buffers beside it, verified; bytes of all
    buffers, of which holes are 0.

    The buffers are what is verified: every lookup through both levels.
    """
    # A layout needs compiled code; emitting a table, which uses this module, must not.
    from magicert.compact.layouts.layout import publish

    assert table.two_level is not None
    sets = {
        piece: np.zeros(half.attack_sets or 0, np.uint64) for piece, half in table.pieces.items()
    }
    (layout,) = lay_out(TableFile.unsaved(table, str(path)))
    starts = {part.table.piece: set_offsets(part) for part in layout.pieces}
    numbers = fill_buffer(layout, table.two_level.entry_bits, sets, starts)
    first, *second = sidecars(path, tuple(sets))
    names = dict(zip(sets, second, strict=True))
    finished = replace(
        table,
        literal=first.name,
        pieces={p: replace(half, literal_sets=names[p].name) for p, half in table.pieces.items()},
    )
    buffers: dict[Path, NDArray[Any]] = {first: numbers}
    buffers |= {names[piece]: words for piece, words in sets.items()}
    for file, words in buffers.items():
        write_whole(file, words.astype(words.dtype.newbyteorder("<")).tobytes())
    publish(finished, path, path.with_suffix(".certificate.json"))
    return sum(words.nbytes for words in buffers.values())


def sidecars(path: Path, pieces: Sequence[str]) -> list[Path]:
    """The files of a two-level table's finished buffers: the numbers, then each piece's sets."""
    names = ["numbers", *(f"{piece}-sets" for piece in pieces)]
    return [path.with_name(f"{path.stem}.{name}.bin") for name in names]
