"""The loop of trial in numpy, for those who have no numba: many candidates at once.

It draws the candidates that the compiled loop draws, in their order, and so finds the same
magics. It looks at few occupancies of many candidates first, at all of those that are left.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.cell import Cell
from magicert.search.finders.all_occupancies import Words, all_occupancies
from magicert.search.finders.drawing import Drawing
from magicert.search.finders.random_words import stream_word
from magicert.valid import AllIndexes

AT_ONCE = 1 << 12
"""Candidates that are drawn together."""
LOOKUPS_AT_ONCE = 1 << 18
STAGES = (16, 64, 256)
"""So many occupancies are looked at, of what is left each time, before all are."""

U = np.uint64
_TOP_BYTE = U(56)


class ArrayLoop:
    """The candidates of one cell, drawn from the stream `key`."""

    def __init__(self, cell: Cell, drawing: Drawing, key: int) -> None:
        square = all_occupancies(cell.about)
        values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
        count = len(square.occupancies)
        self.stages = [
            AllIndexes(
                cell.scheme.formula, cell.scheme.free, values,
                square.occupancies[:some].tolist(), square.attacks[:some].tolist(),
                cell.last_index,
            )
            for some in (*(stage for stage in STAGES if stage < count), count)
        ]  # fmt: skip
        self.mask = U(cell.mask)
        self.drawing = drawing
        self.key = U(key)

    def first_magic(self, number: int, end: int, table: Words) -> tuple[int, int, int, int]:
        """What `trial_kernel.first_magic` gives; it needs no table and counts no lookups."""
        tried = 0
        while number < end:
            last = min(number + AT_ONCE, end)
            numbers, magics = self._drawn(number, last)
            valid = self._valid(magics)
            if len(valid):
                place = valid[0]
                return int(numbers[place]), int(magics[place]), tried + place + 1, 0
            tried += len(magics)
            number = last
        return end, 0, tried, 0

    def _drawn(self, number: int, end: int) -> tuple[Words, Words]:
        """The candidates [number, end) whose top byte will do: their numbers, and themselves."""
        numbers = np.arange(number, end, dtype=U)
        at = numbers * U(self.drawing.ands)
        magics = stream_word(self.key, at)
        for place in range(1, self.drawing.ands):
            magics &= stream_word(self.key, at + U(place))
        if self.drawing.top <= 0:
            return numbers, magics
        tops = np.bitwise_count((self.mask * magics) >> _TOP_BYTE)
        will_do = tops >= self.drawing.top
        return numbers[will_do], magics[will_do]

    def _valid(self, magics: Words) -> NDArray[np.intp]:
        """The places of the valid ones, in order."""
        places = np.arange(len(magics))
        for stage in self.stages:
            many = max(1, LOOKUPS_AT_ONCE // len(stage.attacks))
            parts = [places[first : first + many] for first in range(0, len(places), many)]
            valid = [part[stage.valid(magics[part])] for part in parts]
            places = np.concatenate(valid) if valid else places
        return places
