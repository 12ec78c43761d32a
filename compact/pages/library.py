"""A library: many magics for one rook, each claiming other columns of a page."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words

Turns = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Library:
    """A square's magics, and the columns that each claims as the bits of a word: different for
    all of them. Columns are turned to the left by `turns`, which an offset or an added constant
    makes up for.
    """

    square: int
    columns: Words
    magics: Words
    turns: Turns

    @property
    def least(self) -> int:
        """The fewest columns that a magic of this square claims."""
        return int(np.bitwise_count(self.columns).min())


def save_libraries(libraries: Iterable[Library], path: Path) -> None:
    """Write libraries for other processes to read."""
    arrays: dict[str, Words | Turns] = {}
    for one in libraries:
        arrays[f"columns{one.square}"] = one.columns
        arrays[f"magics{one.square}"] = one.magics
        arrays[f"turns{one.square}"] = one.turns
    np.savez(path, allow_pickle=False, **arrays)


def load_libraries(path: Path) -> dict[int, Library]:
    """The libraries of a file, by square."""
    with np.load(path) as arrays:
        names = [name.removeprefix("columns") for name in arrays if name.startswith("columns")]
        return {
            square: Library(
                square,
                arrays[f"columns{square}"],
                arrays[f"magics{square}"],
                arrays[f"turns{square}"],
            )
            for square in sorted(map(int, names))
        }
