"""What came of tables and sources, as documents."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.api.verify_files import CheckedTable, Verified
from magicert.board import BY_FILES, CHESS, Board, orders
from magicert.chess import Piece
from magicert.problem import InputError, path_called, printable
from magicert.show.document import (
    Annotation,
    Document,
    FilePlace,
    bad_input,
    file_name,
)
from magicert.table import TableFile, read_table
from magicert.verify.table.diagrams import diagrams
from magicert.verify.table.report import Finding, Report

if TYPE_CHECKING:
    from magicert.verify.source.judgement import Judgement
    from magicert.verify.source.read import CheckedSource
    from magicert.verify.source.reading import SourceReading

MOST_PLACES = 6
"""Places where a list is used that are shown without --full."""
MOST_CAUSES = 8
AT_LINE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+): (?P<message>.*)", re.DOTALL)
"""How a reason names its place."""


def documents_of(verified: Verified) -> list[Document]:
    """A document for each table, and for each reading of each source."""
    alone = len(verified.tables) == 1
    documents = [of_table(checked, alone=alone) for checked in verified.tables]
    return documents + [document for source in verified.sources for document in of_source(source)]


def as_json(verified: Verified, documents: Sequence[Document]) -> dict[str, Any]:
    """All reports in one document."""
    not_read = [{"file": str(path), "why": why} for path, why in verified.left_out.items()]
    return {"reports": [document.data() for document in documents], "left_out": not_read}


def of_table(checked: CheckedTable, *, alone: bool = True) -> Document:
    """A table file's document. Notes about one among several are shown where it is not valid."""
    if isinstance(checked.result, InputError):
        return bad_input(file_name(checked.path), checked.result.problems, [checked.path])
    report = checked.result
    # A chess engine has both; on other boards a table of one piece is nothing odd.
    pieces = list(report.formulas)
    odd = len(pieces) == 1 and pieces[0] in set(Piece) and report.geometry == CHESS
    remarks = f"; {pieces[0]}s only" if odd else ""
    count = len(report.findings)
    count_text = f"; {count:,} finding{'s' if count > 1 else ''}" if count else ""
    named = report.table.lower() not in (checked.path.name.lower(), checked.path.stem.lower())
    name = file_name(checked.path)
    return Document(
        report.verdict,
        f"{name}: {printable(report.table)}" if named else name,
        f"{_sizes(report)}{count_text}{remarks}",
        annotations=tuple(_of_findings(checked.path, report)),
        facts=[
            *report.formulas.items(), ("statement", report.statement),
            *([("sha256", report.input.sha256)] if report.input.sha256 else []),
        ],
        notes=tuple(report.notes),
        data=lambda: report,
        brief=not alone or report.verdict != "valid",
    )  # fmt: skip


def _sizes(report: Report) -> str:
    length = sum(buffer.length for buffer in report.buffers)
    used = sum(buffer.slots_used for buffer in report.buffers)
    parts = [f"{used:,} used", f"{length - used:,} holes"]
    sizes = [buffer.declared for buffer in report.buffers if buffer.declared is not None]
    if len(sizes) == len(report.buffers):
        parts.append(f"{sum(sizes):,} declared")
    return f"{report.lookups:,} lookups, {length:,} slots ({', '.join(parts)})"


def _of_findings(path: Path, report: Report) -> Iterator[Annotation]:
    if report.verdict == "unknown":
        yield _not_enough(report, path)
    file = _read_again(path) if report.findings else None
    for finding in report.findings:
        places = [_in_table(file, path, name) for name in finding.squares] or [FilePlace(path)]
        where = " and ".join(finding.squares)
        yield _annotation(finding, where or "the table", places, report.geometry)


def _read_again(path: Path) -> TableFile | None:
    """The file for its lines, if it still says what was verified."""
    try:
        return read_table(path)
    except (InputError, OSError):
        return None


def _in_table(file: TableFile | None, path: Path, name: str) -> FilePlace:
    """The magic of a square in a table file, given as "rook a1"."""
    piece, _, square = name.partition(" ")
    if file is None:
        return FilePlace(path, label=name)
    number = file.table.board.parse(square)
    rows = [row for row in range(file.table.rows) if file.table.row_square(row) == number]
    return FilePlace(path, file.line(piece, "magic", *rows) or 0, label=name)


def _annotation(
    finding: Finding, title: str, places: Sequence[FilePlace], on: Board, rule: str = ""
) -> Annotation:
    return Annotation(
        rule or finding.kind.replace(" ", "-"), title, finding.message, places[0],
        tuple(places[1:]), " and ".join(finding.squares), tuple(diagrams(finding, on)),
    )  # fmt: skip


