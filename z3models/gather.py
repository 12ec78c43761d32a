"""Gatherers: the squares of a line gathered into an index by one 32-bit multiplication, or none.

`((rol32(hi, r) | lo) * C) >> s & (2^k - 1)`, or with the halves exchanged. For each rotation the
constant is searched from its lowest bit up: as soon as two subsets of a line share an index
whatever the higher bits are, all constants that end so are dropped.

When: `magicert gather`, for one line or for many that share r, C and s.

Why so: it is exhaustive without a solver, over all 64 rotations and 2^32 constants; that s = 32 -
k decides for all shifts is shown below. CaDiCaL gave up on 19 lines, where this takes seconds.

Cost: files and diagonals with six bits: 16 million partial constants, 6 s of one core, none found
(docs/gatherers.md). Each gatherer that is found is checked on all subsets of its lines.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.chess import ray, square_name
from magicert.data import tables_folder
from magicert.formula import Formula, parse
from magicert.occupancy import carry_rippler
from magicert.outcome import Impossible, Observer, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.z3models.question import Question
from magicert.z3models.solvers.child import Budget, ChildObserver, supervise

# Lines of the board: ranks, files, diagonals (a1-h8 and its parallels), antidiagonals
# (a8-h1 and its parallels), with or without their edge squares.


_STEPS = {"ranks": (1, 0), "files": (0, 1), "diagonals": (1, 1), "antidiagonals": (1, -1)}
FAMILIES = tuple(_STEPS)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """Squares in a row, named after the ends of the whole line: "a8-h1"."""

    name: str
    squares: tuple[int, ...]

    @property
    def inner(self) -> "BoardLine":
        """Without its two ends: what matters to a slider that looks no further anyway."""
        return BoardLine(self.name, self.squares[1:-1])

    @property
    def occupancies(self) -> tuple[int, ...]:
        """All 2^n subsets of the line, the empty one first."""
        return tuple(carry_rippler(sum(1 << square for square in self.squares)))


def family(name: str) -> tuple[BoardLine, ...]:
    """All lines of a family, of two squares or more."""
    step = _STEPS[name]
    backwards = (-step[0], -step[1])
    starts = (square for square in range(64) if not ray(square, backwards))
    lines = (
        BoardLine("-".join(map(square_name, (start, squares[-1]))), (start, *squares))
        for start in starts
        if (squares := ray(start, step))
    )
    return tuple(lines)


def lines_of(names: tuple[str, ...], *, edges: bool) -> tuple[BoardLine, ...]:
    """The lines of the named families and lines ("all" means all families).

    Without edge squares, lines that have nothing left are left out. Raises InputError with
    every name that is none.
    """
    chosen: dict[str, BoardLine] = {}
    problems = []
    single = {line.name: line for name in FAMILIES for line in family(name)}
    single |= {"-".join(reversed(name.split("-"))): line for name, line in single.items()}
    for name in names:
        if name in FAMILIES or name == "all":
            families = FAMILIES if name == "all" else (name,)
            chosen |= {line.name: line for each in families for line in family(each)}
        elif name in single:
            chosen[single[name].name] = single[name]
        else:
            expected = ", ".join((*FAMILIES, "all"))
            message = f"expected one of {expected}, or a line by its ends such as a8-h1"
            problems.append(Problem(message, key=name))
    if problems:
        raise InputError(problems)
    lines = chosen.values()
    return tuple(lines if edges else (line.inner for line in lines if len(line.squares) > 2))


# 32-bit bit gatherers: the squares of a line, gathered into an index by one multiplication.
#
#     hi    ((rol32(hi, r) | lo) * C) >> s & (2^k - 1)
#     lo    ((rol32(lo, r) | hi) * C) >> s & (2^k - 1)
#
# lo and hi are the halves of the occupancy of a line (ranks 1-4 and 5-8). A gatherer is valid
# for a line if its index tells all subsets of the line apart. The idea of folding a diagonal
# so is Gerd Isenberg's "kindergarten" family for 32-bit machines; see docs/gatherers.md.
#
# Which shift is no question. If (C, s) is valid with s < 32 - k, so is (2C, s + 1): the
# product's bits move up by one, and nothing that the index sees falls off. Where s > 32 - k,
# the index of s = 32 - k sees the same bits and more. So s = 32 - k decides for all s.

FORMULAS: dict[str, Formula] = {
    "hi": parse("((rol32(hi32(occ), r) | lo32(occ)) * u32(C)) >> s & (1 << bits) - 1"),
    "lo": parse("((rol32(lo32(occ), r) | hi32(occ)) * u32(C)) >> s & (1 << bits) - 1"),
}
"""By the half that is rotated."""


@dataclass(frozen=True, slots=True)
class Gatherer:
    """One gatherer; `rotated` is "hi" or "lo". None stands for what is not known yet."""

    rotated: str
    r: int
    s: int
    bits: int
    C: int | None = None

    def question(self, line: BoardLine) -> Question:
        """The question that one line asks: every subset needs an index of its own."""
        values = {"r": self.r, "s": self.s, "bits": self.bits}
        occupancies = line.occupancies
        return Question(
            FORMULAS[self.rotated],
            "C",
            values,
            occupancies,
            tuple(range(len(occupancies))),
            (1 << self.bits) - 1,
        )

    def folds(self, line: BoardLine) -> bool:
        """Do the line's squares stay apart when the two halves are laid over one another?"""
        places = {self.place(square) for square in line.squares}
        return len(places) == len(line.squares)

    def place(self, square: int) -> int:
        """The bit of the folded word that a square of the board falls on."""
        turned = (square >= 32) == (self.rotated == "hi")
        return (square % 32 + (self.r if turned else 0)) % 32

    def counterexample(self, lines: tuple[BoardLine, ...]) -> tuple[BoardLine, int, int] | None:
        """A line with two subsets of one index, by the plain interpretation; None if valid."""
        assert self.C is not None
        for line in lines:
            question = self.question(line)
            pair = question.first_conflict(self.C)
            if pair is not None:
                return line, question.occupancies[pair[0]], question.occupancies[pair[1]]
        return None


