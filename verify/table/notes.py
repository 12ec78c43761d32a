"""What is worth knowing about a table besides its verdict."""

from collections.abc import Iterable

from magicert.chess import Piece
from magicert.table import Table
from magicert.verify.table.attacks import distinct
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Buffer, Square

MOST_NAMED = 16
"""Squares of a piece that are named one by one."""


def notes(
    table: Table, buffers: list[Buffer], squares: list[Square], lookups: list[Lookups]
) -> list[str]:
    """One line each: buffers declared too long, odd masks, squares with fewer bits."""
    texts: list[str] = []
    for buffer in buffers:
        if buffer.declared is not None and buffer.length < buffer.declared:
            spare = buffer.declared - buffer.length
            texts.append(
                f"buffer {buffer.name}: {buffer.declared:,} slots declared, {buffer.length:,} "
                f"needed: the last {spare:,} are never used"
            )
    odd = [s for s in squares if s.missing or s.extra]
    for piece in table.pieces:
        wide = [s for s in odd if s.piece == piece and not s.missing]
        if len(wide) > MOST_NAMED:
            odd = [s for s in odd if s not in wide]
            such = f"{wide[0].square} {' '.join(wide[0].extra)}"
            texts.append(
                f"{piece}: {len(wide)} of the given masks have squares besides, such as {such}"
            )
    for square in odd:
        parts = [
            f"{word} {' '.join(names)}"
            for word, names in (("lacks", square.missing), ("has besides", square.extra))
            if names
        ]
        texts.append(f"{square.piece} {square.square}: the given mask {' and '.join(parts)}")
    fewer = [s for s in squares if s.bits < s.c]
    for piece in table.pieces:
        names = [s.square for s in fewer if s.piece == piece]
        if names:
            texts.append(f"{piece}: fewer bits than the mask has on {' '.join(names)}")
    for buffer, buffer_lookups in zip(buffers, lookups, strict=True):
        if buffer_lookups.buffer.layered:
            from magicert.verify.table.layered import sharing

            counts = enumerate(sharing(buffer_lookups), start=1)
            shown = ", ".join(f"{squares}: {entries:,}" for squares, entries in counts)
            texts.append(f"buffer {buffer.name}: entries by the squares that share them: {shown}")
    if not all(each.complete for each in lookups):
        texts.append(
            "not exhaustive: this is about the part that was tried; --max-lookups sets the budget"
        )
    return texts


def attack_set_notes(lookups: Iterable[Lookups]) -> list[str]:
    """How many different attack sets each piece has, if all were seen. Chess's are well known."""
    counts: dict[str, int] = {}
    for buffer_lookups in lookups:
        for layout, group, _ in buffer_lookups.chunked_groups if buffer_lookups.complete else ():
            if not isinstance(layout.table.piece, Piece):
                known = counts.get(layout.table.piece, 0)
                counts[layout.table.piece] = known + sum(distinct(group))
    return [f"{piece}: {count:,} different attack sets" for piece, count in counts.items()]
