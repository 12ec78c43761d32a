"""The magics that are known to need fewer bits than their mask has: the atlas's."""

from dataclasses import replace
from functools import cache

from magicert.atlas import read_atlas
from magicert.board import mask
from magicert.cell import Cell, slider_of
from magicert.data import tables_folder
from magicert.search.sets.magic_list import Magic, Square


@cache
def known_magics(scheme: str) -> dict[Square, Magic]:
    """Of each square the known magic of fewest bits, fewer than c; the atlas is of white."""
    best: dict[Square, Magic] = {}
    if scheme != "white":
        return best
    for entry in read_atlas(tables_folder() / "atlas.toml").entries.values():
        piece, square, _ = entry.key
        limit = best[piece, square].bits if (piece, square) in best else None
        fewer = entry.bits < (limit or mask(piece, square).bit_count())
        if entry.state == "exists" and fewer:
            best[piece, square] = Magic(entry.bits, int(entry.magic, 16))
    return best


def with_fewer_bits(cells: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], dict[Square, Magic]]:
    """The cells, those with a known magic of fewer bits at that number of bits; and these
    magics, which need no search.
    """
    magics: dict[Square, Magic] = {}
    changed = []
    for cell in cells:
        known = known_magics(cell.scheme.name).get(slider_of(cell).place)
        if known is not None and known.bits < cell.bits:
            magics[slider_of(cell).place] = known
            cell = replace(cell, bits=known.bits)  # noqa: PLW2901
        changed.append(cell)
    return tuple(changed), magics
