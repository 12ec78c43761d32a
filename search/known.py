"""The magics that are known to need fewer bits than their mask has: tables/known/."""

from functools import cache

from magicert.board import mask
from magicert.cell import Cell
from magicert.data import tables_folder
from search.magic_list import Magic, MagicList, Square, read_magic_list


@cache
def known_magics(scheme: str) -> dict[Square, Magic]:
    """Of each square the known magic of fewest bits, fewer than c, in a scheme."""
    best: dict[Square, Magic] = {}
    for path in sorted((tables_folder() / "known").glob("*.toml")):
        listed: MagicList = read_magic_list(path)
        if listed.scheme != scheme:
            continue
        for (piece, square), magic in listed.magics.items():
            limit = best[piece, square].bits if (piece, square) in best else None
            if magic.bits < (limit or mask(piece, square).bit_count()):
                best[piece, square] = magic
    return best


def with_fewer_bits(cells: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], dict[Square, Magic]]:
    """The cells, those with a known magic of fewer bits at that number of bits; and these
    magics, which need no search.
    """
    magics: dict[Square, Magic] = {}
    changed = []
    for cell in cells:
        known = known_magics(cell.scheme.name).get((cell.piece, cell.square))
        if known is not None and known.bits < cell.bits:
            magics[cell.piece, cell.square] = known
            cell = Cell(cell.scheme, cell.piece, cell.square, known.bits, cell.fixed)  # noqa: PLW2901
        changed.append(cell)
    return tuple(changed), magics
