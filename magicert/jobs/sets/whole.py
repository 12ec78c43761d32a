"""A whole set: a table, verified as it will be read, and only then written."""

from dataclasses import dataclass
from pathlib import Path

from magicert import __version__
from magicert.jobs.sets.left import partial_of
from magicert.system.whole_file import write_precious
from magicert.table import Provenance, Table, file_text, parse_table
from magicert.verify.table.budget import MAX_LOOKUPS
from magicert.verify.table.verifier import verify


@dataclass(frozen=True, slots=True)
class Written:
    """The table file's text, verified exhaustively in `lookups` lookups."""

    text: str
    lookups: int


def found_by(command: str, seed: int) -> Provenance:
    """Where a set comes from: this program, by this command."""
    return Provenance(found_by=f"magicert {__version__}", command=command, seed=seed)


def write_verified(table: Table, output: Path | None, max_lookups: int = MAX_LOOKUPS) -> Written:
    """Verify and write a table, and remove what an interrupted run has left. None writes no file.

    A table that is not valid is never written: that is a bug, so AssertionError.
    """
    text = file_text(table)
    report = verify(parse_table(text.encode(), output or Path("-")), max_lookups=max_lookups)
    if report.verdict != "valid":
        found = "; ".join(finding.message for finding in report.findings[:3])
        raise AssertionError(f"the set is {report.verdict}: {found}")
    if output is not None:
        write_precious(output, text)
        partial_of(output).unlink(missing_ok=True)
    return Written(text, report.lookups)