def _not_enough(report: Report, path: Path) -> Annotation:
    message = f"{report.lookups:,} lookups were not enough: {report.statement}"
    return Annotation("undecided", "not decided", message, FilePlace(path))


def of_source(checked: "CheckedSource") -> Iterator[Document]:
    """A document for each reading that certifies, else for each that comes near; one where there
    is none.
    """
    judgement = checked.result
    if isinstance(judgement, InputError):
        yield bad_input(checked.name, judgement.problems, checked.paths)
        return
    # What is said of the source as a whole stands with its last reading that all see.
    doubts = [_at_its_line("undecided", text, checked.paths) for text in judgement.undecided]
    doubts += [_at_its_line("warning", text, checked.paths) for text in checked.warnings]
    for number, reading in enumerate(judgement.valid, 1):
        last = number == len(judgement.valid) and not judgement.nearest
        yield _certified(reading, checked, judgement, number, doubts if last else [])
    for number, reading in enumerate(judgement.nearest):
        yield _near(reading, checked, judgement, number, [] if number else doubts)
    if not judgement.valid and not judgement.nearest:
        nothing = {
            "file": checked.name, "verdict": judgement.verdict, "undecided": judgement.undecided,
            "notes": judgement.notes,
        }  # fmt: skip
        yield Document(
            judgement.verdict, checked.name, annotations=tuple(doubts),
            notes=tuple(judgement.notes), data=lambda: nothing,
        )  # fmt: skip


def _certified(
    reading: "SourceReading", checked: "CheckedSource", judgement: "Judgement", number: int,
    doubts: Sequence[Annotation],
) -> Document:  # fmt: skip
    from magicert.verify.source.judge import UNUSED_LIST
    from magicert.verify.source.reading import function_hint

    valid, count = judgement.verdict == "valid", len(judgement.valid)
    entries = list(_entries(reading, judgement))
    claim = "the numbers are valid" if valid else "valid if read as"
    if judgement.verdict == "invalid":
        claim = "these numbers are valid, others are not"
    which = f" (reading {number} of {count})" if count > 1 else ""
    others = (
        [note for note in judgement.notes if note.startswith(UNUSED_LIST)]
        if number == count
        else []
    )
    more = f" and {len(others) - 2} more" if len(others) > 2 else ""
    not_used = (
        [UNUSED_LIST + ", ".join(note.removeprefix(UNUSED_LIST) for note in others[:2]) + more]
        if others
        else []
    )
    remark = "; ".join([*not_used, *_remarks_on(reading, checked)])
    remark = f"{remark}. {function_hint(reading)}" if remark else function_hint(reading)
    return Document(
        judgement.verdict,
        " and ".join(
            dict.fromkeys(str(path_called(name, checked.paths)) for name in reading.files)
        ),
        f"{claim}{which}: {_figures(reading)}",
        remarks=(remark,) if valid else (),
        annotations=(*entries, *doubts),
        shown=len(entries) + len(doubts),
        facts=facts(reading),
        notes=(*(() if valid else _order_note(reading)), *judgement.notes),
        data=lambda: reading_json(reading, judgement),
    )


def _order_note(reading: "SourceReading") -> tuple[str, ...]:
    """Which square order the names of squares follow, where the source does not say it."""
    if not reading.sources.get("order", "").startswith("assumed: "):
        return ()
    taken, board = reading.table.order, reading.table.board
    corner = taken.removesuffix(BY_FILES)
    along = "" if taken == corner else " and bits ran along the files"
    others = [order for order in orders(board) if order.startswith(corner[0]) and order != corner]
    return (
        f"squares are named as if {corner} were bit 0{along}, which the source does not say: "
        f"add --order {others[0]} if {others[0]} is",
    )


def _near(
    reading: "SourceReading", checked: "CheckedSource", judgement: "Judgement", number: int,
    doubts: Sequence[Annotation],
) -> Document:  # fmt: skip
    from magicert.verify.fixing.fix import remedy

    findings = reading.report.findings
    causes = [_cause(reading, finding, judgement) for finding in findings]
    if reading.report.verdict == "unknown":
        causes.append(_not_enough(reading.report, checked.paths[0]))
    can_help = not number and findings and reading.confirmed
    return Document(
        judgement.verdict, checked.name, _counted(reading, judgement),
        annotations=(*doubts, *causes), shown=len(doubts) + MOST_CAUSES, facts=facts(reading),
        help=remedy(checked) if can_help else "",
        notes=(*_order_note(reading), *(() if number else judgement.notes)),
        data=lambda: reading_json(reading, judgement), aside=number > 0,
    )  # fmt: skip


