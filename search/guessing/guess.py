"""Engine "guess": the magic bit by bit, after Pradu Kannan's sketch.

Kannan ("Magic Move-Bitboard Generation in Computer Chess", 2007, section 4) treats the bits
of a magic as variables, groups the occupancies by attack set and guesses the bits one after
another, watching for collisions. Here each guess is followed by a test of both values of the
next bit: a forced bit is fixed, and where both values conflict the search goes back. It cuts
off only conflicts that no completion can prevent, so an exhausted tree is a proof. That proof
has no certificate (the window search writes certificates).
"""

from magicert.engine import EngineOption, EngineRequest
from magicert.outcome import Evidence, Exists, Impossible, Observer, Outcome, Unknown
from magicert.search.finders.drawing import too_few_slots
from magicert.search.guessing.bit_tables import build_pairs, build_triples
from magicert.search.guessing.kernel import (
    COMPLETE,
    EXHAUSTED,
    NONE,
    ORDERS,
    VALUE,
    GuessTree,
    pattern_of,
)
from magicert.system.deadline import BudgetOverError, Deadline

OPTIONS = (
    EngineOption(
        "order",
        "auto",
        "Which bit to guess next; auto: lowest first for c bits or more, else highest first.",
        choices=("auto", *ORDERS),
    ),
    EngineOption(
        "tables",
        "none",
        "Build tables of bits that conflict, and cut with them.",
        choices=("none", "pairs", "triples"),
    ),
    EngineOption("effort", 100, "Tests spent on each entry of such a table.", 1, 1_000_000),
)

BLOCK = 1 << 19
"""Tests between two looks at the clock: some tens of milliseconds for a bishop."""


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Find the first magic in guessing order, all of them, or prove that there is none."""
    impossible = too_few_slots(request.cell)
    if impossible is not None:
        return impossible
    deadline = Deadline.after(request.seconds)
    watched = _Timed(observer, deadline)
    magics: list[int] = []
    tree: GuessTree | None = None
    try:
        tree = _tree(request, watched)
        reason = _search(tree, request, watched, magics)
    except KeyboardInterrupt:
        reason = "interrupted"
    except BudgetOverError:
        reason = "out of time"
    figures = {} if tree is None else tree.figures()
    complete = reason == "exhausted"
    share = 0.0 if tree is None else tree.share()
    if magics:
        incomplete = request.everything and not complete
        progress = f"{reason} after {share:.3%} of the tree" if incomplete else ""
        return Exists(tuple(magics), complete=complete, figures=figures, progress=progress)
    if complete:
        argument = "the tree of guesses is exhausted: an argument, no certificate"
        return Impossible(argument, figures=figures, evidence=Evidence.COUNTS)
    return Unknown(reason, f"{share:.3%} of the tree", figures)


class _Timed:
    """Tells an observer of progress, and raises BudgetOverError when the time is over: tables are
    built within the budget, too.
    """

    def __init__(self, observer: Observer, deadline: Deadline) -> None:
        self.deadline = deadline
        self.say = observer.say
        self.report_progress = observer.progress

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        self.report_progress(done, total, note)
        self.deadline.check()


def _tree(request: EngineRequest, observer: Observer) -> GuessTree:
    pattern = pattern_of(request.cell)
    order, tables = request.options["order"], request.options["tables"]
    if order == "auto":
        # Low bits first finds what is there, high bits first proves what is not.
        order = "low" if request.cell.bits >= request.cell.target.usual_bits else "high"
    pairs = triples = NONE
    if tables != "none":
        effort = request.options["effort"]
        built = build_pairs(pattern, effort, observer)
        pairs = built.cuts
        if tables == "triples":
            triples = build_triples(pattern, effort, built, observer).cuts
    return GuessTree(pattern, order, pairs, triples)


def _search(tree: GuessTree, request: EngineRequest, observer: Observer, magics: list[int]) -> str:
    block = max(1 << 10, BLOCK * 32 // len(tree.pattern.words))
    while True:
        status = tree.run(block)
        if status == COMPLETE:
            magics.append(int(tree.state[VALUE]))
            if not request.everything:
                return "found"
        if status == EXHAUSTED or (status == COMPLETE and not tree.retreat()):
            return "exhausted"
        observer.progress(tree.tests, None, f"tests, {tree.share():.2%} of the tree")
