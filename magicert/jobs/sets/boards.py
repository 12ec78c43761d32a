"""Find a magic for every square of some pieces on any board: a verified table."""

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from magicert.board import CHESS, Board, Movement, Piece
from magicert.engine import Observer
from magicert.formula import parse
from magicert.jobs.boards.forms import TableForm, parts_of, questions_of
from magicert.jobs.boards.sizes import bytes_of, entry_bits
from magicert.jobs.sets.left import Left, decisive, keep, partial_of
from magicert.jobs.sets.whole import found_by, write_verified
from magicert.outcome import Exists, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.search.boards.all_squares import SetPlan, Square, find_all
from magicert.search.boards.blockers import MagicQuestion
from magicert.search.boards.finder import CANDIDATES, Effort, is_magic
from magicert.search.sets.magic_list import Magic, MagicList, read_magics_of
from magicert.system.toml_text import quoted
from magicert.table import PieceTable, Table, TwoLevel
from magicert.verify.table.budget import MAX_LOOKUPS

MOST_LOOKUPS = 1 << 26
"""More would take hours to verify."""
CANDIDATES_OF_FEWER = 1 << 22
"""Where fewer bits are a hope only, less is spent on each square."""


@dataclass(frozen=True, slots=True)
class BoardSet:
    """What is asked: a magic for every square of these pieces. `texts` are the pieces as given.

    `bits` None: as many as the mask has squares; with `fewer_bits` fewer where chance finds some.
    """

    board: Board
    pieces: Mapping[str, Movement]
    texts: tuple[str, ...]
    form: TableForm = field(default_factory=TableForm)
    bits: int | None = None
    fewer_bits: bool = False
    candidates: int | None = None
    seconds: float | None = None
    seed: int = 1
    workers: int = 1
    output: Path | None = None

    @property
    def command(self) -> str:
        """The command that finds the same magics."""
        parts = ["magicert", "find", "--set", "--board", str(self.board)]
        for text in self.texts:
            parts += ["--piece", text]
        parts += self.form.options
        if self.bits is not None:
            parts += ["--bits", str(self.bits)]
        parts += ["--fewer-bits"] * self.fewer_bits
        if self.candidates is not None:
            parts += ["-O", f"candidates={self.candidates}"]
        return shlex.join([*parts, "--seed", str(self.seed)])

    @property
    def plan(self) -> SetPlan:
        """How it is searched."""
        usual = CANDIDATES_OF_FEWER if self.fewer_bits else CANDIDATES
        effort = Effort(self.seed, self.candidates or usual)
        room = self.bits is None and not self.form.fixed_shift
        return SetPlan(effort, self.seconds, self.workers, self.fewer_bits, room)


@dataclass(frozen=True, slots=True)
class BoardSetFound:
    """A whole set: `text` is the table file, verified exhaustively in `lookups` lookups."""

    exit_status: ClassVar[int] = Exists.exit_status
    board: Board
    magics: Mapping[Square, Magic]
    sizes: tuple[str, ...]
    bytes: int
    text: str
    lookups: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSetLeft(Left[str]):
    """A set with squares left open."""

    board: Board


def find_boards(wanted: BoardSet, observer: Observer) -> BoardSetFound | BoardSetLeft:
    """Search what is missing; verify and write the table, or keep what there is.

    Raises InputError for a question that is none, and for a kept file that does not fit.
    """
    started = time.monotonic()
    parts = parts_of(wanted.pieces, wanted.form)
    questions = questions_of(wanted.board, parts, wanted.form, wanted.bits)
    _check_work(questions, wanted.form)
    magics = _kept(wanted, questions, observer)

    def found(square: Square, bits: int, magic: int) -> None:
        magics[square] = Magic(bits, magic)

    missing = {square: q for square, q in questions.items() if square not in magics}
    try:
        left = find_all(missing, wanted.plan, observer, found)
        if not left:
            return _whole(wanted, parts, questions, magics, started)
    except KeyboardInterrupt:
        left = {square: Unknown("interrupted") for square in missing if square not in magics}
    return _left(wanted, len(questions), magics, left)


def _check_work(questions: Mapping[Square, MagicQuestion], form: TableForm) -> None:
    lookups = sum(1 << question.mask.bit_count() for question in questions.values())
    if lookups > MOST_LOOKUPS:
        message = f"{lookups:,} occupancies in all, expected at most {MOST_LOOKUPS:,}"
        if not form.lines:
            message += ": lines have far fewer (--form lines)"
        raise InputError([Problem(message, key="--piece")])


