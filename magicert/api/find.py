"""Find a magic for a square, or prove that there is none: what is known, or an engine.

`find` and `disprove` are for Python programs. The commands of these names make a `Question` of
their options, and show its `answer`.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any
from warnings import warn

from magicert.api.known import Known, known
from magicert.arguments import (
    LOWEST_BIT,
    choice,
    flag,
    option_texts,
    parse_unsigned,
    path_of,
    piece_text,
    read_arguments,
    seconds_of,
    text,
    whole_number,
)
from magicert.betza import parse_piece
from magicert.board import CHESS, ORDERS, Board, names_in, place_of
from magicert.cell import Cell, Target
from magicert.chess import Piece
from magicert.engine import ENGINES, EngineRequest, is_installed, load, option_values
from magicert.movement import moves_at_all
from magicert.outcome import Exists, NoMagic, Observer, Outcome, OutcomeKind, Quiet, Unknown
from magicert.problem import InputError, Problem, libraries
from magicert.scheme import resolve_scheme
from magicert.targets import Keys, Mover, Slider, in_64_bits, piece_on

ATLAS, CHECK = "atlas", "check"
"""In the place of an engine: the answer was known, or the number was given."""
BY_WINDOW = ("white", "black")
"""The schemes of one product, which the window search has."""
FEW_SQUARES = 6
"""Masks of so many squares Z3 settles in seconds (docs/models.md). The window search takes less,
but its kernels a minute to be compiled."""
MOST_TRIED_SQUARES = 16
"""Of larger masks no random candidate was ever seen to be a magic: a queen's have 18 and more."""
PROOF_ENGINE = "sat"
"""The engine whose solvers write proofs."""


def find(
    piece: str,
    square: str | int | None = None,
    bits: int | None = None,
    *,
    scheme: str = "white",
    board: Board | str | None = None,
    order: str = "a1",
    largest_index: int | None = None,
    engine: str | None = None,
    search: bool = False,
    options: Mapping[str, str] | Iterable[str] = (),
    seconds: float | None = None,
    memory: int | None = None,
    seed: int = 1,
    workers: int = 1,
    ledger: str | PathLike[str] | None = None,
    cluster: str = "",
    all_magics: bool = False,
    magic: int | str | None = None,
    everything: bool = False,
    observer: Observer | None = None,
) -> Outcome | NoMagic:
    """Find a magic for a square, or learn that there is none.

    >>> hex(magicert.find("rook", "c2", 9).magic)
    '0xcae2002cac99fffa'

    The answer is `Exists`, whose magics have been checked for all occupancies, `Impossible` with
    the kind of its evidence, or `Unknown` with the reason. What the shipped results know is the
    answer, unless `search`, an engine, an option of it or `all_magics` asks for a search.

    piece, square
        "rook", "bishop"; on other boards more, or Betza's notation such as "pR". A square's name,
        or its bit in `order`. "lowest-bit", without a square, are the 64 words of one bit.
    bits
        Index bits, 1 to 32. None: as many as the mask has squares.
    scheme
        "white", "black", "two-halves", "two-halves-add", or an index formula whose free parameter
        is `magic`, such as "((occ & mask) * magic) >> (64 - bits)".
    board
        Such as "9x10"; None is that of chess.
    order
        Your square order, by its bit 0: "a1", "h1", "a8", "h8", with "-files" behind it along the
        files. Mask and magic are for the square that has this bit.
    largest_index
        Only magics none of whose indexes is larger.
    engine, options
        "trial", "guess", "window", "z3" or "sat", and its options by name (`magicert find -O help`
        lists them). None chooses by the question.
    search
        Search even if the answer is known.
    seconds, memory, workers
        Budgets, at whose end the answer is Unknown; memory is a solver's, in MiB. So many processes
        or threads work at a time.
    seed
        The same seed gives the same result.
    ledger, cluster
        A file that keeps what is done, from which the same call resumes (window, sat); the address
        of a Dask cluster (window).
    all_magics
        All magics of the square, not only the first. `everything` is its name before 0.2.0.
    magic
        Search nothing, but check this number: Exists, or NoMagic with two occupancies.
    observer
        Is told how far the work is; see `Observer`.

    Raises InputError, which names every wrong argument.
    """
    if everything:
        message = "find(everything=...) is now all_magics=..., and goes in 0.3.0"
        warn(message, DeprecationWarning, stacklevel=2)
    question = question_of(
        find, piece=piece, square=square, bits=bits, scheme=scheme, board=board, order=order,
        largest_index=largest_index, engine=engine, search=search, options=options,
        seconds=seconds, memory=memory, seed=seed, workers=workers, ledger=ledger,
        cluster=cluster, all_magics=everything or all_magics, magic=magic,
    )  # fmt: skip
    with libraries():
        return answer(question, observer or Quiet()).outcome


