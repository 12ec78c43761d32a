"""How long lookups take: tables in turns, or many ways to get attacks."""

from collections.abc import Iterator
from dataclasses import KW_ONLY
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from magicert.data import find_tables, tables_by_name
from magicert.dataclass import dataclass
from magicert.outcome import Watch
from magicert.problem import Problem
from magicert.requests.request import Duration, File, Request, ShippedName, WholeNumber, option

if TYPE_CHECKING:
    from magicert.compact.timing.bench import Speed
    from magicert.compact.timing.frontier.figures import Survey

    Measured: TypeAlias = list[Speed] | Survey

TURNS = 7
FRONTIER = "Bytes against time (with --frontier)"
_of_frontier = partial(option, panel=FRONTIER)


@dataclass(frozen=True, slots=True)
class Bench(Request["Measured"]):
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

    def exit_status(self, found: "Measured") -> int:
        """1 where a way answered wrongly, 3 where it was interrupted."""
        if isinstance(found, list):
            return 0
        return 3 if found.interrupted else int(any(way.wrong for way in found.left_out))

    def run(self, watch: Watch) -> "Measured":
        """Raises InputError where there is no C compiler, or where a table cannot be emitted."""
        from magicert.jobs.measure import measure, measure_frontier

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
