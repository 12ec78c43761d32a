"""Sets: a magic for every square of some pieces of any board, by any engine; lists in files.

    scheme = "white"
    command = "magicert find --set --seed 1"

    [rook]
    a1 = { bits = 12, magic = "0x0a8002c000108020" }

Further keys of the top level are texts that say where the magics come from. Pieces and squares
are those of chess, or of another board.
"""

import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

from magicert.atlas import read_atlas
from magicert.board import CHESS, Board, Piece, mask
from magicert.cell import Cell, Slider
from magicert.data import atlas_path
from magicert.engine import Engine, EngineRequest
from magicert.outcome import Exists, Observer, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.search.finders.drawing import too_few_slots
from magicert.search.finders.trial import MOST_BITS
from magicert.system.processes import set_on_error
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole

Square = tuple[str, int]
"""A piece by its name, and a square."""


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic and its number of index bits."""

    bits: int
    magic: int


@dataclass(frozen=True, slots=True)
class MagicList:
    """Magics of a scheme by piece and square; `texts` are the other keys of the file."""

    scheme: str
    magics: Mapping[Square, Magic]
    texts: Mapping[str, str] = field(default_factory=dict)
    board: Board = CHESS


def write_magic_list(listed: MagicList, path: Path, comment: str) -> None:
    """Write the file in one step."""
    lines = [f"# {comment}", f"scheme = {quoted(listed.scheme)}"]
    lines += [f"{key} = {quoted(text)}" for key, text in listed.texts.items()]
    digits = 2 + listed.board.word // 4
    for piece in sorted({piece for piece, _ in listed.magics}, key=_rank):
        lines += ["", f"[{piece}]"]
        lines += [
            f'{listed.board.name(s)} = {{ bits = {m.bits}, magic = "{m.magic:#0{digits}x}" }}'
            for (p, s), m in sorted(listed.magics.items())
            if p == piece
        ]
    write_whole(path, "\n".join(lines) + "\n")


def _rank(piece: str) -> tuple[int, str]:
    """Chess's pieces in their order, others by name."""
    return ([*Piece, piece].index(piece), piece)


def read_magic_list(
    path: Path, board: Board = CHESS, pieces: Sequence[str] = tuple(Piece)
) -> MagicList:
    """Read a file about these pieces; InputError with every problem, OSError if it cannot be
    opened.
    """
    problems: list[Problem] = []
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"not a TOML file: {error}", file=str(path))]) from None
    magics: dict[Square, Magic] = {}
    for piece in pieces:
        entries = document.pop(str(piece), {})
        if not isinstance(entries, dict):
            problems.append(Problem(f"found {entries!r}: expected a section", key=str(piece)))
            continue
        for name, entry in entries.items():
            try:
                magics[piece, board.parse(name)] = _magic(entry, board.word)
            except ValueError as error:
                problems.append(Problem(str(error), key=f"{piece}.{name}"))
    texts = {key: value for key, value in document.items() if isinstance(value, str)}
    problems += [Problem("expected a text", key=key) for key in document if key not in texts]
    if "scheme" not in texts:
        problems.append(Problem("missing", key="scheme"))
    if problems:
        raise InputError(p.at(str(path), p.key, None) for p in problems)
    return MagicList(texts.pop("scheme"), magics, texts, board)


def _magic(entry: Any, width: int) -> Magic:  # noqa: ANN401
    expected = 'expected such as { bits = 10, magic = "0x1234" }'
    if not isinstance(entry, dict) or set(entry) != {"bits", "magic"}:
        raise ValueError(f"found {entry!r}: {expected}")
    bits, text = entry["bits"], entry["magic"]
    if type(bits) is not int or not 1 <= bits <= 32:
        raise ValueError(f"bits {bits!r}: expected 1 to 32")
    try:
        magic = int(text, 16) if isinstance(text, str) and text.startswith("0x") else -1
    except ValueError:
        magic = -1
    if not 0 <= magic < 1 << width:
        digits = width // 4
        raise ValueError(f"magic {text!r}: expected 0x and at most {digits} hexadecimal digits")
    return Magic(bits, magic)


# Sets: a magic for every square of some pieces of any board, by any engine.

SHORT = 1 << 22
"""Trial's candidates before one bit more is given to a square, or one bit fewer given up."""
MOST_ROOM = 2
"""How many bits more."""


@cache
def known_magics(scheme: str) -> dict[Square, Magic]:
    """Of each square of chess the known magic of fewest bits, fewer than c: the atlas's."""
    best: dict[Square, Magic] = {}
    if scheme not in ("white", "black"):
        return best
    for entry in read_atlas(atlas_path(scheme)).entries.values():
        piece, square, _ = entry.key
        limit = best[piece, square].bits if (piece, square) in best else None
        fewer = entry.bits < (limit or mask(piece, square).bit_count())
        if entry.state == "exists" and fewer:
            best[piece, square] = Magic(entry.bits, int(entry.magic, 16))
    return best


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
        self.started = time.monotonic()
        self.open: dict[Square, Outcome] = {}
        self.done = 0

    def run(self) -> dict[Square, Outcome]:
        """One after another, or several at once in threads (kernels release the lock)."""
        for square, cell in self.cells.items():
            impossible = None if self.is_over() else too_few_slots(cell)
            if impossible is not None:
                self.open[square] = impossible
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
        seconds = self.plan.request.seconds
        return "out of time" if seconds is not None and self.left() <= 0 else ""

    def left(self) -> float:
        """The seconds that are left."""
        return (self.plan.request.seconds or 0) - (time.monotonic() - self.started)

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
        return self.plan.room and not isinstance(cell.about, Slider)

    def tries_fewer(self, cell: Cell) -> bool:
        """Not where the atlas knows better than chance."""
        in_atlas = isinstance(cell.about, Slider) and known_magics(cell.scheme.name)
        return self.plan.fewer and not in_atlas

    def ask(self, cell: Cell, bits: int, short: bool | None = None) -> Outcome:
        """The engine's answer; a short one where another number of bits may be tried."""
        request = self.plan.request
        options = dict(request.options)
        if short is None:
            short = self.tries_fewer(cell) or self.has_room(cell)
        if short and "candidates" in options:
            options["candidates"] = self.plan.short
        seconds = None if request.seconds is None else max(0.001, self.left())
        asked = replace(
            request, cell=replace(cell, bits=bits), seconds=seconds, workers=1, options=options
        )
        try:
            return self.plan.engine.solve(asked, _Stopped(self.stop, self.observer))
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
