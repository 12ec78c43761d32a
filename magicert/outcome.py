"""What work says: in the end its outcome, and on the way how far it is, to whoever watches.

An outcome is never a bare bool. It has a kind, and the kind says what a command exits with.

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
"""What was measured on the way: tests, seconds, conflicts, ..."""


class OutcomeKind(StrEnum):
    """What an answer says. An answer that does not say is an error."""

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
"""What a command exits with that hopes for a magic, or for a valid table."""


def status_of(kind: str, success: OutcomeKind = OutcomeKind.EXISTS) -> int:
    """The exit status of an answer: 0 is what was hoped for, 1 its contrary. To `disprove` it is
    yes that a magic is impossible.
    """
    status = STATUS[OutcomeKind(kind)]
    return 1 - status if success is OutcomeKind.IMPOSSIBLE and status in (0, 1) else status


class HasOutcome:
    """What has a kind, and so an exit status."""

    __slots__ = ()

    @property
    def kind(self) -> OutcomeKind:
        """An error, where nobody says anything else."""
        return OutcomeKind.ERROR

    @property
    def exit_status(self) -> int:
        """Of a command that hopes for a magic, or for a valid table."""
        return STATUS[self.kind]


class Evidence(StrEnum):
    """What an IMPOSSIBLE rests on, from strong to weak."""

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
    """At least one magic, each verified exhaustively before anybody sees it.

    `complete` says whether `magics` is known to be all of them, one of those that are congruent
    modulo the cell's period. Where all were wanted and it is not, `progress` says how far the
    engine came. `mask` is what the magic is for, and `shift` what follows the product in the
    schemes of one product: index = (occ & mask) * magic >> shift. Who asks is told both.
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
    """No magic exists. `certificate` is the file of its proof; empty where there is none and
    `argument` (a solver's verdict, an exhausted tree) is all there is. `evidence` says its kind.
    """

    kind = OutcomeKind.IMPOSSIBLE
    argument: str
    certificate: str = ""
    figures: Figures = field(default_factory=dict)
    evidence: Evidence = Evidence.SOLVER


@dataclass(frozen=True, slots=True)
class Unknown(HasOutcome):
    """Not settled: why, and how far the engine came."""

    kind = OutcomeKind.UNKNOWN
    reason: str
    progress: str = ""
    figures: Figures = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoMagic(HasOutcome):
    """A number that is no magic: two occupancies of different attack sets, and the index that they
    share. Where both are the same occupancy, its index is larger than allowed.
    """

    kind = OutcomeKind.INVALID
    magic: int
    occupancies: tuple[int, int]
    index: int


Outcome = Exists | Impossible | Unknown


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A solver that was asked one question stopped before it knew."""

    reason: str


# Whoever watches work: an observer of one piece of it, and a watch that begins each phase.


class Observer(Protocol):
    """Whoever watches an engine work: a progress display, a log, a test."""

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        """So much of the whole is done (total None: not known)."""

    def say(self, message: str) -> None:
        """Something worth a line. What only who looks closely wants goes through `say_verbose`."""


def say_verbose(observer: Observer) -> Callable[[str], None]:
    """How plans and estimates are told: by the observer's `say_verbose`, where it has one."""
    tell: Callable[[str], None] = getattr(observer, "say_verbose", Quiet().say)
    return tell


class Quiet:
    """An observer that looks away."""

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        """Nothing."""

    def say(self, message: str) -> None:
        """Nothing."""


class NullPhase(Quiet):
    """A phase that nobody looks at."""

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
    """The phases of a job, each told to the same observer."""
    return lambda doing, unit: nullcontext(observer or Quiet())  # noqa: ARG005
