"""The cell, the unit of "does a magic exist?", and what it can be about.

Engines know the record only. A slider, a piece of any board, a list of keys are makers of it.
"""

from typing import Any

from magicert.board import Piece
from magicert.cell.keys import Keys
from magicert.cell.mover import Mover
from magicert.cell.record import Cell, Subject, first_clash, first_conflict
from magicert.cell.slider import Slider, slider_of, square_cell

__all__ = [
    "Cell",
    "Keys",
    "Mover",
    "Slider",
    "Subject",
    "first_clash",
    "first_conflict",
    "slider_of",
    "square_cell",
    "subject_of",
]


def subject_of(kind: str, rest: Any) -> Subject:  # noqa: ANN401
    """The subject with these `parts`. ValueError or TypeError where there is none."""
    if kind == "keys":
        words, values = zip(*rest, strict=True)
        return Keys.of(words, values)
    return Slider(Piece(kind), rest)
