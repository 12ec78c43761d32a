"""How many different attack sets there are, and whether a two-level table can number them.

Squares may share a slot where they have an attack set in common. Then one number has to mean that
set for each of them. Such as: a1 and c1 share slots for two sets. Both have to give these two the
same numbers, and a square numbers its sets from 0, with no number left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from magicert.board import names_in
from magicert.formula.arrays import ints
from magicert.table import PieceTable, Table
from magicert.verify.table.attacks import distinct_attack_sets, distinct_together
from magicert.verify.table.layout import BufferLayout, PieceLayout, spread, without
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Finding


def attack_set_counts(layout: PieceLayout) -> list[int]:
    """How many different attack sets the square of each row has; how many combinations of them,
    where a number means one of each of several pieces.
    """
    if layout.together:
        return [distinct_together(layout.together, bit) for bit in layout.bits]
    return [distinct_attack_sets(layout.mover, bit) for bit in layout.bits]


def set_offsets(layout: PieceLayout) -> list[int]:
    """Where the attack sets of each row start: as given, or packed one row after another. The
    rows of holes have what the first other row has.
    """
    if layout.table.set_offset is not None:
        starts = spread(layout.table.set_offset, layout.mover.board)
    else:
        starts = (0, *accumulate(attack_set_counts(layout)))[: len(layout.bits)]
    return list(without(frozenset(layout.rows) - frozenset(layout.playable), starts))


def attack_set_findings(table: Table, buffers: Iterable[BufferLayout]) -> list[Finding]:
    """Whether the numbers of a two-level table can reach all attack sets.

    With one `set_offset` for all squares an entry numbers the piece's whole buffer; with one
    each, or none (packed), it numbers the sets of its square.
    """
    assert table.two_level is not None
    layouts = [layout for buffer in buffers for layout in buffer.pieces]
    return [
        Finding.of("attack sets", message, 1)
        for layout in layouts
        for message in _problems(layout, table.two_level.entry_bits)
    ]


def _is_one_numbering(piece_table: PieceTable) -> bool:
    """Whether one `set_offset` for all squares lets entries number the piece's whole buffer."""
    return piece_table.set_offset is not None and len(piece_table.set_offset) == 1


def _problems(layout: PieceLayout, entry_bits: int) -> list[str]:
    piece_table, piece = layout.table, layout.table.piece
    counts, starts = attack_set_counts(layout), set_offsets(layout)
    whole = _is_one_numbering(piece_table)
    most = sum(counts) if whole else max(counts)
    messages = []
    if most > 1 << entry_bits:
        too_narrow = f"entries of {entry_bits} bits cannot number {most:,} attack sets"
        messages.append(f"{piece}: {too_narrow}")
    ends = [start + count for start, count in zip(starts, counts, strict=True)]
    needed = starts[0] + sum(counts) if whole else max(ends)
    if piece_table.attack_sets is not None and piece_table.attack_sets < needed:
        messages.append(
            f"{piece}.attack_sets: {piece_table.attack_sets:,} declared, but a {piece} has "
            f"{sum(counts):,} different attack sets, which end at {needed:,}"
        )
    ranges = sorted(zip(starts, ends, strict=True))
    if not whole and any(end > start for (_, end), (start, _) in pairwise(ranges)):
        messages.append(f"{piece}.set_offset: the attack sets of two squares overlap")
    return messages


Square = tuple[str, int]
"""(piece, row)."""
MOST_CHANGES = 100_000
"""Numbers that are taken back until it is not decided whether there are any."""


@dataclass(frozen=True, slots=True)
class CommonSet:
    """An attack set that some squares have in slots that they share: it has one number, below
    `most`. Another set of one of the `homes` has another number.
    """

    attack: int
    squares: frozenset[Square]
    homes: frozenset[Square]
    most: int


