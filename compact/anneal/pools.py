"""Pools: many magics for each square, with few used slots, to pack from.

A pool starts from random magics. A rook's are given a row step: the coefficient of the
rank's line is a power of two of buckets, so that the used set is {row patterns} * step +
{file sums}, whole columns of a page, and tiles with others of its kind (design: "rows and
columns"). A bishop's start sparse. The annealing kernel does the rest, against an empty
buffer.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece
from magicert.cell import Cell
from magicert.compact.anneal.annealing import Effort, annealed
from magicert.compact.anneal.squares import CONSTANT_MODES, SquareData, square_data, used_indexes
from magicert.engine import Quiet, Request, load, option_values
from magicert.outcome import Exists
from magicert.scheme import SCHEMES

UNIT = 4
"""The price of the first slot; the last one costs three times as much, so that sets are
drawn together at the low end, where they leave room for others."""
CONFLICT = 20 * UNIT
"""The price of a conflict while a pool is annealed."""
PATIENCE, CANDIDATES = 4, 20_000_000
"""Tries that may fail before trial and error is asked, and how many magics that may try."""


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A magic (and constant) for one square, valid, with the number of slots it uses."""

    magic: int
    constant: int
    used: int


def random_start(data: SquareData, random: np.random.Generator) -> int:
    """A magic to anneal from."""
    word = int(random.integers(1 << 63)) << 1 | int(random.integers(2))
    if data.piece is Piece.BISHOP:
        return word & int(random.integers(1 << 63)) & int(random.integers(1 << 63))
    # The lowest bit of the rank's line, times the magic, shall be 2^58: 64 rows of a page.
    rank = [bit for bit in data.shifts.tolist() if bit >> 3 == data.square >> 3]
    lowest = min(rank)
    step = 1 << (58 - lowest)
    above = WORD & ~((1 << (64 - lowest)) - 1)
    below = (1 << max(0, 46 - lowest)) - 1
    return step | word & (above | below)


def graded_price(slots: int) -> NDArray[np.int32]:
    """Prices of an empty buffer: UNIT for the first slot, rising to three times that."""
    rise = np.arange(slots) * (2 * UNIT) // slots
    return (UNIT + rise).astype(np.int32)


def sparse_start(random: np.random.Generator) -> int:
    """A random word with an eighth of its bits, the classic start of the trial-and-error finder."""
    first, second, third = (int(random.integers(1 << 63)) << 1 for _ in range(3))
    return (first & second & third) | int(random.integers(2))


def _annealed(
    data: SquareData,
    bits: int,
    mode: int,
    start: tuple[int, int],
    price: NDArray[np.int32],
    heat: tuple[float, float],
    steps: int,
    random: np.random.Generator,
) -> tuple[int, int, int]:
    effort = Effort(steps, *heat)
    magic, constant, _, cost = annealed(
        data, bits, mode, (*start, 0), price, CONFLICT, (0, 0), 1, effort, random
    )
    return magic, constant, cost


def any_magic(
    data: SquareData, bits: int, scheme: str, steps: int, random: np.random.Generator
) -> PoolEntry | None:
    """Anneal the number of conflicts alone down to none: the quickest way to a first magic."""
    mode = CONSTANT_MODES[scheme]
    free = np.zeros(1 << bits, dtype=np.int32)
    heat = (3.0 * CONFLICT, 0.4 * CONFLICT)
    magic, constant, cost = _annealed(
        data, bits, mode, (sparse_start(random), 0), free, heat, steps, random
    )
    return _entry(data, bits, mode, magic, constant) if cost == 0 else None


def pool_entry(
    data: SquareData, bits: int, scheme: str, steps: int, random: np.random.Generator
) -> PoolEntry | None:
    """Anneal one magic for few used slots; None where no valid one came of it.

    Of three starts two are a row step (a bishop: sparse), where the walk begins hot enough
    to change whole columns; one is any magic that works, which is then only thinned.
    """
    mode = CONSTANT_MODES[scheme]
    price = graded_price(1 << bits)
    hot = UNIT * (80.0 if data.piece is Piece.ROOK else 5.0)
    start = (random_start(data, random), 0)
    if random.random() < 1 / 3:
        first = any_magic(data, bits, scheme, steps, random)
        if first is None:
            return None
        start, hot = (first.magic, first.constant), hot / 8
    magic, constant, _ = _annealed(
        data, bits, mode, start, price, (hot, float(UNIT)), steps, random
    )
    return _entry(data, bits, mode, magic, constant)


