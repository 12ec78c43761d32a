"""The engine "trial": a magic by construction where that is enough, else sparse random words.

A candidate is the AND of a few random words. It is tried on one occupancy after another until two
with different attack sets share an index. Where a white magic of as many bits as the mask is
wanted, it is built instead, and nothing is tried.

When: `find` and `find-set` without an engine, where magics are common: with as many bits as the
mask has. Any scheme and formula, any board up to 128 squares.

Why: it is the usual method of the field, Tord Romstad's. It proves nothing:
UNKNOWN is all that it says where it finds none.

Cost: a set of 128 magics takes a tenth of a second with numba, two to five without; the magics are
the same (docs/finders.md). Magics with fewer bits than the mask are seldom sparse, and trial
seldom finds one.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import squares_of
from magicert.cell import Cell
from magicert.engine import EngineOption, EngineRequest
from magicert.formula import arrays
from magicert.formula.arrays import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.outcome import Exists, Observer, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.scheme import Product
from magicert.search.finders.drawing import (
    WIDE,
    Drawing,
    Words,
    all_occupancies,
    drawing_of,
    product_form,
    stream_key,
    stream_word,
    too_few_slots,
    word,
)
from magicert.system.deadline import Deadline
from magicert.targets import Mover, Slider
from magicert.valid import AllIndexes

# Magics by construction: one for every mask, in microseconds, with a proof instead of a trial.
#
# A one in the magic, at bit t, moves the square b of the mask to bit b + t of the product; the
# index is the product's top k bits. Of each square take its *place*: the lowest index bit that some
# one of the magic moves it to. If all squares have different places, and all that lies below the
# index adds up to less than 2^(width - k), so that no carry comes up, then different occupancies
# have different indexes.
#
# Proof. Without carries the index is the sum of v_b mod 2^k over the occupied squares b, where
# v_b is an odd number times 2^place. Take two occupancies with equal sums. Of the squares in
# which they differ look at the one of the lowest place p: their difference is an odd number times
# 2^p, plus or minus multiples of 2^(p + 1), so it is not 0 mod 2^k.
#
# Such magics are perfect hash functions: they suit every piece that has this mask.


MOST_NODES = 200
"""Of one descent; then another begins, in another order."""
DESCENTS = 100


def construct_magic(mask: int, bits: int, width: int, key: int) -> int | None:
    """A magic for words of `width` bits whose index has `bits` bits; None if none was met.

    There is none with fewer bits than squares. `key` says in which order ones are tried.
    """
    if bits < mask.bit_count():
        return None
    squares = sorted(squares_of(mask), reverse=True)
    descents = (_Descent(squares, width - bits, stream_key(key, n)) for n in range(DESCENTS))
    magics = (descent.complete(0, (1 << bits) - 1, 0, 0) for descent in descents)
    return next((magic for magic in magics if magic is not None), None)


def is_perfect(mask: int, bits: int, width: int, magic: int) -> bool:
    """Whether the two conditions hold: then all occupancies of the mask have different indexes.

    Where they do not, the magic may be one all the same.
    """
    low = width - bits
    carried = used_places = 0
    for square in squares_of(mask):
        product = magic << square & (1 << width) - 1
        carried += product & (1 << low) - 1
        place = product >> low & -(product >> low)
        if not place or used_places & place:
            return False
        used_places |= place
    return carried < 1 << low


class _Descent:
    """Ones are chosen for the squares from the highest down. What a one moves into the index
    comes next in that order: the ones before it have moved it below.
    """

    def __init__(self, squares: list[int], low: int, key: int) -> None:
        self.squares = squares
        self.low = low
        self.key = key
        self.nodes = 0

    def complete(self, placed: int, free: int, magic: int, carried: int) -> int | None:
        """A magic that goes on from here; the first `placed` squares have their places."""
        if placed == len(self.squares):
            return magic
        self.nodes += 1
        for bit in self.candidate_bits(placed, free):
            if self.nodes > MOST_NODES:
                return None
            child = self.with_one(placed, free, magic, carried, bit)
            completed = None if child is None else self.complete(*child)
            if completed is not None:
                return completed
        return None

    def candidate_bits(self, placed: int, free: int) -> list[int]:
        """The bits whose one moves the next square to a free place."""
        lowest, first = self.low - self.squares[placed], self.nodes << 7
        places = sorted(squares_of(free), key=lambda place: word(self.key, first + place))
        return [lowest + place for place in places if lowest + place >= 0]

    def with_one(
        self, placed: int, free: int, magic: int, carried: int, bit: int
    ) -> tuple[int, int, int, int] | None:
        """The arguments of `complete` once there is a one at this bit; None where two squares would
        share a place, or a carry could come up.
        """
        under = (1 << self.low) - 1
        for square in self.squares[placed:]:
            place = square + bit - self.low
            if place < 0:
                break
            carried += magic << square & under
            if carried > under or not free >> place & 1:
                return None
            free &= ~(1 << place)
            placed += 1
        return placed, free, magic | 1 << bit, carried


# What the trial kernel needs to know of a cell's formula.
#
# The products of the known schemes are compiled once, in `trial_kernel.index`. Any other
# formula is translated and compiled when it is asked for (see compiled_formula.py).

MOST_BITS = 24
"""A kernel's table has an entry of eight bytes for each index: 128 MiB."""