def disprove(
    piece: str,
    square: str | int | None = None,
    bits: int | None = None,
    *,
    scheme: str = "white",
    board: Board | str | None = None,
    order: str = "a1",
    largest_index: int | None = None,
    engine: str | None = None,
    search: bool = False,
    options: Mapping[str, str] | Iterable[str] = (),
    seconds: float | None = None,
    memory: int | None = None,
    seed: int = 1,
    workers: int = 1,
    ledger: str | PathLike[str] | None = None,
    cluster: str = "",
    proof: str | PathLike[str] | None = None,
    observer: Observer | None = None,
) -> Outcome:
    """Prove that a square has no magic of so many bits, or find one.

    >>> magicert.disprove("bishop", "d1", 4).evidence
    <Evidence.LEAVES: 'leaves'>

    The arguments are those of `find`; an engine that can prove is chosen if none is named. `proof`
    is a file to which a SAT solver's proof is written, once a verified checker has accepted it.

    Raises InputError, which names every wrong argument.
    """
    question = question_of(
        disprove, wants_proof=True, piece=piece, square=square, bits=bits, scheme=scheme,
        board=board, order=order, largest_index=largest_index, engine=engine, search=search,
        options=options, seconds=seconds, memory=memory, seed=seed, workers=workers, ledger=ledger,
        cluster=cluster, proof=proof,
    )  # fmt: skip
    with libraries():
        outcome = answer(question, observer or Quiet()).outcome
    assert not isinstance(outcome, NoMagic), "only a number that was given is none"
    return outcome


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one square, or about the words of one bit (LOWEST_BIT).

    The fields are the arguments of `find` and `disprove`. `wants_proof` chooses an engine that can
    prove. Raises InputError where some of them do not go together.
    """

    piece: str | None
    square: str | int | None = None
    bits: int | None = None
    _: KW_ONLY
    scheme: str = "white"
    board: Board | None = None
    order: str = ORDERS[0]
    largest_index: int | None = None
    engine: str | None = None
    search: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    memory: int | None = None
    seed: int = 1
    workers: int = 1
    ledger: Path | None = None
    cluster: str = ""
    all_magics: bool = False
    magic: int | None = None
    wants_proof: bool = False
    proof: Path | None = None

    def __post_init__(self) -> None:
        problems = []
        if self.piece is None or (self.square is None) != (self.piece == LOWEST_BIT):
            problems.append(f"expected PIECE and SQUARE, as in rook e4, or {LOWEST_BIT} alone")
        if self.piece not in (None, LOWEST_BIT):
            try:
                movement = parse_piece(str(self.piece), self.geometry)
            except ValueError as error:
                problems.append(str(error))
            else:
                if not moves_at_all(self.geometry, movement):
                    problems.append(f"{self.piece} has no moves on a board of {self.geometry}")
        if self.piece == LOWEST_BIT and self.board is not None:
            problems.append(f"--board cannot be combined with {LOWEST_BIT}")
        if self.geometry != CHESS or self.piece not in tuple(Piece):
            no_order = "--order is only for rooks and bishops of chess"
            no_atlas = "--search is only for rooks and bishops of chess: no other answers ship"
            problems += [no_order] * (self.order != ORDERS[0]) + [no_atlas] * self.search
        if self.magic is not None and (self.engine or self.all_magics or self.engine_options):
            problems.append("--magic only checks a number: no --all and no engine go with it")
        if self.proof is not None:
            problems += self._without_solver()
        if problems:
            raise InputError(map(Problem, problems))

    def _without_solver(self) -> list[str]:
        """What speaks against a solver's proof."""
        problems = []
        if self.piece == LOWEST_BIT:
            problems.append("--proof is only for pieces on squares: use -O certificate=FILE")
        others = [f"-O {name}" for name in self.engine_options if name != "solver"]
        if self.engine not in (None, PROOF_ENGINE) or others:
            what = ", ".join(others) or f"--engine {self.engine}"
            expected = f"--engine {PROOF_ENGINE} and -O solver only"
            problems.append(f"--proof needs {expected}, without {what}")
        return problems

    @property
    def geometry(self) -> Board:
        """The board, which is that of chess if none was named."""
        return self.board or CHESS

    @property
    def target(self) -> Target:
        """What the question is about.

        Each order of chess is a symmetry of the board: the square of bit n has the occupancies, and
        so the magics, that a1's order has for bit n.
        """
        if self.piece == LOWEST_BIT:
            return Keys.of((1 << square for square in range(64)), name=LOWEST_BIT)
        square = self.square
        if isinstance(square, str):
            square = place_of(self.order, self.geometry.parse(square), self.geometry)
        assert self.piece is not None
        assert square is not None
        return piece_on(self.geometry, parse_piece(self.piece, self.geometry), square)

    @property
    def cell(self) -> Cell:
        """The cell. Raises InputError with every reason why it is none."""
        target, bits = self.target, self.bits
        if bits is None:
            bits = target.least_bits if isinstance(target, Keys) else target.usual_bits
        scheme = resolve_scheme(self.scheme, target.width)
        cell = Cell(scheme, target, bits, largest_index=self.largest_index)
        cell.check()
        return cell

    @property
    def engine_options(self) -> Mapping[str, str]:
        """All options of the engine, as texts."""
        shared = {"ledger": str(self.ledger or ""), "cluster": self.cluster}
        return {**self.options, **{name: value for name, value in shared.items() if value}}

    @property
    def engine_outputs(self) -> list[Path]:
        """What the engine writes: a certificate, or leaves where these are no pipe."""
        named = map(self.engine_options.get, ("certificate", "leaves"))
        return [Path(name) for name in named if name and name != "-"]

    @property
    def title(self) -> str:
        """What is done, and the cell."""
        cell = self.cell
        doing = "proof" if self.proof else engine_name(self, cell)
        return f"{doing}: {self.name_of(cell)}"

    def name_of(self, cell: Cell) -> str:
        """The cell as the user calls it: in the user's order."""
        if not isinstance(cell.target, Slider) or self.order == ORDERS[0]:
            return str(cell)
        name = names_in(self.order, CHESS)[cell.target.square]
        shown = f"{cell.target.piece} {name} (bit {cell.target.square} of order {self.order})"
        return str(cell).replace(str(cell.target), shown, 1)

    def known(self) -> Known | None:
        """What the atlas says, where chance does not find a magic at once anyway."""
        cell = self.cell
        has_many_magics = is_common(cell) and not (self.all_magics or self.wants_proof)
        return None if has_many_magics else known(cell)

    @property
    def may_be_known(self) -> bool:
        """Whether what the atlas says may be the answer."""
        return not (self.search or self.engine or self.all_magics or self.engine_options)


