"""What is worth knowing about a table besides its verdict."""

from magicert.table import Table
from magicert.verify.table.layers.entries import is_layered, sharing
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Buffer, Square


def notes(
    table: Table, buffers: list[Buffer], squares: list[Square], lookups: list[Lookups]
) -> list[str]:
    """One line each: buffers declared too long, odd masks, squares with fewer bits."""
    found: list[str] = []
    for buffer in buffers:
        if buffer.declared is not None and buffer.length < buffer.declared:
            spare = buffer.declared - buffer.length
            found.append(
                f"buffer {buffer.name}: {buffer.declared:,} slots declared, {buffer.length:,} "
                f"needed: the last {spare:,} are never used"
            )
    odd = [s for s in squares if s.missing or s.extra]
    for square in odd:
        parts = [
            f"{word} {' '.join(names)}"
            for word, names in (("lacks", square.missing), ("has besides", square.extra))
            if names
        ]
        found.append(f"{square.piece} {square.square}: the given mask {' and '.join(parts)}")
    fewer = [s for s in squares if s.bits < s.c]
    for piece in table.pieces:
        names = [s.square for s in fewer if s.piece == piece]
        if names:
            found.append(f"{piece}: fewer bits than the mask has on {' '.join(names)}")
    for buffer, plan in zip(buffers, lookups, strict=True):
        if is_layered(plan.buffer):
            counts = enumerate(sharing(plan), start=1)
            shown = ", ".join(f"{squares}: {entries:,}" for squares, entries in counts)
            found.append(f"buffer {buffer.name}: entries by the squares that share them: {shown}")
    if not all(plan.complete for plan in lookups):
        found.append(
            "not exhaustive: this is about the part that was tried; --max-lookups sets the budget"
        )
    return found
