"""Find a magic for a square, or prove that there is none: the atlas, or an engine."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.betza import parse_piece
from magicert.board import (
    BY_FILES,
    CHESS,
    MOVEMENTS,
    ORDERS,
    Board,
    Movement,
    Piece,
    names_in,
    place_of,
)
from magicert.cell import Cell, Keys, Mover, Slider, Subject, in_64_bits
from magicert.data import atlas_path
from magicert.engine import EngineRequest, is_installed, load, option_values
from magicert.outcome import (
    Answered,
    Evidence,
    Exists,
    Impossible,
    NoMagic,
    Observer,
    Outcome,
    OutcomeKind,
    Watch,
)
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.request import File, Request, Unsigned, budget, option
from magicert.requests.words import LOWEST_BIT
from magicert.scheme import resolve_scheme

if TYPE_CHECKING:
    from magicert.atlas import Atlas, Entry

ATLAS, CHECK = "atlas", "check"
"""In the place of an engine: the answer was known, or the number was given."""
SEARCHED = ("white", "black")
"""The schemes whose proofs the window search gives quickest."""
FEW_SQUARES = 6
"""Masks of so many squares Z3 settles in seconds (docs/models.md). The window search takes less,
but its kernels a minute to be compiled."""
PROOF_ENGINE = "sat"
"""The engine whose solvers write proofs."""


@dataclass(frozen=True, slots=True)
class Answer(Answered):
    """What an engine says about a cell, and how long it took (wall clock); `known` is what the
    atlas says of it.
    """

    cell: Cell
    engine: str
    outcome: Outcome | NoMagic
    seconds: float
    known: str = ""

    @property
    def kind(self) -> OutcomeKind:
        return self.outcome.kind


def subject_of(board: Board, movement: Movement, square: int, **masks: Any) -> Subject:  # noqa: ANN401
    """A piece on a square (a1 = 0): chess's rook and bishop are what certificates call by name."""
    for piece in Piece:
        if board == CHESS and movement.rules == MOVEMENTS[piece].rules:
            return Slider(piece, square)
    return Mover(board, movement, square, **masks)


