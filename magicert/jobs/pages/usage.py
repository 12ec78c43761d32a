"""Who uses which slot of which buffer, from the lookups themselves, and its map."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from magicert import __version__
from magicert.board import Piece, square_name
from magicert.draw.buffer_map import LONGEST, Band, buffer_map, square_colour, stacked
from magicert.draw.markup import as_svg
from magicert.draw.style import PICTURES
from magicert.system.whole_file import write_whole
from magicert.table import chess_only, read_table
from magicert.table.read import TableFile
from magicert.verify.table.budget import PROBE_LOOKUPS
from magicert.verify.table.layers.entries import Entries, is_layered, is_readable
from magicert.verify.table.layout import BufferLayout, lay_out
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.occupied import Occupied

SHARED = {2: "#d9a400", 3: "#f0c419", 4: "#ffe17a"}
"""The colours of slots that several squares use; the last is of four and more."""
CONFLICT = "#e0201b"


@dataclass(frozen=True, slots=True)
class Usage:
    """One buffer: `slots` of each square, sorted; `sharers` says of each slot how many squares use
    it; `conflicts` are the slots that are reached with different attack sets.
    """

    name: str
    length: int
    slots: Mapping[tuple[Piece, int], NDArray[np.int64]]
    sharers: NDArray[np.int64]
    conflicts: NDArray[np.int64]

    @property
    def used(self) -> int:
        """How many slots anybody uses."""
        return int(np.count_nonzero(self.sharers))

    @property
    def shared(self) -> int:
        """How many slots more than one square uses."""
        return int(np.count_nonzero(self.sharers > 1))


def usage_of(file: TableFile) -> list[Usage]:
    """The buffers of a table that are short enough to be drawn, squares with a1=0.

    Mirrored rows of a half board use the slots of the rows that they go to, and are left out.
    Raises InputError where the table contradicts itself.
    """
    chess_only(file.table, "the drawing of buffers", str(file.path))
    found = []
    for buffer in lay_out(file):
        lookups = Lookups(buffer, PROBE_LOOKUPS)
        slots: dict[tuple[Piece, int], NDArray[np.int64]] = {}
        for block in lookups:
            piece = block.layout.table.slider
            for place, row in enumerate(block.rows.tolist()):
                if block.layout.mirrored[row]:
                    continue
                key = piece, file.table.row_square(row)
                inside = block.slots[place][block.slots[place] >= 0]
                slots[key] = np.union1d(slots.get(key, inside[:0]), inside)
        length = 1 + max((int(used[-1]) for used in slots.values() if len(used)), default=-1)
        if length > LONGEST:
            continue
        sharers = np.zeros(length, dtype=np.int64)
        for used in slots.values():
            sharers[used] += 1
        wrong = _conflicts(file, buffer, lookups)
        found.append(Usage(buffer.name, length, slots, sharers, wrong))
    return found


def _conflicts(file: TableFile, buffer: BufferLayout, lookups: Lookups) -> NDArray[np.int64]:
    """The slots of which different things are wanted. None where only the finished buffer tells:
    numbers of two levels may well be shared, and of some formulas nothing else is known.
    """
    layered = is_layered(buffer)
    numbers = buffer.literal is not None and file.table.two_level is not None
    if numbers or (layered and not is_readable(buffer)):
        return np.zeros(0, dtype=np.int64)
    occupied = Entries(lookups) if layered else Occupied(lookups)
    for block in lookups:
        occupied.write(block)
    places = np.concatenate([occupied.conflicts(block) for block in lookups])
    return np.unique(occupied.slots(places))


def bands(usage: Usage) -> list[Band]:
    """The slots of each square, those that several squares share, and those in conflict."""
    several = usage.sharers > 1
    clashing = np.zeros(usage.length, dtype=bool)
    clashing[usage.conflicts] = True
    found = [
        Band(
            f"{piece} {square_name(square)}: {len(used):,} slots",
            square_colour(piece, square),
            used[~several[used] & ~clashing[used]].tolist(),
        )
        for (piece, square), used in sorted(usage.slots.items(), key=lambda item: item[0])
    ]
    for number, colour in SHARED.items():
        alike = usage.sharers >= number if number == max(SHARED) else usage.sharers == number
        places = np.flatnonzero(alike & ~clashing).tolist()
        more = " or more" if number == max(SHARED) else ""
        found.append(Band(f"used by {number}{more} squares: {len(places):,}", colour, places))
    label = f"conflicts: {len(usage.conflicts):,} slots"
    return [*found, Band(label, CONFLICT, usage.conflicts.tolist())]


def map_of(usage: Usage, title: str) -> Element:
    """The map of a buffer."""
    free = usage.length - usage.used
    label = f"{title}: {usage.length:,} slots, {usage.used:,} used, {free:,} free"
    return buffer_map(label, bands(usage), usage.length)


def write_map(path: Path) -> Path | None:
    """Draw the buffers of a table file beside it, as NAME.svg; None where all are too long."""
    file = read_table(path)
    drawn = usage_of(file)
    if not drawn:
        return None
    maps = [map_of(usage, file.table.name) for usage in drawn]
    picture = maps[0] if len(maps) == 1 else stacked(maps)
    output = path.with_suffix(".svg")
    write_whole(output, as_svg(picture, PICTURES, file.table.name, __version__))
    return output
