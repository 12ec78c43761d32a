"""Two levels: a buffer of small numbers, and the distinct attack sets that they number.

A lookup reads number[offset + index] and then set[set_offset + number]. The buffer's
entries shrink from eight bytes to one (or two), and a second buffer holds every square's
attack sets once. Squares still may not share a number's slot unless their numbers agree,
so a layout of attack sets is a layout of numbers as it stands. (Pradu Kannan's idea of
2007; the byte version is Ankan Banerjee's.)

Every square has its own sets in a row, so the second buffer has 4,900 of rooks and 1,428 of
bishops: 50,624 bytes. (Two of these are there twice: `lower_bound`.)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.compact.placements import square_data
from magicert.compact.publish import publish
from magicert.formula.arrays import Words, unique
from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole
from magicert.table import (
    PieceTable,
    Table,
    TwoLevel,
    chess_pieces,
)
from magicert.table.files import TableFile
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
    for piece, piece_table in chess_pieces(table, "a second level").items():
        counts = [square_data(piece, table.row_bit(row)).attack_sets for row in range(64)]
        if max(counts) > 1 << entry_bits:
            message = f"entries of {entry_bits} bits cannot number {max(counts)} attack sets"
            problems.append(Problem(message, key=piece.value))
        starts = np.cumsum([0, *counts[:-1]])
        pieces[piece] = replace(
            piece_table, attack_sets=sum(counts), set_offset=tuple(int(place) for place in starts)
        )
    if problems:
        raise InputError(problems)
    return replace(table, pieces=pieces, two_level=TwoLevel(entry_bits))


def fill_buffer(
    layout: BufferLayout,
    entry_bits: int,
    sets: Mapping[str, Words],
    starts: Mapping[str, Sequence[int]],
    others: Sequence[BufferLayout] = (),
) -> Numbers:
    """The numbers of one buffer; the attack sets are written to `sets` from each row's start.

    A number is the place of an attack set among those of its square, in increasing order. `others`
    are the same lookups as pieces read them that have no numbers of their own.
    Raises ValueError where a write would change a number.
    """
    lookups = Lookups(layout, MAX_LOOKUPS)
    read: dict[str | None, list[BufferLayout]] = {}
    for other in others:
        read.setdefault(other.numbers_of, []).append(other)
    length = 1 + max(int(block.slots.max()) for block in lookups)
    numbers: Numbers = np.zeros(length, dtype=NUMBER_KINDS[entry_bits])
    is_written = np.zeros(length, dtype=np.bool_)
    sets_of: dict[tuple[str, int], Words] = {}
    for block in lookups:  # a square with many occupancies has several blocks
        if block.layout.table.piece in read:
            continue
        for place, row in enumerate(block.rows.tolist()):
            square = block.layout.table.piece, row
            attacks = block.attacks[place]
            sets_before = sets_of.get(square, attacks[:0])
            sets_of[square] = unique(np.concatenate([sets_before, attacks]))[0]
    for (piece, row), square_sets in sets_of.items():
        sets[piece][starts[piece][row] :][: len(square_sets)] = square_sets
    for first, same in read.items():
        for slots, number in _numbered_together(layout, first, same, sets, starts):
            if is_written[slots].any():
                raise ValueError("a write would change a number")
            numbers[slots] = number
            is_written[slots] = True
    for block in lookups:
        if block.layout.table.piece in read:
            continue
        for place, row in enumerate(block.rows.tolist()):
            square_sets = sets_of[block.layout.table.piece, row]
            number = unique(np.concatenate([square_sets, block.attacks[place]]))[1][
                len(square_sets) :
            ]
            slots = block.slots[place]
            if (is_written[slots] & (numbers[slots] != number)).any():
                raise ValueError("a write would change a number")
            numbers[slots] = number
            is_written[slots] = True
            if (numbers[slots] != number).any():
                raise ValueError("a square's own writes disagree")
    return numbers


def _numbered_together(
    layout: BufferLayout,
    piece: str | None,
    others: Sequence[BufferLayout],
    sets: Mapping[str, Words],
    starts: Mapping[str, Sequence[int]],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Of each square the slots of a piece and their numbers. A number means an attack set of the
    piece and one of each of the others; they are written to `sets`.
    """
    (own,) = (part for part in layout.pieces if part.table.piece == piece)
    parts = [own, *(part for other in others for part in other.pieces)]
    found = [_by_slot(replace(layout, pieces=(part,))) for part in parts]
    for row in own.playable:
        slots = found[0][row][0]
        together = np.zeros(len(slots), dtype=np.int64)
        for of_part in found:
            if not np.array_equal(of_part[row][0], slots):
                raise AssertionError(f"{piece}: pieces with the same lookups reach other slots")
            number = unique(of_part[row][1])[1]
            together = together * (int(number.max()) + 1) + number
        _, first, numbers = np.unique(together, return_index=True, return_inverse=True)
        for part, of_part in zip(parts, found, strict=True):
            name = part.table.piece
            sets[name][starts[name][row] :][: len(first)] = of_part[row][1][first]
        yield slots, numbers


def _by_slot(layout: BufferLayout) -> dict[int, tuple[NDArray[np.int64], Words]]:
    """Of each row of a piece the slots in increasing order, and what stands there."""
    blocks: dict[int, list[tuple[NDArray[np.int64], Words]]] = {}
    for block in Lookups(layout, MAX_LOOKUPS):
        for place, row in enumerate(block.rows.tolist()):
            slots, first = np.unique(block.slots[place], return_index=True)
            blocks.setdefault(row, []).append((slots, block.attacks[place][first]))
    found = {}
    for row, of_row in blocks.items():
        slots, first = np.unique(np.concatenate([s for s, _ in of_row]), return_index=True)
        found[row] = slots, np.concatenate([attacks for _, attacks in of_row])[first]
    return found


def publish_two_level(table: Table, path: Path) -> int:
    """Write a two-level table with its finished buffers beside it, verified; bytes of all
    buffers, of which holes are 0.

    The buffers are what is verified: every lookup through both levels.
    """
    assert table.two_level is not None
    sets = {
        piece: np.zeros(piece_table.attack_sets or 0, np.uint64)
        for piece, piece_table in table.pieces.items()
    }
    (layout,) = lay_out(TableFile.unsaved(table, str(path)))
    starts = {part.table.piece: set_offsets(part) for part in layout.pieces}
    numbers = fill_buffer(layout, table.two_level.entry_bits, sets, starts)
    first, *second = sidecars(path, tuple(sets))
    names = dict(zip(sets, second, strict=True))
    finished = replace(
        table,
        literal=first.name,
        pieces={
            p: replace(piece_table, literal_sets=names[p].name)
            for p, piece_table in table.pieces.items()
        },
    )
    buffers: dict[Path, NDArray[Any]] = {first: numbers}
    buffers |= {names[piece]: words for piece, words in sets.items()}
    for file, words in buffers.items():
        write_whole(file, words.astype(words.dtype.newbyteorder("<")).tobytes())
    publish(finished, path)
    return sum(words.nbytes for words in buffers.values())


def sidecars(path: Path, pieces: Sequence[str]) -> list[Path]:
    """The files of a two-level table's finished buffers: the numbers, then each piece's sets."""
    names = ["numbers", *(f"{piece}-sets" for piece in pieces)]
    return [path.with_name(f"{path.stem}.{name}.bin") for name in names]
