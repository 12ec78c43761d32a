"""The map of a buffer: a dot for each slot, in the colour of whoever uses it.

Slots stand in pages of 64 rows of 64, as the rooks of a packed buffer do: a rook that uses whole
columns of a page is seen as upright stripes. Free slots show the ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree.ElementTree import Element

from magicert.board import Board
from magicert.draw.markup import element

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


def stacked(maps: Sequence[Element]) -> Element:
    """Several maps as one picture, one below the other."""
    sizes = [list(map(int, picture.get("viewBox", "").split()[2:])) for picture in maps]
    whole, y = element("svg", class_="map", role="img"), 0
    for picture, (_, height) in zip(maps, sizes, strict=True):
        part = element("g", *picture)
        part.set("transform", f"translate(0 {y})")
        whole.append(part)
        y += height + GAP
    whole.set("viewBox", f"0 0 {max(width for width, _ in sizes)} {y - GAP}")
    return whole


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
