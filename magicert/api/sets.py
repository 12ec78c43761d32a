"""Find a magic for every square of some pieces on any board, as a table that has been verified.

`find_set` is for Python programs. The command find-set makes a `SetQuestion` of its options, and
shows what `search_set` gives.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

import msgspec

from magicert import __version__
from magicert.api.find import READERS, refuse_engine
from magicert.api.forms import (
    Square,
    TableForm,
    check_cells,
    entry_bits,
    form_of,
    numbered_sets,
    pieces_of,
    size_of,
    slots_of,
)
from magicert.arguments import (
    call_text,
    choice,
    flag,
    path_of,
    piece_text,
    read_arguments,
    several,
    text,
)
from magicert.board import CHESS, Board
from magicert.cell import Cell
from magicert.chess import Piece
from magicert.engine import ENGINES, EngineRequest, load, option_values
from magicert.formula import parse
from magicert.movement import Movement
from magicert.outcome import Impossible, Observer, Outcome, OutcomeKind, Quiet, Unknown
from magicert.problem import InputError, Problem, libraries, read_at_most
from magicert.scheme import Scheme, resolve_scheme
from magicert.search.finders.trial import is_perfect
from magicert.search.sets import SHORT_CANDIDATES, Magic, SetPlan, atlas_magics, search_cells
from magicert.system.whole_file import write_precious, write_whole
from magicert.table import (
    JoinedPiece,
    PieceTable,
    Provenance,
    Table,
    TableFile,
    TwoLevel,
    parse_table,
)
from magicert.table.write import file_text
from magicert.targets import Slider
from magicert.valid import invalid
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.verifier import verify

LARGEST_PARTIAL = 1 << 28
"""Bytes at most of what an interrupted run has left."""
Bits = Annotated[int, msgspec.Meta(ge=1, le=32)]
Hexadecimal = Annotated[str, msgspec.Meta(pattern="^0x[0-9a-f]{1,64}$")]


def find_set(
    pieces: str | Iterable[str] = (),
    *,
    board: Board | str | None = None,
    scheme: str = "white",
    form: str | None = None,
    two_level: bool = False,
    masks: str | None = None,
    fixed_shift: bool = False,
    bits: int | None = None,
    fewer_bits: bool = False,
    engine: str | None = None,
    options: Mapping[str, str] | Iterable[str] = (),
    seed: int = 1,
    seconds: float | None = None,
    memory: int | None = None,
    workers: int = 1,
    output: str | PathLike[str] | None = None,
    observer: Observer | None = None,
) -> TableFile:
    """Find a magic for every square of some pieces, as a table that has been verified.

    >>> table = magicert.find_set("bishop", seed=7)
    >>> magicert.certify_table(table).valid
    True

    pieces
        Names, or Betza's notation, or both ("cannon=pR"). None of them: rook and bishop of chess.
    board
        Such as "9x10"; None is that of chess.
    scheme
        "white", "black", "two-halves", "two-halves-add", or an index formula whose free parameter
        is `magic`.
    form
        "lines" makes a piece of each line, "pairs" besides one index for two lines of a piece, and
        for all pieces with the same masks, in two levels; "whole" is meant if it is None.
    two_level
        The buffer holds numbers of 8 or 16 bits, and the attack sets stand behind it.
    masks
        "usual" ones, or the "least", which leave out squares that cannot matter, if it is None.
    bits, fixed_shift, fewer_bits
        Index bits for all squares; those of the widest mask for all; or magics of fewer bits than
        the mask has squares, where some are known or met by chance. One of the three at most: if
        none is given, every square has as many bits as its mask has squares.
    engine, options, seed
        As of `find`. The same seed gives the same table.
    seconds, memory, workers
        Budgets for the whole set (memory in MiB), and how many squares are searched at a time.
    output
        A file for the table. What an interrupted call has found is kept beside it, and the same
        call goes on from there.
    observer
        Is told how far the work is; see `Observer`.

    Raises InputError, which names every wrong argument, or each square that has no magic.
    """
    values = {
        "pieces": pieces, "board": board, "scheme": scheme, "form": form, "two_level": two_level,
        "masks": masks, "fixed_shift": fixed_shift, "bits": bits, "fewer_bits": fewer_bits,
        "engine": engine, "options": options, "seed": seed,
    }  # fmt: skip
    budgets = {"seconds": seconds, "memory": memory, "workers": workers, "output": output}
    read = read_arguments(find_set, {**values, **budgets}, SET_READERS)
    recorded = {name: read[name] for name in values}
    shape = form_of(*(read.pop(name) for name in ("form", "two_level", "masks", "fixed_shift")))
    question = SetQuestion(**read, form=shape, command=call_text(find_set, recorded))
    with libraries():
        result = search_set(question, observer or Quiet())
    if isinstance(result, SetFound):
        return parse_table(result.text.encode(), Path("magicert"))
    word = "no magic" if result.kind == "impossible" else "no magic found in time"
    name = result.board.name
    raise InputError(
        Problem(word, key=f"{piece} {name(square)}") for piece, square in result.missing
    )


def _pieces(value: Any) -> tuple[str, ...]:  # noqa: ANN401
    names = several(value, "a piece")
    return tuple(piece_text(text(name), called=True) for name in names)


SET_READERS = {
    **READERS,
    "pieces": _pieces,
    "form": lambda value: choice(value, ("whole", "lines", "pairs")),
    "two_level": flag,
    "masks": lambda value: choice(value, ("usual", "least")),
    "fixed_shift": flag,
    "fewer_bits": flag,
    "output": path_of,
}
"""How each argument of a Python call is read."""


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """What is asked of a whole set: the arguments of `find_set`, and the `command` that a table's
    provenance records. Raises InputError where some of them do not go together.
    """

    pieces: tuple[str, ...] = ()
    _: KW_ONLY
    board: Board | None = None
    scheme: str = "white"
    form: TableForm = field(default_factory=TableForm)
    bits: int | None = None
    fewer_bits: bool = False
    engine: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    seconds: float | None = None
    memory: int | None = None
    workers: int = 1
    output: Path | None = None
    command: str = ""

    def __post_init__(self) -> None:
        problems = []
        if sum([self.bits is not None, self.form.fixed_shift, self.fewer_bits]) > 1:
            problems.append("give only one of --bits, --fixed-shift and --fewer-bits")
        if self.board not in (None, CHESS) and not self.pieces:
            example = "--piece rook --piece cannon=pR"
            problems.append(f"--board needs --piece, such as {example}")
        if problems:
            raise InputError(map(Problem, problems))

    @property
    def geometry(self) -> Board:
        """The board, which is that of chess if none was named."""
        return self.board or CHESS

    @property
    def movements(self) -> dict[str, Movement]:
        """How each piece moves, by its name; both of chess, if none were named. Raises InputError
        with all that are none.
        """
        names = self.pieces or tuple(piece.value for piece in Piece)
        return pieces_of(names, self.geometry)

    @property
    def title(self) -> str:
        if self.board is None:
            return f"set of magics, scheme {resolve_scheme(self.scheme).name}"
        return f"set of magics for {', '.join(self.movements)} on {self.board}"

    @property
    def partial(self) -> Path | None:
        """The file that keeps an interrupted set, beside the output."""
        return self.output and self.output.with_name(self.output.name + ".partial")


@dataclass(frozen=True, slots=True)
class SetFound:
    """A whole set. `text` is the table file, verified exhaustively in `lookups` lookups;
    `slots` says how many each piece takes, `bytes` what all buffers take.
    """

    board: Board
    scheme: str
    magics: Mapping[Square, Magic]
    slots: Mapping[str, int]
    bytes: int
    text: str
    lookups: int
    seconds: float

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.EXISTS


@dataclass(frozen=True, slots=True)
class SetNotFound:
    """What there is of a set of `squares` squares, each magic checked for all occupancies; those
    that are `missing` are all impossible, or none is. `partial` is the file that keeps the magics,
    if one does.
    """

    board: Board
    scheme: str
    squares: int
    magics: Mapping[Square, Magic]
    missing: Mapping[Square, Outcome]
    partial: Path | None = None

    @property
    def kind(self) -> OutcomeKind:
        impossible = any(isinstance(outcome, Impossible) for outcome in self.missing.values())
        return OutcomeKind.IMPOSSIBLE if impossible else OutcomeKind.UNKNOWN


class PartialSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an interrupted set leaves beside its output: of each square bits and magic."""

    command: str
    magics: dict[str, tuple[Bits, Hexadecimal]]

    def is_of(self, command: str) -> bool:
        """Whether this command left it; before 0.2.0 find-set was `find --set`."""
        return self.command.replace("magicert find --set", "magicert find-set", 1) == command


