"""A magic for every square of some pieces, several squares at a time."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event

from magicert.engine import Observer
from magicert.outcome import Exists, Outcome, Unknown
from magicert.search.boards.blockers import MagicQuestion
from magicert.search.boards.finder import (
    Effort,
    find_fewest,
    find_magic,
    find_with_room,
    too_few_slots,
)
from magicert.system.deadline import Deadline
from magicert.system.threads import set_on_error

Square = tuple[str, int]
"""A piece's name and a square."""


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What is asked of all squares alike. `seconds` is for all of them together; `fewer` tries
    fewer bits than a question has, with the candidates of `effort` for each number of bits;
    `room` gives more to the squares where a short search meets no magic.
    """

    effort: Effort
    seconds: float | None = None
    workers: int = 1
    fewer: bool = False
    room: bool = False


def find_all(
    questions: Mapping[Square, MagicQuestion],
    plan: SetPlan,
    observer: Observer,
    found: Callable[[Square, int, int], None],
) -> dict[Square, Outcome]:
    """Ask about every square; the outcomes of those that have no magic.

    `found(square, bits, magic)` is called once for each magic. A magic depends on its question
    and on the seed alone. An interruption ends the set: what it leaves open is UNKNOWN.
    """
    return _QuestionSet(questions, plan, observer, found).run()


class _QuestionSet:
    def __init__(
        self,
        questions: Mapping[Square, MagicQuestion],
        plan: SetPlan,
        observer: Observer,
        found: Callable[[Square, int, int], None],
    ) -> None:
        self.questions = questions
        self.plan = plan
        self.observer = observer
        self.found = found
        self.stop = Event()
        self.effort = replace(plan.effort, deadline=Deadline.within(plan.seconds), stop=self.stop)
        self.open: dict[Square, Outcome] = {}
        self.done = 0

    def run(self) -> dict[Square, Outcome]:
        few = {
            square: too_few_slots(question)
            for square, question in self.questions.items()
            if not self.effort.ended
        }
        self.open = {square: outcome for square, outcome in few.items() if outcome is not None}
        if self.open:
            # No use in searching the rest.
            return self.open
        with ThreadPoolExecutor(self.plan.workers) as pool, set_on_error(self.stop):
            futures = {
                pool.submit(self.answer, question): square
                for square, question in self.questions.items()
            }
            left: set[Future[tuple[int, Outcome]]] = set(futures)
            while left:
                try:
                    # A short wait, so that an interruption is heard.
                    done, left = wait(left, 0.1, "FIRST_COMPLETED")
                except KeyboardInterrupt:
                    self.stop.set()
                    continue
                for future in done:
                    self.take(futures[future], *future.result())
        return self.open

    def answer(self, question: MagicQuestion) -> tuple[int, Outcome]:
        effort = self.effort
        if effort.ended:
            return question.bits, Unknown(effort.ended)
        if self.plan.fewer:
            return find_fewest(question, effort)
        if self.plan.room:
            return find_with_room(question, effort)
        return question.bits, find_magic(question, effort)

    def take(self, square: Square, bits: int, outcome: Outcome) -> None:
        if isinstance(outcome, Exists):
            self.found(square, bits, outcome.magic)
        else:
            self.open[square] = outcome
        self.done += 1
        self.observer.progress(self.done, len(self.questions))
