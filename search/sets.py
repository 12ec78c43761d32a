"""Sets: a magic for every square of some pieces of any board, by any engine."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from threading import Event

from magicert.atlas import read_atlas
from magicert.board import Piece, mask
from magicert.cell import Cell, Slider
from magicert.data import atlas_path
from magicert.engine import Engine, EngineRequest
from magicert.known_magics import checked_against_known, solve_checked
from magicert.outcome import Exists, Observer, Outcome, Unknown
from magicert.search.finders.drawing import too_few_slots
from magicert.search.finders.trial import MOST_BITS
from magicert.system.deadline import Deadline
from magicert.system.processes import set_on_error

Square = tuple[str, int]
"""A piece by its name, and a square."""


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic and its number of index bits."""

    bits: int
    magic: int


SHORT = 1 << 22
"""Trial's candidates before one bit more is given to a square, or one bit fewer given up."""
MOST_ROOM = 2
"""How many bits more."""


@cache
def known_magics(scheme: str) -> dict[Square, Magic]:
    """Of each square of chess the known magic of fewest bits, fewer than c: the atlas's."""
    if scheme not in ("white", "black"):
        return {}
    atlas = read_atlas(atlas_path(scheme))
    places = [(piece, square) for piece in Piece for square in range(64)]
    return {
        place: Magic(best.bits, int(best.magic, 16))
        for place in places
        if (best := atlas.best(*place)) and best.bits < mask(*place).bit_count()
    }


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What is asked of all squares alike: `request` is the pattern (its cell is ignored), with
    seconds for the whole set, and as many workers as squares are searched at once. `short` is how
    many candidates trial spends where another number of bits may be tried.

    `fewer` tries fewer bits than a cell has; `room` gives more where a short search meets no magic
    of a piece that is not chess's: twice the slots for one square are better than no table.
    """

    engine: Engine
    request: EngineRequest
    fewer: bool = False
    room: bool = False
    short: int = SHORT

    def takes(self, cell: Cell, bits: int) -> bool:
        """Whether a magic of so many bits will do for a cell."""
        more = self.room and cell.bits < bits <= cell.bits + MOST_ROOM
        return bits == cell.bits or more or (self.fewer and bits < cell.bits)


Found = Callable[[Square, Magic], None]
"""Called once for each new magic."""


def find_all(
    cells: Mapping[Square, Cell], plan: SetPlan, observer: Observer, found: Found
) -> dict[Square, Outcome]:
    """Ask the engine about every cell; the outcomes of those that have no magic.

    An answer depends on its cell and on the seed alone, not on the others. Where counting already
    says that some squares have too few slots, nothing is searched. An interruption ends the set;
    every cell that it leaves open is UNKNOWN.
    """
    return _Set(cells, plan, observer, found).run()


class _Stopped:
    """An observer that interrupts an engine when the set was interrupted."""

    def __init__(self, stop: Event, inner: Observer) -> None:
        self.stop = stop
        self.say = inner.say

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt


class _Set:
    def __init__(
        self, cells: Mapping[Square, Cell], plan: SetPlan, observer: Observer, found: Found
    ) -> None:
        self.cells = cells
        self.plan = plan
        self.observer = observer
        self.found = found
        self.stop = Event()
        self.deadline = Deadline.after(plan.request.seconds)
        self.open: dict[Square, Outcome] = {}
        self.done = 0

    def run(self) -> dict[Square, Outcome]:
        """One after another, or several at once in threads (kernels release the lock)."""
        for square, cell in self.cells.items():
            impossible = None if self.is_over() else too_few_slots(cell)
            if impossible is not None:
                self.open[square] = checked_against_known(cell, impossible)
        if self.open:
            # No use in searching the rest.
            return self.open
        if self.plan.request.workers == 1:
            for square, cell in self.cells.items():
                self.take(square, *self.answer(cell))
        else:
            self.run_in_threads()
        return self.open

    def run_in_threads(self) -> None:
        with ThreadPoolExecutor(self.plan.request.workers) as pool, set_on_error(self.stop):
            futures: dict[Future[tuple[int, Outcome]], Square] = {
                pool.submit(self.answer, cell): square for square, cell in self.cells.items()
            }
            left = set(futures)
            while left:
                try:
                    # A short wait, so that an interruption is heard.
                    done, left = wait(left, 0.1, "FIRST_COMPLETED")
                except KeyboardInterrupt:
                    self.stop.set()
                    continue
                for future in done:
                    self.take(futures[future], *future.result())

    def is_over(self) -> str:
        """Why nothing more is tried, or ""."""
        if self.stop.is_set():
            return "interrupted"
        return "out of time" if self.deadline.over else ""

    def answer(self, cell: Cell) -> tuple[int, Outcome]:
        """The bits of a magic, or those that were asked about, with the outcome."""
        if over := self.is_over():
            return cell.bits, Unknown(over)
        bits, best = cell.bits, self.ask(cell, cell.bits)
        for other, short in self.others(cell, isinstance(best, Exists)):
            if self.is_over():
                break
            outcome = self.ask(cell, other, short=short)
            if isinstance(outcome, Exists):
                bits, best = other, outcome
            if isinstance(outcome, Exists) is not self.plan.fewer:
                break
        return bits, best

    def others(self, cell: Cell, found: bool) -> Iterator[tuple[int, bool]]:
        """Other numbers of bits to try, and whether shortly: fewer while there are magics, or more
        until there is one.
        """
        if self.tries_fewer(cell):
            yield from ((bits, True) for bits in range(cell.bits - 1, 0, -1) if found)
        elif self.has_room(cell) and not found:
            most = min(MOST_BITS, cell.bits + MOST_ROOM)
            yield from ((bits, bits < most) for bits in range(cell.bits + 1, most + 1))

    def has_room(self, cell: Cell) -> bool:
        return self.plan.room and not isinstance(cell.target, Slider)

    def tries_fewer(self, cell: Cell) -> bool:
        """Not where the atlas knows better than chance."""
        in_atlas = isinstance(cell.target, Slider) and known_magics(cell.scheme.name)
        return self.plan.fewer and not in_atlas

    def ask(self, cell: Cell, bits: int, short: bool | None = None) -> Outcome:
        """The engine's answer; a short one where another number of bits may be tried."""
        request = self.plan.request
        options = dict(request.options)
        if short is None:
            short = self.tries_fewer(cell) or self.has_room(cell)
        if short and "candidates" in options:
            options["candidates"] = self.plan.short
        seconds = None if request.seconds is None else max(0.001, self.deadline.left)
        asked = replace(
            request, cell=replace(cell, bits=bits), seconds=seconds, workers=1, options=options
        )
        try:
            return solve_checked(self.plan.engine, asked, _Stopped(self.stop, self.observer))
        except KeyboardInterrupt:
            self.stop.set()
            return Unknown("interrupted")

    def take(self, square: Square, bits: int, outcome: Outcome) -> None:
        if isinstance(outcome, Exists):
            self.found(square, Magic(bits, outcome.magic))
        else:
            self.open[square] = outcome
            if isinstance(outcome, Unknown) and outcome.reason == "interrupted":
                self.stop.set()
        self.done += 1
        self.observer.progress(self.done, len(self.cells))
