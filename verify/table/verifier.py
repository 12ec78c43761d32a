"""The exhaustive verification of a table: all occupancies of all squares, no sampling.

Each lookup is made twice: once to write the attack set that the ray walk gives into its slot, and
once to read it back. A table is valid if every slot is inside its buffer and every lookup reads
back what it wrote; one slot that two attack sets were written to makes it invalid, and a pair of
positions shows it. The statement holds for all occupancies of the board, since `layout` reads off
the formula which occupancy bits can change an index at all, and all subsets of those are tried.

A table file and each reading of a source come through here. The cost is that of the lookups,
in numpy: 107,648 for the usual rook and bishop. Where a budget of lookups does not suffice, only a
part of the subsets is tried, and the verdict is "unknown" unless something wrong was found.

What only some tables need (two levels, results by a formula, finished buffers) is loaded for those.
"""

# Not one import deeper: there CPython 3.11 maps and unmaps a chunk of its stack for each call in
# numpy's own modules, a sixth of what `verify TABLE` takes (benchmarks/bench_size.py).
import numpy as np  # noqa: F401

from magicert import __version__
from magicert.formula.arrays import RowsError
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.files import TableFile
from magicert.verify.table import LARGEST_BUDGET, MAX_LOOKUPS, PROBE_LOOKUPS
from magicert.verify.table.attacks import BoardPiece, least_masks, usual_masks
from magicert.verify.table.buffer_check import STATEMENTS, BufferCheck, LookupCounter, Progress
from magicert.verify.table.layout import BufferLayout, lay_out, shift_problems
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.notes import attack_set_notes, notes
from magicert.verify.table.report import Buffer, Finding, Input, Report, Square, Verdict


def verify(
    file: TableFile, *, max_lookups: int = MAX_LOOKUPS, progress: Progress | None = None
) -> Report:
    """Verify a table; the report is a certificate if its verdict is "valid".

    Raises InputError where the table contradicts itself, where a shift reaches the
    word's width, where a sidecar file is unusable, or where no budget is enough for a piece.
    """
    needed = _needed_lookups(file)
    if file.table.two_level is not None and needed > max(max_lookups, MAX_LOOKUPS):
        message = f"two levels, and {needed:,} lookups: expected at most {max_lookups:,} in all"
        message += " (--max-lookups sets the budget)"
        line = file.line("two_level")
        raise InputError([Problem(message, str(file.path), "two_level", line)])
    # What cannot be tried whole is tried in part: more of it says no more than "not decided". A
    # budget that somebody has set is used.
    in_part = needed > max_lookups == MAX_LOOKUPS
    for budget in [PROBE_LOOKUPS] if in_part else _budgets(file.table, max_lookups):
        report = _verify(file, budget, progress)
        if report.verdict != "unknown":
            break
    return report


def _needed_lookups(file: TableFile) -> int:
    """How many lookups of the true masks there are, of all pieces together.

    Raises InputError where they are more than any budget: nothing is enumerated before that.
    """
    table, board = file.table, file.table.board
    problems: list[Problem] = []
    needed = 0
    for piece, piece_table in table.pieces.items():
        mover = BoardPiece(board, piece_table.movement, table.order)
        masks = {bit: mask for bit, mask in enumerate(least_masks(mover)) if mover.has(bit)}
        of_a_piece = sum(1 << mask.bit_count() for mask in masks.values())
        needed += of_a_piece
        if of_a_piece <= LARGEST_BUDGET // len(table.pieces):
            continue
        bits, bit = max((mask.bit_count(), bit) for bit, mask in masks.items())
        message = (
            f"{bits} squares can change what a {piece} on {board.name(table.bit_square(bit))} of "
            f"{board} attacks, which makes 2^{bits} occupancies: expected at most "
            f"{LARGEST_BUDGET:,} lookups of all squares; a smaller board has fewer, "
            "or a piece that goes less far"
        )
        line = file.line(str(piece), "piece")
        problems.append(Problem(message, str(file.path), f"{piece}.piece", line))
    if problems:
        raise InputError(problems)
    return needed


