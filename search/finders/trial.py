"""Engine "trial": random sparse candidates, each tried until its first conflict.

The method is Tord Romstad's, from the program that found the magics of Glaurung: AND a few
random words, look at the top byte of mask * magic, then try all occupancies. It finds and
never proves. New here are the order of the occupancies, the table that is never cleared, and
the numbered candidates (see random_words.py). Where a white magic can be built instead
(construct.py: H.G. Muller's idea), nothing is tried.
"""

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np

from magicert.cell import Cell, Mover, Slider
from magicert.engine import EngineOption, EngineRequest, Observer
from magicert.outcome import Exists, Outcome, Unknown
from magicert.search.finders.construct import constructed
from magicert.search.finders.counting import too_few_slots
from magicert.search.finders.drawing import Drawing, drawing_of
from magicert.search.finders.form import check_bits, form_of
from magicert.search.finders.random_words import stream_key
from magicert.search.finders.trial_arrays import ArrayLoop
from magicert.search.finders.two_lanes import takes_two_lanes, two_lane_loop

OPTIONS = (
    EngineOption(
        "construct", True, "Build a magic where that is possible; no: always try candidates."
    ),
    EngineOption("ands", 0, "How many random words are ANDed to a candidate; 0: the best.", 0, 16),
    EngineOption(
        "top", -1, "Fewest ones in the top byte of mask * candidate; -1: the best.", -1, 8
    ),
    EngineOption("candidates", 100_000_000, "Stop after so many candidates.", 1, 2**46),
)

BLOCK = 1 << 18
"""Candidates that a kernel tries between two looks at the clock: a few milliseconds."""

U = np.uint64


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Find a magic; UNKNOWN where the budget ends first.

    With `everything` it collects distinct magics until the budget ends; they are never
    known to be all. Raises InputError for a formula that has no compiled reading.
    """
    impossible = too_few_slots(request.cell)
    if impossible is not None:
        return impossible
    built = built_for(request) if request.options["construct"] else None
    if built is not None:
        return Exists((built,), figures={"constructed": 1})
    search = _Search(request, observer)
    try:
        reason = search.run()
    except KeyboardInterrupt:
        reason = "interrupted"
    if search.found:
        return Exists(tuple(search.found.values()), figures=search.figures())
    return Unknown(reason, f"{search.done:,} candidates tried", search.figures())


def built_for(request: EngineRequest) -> int | None:
    """A magic without a trial: white, as many bits as the mask has squares, one magic wanted."""
    cell = request.cell
    if cell.scheme.name != "white" or cell.largest_index is not None or request.everything:
        return None
    if not isinstance(cell.about, Slider | Mover):
        return None  # of keys the mask says little
    key = stream_key(request.seed, cell.about.stream)
    return constructed(cell.mask, cell.bits, cell.about.width, key)


Loop = Callable[[int, int, Any], Iterable[Any]]
"""`loop(first, end, table)`: the first magic among candidates [first, end), as
`trial_kernel.first_magic` gives it."""


def loop_of(cell: Cell, drawing: Drawing, key: int) -> Loop:
    """The compiled loop; without numba the one in numpy, which is slower but finds the same.

    Raises InputError for a formula that has no compiled reading, and for too many bits.
    """
    check_bits(cell)
    if takes_two_lanes(cell):
        return two_lane_loop(cell, drawing, key)
    try:
        from magicert.search.finders.trial_kernel import first_magic
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        return ArrayLoop(cell, drawing, key).first_magic
    form = form_of(cell)
    kernel = form.kernel or first_magic
    numbers = (
        form.number, form.shift, cell.last_index, cell.mask, drawing.ands, drawing.top, key,
    )  # fmt: skip
    arguments = (form.words, form.attacks, *(U(number) for number in numbers))
    return lambda first, end, table: kernel(*arguments, U(first), U(end), table)


class _Search:
    """One request. `found` holds the magics by their residue modulo the cell's period: those of
    one residue give the same products. `done` counts candidates.
    """

    def __init__(self, request: EngineRequest, observer: Observer) -> None:
        cell, options = request.cell, request.options
        self.request = request
        self.observer = observer
        self.budget: int = options["candidates"]
        key = stream_key(request.seed, cell.about.stream)
        self.loop = loop_of(cell, drawing_of(cell, options["ands"], options["top"]), key)
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
            self.observer.progress(self.done, None, f"of at most {self.budget:,} candidates")
            if limit is not None and time.monotonic() - self.started > limit:
                return "out of time"
        return "budget of candidates spent"

    def _block(self, first: int, end: int, table: Any) -> list[tuple[int, int]]:  # noqa: ANN401
        """The magics among candidates [first, end), by number; the first only, or all."""
        hits: list[tuple[int, int]] = []
        while first < end:
            number, magic, tried, lookups = map(int, self.loop(first, end, table))
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
        figures: dict[str, float | int | str] = {
            "candidates": self.done,
            "looked up": self.tried,
        }
        if self.lookups:
            figures["lookups each"] = self.lookups / max(1, self.tried)
        return figures
