"""Find a magic for every square: searched, kept when interrupted, verified, written."""

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from magicert.board import Piece, square_name
from magicert.cell import Cell, first_conflict, slider_of
from magicert.engine import ENGINES, Observer, Request, load, option_values
from magicert.jobs.find import check_magics
from magicert.jobs.sets.left import Left, decisive, keep, partial_of
from magicert.jobs.sets.whole import found_by, write_verified
from magicert.outcome import Exists, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme, resolve_scheme
from magicert.search.sets.known import with_fewer_bits
from magicert.search.sets.magic_list import Magic, MagicList, Square, read_magic_list
from magicert.search.sets.sets import Progress, cells_of, table_of
from magicert.search.sets.sets import find_set as search_set


@dataclass(frozen=True, slots=True)
class SetWanted:
    """What is asked: a magic for every square of these pieces.

    Index bits: `bits` for all squares, or those of the widest mask (`fixed_shift`), or
    popcount(mask), less where a magic of fewer bits is known (`fewer_bits`). `seconds` is for
    the whole set; `options` are the engine's own, as texts; `output` None writes no file.
    """

    pieces: tuple[Piece, ...] = tuple(Piece)
    scheme: str = "white"
    bits: int | None = None
    fixed_shift: bool = False
    fewer_bits: bool = False
    engine: str | None = None
    seconds: float | None = None
    memory: int | None = None
    seed: int = 1
    workers: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    output: Path | None = None

    @property
    def engine_name(self) -> str:
        """The engine asked for, or the first one."""
        return self.engine or next(iter(ENGINES))

    @property
    def command(self) -> str:
        """The command that finds the same magics; it names what differs from the defaults."""
        parts = ["magicert", "find", "--set"]
        if self.pieces != tuple(Piece):
            parts += ["--piece", self.pieces[0]]
        if self.scheme != "white":
            parts += ["--scheme", self.scheme]
        if self.bits is not None:
            parts += ["--bits", str(self.bits)]
        parts += ["--fixed-shift"] * self.fixed_shift + ["--fewer-bits"] * self.fewer_bits
        parts += ["--engine", self.engine_name, "--seed", str(self.seed)]
        for name, value in sorted(self.options.items()):
            parts += ["-O", f"{name}={value}"]
        return shlex.join(parts)


@dataclass(frozen=True, slots=True)
class SetFound:
    """A whole set. `text` is the table file, verified exhaustively in `lookups` lookups;
    `sizes` says how many slots each piece takes.
    """

    exit_status: ClassVar[int] = Exists.exit_status
    scheme: str
    squares: int
    magics: Mapping[Square, Magic]
    sizes: tuple[str, ...]
    text: str
    lookups: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLeft(Left[Piece]):
    """A set with squares left open. Every one of `magics` has been checked for all occupancies."""

    scheme: str


def find_set(wanted: SetWanted, observer: Observer) -> SetFound | SetLeft:
    """Search what is missing; verify and write the table, or keep what there is.

    The same question again goes on from what an interrupted one has kept. Raises InputError
    for a question that is none, and for a kept file that does not belong to it.
    """
    started = time.monotonic()
    if wanted.output is not None and not wanted.output.parent.is_dir():
        raise InputError([Problem("no such folder", file=str(wanted.output.parent))])
    scheme = resolve_scheme(wanted.scheme)
    cells = cells_of(scheme, wanted.pieces, wanted.bits, wanted.fixed_shift)
    magics: dict[Square, Magic] = {}
    if wanted.fewer_bits:
        cells, magics = with_fewer_bits(cells)
        if not magics:
            message = f"no magics of fewer bits are known for scheme {scheme.name}"
            raise InputError([Problem(message, key="--fewer-bits")])
    engine = load(wanted.engine_name)
    request = Request(
        cell=cells[0],
        seconds=wanted.seconds,
        memory=wanted.memory,
        seed=wanted.seed,
        workers=wanted.workers,
        options=option_values(engine, wanted.options),
    )
    magics |= _kept(wanted, cells, observer)

    def found(cell: Cell, magic: Magic) -> None:
        magics[slider_of(cell).place] = magic

    missing = tuple(cell for cell in cells if slider_of(cell).place not in magics)
    try:
        left = search_set(engine, missing, request, Progress(observer, found))
        if not left:
            return _whole(wanted, scheme, magics, started)
    except KeyboardInterrupt:
        # Between two squares, or while the whole set was being verified.
        open_squares = (slider_of(cell).place for cell in missing)
        left = {s: Unknown("interrupted") for s in open_squares if s not in magics}
    return _left(wanted, cells, magics, left)


def _kept(wanted: SetWanted, cells: tuple[Cell, ...], observer: Observer) -> dict[Square, Magic]:
    """What an interrupted run of the same command has left, each magic checked."""
    partial = wanted.output and partial_of(wanted.output)
    if partial is None or not partial.exists():
        return {}
    listed = read_magic_list(partial)
    if listed.texts.get("command") != wanted.command:
        message = (
            f"left by another command ({listed.texts.get('command')}): "
            "remove it, or choose another output"
        )
        raise InputError([Problem(message, file=str(partial))])
    kept: dict[Square, Magic] = {}
    problems = []
    for cell in cells:
        piece, square = place = slider_of(cell).place
        magic = listed.magics.get(place)
        if magic is None:
            continue
        where = f"{piece}.{square_name(square)}"
        if magic.bits != cell.bits:
            message = f"{magic.bits} bits: expected {cell.bits}"
            problems.append(Problem(message, str(partial), where))
        elif first_conflict(cell, magic.magic) is not None:
            message = f"{magic.magic:#x} is no magic of {cell.bits} bits"
            problems.append(Problem(message, str(partial), where))
        kept[place] = magic
    if problems:
        raise InputError(problems)
    observer.say(f"resumed from {partial}: {len(listed.magics)} squares")
    return kept


def _whole(
    wanted: SetWanted, scheme: Scheme, magics: dict[Square, Magic], started: float
) -> SetFound:
    """The set, once its table is verified and written."""
    sizes = tuple(
        f"{piece} {sum(1 << m.bits for (p, _), m in magics.items() if p is piece):,} slots"
        for piece in wanted.pieces
    )
    name = f"magicert {scheme.name}, {' and '.join(sizes)}"
    table = table_of(scheme, magics, name, found_by(wanted.command, wanted.seed))
    written = write_verified(table, wanted.output)
    seconds = time.monotonic() - started
    return SetFound(scheme.name, len(magics), magics, sizes, written.text, written.lookups, seconds)


def _left(
    wanted: SetWanted,
    cells: tuple[Cell, ...],
    magics: dict[Square, Magic],
    left: dict[Square, Outcome],
) -> SetLeft:
    """Check what there is, and keep it unless no search can complete it."""
    for cell in cells:
        if slider_of(cell).place in magics:
            magic = magics[slider_of(cell).place].magic
            check_magics(cell, [magic], f"engine {wanted.engine_name}")
    scheme = cells[0].scheme.name
    listed = MagicList(scheme, magics, {"command": wanted.command})
    partial = keep(listed, left, wanted.output)
    return SetLeft(
        scheme=scheme, squares=len(cells), magics=magics, left=decisive(left), partial=partial
    )