def search_set(question: SetQuestion, observer: Observer) -> SetFound | SetNotFound:
    """Search what is missing; verify and write the table, or keep what there is.

    The same question again goes on from what an interrupted one has kept. Raises InputError
    for a question that is none, and for a kept file that does not belong to it.
    """
    output = question.output
    if output is not None and not output.parent.is_dir():
        raise InputError([Problem("no such folder", file=str(output.parent))])
    return _SetSearch(question, observer).run()


class _SetSearch:
    """One set: the cells of its squares, and what there is of it."""

    def __init__(self, question: SetQuestion, observer: Observer) -> None:
        self.question = question
        self.observer = observer
        self.started = time.monotonic()
        self.board, self.form = question.geometry, question.form
        self.scheme = resolve_scheme(question.scheme, self.board.word)
        self.pieces = question.movements
        self.parts = self.form.parts_of(self.pieces)
        self.cells = self.form.cells(self.board, self.pieces, self.scheme, question.bits)
        check_cells(self.cells, self.form)
        self.magics: dict[Square, Magic] = {}
        self.engine = question.engine or next(iter(ENGINES))
        first = next(iter(self.cells.values()))
        refuse_engine(self.engine, first)
        engine = load(self.engine)
        request = EngineRequest(
            first, seconds=question.seconds, memory=question.memory, seed=question.seed,
            workers=question.workers, options=option_values(engine, question.options),
        )  # fmt: skip
        candidates = request.options.get("candidates", SHORT_CANDIDATES)
        by_hand = "candidates" in question.options
        short = candidates if question.fewer_bits and by_hand else min(SHORT_CANDIDATES, candidates)
        room = question.bits is None and not (self.form.fixed_shift or question.fewer_bits)
        self.plan = SetPlan(engine, request, question.fewer_bits, room, short)

    def run(self) -> SetFound | SetNotFound:
        if self.question.fewer_bits:
            self.magics = dict(self.known())
        self.magics |= self.resumed()
        open_cells = {square: c for square, c in self.cells.items() if square not in self.magics}
        try:
            missing = search_cells(open_cells, self.plan, self.observer, self.magics.__setitem__)
            if not missing:
                return self.whole()
        except KeyboardInterrupt:
            # Between two squares, or while the whole set was being verified.
            missing = {s: Unknown("interrupted") for s in open_cells if s not in self.magics}
        return self.unfinished(missing)

    def known(self) -> Iterator[tuple[Square, Magic]]:
        """The magics of chess that the atlas knows to need fewer bits."""
        for square, cell in self.cells.items():
            if isinstance(cell.target, Slider):
                best = atlas_magics(cell.scheme.name).get(cell.target.piece_square)
                if best is not None and best.bits < cell.bits:
                    yield square, best

    def name_of(self, square: Square) -> str:
        """As files call it: "rook a1"."""
        return f"{square[0]} {self.board.name(square[1])}"

    def resumed(self) -> dict[Square, Magic]:
        """What an interrupted run of the same command has left, each magic checked."""
        file = self.question.partial
        if file is None or not file.exists():
            return {}
        try:
            partial = msgspec.json.decode(read_at_most(file, LARGEST_PARTIAL), type=PartialSet)
        except msgspec.DecodeError as error:
            message = f"{error}: remove it, or choose another output"
            raise InputError([Problem(message, file=str(file))]) from None
        if not partial.is_of(self.question.command):
            message = f"left by another command ({partial.command}): "
            message += "remove it, or choose another output"
            raise InputError([Problem(message, file=str(file))])
        squares = {self.name_of(square): square for square in self.cells}
        magics, problems = dict[Square, Magic](), list[Problem]()
        for where, (bits, hexadecimal) in partial.magics.items():
            message, square = "", squares.get(where)
            if square is None:
                message = "no square of this set"
            else:
                cell, magic = self.cells[square], Magic(bits, int(hexadecimal, 16))
                if not self.plan.takes(cell, bits):
                    message = f"{bits} bits: expected {cell.bits}"
                elif magic.magic >> self.board.word or not is_magic(cell, magic):
                    message = f"{hexadecimal} is no magic of {bits} bits"
                magics[square] = magic
            problems += [Problem(message, str(file), where)] if message else []
        if problems:
            raise InputError(problems)
        self.observer.say(f"resumed from {file}: {len(magics)} squares")
        return magics

    def whole(self) -> SetFound:
        """The set, once its table is verified and written. A table that is not valid is never
        written: that is a bug, so AssertionError.
        """
        output = self.question.output
        table = table_of(self.question, self.scheme, self.parts, self.magics, self.cells)
        written = file_text(table)
        lookups = sum(1 << cell.mask.bit_count() for cell in self.cells.values())
        most = max(MAX_LOOKUPS, 2 * lookups * len(self.parts))
        report = verify(parse_table(written.encode(), output or Path("-")), max_lookups=most)
        if report.verdict != "valid":
            wrong = "; ".join(finding.message for finding in report.findings[:3])
            raise AssertionError(f"the set is {report.verdict}: {wrong}")
        if output is not None:
            write_precious(output, written)
            assert self.question.partial is not None
            self.question.partial.unlink(missing_ok=True)
        slots = dict.fromkeys((name for name, _ in self.cells), 0)
        for square, magic in self.magics.items():
            slots[square[0]] += slots_of(self.cells[square], magic.bits)
        if self.form.pairs:
            indexes = self.form.indexes(self.board, self.pieces)
            slots = {one.title: slots[one.name] * len(one.places) for one in indexes}
        size = replace(size_of(self.board, self.pieces, self.form), slots=sum(slots.values()))
        seconds = time.monotonic() - self.started
        return SetFound(
            self.board, self.scheme.name, self.magics, slots, size.bytes, written, report.lookups,
            seconds,
        )  # fmt: skip

    def unfinished(self, missing: Mapping[Square, Outcome]) -> SetNotFound:
        """Check what there is, and keep it unless no search can complete it. Where squares are
        impossible the others do not matter.
        """
        for square, magic in self.magics.items():
            if not is_magic(self.cells[square], magic):
                message = f"engine {self.engine} reported {magic.magic:#x}, which is no magic"
                raise AssertionError(f"{message} ({self.cells[square]})")
        impossible = {s: out for s, out in missing.items() if isinstance(out, Impossible)}
        file = None
        if self.question.partial is not None and self.magics and not impossible:
            file = self.question.partial
            magics = {
                self.name_of(square): (magic.bits, hex(magic.magic))
                for square, magic in sorted(self.magics.items())
            }
            partial = PartialSet(self.question.command, magics)
            write_whole(file, msgspec.json.format(msgspec.json.encode(partial), indent=1))
        return SetNotFound(
            self.board, self.scheme.name, len(self.cells), self.magics, impossible or missing, file
        )


