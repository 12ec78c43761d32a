"""How many different attack sets there are, and whether a two-level table has room for them."""

from magicert.board import DIRECTIONS, Piece, ray
from magicert.table import Table
from verify.report import Finding


def distinct_attack_sets(piece: Piece, square: int) -> int:
    """How many different attack sets a square has: each ray can end on any of its squares."""
    count = 1
    for direction in DIRECTIONS[piece]:
        count *= max(1, len(ray(square, direction)))
    return count


def attack_set_findings(table: Table) -> list[Finding]:
    """A two-level table's declared numbers of attack sets against the true ones."""
    if table.two_level is None:
        return []
    messages = []
    totals: dict[Piece, int] = {}
    most = 0
    for piece, half in table.pieces.items():
        counts = [distinct_attack_sets(piece, square) for square in range(64)]
        totals[piece] = sum(counts)
        # Without a starting place for each square, one numbering serves them all.
        most = max(most, *counts)
        if half.attack_sets is not None and half.attack_sets < totals[piece]:
            messages.append(
                f"{piece}.attack_sets: {half.attack_sets:,} declared, but a {piece} has "
                f"{totals[piece]:,} different attack sets"
            )
    if most > 1 << table.two_level.entry_bits:
        messages.append(f"entries of {table.two_level.entry_bits} bits cannot number {most} sets")
    return [
        Finding(kind="attack sets", squares=[], message=message, count=1, lookups=[])
        for message in messages
    ]
