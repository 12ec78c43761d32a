"""What the atlas says of a cell: one question at k bits answers others."""

from typing import Literal

from magicert.atlas import Atlas, Entry
from magicert.cell import Cell, slider_of

Status = Literal["sat", "unsat", "unknown"]


def status_of(cell: Cell, atlas: Atlas) -> tuple[Status, Entry | None]:
    """Whether a magic exists, and the entry that says so.

    The atlas is about the white scheme, with all indexes of its bits.
    """
    if cell.scheme.name != "white" or cell.largest_index is not None:
        return "unknown", None
    slider = slider_of(cell)
    best = atlas.best(slider.piece, slider.square)
    bound = atlas.bound(slider.piece, slider.square)
    if best is not None and best.bits <= cell.bits:
        return "sat", best
    if bound is not None and bound.bits >= cell.bits:
        return "unsat", bound
    return "unknown", None
