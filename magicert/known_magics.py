"""Magics that are known: no answer may contradict them, whoever gives it.

That a cell has no magic, or no others than those listed, is held against the magics of the atlas
and of all tables that ship, before it is printed, written or stored. Each of them is tried for all
words of the cell, so that whatever is found here is a magic of it, wherever it came from.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from magicert.atlas import cell_name, read_atlas
from magicert.board import CHESS, Board
from magicert.cell import Cell
from magicert.chess import Piece, mask, parse_square
from magicert.data import tables_folder
from magicert.engine import Engine, EngineRequest
from magicert.outcome import Exists, Impossible, Observer, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.shapes import Shape
from magicert.table import Table, parse_table
from magicert.table.model import value_at
from magicert.targets import Mover, Slider, square_cell
from magicert.valid import invalid

Interval = tuple[int, int]
"""[low, high], of magics modulo the cell's period."""
NO_MAGICS = ("mask", "bits", "shift", "offset", "size")
"""Parameters of tables that are no magics, by what is in their names."""


@dataclass(frozen=True, slots=True)
class KnownMagic:
    """A magic of a cell, and where it stands."""

    magic: int
    source: str

    def __str__(self) -> str:
        return f"{self.magic:#x} ({self.source})"


class ContradictedError(InputError):
    """What a file says of a cell, and a known magic contradicts."""


def solve_checked(engine: Engine, request: EngineRequest, observer: Observer) -> Outcome:
    """An engine's answer, held against what is known: the one way to ask an engine."""
    return checked_against_known(request.cell, engine.solve(request, observer))


def checked_against_known(about: Cell | Shape, outcome: Outcome) -> Outcome:
    """The outcome; UNKNOWN where a known magic contradicts it."""
    known: KnownMagic | None = None
    if isinstance(outcome, Impossible):
        known = contradiction(about)
        mistake = "found no magic"
    elif isinstance(outcome, Exists) and outcome.complete and isinstance(about, Cell):
        known = contradiction(about, [(magic, magic) for magic in outcome.magics])
        mistake = "found other magics only"
    if known is None:
        return outcome
    reason = (
        f"the search {mistake}, but {known} is one: this is a bug of magicert, please report it"
    )
    return Unknown(reason, figures=outcome.figures)


def refuse_contradiction(about: Cell | Shape, listed: Sequence[Interval], file: str) -> None:
    """Raises ContradictedError where a file claims that only the listed magics exist, and another
    one is known.
    """
    if known := contradiction(about, listed):
        raise ContradictedError([Problem(contradicted(known), file=file, key=str(about))])


def contradicted(known: KnownMagic) -> str:
    """That a claim is wrong, for people."""
    return f"it leaves out {known}, which is a magic: what it claims is not true"


def contradiction(about: Cell | Shape, listed: Sequence[Interval] = ()) -> KnownMagic | None:
    """A known magic that is not among the listed ones; None where there is none.

    That of a shape says nothing of its squares' magics: none may be known.
    """
    if isinstance(about, Shape):
        cells = (
            square_cell(SCHEMES[about.scheme], piece, square, about.bits)
            for piece, square in about.squares()
        )
        return next((known for cell in cells for known in known_magics(cell)), None)
    known = known_magics(about)
    if not known:
        return None
    period = about.period
    spans = [(low % period, low % period + high - low) for low, high in listed]
    return next(
        (known_magic for known_magic in known if not _lists(spans, known_magic.magic % period)),
        None,
    )


def _lists(spans: Iterable[Interval], magic: int) -> bool:
    return any(low <= magic <= high for low, high in spans)


def known_magics(cell: Cell) -> Sequence[KnownMagic]:
    """The magics of a cell that are known, one of those that are congruent modulo its period. None
    where the tables that ship are not installed.
    """
    try:
        folder = tables_folder()
    except InputError:
        return ()
    by_residue = {
        magic % cell.period: KnownMagic(magic, source) for magic, source in _tried(cell, folder)
    }
    wrong = set(invalid(cell, list(by_residue))) if by_residue else set()
    return [known for magic, known in by_residue.items() if magic not in wrong]


def _tried(cell: Cell, folder: Path) -> Iterator[tuple[int, str]]:
    """Numbers that may be magics of a cell: those of its square, or of squares with its mask."""
    about = cell.target
    if isinstance(about, Slider):
        piece_squares: list[PieceSquare] = [about.piece_square]
    else:
        squares = product(Piece, range(CHESS.squares))
        piece_squares = [at for at in squares if mask(*at) == about.mask]
    for piece, square in piece_squares:
        for number, source in _of_chess(folder).get((piece, square), ()):
            if number < 1 << about.width:
                yield number, source
    if isinstance(about, Mover):
        for number, bit, source in _of_board(folder, about.board, frozenset(about.movement.rules)):
            if bit == about.square:
                yield number, source


PieceSquare = tuple[Piece, int]
Numbers = Mapping[PieceSquare, Sequence[tuple[int, str]]]


@cache
def _of_chess(folder: Path) -> Numbers:
    """The numbers that the atlas and the tables of chess have, each with the source of the first
    that has it, by piece and bit: any order of the bits is a symmetry of the board.
    """
    magics: dict[PieceSquare, dict[int, str]] = {}
    for path in sorted(folder.glob("atlas*.toml")):
        for cell in read_atlas(path):
            texts = [cell.magic, cell.range.magic if cell.range else ""]
            for text in filter(None, texts):
                piece_square = Piece(cell.piece), parse_square(cell.square)
                source = f"{path.name}: {cell_name(cell)}"
                magics.setdefault(piece_square, {}).setdefault(int(text, 16), source)
    for table, file in _read(folder, "published", "records", "broken"):
        if table.board != CHESS:
            continue
        for piece in Piece:
            for number, bit, source in _numbers(table, str(piece), file):
                magics.setdefault((piece, bit), {}).setdefault(number, source)
    return {at: tuple(numbers.items()) for at, numbers in magics.items()}


@cache
def _of_board(folder: Path, board: Board, rules: object) -> Sequence[tuple[int, int, str]]:
    """The same of the tables of another board, for pieces that move so: number, bit and source."""
    numbers: list[tuple[int, int, str]] = []
    for table, file in _read(folder, "boards", "boards/small"):
        if table.board == board:
            for name, piece in table.pieces.items():
                if frozenset(piece.movement.rules) == rules:
                    numbers += _numbers(table, name, file)
    return numbers


def _read(folder: Path, *below: str) -> Iterator[tuple[Table, str]]:
    """Tables with the ends of their paths. What cannot be read is of no use here."""
    for path in (path for name in below for path in sorted(folder.glob(f"{name}/*.toml"))):
        with suppress(InputError, OSError):
            table = parse_table(path.read_bytes(), path).table
            yield table, f"{path.parent.name}/{path.name}"


def _numbers(table: Table, piece: str, file: str) -> Iterator[tuple[int, int, str]]:
    """A piece's numbers, each with the bit of its square and where it stands."""
    part = table.pieces.get(piece)
    if part is None:
        return
    names = [name for name in part.parameters if not any(word in name for word in NO_MAGICS)]
    for name, row in product(names, range(table.rows)):
        bit, number = table.row_bit(row), value_at(part.parameters[name], row)
        square = table.board.name(table.row_square(row))
        if number:
            yield number, bit, f"{file}: {piece} {square}"
