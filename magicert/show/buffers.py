"""Who uses which slot of which buffer, from the lookups themselves, and its map: a dot for each
slot, in the colour of whoever uses it.

Slots stand in pages of 64 rows of 64, as the rooks of a packed buffer do: a rook that uses whole
columns of a page is seen as upright stripes. Free slots show the ground.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from magicert import __version__
from magicert.board import CHESS, Board
from magicert.drawing.markup import PICTURES, as_svg, element, joined
from magicert.system.whole_file import write_whole
from magicert.table import Table, read_table
from magicert.table.files import TableFile
from magicert.verify.table import MAX_LOOKUPS, PROBE_LOOKUPS
from magicert.verify.table.layered import Entries, is_readable
from magicert.verify.table.layout import BufferLayout, PieceLayout, lay_out
from magicert.verify.table.lookups import Lookups, WrittenBuffer

ROW = 64
PAGE = ROW * ROW
ACROSS = 5
"""Pages side by side: on a narrow phone a slot is still a dot."""
GAP = 3
PITCH = ROW + GAP
LONGEST = 1 << 19
"""More dots would be a picture of many megabytes."""
COARSEST = 7
"""So many slots at most are one dot: of a coarser map nothing could be read."""


@dataclass(frozen=True, slots=True)
class Band:
    """Slots of one colour; `label` says who uses them, or what is wrong with them."""

    label: str
    colour: str
    slots: Sequence[int]


def square_colour(piece: str, square: int) -> str:
    """The colour of a chess square: rooks are cold, bishops warm; the file is the hue, the rank the
    brightness.
    """
    file, rank = square & 7, square >> 3
    hue = (165 + 18 * file) if piece == "rook" else (352 + 11 * file) % 360
    return f"hsl({hue} {70 if rank % 2 else 48}% {34 + 5 * rank}%)"


def place_colour(number: int, pieces: int, square: int, on: Board) -> str:
    """The colour of a square of any board: each of so many pieces has a part of the hues."""
    file, rank = on.place(square)
    part = 300 / pieces
    hue = 170 + number * (360 / pieces) + part * file / on.files
    return f"hsl({hue % 360:.0f} {70 if rank % 2 else 48}% {34 + 35 * rank / on.ranks:.0f}%)"


def slots_a_dot(length: int) -> int:
    """How many slots of a buffer are one dot of its map; 0 where it is too long to be drawn."""
    scale = max(1, -(-length // LONGEST))
    return scale if scale <= COARSEST else 0


def buffer_map(label: str, bands: Sequence[Band], length: int) -> Element:
    """A buffer of `length` slots. Raises ValueError where it is too long to be drawn."""
    if length > LONGEST:
        raise ValueError(f"{length:,} slots: expected at most {LONGEST:,}")
    pages = -(-length // PAGE)
    across = min(ACROSS, max(1, pages))
    width, height = across * PITCH - GAP, -(-pages // across) * PITCH - GAP
    picture = element(
        "svg", element("title", label), element("path", class_="ground", d=_ground(length)),
        class_="map", viewBox=f"0 0 {width} {max(height, 1)}", role="img",
    )  # fmt: skip
    for band in bands:
        if len(band.slots):
            picture.append(_drawn(band))
    return picture


def place(slot: int) -> tuple[int, int]:
    """Where a slot stands: column and row."""
    page, inside = divmod(slot, PAGE)
    return page % ACROSS * PITCH + inside % ROW, page // ACROSS * PITCH + inside // ROW


def _ground(length: int) -> str:
    """The slots that there are, page by page; the last page may end inside a row."""
    parts = []
    for start in range(0, length, PAGE):
        x, y = place(start)
        rows, rest = divmod(min(PAGE, length - start), ROW)
        parts.append(f"M{x} {y}h{ROW}v{rows}h-{ROW}z" if rows else "")
        parts.append(f"M{x} {y + rows}h{rest}v1h-{rest}z" if rest else "")
    return "".join(parts)


def _drawn(band: Band) -> Element:
    """The slots as lines of one slot's width, lying or upright, whichever are fewer."""
    places = [place(slot) for slot in band.slots]
    lying = _runs(sorted((y, x) for x, y in places))
    upright = _runs(sorted(places))
    if len(upright) < len(lying):
        points, letter, shift = [(x, y, n) for x, y, n in upright], "v", "translate(.5 0)"
    else:
        points, letter, shift = [(x, y, n) for y, x, n in lying], "h", "translate(0 .5)"
    path = element("path", element("title", band.label), d=_lines(points, letter))
    path.set("stroke", band.colour)
    path.set("transform", shift)
    return path


