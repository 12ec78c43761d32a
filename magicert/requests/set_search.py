"""Search a magic for every square of a set, or say what each form of its table takes."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from magicert import __version__
from magicert.betza import lines_of
from magicert.board import CHESS, Board, Movement, Piece
from magicert.cell import Cell, Slider
from magicert.engine import ENGINES, EngineRequest, load, option_values
from magicert.outcome import Answered, Impossible, Observer, Outcome, OutcomeKind, Unknown
from magicert.problem import InputError, Problem, read_at_most
from magicert.requests.find import refuse_engine
from magicert.requests.set_question import SetQuestion, TableForm, pieces_of
from magicert.scheme import Scheme, resolve_scheme
from magicert.search.finders.trial import MOST_BITS, is_perfect
from magicert.search.sets import (
    SHORT,
    Magic,
    SetPlan,
    Square,
    find_all,
    known_magics,
)
from magicert.system.whole_file import write_precious, write_whole
from magicert.table import PieceTable, Provenance, Table, TwoLevel, parse_table
from magicert.table.write import file_text
from magicert.valid import invalid
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.attacks import BoardPiece, distinct_attack_sets
from magicert.verify.table.verifier import verify

LARGEST_PARTIAL = 1 << 28
"""Bytes at most of what an interrupted run has left."""
FORMS = (
    TableForm(masks="usual"),
    TableForm(),
    TableForm(fixed_shift=True),
    TableForm(two_level=True),
    TableForm(lines=True),
    TableForm(lines=True, two_level=True),
)


@dataclass(frozen=True, slots=True)
class Size:
    """What a form takes for some pieces: `entry` bytes a slot, and `sets` attack sets of `word`
    bytes behind them in a two-level table. `lookups` is how many a piece makes at most.
    """

    form: TableForm
    lookups: int
    slots: int
    entry: int
    word: int
    sets: int = 0

    @property
    def bytes(self) -> int:
        return self.slots * self.entry + self.sets * self.word


@dataclass(frozen=True, slots=True)
class Sizes(Answered):
    """All forms that some pieces can have."""

    kind = OutcomeKind.EXISTS
    board: Board
    forms: tuple[Size, ...]


def size_of(board: Board, pieces: Mapping[str, Movement], form: TableForm) -> Size:
    """What a form takes with as many index bits as masks have squares. Raises InputError for a
    two-level table that cannot number its attack sets.
    """
    parts = form.parts_of(pieces)
    cells = form.cells(board, parts, resolve_scheme("white", board.word))
    slots = sum(1 << cell.bits for cell in cells.values())
    lookups = max(len(lines_of(m)) for m in pieces.values()) if form.lines else 1
    word = board.word // 8
    if not form.two_level:
        return Size(form, lookups, slots, word, word)
    sets = [attack_sets(board, movement) for movement in parts.values()]
    return Size(form, lookups, slots, entry_bits(sets) // 8, word, sum(map(sum, sets)))


def sizes(board: Board, pieces: Mapping[str, Movement]) -> Sizes:
    """All forms that these pieces can have, as FORMS lists them. Lines are left out where all
    pieces have one.
    """
    found = []
    several = any(len(lines_of(movement)) > 1 for movement in pieces.values())
    for form in FORMS:
        if form.lines and not several:
            continue
        try:
            found.append(size_of(board, pieces, form))
        except InputError:  # too many attack sets for numbers of 16 bits
            continue
    return Sizes(board, tuple(found))


Bits = Annotated[int, msgspec.Meta(ge=1, le=32)]
Hexadecimal = Annotated[str, msgspec.Meta(pattern="^0x[0-9a-f]{1,32}$")]
MOST_LOOKUPS = 1 << 26
"""More would take hours to verify."""
NUMBER_BITS = (8, 16)
"""Of the numbers in a two-level table."""


@dataclass(frozen=True, slots=True)
class SetFound(Answered):
    """A whole set. `text` is the table file, verified exhaustively in `lookups` lookups;
    `slots` says how many each piece takes, `bytes` what all buffers take.
    """

    kind = OutcomeKind.EXISTS
    board: Board
    scheme: str
    magics: Mapping[Square, Magic]
    slots: Mapping[str, int]
    bytes: int
    text: str
    lookups: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SetNotFound(Answered):
    """What there is of a set of `squares` squares, each magic checked for all occupancies; those in
    `left` are all impossible, or none is. `partial` is the file that keeps the magics, if one does.
    """

    board: Board
    scheme: str
    squares: int
    magics: Mapping[Square, Magic]
    left: Mapping[Square, Outcome]
    partial: Path | None = None

    @property
    def kind(self) -> OutcomeKind:
        impossible = any(isinstance(outcome, Impossible) for outcome in self.left.values())
        return OutcomeKind.IMPOSSIBLE if impossible else OutcomeKind.UNKNOWN


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an interrupted set leaves beside its output: of each square bits and magic."""

    command: str
    magics: dict[str, tuple[Bits, Hexadecimal]]


