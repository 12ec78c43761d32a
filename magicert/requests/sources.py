"""Draw a table or source as a page, mend a source, or keep its table as a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from magicert.outcome import Answered, OutcomeKind, Watch
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
        from magicert.jobs.fixing.fix import fix
        from magicert.system.whole_file import write_whole

        fixed = fix([Path(name) for name in self.sources], self.pins, self.seed, watch)
        if self.write and fixed.verdict == "valid":
            for path, data in fixed.contents.items():
                write_whole(path, data)
        return fixed


@dataclass(frozen=True, slots=True)
class Imported(Answered):
    """Sources read together, and the table of the chosen reading, or why none was chosen; `text` is
    the table file.
    """

    checked: "CheckedSource"
    table: "Table | None"
    text: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.BAD_INPUT if self.problems else OutcomeKind(self.checked.verdict)


@dataclass(frozen=True, slots=True)
class Import(Sources[Imported]):
    """Read the table of some source files, which are read together."""

    begins = ("import",)
    sources: Annotated[tuple[str, ...], Option(metavar="SRC...", argument=True, several=True)]
    output: Annotated[
        Path,
        Option(
            "The table file to write; - for standard output.", File(output=True, stream=True),
            flags=("-o", "--output"),
        ),
    ]  # fmt: skip
    reading: int | None = option(None, "Which one, where several certify.", WholeNumber(1))
    broken: bool = option(False, "Write the nearest reading if none certifies.")

    @property
    def inputs(self) -> list[Path]:
        return [Path(name) for name in self.sources]

    def run(self, watch: Watch) -> Imported:
        """Write the table of the one reading that certifies, or of the one that was chosen."""
        from magicert.jobs.read_sources import judge_sources
        from magicert.table.write import table_toml, write_table

        (checked,) = judge_sources(self.inputs, self.pins, MAX_LOOKUPS, watch, together=True)
        if isinstance(checked.result, InputError):
            raise checked.result
        readings = checked.result.valid or (checked.result.nearest if self.broken else [])
        chosen = readings[(self.reading or 1) - 1 :][:1]
        if self.reading is None and len(readings) > 1:
            chosen = []
        if not chosen:
            said = f"{len(readings)} readings: say which with --reading 1 to {len(readings)}"
            problems = (Problem(said, file=checked.name),) if readings else ()
            return Imported(checked, None, problems=problems)
        for path in self.outputs:
            write_table(chosen[0].table, path)
        return Imported(checked, chosen[0].table, table_toml(chosen[0].table))