@dataclass(frozen=True, slots=True)
class CompiledForm:
    """`number` says how `index` joins a word and a magic; `words` are the occupancies as it
    takes them, with their `attacks` numbers. A formula of its own has a `kernel` of its own,
    which takes the mask for `number` and the index bits for `shift`.
    """

    number: int
    words: Words
    attacks: Words
    shift: int
    kernel: Callable[..., Any] | None = None


def check_bits(cell: Cell) -> None:
    """Raises InputError for more bits than a table of indexes can have."""
    if cell.bits > MOST_BITS:
        message = f"expected at most {MOST_BITS}: every index needs an entry in memory"
        raise InputError([Problem(message, key=f"bits {cell.bits}")])


def form_of(cell: Cell) -> CompiledForm:
    """The form of a cell's formula. Raises InputError for one that cannot be compiled."""
    square = all_occupancies(cell.target)
    number, product = product_form(cell), cell.scheme.product
    if product is not None and not product.constant:
        words = _multiplicands(product, square.occupancies, cell.mask)
        return CompiledForm(WIDE, words, square.attacks, 64 - cell.bits)
    if number != WIDE:
        return CompiledForm(number, square.occupancies, square.attacks, 32 - cell.bits)
    from magicert.search.finders.compiled_formula import compiled_kernel

    kernel = compiled_kernel(cell)
    return CompiledForm(cell.mask, square.occupancies, square.attacks, cell.bits, kernel)


def _multiplicands(product: Product, occupancies: Words, mask: int) -> Words:
    values = {OCCUPANCY: occupancies, "mask": np.array([mask], dtype=np.uint64)}
    # A literal makes it one row of a table: (1, occupancies).
    return evaluate(product.multiplicand.tree, values, product.multiplicand.text).reshape(-1)


# The loop of trial in numpy, for those who have no numba: many candidates at once.
#
# It draws the candidates that the compiled loop draws, in their order, and so finds the same
# magics. It looks at few occupancies of many candidates first, at all of those that are left.

DRAWN_TOGETHER = 1 << 12
"""Candidates that are drawn together."""
LOOKUPS_TOGETHER = 1 << 18
STAGES = (16, 64, 256)
"""So many occupancies are looked at, of what is left each time, before all are."""

U = np.uint64
_TOP_BYTE = U(56)