def question_of(
    function: Callable[..., object],
    *,
    wants_proof: bool = False,
    **values: Any,  # noqa: ANN401
) -> Question:
    """The question of a call of `find` or `disprove`. Raises InputError, which names every wrong
    argument.
    """
    return Question(**read_arguments(function, values, READERS), wants_proof=wants_proof)


def _number(value: Any) -> int:  # noqa: ANN401
    return parse_unsigned(hex(value) if isinstance(value, int) else text(value), 64, "0x1f")


READERS: Mapping[str, Callable[[Any], Any]] = {
    "piece": lambda value: piece_text(text(value), others=(LOWEST_BIT,)),
    "bits": whole_number,
    "scheme": text,
    "order": lambda value: choice(value, ORDERS),
    "largest_index": whole_number,
    "engine": lambda value: choice(value, tuple(ENGINES)),
    "search": flag,
    "options": option_texts,
    "seconds": seconds_of,
    "memory": lambda value: whole_number(value, 64),
    "seed": lambda value: whole_number(value, 0),
    "workers": lambda value: whole_number(value, 1, 1024),
    "ledger": path_of,
    "cluster": text,
    "all_magics": flag,
    "magic": _number,
    "proof": path_of,
}
"""How each argument of a Python call is read; board and square apart."""


@dataclass(frozen=True, slots=True)
class CellAnswer:
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


def answer(question: Question, observer: Observer) -> CellAnswer:
    """Ask the atlas, or an engine, or check the number that was given. Every magic of the answer
    has been checked for all occupancies.

    Raises InputError for a question, an engine or an option that is none.
    """
    started, cell = time.monotonic(), question.cell
    from_atlas = None if question.magic is not None else question.known()
    outcome: Outcome | NoMagic
    if question.magic is not None:
        engine, outcome = CHECK, _check_number(cell, question.magic)
    elif question.proof is not None:
        engine, outcome = PROOF_ENGINE, _solver_proof(question, cell, question.proof, observer)
    elif question.may_be_known and from_atlas is not None and from_atlas.outcome is not None:
        engine, outcome = ATLAS, _checked(cell, from_atlas.outcome, "the atlas")
    else:
        engine = engine_name(question, cell)
        reply = _ask_engine(question, cell, engine, observer)
        outcome = _checked(cell, reply, f"engine {engine}")
    line = "" if from_atlas is None else from_atlas.line
    return CellAnswer(cell, engine, outcome, time.monotonic() - started, line)


def _check_number(cell: Cell, magic: int) -> Exists | NoMagic:
    from magicert.valid import conflict_of

    wrong = conflict_of(cell, magic)
    return Exists((magic,), mask=cell.mask) if wrong is None else wrong