def _kept(
    wanted: BoardSet, questions: Mapping[Square, MagicQuestion], observer: Observer
) -> dict[Square, Magic]:
    """What an interrupted run of the same command has left, each magic checked."""
    partial = wanted.output and partial_of(wanted.output)
    if partial is None or not partial.exists():
        return {}
    if f"command = {quoted(wanted.command)}" not in partial.read_text("utf-8", "replace"):
        message = "left by another command: remove it, or choose another output"
        raise InputError([Problem(message, file=str(partial))])
    listed = read_magics_of(partial, wanted.board, tuple(dict.fromkeys(p for p, _ in questions)))
    problems = []
    for (piece, square), magic in listed.magics.items():
        question = questions[piece, square]
        more = magic.bits > question.bits and wanted.plan.room
        exact = wanted.fewer_bits or more or magic.bits == question.bits
        asked = MagicQuestion(
            question.board, question.movement, question.square, question.mask, magic.bits
        )
        if not exact or not is_magic(asked, magic.magic):
            message = f"{magic.magic:#x} is no magic of {question.bits} bits"
            where = f"{piece}.{wanted.board.name(square)}"
            problems.append(Problem(message, str(partial), where))
    if problems:
        raise InputError(problems)
    observer.say(f"resumed from {partial}: {len(listed.magics)} squares")
    return dict(listed.magics)


def _left(
    wanted: BoardSet, squares: int, magics: dict[Square, Magic], left: Mapping[Square, Outcome]
) -> BoardSetLeft:
    """Keep what there is, unless no search can complete it."""
    listed = MagicList("white", magics, {"command": wanted.command}, wanted.board)
    partial = keep(listed, left, wanted.output)
    return BoardSetLeft(
        board=wanted.board, squares=squares, magics=magics, left=decisive(left), partial=partial
    )


def _whole(
    wanted: BoardSet,
    parts: Mapping[str, Movement],
    questions: Mapping[Square, MagicQuestion],
    magics: Mapping[Square, Magic],
    started: float,
) -> BoardSetFound:
    """The set, once its table is verified and written."""
    table = table_of(wanted, parts, magics)
    lookups = sum(1 << question.mask.bit_count() for question in questions.values())
    written = write_verified(table, wanted.output, max(MAX_LOOKUPS, 2 * lookups * len(parts)))
    slots = slots_of(magics)
    shown = tuple(f"{name} {count:,} slots" for name, count in slots.items())
    size = bytes_of(wanted.board, parts, sum(slots.values()), wanted.form)
    seconds = time.monotonic() - started
    text, lookups = written.text, written.lookups
    return BoardSetFound(wanted.board, magics, shown, size, text, lookups, seconds)


def slots_of(magics: Mapping[Square, Magic]) -> dict[str, int]:
    """How many slots each piece takes."""
    slots: dict[str, int] = {}
    for (piece, _), magic in sorted(magics.items()):
        slots[piece] = slots.get(piece, 0) + (1 << magic.bits)
    return slots


def table_of(
    wanted: BoardSet, parts: Mapping[str, Movement], magics: Mapping[Square, Magic]
) -> Table:
    """The table of a whole set: squares one after another, each with 2^bits slots."""
    board = wanted.board
    index = parse(f"((occ & mask) * magic) >> ({board.word} - bits)", word=board.word)
    pieces: dict[str, PieceTable] = {}
    for name, movement in parts.items():
        own = [magics[name, square] for square in range(board.squares)]
        bits = tuple(magic.bits for magic in own)
        is_chess = board == CHESS and name in set(Piece)
        pieces[name] = PieceTable(
            piece=Piece(name) if is_chess else name,
            movement=movement,
            index=index,
            parameters={
                "bits": bits[:1] if len(set(bits)) == 1 else bits,
                "magic": tuple(magic.magic for magic in own),
            },
            buffer_size=sum(1 << k for k in bits),
            masks=wanted.form.masks,
        )
    what = " and ".join(parts) if len(parts) < 4 else f"{len(parts)} pieces"
    provenance = found_by(wanted.command, wanted.seed)
    levels = TwoLevel(entry_bits(board, parts)) if wanted.form.two_level else None
    name = f"magicert {board}, {what}"
    return Table(name, pieces, two_level=levels, provenance=provenance, board=board)