class SetSearch:
    """One set: what is asked of each square, and what there is of it."""

    def __init__(self, asked: SetQuestion[Any], observer: Observer) -> None:
        self.asked = asked
        self.observer = observer
        self.started = time.monotonic()
        self.board, self.form = asked.on, asked.table_form
        self.scheme = resolve_scheme(asked.scheme, asked.on.word)
        self.pieces = pieces_of(asked.names, asked.on)
        self.parts = self.form.parts_of(self.pieces)
        self.cells = self.form.cells(self.board, self.parts, self.scheme, asked.bits)
        check_cells(self.cells, self.form)
        self.magics: dict[Square, Magic] = {}
        self.engine = asked.engine or next(iter(ENGINES))
        first = next(iter(self.cells.values()))
        refuse_engine(self.engine, first)
        engine = load(self.engine)
        request = EngineRequest(
            first, seconds=asked.seconds, memory=asked.memory,
            seed=asked.seed, workers=asked.workers, options=option_values(engine, asked.options),
        )  # fmt: skip
        given = request.options.get("candidates", SHORT)
        by_hand = "candidates" in asked.options
        short = given if asked.fewer_bits and by_hand else min(SHORT, given)
        room = asked.bits is None and not (asked.fixed_shift or asked.fewer_bits)
        self.plan = SetPlan(engine, request, asked.fewer_bits, room, short)

    def run(self) -> SetFound | SetNotFound:
        if self.asked.fewer_bits:
            self.magics = dict(self.known())
        self.magics |= self.kept()
        missing = {square: c for square, c in self.cells.items() if square not in self.magics}
        try:
            left = find_all(missing, self.plan, self.observer, self.magics.__setitem__)
            if not left:
                return self.whole()
        except KeyboardInterrupt:
            # Between two squares, or while the whole set was being verified.
            left = {s: Unknown("interrupted") for s in missing if s not in self.magics}
        return self.left(left)

    def known(self) -> Iterator[tuple[Square, Magic]]:
        """The magics of chess that the atlas knows to need fewer bits."""
        for square, cell in self.cells.items():
            if isinstance(cell.about, Slider):
                best = known_magics(cell.scheme.name).get(cell.about.place)
                if best is not None and best.bits < cell.bits:
                    yield square, best

    def name_of(self, square: Square) -> str:
        """As files call it: "rook a1"."""
        return f"{square[0]} {self.board.name(square[1])}"

    def kept(self) -> dict[Square, Magic]:
        """What an interrupted run of the same command has left, each magic checked."""
        partial = self.asked.partial
        if partial is None or not partial.exists():
            return {}
        try:
            kept = msgspec.json.decode(read_at_most(partial, LARGEST_PARTIAL), type=Kept)
        except msgspec.DecodeError as error:
            message = f"{error}: remove it, or choose another output"
            raise InputError([Problem(message, file=str(partial))]) from None
        if kept.command != self.asked.command:
            message = f"left by another command ({kept.command}): "
            message += "remove it, or choose another output"
            raise InputError([Problem(message, file=str(partial))])
        squares = {self.name_of(square): square for square in self.cells}
        magics, problems = dict[Square, Magic](), list[Problem]()
        for where, (bits, text) in kept.magics.items():
            message, square = "", squares.get(where)
            if square is None:
                message = "no square of this set"
            else:
                cell, magic = self.cells[square], Magic(bits, int(text, 16))
                if not self.plan.takes(cell, bits):
                    message = f"{bits} bits: expected {cell.bits}"
                elif magic.magic >> self.board.word or not is_magic(cell, magic):
                    message = f"{text} is no magic of {bits} bits"
                magics[square] = magic
            problems += [Problem(message, str(partial), where)] if message else []
        if problems:
            raise InputError(problems)
        self.observer.say(f"resumed from {partial}: {len(magics)} squares")
        return magics

    def whole(self) -> SetFound:
        """The set, once its table is verified and written. A table that is not valid is never
        written: that is a bug, so AssertionError.
        """
        asked = self.asked
        text = file_text(table_of(asked, self.scheme, self.parts, self.magics))
        lookups = sum(1 << cell.mask.bit_count() for cell in self.cells.values())
        most = max(MAX_LOOKUPS, 2 * lookups * len(self.parts))
        report = verify(parse_table(text.encode(), asked.output or Path("-")), max_lookups=most)
        if report.verdict != "valid":
            found = "; ".join(finding.message for finding in report.findings[:3])
            raise AssertionError(f"the set is {report.verdict}: {found}")
        if asked.output is not None:
            write_precious(asked.output, text)
            assert asked.partial is not None
            asked.partial.unlink(missing_ok=True)
        slots = dict.fromkeys(self.parts, 0)
        for (piece, _), magic in self.magics.items():
            slots[piece] += 1 << magic.bits
        size = replace(size_of(self.board, self.pieces, self.form), slots=sum(slots.values()))
        seconds = time.monotonic() - self.started
        return SetFound(
            self.board, self.scheme.name, self.magics, slots, size.bytes, text, report.lookups,
            seconds,
        )  # fmt: skip

    def left(self, left: Mapping[Square, Outcome]) -> SetNotFound:
        """Check what there is, and keep it unless no search can complete it. Where squares are
        impossible the others do not matter.
        """
        for square, magic in self.magics.items():
            if not is_magic(self.cells[square], magic):
                message = f"engine {self.engine} reported {magic.magic:#x}, which is no magic"
                raise AssertionError(f"{message} ({self.cells[square]})")
        impossible = {s: outcome for s, outcome in left.items() if isinstance(outcome, Impossible)}
        partial = None
        if self.asked.partial is not None and self.magics and not impossible:
            partial = self.asked.partial
            magics = {
                self.name_of(square): (magic.bits, hex(magic.magic))
                for square, magic in sorted(self.magics.items())
            }
            kept = Kept(self.asked.command, magics)
            write_whole(partial, msgspec.json.format(msgspec.json.encode(kept), indent=1))
        shown = impossible or left
        return SetNotFound(
            self.board, self.scheme.name, len(self.cells), self.magics, shown, partial
        )


