"""Measure how long lookups take: tables emitted as C, compiled and run in turns."""

import platform
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from magicert import __version__
from magicert.compact.timing.bench import COMPILERS, Speed, bench
from magicert.compact.timing.frontier.figures import Survey
from magicert.compact.timing.frontier.survey import Measuring, prepare
from magicert.compact.timing.frontier.ways import WAYS, TimedWay
from magicert.data import find_table, tables_folder
from magicert.jobs.read_sources import table_from
from magicert.outcome import Unseen, Watch
from magicert.problem import InputError, Problem
from magicert.system.deadline import Deadline
from magicert.table import read_table

INSTALLED_BY = {"Darwin": "xcode-select --install", "Windows": "winget install LLVM.LLVM"}
ELSEWHERE = "apt-get install gcc, or clang by your system's package manager"


def c_compiler() -> str:
    """The C compiler. Raises InputError with what to install where there is none."""
    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        install = INSTALLED_BY.get(platform.system(), ELSEWHERE)
        message = f"no C compiler: expected one of {', '.join(COMPILERS)} ({install})"
        raise InputError([Problem(message)])
    return compiler


def measure(tables: Iterable[Path], turns: int) -> list[Speed]:
    """The best of so many turns for each table. InputError where there is no C compiler."""
    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    with tempfile.TemporaryDirectory(prefix="magicert-bench-") as folder:
        return bench(files, tables_folder() / "games", Path(folder), compiler, turns)


def measure_frontier(
    tables: Iterable[Path],
    seconds: float,
    turns: int | None,
    command: str,
    watch: Watch = Unseen,
    ways: Sequence[TimedWay] = WAYS,
) -> Survey:
    """Measure all ways and these tables for so many seconds, or so many turns, in turns.

    An interruption keeps what is done, once something has been measured. Raises InputError where
    there is no C compiler, or where a table cannot be emitted.
    """
    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    asked = [(way, read_table(find_table(way.table)) if way.table else None) for way in ways]
    asked += [
        (TimedWay(f"table_{n}", file.table.name, str(file.path), str(file.path)), file)
        for n, file in enumerate(files, 1)
    ]
    with tempfile.TemporaryDirectory(prefix="magicert-bench-") as name:
        folder = Path(name)
        with watch("compiling and checking", "ways") as show:
            measuring = prepare(asked, tables_folder() / "games", folder, compiler, show)
        interrupted = False
        try:
            with watch("measuring", "runs") as show:
                measuring.repeat(Deadline.after(seconds), turns, show)
        except KeyboardInterrupt:
            interrupted = True
        return _survey(measuring, command, interrupted=interrupted)


def _survey(measuring: Measuring, command: str, *, interrupted: bool) -> Survey:
    return Survey(
        machine=measuring.machine,
        date=datetime.now(UTC).date().isoformat(),
        command=command,
        tool=f"magicert {__version__}",
        ways=measuring.measured(),
        left_out=measuring.left_out,
        interrupted=interrupted,
    )
