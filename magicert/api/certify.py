"""Certify: is a table right, for every square and all 2^64 occupancies?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magicert.api.numbers import Columns, Numbers, make_table
from magicert.api.tables import AnyTable, file_of, path_of
from magicert.api.verify_files import CheckedTable, verify_files
from magicert.arguments import Arguments, board_of, whole_number
from magicert.board import CHESS, Board
from magicert.chess import Piece
from magicert.drawing.boards import drawn_boards
from magicert.outcome import Observer, Quiet, watched_by
from magicert.problem import InputError, Problem, listed
from magicert.table import Table, TableFile
from magicert.verify.source.judgement import Judgement
from magicert.verify.source.read import CheckedSource
from magicert.verify.source.reading import ListEntry
from magicert.verify.source.source_options import overrides_of
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.diagrams import diagrams
from magicert.verify.table.other_rules import RIGHT_IF, with_hints
from magicert.verify.table.report import Buffer, Finding, Report, Square, Verdict, to_json
from magicert.verify.table.verifier import verify

WIDTH = 80
"""Columns of the text."""
SHOWN = 10
"""Findings in it; the first one is drawn."""


@dataclass(frozen=True, slots=True)
class Certified:
    """What a verification says. `report` is the whole of it, as `magicert verify --json` has it.

    `remarks` say what a source does not: what was taken as usual, and what speaks against it.
    `entries` has the places in a source of each finding's magics: list, entry, file, line, number.
    """

    report: Report
    remarks: tuple[str, ...] = ()
    entries: tuple[tuple[ListEntry, ...], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Either "valid" (then it is a certificate), "invalid", or "unknown": the budget ended."""
        return self.report.verdict

    @property
    def valid(self) -> bool:
        return self.verdict == "valid"

    @property
    def findings(self) -> list[Finding]:
        return self.report.findings

    @property
    def squares(self) -> list[Square]:
        return self.report.squares

    @property
    def buffers(self) -> list[Buffer]:
        return self.report.buffers

    @property
    def boards(self) -> list[str]:
        """Each finding with its positions, drawn for a screen of 80 columns."""
        drawn = []
        for finding in self.findings:
            where = " and ".join(finding.squares)
            head = f"{where}: {finding.message}" if where else finding.message
            boards = drawn_boards(list(diagrams(finding, self.report.geometry)), WIDTH)
            drawn.append("\n".join([head, *boards]))
        return drawn

    def to_json(self) -> bytes:
        """The report as JSON: the same bytes for the same table."""
        return to_json(self.report)

    def __repr__(self) -> str:
        return f"<Certified {self.report.table!r} {self._figures}>"

    def __str__(self) -> str:
        boards = self.boards
        heads = [drawn.partition("\n")[0] for drawn in boards[1:SHOWN]]
        not_shown = len(boards) - SHOWN
        more = [f"... and {not_shown} more: findings and boards have them all"] * (not_shown > 0)
        return "\n".join([self._figures, *self.remarks, *boards[:1], *heads, *more])

    def _repr_html_(self) -> str:
        """What a Jupyter notebook shows: the same, and the positions of findings as boards."""
        from magicert.drawing.markup import as_html, element, image
        from magicert.drawing.pictures import piece_board

        parts = [element("p", line) for line in (self._figures, *self.remarks)]
        for finding in self.findings[:SHOWN]:
            where = " and ".join(finding.squares)
            parts.append(element("p", f"{where}: {finding.message}" if where else finding.message))
            boards = diagrams(finding, self.report.geometry)
            parts.append(
                element("div", *(image(piece_board(b), b.caption, "18em") for b in boards))
            )
        if len(self.findings) > SHOWN:
            not_shown = len(self.findings) - SHOWN
            parts.append(element("p", f"... and {not_shown} more: findings has them all"))
        return as_html(element("div", *parts))

    @property
    def _figures(self) -> str:
        length = sum(buffer.length for buffer in self.buffers)
        used = sum(buffer.slots_used for buffer in self.buffers)
        return f"{self.verdict}: {self.report.lookups:,} lookups, {length:,} slots, {used:,} used"


