"""The entries of a layered buffer: which bits must be one, which zero, over all lookups.

A buffer exists if and only if no bit of an entry must be both, and no lookup is hopeless: its
words are the ones, and 0 in bits that nobody asks for.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from magicert.formula.wide import bit_and, nonzero
from magicert.problem import InputError, Problem
from magicert.table.read import TableFile
from magicert.verify.table.attacks import lanes
from magicert.verify.table.layers.wanted import single_sources, wanted
from magicert.verify.table.layout import BufferLayout
from magicert.verify.table.lookups import Block, Lookups
from magicert.verify.table.occupied import Occupied


class Entries(Occupied):
    """Ones and zeros of every entry. `attacks` are the ones."""

    def __init__(self, lookups: Lookups) -> None:
        super().__init__(lookups)
        self.zeros = np.zeros_like(self.attacks)

    def write(self, block: Block) -> None:
        """Note what the lookups of a block want."""
        wants = wanted(block)
        inside = slice(None) if block.outside is None else ~block.outside
        places = self.places(block.slots[inside])
        for written, wanting in ((self.attacks, wants.ones), (self.zeros, wants.zeros)):
            for lane, bits in zip(lanes(written), lanes(wanting[inside]), strict=True):
                np.bitwise_or.at(lane, places, bits)

    def conflicts(self, block: Block) -> NDArray[np.int64]:
        """The places, with repeats, where a lookup of a block wants a bit that another one wants
        otherwise, or where no word will do for it.
        """
        wants = wanted(block)
        inside = slice(None) if block.outside is None else ~block.outside
        places = self.places(block.slots[inside])
        clash = nonzero(bit_and(self.attacks[places], wants.zeros[inside]))
        clash |= nonzero(bit_and(self.zeros[places], wants.ones[inside]))
        return places[clash | wants.hopeless[inside]]


def is_layered(buffer: BufferLayout) -> bool:
    """Whether a formula makes the attack set from the loaded word."""
    return any(layout.table.result is not None for layout in buffer.pieces)


def is_readable(buffer: BufferLayout) -> bool:
    """Whether the formulas say which bits of its word a lookup asks for."""
    formulas = (layout.table.result for layout in buffer.pieces)
    return all(formula is None or single_sources(formula) for formula in formulas)


def refuse_unread(file: TableFile, buffers: Iterable[BufferLayout]) -> None:
    """Refuse formulas of results about which nothing can be said without the finished buffer.

    Raises InputError.
    """
    problems = []
    for buffer in buffers:
        for layout in buffer.pieces:
            result, key = layout.table.result, f"{layout.table.piece}.result"
            if result is None or buffer.literal is not None:
                continue
            message = ""
            if file.table.two_level is not None:
                message = "with two levels: expected the finished buffers (literal)"
            elif single_sources(result) is None:
                message = (
                    f"{result.text!r}: expected a formula whose bits come from one bit of word "
                    "each, or a finished buffer (literal)"
                )
            line = file.line(str(layout.table.piece), "result")
            if message:
                problems.append(Problem(message, str(file.path), key, line))
    if problems:
        raise InputError(problems)


def sharing(lookups: Lookups) -> list[int]:
    """How many entries serve 1, 2, ... squares."""
    squares: dict[tuple[int, int], list[NDArray[np.int64]]] = {}
    for block in lookups:
        for row, slots in zip(block.rows.tolist(), block.slots, strict=True):
            home = block.layout.home(row)
            squares.setdefault((id(block.layout), home), []).append(slots[slots >= 0])
    own = [np.unique(np.concatenate(parts)) for parts in squares.values()]
    _, layers = np.unique(np.concatenate(own), return_counts=True)
    counts: list[int] = np.bincount(layers)[1:].tolist()
    return counts
