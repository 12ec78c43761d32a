"""The cell that a certificate is about, and the known magics that its shards leave out."""

from collections.abc import Iterator

from magicert.cell import Cell, Target
from magicert.chess import Piece, parse_square
from magicert.known_magics import contradicted, known_magics
from magicert.scheme import resolve_scheme
from magicert.targets import Keys, Slider
from magicert.verify.cover.file import MOST_LISTED, Header


def cell_of(header: Header) -> Cell:
    """The question that a certificate answers."""
    fixed = {"constant": int(header.constant, 16)} if header.scheme == "constant" else {}
    largest = None if header.largest_index == (1 << header.bits) - 1 else header.largest_index
    return Cell(resolve_scheme(header.scheme), _target(header), header.bits, fixed, largest)


def _target(header: Header) -> Target:
    if header.piece and header.square:
        return Slider(Piece(header.piece), parse_square(header.square))
    return Keys.of([int(word, 16) for word, _ in header.listed], [n for _, n in header.listed])


def left_out(header: Header) -> Iterator[str]:
    """Which known magics lie in a shard that does not list them."""
    cell = cell_of(header)
    for known in known_magics(cell):
        magic = known.magic % cell.period
        for number, shard in enumerate(header.shards):
            w, low, high = shard.interval
            if not low <= magic % (1 << w) <= high:
                continue
            listed = shard.intervals
            cut = len(listed) == MOST_LISTED  # and the others are not listed, in no order
            if not cut and not any(first <= magic <= last for first, last in listed):
                yield f"shard {number}: {contradicted(known)}"
