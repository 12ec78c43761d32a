"""The ways compiled, checked and measured in turns, for so long as there is time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, quantiles

from magicert.compact.emit import make_unit
from magicert.compact.timing.frontier.figures import (
    POSITIONS,
    TOUCHED,
    Figure,
    Machine,
    Measure,
    Measured,
    UnmeasuredWay,
)
from magicert.compact.timing.frontier.machine import machine
from magicert.compact.timing.frontier.programs import (
    NotCompiledError,
    TimedProgram,
    WrongError,
    program_of,
)
from magicert.compact.timing.frontier.ways import TimedWay
from magicert.compact.timing.games import write_lookups
from magicert.outcome import Observer
from magicert.problem import InputError, Problem
from magicert.system.deadline import Deadline
from magicert.table import chess_only
from magicert.table.read import TableFile

FIRST_STEP = 2048
"""Where a repetition begins among the lookups, from one to the next."""
LACKING = {
    "bmi2": "this processor has no BMI2 (PEXT and PDEP)",
    "avx2": "this processor has no AVX2",
}


@dataclass(slots=True)
class _Times:
    """What the repetitions of one way have shown."""

    program: TimedProgram
    starts: list[float] = field(default_factory=list)
    ns: dict[Measure, list[float]] = field(default_factory=dict)


@dataclass(slots=True)
class Measuring:
    """Ways that are compiled and checked, and what was measured of them so far."""

    machine: Machine
    lookups: Path
    times: list[_Times]
    left_out: list[UnmeasuredWay]

    def repeat(self, deadline: Deadline, turns: int | None, watch: Observer) -> None:
        """Measure every way once in each turn, until the time is over; one turn at least."""
        turn = 0
        while (turns is None or turn < turns) and (turn == 0 or deadline.left):
            for number, times in enumerate(self.times):
                watch.progress(turn * len(self.times) + number, None, f"turn {turn + 1}")
                self._once(times, turn)
                if turn and not deadline.left:
                    return
            turn += 1

    def _once(self, times: _Times, turn: int) -> None:
        start = times.program.start_us()
        rows = times.program.measure(self.lookups, turn * FIRST_STEP, TOUCHED)
        times.starts.append(start)
        for positions, piece, kind, touched, ns in rows:
            measure = Measure(piece, positions, kind, int(touched))
            times.ns.setdefault(measure, []).append(float(ns))

    def measured(self) -> list[Measured]:
        """Medians of the repetitions, from small to large."""
        found = [_measured(times) for times in self.times if times.starts]
        return sorted(found, key=lambda way: (way.bytes, way.name))


def _measured(times: _Times) -> Measured:
    program = times.program
    return Measured(
        name=program.way.name,
        title=program.way.title,
        by=program.way.by,
        table_bytes=program.table_bytes,
        square_bytes=program.square_bytes,
        start_us=round(median(times.starts), 1),
        lookups=program.lookups,
        repetitions=len(times.starts),
        figures=[_figure(measure, ns) for measure, ns in times.ns.items()],
    )


def _figure(measure: Measure, ns: Sequence[float]) -> Figure:
    low, middle, high = quantiles(ns, n=4, method="inclusive") if len(ns) > 1 else [ns[0]] * 3
    return Figure(measure, round(middle, 3), round(low, 3), round(high, 3))


def prepare(
    ways: Iterable[tuple[TimedWay, TableFile | None]],
    games: Path,
    folder: Path,
    compiler: str,
    watch: Observer,
) -> Measuring:
    """Compile the ways and check all their lookups. A way that answers wrongly, or needs what this
    machine lacks, is left out, and it is said why. InputError where a table cannot be emitted.
    """
    found, has = machine(compiler, folder)
    lookups = folder / "lookups"
    write_lookups(lookups, games)
    measuring = Measuring(found, lookups, [], [])
    ways = list(ways)
    for number, (way, file) in enumerate(ways):
        watch.progress(number, len(ways), way.title)
        if way.needs and way.needs not in has:
            measuring.left_out.append(UnmeasuredWay(way.name, way.title, LACKING[way.needs]))
            continue
        try:
            program = program_of(way, file, folder, compiler, found.flags)
        except NotCompiledError as error:
            why = f"does not compile here: {error}"
            measuring.left_out.append(UnmeasuredWay(way.name, way.title, why))
        except WrongError as error:
            measuring.left_out.append(UnmeasuredWay(way.name, way.title, str(error), wrong=True))
        else:
            measuring.times.append(_Times(program))
    watch.progress(len(ways), len(ways), "")
    return measuring


# Tables alone, as engines are compiled and with warm caches: the best turn of each, and the median.

AS_RELEASED = "-O2 -DPIECES=2 -DKINDS=1"
"""Without -march=native, as released engines leave it out; no queens, and nothing that waits."""
PASSES = 40
"""Passes over all lookups in one turn of a table."""


@dataclass(frozen=True, slots=True)
class Speed:
    """One table's figures: entries, bytes of all buffers, ns per lookup by kind of positions: of
    the best turn, and of the median one.
    """

    name: str
    entries: int
    bytes: int
    nanoseconds: dict[str, float]
    medians: dict[str, float]

    @property
    def unsteady(self) -> float:
        """How much longer the median turn took than the best, as a part of that, at the worst."""
        return max(self.medians[kind] / best - 1 for kind, best in self.nanoseconds.items())


def speeds(
    files: Sequence[TableFile], games: Path, folder: Path, compiler: str, turns: int
) -> list[Speed]:
    """Measure tables in turns, in a folder for temporary files: rooks and bishops alike. Whatever
    else the machine does can only slow a turn down.

    Raises InputError where a table cannot be emitted, or where one answers wrongly.
    """
    lookups = folder / "lookups"
    write_lookups(lookups, games)
    programs = []
    for number, file in enumerate(files):
        chess_only(file.table, "bench", str(file.path))
        way = TimedWay(f"table_{number}", file.path.stem, "", str(file.path))
        try:
            programs.append(program_of(way, file, folder, compiler, AS_RELEASED))
        except (NotCompiledError, WrongError) as error:
            raise InputError([Problem(str(error), file=str(file.path))]) from None
    found: list[dict[str, list[float]]] = [{kind: [] for kind in POSITIONS} for _ in files]
    for _ in range(turns):
        for program, figures in zip(programs, found, strict=True):
            rows = program.measure(lookups, 0, [0] * PASSES)
            for kind, turn in figures.items():
                turn.append(fmean(float(ns) for positions, *_, ns in rows if positions == kind))
    return [
        Speed(
            file.path.stem, make_unit(file, "").entries, program.table_bytes,
            {kind: min(turn) for kind, turn in figures.items()},
            {kind: median(turn) for kind, turn in figures.items()},
        )
        for file, program, figures in zip(files, programs, found, strict=True)
    ]  # fmt: skip
