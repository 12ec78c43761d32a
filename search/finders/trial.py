"""Engine "trial": random sparse candidates, each tried until its first conflict.

The method is Tord Romstad's, from the program that found the magics of Glaurung: AND a few
random words, look at the top byte of mask * magic, then try all occupancies. It finds and
never proves. New here are the order of the occupancies, the table that is never cleared, and
the numbered candidates (see random_words.py).
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from magicert.board import Piece
from magicert.engine import Observer, Option, Request
from magicert.outcome import Exists, Outcome, Unknown
from magicert.search.finders.counting import too_few_slots
from magicert.search.finders.form import form_of
from magicert.search.finders.random_words import stream_key
from magicert.search.finders.trial_kernel import HALVES_ADD, HALVES_XOR, WIDE, first_magic

OPTIONS = (
    Option("ands", 0, "How many random words are ANDed to a candidate; 0: the best.", 0, 16),
    Option("top", -1, "Fewest ones in the top byte of mask * candidate; -1: the best.", -1, 8),
    Option("candidates", 100_000_000, "Stop after so many candidates.", 1, 2**46),
)

BLOCK = 1 << 18
"""Candidates that a kernel tries between two looks at the clock: a few milliseconds."""

U = np.uint64


@dataclass(frozen=True, slots=True)
class Drawing:
    """How candidates are drawn: words to AND, and the least ones in the top byte."""

    ands: int
    top: int


BEST = {
    (WIDE, Piece.ROOK): Drawing(3, 0),
    (WIDE, Piece.BISHOP): Drawing(3, 6),
    (HALVES_XOR, Piece.ROOK): Drawing(3, 0),
    (HALVES_XOR, Piece.BISHOP): Drawing(2, 0),
    (HALVES_ADD, Piece.ROOK): Drawing(2, 0),
    (HALVES_ADD, Piece.BISHOP): Drawing(2, 0),
}
"""The measured best (benchmarks/bench_trial.py prints the others beside them)."""


def solve(request: Request, observer: Observer) -> Outcome:
    """Find a magic; UNKNOWN where the budget ends first.

    With `everything` it collects distinct magics until the budget ends; they are never
    known to be all. Raises InputError for a formula that has no compiled reading.
    """
    impossible = too_few_slots(request.cell)
    if impossible is not None:
        return impossible
    search = _Search(request, observer)
    try:
        reason = search.run()
    except KeyboardInterrupt:
        reason = "interrupted"
    if search.found:
        return Exists(tuple(search.found.values()), figures=search.figures())
    return Unknown(reason, f"{search.done:,} candidates tried", search.figures())


class _Search:
    """One request. `found` holds the magics by their residue modulo the cell's period: those of
    one residue give the same products. `done` counts candidates.
    """

    def __init__(self, request: Request, observer: Observer) -> None:
        cell, options = request.cell, request.options
        form = form_of(cell)
        drawing = BEST[form.number if form.kernel is None else WIDE, cell.piece]
        ands = options["ands"] or drawing.ands
        top = drawing.top if options["top"] < 0 else options["top"]
        self.request = request
        self.observer = observer
        self.budget: int = options["candidates"]
        self.kernel: Callable[..., Any] = form.kernel or first_magic
        key = stream_key(request.seed, cell.piece, cell.square)
        numbers = (form.number, form.shift, cell.last_index, cell.mask, ands, top, key)
        self.arguments = (form.words, form.attacks, *(U(number) for number in numbers))
        self.found: dict[int, int] = {}
        self.done = self.tried = self.lookups = 0
        self.lock = Lock()
        self.started = time.monotonic()

    def run(self) -> str:
        """Try block after block; the reason why it ended."""
        workers = min(self.request.workers, os.cpu_count() or 1)
        tables = [np.zeros(1 << self.request.cell.bits, dtype=U) for _ in range(workers)]
        if workers == 1:
            return self._rounds(tables, map)
        with ThreadPoolExecutor(workers) as pool:
            return self._rounds(tables, pool.map)

    def _rounds(self, tables: list[Any], every: Callable[..., Any]) -> str:
        """Each round gives every table the next block; the least number found wins."""
        limit = self.request.seconds
        while self.done < self.budget:
            firsts = [self.done + BLOCK * place for place in range(len(tables))]
            ends = [min(first + BLOCK, self.budget) for first in firsts]
            found = [hit for hits in every(self._block, firsts, ends, tables) for hit in hits]
            if found and not self.request.everything:
                number, magic = min(found)
                self.found[magic % self.request.cell.period] = magic
                self.done = number + 1
                return "found"
            for _, magic in found:
                self.found.setdefault(magic % self.request.cell.period, magic)
            self.done = ends[-1]
            self.observer.progress(self.done, self.budget)
            if limit is not None and time.monotonic() - self.started > limit:
                return "out of time"
        return "budget of candidates spent"

    def _block(self, first: int, end: int, table: Any) -> list[tuple[int, int]]:  # noqa: ANN401
        """The magics among candidates [first, end), by number; the first only, or all."""
        hits: list[tuple[int, int]] = []
        while first < end:
            result = self.kernel(*self.arguments, U(first), U(end), table)
            number, magic, tried, lookups = map(int, result)
            with self.lock:
                self.tried += tried
                self.lookups += lookups
            if number < end:
                hits.append((number, magic))
                if not self.request.everything:
                    break
            first = number + 1
        return hits

    def figures(self) -> dict[str, float | int | str]:
        """Candidates, those that passed the top byte, and lookups for each of them."""
        return {
            "candidates": self.done,
            "looked up": self.tried,
            "lookups each": self.lookups / max(1, self.tried),
        }
