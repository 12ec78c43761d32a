"""A verification's report, with its findings drawn as boards."""

from dataclasses import dataclass

from magicert.board import Board
from magicert.cli.display.boards import beside, board, legend
from magicert.verify.source.judgement import Entry
from magicert.verify.table.report import Buffer, Finding, Lookup, Report, Square, Verdict, to_json

WIDTH = 80
"""Columns of the text."""


@dataclass(frozen=True, slots=True)
class Certified:
    """What a verification says. `report` is the whole of it, as `magicert verify --json` has it.

    `remarks` say what a source does not: what was taken as usual, and what speaks against it.
    `entries` has the places in a source of each finding's magics: list, entry, file, line, number.
    """

    report: Report
    remarks: tuple[str, ...] = ()
    entries: tuple[tuple[Entry, ...], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Either "valid" (then it is a certificate), "invalid", or "unknown": the budget ended."""
        return self.report.verdict

    @property
    def valid(self) -> bool:
        """Whether every lookup is right, for all occupancies of the board."""
        return self.verdict == "valid"

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, each with the lookups that show it."""
        return self.report.findings

    @property
    def squares(self) -> list[Square]:
        """The figures of each square."""
        return self.report.squares

    @property
    def buffers(self) -> list[Buffer]:
        """The figures of each buffer."""
        return self.report.buffers

    @property
    def boards(self) -> list[str]:
        """Each finding with its positions, drawn for a screen of 80 columns."""
        return [_drawn(finding, self.report.geometry) for finding in self.findings]

    def to_json(self) -> bytes:
        """The report as JSON: the same bytes for the same table."""
        return to_json(self.report)

    def __str__(self) -> str:
        report = self.report
        length = sum(buffer.length for buffer in report.buffers)
        used = sum(buffer.slots_used for buffer in report.buffers)
        head = f"{report.verdict}: {report.lookups:,} lookups, {length:,} slots, {used:,} used"
        return "\n".join([head, *self.remarks, *self.boards])


def _drawn(finding: Finding, on: Board) -> str:
    where = " and ".join(finding.squares)
    head = f"{where}: {finding.message}" if where else finding.message
    lines = beside([_block(lookup, on) for lookup in finding.lookups], WIDTH)
    return "\n".join([head, *lines, *dict.fromkeys(legend(one.piece) for one in finding.lookups)])


def _block(lookup: Lookup, on: Board) -> list[str]:
    blockers, attacked = map(on.parse, lookup.blockers), map(on.parse, lookup.attacked)
    return [
        f"{lookup.piece} {lookup.square}, slot {lookup.slot}",
        f"occupancy {lookup.occupancy}",
        *board(on.parse(lookup.square), lookup.piece, blockers, attacked, on),
    ]