def _counted(reading: "SourceReading", judgement: "Judgement") -> str:
    if reading.report.verdict == "unknown":
        return f"{reading.report.lookups:,} lookups were not enough"
    squares = sum(len(piece_reading.magic.values) for piece_reading in reading.piece_readings)
    counted = f"{reading.bad_squares} of {squares} squares conflict"
    if judgement.verdict == "unknown" and not judgement.undecided:
        counted += f", but {reading.in_question} was assumed; {reading.settled_by}"
    return counted


def _cause(reading: "SourceReading", finding: Finding, judgement: "Judgement") -> Annotation:
    from magicert.verify.source.reading import MAYBE_ANOTHER

    places = [
        FilePlace(
            path_called(list_entry.file, judgement.files),
            list_entry.line,
            list_entry.column,
            str(list_entry),
        )
        for list_entry in reading.entries(finding)
    ]
    title = " and ".join(finding.squares) or "the table"
    decided = reading.decided and judgement.verdict == "invalid"
    if wrong := reading.wrong_mask(finding):
        title += f" has a wrong mask, {wrong}" if decided else f": perhaps its mask: {wrong}"
    elif counted := reading.wrong_count(finding):
        entry, needed = counted
        title += " has a wrong number of bits: " if decided else ": perhaps its number of bits: "
        written = f"{entry.list or 'an unnamed list'} has {int(entry.number, 16)}"
        title += f"{written}, and with {needed} nothing conflicts"
    elif len(finding.squares) == 1:
        listed = any(
            piece_reading.count.column
            for piece_reading in reading.piece_readings
            if piece_reading.bad
        )
        blamed = "magic or number of bits" if listed else "magic"
        title += f" has a wrong {blamed}" if decided else f": {MAYBE_ANOTHER}"
    places = places or [FilePlace(judgement.files[0])]
    rule = "" if decided else "undecided"
    return _annotation(finding, title, places, reading.report.geometry, rule)


def _entries(reading: "SourceReading", judgement: "Judgement") -> Iterator[Annotation]:
    """The wrong entries of finished lists."""
    rule = "literal" if reading.read else "undecided"
    for attack_list in reading.finished:
        path = path_called(attack_list.file, judgement.files)
        for line, column, wrong in attack_list.wrong:
            place = FilePlace(path, line or attack_list.line, column or 1)
            yield Annotation(rule, f"wrong entry of {attack_list.name}", str(wrong), place)


def _at_its_line(rule: str, text: str, paths: Sequence[Path]) -> Annotation:
    title = "warning" if rule == "warning" else "not decided"
    match = AT_LINE.fullmatch(text)
    if match is None:
        return Annotation(rule, title, printable(text), FilePlace(paths[0]))
    place = FilePlace(path_called(match["file"], paths), int(match["line"]))
    return Annotation(rule, title, printable(match["message"]), place)


def _figures(reading: "SourceReading") -> str:
    """The lists, the formulas, and what was assumed."""
    lists = ", ".join(
        f"{piece_reading.magic.name or 'unnamed'}:{piece_reading.magic.first_line}"
        for piece_reading in reading.piece_readings
    )
    formulas = " and ".join(
        dict.fromkeys(piece_reading.formula.text for piece_reading in reading.piece_readings)
    )
    length = sum(buffer.length for buffer in reading.report.buffers)
    pieces = list(reading.report.formulas)
    only = f"; {pieces[0]}s only" if len(pieces) == 1 and reading.table.is_chess() else ""
    under = f"; under {', '.join(reading.conditions)}" if reading.conditions else ""
    remarks = "".join(f"; {remark}" for remark in reading.remarks)
    figures = f"{reading.report.lookups:,} lookups, {length:,} slots"
    if not reading.piece_readings:
        lists = ", ".join(
            f"{attack_list.name}:{attack_list.line}" for attack_list in reading.finished
        )
        formulas = " and ".join(dict.fromkeys(reading.report.formulas.values()))
    for attack_list in reading.finished:
        if attack_list.compared.wrong:
            remarks += f"; {attack_list.compared.wrong:,} entries of {attack_list.name} are wrong"
    return f"{lists} with {formulas}{_index_bits(reading)}, {figures}{only}{under}{remarks}"


def _index_bits(reading: "SourceReading") -> str:
    """How many bits an index has: of each piece one number, or the least and the most."""
    texts = []
    for piece in reading.table.pieces:
        bits = [square.bits for square in reading.report.squares if square.piece == str(piece)]
        if bits:
            least, most = min(bits), max(bits)
            texts.append(f"{piece} {least if least == most else f'{least} to {most}'} bits")
    return f" ({', '.join(texts)})" if texts else ""


