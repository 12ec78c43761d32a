"""Sets: a magic for every square of some pieces of any board, by any engine."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from threading import Event

from magicert.atlas import read_atlas
from magicert.cell import Cell
from magicert.chess import Piece, mask
from magicert.data import atlas_path
from magicert.engine import Engine, EngineRequest
from magicert.known_magics import checked_against_known, solve_checked
from magicert.outcome import Exists, Observer, Outcome, Unknown
from magicert.search.finders.drawing import too_few_slots
from magicert.search.finders.trial import MOST_BITS
from magicert.system.deadline import Deadline
from magicert.system.processes import set_on_error
from magicert.targets import Slider

Square = tuple[str, int]
"""A piece by its name, and a square."""


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic and its number of index bits."""

    bits: int
    magic: int


SHORT_CANDIDATES = 1 << 22
"""Trial's candidates before one bit more is given to a square, or one bit fewer given up."""
MOST_EXTRA_BITS = 2
"""How many bits more."""


@cache
def atlas_magics(scheme: str) -> dict[Square, Magic]:
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
    seconds for the whole set, and as many workers as squares are searched at once.
    `short_candidates` is how many candidates trial spends where another number of bits may be
    tried.

    With `fewer_bits` fewer bits than a cell has are tried; with `extra_bits` more, where a short
    search meets no magic of a piece that is not chess's: twice the slots for one square are better
    than no table.
    """

    engine: Engine
    request: EngineRequest
    fewer_bits: bool = False
    extra_bits: bool = False
    short_candidates: int = SHORT_CANDIDATES

    def takes(self, cell: Cell, bits: int) -> bool:
        """Whether a magic of so many bits will do for a cell."""
        within_extra = self.extra_bits and cell.bits < bits <= cell.bits + MOST_EXTRA_BITS
        return bits == cell.bits or within_extra or (self.fewer_bits and bits < cell.bits)


MagicCallback = Callable[[Square, Magic], None]
"""Called once for each new magic."""


def search_cells(
    cells: Mapping[Square, Cell], plan: SetPlan, observer: Observer, on_magic: MagicCallback
) -> dict[Square, Outcome]:
    """Ask the engine about every cell; the outcomes of those that have no magic.

    An answer depends on its cell and on the seed alone, not on the others. Where counting already
    says that some squares have too few slots, nothing is searched. An interruption ends the set;
    every cell that it leaves open is UNKNOWN.
    """
    return _SetSearch(cells, plan, observer, on_magic).run()


class _InterruptibleObserver:
    """An observer that interrupts an engine when the set was interrupted."""

    def __init__(self, stop: Event, inner: Observer) -> None:
        self.stop = stop
        self.say = inner.say

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt


class _SetSearch:
    def __init__(
        self,
        cells: Mapping[Square, Cell],
        plan: SetPlan,
        observer: Observer,
        on_magic: MagicCallback,
    ) -> None:
        self.cells = cells
        self.plan = plan
        self.observer = observer
        self.on_magic = on_magic
        self.stop = Event()
        self.deadline = Deadline.after(plan.request.seconds)
        self.open_cells: dict[Square, Outcome] = {}
        self.finished_cells = 0

    def run(self) -> dict[Square, Outcome]:
        """One after another, or several at once in threads (kernels release the lock)."""
        for square, cell in self.cells.items():
            impossible = None if self.is_over() else too_few_slots(cell)
            if impossible is not None:
                self.open_cells[square] = checked_against_known(cell, impossible)
        if self.open_cells:
            # No use in searching the rest.
            return self.open_cells
        if self.plan.request.workers == 1:
            for square, cell in self.cells.items():
                self.record(square, *self.best_outcome(cell))
        else:
            self.run_in_threads()
        return self.open_cells

    def run_in_threads(self) -> None:
        with ThreadPoolExecutor(self.plan.request.workers) as pool, set_on_error(self.stop):
            futures: dict[Future[tuple[int, Outcome]], Square] = {
                pool.submit(self.best_outcome, cell): square for square, cell in self.cells.items()
            }
            pending = set(futures)
            while pending:
                try:
                    # A short wait, so that an interruption is heard.
                    finished, pending = wait(pending, 0.1, "FIRST_COMPLETED")
                except KeyboardInterrupt:
                    self.stop.set()
                    continue
                for future in finished:
                    self.record(futures[future], *future.result())

    def is_over(self) -> str:
        """Why nothing more is tried, or ""."""
        if self.stop.is_set():
            return "interrupted"
        return "out of time" if self.deadline.over else ""

    def best_outcome(self, cell: Cell) -> tuple[int, Outcome]:
        """The bits of a magic, or those that were asked about, with the outcome."""
        if over := self.is_over():
            return cell.bits, Unknown(over)
        bits, best = cell.bits, self.run_engine(cell, cell.bits)
        for other_bits, short in self.other_widths(cell, isinstance(best, Exists)):
            if self.is_over():
                break
            outcome = self.run_engine(cell, other_bits, short=short)
            if isinstance(outcome, Exists):
                bits, best = other_bits, outcome
            if isinstance(outcome, Exists) is not self.plan.fewer_bits:
                break
        return bits, best

    def other_widths(self, cell: Cell, has_magic: bool) -> Iterator[tuple[int, bool]]:
        """Other numbers of bits to try, and whether shortly: fewer while there are magics, or more
        until there is one.
        """
        if self.tries_fewer(cell):
            yield from ((bits, True) for bits in range(cell.bits - 1, 0, -1) if has_magic)
        elif self.may_add_bits(cell) and not has_magic:
            most = min(MOST_BITS, cell.bits + MOST_EXTRA_BITS)
            yield from ((bits, bits < most) for bits in range(cell.bits + 1, most + 1))

    def may_add_bits(self, cell: Cell) -> bool:
        return self.plan.extra_bits and not isinstance(cell.target, Slider)

    def tries_fewer(self, cell: Cell) -> bool:
        """Not where the atlas knows better than chance."""
        in_atlas = isinstance(cell.target, Slider) and atlas_magics(cell.scheme.name)
        return self.plan.fewer_bits and not in_atlas

    def run_engine(self, cell: Cell, bits: int, short: bool | None = None) -> Outcome:
        """The engine's answer; a short one where another number of bits may be tried."""
        request = self.plan.request
        options = dict(request.options)
        if short is None:
            short = self.tries_fewer(cell) or self.may_add_bits(cell)
        if short and "candidates" in options:
            options["candidates"] = self.plan.short_candidates
        seconds = None if request.seconds is None else max(0.001, self.deadline.left)
        engine_request = replace(
            request, cell=replace(cell, bits=bits), seconds=seconds, workers=1, options=options
        )
        try:
            return solve_checked(
                self.plan.engine, engine_request, _InterruptibleObserver(self.stop, self.observer)
            )
        except KeyboardInterrupt:
            self.stop.set()
            return Unknown("interrupted")

    def record(self, square: Square, bits: int, outcome: Outcome) -> None:
        if isinstance(outcome, Exists):
            self.on_magic(square, Magic(bits, outcome.magic))
        else:
            self.open_cells[square] = outcome
            if isinstance(outcome, Unknown) and outcome.reason == "interrupted":
                self.stop.set()
        self.finished_cells += 1
        self.observer.progress(self.finished_cells, len(self.cells))