def _runs(places: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Places, sorted, as runs of neighbours: line, first place in it, how many."""
    starts = [0, *(n + 1 for n, (a, b) in enumerate(pairwise(places)) if b != (a[0], a[1] + 1))]
    ends = [*starts[1:], len(places)]
    return [(*places[start], end - start) for start, end in zip(starts, ends, strict=True)]


def _lines(points: Sequence[tuple[int, int, int]], letter: str) -> str:
    """Lines from point to point in relative steps, which are the shortest text."""
    parts, at = [], (0, 0)
    for x, y, length in points:
        across, down = x - at[0], y - at[1]
        parts.append(f"m{across}{'' if down < 0 else ' '}{down}{letter}{length}")
        at = (x, y + length) if letter == "v" else (x + length, y)
    return "".join(parts)


SHARED = {2: "#d9a400", 3: "#f0c419", 4: "#ffe17a"}
"""The colours of slots that several squares use; the last is of four and more."""
CONFLICT = "#e0201b"


@dataclass(frozen=True, slots=True)
class Usage:
    """One buffer: `slots` of each square, sorted; `sharers` says of each slot how many squares use
    it; `conflicts` are the slots that are reached with different attack sets.

    `colours` are those of the table's squares, `on` is their board. A dot of the map is `scale`
    slots.
    """

    name: str
    length: int
    slots: Mapping[tuple[str, int], NDArray[np.int64]]
    sharers: NDArray[np.int64]
    conflicts: NDArray[np.int64]
    colours: Mapping[tuple[str, int], str]
    on: Board = CHESS
    scale: int = 1

    @property
    def used(self) -> int:
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
    table, usages = file.table, []
    colours = square_colours(table)
    for buffer in lay_out(file):
        if buffer.numbers_of is not None:  # drawn already
            continue
        most = min(MAX_LOOKUPS, max(map(_usual_lookups, buffer.pieces)))
        lookups = Lookups(buffer, max(PROBE_LOOKUPS, most))
        slots: dict[tuple[str, int], NDArray[np.int64]] = {}
        for block in lookups:
            piece = block.layout.table.piece
            for place, row in enumerate(block.rows.tolist()):
                if block.layout.mirrored[row]:
                    continue
                key = piece, table.row_square(row)
                inside = block.slots[place][block.slots[place] >= 0]
                slots[key] = np.union1d(slots.get(key, inside[:0]), inside)
        length = 1 + max((int(used[-1]) for used in slots.values() if len(used)), default=-1)
        scale = slots_a_dot(length)
        if not scale:
            continue
        sharers = np.zeros(length, dtype=np.int64)
        for used in slots.values():
            sharers[used] += 1
        wrong = _conflicts(file, buffer, lookups)
        usage = Usage(buffer.name, length, slots, sharers, wrong, colours, table.board, scale)
        usages.append(usage)
    return usages


def _usual_lookups(piece: PieceLayout) -> int:
    """How many lookups a piece has in its masks: all, except where the masks are odd."""
    return sum(1 << mask.bit_count() for mask in piece.masks)


def square_colours(table: Table) -> dict[tuple[str, int], str]:
    """The colour of each square of each piece of a table, in its maps."""
    squares, pieces = range(table.board.squares), list(table.pieces)
    if table.is_chess():
        return {(p, square): square_colour(p, square) for p in pieces for square in squares}
    return {
        (piece, square): place_colour(number, len(pieces), square, table.board)
        for number, piece in enumerate(pieces)
        for square in squares
    }


def _conflicts(file: TableFile, buffer: BufferLayout, lookups: Lookups) -> NDArray[np.int64]:
    """The slots of which different things are wanted. None where only the finished buffer tells:
    numbers of two levels may well be shared, and of some formulas nothing else is known.
    """
    layered = buffer.layered
    numbers = buffer.literal is not None and file.table.two_level is not None
    if numbers or (layered and not is_readable(buffer)):
        return np.zeros(0, dtype=np.int64)
    written = Entries(lookups) if layered else WrittenBuffer(lookups)
    for block in lookups:
        written.write(block)
    places = np.concatenate([written.conflicts(block) for block in lookups])
    return np.unique(written.slots(places))


def bands(usage: Usage) -> list[Band]:
    """The slots of each square, those that several squares share, and those in conflict."""
    several = usage.sharers > 1
    clashing = np.zeros(usage.length, dtype=bool)
    clashing[usage.conflicts] = True
    drawn = np.zeros(-(-usage.length // usage.scale), dtype=bool)
    result = [
        Band(
            f"{piece} {usage.on.name(square)}: {len(used):,} slots",
            usage.colours[piece, square],
            _dots(usage, used[~several[used] & ~clashing[used]], drawn),
        )
        for (piece, square), used in sorted(usage.slots.items(), key=lambda item: item[0])
    ]
    for number, colour in SHARED.items():
        alike = usage.sharers >= number if number == max(SHARED) else usage.sharers == number
        places = np.flatnonzero(alike & ~clashing)
        more = " or more" if number == max(SHARED) else ""
        result.append(
            Band(f"used by {number}{more} squares: {len(places):,}", colour, _dots(usage, places))
        )
    label = f"conflicts: {len(usage.conflicts):,} slots"
    return [*result, Band(label, CONFLICT, _dots(usage, usage.conflicts))]


def _dots(
    usage: Usage, slots: NDArray[np.int64], drawn: NDArray[np.bool_] | None = None
) -> list[int]:
    """The dots of slots. Of a dot with slots of several squares `drawn` keeps the first one."""
    if usage.scale == 1:
        return slots.tolist()
    dots = np.unique(slots // usage.scale)
    if drawn is not None:
        dots = dots[~drawn[dots]]
        drawn[dots] = True
    return dots.tolist()


def map_of(usage: Usage, title: str) -> Element:
    """The map of a buffer."""
    free = usage.length - usage.used
    label = f"{title}: {usage.length:,} slots, {usage.used:,} used, {free:,} free"
    return buffer_map(label, bands(usage), -(-usage.length // usage.scale))


def write_map(path: Path) -> Path | None:
    """Draw the buffers of a table file beside it, as NAME.svg; None where all are too long."""
    file = read_table(path)
    drawn = usage_of(file)
    if not drawn:
        return None
    maps = [map_of(usage, file.table.name) for usage in drawn]
    picture = maps[0] if len(maps) == 1 else joined(maps, GAP, upright=True)
    output = path.with_suffix(".svg")
    write_whole(output, as_svg(picture, PICTURES, file.table.name, __version__))
    return output
