"""Reading a cover certificate's leaf streams: blocks of columns, see docs/cover-certificates.md."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.problem import InputError, Problem
from magicert.verify.cover.statement import Words

FULL_BLOCK = 1 << 16
HEAD = 8
WIDTHS = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u8"}


class LeafBlock(NamedTuple):
    """Leaves as columns: m mod 2^w is in [low, high], first and second conflict there."""

    w: NDArray[np.uint8]
    low: Words
    high: Words
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def block_length(head: bytes) -> int:
    """The bytes of a whole block, from its first eight. Raises InputError if they are none."""
    if len(head) < HEAD:
        raise InputError([Problem(f"a block's head has {HEAD} bytes, {len(head)} are left")])
    count = int.from_bytes(head[:4], "little")
    w, gap, span, number = head[4:8]
    if not 1 <= count <= FULL_BLOCK:
        raise InputError([Problem(f"a block of {count} leaves: expected 1 to {FULL_BLOCK}")])
    if (w > 64 and w != 255) or gap not in (0, 8) or span not in WIDTHS or number not in (1, 2):
        raise InputError([Problem(f"a block's widths are {w} {gap} {span} {number}")])
    return HEAD + count * ((w == 255) + gap + span + 2 * number)


def read_block(block: bytes, next_low: int) -> LeafBlock:
    """The leaves of one whole block; `next_low` is the high before it plus 1.

    Raises InputError for a block of the wrong length or with wider columns than needed.
    """
    if len(block) != block_length(block[:HEAD]):
        raise InputError([Problem(f"a block of {len(block)} bytes is cut short")])
    count = int.from_bytes(block[:4], "little")
    w, gap_width, span_width, number_width = block[4:8]
    place = HEAD

    def column(width: int) -> NDArray[np.generic]:
        nonlocal place
        values = np.frombuffer(block, WIDTHS[width], count, place)
        place += width * count
        return values

    ws = column(1).astype(np.uint8) if w == 255 else np.full(count, w, dtype=np.uint8)
    gap = column(8).astype(np.uint64) if gap_width else np.zeros(count, dtype=np.uint64)
    span = column(span_width).astype(np.uint64)
    first, second = column(number_width), column(number_width)
    _check_least(w, ws, gap_width, gap, span_width, span, number_width, first, second)
    # The high before is next_low - 1; each leaf adds its gap, its span and 1, modulo 2^64.
    ends = np.cumsum(gap + span + np.uint64(1), dtype=np.uint64) + np.uint64(next_low)
    high = ends - np.uint64(1)
    return LeafBlock(ws, high - span, high, first.astype(np.int64), second.astype(np.int64))


def _check_least(
    w: int,
    ws: NDArray[np.uint8],
    gap_width: int,
    gap: Words,
    span_width: int,
    span: Words,
    number_width: int,
    first: NDArray[np.generic],
    second: NDArray[np.generic],
) -> None:
    """Equal leaves have equal bytes only if every column is as narrow as it can be."""
    narrower = {2: 1, 4: 2, 8: 4}
    wide = []
    if w == 255 and (ws == ws[0]).all():
        wide.append("w")
    if gap_width and not gap.any():
        wide.append("gap")
    if span_width > 1 and not (span >> np.uint64(8 * narrower[span_width])).any():
        wide.append("span")
    if number_width == 2 and max(int(first.max()), int(second.max())) < 256:
        wide.append("numbers")
    if wide:
        raise InputError([Problem(f"a block's columns are wider than needed: {', '.join(wide)}")])