@dataclass(frozen=True, slots=True)
class GatherQuestion:
    """What is asked: one gatherer for all of these lines. None means: to be found."""

    lines: tuple[BoardLine, ...]
    bits: int
    rotated: str | None = None
    r: int | None = None
    s: int | None = None
    C: int | None = None

    @property
    def has_unknowns(self) -> bool:
        """Whether something is to be found."""
        return None in (self.rotated, self.r, self.s, self.C)

    def forms(self) -> Iterator[Gatherer]:
        """All gatherers that are left to decide, up to their constant."""
        for rotated in ("hi", "lo") if self.rotated is None else (self.rotated,):
            for r in range(32) if self.r is None else (self.r,):
                if self.s is not None:
                    yield Gatherer(rotated, r, self.s, self.bits, self.C)
                elif self.C is None:
                    yield Gatherer(rotated, r, 32 - self.bits, self.bits)
                else:
                    for s in range(32):
                        yield Gatherer(rotated, r, s, self.bits, self.C)


# Finding a gatherer, or proving that there is none: its constant, low bits first.
#
# The product of a square that falls on place p sees the constant's bits below 32 - p only. So with
# the constant known modulo 2^q, the squares on places from 32 - q on have their products. A
# constant under which two subsets of them share an index is dropped, with all that continue it:
# exhaustive, without a solver. (Measured: 19 lines, all rotations, 10 million constants, where
# CaDiCaL gave up.)

Constants = NDArray[np.uint32]

BEGINNINGS = "beginnings of constants"
BATCH = 1 << 12
"""So many constants are looked at together."""


@dataclass(frozen=True, slots=True)
class GatherFound:
    """A gatherer that is valid for all lines asked for, checked by the plain interpretation."""

    gatherer: Gatherer
    figures: dict[str, Any] = field(default_factory=dict)


