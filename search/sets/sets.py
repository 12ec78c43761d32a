"""Sets: a magic for every square of one piece or of both, by any engine."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event

from magicert.board import FIXED_BITS, MOVEMENTS, Piece, mask
from magicert.cell import Cell, slider_of, square_cell
from magicert.engine import Engine, Observer, Request
from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme
from magicert.search.finders.counting import too_few_slots
from magicert.search.sets.magic_list import Magic, Square
from magicert.system.threads import set_on_error
from magicert.table import PieceTable, Provenance, Table


def cells_of(
    scheme: Scheme, pieces: Iterable[Piece], bits: int | None = None, fixed_shift: bool = False
) -> tuple[Cell, ...]:
    """The cells of a set: c bits each, `bits` each, or those of the widest mask of the piece.

    Raises InputError with the problems of all cells.
    """
    cells = []
    problems: list[Problem] = []
    for piece in pieces:
        for square in range(64):
            c = FIXED_BITS[piece] if fixed_shift else mask(piece, square).bit_count()
            cell = square_cell(scheme, piece, square, c if bits is None else bits)
            try:
                cell.check()
            except InputError as error:
                problems += error.problems
            cells.append(cell)
    if problems:
        raise InputError(dict.fromkeys(problems))
    return tuple(cells)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a set reports while it grows: `found` is called once for each new magic."""

    observer: Observer
    found: Callable[[Cell, Magic], None]


def find_set(
    engine: Engine, cells: tuple[Cell, ...], request: Request, progress: Progress
) -> dict[Square, Outcome]:
    """Ask the engine about every cell; the outcomes of those that have no magic.

    `request` is the pattern of the requests (its cell is ignored): `seconds` is for the
    whole set, `workers` is how many squares are searched at once. An answer depends on its
    cell and on the seed alone, not on the others. Where counting already says that some
    squares have too few slots, nothing is searched. An interruption ends the set; every cell
    that it leaves open is UNKNOWN.
    """
    return _Set(engine, cells, request, progress).run()


class _Stopped:
    """An observer that interrupts an engine when the set was interrupted."""

    def __init__(self, stop: Event, inner: Observer) -> None:
        self.stop = stop
        self.inner = inner

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt

    def say(self, message: str) -> None:
        self.inner.say(message)


class _Set:
    def __init__(
        self, engine: Engine, cells: tuple[Cell, ...], request: Request, progress: Progress
    ) -> None:
        self.engine = engine
        self.cells = cells
        self.request = request
        self.report = progress
        self.stop = Event()
        self.started = time.monotonic()
        self.open: dict[Square, Outcome] = {}
        self.done = 0

    def run(self) -> dict[Square, Outcome]:
        """One after another, or several at once in threads (kernels release the lock)."""
        for cell in self.cells:
            impossible = too_few_slots(cell)
            if impossible is not None:
                self.open[slider_of(cell).place] = impossible
        if self.open:
            # No use in searching the rest.
            return self.open
        if self.request.workers == 1:
            for cell in self.cells:
                self._take(cell, self._answer(cell))
        else:
            self._run_in_threads()
        return self.open

    def _run_in_threads(self) -> None:
        with ThreadPoolExecutor(self.request.workers) as pool, set_on_error(self.stop):
            futures: dict[Future[Outcome], Cell] = {
                pool.submit(self._answer, cell): cell for cell in self.cells
            }
            taken: set[Future[Outcome]] = set()
            while len(taken) < len(futures):
                try:
                    # A short wait, so that an interruption is heard.
                    done, _ = wait(set(futures) - taken, 0.1, "FIRST_COMPLETED")
                except KeyboardInterrupt:
                    self.stop.set()
                    continue
                for future in done:
                    taken.add(future)
                    self._take(futures[future], future.result())

    def _answer(self, cell: Cell) -> Outcome:
        seconds = self.request.seconds
        if self.stop.is_set():
            return Unknown("interrupted")
        if seconds is not None:
            seconds -= time.monotonic() - self.started
            if seconds <= 0:
                return Unknown("out of time")
        request = replace(self.request, cell=cell, seconds=seconds, workers=1)
        try:
            return self.engine.solve(request, _Stopped(self.stop, self.report.observer))
        except KeyboardInterrupt:
            return Unknown("interrupted")

    def _take(self, cell: Cell, outcome: Outcome) -> None:
        match outcome:
            case Exists():
                self.report.found(cell, Magic(cell.bits, outcome.magic))
            case Impossible():
                self.open[slider_of(cell).place] = outcome
            case Unknown():
                self.open[slider_of(cell).place] = outcome
                if outcome.reason == "interrupted":
                    self.stop.set()
        self.done += 1
        self.report.observer.progress(self.done, len(self.cells))


def table_of(
    scheme: Scheme, magics: dict[Square, Magic], name: str, provenance: Provenance
) -> Table:
    """The table of a whole set: squares one after another, each with 2^bits slots."""
    pieces: dict[str, PieceTable] = {}
    for piece in Piece:
        own = [magics[piece, square] for square in range(64) if (piece, square) in magics]
        if not own:
            continue
        bits = tuple(magic.bits for magic in own)
        parameters = {"magic": tuple(magic.magic for magic in own)}
        if "bits" in scheme.parameters:
            parameters["bits"] = bits[:1] if len(set(bits)) == 1 else bits
        size = sum(1 << k for k in bits) if scheme.name != "custom" else None
        pieces[piece] = PieceTable(
            piece, MOVEMENTS[piece], scheme.formula, parameters, buffer_size=size
        )
    return Table(name, pieces, provenance=provenance)