def _budget_of_a_piece(buffers: list[BufferLayout], most: int) -> int:
    """All where they are enough for all pieces; else every piece has its share."""
    pieces = [piece for buffer in buffers for piece in buffer.pieces]
    all_of_them = sum(1 << p.relevant[row].bit_count() for p in pieces for row in p.playable)
    return most if all_of_them <= most else most // len(pieces)


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
    buffers: list[Buffer] = []
    squares: list[Square] = []
    findings: list[Finding] = []
    sidecars: dict[str, str] = {}
    decided = True
    try:
        buffers_laid = lay_out(file)
        budget = _budget_of_a_piece(buffers_laid, max_lookups)
        if any(buffer.layered for buffer in buffers_laid):
            from magicert.verify.table.layered import refuse_unread

            refuse_unread(file, buffers_laid)
        lookups = [Lookups(layout, budget) for layout in buffers_laid]
        own = [each for each in lookups if each.buffer.numbers_of is None]
        count = LookupCounter(sum(each.total for each in lookups), progress)
        shown: list[tuple[list[str], str]] = []
        for check in _checks(file, lookups, count):
            check.run()
            numbered = check.judge_numbers()
            if check.layout.numbers_of is None:  # else it is there already
                buffers.append(check.buffer)
            squares += check.squares
            findings += check.findings
            sidecars.update(check.sidecars)
            decided = decided and check.lookups.complete and numbered
            shown.append((check.buffer.pieces, check.statement(numbered)))
    except RowsError as error:
        raise InputError(shift_problems(file, error)) from None
    statement = _statement_of(shown)
    if table.joined:
        from magicert.verify.table.joined import check_joined

        joined = check_joined(table)
        findings += joined.findings
        decided = decided and not joined.undecided
        text = _JOINED_UNDECIDED if joined.undecided else _JOINED
        statement += text.format(pieces=" and ".join(joined.undecided or table.joined))
    verdict: Verdict = "invalid" if findings else "valid" if decided else "unknown"
    statement = STATEMENTS["invalid"] if findings else statement
    results = {
        f"{piece}.result": piece_table.result.text
        for piece, piece_table in table.pieces.items()
        if piece_table.result
    }
    return Report(
        tool=f"magicert {__version__}",
        input=Input(file=file.path.name, sha256=file.sha256, sidecars=sidecars),
        table=table.name,
        verdict=verdict,
        statement=statement + _HALF_BOARD * table.half_board,
        formulas={str(piece): piece_table.index.text for piece, piece_table in table.pieces.items()}
        | results,
        order=table.order,
        listing=table.listing,
        board=table.extent,
        lookups=sum(each.total for each in lookups),
        buffers=buffers,
        squares=squares,
        findings=findings,
        notes=[*notes(table, buffers, squares, own), *attack_set_notes(lookups)],
    )


def _few_lookups(table: Table) -> int:
    """A budget that is enough for the usual masks, and for somewhat more."""
    most = 0
    for piece_table in table.pieces.values():
        masks = usual_masks(BoardPiece(table.board, piece_table.movement, table.order))
        most = max(most, sum(1 << mask.bit_count() for mask in masks))
    return max(PROBE_LOOKUPS, 2 * most * len(table.pieces))


def _checks(file: TableFile, lookups: list[Lookups], count: LookupCounter) -> list[BufferCheck]:
    """A check for each buffer. Raises InputError with the problems of all sidecar files."""
    checks: list[BufferCheck] = []
    problems: list[Problem] = []
    for buffer_lookups in lookups:
        try:
            checks.append(BufferCheck(file.table, buffer_lookups, file.path.parent, count))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return checks


def _statement_of(shown: list[tuple[list[str], str]]) -> str:
    """What was shown of all pieces, in one sentence where it is the same of all."""
    texts = {text for _, text in shown}
    if len(texts) == 1:
        return texts.pop()
    return " ".join(f"{' and '.join(pieces)}: {text}" for pieces, text in shown)


_JOINED = (
    " {pieces}: on every square and with all occupancies, the attack set is the OR of those of the "
    "parts and of the leaps."
)


_JOINED_UNDECIDED = (
    " Whether {pieces} attack what their parts and leaps do is not decided: too many squares can "
    "matter."
)


_HALF_BOARD = (
    " The table is a half board: it holds the squares of ranks 1-4. A lookup for another square "
    "swaps the bytes of the occupancy, looks up square ^ 56 and swaps the bytes of what it finds; "
    "these lookups were all made as well, against the attack sets of the squares themselves."
)