def _entry(data: SquareData, bits: int, mode: int, magic: int, constant: int) -> PoolEntry | None:
    used = used_indexes(data, bits, mode, magic, constant)
    return None if used is None else PoolEntry(magic, constant, len(used))


@dataclass(frozen=True, slots=True)
class PoolOrder:
    """An order to fill one square's pool: picklable, so that any process can carry it out.

    `wanted` entries, each annealed over `steps` candidates; after three tries for each of
    them one entry will do, and after `tries` none.
    """

    piece: Piece
    square: int
    bits: int
    scheme: str
    wanted: int
    steps: int
    tries: int
    seed: int


def thinned_trial(order: PoolOrder, random: np.random.Generator) -> PoolEntry | None:
    """A magic by trial and error, then annealed for fewer slots where it stands: for squares
    whose conflicts hardly ever anneal away.
    """
    scheme = "black" if order.scheme == "black" else "white"
    cell = Cell(SCHEMES[scheme], order.piece, order.square, order.bits)
    trial = load("trial")
    options = {**option_values(trial, {}), "candidates": CANDIDATES}
    outcome = trial.solve(Request(cell, seed=order.seed, options=options), Quiet())
    if not isinstance(outcome, Exists):
        return None
    data, mode = square_data(order.piece, order.square), CONSTANT_MODES[order.scheme]
    magic = outcome.magics[0]
    first = _entry(data, order.bits, mode, magic, 0)
    price = graded_price(1 << order.bits)
    heat = (float(UNIT), UNIT / 4)
    thinner, constant, _ = _annealed(
        data, order.bits, mode, (magic, 0), price, heat, order.steps, random
    )
    second = _entry(data, order.bits, mode, thinner, constant)
    found = [entry for entry in (first, second) if entry is not None]
    return min(found, key=lambda entry: (entry.used, entry.magic), default=None)


def fill_pool(order: PoolOrder) -> list[PoolEntry]:
    """Fill one square's pool, fewest used slots first; empty where nothing was found."""
    data = square_data(order.piece, order.square)
    random = np.random.default_rng([order.seed, order.piece is Piece.ROOK, order.square])
    entries: dict[tuple[int, int], PoolEntry] = {}
    for number in range(order.tries):
        if len(entries) >= order.wanted or (entries and number >= 3 * order.wanted):
            break
        # Whoever has found nothing so far takes anything first.
        find = any_magic if not entries and number % 2 else pool_entry
        entry = (
            thinned_trial(order, random)
            if number == PATIENCE and not entries
            else find(data, order.bits, order.scheme, order.steps, random)
        )
        if entry is not None:
            entries[entry.magic, entry.constant] = entry
    return sorted(entries.values(), key=lambda entry: (entry.used, entry.magic))


def save_pools(path: Path, pools: dict[tuple[Piece, int], list[PoolEntry]]) -> None:
    """Write pools as one compressed file of four columns: cell, magic, constant, used."""
    rows = [
        (int(piece is Piece.ROOK) << 6 | square, entry)
        for (piece, square), entries in pools.items()
        for entry in entries
    ]
    with path.open("wb") as stream:
        np.savez_compressed(
            stream,
            cell=np.array([cell for cell, _ in rows], dtype=np.uint8),
            magic=np.array([entry.magic for _, entry in rows], dtype=np.uint64),
            constant=np.array([entry.constant for _, entry in rows], dtype=np.uint64),
            used=np.array([entry.used for _, entry in rows], dtype=np.uint16),
        )


def load_pools(path: Path) -> dict[tuple[Piece, int], list[PoolEntry]]:
    """Read pools back. Raises ValueError where the file is no pool."""
    pools: dict[tuple[Piece, int], list[PoolEntry]] = {}
    with np.load(path, allow_pickle=False) as file:
        try:
            columns = [file[name].tolist() for name in ("cell", "magic", "constant", "used")]
        except KeyError as missing:
            raise ValueError(f"{path}: no column {missing}: expected a pool") from None
    for cell, magic, constant, used in zip(*columns, strict=True):
        piece = Piece.ROOK if cell >> 6 else Piece.BISHOP
        pools.setdefault((piece, cell & 63), []).append(PoolEntry(magic, constant, used))
    return pools
