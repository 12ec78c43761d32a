"""Engine "guess": the magic bit by bit, after Pradu Kannan's sketch.

Kannan ("Magic Move-Bitboard Generation in Computer Chess", 2007, section 4) treats the bits
of a magic as variables, groups the occupancies by attack set and guesses the bits one after
another, watching for collisions. Here a guess is followed by a look at both values of the
next bit: what is forced is fixed, and where both conflict the search returns. Since only
conflicts that no completion can prevent are cut off, an exhausted tree is a proof: it has
no certificate, only our word (the window search writes certificates).
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from magicert.cell import Cell
from magicert.engine import Observer, Option, Request
from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.search.finders.all_occupancies import Words, all_occupancies
from magicert.search.finders.counting import too_few_slots
from magicert.search.finders.form import MOST_BITS, skeleton
from magicert.search.guessing.kernel import (
    CUT,
    EXHAUSTED,
    FOUND,
    KNOWN,
    LEVEL,
    NODES,
    PENDING,
    STATUS,
    TESTS,
    VALUE,
    descend,
)

ORDERS = ("low", "high", "constrained")
"""Guess the lowest unknown bit next, the highest, or the one that decides most."""

TABLES = ("none", "pairs", "triples")

OPTIONS = (
    Option(
        "order",
        "auto",
        "Bit to guess next; auto: low first where c bits are allowed, else high first.",
        choices=("auto", *ORDERS),
    ),
    Option("tables", "none", "Tables of bits that conflict, built first.", choices=TABLES),
    Option("effort", 100, "Tests spent on each entry of such a table.", 1, 1_000_000),
)

BLOCK = 1 << 19
"""Tests between two looks up, some tens of milliseconds for a bishop."""

U = np.uint64
NONE: Words = np.zeros(0, dtype=U)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cell as the kernel reads it: its occupancies in runs of equal ctz, highest first."""

    words: Words
    attacks: Words
    classes: Words
    width: int
    largest: int
    bits: int
    index_bits: int

    @property
    def relevant(self) -> int:
        """The bits of a magic below the LCM period."""
        return (1 << self.bits) - 1

    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of `descend`."""
        numbers = (self.width, self.largest, self.relevant)
        return (self.words, self.attacks, self.classes, *(U(number) for number in numbers))

    def table(self) -> Words:
        """An empty table of indexes."""
        return np.zeros(1 << self.index_bits, dtype=U)


def pattern_of(cell: Cell) -> Pattern:
    """The pattern of a cell; InputError unless its formula is the white one."""
    if skeleton(cell.scheme.formula) != skeleton(SCHEMES["white"].formula):
        message = "bit guessing reads the white formula only: ask trial or z3 about others"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    if cell.bits > MOST_BITS:
        message = f"expected at most {MOST_BITS}: every index needs an entry in memory"
        raise InputError([Problem(message, key=f"bits {cell.bits}")])
    return pattern(cell.piece, cell.square, cell.bits, cell.largest_index)


def pattern(piece: Any, square: int, index_bits: int, largest: int | None = None) -> Pattern:  # noqa: ANN401
    """The pattern of a square."""
    listed = all_occupancies(piece, square)
    return pattern_from(listed.occupancies, listed.attacks, index_bits, largest)


def pattern_from(
    occupancies: Words, attacks: Words, index_bits: int, largest: int | None = None
) -> Pattern:
    """The pattern of any list of occupancies (empty first) with their attack numbers."""
    lowest = occupancies & (~occupancies + U(1))
    zeros = np.where(occupancies == 0, U(64), np.bitwise_count(lowest - U(1)))
    order = np.argsort(-zeros.astype(np.int64), kind="stable")
    zeros = zeros[order]
    starts = np.flatnonzero(np.concatenate([[True], zeros[1:] != zeros[:-1]]))
    ends = np.concatenate([starts[1:], [len(zeros)]])
    # The empty occupancy's ctz of 64 would be a shift by the word's width: 63 does as well.
    columns = [starts, ends, np.minimum(zeros[starts], 63)]
    classes = np.stack([column.astype(U) for column in columns], axis=1).ravel()
    return Pattern(
        words=occupancies[order],
        attacks=attacks[order],
        classes=classes,
        width=64 - index_bits,
        largest=(1 << index_bits) - 1 if largest is None else largest,
        bits=64 - int(zeros[zeros < 64].min()),
        index_bits=index_bits,
    )


class Tree:
    """One tree of guesses: its state, its stack, and the tables that cut it."""

    def __init__(
        self,
        pattern: Pattern,
        order: str,
        pairs: Words = NONE,
        triples: Words = NONE,
    ) -> None:
        self.pattern = pattern
        self.state = np.zeros(8, dtype=U)
        self.stack = np.zeros(3 * 65, dtype=U)
        self.table = pattern.table()
        self.order = U(ORDERS.index(order))
        self.pairs, self.triples = pairs, triples

    def run(self, tests: int) -> int:
        """Guess on, for about so many tests; the status."""
        descend(
            *self.pattern.arguments(),
            self.order,
            self.pairs,
            self.triples,
            self.state,
            self.stack,
            self.state[TESTS] + U(tests),
            self.table,
        )
        return int(self.state[STATUS])

    def retreat(self) -> bool:
        """Leave a magic that was found; False if nothing is left behind it."""
        pending = int(self.state[PENDING])
        if not pending:
            return False
        self.state[PENDING] = U(pending - 1)
        at = 3 * (pending - 1)
        self.state[KNOWN], self.state[VALUE], self.state[LEVEL] = self.stack[at : at + 3]
        return True

    @property
    def tests(self) -> int:
        """Children tested so far."""
        return int(self.state[TESTS])

    def share(self) -> float:
        """The share of the tree that is done, a guess counting as a half."""
        levels = self.stack[2 : 3 * int(self.state[PENDING]) : 3].tolist()
        return 1.0 - sum(2.0**-level for level in [*levels, int(self.state[LEVEL])])

    def figures(self) -> dict[str, float | int | str]:
        """Children tested, guesses, and children cut by a table."""
        state = self.state
        figures = {"tests": int(state[TESTS]), "guesses": int(state[NODES])}
        return {**figures, **({"cut": int(state[CUT])} if len(self.pairs) else {})}


def solve(request: Request, observer: Observer) -> Outcome:
    """Find the first magic in guessing order, all of them, or prove that there is none."""
    impossible = too_few_slots(request.cell)
    if impossible is not None:
        return impossible
    started = time.monotonic()
    found: list[int] = []
    tree: Tree | None = None
    try:
        tree = _tree(request, observer)
        reason = _search(tree, request, observer, found, started)
    except KeyboardInterrupt:
        reason = "interrupted"
    figures = {} if tree is None else tree.figures()
    complete = reason == "exhausted"
    share = 0.0 if tree is None else tree.share()
    if found:
        wanted = request.everything and not complete
        progress = f"{reason} after {share:.3%} of the tree" if wanted else ""
        return Exists(tuple(found), complete=complete, figures=figures, progress=progress)
    if complete:
        argument = "the tree of guesses is exhausted: an argument, no certificate"
        return Impossible(argument, figures=figures)
    return Unknown(reason, f"{share:.3%} of the tree", figures)


def _tree(request: Request, observer: Observer) -> Tree:
    pattern = pattern_of(request.cell)
    order, tables = request.options["order"], request.options["tables"]
    if order == "auto":
        # Low bits first finds what is there, high bits first proves what is not.
        order = "low" if request.cell.bits >= request.cell.c else "high"
    pairs = triples = NONE
    if tables != "none":
        from magicert.search.guessing.bit_tables import build_pairs, build_triples

        effort = request.options["effort"]
        built = build_pairs(pattern, effort, observer)
        pairs = built.cuts
        if tables == "triples":
            triples = build_triples(pattern, effort, built, observer).cuts
    return Tree(pattern, order, pairs, triples)


def _search(
    tree: Tree, request: Request, observer: Observer, found: list[int], started: float
) -> str:
    block = max(1 << 10, BLOCK * 32 // len(tree.pattern.words))
    while True:
        status = tree.run(block)
        if status == FOUND:
            found.append(int(tree.state[VALUE]))
            if not request.everything:
                return "found"
        if status == EXHAUSTED or (status == FOUND and not tree.retreat()):
            return "exhausted"
        observer.progress(tree.tests, None, f"tests, {tree.share():.2%} of the tree")
        if request.seconds is not None and time.monotonic() - started > request.seconds:
            return "out of time"
