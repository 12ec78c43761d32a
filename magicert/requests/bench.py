"""How long lookups take: tables in turns, or many ways to get attacks."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from magicert import __version__
from magicert.data import find_table, find_tables, tables_by_name, tables_folder
from magicert.outcome import Unseen, Watch
from magicert.problem import InputError, Problem
from magicert.requests.request import Duration, File, Request, ShippedName, WholeNumber, option
from magicert.system.deadline import Deadline

if TYPE_CHECKING:
    from magicert.compact.timing.frontier.figures import Survey
    from magicert.compact.timing.frontier.survey import Speed
    from magicert.compact.timing.frontier.ways import TimedWay

    BenchResult: TypeAlias = list[Speed] | Survey

TURNS = 7
FRONTIER = "Bytes against time (with --frontier)"
_of_frontier = partial(option, panel=FRONTIER)


@dataclass(frozen=True, slots=True)
class Bench(Request["BenchResult"]):
    """What is measured, and how long: a survey with `frontier`, else the speed of each table."""

    begins = ("bench",)
    tables: tuple[str, ...] = option(
        (), kind=ShippedName(None, tables_by_name, str), argument=True, several=True
    )
    _: KW_ONLY
    turns: int | None = option(
        None, f"How often each is run.  [default: {TURNS}; with --frontier, as --budget allows]",
        WholeNumber(1, 1000), "N", seldom=True,
    )  # fmt: skip
    frontier: bool = _of_frontier(
        False,
        "Measure many ways to get attacks, with and without tables: bytes against time.",
    )
    seconds: float = _of_frontier(
        60.0, "How long to measure, after compiling; one turn at least.", Duration(),
        flags=("--budget",), shows_default=True, always=True,
    )  # fmt: skip
    output: Path | None = _of_frontier(
        None, "Also write all figures, as JSON.", File(output=True), flags=("-o", "--output"),
        told=False,
    )  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        if not self.frontier and self.output is not None:
            yield Problem("--output is for the figures of --frontier: expected --frontier")
        if not self.frontier and not self.tables:
            yield Problem("no table: expected the tables to measure, or --frontier")

    def exit_status(self, found: "BenchResult") -> int:
        """1 where a way answered wrongly, 3 where it was interrupted."""
        if isinstance(found, list):
            return 0
        return 3 if found.interrupted else int(any(way.wrong for way in found.left_out))

    def run(self, watch: Watch) -> "BenchResult":
        """Raises InputError where there is no C compiler, or where a table cannot be emitted."""
        paths = find_tables(self.tables)
        if not self.frontier:
            with watch(f"measuring {len(paths)} tables", ""):
                return measure(paths, self.turns or TURNS)
        survey = measure_frontier(paths, self.seconds, self.turns, self.command, watch)
        if self.output is not None:
            from magicert.compact.timing.frontier.figures import survey_json
            from magicert.system.whole_file import write_precious

            write_precious(self.output, survey_json(survey))
        return survey


COMPILERS = ("cc", "gcc", "clang")
INSTALLED_BY = {"Darwin": "xcode-select --install", "Windows": "winget install LLVM.LLVM"}
ELSEWHERE = "apt-get install gcc, or clang by your system's package manager"


def c_compiler() -> str:
    """The C compiler. Raises InputError with what to install where there is none."""
    import platform

    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        install = INSTALLED_BY.get(platform.system(), ELSEWHERE)
        message = f"no C compiler: expected one of {', '.join(COMPILERS)} ({install})"
        raise InputError([Problem(message)])
    return compiler


def measure(tables: Iterable[Path], turns: int) -> "list[Speed]":
    """The best of so many turns for each table. InputError where there is no C compiler."""
    from tempfile import TemporaryDirectory

    from magicert.compact.timing.frontier.survey import speeds
    from magicert.jobs.read_sources import table_from

    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    with TemporaryDirectory(prefix="magicert-bench-") as folder:
        return speeds(files, tables_folder() / "games", Path(folder), compiler, turns)


def measure_frontier(
    tables: Iterable[Path],
    seconds: float,
    turns: int | None,
    command: str,
    watch: Watch = Unseen,
    ways: "Sequence[TimedWay] | None" = None,
) -> "Survey":
    """Measure these ways, or all, and these tables for so many seconds, or so many turns, in turns.

    An interruption keeps what is done, once something has been measured. Raises InputError where
    there is no C compiler, or where a table cannot be emitted.
    """
    from tempfile import TemporaryDirectory

    from magicert.compact.timing.frontier.figures import Survey
    from magicert.compact.timing.frontier.survey import prepare
    from magicert.compact.timing.frontier.ways import WAYS, TimedWay
    from magicert.jobs.read_sources import table_from
    from magicert.table import read_table

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
