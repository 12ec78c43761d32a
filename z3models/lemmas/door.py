"""The door to `magicert lemma`: proves the lemmas about a table in a process of its own."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from magicert.board import attacks_of, bitboard, least_mask, place_of, squares_of, usual_mask
from magicert.engine import Observer
from magicert.outcome import Outcome
from magicert.table.model import PieceTable, Table, value_at
from magicert.z3models.lemmas.lemmas import LEMMAS
from magicert.z3models.lemmas.row import Counterexample, Proved, TableRow, Undecided
from magicert.z3models.solvers.child import ChildObserver, supervise


@dataclass(frozen=True, slots=True)
class LemmaQuestion:
    """A table, and the budgets for all of its proofs together (seconds, MiB)."""

    table: Table
    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class LemmaResult:
    """One lemma for one piece: how many squares it is proved for, and what speaks against it."""

    piece: str
    lemma: str
    proved: int
    asked: int
    counterexamples: tuple[tuple[str, str], ...] = ()
    undecided: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All lemmas about a table."""

    findings: tuple[LemmaResult, ...] = field(default_factory=tuple)


def prove(asked: LemmaQuestion, observer: Observer) -> Findings | Outcome:
    """Prove or refute every lemma for every square of the table."""
    return supervise(work, asked, observer)


def work(asked: LemmaQuestion, report: ChildObserver) -> Findings:
    """What that process does."""
    findings = []
    for number, (piece, piece_table) in enumerate(asked.table.pieces.items()):
        rows = list(rows_of(asked.table, piece_table))
        for place, name in enumerate(LEMMAS):
            done = number * len(LEMMAS) + place
            report.progress(done, len(asked.table.pieces) * len(LEMMAS), f"{piece} {name}")
            findings.append(_lemma(piece, name, rows))
    return Findings(tuple(finding for finding in findings if finding.asked))


def _lemma(piece: str, name: str, rows: list[TableRow]) -> LemmaResult:
    _, lemma = LEMMAS[name]
    proved = asked = 0
    against, undecided = [], []
    for row in rows:
        match lemma(row):
            case Proved():
                proved += 1
            case Counterexample(text):
                against.append((row.square, text))
            case Undecided(reason):
                undecided.append((row.square, reason))
            case None:
                continue
        asked += 1
    return LemmaResult(piece, name, proved, asked, tuple(against), tuple(undecided))


def rows_of(table: Table, piece_table: PieceTable) -> Iterator[TableRow]:
    """The rows of a piece: one for each square, or the 32 of a half board, which serve the other
    squares as well. Where the table gives no mask, it is the piece's usual or least one.
    """
    board, movement = table.board, piece_table.movement
    relevant = usual_mask if piece_table.masks == "usual" else least_mask
    names = tuple(board.name(table.bit_square(bit)) for bit in range(board.squares))

    def bits(squares: int) -> int:
        return bitboard(place_of(table.order, square, board) for square in squares_of(squares))

    for place in range(table.rows):
        square = table.row_square(place)
        parameters = {name: value_at(v, place) for name, v in piece_table.parameters.items()}
        mask = bits(relevant(board, movement, square))
        line = bits(attacks_of(board, movement, square, 0))
        yield TableRow(
            piece_table.index, board.name(square), parameters.get("mask", mask), parameters,
            piece_table.result, line, names,
        )  # fmt: skip
