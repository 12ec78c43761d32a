"""Checking leaves, a block at a time: is each of them true, whoever wrote it?

The statement and the rules are those of docs/cover-certificates.md.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.verify.cover.statement import WORD, Statement, Words
from magicert.verify.cover.stream import LeafBlock


def is_magics(block: LeafBlock) -> NDArray[np.bool_]:
    """Which leaves claim magics."""
    return (block.first == 1) & (block.second == 0)


def wrong_leaves(about: Statement, block: LeafBlock) -> NDArray[np.bool_]:
    """Which leaves of a block are wrong. Those that claim magics are left to `wrong_magics`,
    except for their interval.
    """
    one = np.uint64(1)
    # 2^w - 1, where w = 64 must not shift a word by its own width.
    whole = np.where(
        block.w == 64, np.uint64(WORD), (one << (block.w & 63).astype(np.uint64)) - one
    )
    wrong = (block.low > block.high) | (block.high > whole) | (block.w > 64)
    magics = is_magics(block)
    rows = len(about.x)
    outside = (block.second >= rows) | (block.first > block.second)
    wrong |= outside & ~magics
    skip = magics | outside
    first = np.where(skip, 0, block.first)
    second = np.where(skip, 0, block.second)
    slots = []
    bad = np.zeros(len(wrong), dtype=np.bool_)
    for number in (first, second):
        x = about.x[number]
        slot, moves = _slot_and_moves(about, x, block.low, block.high)
        bad |= moves | _sees_above(x, block.w)
        slots.append(slot)
    alone = first == second
    forbidden = (slots[0] < np.uint64(about.least)) | (slots[0] > np.uint64(about.most))
    conflict = (slots[0] == slots[1]) & (about.attack[first] != about.attack[second])
    bad |= np.where(alone, ~forbidden, ~conflict)
    return wrong | (bad & ~magics)


def _slot_and_moves(
    about: Statement, x: Words, low: Words, high: Words
) -> tuple[Words, NDArray[np.bool_]]:
    """The slot at m = low, and whether the product leaves that bucket before m = high."""
    shift = np.uint64(64 - about.bits)
    within = (np.uint64(1) << shift) - np.uint64(1)
    value = x * low + np.uint64(about.constant)
    room = within - (value & within)
    # x * (high - low) > room, without a product that could wrap. x = 0 never moves.
    moves = (high - low) > room // np.maximum(x, np.uint64(1))
    return value >> shift, moves & (x != 0)


def _sees_above(x: Words, w: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether x * 2^w is anything but 0 modulo 2^64: then bits of m above w count."""
    return (w < 64) & ((x << (w & 63).astype(np.uint64)) != 0)


def wrong_magics(about: Statement, w: int, low: int, high: int) -> bool:
    """Whether anything in [low, high] modulo 2^w is no magic of the cell, or is counted twice: w
    must be the period's.
    """
    if w != about.period:
        return True
    rows = len(about.x)
    lows = np.full(rows, low, dtype=np.uint64)
    highs = np.full(rows, high, dtype=np.uint64)
    slots, moves = _slot_and_moves(about, about.x, lows, highs)
    if (
        moves.any()
        or (slots < np.uint64(about.least)).any()
        or (slots > np.uint64(about.most)).any()
    ):
        return True
    holds: dict[int, int] = {}
    pairs = zip(slots.tolist(), about.attack.tolist(), strict=True)
    return any(holds.setdefault(slot, attack) != attack for slot, attack in pairs)
