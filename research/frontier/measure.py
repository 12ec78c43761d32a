"""Measure many ways to get attacks, with and without tables, for so long as there is time."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert import __version__
from magicert.commands.bench import c_compiler
from magicert.compact.timing.programs import TimedWay
from magicert.data import find_table, tables_folder
from magicert.outcome import NullPhase, Watch
from magicert.system.deadline import Deadline
from magicert.table import read_table
from magicert.verify.source.read import table_from
from research.frontier.figures import Survey
from research.frontier.survey import prepare
from research.frontier.ways import WAYS


def measure_frontier(
    tables: Iterable[Path],
    seconds: float,
    turns: int | None,
    command: str,
    watch: Watch = NullPhase,
    ways: Sequence[TimedWay] | None = None,
) -> Survey:
    """Measure these ways, or all, and these tables for so many seconds, or so many turns, in turns.

    An interruption keeps what is done, once something has been measured. Raises InputError where
    there is no C compiler, or where a table cannot be emitted.
    """
    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    chosen = WAYS if ways is None else ways
    measured = [(way, read_table(find_table(way.table)) if way.table else None) for way in chosen]
    measured += [
        (TimedWay(f"table_{n}", file.table.name, str(file.path), str(file.path)), file)
        for n, file in enumerate(files, 1)
    ]
    with TemporaryDirectory(prefix="magicert-bench-") as name:
        folder = Path(name)
        with watch("compiling and checking", "ways") as show:
            measuring = prepare(measured, tables_folder() / "games", folder, compiler, show)
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