def _remarks_on(reading: "SourceReading", checked: "CheckedSource") -> Iterator[str]:
    """What else is known of a reading: whose numbers it has, its finished lists, and where its
    lists are used.
    """
    known = _origins(reading)
    if len({*known.values()}) == 1 and len(known) == len(reading.table.pieces):
        yield next(iter(known.values()))
    else:
        yield from (f"{piece}: {text}" for piece, text in known.items())
    fitting = [attack_list for attack_list in reading.finished if attack_list.fits]
    if fitting:
        lists = " and ".join(
            dict.fromkeys(f"{attack_list.name}:{attack_list.line}" for attack_list in fitting)
        )
        loaded = sum(attack_list.compared.loaded for attack_list in fitting)
        yield f"all {loaded:,} entries of {lists} that lookups load are right"
    for attack_list in reading.finished:
        if not attack_list.fits:
            place = f"{attack_list.name}:{attack_list.line}"
            yield f"not compared: {place} has attack sets in an unknown order"
    places = [(str(path_called(use.file, checked.paths)), use) for use in reading.also_used]
    shown: list[str] = []
    for file, uses in groupby(places[:MOST_PLACES], key=lambda named: named[0]):
        for number, (_, use) in enumerate(uses):
            place = f"{'' if number else file}:{use.line}"
            shown.append(f"{place} ({use.function})" if use.function else place)
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    if shown:
        yield f"also used at {', '.join(shown)}{more}"
    if reading.writes:
        others = f" and {len(reading.writes) - 2} more" if len(reading.writes) > 2 else ""
        first = ", ".join(write.text for write in reading.writes[:2])
        yield f"not followed: statements that may change them: {first}{others}"


MOST_NAMED = 3
"""Squares on which numbers are others than a set's that are named one by one."""


def _origins(reading: "SourceReading") -> dict[str, str]:
    """Whose numbers a reading's are; where few differ, which, where they stand, and the set's."""
    from magicert.origin import known_sets
    from magicert.verify.source.reading import entry_of

    origins, texts = known_sets(reading.table), {}
    for piece_reading in reading.piece_readings:
        set_of_piece = origins.get(str(piece_reading.piece))
        if set_of_piece is None:
            continue
        board, rows = piece_reading.variant.board, {}
        of_row = piece_reading.arrangement.row_square
        for row in range(piece_reading.variant.squares):
            rows[piece_reading.arrangement.row_bit(row, board)] = row
        differing = [
            f"{board.name(of_row(rows[bit], board))} (line {entry.line}: "
            f"{entry.number}, there 0x{set_of_piece.magic(bit):x})"
            for bit in set_of_piece.differing
            for entry in [entry_of(piece_reading.magic, rows[bit])]
        ]
        texts[str(piece_reading.piece)] = str(set_of_piece)
        if 0 < len(differing) <= MOST_NAMED:
            texts[str(piece_reading.piece)] = (
                f"the same numbers as {set_of_piece.numbers}, except on {' and '.join(differing)}"
            )
    return texts


def facts(reading: "SourceReading") -> list[tuple[str, str]]:
    """What was taken for what: a part of the table, and where it comes from."""
    rows = []
    for piece, piece_table in reading.table.pieces.items():
        rows.append((f"{piece}.index", piece_table.index.text))
        rows += [
            (name, text) for name, text in reading.sources.items() if name.startswith(f"{piece}.")
        ]
    pieces = tuple(f"{piece}." for piece in reading.table.pieces)
    rows += [item for item in reading.sources.items() if not item[0].startswith(pieces)]
    for use in reading.also_used:
        inside = f" ({use.function})" if use.function else ""
        rows.append(("also used", f"{use.name}: {use.file}:{use.line}{inside}"))
    return rows


def reading_json(reading: "SourceReading", judgement: "Judgement") -> dict[str, Any]:
    """A verification's report, with `reading` beside it."""
    import msgspec

    from magicert.verify.source.reading import function_hint

    return {
        **msgspec.to_builtins(reading.report),
        "reading": {
            "verdict_of_source": judgement.verdict,
            "sources": reading.sources,
            "conditions": list(reading.conditions),
            "bad_squares": reading.bad_squares,
            "decided": reading.decided,
            "undecided": judgement.undecided,
            "entries": [
                [asdict(entry) for entry in reading.entries(finding)]
                for finding in reading.report.findings
            ],
            "guesses": list(reading.guesses),
            "also_used": [asdict(use) for use in reading.also_used],
            "whose": _origins(reading),
            "finished": [asdict(attack_list) for attack_list in reading.finished],
            "notes": judgement.notes,
            "not_read": function_hint(reading),
        },
    }
