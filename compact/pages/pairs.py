"""Pairs of rooks that stand on a page together, as if they were one square."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from magicert.board import WORD
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import CellData, Words
from magicert.compact.pages.columns import KEPT, turned
from magicert.compact.pages.library import Library
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS, slot_step

Pair = tuple[int, int]


@dataclass(frozen=True)
class PairLibrary:
    """Pairs of a host and a guest. A row has the union of their columns, their places in their
    libraries, and the guest's turn; `step` is by how much both turn together, `least` the fewest
    columns. `more` are magics and columns that the guest's library gets, annealed for a host.
    """

    host: int
    guest: int
    rows: Words
    step: int
    least: int
    more: Words

    @property
    def key(self) -> Pair:
        """The squares, the lower one first."""
        return min(self.host, self.guest), max(self.host, self.guest)


Pairs = Mapping[Pair, PairLibrary]


def as_library(pairs: PairLibrary, number: int, seed: int) -> Library:
    """A pair as one square of a page, in every turn: its magics are row numbers."""
    random = np.random.default_rng([seed, number])
    columns, rows, turns = [], [], []
    for turn in range(0, COLUMNS, pairs.step):
        by = np.full(len(pairs.rows), turn, np.uint8)
        columns.append(turned(pairs.rows[:, 0], by))
        rows.append(np.arange(len(pairs.rows), dtype=np.uint64))
        turns.append(by)
    words, first = np.unique(np.concatenate(columns), return_index=True)
    rank = np.argsort(np.bitwise_count(words) + random.random(len(words)), kind="stable")[:KEPT]
    at = first[rank]
    return Library(number, words[rank], np.concatenate(rows)[at], np.concatenate(turns)[at])


def turned_seat(cell: CellData, magic: int, turn: int, page: int) -> Seat:
    """A rook whose slots are turned on its page: by an added constant, or under black by the
    magic's highest bits. What these cannot do an offset does, which may push some of the last
    slots, fewer than `slot_step`, over the end of the page.
    """
    further = turn % slot_step(cell.scheme, cell.square.square)
    by = (turn - further) % PAGE << (64 - ROW_BITS)
    constant = 0 if cell.scheme == "black" else by
    magic = (magic - by) & WORD if cell.scheme == "black" else magic
    return Seat.valid(cell, Choice(magic, constant, page * PAGE + further))
