"""`magicert bench`: nanoseconds a lookup of several tables, in one run."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.commands.command import Answer, command, option, refuse
from magicert.commands.options import TABLE_NAME, WholeNumber
from magicert.data import find_tables, tables_folder
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.compact.timing.speeds import Speed

TURNS = 7
UNSTEADY = 0.1
"""From which part on a median turn that took longer than the best is worth a warning."""


@command("bench")
@click.argument("tables", type=TABLE_NAME, nargs=-1)
@option("--turns", type=WholeNumber(1, 1000), default=TURNS, show_default=True, metavar="N",
        help="How often each is run.")  # fmt: skip
def run(tables: tuple[str, ...], turns: int) -> Answer:
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    For example:

        magicert bench stockfish21_64 cfish_plain cfish_black black
        magicert bench pikafish_rook pikafish_cannon

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown, and the median; a warning where they lie far apart.
    Tables of other boards than chess's are measured with random occupancies alone.
    Needs cc, gcc or clang.

    Exit status: 0 done, 2 bad input or no compiler.
    """
    refuse([Problem("expected the TABLES to measure, such as black")] if not tables else [])
    paths = find_tables(tables)
    with ProgressDisplay(f"measuring {len(paths)} tables"):
        speeds = measure(paths, turns)
    return Answer(OutcomeKind.VALID, _lines(speeds), lambda: _data(speeds))


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
    from magicert.verify.source.read import table_from

    compiler = c_compiler()
    files = [table_from(path) for path in tables]
    with TemporaryDirectory(prefix="magicert-bench-") as folder:
        return speeds(files, tables_folder() / "games", Path(folder), compiler, turns)


def _lines(speeds: "Sequence[Speed]") -> list[str]:
    """The best of all turns of each table."""
    wide = max(len(speed.name) for speed in speeds)
    heads = "  ".join(f"{f'ns {kind}':>9}  {'median':>6}" for kind in speeds[0].nanoseconds)
    lines = [f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  {heads}"]
    for s in speeds:
        shown = [f"{s.name:<{wide}}  {s.entries:>9,}  {s.bytes / 1024:>7,.1f}"]
        shown += [f"{best:>9.2f}  {s.medians[kind]:>6.2f}" for kind, best in s.nanoseconds.items()]
        lines.append("  ".join(shown))
    unsteady = max(speed.unsteady for speed in speeds)
    if unsteady > UNSTEADY:
        lines += [
            f"warning: a median turn took {unsteady:.0%} longer than the best: other work on this",
            "machine? Measure when it is quiet, or with more --turns",
        ]
    return lines


def _data(speeds: "Sequence[Speed]") -> list[dict[str, object]]:
    return [
        {
            "table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds,
            "median_ns": s.medians,
        }
        for s in speeds
    ]  # fmt: skip