class ArrayLoop:
    """The candidates of one cell, drawn from the stream `key`."""

    def __init__(self, cell: Cell, drawing: Drawing, key: int) -> None:
        square = all_occupancies(cell.target)
        values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
        count = len(square.occupancies)
        self.stages = [
            AllIndexes(
                cell.scheme.formula, cell.scheme.free, values,
                square.occupancies[:size].tolist(), square.attacks[:size].tolist(),
                cell.last_index,
            )
            for size in (*(stage for stage in STAGES if stage < count), count)
        ]  # fmt: skip
        self.mask = U(cell.mask)
        self.drawing = drawing
        self.key = U(key)

    def first_magic(self, number: int, end: int, table: Words) -> tuple[int, int, int, int]:
        """What `trial_kernel.first_magic` gives; it needs no table and counts no lookups."""
        looked_up = 0
        while number < end:
            last = min(number + DRAWN_TOGETHER, end)
            numbers, magics = self._draw(number, last)
            valid = self._valid(magics)
            if len(valid):
                place = valid[0]
                return int(numbers[place]), int(magics[place]), looked_up + place + 1, 0
            looked_up += len(magics)
            number = last
        return end, 0, looked_up, 0

    def _draw(self, number: int, end: int) -> tuple[Words, Words]:
        """The candidates [number, end) whose top byte will do: their numbers, and themselves."""
        numbers = np.arange(number, end, dtype=U)
        at = numbers * U(self.drawing.ands)
        magics = stream_word(self.key, at)
        for place in range(1, self.drawing.ands):
            magics &= stream_word(self.key, at + U(place))
        if self.drawing.top <= 0:
            return numbers, magics
        tops = np.bitwise_count((self.mask * magics) >> _TOP_BYTE)
        passes = tops >= self.drawing.top
        return numbers[passes], magics[passes]

    def _valid(self, magics: Words) -> NDArray[np.intp]:
        """The places of the valid ones, in order."""
        places = np.arange(len(magics))
        for stage in self.stages:
            batch = max(1, LOOKUPS_TOGETHER // len(stage.attacks))
            parts = [places[first : first + batch] for first in range(0, len(places), batch)]
            valid = [part[stage.valid(magics[part])] for part in parts]
            places = np.concatenate(valid) if valid else places
        return places


# Trial for words of 128 bits, and for pieces with more attack sets than the usual loop can number.
#
# What is multiplied stands in two lanes; candidates are drawn for both. Words of 64 bits stand in
# the high lane, so that an index is always the top of it.

PART = 1 << 16
"""Candidates that are drawn in the same way."""
SMALL_MASK = 8
ANDS_OF_SMALL, ANDS_OF_LARGE = (2, 3), (3, 4)
"""How many random words are ANDed, by turns: small masks want denser magics than large ones."""
MOST_NUMBERS = 1 << 16
"""Attack sets that the loop of one lane can number."""
TWO_LANES = 128
"""The bits of the widest words whose candidates are tried."""
ONLY_BUILT = "in words of 256 bits magics are only built: white, a bit for each square of the mask"

Loop = Callable[[int, int, Any], Iterable[Any]]
"""`loop(first, end, table)`: the first magic among candidates [first, end), as
`trial_kernel.first_magic` gives it."""


def two_lane_loop(cell: Cell, drawing: Drawing, key: int) -> Loop:
    """The loop of `loop_of`. Raises InputError for a formula that is not one product, and
    where the compiler's library is missing.
    """
    if cell.largest_index is not None:
        message = "no engine bounds the index of such words: expected none"
        raise InputError([Problem(message, key=f"largest index {cell.largest_index}")])
    if cell.scheme.product is None or cell.scheme.product.constant:
        message = f"only a product is searched in words of {cell.target.width} bits"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    try:
        from magicert.search.finders.wide_kernel import first_magic
    except ModuleNotFoundError as error:
        message = f"needs {error.name} where a magic must be tried: pip install 'magicert[search]'"
        raise InputError([Problem(message, key=str(cell.target))]) from None
    arrays = (*_lanes(cell), U(64 - cell.bits))
    ands_by_turns = ANDS_OF_SMALL if cell.mask.bit_count() <= SMALL_MASK else ANDS_OF_LARGE

    def loop(first: int, end: int, table: Words) -> tuple[int, int, int, int]:
        start = first
        while first < end:
            ands = drawing.ands or ands_by_turns[first // PART % len(ands_by_turns)]
            last = min(end, (first // PART + 1) * PART)
            place = (U(ands), U(key), U(first), U(last))
            number, low, high = map(int, first_magic(*arrays, *place, table))
            if number < last:
                magic = high << 64 | low if cell.target.width > 64 else low
                return number, magic, number + 1 - start, 0
            first = last
        return end, 0, end - start, 0

    return loop


def _lanes(cell: Cell) -> tuple[Words, Words, Words]:
    """What is multiplied, low and high, and the numbers of values; few blockers come first."""
    assert cell.scheme.product is not None
    multiplicand = cell.scheme.product.multiplicand
    words = arrays.words([cell.words], multiplicand.word)
    values = {OCCUPANCY: words, "mask": arrays.words([[cell.mask]], multiplicand.word)}
    multiplicands = evaluate(multiplicand.tree, values, multiplicand.text).reshape(-1)
    order = np.argsort(arrays.popcount(words.reshape(-1)), kind="stable")
    numbers = np.array(cell.values, dtype=U)[order]
    if cell.target.width == 64:
        high = np.ascontiguousarray(multiplicands[order])
        return np.zeros_like(high), high, numbers
    low, high = (np.ascontiguousarray(lane[order]) for lane in arrays.lanes(multiplicands))
    return low, high, numbers


# Engine "trial": random sparse candidates, each tried until its first conflict.
#
# The method is Tord Romstad's, from the program that found the magics of Glaurung: AND a few
# random words, look at the top byte of mask * magic, then try all occupancies. It finds and
# never proves. New here are the order of the occupancies, the table that is never cleared, and
# the numbered candidates (see drawing.py). Where a white magic can be built instead (H.G. Muller's
# idea), nothing is tried.

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

BLOCK, USUAL_BITS = 1 << 18, 12
"""Candidates that a kernel tries between two looks at the clock, of at most so many index bits: a
few milliseconds. Each further bit halves them, for a larger table is slower."""


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Find a magic; UNKNOWN where the budget ends first.

    With `everything` it collects distinct magics until the budget ends; they are never
    known to be all. Raises InputError for a formula that has no compiled reading.
    """
    impossible = too_few_slots(request.cell)
    if impossible is not None:
        return impossible
    constructed = constructed_magic(request) if request.options["construct"] else None
    if constructed is not None:
        return Exists((constructed,), figures={"constructed": 1})
    if request.cell.target.width > TWO_LANES:
        return Unknown(ONLY_BUILT)
    search = _Search(request, observer)
    try:
        reason = search.run()
    except KeyboardInterrupt:
        reason = "interrupted"
    if search.magics:
        progress = f"{search.candidates_done:,} candidates tried" if request.everything else ""
        return Exists(tuple(search.magics.values()), figures=search.figures(), progress=progress)
    return Unknown(reason, f"{search.candidates_done:,} candidates tried", search.figures())


def constructed_magic(request: EngineRequest) -> int | None:
    """A magic without a trial: white, as many bits as the mask has squares, one magic wanted."""
    cell = request.cell
    if cell.scheme.name != "white" or cell.largest_index is not None or request.everything:
        return None
    if not isinstance(cell.target, Slider | Mover):
        return None  # of keys the mask says little
    key = stream_key(request.seed, cell.target.stream)
    return construct_magic(cell.mask, cell.bits, cell.target.width, key)


def loop_of(cell: Cell, drawing: Drawing, key: int) -> Loop:
    """The compiled loop; without numba the one in numpy, which is slower but finds the same.

    Raises InputError for a formula that has no compiled reading, and for too many bits.
    """
    check_bits(cell)
    if cell.target.width > 64 or (isinstance(cell.target, Mover) and cell.distinct > MOST_NUMBERS):
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
    """One request. `magics` holds the magics by their residue modulo the cell's period: those of
    one residue give the same products. `candidates_done` counts candidates.
    """

    def __init__(self, request: EngineRequest, observer: Observer) -> None:
        cell, options = request.cell, request.options
        self.request = request
        self.observer = observer
        self.budget: int = options["candidates"]
        key = stream_key(request.seed, cell.target.stream)
        self.loop = loop_of(cell, drawing_of(cell, options["ands"], options["top"]), key)
        self.block = max(1, BLOCK >> max(0, cell.bits - USUAL_BITS))
        self.magics: dict[int, int] = {}
        self.candidates_done = self.looked_up = self.lookups = 0
        self.lock = Lock()
        self.deadline = Deadline.after(request.seconds)

    def run(self) -> str:
        """Try block after block; the reason why it ended."""
        workers = min(self.request.workers, os.cpu_count() or 1)
        tables = [np.zeros(1 << self.request.cell.bits, dtype=U) for _ in range(workers)]
        if workers == 1:
            return self._rounds(tables, map)
        with ThreadPoolExecutor(workers) as pool:
            return self._rounds(tables, pool.map)

    def _rounds(self, tables: list[Any], run_all: Callable[..., Any]) -> str:
        """Each round gives every table the next block; the least number found wins."""
        while self.candidates_done < self.budget:
            firsts = [self.candidates_done + self.block * place for place in range(len(tables))]
            ends = [min(first + self.block, self.budget) for first in firsts]
            numbered_magics = [
                hit for hits in run_all(self._block, firsts, ends, tables) for hit in hits
            ]
            if numbered_magics and not self.request.everything:
                number, magic = min(numbered_magics)
                self.magics[magic % self.request.cell.period] = magic
                self.candidates_done = number + 1
                return "found"
            for _, magic in numbered_magics:
                self.magics.setdefault(magic % self.request.cell.period, magic)
            self.candidates_done = ends[-1]
            self.observer.progress(
                self.candidates_done, None, f"of at most {self.budget:,} candidates"
            )
            if self.deadline.over:
                return "out of time"
        return "budget of candidates spent"

    def _block(self, first: int, end: int, table: Any) -> list[tuple[int, int]]:  # noqa: ANN401
        """The magics among candidates [first, end), by number; the first only, or all."""
        hits: list[tuple[int, int]] = []
        while first < end:
            number, magic, looked_up, lookups = map(int, self.loop(first, end, table))
            with self.lock:
                self.looked_up += looked_up
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
            "candidates": self.candidates_done,
            "looked up": self.looked_up,
        }
        if self.lookups:
            figures["lookups each"] = self.lookups / max(1, self.looked_up)
        return figures