def is_magic(cell: Cell, magic: Magic) -> bool:
    """Whether a magic, with its number of bits, keeps all different attack sets apart."""
    width = cell.target.width
    if cell.scheme.name == "white" and is_perfect(cell.mask, magic.bits, width, magic.magic):
        return True
    of_its_bits = Cell(cell.scheme, cell.target, magic.bits, cell.fixed)
    return not invalid(of_its_bits, [magic.magic])


def table_of(
    question: SetQuestion,
    scheme: Scheme,
    parts: Mapping[str, Movement],
    magics: Mapping[Square, Magic],
    cells: Mapping[Square, Cell],
) -> Table:
    """The table of a whole set: squares one after another, each with its slots."""
    board = question.geometry
    if question.form.pairs:
        pieces, sizes = _in_pairs(question, scheme, parts, magics, cells)
    else:
        pieces, sizes = _one_by_one(question, scheme, parts, magics, cells)
    provenance = Provenance(
        found_by=f"magicert {__version__}", command=question.command, seed=question.seed
    )
    levels = None
    if question.form.two_level:
        levels = TwoLevel(entry_bits(numbered_sets(board, question.movements, question.form)))
    what, movements = f"{scheme.name}, {' and '.join(sizes)}", question.movements
    if board != CHESS:
        few = len(movements) < 4
        what = f"{board}, {' and '.join(movements) if few else f'{len(movements)} pieces'}"
    joined = {
        name: JoinedPiece(movements[name], names)
        for name, names in question.form.joined(movements).items()
    }
    shared = question.form.pairs
    size = None
    if shared and scheme.name != "custom":
        size = sum(piece.buffer_size or 0 for piece in pieces.values())
        pieces = {name: replace(piece, buffer_size=None) for name, piece in pieces.items()}
    return Table(
        f"magicert {what}", pieces, two_level=levels, provenance=provenance, board=board,
        joined=joined, shared=shared, buffer_size=size,
    )  # fmt: skip


