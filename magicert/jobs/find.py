"""Ask the atlas or an engine about one cell, and check every magic that it reports."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from magicert.cell import Cell, Slider, Subject
from magicert.engine import Observer, Request, load, option_values
from magicert.jobs.known import Known, known
from magicert.outcome import Exists, Outcome
from magicert.scheme import resolve_scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

ATLAS = "atlas"
"""In the place of an engine: the answer was known."""
SEARCHED = ("white", "black")
"""The schemes whose proofs the window search gives quickest."""
FEW_SQUARES = 6
"""Masks of so many squares Z3 settles in seconds (docs/models.md). The window search takes less,
but its kernels a minute to be compiled."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked about one square, or about keys, in the words of the user.

    `bits` None means the usual ones: popcount(mask). `engine` None lets the job choose.
    `proof` says that a proof of impossibility is hoped for, `search` that the atlas is not to
    answer. `options` are the engine's own, as texts.
    """

    about: Subject
    scheme: str = "white"
    bits: int | None = None
    largest_index: int | None = None
    engine: str | None = None
    everything: bool = False
    proof: bool = False
    search: bool = False
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
    def known(self) -> Known | None:
        """What the atlas says, where chance does not find a magic at once anyway."""
        cell = self.cell
        common = cell.bits >= cell.about.usual_bits and cell.largest_index is None
        return None if common and not self.proof else known(cell)

    @property
    def answer(self) -> Outcome | None:
        """The answer of the atlas; None where it has none, or where an engine is to be asked."""
        if self.search or self.engine or self.everything or self.options:
            return None
        found = self.known
        return None if found is None else found.outcome

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
            return "z3" if self.sooner_by_z3 else "window"
        return "z3" if self.proof or self.about.suits_window(cell.bits) else "trial"

    @property
    def sooner_by_z3(self) -> bool:
        """Whether Z3 has answered before the window search is compiled, which nobody named."""
        few = isinstance(self.about, Slider) and self.about.usual_bits <= FEW_SQUARES
        if not few or self.scheme != "white" or self.everything or self.options:
            return False
        if self.engine is not None or not (find_spec("z3") and find_spec("numba")):
            return False
        from magicert.search.window import is_cold

        return is_cold()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine says about a cell, and how long it took (wall clock)."""

    cell: Cell
    engine: str
    outcome: Outcome
    seconds: float


def find(wanted: Wanted, observer: Observer) -> Answer:
    """Ask the atlas, or the engine. Every magic of the answer has been checked for all occupancies.

    Raises InputError for a question, an engine or an option that is none.
    """
    cell, name = wanted.cell, wanted.engine_name
    started = time.monotonic()
    answered = wanted.answer
    if answered is not None:
        return _answer(cell, ATLAS, answered, started)
    if name == "z3" and wanted.sooner_by_z3:
        observer.say("Z3 answers: the window search would be compiled first (--engine window)")
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
    return _answer(cell, name, engine.solve(request, observer), started)


def _answer(cell: Cell, name: str, outcome: Outcome, started: float) -> Answer:
    """The answer, when its magics have been checked, with what is needed to use them."""
    if isinstance(outcome, Exists):
        check_magics(cell, outcome.magics, "the atlas" if name == ATLAS else f"engine {name}")
        shift = 64 - cell.bits if cell.scheme.name in SEARCHED else None
        outcome = replace(outcome, mask=cell.mask, shift=shift)
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
