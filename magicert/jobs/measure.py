"""Measure how long lookups take: tables emitted as C, compiled and run in turns."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from magicert.compact.timing.bench import COMPILERS, Speed, bench
from magicert.data import tables_folder
from magicert.jobs.any_table import table_from
from magicert.problem import InputError, Problem


def measure(tables: Iterable[Path], turns: int) -> list[Speed]:
    """The best of so many turns for each table. InputError where there is no C compiler."""
    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        raise InputError([Problem(f"no C compiler: expected one of {', '.join(COMPILERS)}")])
    files = [table_from(path) for path in tables]
    with tempfile.TemporaryDirectory(prefix="magicert-bench-") as folder:
        return bench(files, tables_folder() / "games", Path(folder), compiler, turns)
