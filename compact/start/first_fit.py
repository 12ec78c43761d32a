"""A layout from nothing: pools for every square, then first fit, the biggest squares first."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from magicert.board import Piece, square_name
from magicert.compact.anneal.annealing import Effort, annealed
from magicert.compact.anneal.pools import PoolEntry, PoolOrder, fill_pool, load_pools, save_pools
from magicert.compact.anneal.squares import CONSTANT_MODES, square_data, used_indexes
from magicert.compact.layouts.arrangement import MARGIN, Arrangement, Seat, occupied, seat
from magicert.compact.layouts.layout import Layout
from magicert.compact.start.fit import first_fit

Key = tuple[Piece, int]
Random = np.random.Generator
Mapper = Callable[..., Iterable[list[PoolEntry]]]
"""Like the built-in `map`: carries out orders, in order, here or in other processes."""
Efforts = Mapping[Piece, tuple[int, int]]
"""Magics in each pool, and the candidates annealed for each, by piece."""
EFFORTS: Efforts = {Piece.ROOK: (2, 40_000), Piece.BISHOP: (6, 120_000)}
TRIES = 40
"""Attempts at an entry before a square counts as hopeless."""
HOLES_LOOKED_AT, HOLES_TRIED = 400, 80
"""Windows of the buffer that are looked at for a hole, and those of them that are tried."""
ENTRIES_TRIED = 3
"""Entries of a pool that are tried in the buffer, those with the fewest used slots."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted from nothing: a scheme, and the index bits of every square."""

    scheme: str
    bits: Mapping[Key, int]


class NoPlaceError(ValueError):
    """Squares that cannot have so few bits. `impossible` says whether that is proved."""

    def __init__(self, message: str, impossible: bool) -> None:
        self.impossible = impossible
        super().__init__(message)


def refuse_impossible(wish: Wish) -> None:
    """Raise NoPlaceError where a square has more attack sets than indexes."""
    lacking = []
    for (piece, square), bits in wish.bits.items():
        sets = square_data(piece, square).attack_sets
        if sets > 1 << bits:
            lacking.append(
                f"{piece} {square_name(square)}: {sets} different attack sets, but only "
                f"{1 << bits} indexes of {bits} bits"
            )
    if lacking:
        raise NoPlaceError("\n".join(lacking), impossible=True)


def fill_pools(
    wish: Wish,
    seed: int,
    efforts: Efforts,
    mapper: Mapper,
    progress: Callable[[int, int, str], None],
) -> dict[Key, list[PoolEntry]]:
    """A pool for every square. Raises NoPlaceError for squares without any magic found."""
    refuse_impossible(wish)
    orders = [
        PoolOrder(piece, square, bits, wish.scheme, *efforts[piece], TRIES, seed)
        for (piece, square), bits in wish.bits.items()
    ]
    pools: dict[Key, list[PoolEntry]] = {}
    for order, pool in zip(orders, mapper(fill_pool, orders), strict=True):
        pools[order.piece, order.square] = pool
        name = f"{order.piece} {square_name(order.square)}"
        progress(len(pools), len(orders), name)
        if not pool:
            raise NoPlaceError(
                f"{name}: no magic of {order.bits} bits found in {order.tries} tries of "
                f"{order.steps:,} candidates; that is no proof (magicert disprove)",
                impossible=False,
            )
    return pools


def place(
    wish: Wish,
    pools: Mapping[Key, list[PoolEntry]],
    seed: int,
    shared_pieces: Iterable[Piece],
    seated: Iterable[Seat] = (),
) -> Arrangement:
    """Seat the squares of some pieces in one buffer, the biggest first. Some have seats already.

    Each takes the entry of its pool that lengthens the buffer least: by first fit as it is,
    or annealed into the holes at the buffer's end. It can always go behind the end.
    """
    pieces = set(shared_pieces)
    seats = list(seated)
    front = max((one.end for one in seats), default=0)
    done = {(one.data.piece, one.data.square) for one in seats}
    keys = [key for key in wish.bits if key[0] in pieces and key not in done]
    room = front + sum(1 << wish.bits[key] for key in keys) + MARGIN
    arrangement = Arrangement(CONSTANT_MODES[wish.scheme], seats, room)
    random = np.random.default_rng([seed, len(keys)])
    for key in sorted(keys, key=lambda key: (-pools[key][0].used, key)):
        best = _in_holes(arrangement, pools[key][0], key, wish.bits[key], front, random)
        for entry in pools[key][:ENTRIES_TRIED] if best is None else ():
            new = _first_fit(arrangement, wish, key, entry, front)
            for one in (new, _annealed(arrangement, new, front, random)):
                if one is not None and (
                    best is None or (one.end, len(one.used)) < (best.end, len(best.used))
                ):
                    best = one
        assert best is not None
        arrangement.put(best)
        front = max(front, best.end)
    arrangement.room = front + MARGIN
    arrangement.count = arrangement.count[: front + 2 * MARGIN]
    return arrangement


