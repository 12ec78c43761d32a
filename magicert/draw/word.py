"""A 64-bit word as a row of cells, bit 63 on the left, with what is known of which bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from magicert.draw.markup import element

WIDTH, CELL, ROW = 64, 1.0, 5.6


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
        viewBox=f"-0.2 0 {WIDTH + 0.4} {height:g}",
    )  # fmt: skip
    for number, (caption, parts) in enumerate(rows):
        top = ROW * number
        picture.append(element("text", caption, class_="caption", x=0, y=top + 1.8))
        for part in parts:
            x, width = (64 - part.high) * CELL, (part.high - part.low) * CELL
            box = {"x": x, "y": top + 2.4, "width": width, "height": 2.4}
            picture.append(element("rect", class_=part.kind, **box))
            if part.text:
                middle = {"x": x + width / 2, "y": top + 4.1}
                picture.append(element("text", part.text, **middle))
    return picture