def certify(
    rook: Columns | None = None,
    bishop: Columns | None = None,
    *,
    scheme: str = "white",
    rook_bits: Numbers | None = None,
    bishop_bits: Numbers | None = None,
    rook_shift: Numbers | None = None,
    bishop_shift: Numbers | None = None,
    order: str = "a1",
    name: str = "table",
    observer: Observer | None = None,
    max_lookups: int = MAX_LOOKUPS,
    **keys: object,
) -> Certified:
    """Verify magics that are in memory, for every square and all 2^64 occupancies.

    >>> report = magicert.certify(rook_magics, bishop_magics, rook_shift=52, bishop_shift=55)
    >>> report.valid, report.findings
    (True, [])

    rook, bishop
        64 magics each: a list, a tuple, an array of numpy's, from the first square of `order` on.
        Or a mapping with all columns by the names that table files use: `magic`, `bits`, `shift`,
        `offset`, `mask`, and those of your formula. Either may be left out.
    scheme
        "white", "black", "constant", "two-halves", "two-halves-add", or an index formula such as
        "((occ & mask) * magic) >> shift".
    rook_bits, bishop_bits, rook_shift, bishop_shift
        One number for all squares, or 64. Bits are those of the index; a shift is 64 - bits. If
        neither is given, every square has as many bits as its mask has squares.
    order
        The square of bit 0: "a1", "h1", "a8", "h8", with "-files" behind it along the files.
    name
        What messages call the table.
    observer
        Is told how far the work is; see `Observer`.
    max_lookups
        The budget. Where masks are so large that it ends first, the verdict is "unknown".
    keys
        Other keys of a table file, such as `buffer="shared"`. With `board="9x10"` lists have a
        number for each of its squares, and other pieces are given by name, with their columns:
        `elephant={"piece": "elephant@a1-i5,a6-i10", "magic": magics}`.

    Raises InputError, which names every wrong argument with its value.
    """
    table = make_table(
        rook, bishop, scheme=scheme, rook_bits=rook_bits, bishop_bits=bishop_bits,
        rook_shift=rook_shift, bishop_shift=bishop_shift, order=order, name=name, **keys,
    )  # fmt: skip
    return certify_table(table, observer=observer, max_lookups=max_lookups)


def certify_table(
    table: AnyTable,
    *,
    board: Board | str | None = None,
    pieces: Mapping[str, str] | None = None,
    observer: Observer | None = None,
    max_lookups: int = MAX_LOOKUPS,
) -> Certified:
    """Verify a table exhaustively: one that was made or read, or the path or name of one.

    >>> magicert.certify_table("shakmaty").verdict
    'valid'

    A path may be an engine's source, or a folder with one table or source. Where no reading of a
    source certifies, the report is that of the nearest. What no source says of another board than
    chess's stands in `board`, and in `pieces`, which gives each list its piece:
    `certify_table("magics.h", board="9x10", pieces={"RookMagics": "R"})`.

    Raises InputError where there is nothing to verify, and where a source has several tables or a
    reading that cannot be believed.
    """
    arguments = Arguments()
    arguments.read("max_lookups", max_lookups, lambda value: whole_number(value, 0))
    named = arguments.optional("pieces", pieces, _named_pieces) or ()
    size = arguments.optional("board", board, board_of)
    arguments.refuse()
    if isinstance(table, Table | TableFile):
        if named or size is not None:
            raise InputError([Problem("only for sources: a table says its own", key="board")])
        progress = (observer or Quiet()).progress
        file = file_of(table)
        report = verify(file, max_lookups=max_lookups, progress=progress)
        return _certified(with_hints(file, report))
    path = path_of(table, "table")
    overrides = None
    if named or size is not None:
        overrides = overrides_of(None, (), None, (), named, None if size is None else str(size))
    verified = verify_files(
        (str(path),), watched_by(observer), max_lookups=max_lookups, overrides=overrides
    )
    checked_files: list[CheckedTable | CheckedSource] = [*verified.tables, *verified.sources]
    if len(checked_files) != 1:
        names = listed([str(file) for file in verified.paths])
        message = f"{len(checked_files)} tables or sources: expected one of them: {names}"
        raise InputError([Problem(message, file=str(path))])
    (checked,) = checked_files
    if isinstance(checked.result, InputError):
        raise checked.result
    if isinstance(checked.result, Report):
        return _certified(checked.result)
    return _of_source(checked.result, str(path))


def _named_pieces(pieces: Mapping[str, str]) -> tuple[str, ...]:
    """Lists and their pieces, as --piece takes them."""
    if not isinstance(pieces, Mapping):
        raise ValueError(
            f"{pieces!r}: expected lists and their pieces, as in {{'RookMagics': 'R'}}"
        )
    return tuple(f"{name}={piece}" for name, piece in pieces.items())


def _certified(report: Report, hints: Sequence[str] = ()) -> Certified:
    """The report; that it is about one piece only belongs to its verdict, and so does a rule under
    which it would be right.
    """
    pieces = list(report.formulas)
    chess = report.geometry == CHESS and pieces[0] in set(Piece)
    only = (f"{pieces[0]}s only",) if len(pieces) == 1 and chess else ()
    hints = [*hints, *(note for note in report.notes if RIGHT_IF in note)]
    return Certified(report, (*only, *hints))


def _of_source(judgement: Judgement, file: str) -> Certified:
    """The only reading, or the nearest where none certifies."""
    doubts = [Problem(doubt, file=file) for doubt in judgement.undecided]
    if len(judgement.valid) > 1:
        count = len(judgement.valid)
        message = f"{count} readings are valid: magicert import writes the one that you choose"
        doubts.append(Problem(message, file=file))
    if doubts:
        raise InputError(doubts)
    reading = (judgement.nearest or judgement.valid)[0]
    entries = tuple(tuple(reading.entries(finding)) for finding in reading.report.findings)
    hints = [note for note in judgement.notes if RIGHT_IF in note]
    remarks = (*_certified(reading.report, hints).remarks, *reading.remarks)
    return Certified(reading.report, remarks, entries)
