"""Draw a table or source as a page, mend a source, or keep its table as a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from magicert.dataclass import dataclass
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.requests.request import File, Option, WholeNumber, option
from magicert.requests.verify import TABLE_NAME, ChessSources, Sources, Verified, verify_all
from magicert.verify.table import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.jobs.fixing.fix import Fixed
    from magicert.jobs.read_sources import CheckedSource
    from magicert.table import Table


@dataclass(frozen=True, slots=True)
class PageRequest(Sources[Verified]):
    """Verify one table or source, to draw it as a page."""

    begins = ("report",)
    table: Annotated[str, Option(kind=TABLE_NAME, metavar="TABLE|SOURCE", argument=True)]
    output: Path = option(
        Path("report.html"), "The page.", File(output=True), flags=("-o", "--output"),
        shows_default=True,
    )  # fmt: skip

    def run(self, watch: Watch) -> Verified:
        """Raises InputError where there is not one table to show."""
        if self.table == "-":
            message = "standard input: expected a file, or a table by name"
            raise InputError([Problem(message, file=self.table)])
        verified = verify_all((self.table,), watch, pins=self.pins)
        if len(verified.tables) + len(verified.sources) != 1:
            message = f"{len(verified.paths)} tables or sources: expected one for a report"
            raise InputError([Problem(message, file=self.table)])
        return verified


@dataclass(frozen=True, slots=True)
class Fix(ChessSources["Fixed"]):
    """Find the smallest edit that makes the table of some source files valid."""

    begins = ("fix",)
    sources: Annotated[tuple[str, ...], Option(metavar="SRC...", argument=True, several=True)]
    write: bool = option(False, "Change the files themselves as well.")
    seed: int = option(
        1, "Another seed finds other magics, where new ones are needed.", WholeNumber(0),
        shows_default=True, seldom=True,
    )  # fmt: skip

    def run(self, watch: Watch) -> "Fixed":
        """Find it; `write` writes what is valid."""
        from magicert.jobs.fixing.fix import fix
        from magicert.system.whole_file import write_whole

        fixed = fix([Path(name) for name in self.sources], self.pins, self.seed, watch)
        if self.write and fixed.verdict == "valid":
            for path, data in fixed.contents.items():
                write_whole(path, data)
        return fixed


@dataclass(frozen=True, slots=True)
class Imported:
    """Sources read together, the readings to choose from, and the table of the chosen one."""

    checked: "CheckedSource"
    readings: int
    table: "Table | None"


@dataclass(frozen=True, slots=True)
class Import(Sources[Imported]):
    """Read the table of some source files, which are read together."""

    begins = ("import",)
    sources: Annotated[tuple[str, ...], Option(metavar="SRC...", argument=True, several=True)]
    output: Annotated[
        Path,
        Option(
            "The table file to write; - for standard output.", File(output=True),
            flags=("-o", "--output"),
        ),
    ]  # fmt: skip
    reading: int | None = option(None, "Which one, where several certify.", WholeNumber(1))
    broken: bool = option(False, "Write the nearest reading if none certifies.")

    def run(self, watch: Watch) -> Imported:
        """The table of the one reading that certifies, or of the one that was chosen."""
        from magicert.jobs.read_sources import judge_sources

        paths = [Path(name) for name in self.sources]
        (checked,) = judge_sources(paths, self.pins, MAX_LOOKUPS, watch, together=True)
        if isinstance(checked.result, InputError):
            raise checked.result
        readings = checked.result.valid or (checked.result.nearest if self.broken else [])
        chosen = readings[(self.reading or 1) - 1 :][:1]
        if self.reading is None and len(readings) > 1:
            chosen = []
        return Imported(checked, len(readings), chosen[0].table if chosen else None)