@dataclass(frozen=True, slots=True)
class CellRequest(Request[Answer]):
    """What is asked about one square, or about the words of one bit (LOWEST_BIT).

    `bits` None means the usual ones: popcount(mask). `engine` None lets the question choose.
    `search` says that the atlas is not to answer. `options` are the engine's own, as texts. In
    Python a square may be a bit of `order`.
    """

    piece: str | None = words.the_piece()
    square: str | int | None = words.the_square()
    bits: int | None = words.bits()
    _: KW_ONLY
    scheme: str = words.scheme()
    board: Board | str | None = words.board()
    order: str = words.order()
    largest_index: int | None = words.largest_index()
    engine: str | None = words.engine()
    search: bool = option(
        False, "Search even if the answer is known.", panel=words.WORK, seldom=True
    )
    options: Mapping[str, str] = words.engine_options()
    seconds: float | None = budget()
    memory: int | None = words.memory()
    seed: int = words.seed()
    workers: int = words.workers()
    ledger: Path | None = words.ledger()
    cluster: str = words.cluster()

    @property
    def everything(self) -> bool:
        return False

    @property
    def wants_proof(self) -> bool:
        return self.everything

    def problems(self) -> Iterator[Problem]:
        if self.piece is None or (self.square is None) != (self.piece == LOWEST_BIT):
            yield Problem(f"expected PIECE and SQUARE, or {LOWEST_BIT} alone")
        if self.piece == LOWEST_BIT and self.board is not None:
            yield Problem(f"--board: {LOWEST_BIT} has no board")
        if self.on == CHESS and self.piece in tuple(Piece):
            return
        if self.order != ORDERS[0]:
            yield Problem("--order is for a rook or bishop of chess: a table has its own order")
        if self.search:
            yield Problem("--search is for a rook or bishop of chess: the atlas has no others")

    @property
    def on(self) -> Board:
        assert not isinstance(self.board, str)
        return self.board or CHESS

    @property
    def outputs(self) -> list[Path]:
        """What the engine writes, too: a certificate, or leaves where these are no pipe."""
        named = map(self.engine_options.get, ("certificate", "leaves"))
        own = [Path(name) for name in named if name and name != "-"]
        return [*self._files(output=True), *own]

    @property
    def about(self) -> Subject:
        """What the question is about.

        Each order of chess is a symmetry of the board: the square of bit n has the occupancies, and
        so the magics, that a1's order has for bit n.
        """
        if self.piece == LOWEST_BIT:
            return Keys.of((1 << square for square in range(64)), name=LOWEST_BIT)
        square = self.square
        if isinstance(square, str):
            square = place_of(self.order, self.on.parse(square), self.on)
        assert self.piece is not None
        assert square is not None
        return subject_of(self.on, parse_piece(self.piece), square)

    @property
    def cell(self) -> Cell:
        """The question. Raises InputError with every reason why it is none."""
        return self.cell_of(self.about)

    def cell_of(self, about: Subject) -> Cell:
        bits = self.bits
        if bits is None:
            bits = about.least_bits if isinstance(about, Keys) else about.usual_bits
        scheme = resolve_scheme(self.scheme, about.width)
        cell = Cell(scheme, about, bits, largest_index=self.largest_index)
        cell.check()
        return cell

    @property
    def title(self) -> str:
        return self.usual_title

    @property
    def usual_title(self) -> str:
        """The engine and the cell."""
        cell = self.cell
        return f"{engine_name(self, cell)}: {self.name_of(cell)}"

    def name_of(self, cell: Cell) -> str:
        """The cell as the user calls it: in the user's order."""
        if not isinstance(cell.about, Slider) or self.order == ORDERS[0]:
            return str(cell)
        name = names_in(self.order, CHESS)[cell.about.square]
        shown = f"{cell.about.piece} {name} (bit {cell.about.square} of order {self.order})"
        return str(cell).replace(str(cell.about), shown, 1)

    def use(self, answer: Answer) -> list[str]:
        """What a magic is used with: mask, shift and square order, for people."""
        outcome, cell = answer.outcome, answer.cell
        if not isinstance(outcome, Exists) or outcome.mask is None:
            return []
        lines = [f"mask {outcome.mask:#0{cell.about.width // 4 + 2}x}, "
                 f"index {cell.scheme.formula.text}"]  # fmt: skip
        if outcome.shift is not None:
            lines.append(f"shift {outcome.shift}")
        if isinstance(cell.about, Slider):
            lines.append(f"order {self.order}: {self.order.removesuffix(BY_FILES)} is bit 0")
        return lines

    def known(self, cell: Cell) -> "Known | None":
        """What the atlas says, where chance does not find a magic at once anyway."""
        common = cell.bits >= cell.about.usual_bits and cell.largest_index is None
        return None if common and not self.wants_proof else known(cell)

    @property
    def said(self) -> str:
        """What the atlas says, in a line: at once. "" where that is nothing."""
        found = self.known(self.cell)
        return "" if found is None else found.said

    @property
    def asks_atlas(self) -> bool:
        return not (self.search or self.engine or self.everything or self.engine_options)

    @property
    def engine_options(self) -> Mapping[str, str]:
        own = {"ledger": str(self.ledger or ""), "cluster": self.cluster}
        return {**self.options, **{name: value for name, value in own.items() if value}}

    def run(self, watch: Watch) -> Answer:
        with watch(self.title, "") as observer:
            return self.answer(observer)

    def answer(self, observer: Observer) -> Answer:
        """Ask the atlas, or the engine. Every magic of the answer has been checked for all
        occupancies.

        Raises InputError for a question, an engine or an option that is none.
        """
        return self.ask(self.cell, observer)

    def ask(self, cell: Cell, observer: Observer) -> Answer:
        started = time.monotonic()
        found = self.known(cell)
        said = "" if found is None else found.said
        outcome = found.outcome if found is not None and self.asks_atlas else None
        name = ATLAS if outcome is not None else engine_name(self, cell)
        if outcome is None:
            refuse_engine(name, cell)
            if name == "z3" and sooner_by_z3(self, cell):
                said_so = "Z3 answers: the window search would be compiled first (--engine window)"
                observer.say(said_so)
            engine = load(name)
            request = EngineRequest(
                in_64_bits(cell) if name == "window" else cell,
                everything=self.everything, seconds=self.seconds, memory=self.memory,
                seed=self.seed, workers=self.workers,
                options=option_values(engine, self.engine_options),
            )  # fmt: skip
            from magicert.known_magics import held, solved

            outcome = held(cell, solved(engine, request, observer))
        if isinstance(outcome, Exists):
            from magicert.valid import check_magics

            check_magics(cell, outcome.magics, "the atlas" if name == ATLAS else f"engine {name}")
            shift = cell.about.width - cell.bits if cell.scheme.name in SEARCHED else None
            outcome = replace(outcome, mask=cell.mask, shift=shift)
        return Answer(cell, name, outcome, time.monotonic() - started, said)


