"""How many different attack sets there are, and whether a two-level table can number them."""

from collections.abc import Iterable
from itertools import accumulate, pairwise

from magicert.board import Piece
from magicert.table import Table
from magicert.verify.table.attacks import distinct_attack_sets
from magicert.verify.table.domain import distinct
from magicert.verify.table.layout import BufferLayout, PieceLayout, spread
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Finding


def attack_set_counts(layout: PieceLayout) -> list[int]:
    """How many different attack sets the square of each row has."""
    return [distinct_attack_sets(layout.mover, bit) for bit in layout.bits]


def set_offsets(layout: PieceLayout) -> list[int]:
    """Where the attack sets of each row start: as given, or packed one row after another."""
    if layout.table.set_offset is not None:
        return list(spread(layout.table.set_offset, layout.mover.board))
    return [0, *accumulate(attack_set_counts(layout))][: len(layout.bits)]


def attack_set_findings(table: Table, buffers: Iterable[BufferLayout]) -> list[Finding]:
    """Whether the numbers of a two-level table can reach all attack sets.

    With one `set_offset` for all squares an entry numbers the piece's whole buffer; with one
    each, or none (packed), it numbers the sets of its square.
    """
    if table.two_level is None:
        return []
    layouts = [layout for buffer in buffers for layout in buffer.pieces]
    messages = [
        message for layout in layouts for message in _problems(layout, table.two_level.entry_bits)
    ]
    return [
        Finding(kind="attack sets", squares=[], message=message, count=1, lookups=[])
        for message in messages
    ]


def _problems(layout: PieceLayout, entry_bits: int) -> list[str]:
    half, piece = layout.table, layout.table.piece
    counts, starts = attack_set_counts(layout), set_offsets(layout)
    whole = half.set_offset is not None and len(half.set_offset) == 1
    most = sum(counts) if whole else max(counts)
    messages = []
    if most > 1 << entry_bits:
        found = f"entries of {entry_bits} bits cannot number {most:,} attack sets"
        messages.append(f"{piece}: {found}")
    ends = [start + count for start, count in zip(starts, counts, strict=True)]
    needed = starts[0] + sum(counts) if whole else max(ends)
    if half.attack_sets is not None and half.attack_sets < needed:
        messages.append(
            f"{piece}.attack_sets: {half.attack_sets:,} declared, but a {piece} has "
            f"{sum(counts):,} different attack sets, which end at {needed:,}"
        )
    ranges = sorted(zip(starts, ends, strict=True))
    if not whole and any(end > start for (_, end), (start, _) in pairwise(ranges)):
        messages.append(f"{piece}.set_offset: the attack sets of two squares overlap")
    return messages


def attack_set_notes(lookups: Iterable[Lookups]) -> list[str]:
    """How many different attack sets each piece has, if all were seen. Chess's are well known."""
    counts: dict[str, int] = {}
    for plan in lookups:
        for layout, group, number in plan.plan if plan.complete else ():
            if number == 0 and not isinstance(layout.table.piece, Piece):
                known = counts.get(layout.table.piece, 0)
                counts[layout.table.piece] = known + sum(distinct(group))
    return [f"{piece}: {count:,} different attack sets" for piece, count in counts.items()]
