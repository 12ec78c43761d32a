"""One question, settled by stating all of it to one solver."""

from magicert.outcome import Evidence, Exists, GaveUp, Impossible, Outcome, Unknown
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Backend, Refuted
from magicert.z3models.solvers.child import ChildObserver


def pigeonhole(question: Question) -> Impossible | None:
    """More attack sets than slots: no solver is needed (and none would see it soon)."""
    slots = question.largest_index + 1
    if question.attack_sets <= slots:
        return None
    argument = f"{question.attack_sets} distinct attack sets, {slots} slots"
    return Impossible(argument, evidence=Evidence.COUNTING)


def verified(question: Question, magic: int) -> int:
    """The magic, checked exhaustively by the plain reading. AssertionError if it is wrong."""
    conflict = question.first_conflict(magic)
    if conflict is not None:
        places = ", ".join(f"{question.occupancies[place]:#x}" for place in conflict)
        raise AssertionError(f"the model yields {magic:#x}, but occupancies {places} conflict")
    return magic


def settle(
    question: Question,
    backend: Backend,
    encoding: str,
    report: ChildObserver,
    *,
    argument: str,
    everything: bool = False,
) -> Outcome:
    """Ask for one valid magic, or for all of them. `argument` is the evidence of a "no"."""
    backend.state_everything(encoding)
    found: list[int] = []
    while True:
        report.progress(len(found), None, f"magics, {backend.conflicts:,} conflicts")
        answer = backend.ask()
        figures = {"conflicts": backend.conflicts}
        match answer:
            case Refuted():
                if found:
                    return Exists(tuple(found), complete=True, figures=figures)
                return Impossible(argument, figures=figures)
            case GaveUp():
                return Unknown(f"the solver gave up: {answer.reason}", figures=figures)
        found.append(verified(question, answer.magic))
        report.found(answer.magic)
        if not everything:
            return Exists(tuple(found), figures=figures)
        backend.exclude(answer.magic)
