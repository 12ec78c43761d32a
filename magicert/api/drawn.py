"""A verification's report, with its findings drawn as boards."""

from dataclasses import dataclass

from magicert.show.text import drawn_boards
from magicert.show.verdicts import diagrams
from magicert.verify.source.judgement import ListEntry
from magicert.verify.table.report import Buffer, Finding, Report, Square, Verdict, to_json

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
    entries: tuple[tuple[ListEntry, ...], ...] = ()

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
        return "\n".join([self._figures, *self.remarks, *self.boards])

    @property
    def _figures(self) -> str:
        length = sum(buffer.length for buffer in self.buffers)
        used = sum(buffer.slots_used for buffer in self.buffers)
        return f"{self.verdict}: {self.report.lookups:,} lookups, {length:,} slots, {used:,} used"
