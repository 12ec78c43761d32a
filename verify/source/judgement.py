"""What a source is found to be, and the one place where its verdict is drawn.

A source comes to a list of readings, each a table with the verifier's report, and to reasons why
nothing is decided. From these the verdict follows by four rules, the first that applies:

1. A finished list of attack sets has a wrong entry, beside a table that certifies: invalid if the
   bits of its magics were read, else not decided.
2. There is a reason why nothing is decided: not decided.
3. A table has a conflict, and every part that conflicts was read or stated: invalid.
4. A table certifies, and none has a conflict: valid. Anything else is not decided.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from magicert.verify.source.reading import SourceReading

Verdict = Literal["valid", "invalid", "unknown"]


@dataclass(slots=True)
class Judgement:
    """What a source is found to be.

    `readings` are those that certify, or where none does, those that come nearest. `undecided` says
    why nothing is decided, `notes` what was not read and what else there is. `rivals` are the files
    of lists that are read as the same piece's, with conflicts.
    """

    files: tuple[Path, ...]
    readings: list[SourceReading] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rivals: set[str] = field(default_factory=set)

    @property
    def valid(self) -> list[SourceReading]:
        """The readings that certify."""
        return [reading for reading in self.readings if reading.report.verdict == "valid"]

    @property
    def nearest(self) -> list[SourceReading]:
        """Those with conflicts, and those for which the budget of lookups was too small."""
        return [reading for reading in self.readings if reading.report.verdict != "valid"]

    @property
    def verdict(self) -> Verdict:
        """The verdict of the whole source."""
        valid, nearest = self.valid, self.nearest
        wrong_entries = [reading for reading in valid if not reading.finished_lists_right]
        if wrong_entries:
            return "invalid" if any(reading.read for reading in wrong_entries) else "unknown"
        if self.undecided:
            return "unknown"
        if any(reading.decided for reading in nearest if reading.report.verdict == "invalid"):
            return "invalid"
        return "valid" if valid and not nearest else "unknown"

    @property
    def remarks(self) -> list[str]:
        """What the readings that certify have to say beside the verdict."""
        return list(dict.fromkeys(text for reading in self.valid for text in reading.remarks))

    @property
    def warnings(self) -> list[str]:
        """What speaks against the readings that certify, without refuting them."""
        return list(dict.fromkeys(text for reading in self.valid for text in reading.warnings))

    @property
    def can_be_fixed(self) -> bool:
        """Is there a reading whose wrong squares are known?"""
        return any(reading.report.findings for reading in self.nearest)