@dataclass(frozen=True, slots=True)
class Find(CellRequest):
    """Find a magic for a square, or all of them, or learn that there is none."""

    begins = ("find",)
    everything: bool = option(
        False, "All magics of the cell.", flags=("--all",), panel=words.QUESTION
    )
    magic: int | None = option(
        None, "Only check this number, for all occupancies.", Unsigned(64, "0x1f"), "NUMBER",
        panel=words.QUESTION,
    )  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        yield from CellRequest.problems(self)
        if self.magic is not None and (self.engine or self.everything or self.engine_options):
            yield Problem("--magic checks one number: expected no --all and no engine")

    def answer(self, observer: Observer) -> Answer:
        """As `CellRequest.answer`; a number that was given is checked, and nothing searched."""
        if self.magic is None:
            return CellRequest.answer(self, observer)
        from magicert.valid import conflict_of

        started, cell = time.monotonic(), self.cell
        wrong = conflict_of(cell, self.magic)
        outcome = Exists((self.magic,), mask=cell.mask) if wrong is None else wrong
        return Answer(cell, CHECK, outcome, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class Disprove(CellRequest):
    """Prove that a square has no magic of so many bits, or find one."""

    begins = ("disprove",)
    hoped = OutcomeKind.IMPOSSIBLE
    proof: Path | None = option(
        None, "Write a proof that a verified checker accepts (engine sat).", File(output=True),
        told=False,
    )  # fmt: skip

    @property
    def wants_proof(self) -> bool:
        return True

    def problems(self) -> Iterator[Problem]:
        yield from CellRequest.problems(self)
        if self.proof is None:
            return
        if self.piece == LOWEST_BIT:
            yield Problem("--proof is for squares: expected -O certificate=FILE")
        others = [f"-O {name}" for name in self.engine_options if name != "solver"]
        if self.engine not in (None, PROOF_ENGINE) or others:
            what = ", ".join(others) or f"--engine {self.engine}"
            yield Problem(
                f"--proof goes with --engine {PROOF_ENGINE} and -O solver only, not with {what}"
            )

    @property
    def title(self) -> str:
        return f"proof: {self.name_of(self.cell)}" if self.proof else self.usual_title

    def answer(self, observer: Observer) -> Answer:
        """As `CellRequest.answer`; with `proof` by a solver, whose steps are checked first."""
        if self.proof is None:
            return CellRequest.answer(self, observer)
        from magicert.jobs.prove import ProofWanted, prove
        from magicert.z3models.solvers.child import Budget
        from magicert.z3models.solvers.proving import PROVERS

        started, cell = time.monotonic(), self.cell
        solver = self.engine_options.get("solver", PROVERS[0])
        asked = ProofWanted(cell, self.proof, solver, Budget(self.seconds, self.memory))
        outcome = prove(asked, observer)
        return Answer(cell, PROOF_ENGINE, outcome, time.monotonic() - started, self.said)


def engine_name(asked: CellRequest, cell: Cell) -> str:
    """The engine asked for, or the one that suits the question.

    Trial finds at once where magics are common; where they are rare or a proof is wanted,
    the window search if it is installed and has the scheme, or else Z3. Where the window
    search would take too long, and beyond 64 squares, trial is tried all the same.
    """
    if asked.engine is not None:
        return asked.engine
    common = cell.bits >= cell.about.usual_bits and cell.largest_index is None
    if cell.about.width > 64 or (common and not asked.wants_proof):
        return "trial"
    if suits_window(cell):
        # Z3 comes with every install; the window search needs numba.
        return "window" if is_installed("window") and not sooner_by_z3(asked, cell) else "z3"
    return "z3" if asked.wants_proof or cell.about.suits_window(cell.bits) else "trial"


def suits_window(cell: Cell) -> bool:
    """Whether the window search has the scheme, and an end in sight: of a product of 32 bits there
    are 2^32 magics.
    """
    searched = in_64_bits(cell)
    small = searched is not cell or cell.about.suits_window(cell.bits)
    return searched.scheme.name in SEARCHED and small


def sooner_by_z3(asked: CellRequest, cell: Cell) -> bool:
    """Whether Z3 has answered before the window search is compiled, which nobody named."""
    few = isinstance(cell.about, Slider) and cell.about.usual_bits <= FEW_SQUARES
    if not few or asked.scheme != "white" or asked.everything or asked.engine_options:
        return False
    if asked.engine is not None or not is_installed("window"):
        return False
    from magicert.search.window import is_cold

    return is_cold()


def refuse_engine(name: str, cell: Cell) -> None:
    """InputError for an engine whose words are too short for a board."""
    if cell.about.width > 64 and name != "trial":
        message = "of boards beyond 64 squares only trial searches: others take 64 bits"
        raise InputError([Problem(message, key=f"--engine {name}")])


@dataclass(frozen=True, slots=True)
class Known:
    """What the atlas that ships says of a cell, in a line; `outcome` None where that is no answer.

    A magic of fewer bits answers for more, and where more bits have none, fewer have none. Of what
    is impossible it says the kind of evidence, which is read from the files when the atlas is built
    and is not checked here: `magicert check` does that.
    """

    said: str
    outcome: Outcome | None = None


def known(cell: Cell) -> Known | None:
    """What the atlas says; None where it says nothing. Its magics are not checked here, and what it
    says to be impossible is held against those of all tables.
    """
    found = _in_the_atlas(cell)
    if found is None or not isinstance(found.outcome, Impossible):
        return found
    from magicert.known_magics import contradiction

    magic = contradiction(cell)
    return found if magic is None else Known(f"not decided: {found.said}; but {magic} is a magic")


def _in_the_atlas(cell: Cell) -> Known | None:
    about, name = cell.about, cell.scheme.name
    if not isinstance(about, Slider) or cell.fixed or name not in SEARCHED:
        return None
    path = atlas_path(name)
    if not path.exists():
        return None
    atlas = _read(path)
    entry = atlas.entries.get((about.piece, about.square, -cell.bits))
    if cell.largest_index is not None:
        answer = None if entry is None else _of_range(entry, cell.largest_index)
        return answer or _impossible(atlas, cell, about)
    best = atlas.best(about.piece, about.square)
    if best is not None and best.bits <= cell.bits:
        which = f" with {best.bits} bits" if best.bits < cell.bits else ""
        return Known(f"exists{which}, {best.credit}", Exists((int(best.magic, 16),)))
    answer = _impossible(atlas, cell, about)
    return Known(_open(entry)) if answer is None and entry is not None else answer


@cache
def _read(path: Path) -> "Atlas":
    """The atlas, once for each process."""
    from magicert.atlas import read_atlas

    return read_atlas(path)


def _impossible(atlas: "Atlas", cell: Cell, about: Slider) -> Known | None:
    """Where no magic of so many bits, or of more, is known to exist."""
    bound = atlas.bound(about.piece, about.square)
    if bound is None or bound.bits < cell.bits:
        return None
    which = f" even with {bound.bits} bits" if bound.bits > cell.bits else ""
    said = f"impossible{which}, first said by {bound.credit}"
    return _no_magic(bound, said, bound.certificate, bound.evidence)


def _of_range(entry: "Entry", largest: int) -> Known | None:
    """What the range of a cell answers about indexes up to `largest`."""
    given = entry.range
    if given is None:
        return None
    if given.largest <= largest:
        said = f"exists, indexes 0 to {given.largest}"
        return Known(said, Exists((int(given.magic, 16),)))
    if given.certificate and largest < given.least:
        said = f"impossible, even with indexes up to {given.least - 1}"
        return _no_magic(entry, said, given.certificate, given.evidence)
    return None


def _no_magic(entry: "Entry", said: str, certificate: str, evidence: Evidence | None) -> Known:
    shown = evidence or Evidence.SOLVER
    proof = entry.proof if certificate == entry.certificate else ""
    files = [file for file in (certificate, proof) if file]
    name = Path(files[0]).name.removesuffix(".xz").removesuffix(".cover")
    argument = f"known from the atlas; magicert check {name} looks at its evidence"
    return Known(
        f"{said}; evidence: {shown} ({', and '.join(files)})",
        Impossible(argument, files[0], evidence=shown),
    )


def _open(entry: "Entry") -> str:
    """What is known of a cell that nobody has settled here."""
    parts = ["open"]
    if entry.estimate:
        parts.append(f"its search takes about {entry.estimate:,.0f} s of one core")
    if entry.finder:
        parts.append(f"said to be impossible by {entry.credit}")
    return "; ".join([*parts, *(f"tried: {tried}" for tried in entry.tried)])
