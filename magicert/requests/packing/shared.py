"""What both kinds of packing are asked, and come to."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from magicert.compact.layouts.layout import Layout, publish, to_table
from magicert.compact.pack import Mark, Stop, history_text
from magicert.compact.progress import WorkPhase
from magicert.formula import Formula
from magicert.jobs.watch import Phase as Shown
from magicert.jobs.watch import Watch
from magicert.outcome import Answered, OutcomeKind
from magicert.requests.packing.question import PackQuestion
from magicert.system.deadline import BudgetOverError
from magicert.table import Provenance
from magicert.verify.table.report import Report

MOST_REFILLS = 10_000


def run_out(run: Callable[[], Stop], until: ExitStack) -> Stop:
    """Run to the end, to Ctrl-C or until the time is over: what `run` says, or why it ended."""
    try:
        return run()
    except KeyboardInterrupt:
        return "interrupted"
    except BudgetOverError:
        return "budget"
    finally:
        until.close()


AnyPack = PackQuestion[Any]


@dataclass(frozen=True, slots=True)
class Interrupted(Answered):
    """Ctrl-C came while the first layouts were made; whether one of them is on disk."""

    kind = OutcomeKind.UNKNOWN
    entries = 0
    on_disk: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Answered):
    """The best layout, which is in the output file."""

    layout: Layout
    rounds: int
    stopped: Stop
    limit: int | None = None

    @property
    def entries(self) -> int:
        """The buffer's length."""
        return self.layout.length

    @property
    def within_limit(self) -> bool:
        """Whether it is no longer than was asked."""
        return self.limit is None or self.layout.length <= self.limit

    @property
    def kind(self) -> OutcomeKind:
        """Not known, where it was interrupted, or is too long."""
        done = self.stopped != "interrupted" and self.within_limit
        return OutcomeKind.EXISTS if done else OutcomeKind.UNKNOWN


class Phases:
    """Shows phase after phase: the next begins where another name comes."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.until = ExitStack()
        """Ends what is shown."""
        self.phase: WorkPhase | None = None
        self.shown: Shown | None = None

    def progress(self, phase: WorkPhase, done: float, total: float, note: str) -> None:
        """How far a phase is."""
        if phase != self.phase:
            self.until.close()
            self.phase = phase
            self.shown = self.until.enter_context(self.watch(*phase))
        assert self.shown is not None
        self.shown.progress(done, total, note)


def save(
    layout: Layout,
    asked: AnyPack,
    command: str,
    history: Sequence[Mark],
    result: Formula | None = None,
) -> Report:
    """Write a layout to the output file, verified, and its certificate beside it. `result` is
    what comes of a loaded entry, where that is not the attack set.
    """
    certificate = asked.path.with_suffix(".certificate.json")
    provenance = Provenance(
        command=command,
        seed=asked.seed,
        certificate=certificate.name,
        notes=history_text(history),
    )
    table = to_table(layout, asked.name or asked.path.stem, provenance)
    if result is not None:
        halves = {piece: replace(half, result=result) for piece, half in table.pieces.items()}
        table = replace(table, pieces=halves)
    return publish(table, asked.path, certificate)