def check_cells(cells: Mapping[Square, Cell], form: TableForm) -> None:
    """Raises InputError with the problems of all cells, and where they are too many occupancies."""
    problems: list[Problem] = []
    for cell in cells.values():
        try:
            cell.check()
        except InputError as error:
            problems += error.problems
        if MOST_BITS < cell.bits <= 32:
            problems.append(Problem(f"expected 1 to {MOST_BITS}", key=f"bits {cell.bits}"))
    lookups = sum(1 << cell.mask.bit_count() for cell in cells.values())
    if lookups > MOST_LOOKUPS:
        message = f"{lookups:,} occupancies in all, expected at most {MOST_LOOKUPS:,}"
        if not form.lines:
            message += ": lines have far fewer (--form lines)"
        problems.append(Problem(message, key="--piece"))
    if problems:
        raise InputError(dict.fromkeys(problems))


def is_magic(cell: Cell, magic: Magic) -> bool:
    """Whether a magic of its own number of bits keeps all different attack sets apart."""
    width = cell.about.width
    if cell.scheme.name == "white" and is_perfect(cell.mask, magic.bits, width, magic.magic):
        return True
    asked = Cell(cell.scheme, cell.about, magic.bits, cell.fixed)
    return not invalid(asked, [magic.magic])


def attack_sets(board: Board, movement: Movement) -> tuple[int, ...]:
    """How many different attack sets each square has."""
    mover = BoardPiece(board, movement, "a1")
    return tuple(distinct_attack_sets(mover, square) for square in range(board.squares))


def entry_bits(sets: Iterable[tuple[int, ...]]) -> int:
    """The bits of a two-level table's numbers: those of the square with most attack sets.

    Raises InputError where that is more than 16.
    """
    most = max(map(max, sets))
    wide_enough = [bits for bits in NUMBER_BITS if most <= 1 << bits]
    if not wide_enough:
        message = f"a square has {most:,} attack sets, more than 16 bits can number"
        raise InputError([Problem(message, key="--two-level")])
    return wide_enough[0]


def table_of(
    asked: SetQuestion[Any],
    scheme: Scheme,
    parts: Mapping[str, Movement],
    magics: Mapping[Square, Magic],
) -> Table:
    """The table of a whole set: squares one after another, each with 2^bits slots."""
    board = asked.on
    pieces: dict[str, PieceTable] = {}
    sizes = []
    for name, movement in parts.items():
        own = [magics[name, square] for square in range(board.squares)]
        bits = tuple(magic.bits for magic in own)
        size = sum(1 << k for k in bits)
        parameters = {"magic": tuple(magic.magic for magic in own)}
        if "bits" in scheme.parameters:
            parameters["bits"] = bits[:1] if len(set(bits)) == 1 else bits
        is_chess = board == CHESS and name in set(Piece)
        piece = Piece(name) if is_chess else name
        pieces[piece] = PieceTable(
            piece=piece,
            movement=movement,
            index=scheme.formula,
            parameters=parameters,
            buffer_size=size if scheme.name != "custom" else None,
            masks="usual" if is_chess else asked.table_form.masks,
        )
        sizes.append(f"{name} {size:,} slots")
    provenance = Provenance(
        found_by=f"magicert {__version__}", command=asked.command, seed=asked.seed
    )
    levels = None
    if asked.two_level:
        levels = TwoLevel(entry_bits(attack_sets(board, m) for m in parts.values()))
    what = f"{scheme.name}, {' and '.join(sizes)}"
    if board != CHESS:
        what = f"{board}, {' and '.join(parts) if len(parts) < 4 else f'{len(parts)} pieces'}"
    return Table(f"magicert {what}", pieces, two_level=levels, provenance=provenance, board=board)
