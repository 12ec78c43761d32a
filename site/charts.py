"""Charts for the documents: a figure that falls with time, bytes against time, bits of a word."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from xml.etree.ElementTree import Element

from magicert.drawing.markup import element

WIDTH, HEIGHT = 340, 150
LEFT, BOTTOM, TOP = 52, 24, 12


def falling(label: str, points: Sequence[tuple[float, int]], unit: str = "s") -> Element:
    """Steps through points (time, value), with the first and the last value written beside them.

    Times are drawn as their logarithms: most is gained early.
    """
    times = [math.log1p(time) for time, _ in points]
    values = [value for _, value in points]
    span = (max(times) or 1.0, (max(values) - min(values)) or 1)
    right, low = WIDTH - 8, HEIGHT - BOTTOM

    def at(time: float, value: int) -> tuple[float, float]:
        x = LEFT + (right - LEFT) * time / span[0]
        return x, TOP + (low - TOP) * (max(values) - value) / span[1]

    x, y = at(times[0], values[0])
    path = f"M{x:.1f} {y:.1f}"
    for time, value in zip(times[1:], values[1:], strict=True):
        x, y = at(time, value)
        path += f"H{x:.1f}V{y:.1f}"
    path += f"H{right}"
    rows = [(max(values), TOP), (min(values), low)]
    return element(
        "svg", element("title", label),
        element("path", class_="axis", d=f"M{LEFT} {TOP}V{low}H{right}"),
        element("path", class_="line", d=path),
        *(element("text", f"{v:,}", class_="end", x=LEFT - 5, y=y + 4) for v, y in rows),
        element("text", f"0 {unit}", x=LEFT, y=HEIGHT - 8),
        element("text", f"{points[-1][0]:,g} {unit}", class_="end", x=right, y=HEIGHT - 8),
        class_="chart", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img",
    )  # fmt: skip


PLANE, NARROW = (760, 600), (340, 330)
"""Widths and heights: for a screen, and for a phone, where points have numbers and a key below."""
PLANE_EDGES = (46, 16, 12, 40)
"""What is left free at the left, right, top and bottom."""
LETTER = 6.8
"""About the width of a letter of a label."""
LINE = 15.0


@dataclass(frozen=True, slots=True)
class Point:
    """A labelled point of a plane; `marked` ones are joined by steps."""

    label: str
    x: float
    y: float
    marked: bool


def plane(
    title: str, points: Sequence[Point], x_name: str, y_name: str, size: tuple[int, int] = PLANE
) -> Element:
    """Points by two positive figures, both drawn as logarithms: to the left and below is better.

    Marked points are joined by steps, which leave everything else to the right and above. A plane
    of the size `NARROW` has a number at each point, and its label below the plane.
    """
    left, right, top, bottom = PLANE_EDGES
    across = _Axis.of([p.x for p in points], left, size[0] - right)
    up = _Axis.of([p.y for p in points], size[1] - bottom, top)
    at = {point: (across(point.x), up(point.y)) for point in points}
    named, key = dict(at), []
    if size == NARROW:
        places = [*enumerate(sorted(points, key=lambda p: (p.x, p.y)), 1)]
        named = {replace(point, label=str(number)): at[point] for number, point in places}
        key = [
            element("text", f"{number}  {point.label}", class_="on" if point.marked else "off",
                    x=8, y=size[1] + LINE * number)
            for number, point in places
        ]  # fmt: skip
    dots = [
        element("circle", element("title", f"{p.label}: {p.x:,g} {x_name}, {p.y:g} {y_name}"),
                class_="on" if p.marked else "off", cx=x, cy=y, r=4)
        for p, (x, y) in at.items()
    ]  # fmt: skip
    path, boxes = _steps([at[p] for p in points if p.marked], size)
    return element(
        "svg", element("title", title),
        *_grid(across, up, x_name, y_name, size),
        element("path", class_="line", d=path),
        *_labels(named, boxes, size),
        *dots,
        *key,
        class_="chart plane", role="img",
        viewBox=f"0 0 {size[0]} {size[1] + (LINE * (len(key) + 0.5) if key else 0):g}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis from one place of the picture to another."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, values: Sequence[float], start: float, end: float) -> "_Axis":
        """With a little room beyond the values."""
        return cls(min(values) / 1.15, max(values) * 1.25, start, end)

    def __call__(self, value: float) -> float:
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + (self.end - self.start) * part, 1)

    def ticks(self, base: float) -> list[float]:
        """Powers of a base inside the axis."""
        first = math.ceil(math.log(self.low, base) - 1e-9)
        last = math.floor(math.log(self.high, base) + 1e-9)
        return [base**n for n in range(first, last + 1)]


def _grid(
    across: _Axis, up: _Axis, x_name: str, y_name: str, size: tuple[int, int]
) -> Iterator[Element]:
    left, _, top, bottom = PLANE_EDGES
    low, right = size[1] - bottom, size[0] - PLANE_EDGES[1]
    for value in across.ticks(4):
        x = across(value)
        yield element("path", class_="grid", d=f"M{x:g} {top}V{low}")
        shown = size_text(value) if x_name == "bytes" else f"{value:g}"
        yield element("text", shown, class_="middle", x=x, y=low + 16)
    for value in up.ticks(2):
        y = up(value)
        yield element("path", class_="grid", d=f"M{left} {y:g}H{right}")
        yield element("text", f"{value:g}", class_="end", x=left - 5, y=y + 4)
    yield element("path", class_="axis", d=f"M{left} {top}V{low}H{right}")
    yield element("text", x_name, class_="end", x=right, y=size[1] - 6)
    yield element("text", y_name, x=4, y=top)


def size_text(size: float) -> str:
    """A number of bytes, in KiB or MiB."""
    return f"{size / 2**10:g} KiB" if size < 2**20 else f"{size / 2**20:g} MiB"


def _steps(places: Sequence[tuple[float, float]], size: tuple[int, int]) -> tuple[str, "list[Box]"]:
    """From each point to the right, and down to the next: the path, and what it covers."""
    path, boxes = "", []
    ends = [*sorted(places), (size[0] - PLANE_EDGES[1], 0.0)]
    for (x, y), (next_x, next_y) in pairwise(ends):
        down = f"V{next_y:g}" if next_y else ""
        path += (f"M{x:g} {y:g}" if not path else "") + f"H{next_x:g}{down}"
        boxes.append((x, y - 2, next_x, y + 2))
        if down:
            boxes.append((next_x - 2, min(y, next_y), next_x + 2, max(y, next_y)))
    return path, boxes


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def _labels(
    at: dict[Point, tuple[float, float]], steps: Sequence[Box], size: tuple[int, int]
) -> Iterator[Element]:
    """Each label beside its point, where it covers least and is nobody else's; a line leads to
    those that stand apart.
    """
    taken = [*steps, *((x - 5, y - 5, x + 5, y + 5) for x, y in at.values())]
    for point, (x, y) in sorted(at.items(), key=lambda item: item[1]):
        wide = LETTER * len(point.label) * (1.08 if point.marked else 1)
        others = [place for other, place in at.items() if other != point]

        def cost(box: Box, place: tuple[float, float] = (x, y), others: _Places = others) -> float:
            near = _away(box, place)
            covered = sum(_shared(box, other) for other in taken)
            return 3 * covered + 2 * near + 100 * sum(_away(box, other) < near for other in others)

        box = min(_beside(x, y, wide, size), key=cost)
        taken.append(box)
        if _away(box, (x, y)) > 2 * LINE / 3:
            joint = min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
            yield element("path", class_="lead", d=f"M{x:g} {y:g}L{joint[0]:.1f} {joint[1]:.1f}")
        yield element("text", point.label, class_="on" if point.marked else "off",
                      x=round(box[0], 1), y=round(box[3] - 3, 1))  # fmt: skip


def _beside(x: float, y: float, wide: float, size: tuple[int, int]) -> list[Box]:
    """Where a label of a point may stand, the nearest places first."""
    right, low = size[0], size[1] - PLANE_EDGES[3]
    places = [(x + 8, y + 4), (x - 8 - wide, y + 4)]
    places += [
        (start, y + 4 + sign * lines * LINE)
        for lines in (1, 2, 3, 4)
        for sign in (-1, 1)
        for start in (x - wide / 2, x + 2, x - 2 - wide, x + 24, x - 24 - wide)
    ]
    boxes = [(start, base - 10, start + wide, base + 3) for start, base in places]
    inside = [
        b for b in boxes if b[0] >= PLANE_EDGES[0] and b[2] <= right and 0 < b[1] < b[3] < low
    ]
    return inside or boxes


_Places = Sequence[tuple[float, float]]


def _away(box: Box, place: tuple[float, float]) -> float:
    """How far a place is from a box."""
    x, y = place
    return math.hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))


def _shared(one: Box, other: Box) -> float:
    """The area that two boxes have in common."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    up = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, up)


ROW = 5.6


@dataclass(frozen=True, slots=True)
class BitRange:
    """The bits from `low` up to `high` (not itself one of them): `kind` is "known" or "unknown"."""

    low: int
    high: int
    kind: str
    text: str = ""


def words(label: str, rows: Sequence[tuple[str, Sequence[BitRange]]]) -> Element:
    """Words one below the other, each with a line of text above it."""
    height = ROW * len(rows)
    picture = element(
        "svg", element("title", label), class_="word", role="img",
        viewBox=f"-0.2 0 64.4 {height:g}",
    )  # fmt: skip
    for number, (caption, parts) in enumerate(rows):
        top = ROW * number
        picture.append(element("text", caption, class_="caption", x=0, y=top + 1.8))
        for part in parts:
            x, width = 64 - part.high, part.high - part.low
            box = {"x": x, "y": top + 2.4, "width": width, "height": 2.4}
            picture.append(element("rect", class_=part.kind, **box))
            if part.text:
                middle = {"x": x + width / 2, "y": top + 4.1}
                picture.append(element("text", part.text, **middle))
    return picture
