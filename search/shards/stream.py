"""The leaf stream: blocks of columns in the format of docs/cover-certificates.md."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from magicert.search.kernel.state import BLOCK, WRITTEN, Ints, Leaves


class LeafObserver(Protocol):
    """Whoever receives a shard's leaf stream: a hash, a file, a checker.

    `add` gets one block at a time; `finish` is called once after the last.
    """

    def add(self, block: bytes) -> None:
        """The next block of the stream."""

    def finish(self) -> object:
        """The stream is complete."""


class LeafBuffer(Protocol):
    """A state of either search: its leaf buffer, and how much is in it."""

    @property
    def register(self) -> Ints:
        """The counts, and where the search stands."""

    @property
    def leaves(self) -> Leaves:
        """The leaf buffer."""


def drain(state: LeafBuffer, last: bool) -> list[bytes]:
    """Take the full blocks out of the leaf buffer; with `last`, what is left as well."""
    blocks = []
    written = int(state.register[WRITTEN])
    place = 0
    while written - place >= BLOCK or (last and place < written):
        count = min(BLOCK, written - place)
        blocks.append(_block(state.leaves, place, place + count))
        place += count
    rest = written - place
    if place:
        for column in state.leaves[:5]:
            column[:rest] = column[place:written]
        state.register[WRITTEN] = rest
    return blocks


def _block(leaves: Leaves, start: int, stop: int) -> bytes:
    """Some leaves as one block, every column as narrow as it can be."""
    width, gap, span = leaves.width[start:stop], leaves.gap[start:stop], leaves.span[start:stop]
    first, second = leaves.first[start:stop], leaves.second[start:stop]
    columns = []
    same_width = bool((width == width[0]).all())
    if not same_width:
        columns.append(width.tobytes())
    gaps = bool(gap.any())
    if gaps:
        columns.append(gap.astype("<u8").tobytes())
    span_bytes = _bytes_for(int(span.max()))
    columns.append(span.astype(f"<u{span_bytes}").tobytes())
    number_bytes = 1 if max(int(first.max()), int(second.max())) < 256 else 2
    columns += [_narrow(first, number_bytes), _narrow(second, number_bytes)]
    head = (stop - start).to_bytes(4, "little") + bytes(
        [int(width[0]) if same_width else 255, 8 * gaps, span_bytes, number_bytes]
    )
    return head + b"".join(columns)


def _bytes_for(largest: int) -> int:
    return next(size for size in (1, 2, 4, 8) if largest < 1 << (8 * size))


def _narrow(column: NDArray[np.uint16], size: int) -> bytes:
    return column.astype(f"<u{size}").tobytes()
