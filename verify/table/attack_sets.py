"""How many different attack sets there are, and whether a two-level table can number them."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from magicert.board import DIRECTIONS, Piece, ray
from magicert.table import PieceTable, Table
from magicert.verify.table.layout import spread
from magicert.verify.table.report import Finding


def distinct_attack_sets(piece: Piece, square: int) -> int:
    """How many different attack sets a square has: each ray can end on any of its squares."""
    count = 1
    for direction in DIRECTIONS[piece]:
        count *= max(1, len(ray(square, direction)))
    return count


def set_offsets(table: PieceTable, bits: Sequence[int]) -> list[int]:
    """Where the attack sets of each row start: as given, or packed one row after another.

    `bits` are the rows' squares in the engine's numbering.
    """
    if table.set_offset is not None:
        return list(spread(table.set_offset))
    counts = (distinct_attack_sets(table.slider, bit) for bit in bits)
    return [0, *accumulate(counts)][:64]


def attack_set_findings(table: Table) -> list[Finding]:
    """Whether the numbers of a two-level table can reach all attack sets.

    With one `set_offset` for all squares an entry numbers the piece's whole buffer; with 64,
    or none (packed), it numbers the sets of its square.
    """
    if table.two_level is None:
        return []
    numbers = 1 << table.two_level.entry_bits
    messages = []
    for piece, half in table.pieces.items():
        bits = [table.row_bit(row) for row in range(64)]
        counts = [distinct_attack_sets(half.slider, bit) for bit in bits]
        starts = set_offsets(half, bits)
        whole = half.set_offset is not None and len(half.set_offset) == 1
        most = sum(counts) if whole else max(counts)
        if most > numbers:
            messages.append(
                f"{piece}: entries of {table.two_level.entry_bits} bits cannot number "
                f"{most:,} attack sets"
            )
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
    return [
        Finding(kind="attack sets", squares=[], message=message, count=1, lookups=[])
        for message in messages
    ]