def _magics_of(
    name: str, board: Board, scheme: Scheme, magics: Mapping[Square, Magic]
) -> tuple[dict[str, tuple[int, ...]], tuple[int, ...]]:
    """The parameters of a piece's index, by square, and the index bits of each square."""
    at_hole = Magic(magics[name, board.playable[0]].bits, 0)  # it is never read
    of_piece = [magics.get((name, square), at_hole) for square in range(board.squares)]
    bits = tuple(magic.bits for magic in of_piece)
    parameters = {"magic": tuple(magic.magic for magic in of_piece)}
    if "bits" in scheme.parameters:
        parameters["bits"] = bits[:1] if len(set(bits)) == 1 else bits
    return parameters, bits


def _in_pairs(
    question: SetQuestion,
    scheme: Scheme,
    parts: Mapping[str, Movement],
    magics: Mapping[Square, Magic],
    cells: Mapping[Square, Cell],
) -> tuple[dict[str, PieceTable], list[str]]:
    """The pieces of a shared buffer. A slot of an index holds a number for each of its lines; the
    first piece with a number has the index, the others have it from that piece.
    """
    board = question.geometry
    first_of: dict[str, PieceTable] = {}
    others: dict[str, PieceTable] = {}
    start, sizes = 0, []
    for index in question.form.indexes(board, question.movements):
        parameters, bits = _magics_of(index.name, board, scheme, magics)
        parameters["mask"] = index.masks
        numbers, offset = len(index.places), []
        for square in range(board.squares):
            offset.append(start)
            if board.has(square):
                start += numbers * slots_of(cells[index.name, square], bits[square])
        for place, names in enumerate(index.places):
            text = scheme.formula.text
            if numbers > 1:
                text = f"(({text}) << 1) | {place}" if place else f"({text}) << 1"
            names_of_formula = {*parameters, "occ"}
            piece = PieceTable(
                piece=names[0], movement=parts[names[0]],
                index=parse(text, names_of_formula, board.word), parameters=parameters,
                offset=tuple(offset), buffer_size=start - offset[0] if not place else None,
            )  # fmt: skip
            first_of[names[0]] = piece
            others |= {
                name: replace(piece, piece=name, movement=parts[name], numbers_of=names[0])
                for name in names[1:]
            }
        sizes.append(f"{index.name} {start - offset[0]:,} slots")
    total = {name: replace(piece, buffer_size=None) for name, piece in others.items()}
    return first_of | total, sizes


def _one_by_one(
    question: SetQuestion,
    scheme: Scheme,
    parts: Mapping[str, Movement],
    magics: Mapping[Square, Magic],
    cells: Mapping[Square, Cell],
) -> tuple[dict[str, PieceTable], list[str]]:
    """Each piece by itself, and its slots."""
    board = question.geometry
    pieces: dict[str, PieceTable] = {}
    sizes = []
    for name, movement in parts.items():
        parameters, bits = _magics_of(name, board, scheme, magics)
        size = sum(slots_of(cells[name, square], bits[square]) for square in board.playable)
        is_chess = board == CHESS and name in set(Piece)
        piece = Piece(name) if is_chess else name
        pieces[piece] = PieceTable(
            piece=piece,
            movement=movement,
            index=scheme.formula,
            parameters=parameters,
            buffer_size=size if scheme.name != "custom" else None,
            masks="usual" if is_chess else question.form.masks,
        )
        sizes.append(f"{name} {size:,} slots")
    return pieces, sizes
