"""The ways compiled, checked and measured in turns, for so long as there is time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from magicert.compact.timing.games import write_lookups
from magicert.compact.timing.programs import (
    NotCompiledError,
    TimedProgram,
    TimedWay,
    WrongError,
    program_of,
)
from magicert.outcome import Observer
from magicert.system.deadline import Deadline
from magicert.table.files import TableFile
from research.frontier.figures import (
    TOUCHED,
    Figure,
    Machine,
    Measure,
    Measured,
    UnmeasuredWay,
)
from research.frontier.machine import machine

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
