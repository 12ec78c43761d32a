"""What a record file says of how it came about."""

from collections.abc import Sequence

from magicert.compact.pack import Mark

SHOWN_MARKS = 24
"""Points of a history in a table file: enough to see the curve, few enough to read."""


def history_text(history: Sequence[Mark]) -> str:
    """The history of lengths in one line: "0s 85,065; 12s 85,034; ..."."""
    marks = list(history)
    if len(marks) > SHOWN_MARKS:
        last = len(marks) - 1
        marks = [marks[round(place * last / (SHOWN_MARKS - 1))] for place in range(SHOWN_MARKS)]
    shown = "; ".join(f"{mark.seconds:.0f}s {mark.length:,}" for mark in marks)
    return f"history: {shown}" if shown else ""