def common_sets(lookups: Lookups) -> list[CommonSet]:
    """The attack sets in slots that several squares share, of a buffer without conflicts."""
    slots: dict[Square, list[np.ndarray]] = defaultdict(list)
    for block in lookups:
        for row, numbers in zip(block.rows.tolist(), block.slots, strict=True):
            slots[block.layout.table.piece, row].append(np.unique(numbers[numbers >= 0]))
    attack_numbers = {square: np.unique(np.concatenate(parts)) for square, parts in slots.items()}
    every, counts = np.unique(np.concatenate([*attack_numbers.values()]), return_counts=True)
    shared = every[counts > 1]
    if not len(shared):
        return []
    attacks: dict[int, int] = {}
    for block in lookups:
        there = np.isin(block.slots, shared)
        attacks.update(zip(block.slots[there].tolist(), ints(block.attacks[there]), strict=True))
    together: dict[tuple[Square, int], set[Square]] = {}
    for square, numbers in attack_numbers.items():
        for slot in np.intersect1d(numbers, shared).tolist():
            together.setdefault((square, attacks[slot]), {square})
    holders: dict[int, list[Square]] = defaultdict(list)
    for square, numbers in attack_numbers.items():
        for slot in np.intersect1d(numbers, shared).tolist():
            holders[slot].append(square)
    for slot, squares in holders.items():
        joined = set[Square]().union(*(together[square, attacks[slot]] for square in squares))
        together.update(dict.fromkeys([(square, attacks[slot]) for square in joined], joined))
    rooms = _rooms(lookups)
    numbers = {(attack, frozenset(squares)) for (_, attack), squares in together.items()}
    return [
        CommonSet(
            attack,
            squares,
            frozenset(rooms[square][0] for square in squares),
            min(rooms[square][1] for square in squares),
        )
        for attack, squares in sorted(numbers, key=lambda pair: (pair[0], sorted(pair[1])))
    ]


def _rooms(lookups: Lookups) -> Mapping[Square, tuple[Square, int]]:
    """With whom each square has its numbers, and how many there are: its own, or where there is one
    `set_offset` those of its piece.
    """
    rooms: dict[Square, tuple[Square, int]] = {}
    for layout in lookups.buffer.pieces:
        piece_table, counts = layout.table, attack_set_counts(layout)
        whole = _is_one_numbering(piece_table)
        for row, count in enumerate(counts):
            room = (piece_table.piece, -1), sum(counts)
            rooms[piece_table.piece, row] = room if whole else ((piece_table.piece, row), count)
    return rooms


def can_be_numbered(sets: Sequence[CommonSet]) -> bool | None:
    """Whether all sets can have numbers; None where that is not decided. Each takes the first that
    is free, and where there is none the one before takes its next.
    """
    order = sorted(sets, key=lambda common_set: (common_set.most, -len(common_set.homes)))
    apart = [
        [n for n, before in enumerate(order[:place]) if before.homes & common_set.homes
         and before.attack != common_set.attack]
        for place, common_set in enumerate(order)
    ]  # fmt: skip
    numbers: list[int] = []
    least = changes = 0
    while len(numbers) < len(order):
        place = len(numbers)
        taken = {numbers[n] for n in apart[place]}
        free = next((n for n in range(least, order[place].most) if n not in taken), None)
        if free is not None:
            numbers.append(free)
            least = 0
        elif not numbers:
            return False
        else:
            least = numbers.pop() + 1
            changes += 1
            if changes > MOST_CHANGES:
                return None
    return True


def sharing_finding(table: Table, sets: Sequence[CommonSet]) -> Finding:
    """That squares share slots, and no numbers mean the same for all of them."""
    names = names_in(table.listing, table.board)
    squares = sorted({square for common_set in sets for square in common_set.squares})
    message = "squares share slots, and no numbers mean the same attack sets for each of them"
    named = [f"{piece} {names[row]}" for piece, row in squares]
    return Finding(kind="attack sets", squares=named, message=message, count=1, lookups=[])
