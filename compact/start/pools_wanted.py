"""A pool for every square that is wanted: from a file, and annealed where the file has none."""

from collections.abc import Mapping
from pathlib import Path

from magicert.board import Piece, square_name
from magicert.compact.anneal.pools import PoolOrder, fill_pool, load_pools, save_pools
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.compact.start.wish import Cells, NoPlaceError, refuse_impossible

Efforts = Mapping[Piece, tuple[int, int]]
"""Magics in each pool, and the candidates annealed for each, by piece."""
EFFORTS: Efforts = {Piece.ROOK: (2, 40_000), Piece.BISHOP: (6, 120_000)}
TRIES = 40
"""Attempts at an entry before a square counts as hopeless."""
POOLS = WorkPhase("magics for every square", "squares")


def ready_pools(
    cells: Cells, seed: int, crew: Crew = ALONE, saved: Path | None = None
) -> dict[Key, list[Seat]]:
    """A pool for every cell. `saved` is a file of pools: what it has and is valid
    here is used, and what was missing is added to it.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    refuse_impossible(cells)
    pools = load_pools(saved, cells) if saved is not None and saved.exists() else {}
    missing = {key: cell for key, cell in cells.items() if key not in pools}
    if missing:
        pools |= fill_pools(missing, seed, EFFORTS, crew)
        if saved is not None:
            save_pools(saved, pools)
    return pools


def fill_pools(
    cells: Cells, seed: int, efforts: Efforts, crew: Crew = ALONE
) -> dict[Key, list[Seat]]:
    """A new pool for every square. Raises NoPlaceError for squares without any magic found,
    BudgetOverError.
    """
    orders = [
        PoolOrder(cell, *efforts[piece], TRIES, seed, crew.deadline)
        for (piece, _), cell in cells.items()
    ]
    pools: dict[Key, list[Seat]] = {}
    crew.progress(POOLS, 0, len(orders), "")
    for (piece, square), order, pool in zip(
        cells, orders, crew.mapper(fill_pool, orders), strict=True
    ):
        pools[piece, square] = pool
        name = f"{piece} {square_name(square)}"
        crew.progress(POOLS, len(pools), len(orders), name)
        if not pool:
            raise NoPlaceError(
                f"{name}: no magic of {order.cell.bits} bits found in {order.tries} tries of "
                f"{order.steps:,} candidates; that is no proof (magicert disprove)",
                impossible=False,
            )
    return pools
