"""A chart of a figure that falls with time: the history of a record."""

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from magicert.draw.markup import element

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
