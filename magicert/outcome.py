"""Outcomes of a search or a check, and the observers that are told its progress.

An outcome is never a bare bool. It has a kind, which decides the exit status of a command.

To "does a magic exist?" an engine answers EXISTS with the magics it found, IMPOSSIBLE with its
evidence, or UNKNOWN with the reason and how far it came. Timeouts, interruptions and a solver's
"unknown" are UNKNOWN.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

Figures = Mapping[str, float | int | str]
"""Measurements by name: tests, seconds, conflicts, ..."""


class OutcomeKind(StrEnum):
    """What the answer is. An answer without a kind is an error."""

    EXISTS = "exists"
    IMPOSSIBLE = "impossible"
    VALID = "valid"
    INVALID = "invalid"
    BAD_INPUT = "bad input"
    UNKNOWN = "unknown"
    ERROR = "error"


STATUS = {
    OutcomeKind.EXISTS: 0,
    OutcomeKind.VALID: 0,
    OutcomeKind.IMPOSSIBLE: 1,
    OutcomeKind.INVALID: 1,
    OutcomeKind.BAD_INPUT: 2,
    OutcomeKind.UNKNOWN: 3,
    OutcomeKind.ERROR: 70,  # EX_SOFTWARE of sysexits.h: never to be taken for a verdict
}
"""Exit statuses of a command for which a magic, or a valid table, is success."""


def status_of(kind: str, success: OutcomeKind = OutcomeKind.EXISTS) -> int:
    """The exit status of an answer: 0 for success, 1 for the opposite. For `disprove` success is
    IMPOSSIBLE.
    """
    status = STATUS[OutcomeKind(kind)]
    return 1 - status if success is OutcomeKind.IMPOSSIBLE and status in (0, 1) else status


class HasOutcome:
    """A result with a kind, and so with an exit status."""

    __slots__ = ()

    @property
    def kind(self) -> OutcomeKind:
        """ERROR, unless a subclass says otherwise."""
        return OutcomeKind.ERROR

    @property
    def exit_status(self) -> int:
        """The exit status of a command for which a magic, or a valid table, is success."""
        return STATUS[self.kind]


class Evidence(StrEnum):
    """What IMPOSSIBLE rests on, from strong to weak."""

    COUNTING = "counting: fewer slots than attack sets"
    LEAVES = "leaves"
    """Every leaf of a cover is in the certificate, and was checked."""
    HASHES = "hashes"
    """Every leaf was written and hashed; a replay must come to the same hashes."""
    RECOUNT = "counted again"
    """An independent program went through every shard, and found the same magics."""
    COUNTS = "counts"
    """One exhaustive run, which a replay must repeat count by count."""
    PROOF = "a solver with a checked proof"
    SOLVER = "a solver alone"


@dataclass(frozen=True, slots=True)
class Exists(HasOutcome):
    """At least one magic, each verified exhaustively before it is reported.

    `complete` says whether `magics` is known to be all of them, up to congruence modulo the cell's
    period. If all were requested and it is not, `progress` says how far the engine came. `mask` and
    `shift` belong to the formula, in schemes with one product:
    index = (occ & mask) * magic >> shift.
    """

    kind = OutcomeKind.EXISTS
    magics: tuple[int, ...]
    complete: bool = False
    figures: Figures = field(default_factory=dict)
    progress: str = ""
    mask: int | None = None
    shift: int | None = None

    @property
    def magic(self) -> int:
        return self.magics[0]

    def __repr__(self) -> str:
        more = f" and {len(self.magics) - 1:,} more" if self.magics[1:] else ""
        shift = "" if self.shift is None else f", shift {self.shift}"
        return f"<Exists {', '.join(f'{magic:#x}' for magic in self.magics[:1])}{more}{shift}>"


@dataclass(frozen=True, slots=True)
class Impossible(HasOutcome):
    """No magic exists. `certificate` is the file with the proof. It is empty if there is none, and
    `argument` (a solver's verdict, an exhausted tree) is all there is. `evidence` is its kind.
    """

    kind = OutcomeKind.IMPOSSIBLE
    argument: str
    certificate: str = ""
    figures: Figures = field(default_factory=dict)
    evidence: Evidence = Evidence.SOLVER


@dataclass(frozen=True, slots=True)
class Unknown(HasOutcome):
    """Not decided: why, and how far the engine came."""

    kind = OutcomeKind.UNKNOWN
    reason: str
    progress: str = ""
    figures: Figures = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoMagic(HasOutcome):
    """A number that is no magic: two occupancies with different attack sets, and the index that
    they share. If both are the same occupancy, its index is larger than allowed.
    """

    kind = OutcomeKind.INVALID
    magic: int
    occupancies: tuple[int, int]
    index: int


Outcome = Exists | Impossible | Unknown


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A solver stopped before it had an answer."""

    reason: str


# Progress: an observer is told of one phase of the work, and a watch begins each phase.


class Observer(Protocol):
    """Is told the progress of an engine: a progress display, a log, a test."""

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        """`done` of `total` units are done (None: the total is not known)."""

    def say(self, message: str) -> None:
        """A message for everybody. Details, for --verbose, go through `say_verbose`."""


def say_verbose(observer: Observer) -> Callable[[str], None]:
    """The observer's `say_verbose`, for plans and estimates; silence if it has none."""
    say: Callable[[str], None] = getattr(observer, "say_verbose", Quiet().say)
    return say


def leave_time_to_notes(observer: Observer) -> None:
    """Tell an observer that the rate of what is done says nothing of the rest: parts of a search
    take seconds or hours. What is known of the time left stands in the notes.
    """
    leave: Callable[[], None] = getattr(observer, "leave_time_to_notes", lambda: None)
    leave()


class Quiet:
    """An observer that ignores everything."""

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        """Nothing."""

    def say(self, message: str) -> None:
        """Nothing."""


class NullPhase(Quiet):
    """A phase that shows nothing."""

    def __init__(self, doing: str, unit: str) -> None:
        """It shows nothing."""

    def __enter__(self) -> "NullPhase":
        return self

    def __exit__(self, *error: object) -> None:
        """It keeps no error."""


Watch = Callable[[str, str], AbstractContextManager[Observer]]
"""`with watch("verifying surge.toml", "lookups") as observer:` begins a phase and names the unit
of what is done."""


def watched_by(observer: Observer | None) -> Watch:
    """A watch whose phases all report to this observer."""
    return lambda doing, unit: nullcontext(observer or Quiet())  # noqa: ARG005