def _solver_proof(question: Question, cell: Cell, proof: Path, observer: Observer) -> Outcome:
    """By a solver, whose steps are checked before they are written."""
    from magicert.api.prove import ProofWanted, prove
    from magicert.z3models.solvers.child import Budget
    from magicert.z3models.solvers.proving import PROVERS

    solver = question.engine_options.get("solver", PROVERS[0])
    budget = Budget(question.seconds, question.memory)
    return prove(ProofWanted(cell, proof, solver, budget), observer)


def _ask_engine(question: Question, cell: Cell, name: str, observer: Observer) -> Outcome:
    """An engine's answer, unless a known magic contradicts it."""
    refuse_engine(name, cell)
    if name == "z3" and sooner_by_z3(question, cell):
        observer.say("using Z3: the window search (--engine window) is not compiled yet")
    engine = load(name)
    request = EngineRequest(
        in_64_bits(cell) if name == "window" else cell,
        everything=question.all_magics, seconds=question.seconds, memory=question.memory,
        seed=question.seed, workers=question.workers,
        options=option_values(engine, question.engine_options),
    )  # fmt: skip
    from magicert.known_magics import checked_against_known, solve_checked

    advice = _smaller_lookups(question, request) if name == "trial" else ""
    if advice:
        observer.say(advice)
    outcome = checked_against_known(cell, solve_checked(engine, request, observer))
    if advice and isinstance(outcome, Unknown):
        return replace(outcome, reason=f"{outcome.reason} ({advice})")
    return outcome


def _smaller_lookups(question: Question, request: EngineRequest) -> str:
    """What to do where a piece's mask is too large for trial and no magic can be built; else ""."""
    from magicert.search.finders.trial import constructed_magic

    target, board = request.cell.target, question.geometry
    if not isinstance(target, Mover) or target.usual_bits <= MOST_TRIED_SQUARES:
        return ""
    if request.options["construct"] and constructed_magic(request) is not None:
        return ""
    is_queen = target.movement.atoms == parse_piece("queen").atoms
    parts = "look up rook and bishop and OR them, or " if is_queen else ""
    named = f"magicert find-set --board {board} --piece {question.piece}"
    return (
        f"its mask has {target.usual_bits} squares, too many for random candidates: {parts}"
        f"divide the piece, as {named} --sizes shows"
    )


def _checked(cell: Cell, outcome: Outcome, source: str) -> Outcome:
    """The outcome once its magics are checked, with what they are used with: mask and shift."""
    if not isinstance(outcome, Exists):
        return outcome
    from magicert.valid import check_magics

    check_magics(cell, outcome.magics, source)
    shift = cell.target.width - cell.bits if cell.scheme.name in BY_WINDOW else None
    return replace(outcome, mask=cell.mask, shift=shift)


# Which engine suits a question.


def is_common(cell: Cell) -> bool:
    """Whether chance meets a magic at once."""
    return cell.bits >= cell.target.usual_bits and cell.largest_index is None


def engine_name(question: Question, cell: Cell) -> str:
    """The engine that is named, or the one that suits the question.

    Trial finds at once where magics are common; where they are rare or a proof is wanted,
    the window search if it is installed and has the scheme, or else Z3. Where the window
    search would take too long, and beyond 64 squares, trial is tried all the same.
    """
    if question.engine is not None:
        return question.engine
    wants_proof = question.all_magics or question.wants_proof
    if cell.target.width > 64 or (is_common(cell) and not wants_proof):
        return "trial"
    if suits_window(cell):
        # Z3 comes with every install; the window search needs numba.
        return "window" if is_installed("window") and not sooner_by_z3(question, cell) else "z3"
    return "z3" if wants_proof or cell.target.suits_window(cell.bits) else "trial"


def suits_window(cell: Cell) -> bool:
    """Whether the window search has the scheme, and an end in sight: of a product of 32 bits there
    are 2^32 magics.
    """
    searched = in_64_bits(cell)
    small = searched is not cell or cell.target.suits_window(cell.bits)
    return searched.scheme.name in BY_WINDOW and small


def sooner_by_z3(question: Question, cell: Cell) -> bool:
    """Whether Z3 has answered before the window search is compiled, which nobody named."""
    few = isinstance(cell.target, Slider) and cell.target.usual_bits <= FEW_SQUARES
    if not few or question.scheme != "white" or question.all_magics or question.engine_options:
        return False
    if question.engine is not None or not is_installed("window"):
        return False
    from magicert.search.window import needs_compiling

    return needs_compiling()


def refuse_engine(name: str, cell: Cell) -> None:
    """InputError for an engine whose words are too short for a board."""
    if cell.target.width > 64 and name != "trial":
        message = "only for words of 64 bits: boards of more squares need --engine trial"
        raise InputError([Problem(message, key=f"--engine {name}")])
