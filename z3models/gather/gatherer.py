"""32-bit bit gatherers: the squares of a line, gathered into an index by one multiplication.

    hi    ((rol32(hi, r) | lo) * C) >> s & (2^k - 1)
    lo    ((rol32(lo, r) | hi) * C) >> s & (2^k - 1)

lo and hi are the halves of the occupancy of a line (ranks 1-4 and 5-8). A gatherer is valid
for a line if its index tells all subsets of the line apart. The idea of folding a diagonal
so is Gerd Isenberg's "kindergarten" family for 32-bit machines; see docs/gatherers.md.

Which shift is no question. If (C, s) is valid with s < 32 - k, so is (2C, s + 1): the
product's bits move up by one, and nothing that the index sees falls off. Where s > 32 - k,
the index of s = 32 - k sees the same bits and more. So s = 32 - k decides for all s.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from magicert.formula import Formula, parse
from magicert.z3models.gather.lines import BoardLine
from magicert.z3models.question import Question

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
        """A line with two subsets that share an index, by the plain reading; None if valid."""
        assert self.C is not None
        for line in lines:
            question = self.question(line)
            pair = question.first_conflict(self.C)
            if pair is not None:
                return line, question.occupancies[pair[0]], question.occupancies[pair[1]]
        return None

    def with_constant(self, constant: int) -> "Gatherer":
        """The same with its constant known."""
        return replace(self, C=constant)


@dataclass(frozen=True, slots=True)
class GatherQuestion:
    """What is asked: one gatherer for all of these lines. None means: to be found.

    `seconds` and `memory` (MiB) are budgets.
    """

    lines: tuple[BoardLine, ...]
    bits: int
    rotated: str | None = None
    r: int | None = None
    s: int | None = None
    C: int | None = None
    seconds: float | None = None
    memory: int | None = None

    @property
    def asks(self) -> bool:
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
