"""The exhaustive verification of a table: all occupancies of all squares, no sampling."""

from magicert import __version__
from magicert.formula.numpy_reading import RowsError
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.read import TableFile
from magicert.verify.table.attack_sets import (
    attack_set_findings,
    attack_set_notes,
    can_be_numbered,
    common_sets,
    sharing_finding,
)
from magicert.verify.table.attacks import BoardPiece, usual_masks
from magicert.verify.table.budget import MAX_LOOKUPS, PROBE_LOOKUPS
from magicert.verify.table.buffer_check import BufferCheck, Counter, Progress
from magicert.verify.table.counterexample import Witness
from magicert.verify.table.layered import is_layered, refuse_unread, sharing
from magicert.verify.table.layout import lay_out, shift_problems
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Buffer, Finding, Input, Report, Square, Verdict

# What is worth knowing about a table besides its verdict.


def notes(
    table: Table, buffers: list[Buffer], squares: list[Square], lookups: list[Lookups]
) -> list[str]:
    """One line each: buffers declared too long, odd masks, squares with fewer bits."""
    found: list[str] = []
    for buffer in buffers:
        if buffer.declared is not None and buffer.length < buffer.declared:
            spare = buffer.declared - buffer.length
            found.append(
                f"buffer {buffer.name}: {buffer.declared:,} slots declared, {buffer.length:,} "
                f"needed: the last {spare:,} are never used"
            )
    odd = [s for s in squares if s.missing or s.extra]
    for square in odd:
        parts = [
            f"{word} {' '.join(names)}"
            for word, names in (("lacks", square.missing), ("has besides", square.extra))
            if names
        ]
        found.append(f"{square.piece} {square.square}: the given mask {' and '.join(parts)}")
    fewer = [s for s in squares if s.bits < s.c]
    for piece in table.pieces:
        names = [s.square for s in fewer if s.piece == piece]
        if names:
            found.append(f"{piece}: fewer bits than the mask has on {' '.join(names)}")
    for buffer, plan in zip(buffers, lookups, strict=True):
        if is_layered(plan.buffer):
            counts = enumerate(sharing(plan), start=1)
            shown = ", ".join(f"{squares}: {entries:,}" for squares, entries in counts)
            found.append(f"buffer {buffer.name}: entries by the squares that share them: {shown}")
    if not all(plan.complete for plan in lookups):
        found.append(
            "not exhaustive: this is about the part that was tried; --max-lookups sets the budget"
        )
    return found


def verify(
    file: TableFile, *, max_lookups: int = MAX_LOOKUPS, progress: Progress | None = None
) -> Report:
    """Verify a table; the report is a certificate if its verdict is "valid".

    Raises InputError where the table contradicts itself, where a shift reaches the
    word's width, or where a sidecar file is unusable.
    """
    for budget in _budgets(file.table, max_lookups):
        report = _verify(file, budget, progress)
        if report.verdict != "unknown":
            break
    return report


def _budgets(table: Table, most: int) -> list[int]:
    """Lookups to try first, and then all. Only odd masks need more than a few, and what is wrong
    with them shows in a few, as a rule.
    """
    few = _few_lookups(table)
    if few >= most:
        few = PROBE_LOOKUPS
    return [few, most] if few < most else [most]


def _verify(file: TableFile, max_lookups: int, progress: Progress | None) -> Report:
    """One verification within a budget."""
    table = file.table
    witness = Witness(table)
    buffers: list[Buffer] = []
    squares: list[Square] = []
    findings: list[Finding] = []
    sidecars: dict[str, str] = {}
    try:
        budget = max_lookups // len(table.pieces)
        buffers_laid = lay_out(file)
        refuse_unread(file, buffers_laid)
        lookups = [Lookups(layout, budget) for layout in buffers_laid]
        count = Counter(sum(plan.total for plan in lookups), progress)
        for check in _checks(file, lookups, witness, count):
            check.run()
            buffers.append(check.buffer)
            squares += check.squares
            findings += check.findings
            sidecars.update(check.sidecars)
    except RowsError as error:
        raise InputError(shift_problems(file, error)) from None
    numbered: bool | None = True
    if not sidecars:  # a finished buffer is followed through both levels instead
        findings += attack_set_findings(table, buffers_laid)
        if table.two_level is not None and not findings:
            common = [one for plan in lookups for one in common_sets(plan)]
            numbered = can_be_numbered(common)
            findings += [sharing_finding(table, common)] if numbered is False else []
    complete = all(plan.complete for plan in lookups)
    decided = complete and numbered is not None
    verdict: Verdict = "invalid" if findings else "valid" if decided else "unknown"
    statement = _LITERAL if sidecars and verdict == "valid" else _STATEMENTS[verdict]
    if numbered is None:
        statement = _NOT_NUMBERED
    results = {
        f"{piece}.result": half.result.text for piece, half in table.pieces.items() if half.result
    }
    if results and statement == _STATEMENTS["valid"]:
        statement = _LAYERED
    return Report(
        tool=f"magicert {__version__}",
        input=Input(file=file.path.name, sha256=file.sha256, sidecars=sidecars),
        table=table.name,
        verdict=verdict,
        statement=statement.format(squares=table.board.squares) + _HALF_BOARD * table.half_board,
        formulas={str(piece): half.index.text for piece, half in table.pieces.items()} | results,
        order=table.order,
        listing=table.listing,
        board=table.extent,
        lookups=sum(plan.total for plan in lookups),
        buffers=buffers,
        squares=squares,
        findings=findings,
        notes=[*notes(table, buffers, squares, lookups), *attack_set_notes(lookups)],
    )


def _few_lookups(table: Table) -> int:
    """A budget that is enough for the usual masks, and for somewhat more."""
    most = 0
    for half in table.pieces.values():
        masks = usual_masks(BoardPiece(table.board, half.movement, table.order))
        most = max(most, sum(1 << mask.bit_count() for mask in masks))
    return max(PROBE_LOOKUPS, 2 * most * len(table.pieces))


def _checks(
    file: TableFile, lookups: list[Lookups], witness: Witness, count: Counter
) -> list[BufferCheck]:
    """A check for each buffer. Raises InputError with the problems of all sidecar files."""
    checks: list[BufferCheck] = []
    problems: list[Problem] = []
    for plan in lookups:
        try:
            checks.append(BufferCheck(file.table, witness, plan, file.path.parent, count))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return checks


_STATEMENTS = {
    "valid": "For every square and all 2^{squares} occupancies of the board, the slot is inside "
    "its buffer, and no slot is reached with two different attack sets.",
    "invalid": "At least one lookup of this table yields a wrong attack set, or none.",
    "unknown": "Nothing wrong was found, but more occupancy bits can change the index than the "
    "budget of lookups allows to try.",
}

_NOT_NUMBERED = (
    "Nothing wrong was found, but squares share slots, and whether there are numbers that mean the "
    "same attack sets for each of them is not decided: a finished buffer (literal) says which."
)

_LITERAL = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "and the finished buffer yields the true attack set."
)

_LAYERED = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "and no bit of a slot's word must be both one and zero for the result formula to yield the "
    "true attack sets. So there is a buffer that yields all of them: the ones asked for, 0 "
    "elsewhere."
)

_HALF_BOARD = (
    " The table is a half board: it holds the squares of ranks 1-4. A lookup for another square "
    "swaps the bytes of the occupancy, looks up square ^ 56 and swaps the bytes of what it finds; "
    "these lookups were all made as well, against the attack sets of the squares themselves."
)
