"""The judgement of a source, and the only place where its verdict is derived.

Reading a source gives a list of readings, each a table with the verifier's report, and reasons why
nothing can be decided. From these follows the verdict, by the first of four rules that applies:

1. A finished list of attack sets has a wrong entry, although the table certifies: invalid if the
   bits of its magics were read from the source, else not decided.
2. There is a reason why nothing is decided: not decided.
3. A table has a conflict, and every part of it that conflicts was read from the source or given by
   the user: invalid.
4. A table certifies, and none has a conflict: valid. Anything else is not decided.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from magicert.verify.source.reading import SourceReading

Verdict = Literal["valid", "invalid", "unknown"]


@dataclass(slots=True)
class Judgement:
    """The judgement of a source.

    `readings` are those that certify or, if none does, those that come nearest. `undecided` says
    why nothing is decided, `notes` what was not read and other remarks. `rivals` are the files of
    lists that could also be the same piece's, but have conflicts.
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
        """Remarks of the readings that certify, besides the verdict."""
        return list(dict.fromkeys(text for reading in self.valid for text in reading.remarks))

    @property
    def warnings(self) -> list[str]:
        """Doubts about the readings that certify, which do not refute them."""
        return list(dict.fromkeys(text for reading in self.valid for text in reading.warnings))

    @property
    def can_be_fixed(self) -> bool:
        """Is there a reading whose wrong squares are known?"""
        return any(reading.report.findings for reading in self.nearest)
