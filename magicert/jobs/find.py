"""Ask an engine about one cell, and check every magic that it reports."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from magicert.cell import Cell, Subject
from magicert.engine import Observer, Request, load, option_values
from magicert.outcome import Exists, Outcome
from magicert.scheme import resolve_scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

SEARCHED = ("white", "black")
"""The schemes whose proofs the window search gives quickest."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked about one square, or about keys, in the words of the user.

    `bits` None means the usual ones: popcount(mask). `engine` None lets the job choose.
    `proof` says that a proof of impossibility is hoped for. `options` are the engine's own, as
    texts.
    """

    about: Subject
    scheme: str = "white"
    bits: int | None = None
    largest_index: int | None = None
    engine: str | None = None
    everything: bool = False
    proof: bool = False
    seconds: float | None = None
    memory: int | None = None
    seed: int = 1
    workers: int = 1
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def cell(self) -> Cell:
        """The question. Raises InputError with every reason why it is none."""
        bits = self.about.usual_bits if self.bits is None else self.bits
        scheme = resolve_scheme(self.scheme)
        cell = Cell(scheme, self.about, bits, largest_index=self.largest_index)
        cell.check()
        return cell

    @property
    def engine_name(self) -> str:
        """The engine asked for, or the one that suits the question.

        Trial finds at once where magics are common; where they are rare or a proof is wanted,
        the window search if it has the scheme, or else Z3. For keys that are too large for the
        window search trial is tried all the same.
        """
        if self.engine is not None:
            return self.engine
        cell = self.cell
        if not self.proof and cell.bits >= cell.about.usual_bits and cell.largest_index is None:
            return "trial"
        if cell.scheme.name in SEARCHED and self.about.suits_window(cell.bits):
            return "window"
        return "z3" if self.proof or self.about.suits_window(cell.bits) else "trial"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine says about a cell, and how long it took (wall clock)."""

    cell: Cell
    engine: str
    outcome: Outcome
    seconds: float


def find(wanted: Wanted, observer: Observer) -> Answer:
    """Ask the engine. Every magic of the answer has been checked for all occupancies.

    Raises InputError for a question, an engine or an option that is none.
    """
    cell, name = wanted.cell, wanted.engine_name
    engine = load(name)
    request = Request(
        cell=cell,
        everything=wanted.everything,
        seconds=wanted.seconds,
        memory=wanted.memory,
        seed=wanted.seed,
        workers=wanted.workers,
        options=option_values(engine, wanted.options),
    )
    started = time.monotonic()
    outcome = engine.solve(request, observer)
    if isinstance(outcome, Exists):
        check_magics(cell, outcome.magics, f"engine {name}")
    return Answer(cell, name, outcome, time.monotonic() - started)


def check_magics(cell: Cell, magics: "Sequence[int]", said_by: str) -> None:
    """Nobody is believed: check all magics, for all occupancies, before anybody sees one.

    Raises AssertionError (a bug of ours) for none at all, or one that is no magic.
    """
    from magicert.valid import invalid

    wrong = invalid(cell, magics)
    if wrong or not magics:
        what = f"{wrong[0]:#x}, which is no magic" if wrong else "a magic, but none is given"
        raise AssertionError(f"{said_by} reported {what} ({cell})")