def _first_fit(
    arrangement: Arrangement, wish: Wish, key: Key, entry: PoolEntry, front: int
) -> Seat:
    bits = wish.bits[key]
    new = seat(arrangement.mode, *key, bits, entry.magic, 0, entry.constant)
    words = occupied([new.used], 1 << bits)
    taken = np.zeros((front + (2 << bits)) // 64 + 4, dtype=np.uint64)
    flags = np.packbits(arrangement.count[:front] > 0, bitorder="little")
    taken.view(np.uint8)[: len(flags)] = flags
    length = (int(new.used[-1]) >> 6) + 1
    new.offset = int(first_fit(taken, words, length, 0, front))
    return new


def _in_holes(
    arrangement: Arrangement, entry: PoolEntry, key: Key, bits: int, front: int, random: Random
) -> Seat | None:
    """A square annealed into the holes left inside the buffer, or None: windows with many free
    slots are tried first.
    """
    span = 1 << bits
    if front <= span or not arrangement.seats:
        return None
    free = np.cumsum(arrangement.count[:front] == 0)
    starts = random.integers(front - span, size=HOLES_LOOKED_AT)
    room = free[starts + span - 1] - free[starts]
    # A square hardly ever fits where there is only just as much room as it needs.
    wide_enough = room > entry.used * 5 // 4
    starts, room = starts[wide_enough], room[wide_enough]
    roomy = starts[np.argsort(-room, kind="stable")]
    new = seat(arrangement.mode, *key, bits, entry.magic, 0, entry.constant)
    price = np.zeros(arrangement.room, dtype=np.int32)
    price[arrangement.count[: arrangement.room] > 0] = 1
    price[front:] = 1
    data = new.data
    for start in roomy[:HOLES_TRIED].tolist():
        within = max(0, start - span), min(front, start + span)
        magic, constant, offset, cost = annealed(
            data, bits, arrangement.mode, (new.magic, new.constant, start), price, 20, within, 64,
            Effort(60_000, 4.0, 0.3), random,
        )  # fmt: skip
        used = used_indexes(data, bits, arrangement.mode, magic, constant)
        if cost == 0 and used is not None:
            return Seat(data, bits, magic, constant, offset, used)
    return None


def _annealed(
    arrangement: Arrangement, fitted: Seat, front: int, random: np.random.Generator
) -> Seat | None:
    """The square of a seat, annealed into the last holes of the buffer, or None."""
    span = int(fitted.used[-1]) + 1
    start = max(0, min(fitted.offset, front - span // 2))
    price = np.ones(arrangement.room, dtype=np.int32)
    beyond = np.arange(arrangement.room) - front
    price += np.maximum(0, beyond >> 9).astype(np.int32)
    price[arrangement.count[: arrangement.room] > 0] = 9
    data = fitted.data
    magic, constant, offset, _ = annealed(
        data, fitted.bits, arrangement.mode, (fitted.magic, fitted.constant, start), price, 24,
        (max(0, start - span), front), 64, Effort(30_000, 12.0, 0.8), random,
    )  # fmt: skip
    used = used_indexes(data, fitted.bits, arrangement.mode, magic, constant)
    if used is None or arrangement.count[used + offset].any():
        return None
    return Seat(data, fitted.bits, magic, constant, offset, used)


def ready_pools(
    wish: Wish,
    seed: int,
    mapper: Mapper,
    progress: Callable[[int, int, str], None],
    saved: Path | None = None,
) -> dict[Key, list[PoolEntry]]:
    """A pool for every square of a wish. `saved` is a file of pools: what it has and is valid
    here is used, and what was missing is added to it.

    Raises NoPlaceError where a square has no magic of so few bits.
    """
    refuse_impossible(wish)
    pools = _usable(wish, load_pools(saved)) if saved is not None and saved.exists() else {}
    missing = Wish(wish.scheme, {key: b for key, b in wish.bits.items() if key not in pools})
    if missing.bits:
        pools |= fill_pools(missing, seed, EFFORTS, mapper, progress)
        if saved is not None:
            save_pools(saved, pools)
    return pools


def fresh_layout(
    wish: Wish,
    pools: Mapping[Key, list[PoolEntry]],
    seed: int,
    shared: bool = True,
    private: bool = False,
    seated: Iterable[Seat] = (),
) -> Layout:
    """A layout from nothing but pools; a half board where no square above rank 4 is wished for.

    `private` gives every square slots of its own, as many as its indexes reach. Squares
    `seated` already (`paged`) keep their seats and need no pools.
    """
    ready = list(seated)
    pieces = tuple(piece for piece in Piece if any(key[0] is piece for key in wish.bits))
    groups = (pieces,) if shared else tuple((piece,) for piece in pieces)
    seats: list[Seat] = []
    for group in groups:
        if private:
            seats += _in_a_row(wish, pools, group)
        else:
            here = [one for one in ready if one.data.piece in group]
            seats += place(wish, pools, seed, group, here).seats.values()
    ordered = sorted(seats, key=lambda s: (s.data.piece != Piece.ROOK, s.data.square))
    half_board = all(square < 32 for _, square in wish.bits)
    return Layout(wish.scheme, tuple(ordered), shared, half_board=half_board)


def _usable(wish: Wish, pools: Mapping[Key, list[PoolEntry]]) -> dict[Key, list[PoolEntry]]:
    """The entries of saved pools that are valid for the wish's scheme and bits."""
    mode = CONSTANT_MODES[wish.scheme]
    usable: dict[Key, list[PoolEntry]] = {}
    for key, bits in wish.bits.items():
        for entry in pools.get(key, []):
            used = used_indexes(square_data(*key), bits, mode, entry.magic, entry.constant)
            if used is not None:
                new = PoolEntry(entry.magic, entry.constant, len(used))
                usable.setdefault(key, []).append(new)
    return {
        key: sorted(entries, key=lambda e: (e.used, e.magic)) for key, entries in usable.items()
    }


def _in_a_row(
    wish: Wish, pools: Mapping[Key, list[PoolEntry]], pieces: tuple[Piece, ...]
) -> list[Seat]:
    mode = CONSTANT_MODES[wish.scheme]
    seats: list[Seat] = []
    start = 0
    for key in wish.bits:
        if key[0] in pieces:
            choices = [seat(mode, *key, wish.bits[key], e.magic, 0, e.constant) for e in pools[key]]
            best = min(choices, key=lambda one: (one.end, one.magic))
            best.offset = start
            start = best.end
            seats.append(best)
    return seats
