"""A library: many magics for one rook, each claiming other columns of a page."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words
from magicert.system.whole_file import write_whole

Turns = NDArray[np.uint8]


@dataclass(frozen=True)
class Library:
    """A square's magics, and the columns that each claims as the bits of a word: different for
    all of them. Columns are turned to the left by `turns`, which an offset or an added constant
    makes up for.
    """

    square: int
    columns: Words
    magics: Words
    turns: Turns

    @cached_property
    def least(self) -> int:
        """The fewest columns that a magic of this square claims."""
        return int(np.bitwise_count(self.columns).min())


Shelf = dict[int, Library]
"""Libraries by square."""


def save_libraries(libraries: Sequence[Library], path: Path) -> None:
    """Write libraries for this command's other processes to read."""
    write_whole(path, pickle.dumps({library.square: library for library in libraries}))


@lru_cache(maxsize=1)
def load_libraries(path: Path) -> Shelf:
    """The libraries of a file, read once in every process."""
    shelf: Shelf = pickle.loads(path.read_bytes())
    return dict(sorted(shelf.items()))
