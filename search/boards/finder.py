"""A magic for one piece on one square of any board."""

from dataclasses import dataclass, field, replace
from threading import Event

import numpy as np

from magicert.outcome import Evidence, Exists, Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.search.boards.blockers import LANE, MOST_BITS, MagicQuestion, blockers_of
from magicert.search.finders.construct import constructed, is_perfect
from magicert.search.finders.random_words import stream_key
from magicert.system.deadline import Deadline

BLOCK = 1 << 16
"""Candidates that are tried between two looks at the clock."""
CANDIDATES = 1 << 28
"""Candidates for a square, if nothing else is said."""
SHORT = 1 << 22
"""Candidates before one bit more is given to a square."""
MOST_ROOM = 2
"""How many bits more."""
SMALL_MASK = 8
ANDS_OF_SMALL, ANDS_OF_LARGE = (2, 3), (3, 4)
"""How many random words are ANDed, by turns: small masks want denser magics than large ones."""

U = np.uint64


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried: so many candidates for each number of bits, until the deadline for all of
    them together; `stop` ends it at once.
    """

    seed: int = 1
    candidates: int = CANDIDATES
    deadline: Deadline = field(default_factory=Deadline)
    stop: Event | None = None

    @property
    def ended(self) -> str:
        """Why the search is to end now, or nothing."""
        if self.stop is not None and self.stop.is_set():
            return "interrupted"
        return "out of time" if self.deadline.left == 0 else ""


def find_magic(question: MagicQuestion, effort: Effort) -> Outcome:
    """A magic, IMPOSSIBLE where the attack sets outnumber the slots, or UNKNOWN.

    The seed and the question alone decide which one is found. Raises InputError for a mask that
    is too wide, and for bits that no table here has.
    """
    if not 1 <= question.bits <= MOST_BITS:
        problem = Problem(f"expected 1 to {MOST_BITS}", key=f"bits {question.bits}")
        raise InputError([problem])
    built = constructed(question.mask, question.bits, question.board.word, _key(question, effort))
    if built is not None:
        return Exists((built,), figures={"constructed": 1})
    return too_few_slots(question) or _CandidateSearch(question, effort).run()


def find_with_room(question: MagicQuestion, effort: Effort) -> tuple[int, Outcome]:
    """The bits of a magic, with the outcome: those of the question, or more where a short effort
    meets none. Twice the slots for one square are better than no table.
    """
    outcome: Outcome = Unknown("nothing was tried")
    most = min(MOST_BITS, question.bits + MOST_ROOM)
    for bits in range(question.bits, most + 1):
        short = SHORT if bits < most else effort.candidates
        short_effort = replace(effort, candidates=min(short, effort.candidates))
        outcome = find_magic(replace(question, bits=bits), short_effort)
        if effort.ended or isinstance(outcome, Exists):
            return bits, outcome
    return question.bits, outcome


def find_fewest(question: MagicQuestion, effort: Effort) -> tuple[int, Outcome]:
    """The fewest bits for which the effort finds a magic, from those of the question downwards,
    with the outcome; what came of one bit less is not a proof that there is none.
    """
    bits, best = question.bits, find_magic(question, effort)
    while isinstance(best, Exists) and bits > 1 and not effort.ended:
        outcome = find_magic(replace(question, bits=bits - 1), effort)
        if not isinstance(outcome, Exists):
            break
        bits, best = bits - 1, outcome
    return bits, best


def too_few_slots(question: MagicQuestion) -> Impossible | None:
    """IMPOSSIBLE by counting (pigeonhole), or None."""
    slots = 1 << question.bits
    if slots >> question.mask.bit_count():  # a slot for every occupancy
        return None
    distinct = blockers_of(question).distinct
    if distinct <= slots:
        return None
    return Impossible(
        f"{distinct} different attack sets do not fit in {slots} slots "
        f"(at least {(distinct - 1).bit_length()} bits are needed, by counting)",
        figures={"attack sets": distinct, "slots": slots},
        evidence=Evidence.COUNTING,
    )


def is_magic(question: MagicQuestion, magic: int) -> bool:
    """Whether the magic keeps all different attack sets apart."""
    if is_perfect(question.mask, question.bits, question.board.word, magic):
        return True
    return _CandidateSearch(question, Effort()).holds(magic)


def _key(question: MagicQuestion, effort: Effort) -> int:
    return stream_key(effort.seed, question.square + 1)


def _is_small(question: MagicQuestion) -> bool:
    """Whether the mask has few squares."""
    return question.mask.bit_count() <= SMALL_MASK


class _CandidateSearch:
    """Random candidates, with a table that is never cleared."""

    def __init__(self, question: MagicQuestion, effort: Effort) -> None:
        try:
            from magicert.search.boards import kernel
        except ModuleNotFoundError as error:
            message = (
                f"needs {error.name} where a magic must be tried: pip install 'magicert[search]'"
            )
            raise InputError([Problem(message, key=str(question))]) from None
        blockers = blockers_of(question)
        self.kernel = kernel
        self.question = question
        self.effort = effort
        self.arrays = (blockers.low, blockers.high, blockers.numbers, U(64 - question.bits))
        self.table = np.zeros(1 << question.bits, dtype=U)
        self.ands = ANDS_OF_SMALL if _is_small(question) else ANDS_OF_LARGE
        self.key = _key(question, effort)

    def holds(self, magic: int) -> bool:
        """Whether the magic has no conflict; to be asked before any candidate is tried."""
        lanes = U(magic & LANE), U(magic >> 64)
        failed = self.kernel.first_failure(*self.arrays, *lanes, U(1), np.zeros_like(self.table))
        return int(failed) == len(self.arrays[0])

    def run(self) -> Outcome:
        """Block after block, until one holds or the effort is spent."""
        done = 0
        while done < self.effort.candidates:
            if self.effort.ended:
                return Unknown(self.effort.ended, f"{done:,} candidates tried")
            ands = self.ands[done // BLOCK % len(self.ands)]
            end = min(done + BLOCK, self.effort.candidates)
            place = (U(ands), U(self.key), U(done), U(end))
            number, low, high = map(int, self.kernel.first_magic(*self.arrays, *place, self.table))
            if number < end:
                magic = low if self.question.board.word == 64 else high << 64 | low
                return Exists((magic,), figures={"candidates": number + 1})
            done = end
        return Unknown("budget of candidates spent", f"{done:,} candidates tried")
