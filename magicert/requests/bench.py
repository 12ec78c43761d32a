"""How long the lookups of tables take, in turns."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.data import find_tables, tables_by_name, tables_folder
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.requests.request import Request, ShippedName, WholeNumber, option

if TYPE_CHECKING:
    from magicert.compact.timing.speeds import Speed

TURNS = 7


@dataclass(frozen=True, slots=True)
class Bench(Request["list[Speed]"]):
    """Which tables are measured, and how often."""

    begins = ("bench",)
    tables: tuple[str, ...] = option(
        (), kind=ShippedName(None, tables_by_name, str), argument=True, several=True
    )
    _: KW_ONLY
    turns: int = option(
        TURNS, "How often each is run.", WholeNumber(1, 1000), "N", shows_default=True
    )

    def problems(self) -> Iterator[Problem]:
        if not self.tables:
            yield Problem("no table: expected the tables to measure")

    def exit_status(self, found: "list[Speed]") -> int:
        return 0

    def run(self, watch: Watch) -> "list[Speed]":
        """Raises InputError where there is no C compiler, or where a table cannot be emitted."""
        paths = find_tables(self.tables)
        with watch(f"measuring {len(paths)} tables", ""):
            return measure(paths, self.turns)


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

    from magicert.compact.timing.speeds import speeds
    from magicert.jobs.read_sources import table_from

    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    with TemporaryDirectory(prefix="magicert-bench-") as folder:
        return speeds(files, tables_folder() / "games", Path(folder), compiler, turns)