def gather(question: GatherQuestion, report: ChildObserver) -> "GatherFound | Outcome":
    """Find one gatherer for all the lines, or refute all of them."""
    longest = max(len(line.squares) for line in question.lines)
    if longest > question.bits:
        return Impossible(f"2^{longest} subsets of a line, 2^{question.bits} indexes")
    forms = list(question.forms())
    folded, counters = 0, Counter[str]()
    for done, form in enumerate(forms):
        report.progress(done, len(forms), "rotations")
        if not all(form.folds(line) for line in question.lines):
            folded += 1
            continue
        if form.C is not None:
            if form.counterexample(question.lines) is None:
                return GatherFound(form)
            continue
        constant = next(constants(form, question, counters), None)
        if constant is not None:
            gatherer = replace(form, C=constant)
            conflict = gatherer.counterexample(question.lines)
            assert conflict is None, f"{gatherer} was found, but {conflict} conflict"
            return GatherFound(gatherer, dict(counters))
    argument = (
        f"{len(forms)} rotations: {folded} let two squares of a line fall together, "
        f"{len(forms) - folded} have no constant "
        f"(low bits first, {counters[BEGINNINGS]:,} beginnings tried)"
    )
    return Impossible(argument, figures=dict(counters))


def constants(form: Gatherer, question: GatherQuestion, counters: Counter[str]) -> Iterator[int]:
    """All constants of one rotation and shift, but for the bits that the index does not see.

    `counters` counts beginnings: constants modulo 2^q, for all q.
    """
    top = min(32, form.s + form.bits)
    lines = [[form.place(square) for square in line.squares] for line in question.lines]
    # For each q the lines on which a place is new, with all the places that are known.
    decided = [
        [
            [p for p in line if p >= top - q]
            for line in lines
            if any(max(1, top - p) == q for p in line)
        ]
        for q in range(top + 1)
    ]
    stack = [(0, np.zeros(1, dtype=np.uint32))]
    while stack:
        q, prefixes = stack.pop()
        if q == top:
            yield from prefixes.tolist()
            continue
        prefixes = np.concatenate([prefixes, prefixes | np.uint32(1 << q)])
        counters[BEGINNINGS] += len(prefixes)
        for places in decided[q + 1]:
            prefixes = prefixes[_separating(prefixes, places, form)]
        if len(prefixes):
            stack += [(q + 1, prefixes[n : n + BATCH]) for n in range(0, len(prefixes), BATCH)]


def _separating(prefixes: Constants, places: list[int], form: Gatherer) -> NDArray[np.bool_]:
    """Under which constants all subsets of some places have indexes of their own."""
    products = np.zeros((len(prefixes), 1), dtype=np.uint32)
    for place in places:
        with_square = products + (prefixes << np.uint32(place))[:, None]
        products = np.concatenate([products, with_square], axis=1)
    cut = np.uint32((1 << form.bits) - 1)
    indexes = np.sort((products >> np.uint32(form.s) & cut).astype(np.uint16), axis=1)
    return np.asarray((indexes[:, 1:] != indexes[:, :-1]).all(axis=1))


# What `magicert gather` asks, in a process of its own.


def solve(question: GatherQuestion, observer: Observer, budget: Budget) -> GatherFound | Outcome:
    """One gatherer for all lines asked for, or why there is none: what the gatherers that ship
    contradict is not said.
    """
    outcome = supervise(gather, question, observer, budget)
    if isinstance(outcome, Impossible) and (shipped := shipped_gatherer(question)):
        gatherer, file = shipped
        reason = (
            f"the search found no gatherer, but C = {gatherer.C:#x} is one ({file}): "
            "this is a bug of magicert, please report it"
        )
        return Unknown(reason, figures=outcome.figures)
    return outcome


def shipped_gatherer(question: GatherQuestion) -> tuple[Gatherer, str] | None:
    """A gatherer that ships and answers the question, by the plain interpretation, and its file."""
    try:
        files = sorted((tables_folder() / "gatherers").glob("*.toml"))
    except InputError:
        return None
    for path in files:
        for row in tomllib.loads(path.read_text("utf-8"))["answer"]:
            if "C" in row:
                # With other index bits the same bits of the product stand lowest, or highest.
                for s in {int(row["s"]), 32 - question.bits}:
                    values = row["rotated"], int(row["r"]), s, question.bits, int(row["C"], 16)
                    if satisfies(Gatherer(*values), question):
                        return Gatherer(*values), path.name
    return None


def satisfies(gatherer: Gatherer, question: GatherQuestion) -> bool:
    """Whether a gatherer is one that is asked for."""
    for name in ("rotated", "r", "s", "C"):
        if getattr(question, name) not in (None, getattr(gatherer, name)):
            return False
    if 0 <= gatherer.s <= 31 and max(len(line.squares) for line in question.lines) <= question.bits:
        return gatherer.counterexample(question.lines) is None
    return False
