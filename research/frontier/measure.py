"""Measure many ways to get attacks, with and without tables, for so long as there is time."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from magicert import __version__
from magicert.commands.bench import c_compiler
from magicert.compact.timing.programs import TimedWay
from magicert.data import find_table, find_tables, tables_by_name, tables_folder
from magicert.outcome import Unseen, Watch
from magicert.requests.request import Duration, File, Request, ShippedName, WholeNumber, option
from magicert.system.deadline import Deadline
from magicert.system.whole_file import write_precious
from magicert.table import read_table
from magicert.verify.source.read import table_from
from research.frontier.figures import Survey, survey_json
from research.frontier.survey import prepare
from research.frontier.ways import WAYS


@dataclass(frozen=True, slots=True)
class MeasureWays(Request[Survey]):
    """What is measured, and how long."""

    program: ClassVar[tuple[str, ...]] = ("python", "-m", "research.frontier")
    begins = ("measure",)
    tables: tuple[str, ...] = option(
        (), kind=ShippedName(None, tables_by_name, str), argument=True, several=True
    )
    _: KW_ONLY
    turns: int | None = option(
        None, "How often each is run.  [default: as --budget allows]", WholeNumber(1, 1000), "N"
    )
    seconds: float = option(
        60.0, "How long to measure, after compiling; one turn at least.", Duration(),
        flags=("--budget",), shows_default=True, always=True,
    )  # fmt: skip
    output: Path | None = option(
        None, "Also write all figures, as JSON.", File(output=True), flags=("-o", "--output"),
        told=False,
    )  # fmt: skip

    def exit_status(self, found: Survey) -> int:
        """1 where a way answered wrongly, 3 where it was interrupted."""
        return 3 if found.interrupted else int(any(way.wrong for way in found.left_out))

    def run(self, watch: Watch) -> Survey:
        """Raises InputError where there is no C compiler, or where a table cannot be emitted."""
        paths = find_tables(self.tables)
        survey = measure_frontier(paths, self.seconds, self.turns, self.command, watch)
        if self.output is not None:
            write_precious(self.output, survey_json(survey))
        return survey


def measure_frontier(
    tables: Iterable[Path],
    seconds: float,
    turns: int | None,
    command: str,
    watch: Watch = Unseen,
    ways: Sequence[TimedWay] | None = None,
) -> Survey:
    """Measure these ways, or all, and these tables for so many seconds, or so many turns, in turns.

    An interruption keeps what is done, once something has been measured. Raises InputError where
    there is no C compiler, or where a table cannot be emitted.
    """
    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    chosen = WAYS if ways is None else ways
    asked = [(way, read_table(find_table(way.table)) if way.table else None) for way in chosen]
    asked += [
        (TimedWay(f"table_{n}", file.table.name, str(file.path), str(file.path)), file)
        for n, file in enumerate(files, 1)
    ]
    with TemporaryDirectory(prefix="magicert-bench-") as name:
        folder = Path(name)
        with watch("compiling and checking", "ways") as show:
            measuring = prepare(asked, tables_folder() / "games", folder, compiler, show)
        interrupted = False
        try:
            with watch("measuring", "runs") as show:
                measuring.repeat(Deadline.after(seconds), turns, show)
        except KeyboardInterrupt:
            interrupted = True
        return Survey(
            machine=measuring.machine, date=datetime.now(UTC).date().isoformat(), command=command,
            tool=f"magicert {__version__}", ways=measuring.measured(), left_out=measuring.left_out,
            interrupted=interrupted,
        )  # fmt: skip
