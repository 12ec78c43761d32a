"""A pool for every square of a wish: from a file, and annealed where the file has none."""

from collections.abc import Mapping
from pathlib import Path

from magicert.board import Piece, square_name
from magicert.compact.anneal.pools import PoolEntry, PoolOrder, fill_pool, load_pools, save_pools
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.progress import FOREVER, Mapper, Phase, Progress, unseen
from magicert.compact.start.wish import NoPlaceError, Wish, refuse_impossible
from magicert.system.deadline import Deadline

Efforts = Mapping[Piece, tuple[int, int]]
"""Magics in each pool, and the candidates annealed for each, by piece."""
EFFORTS: Efforts = {Piece.ROOK: (2, 40_000), Piece.BISHOP: (6, 120_000)}
TRIES = 40
"""Attempts at an entry before a square counts as hopeless."""
POOLS = Phase("magics for every square", "squares")


def ready_pools(
    wish: Wish,
    seed: int,
    mapper: Mapper = map,
    progress: Progress = unseen,
    saved: Path | None = None,
    deadline: Deadline = FOREVER,
) -> dict[Key, list[PoolEntry]]:
    """A pool for every square of a wish. `saved` is a file of pools: what it has and is valid
    here is used, and what was missing is added to it.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    refuse_impossible(wish)
    pools = _usable(wish, load_pools(saved)) if saved is not None and saved.exists() else {}
    missing = wish.without(pools)
    if missing.bits:
        pools |= fill_pools(missing, seed, EFFORTS, mapper, progress, deadline)
        if saved is not None:
            save_pools(saved, pools)
    return pools


def fill_pools(
    wish: Wish,
    seed: int,
    efforts: Efforts,
    mapper: Mapper = map,
    progress: Progress = unseen,
    deadline: Deadline = FOREVER,
) -> dict[Key, list[PoolEntry]]:
    """A new pool for every square. Raises NoPlaceError for squares without any magic found,
    BudgetOverError.
    """
    refuse_impossible(wish)
    orders = [
        PoolOrder(piece, square, bits, wish.scheme, *efforts[piece], TRIES, seed, deadline)
        for (piece, square), bits in wish.bits.items()
    ]
    pools: dict[Key, list[PoolEntry]] = {}
    progress(POOLS, 0, len(orders), "")
    for order, pool in zip(orders, mapper(fill_pool, orders), strict=True):
        pools[order.piece, order.square] = pool
        name = f"{order.piece} {square_name(order.square)}"
        progress(POOLS, len(pools), len(orders), name)
        if not pool:
            raise NoPlaceError(
                f"{name}: no magic of {order.bits} bits found in {order.tries} tries of "
                f"{order.steps:,} candidates; that is no proof (magicert disprove)",
                impossible=False,
            )
    return pools


def _usable(wish: Wish, pools: Mapping[Key, list[PoolEntry]]) -> dict[Key, list[PoolEntry]]:
    """The entries of saved pools that are valid for the wish's scheme and bits."""
    usable: dict[Key, list[PoolEntry]] = {}
    for key, cell in wish.cells.items():
        entries = []
        for entry in pools.get(key, []):
            constant = entry.constant if wish.scheme == "constant" else 0
            seat = Seat.of(cell, entry.choice._replace(constant=constant))
            if seat is not None:
                entries.append(PoolEntry(entry.magic, constant, len(seat.used)))
        if entries:
            usable[key] = sorted(entries, key=lambda entry: (entry.used, entry.magic))
    return usable
