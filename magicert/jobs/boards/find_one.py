"""Find a magic for one piece on one square of any board, and check it by the slow walk."""

import time
from collections.abc import Iterator
from itertools import islice

from magicert.board import Board, Movement, squares_of
from magicert.board.masks import least_mask
from magicert.board.walk import attack_set
from magicert.engine import Observer
from magicert.outcome import Exists, Outcome
from magicert.search.boards.blockers import MagicQuestion
from magicert.search.boards.finder import CANDIDATES, Effort, find_magic, is_magic
from magicert.system.deadline import Deadline

WALKED = 1 << 12
"""So many occupancies are walked square by square; the fast check looks at all of them."""


def question_of(board: Board, movement: Movement, square: int, bits: int | None) -> MagicQuestion:
    """The question about a square: as many bits as its least mask has squares, if not given."""
    mask = least_mask(board, movement, square)
    return MagicQuestion(
        board, movement, square, mask, max(1, mask.bit_count()) if bits is None else bits
    )


def find_one(
    question: MagicQuestion,
    seed: int,
    seconds: float | None,
    candidates: int | None,
    observer: Observer,
) -> tuple[Outcome, float]:
    """The outcome, and how long it took (wall clock). A magic has been checked.

    Raises InputError for a question that is none.
    """
    started = time.monotonic()
    observer.progress(0, None)
    outcome = find_magic(question, Effort(seed, candidates or CANDIDATES, Deadline.within(seconds)))
    if isinstance(outcome, Exists):
        for magic in outcome.magics:
            if not (is_magic(question, magic) and _walks(question, magic)):
                raise AssertionError(f"{magic:#x} was found, which is no magic ({question})")
    return outcome, time.monotonic() - started


def _walks(question: MagicQuestion, magic: int) -> bool:
    """Whether plain integers and the walk agree, for the first occupancies."""
    seen: dict[int, int] = {}
    width = question.board.word
    for occupied in islice(_occupancies(question.mask), WALKED):
        index = ((occupied * magic) & (1 << width) - 1) >> (width - question.bits)
        attacks = attack_set(question.board, question.movement, question.square, occupied)
        if seen.setdefault(index, attacks) != attacks:
            return False
    return True


def _occupancies(mask: int) -> Iterator[int]:
    """The subsets of a mask, those of its lowest squares first."""
    squares = list(squares_of(mask))
    for number in range(1 << len(squares)):
        yield sum(1 << s for place, s in enumerate(squares) if number >> place & 1)
