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

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from magicert import __version__
from magicert.board import Piece, names_in
from magicert.formula.arrays import RowsError, ints
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.read import TableFile
from magicert.verify.table import LARGEST_BUDGET, MAX_LOOKUPS, PROBE_LOOKUPS
from magicert.verify.table.attacks import BoardPiece, distinct, least_masks, usual_masks
from magicert.verify.table.layout import BufferLayout, PieceLayout, lay_out, shift_problems
from magicert.verify.table.lookups import HUGE_INDEX, Block, Lookups, Owners, WrittenBuffer
from magicert.verify.table.report import Buffer, Finding, Input, Report, Square, Verdict

if TYPE_CHECKING:
    from magicert.verify.table.counterexample import Position, Witness
    from magicert.verify.table.literal import LiteralCheck

Progress = Callable[[int, int], None]
"""Called with the lookups done and the lookups of the whole."""


class LookupCounter:
    """Adds up the lookups of several passes for the progress display."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total = total
        self.done = 0
        self.progress = progress

    def add(self, lookups: int) -> None:
        self.done += lookups
        if self.progress:
            self.progress(min(self.done, self.total), self.total)


class BufferCheck:
    """The verification of one buffer: fills in `buffer`, `squares` and `findings`."""

    def __init__(self, table: Table, lookups: Lookups, folder: Path, count: LookupCounter) -> None:
        self.table = table
        self.lookups = lookups
        self.count = count
        self.layout: BufferLayout = lookups.buffer
        self.literal: LiteralCheck | None = None
        if self.layout.literal:
            from magicert.verify.table import literal

            self.literal = literal.LiteralCheck(table, self.layout, folder)
        self.sidecars = self.literal.sidecars if self.literal else {}
        # The entries of a two-level literal are numbers, which squares may well share.
        self.only_literal = self.literal is not None and self.literal.two_level
        self.layered = self.layout.layered and not self.only_literal
        if self.layered:
            from magicert.verify.table.layered import is_readable

            if not is_readable(self.layout):
                self.layered, self.only_literal = False, True
        self.findings: list[Finding] = []
        self.squares: list[Square] = []

    @cached_property
    def witness(self) -> "Witness":
        """Describes positions; loaded where there is one to be described."""
        from magicert.verify.table.counterexample import Witness

        return Witness(self.table)

    def run(self) -> None:
        """Make every lookup, twice: once to write, once to read back."""
        written = self._written_buffer()
        owners = Owners(self.lookups, written)
        ranges = {id(layout): _Range(self.layout.rows) for layout in self.layout.pieces}
        wrong_literal = False
        for block in self.lookups:
            written.write(block)
            ranges[id(block.layout)].add(block)
            owners.write(block)
            if self.literal is not None and not wrong_literal:
                wrong_literal = bool(self.literal.wrong(block).any())
            self.count.add(block.slots.size)
        places = np.concatenate([written.conflicts(block) for block in self.lookups])
        self.findings += self._outside()
        if len(places) and not self.only_literal:
            bad = np.unique(written.slots(places))
            self.findings += self._shown(bad)
        if wrong_literal and self.literal is not None:
            self.findings += self.literal.findings(self.witness, self.lookups)
        used = owners.count()
        self.buffer = Buffer(
            name=self.layout.name,
            pieces=[str(layout.table.piece) for layout in self.layout.pieces],
            declared=self.layout.declared,
            length=written.length,
            min_slot=written.min_slot,
            slots_used=used,
            holes=written.length - used,
        )
        spans = (ranges[id(layout)].spans(layout) for layout in self.layout.pieces)
        # A mirrored square and its mirror have their slots in common, and layers share by design.
        exact = not len(places) and not self.table.half_board and not self.layered
        slots_used = owners.slots_used(exact, apart=_are_apart([*chain(*spans)]))
        for layout in self.layout.pieces:
            first = owners.member(layout, 0)
            part = slots_used[first : first + self.layout.rows]
            self.squares += self._squares(layout, ranges[id(layout)], part)

    def judge_numbers(self) -> bool:
        """Once it has run: whether it is decided that there are numbers for what the buffer holds.

        A finished buffer has them, and is followed through both levels instead. What each piece has
        is judged by itself, whatever else the table holds.
        """
        if self.table.two_level is None or self.literal is not None:
            return True
        from magicert.verify.table import attack_sets

        self.findings += attack_sets.attack_set_findings(self.table, [self.layout])
        if self.findings:  # the table is invalid, whatever the numbers are
            return True
        common = attack_sets.common_sets(self.lookups)
        if common and any(layout.together for layout in self.layout.pieces):
            return False  # other pieces have other attack sets there
        numbered = attack_sets.can_be_numbered(common)
        if numbered is False:
            self.findings.append(attack_sets.sharing_finding(self.table, common))
        return numbered is not None

    def statement(self, numbered: bool) -> str:
        """What was shown of a buffer without findings."""
        levels = self.table.two_level
        if not self.lookups.complete:
            text = _STATEMENTS["unknown"]
        elif not numbered:
            text = _NOT_NUMBERED
        elif self.literal is not None:
            text = _LITERAL
        elif levels is not None:
            text = _NUMBERED
        else:
            text = _LAYERED if self.layered else _STATEMENTS["valid"]
        bits = levels.entry_bits if levels is not None else 0
        text = text.format(squares=len(self.table.board.playable), bits=bits)
        for name in dict.fromkeys(p.numbers_of for p in self.table.pieces.values()):
            same = [n for n, p in self.table.pieces.items() if name and p.numbers_of == name]
            if same and levels is not None and numbered and self.lookups.complete:
                text += _TOGETHER.format(first=name, others=" and ".join(same))
        return text

    def _written_buffer(self) -> WrittenBuffer:
        """What is written: attack sets, or ones and zeros where squares share entries by a
        formula that says which bits they want.
        """
        if not self.layered:
            return WrittenBuffer(self.lookups)
        from magicert.verify.table.layered import Entries

        return Entries(self.lookups)

    def _shown(self, bad: NDArray[np.int64]) -> list[Finding]:
        """The findings of slots where lookups contradict one another."""
        if not self.layered:
            from magicert.verify.table.counterexample import conflicts

            return conflicts(self.witness, self.lookups, bad)
        from magicert.verify.table.layered import layered_conflicts

        return layered_conflicts(self.witness, self.lookups, bad)

    def _outside(self) -> list[Finding]:
        """One finding for each square with indexes outside, by the simplest position."""
        positions: dict[tuple[int, int], list[tuple[int, Position]]] = {}
        for block in self.lookups:
            for row, position_outside in (
                () if block.outside is None else _outside(block, block.outside)
            ):
                positions.setdefault((id(block.layout), row), []).append(position_outside)
        return [self._outside_finding(position_outside) for position_outside in positions.values()]

    def _outside_finding(self, outside: "list[tuple[int, Position]]") -> Finding:
        """The finding of one square: of each block the lookups outside, and the simplest."""
        position = min(
            (position for _, position in outside),
            key=lambda place: place.simplicity,
        )
        layout, row = position.layout, position.row
        lookup = self.witness.lookup(position)
        index = self.witness.index(position)
        size, slot = layout.size[row], layout.offset[row] + index
        end = HUGE_INDEX if self.layout.declared is None else self.layout.declared
        if index < size and 0 <= slot < end:
            raise AssertionError(f"numpy and plain integers disagree, please report it: {lookup}")
        if index >= size:
            where = f"index {lookup.index} is outside the square's {size:,} slots"
        else:
            declared = self.layout.declared
            of = "any buffer" if declared is None else f"the buffer of {declared:,} slots"
            where = f"slot {lookup.slot} is outside {of}"
        count = sum(number for number, _ in outside)
        return Finding.of("outside", f"{where} ({count:,} lookups in all)", count, lookup)

    def _squares(self, layout: PieceLayout, seen: "_Range", slots_used: list[int]) -> list[Square]:
        squares = []
        names = names_in(self.table.listing, self.table.board)
        for row in layout.playable:
            true, table_masks = layout.masks[row], layout.table_masks[row]
            used = slots_used[row]
            squares.append(
                Square(
                    piece=str(layout.table.piece),
                    square=names[row],
                    c=true.bit_count(),
                    bits=layout.reach[row].bit_length(),
                    lookups=seen.lookups[row],
                    index_min=seen.least[row],
                    index_max=seen.most[row],
                    offset=layout.offset[row],
                    slots_used=used,
                    holes=max(0, seen.most[row] - seen.least[row] + 1 - used),
                    constructive_collisions=seen.lookups[row] - used,
                    missing=self._named(true & ~table_masks),
                    extra=self._named(table_masks & ~layout.usual[row]),
                )
            )
        return squares

    def _named(self, squares: int) -> list[str]:
        return self.witness.names(squares) if squares else []


def _are_apart(spans: list[tuple[int, int]]) -> bool:
    """Whether no two spans, each from its first to its last slot, have a slot in common."""
    return all(end < start for (_, end), (start, _) in pairwise(sorted(spans)))


def _outside(
    block: Block, outside: NDArray[np.bool_]
) -> "Iterator[tuple[int, tuple[int, Position]]]":
    """The rows of a block with lookups outside: how many, and the simplest."""
    from magicert.verify.table.counterexample import Position, simplest

    for place in np.flatnonzero(outside.any(axis=1)).tolist():
        row = int(block.rows[place])
        occupancy = ints(block.occupancies[place, simplest(block, place, outside[place])])
        yield row, (int(outside[place].sum()), Position(block.layout, row, occupancy))


class _Range:
    """The least and the largest index of each row, and how many lookups it had."""

    def __init__(self, rows: int) -> None:
        self.least = [1 << 64] * rows
        self.most = [0] * rows
        self.lookups = [0] * rows

    def spans(self, layout: PieceLayout) -> list[tuple[int, int]]:
        """The first and the last slot of each row."""
        return [
            (layout.offset[row] + self.least[row], layout.offset[row] + self.most[row])
            for row in layout.playable
        ]

    def add(self, block: Block) -> None:
        least, most = block.least.tolist(), block.most.tolist()
        for place, row in enumerate(block.rows.tolist()):
            self.least[row] = min(self.least[row], least[place])
            self.most[row] = max(self.most[row], most[place])
            self.lookups[row] += block.slots.shape[1]


MOST_NAMED = 16
"""Squares of a piece that are named one by one."""

# What is worth knowing about a table besides its verdict.


def notes(
    table: Table, buffers: list[Buffer], squares: list[Square], lookups: list[Lookups]
) -> list[str]:
    """One line each: buffers declared too long, odd masks, squares with fewer bits."""
    texts: list[str] = []
    for buffer in buffers:
        if buffer.declared is not None and buffer.length < buffer.declared:
            spare = buffer.declared - buffer.length
            texts.append(
                f"buffer {buffer.name}: {buffer.declared:,} slots declared, {buffer.length:,} "
                f"needed: the last {spare:,} are never used"
            )
    odd = [s for s in squares if s.missing or s.extra]
    for piece in table.pieces:
        wide = [s for s in odd if s.piece == piece and not s.missing]
        if len(wide) > MOST_NAMED:
            odd = [s for s in odd if s not in wide]
            such = f"{wide[0].square} {' '.join(wide[0].extra)}"
            texts.append(
                f"{piece}: {len(wide)} of the given masks have squares besides, such as {such}"
            )
    for square in odd:
        parts = [
            f"{word} {' '.join(names)}"
            for word, names in (("lacks", square.missing), ("has besides", square.extra))
            if names
        ]
        texts.append(f"{square.piece} {square.square}: the given mask {' and '.join(parts)}")
    fewer = [s for s in squares if s.bits < s.c]
    for piece in table.pieces:
        names = [s.square for s in fewer if s.piece == piece]
        if names:
            texts.append(f"{piece}: fewer bits than the mask has on {' '.join(names)}")
    for buffer, buffer_lookups in zip(buffers, lookups, strict=True):
        if buffer_lookups.buffer.layered:
            from magicert.verify.table.layered import sharing

            counts = enumerate(sharing(buffer_lookups), start=1)
            shown = ", ".join(f"{squares}: {entries:,}" for squares, entries in counts)
            texts.append(f"buffer {buffer.name}: entries by the squares that share them: {shown}")
    if not all(each.complete for each in lookups):
        texts.append(
            "not exhaustive: this is about the part that was tried; --max-lookups sets the budget"
        )
    return texts


def attack_set_notes(lookups: Iterable[Lookups]) -> list[str]:
    """How many different attack sets each piece has, if all were seen. Chess's are well known."""
    counts: dict[str, int] = {}
    for buffer_lookups in lookups:
        for layout, group, _ in buffer_lookups.chunked_groups if buffer_lookups.complete else ():
            if not isinstance(layout.table.piece, Piece):
                known = counts.get(layout.table.piece, 0)
                counts[layout.table.piece] = known + sum(distinct(group))
    return [f"{piece}: {count:,} different attack sets" for piece, count in counts.items()]


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
    statement = _STATEMENTS["invalid"] if findings else statement
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

_NUMBERED = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "no slot is reached with two different attack sets, and there are numbers of {bits} bits for "
    "the attack sets of each square."
)

_TOGETHER = (
    " An entry of {first} numbers what it and {others} attack together: each has the same lookups, "
    "and attack sets of its own."
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
