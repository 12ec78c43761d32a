"""What was measured: records, the frontier, the file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from magicert.problem import InputError, Problem

KINDS = ("throughput", "latency")
TOUCHED = (0, 32, 256, 1024)
"""KiB of other data that are read between lookups; 0: warm caches."""
WIDE = 0.25
"""From this part of the median on, quartiles lie far apart."""
BUSY = 0.5
"""The load from which a machine is called busy."""


class Measure(msgspec.Struct, frozen=True):
    """What a figure is of. `touched`: KiB of other data read between lookups."""

    piece: str
    positions: str
    kind: str
    touched: int

    @property
    def how(self) -> str:
        """The kind of figure, and the state of the caches, in words."""
        cache = f"{self.touched:,} KiB touched between lookups" if self.touched else "caches warm"
        return f"{self.kind}, {cache}"


class Figure(msgspec.Struct, frozen=True):
    """Nanoseconds a lookup: the median of the repetitions, and the quartiles around it."""

    of: Measure
    ns: float
    low: float
    high: float

    @property
    def wide(self) -> bool:
        """Whether the quartiles lie far apart."""
        return self.high - self.low > WIDE * self.ns


class Measured(msgspec.Struct, frozen=True):
    """One way: bytes of tables and of per-square data, microseconds at start-up, figures.

    `lookups` were compared with a walk along the rays before the first was timed. `start_us` is 0
    where the tables are finished in the program.
    """

    name: str
    title: str
    by: str
    table_bytes: int
    square_bytes: int
    start_us: float
    lookups: int
    repetitions: int
    figures: list[Figure]

    @property
    def bytes(self) -> int:
        """All that a lookup may read."""
        return self.table_bytes + self.square_bytes

    def figure(self, measure: Measure) -> Figure:
        """The figure of a measure. Raises KeyError where it was not measured."""
        for figure in self.figures:
            if figure.of == measure:
                return figure
        raise KeyError(measure)

    def ns(self, measure: Measure) -> float:
        """The median of a measure. Raises KeyError where it was not measured."""
        return self.figure(measure).ns


class UnmeasuredWay(msgspec.Struct, frozen=True):
    """A way that was not measured; `wrong` where it answered wrongly."""

    name: str
    title: str
    why: str
    wrong: bool = False


class Machine(msgspec.Struct, frozen=True):
    """What the figures were measured on. Caches by name ("L1d"), in KiB; `load` is how many
    processes wanted a processor just before, None where the system does not say.
    """

    processor: str
    system: str
    caches_kib: dict[str, int]
    compiler: str
    flags: str
    processors: int = 1
    load: float | None = None

    @property
    def busy(self) -> str:
        """What else went on, in a sentence; "" where that was hardly anything."""
        if self.load is None or self.load < BUSY:
            return ""
        where = f"a load of {self.load:.1f}, {self.processors} processors"
        return f"The machine was busy with other work ({where}): compare lines, no more"


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run."""

    format: Literal["magicert-frontier"] = "magicert-frontier"
    version: Literal[1] = 1
    machine: Machine
    date: str
    command: str
    tool: str
    ways: list[Measured]
    left_out: list[UnmeasuredWay]
    interrupted: bool = False


def frontier(ways: Iterable[Measured], measure: Measure) -> set[str]:
    """The names of the ways that no other beats, being as small and as fast and better in one."""
    points = {way.name: (way.bytes, way.ns(measure)) for way in ways}
    return {
        name
        for name, (size, ns) in points.items()
        if not any(
            other <= size and faster <= ns and (other, faster) != (size, ns)
            for other, faster in points.values()
        )
    }


def unsteady(ways: Sequence[Measured], measures: Sequence[Measure]) -> str:
    """How many of the figures shown are marked as unsteady, in a sentence; "" where none is."""
    shown = [way.figure(measure) for way in ways for measure in measures]
    wide = sum(figure.wide for figure in shown)
    said = f"~ ({wide} of {len(shown)}): the middle half of the runs is wider than a quarter of it"
    return f"{said}; measure for longer, or when nothing else runs" if wide else ""


def survey_json(survey: Survey) -> bytes:
    """A run as a file: one line for each figure."""
    text = msgspec.json.encode(survey)
    for start in (b'{"of"', b'{"name"', b'"left_out"'):
        text = text.replace(start, b"\n" + start)
    return text + b"\n"


def read_survey(path: Path) -> Survey:
    """A run from its file. Raises InputError where it is none, OSError where it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Survey)
    except msgspec.MsgspecError as error:
        raise InputError([Problem(f"no survey of lookups: {error}", file=str(path))]) from error


# Where tables lose, in words.

SMALL = 16 << 10
"""Bytes of the largest way that counts as one without a table."""


def losing(ways: Sequence[Measured], measures: Sequence[Measure]) -> list[str]:
    """For each measure, how the tables stand against the fastest way that hardly needs one."""
    return [_standing(ways, measure) for measure in measures]


def _standing(ways: Sequence[Measured], measure: Measure) -> str:
    by_time = sorted(ways, key=lambda way: way.ns(measure))
    tables = [way for way in by_time if way.bytes > SMALL]
    small = [way for way in by_time if way.bytes <= SMALL]
    if not tables or not small:
        return f"{measure.how}: nothing to compare"
    slower = sum(way.ns(measure) > small[0].ns(measure) for way in tables)
    against = _told(small[0], measure)
    if slower == len(tables):
        return f"{measure.how}: all {slower} tables lose to {against}"
    some = f"{slower} of {len(tables)} tables lose" if slower else "no table loses"
    return f"{measure.how}: the fastest is {_told(tables[0], measure)}; {some} to {against}"


def _told(way: Measured, measure: Measure) -> str:
    return f"{way.title} ({way.bytes:,} bytes, {way.ns(measure):.1f} ns)"
