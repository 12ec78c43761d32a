"""Whether a joined piece is what its parts and leaps are: for all squares and occupancies.

The parts are verified by themselves. Here both sides are looked at as steps: a step that both have
attacks the same on both. Whatever squares other steps or leaps reach are tried one by one, with all
occupancies of the squares that can matter to that one square; few, as a rule none. So an attack set
of 2^24 occupancies, a queen's, need not be enumerated, and what is called wrong is shown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from magicert.board import Board, bitboard, squares_of
from magicert.movement import (
    Atom,
    Movement,
    Step,
    allowed_squares,
    attacks_of,
    legs_between,
    step_attacks,
)
from magicert.occupancy import carry_rippler
from magicert.table import Table
from magicert.verify.table.report import Finding

MOST_BLOCKERS = 16
"""Of so many squares all occupancies are tried."""


@dataclass(frozen=True, slots=True)
class OneStep:
    """A step of an atom, and the squares that it may reach (a1 = 0)."""

    atom: Atom
    allowed: int

    @property
    def step(self) -> Step:
        return self.atom.steps[0]

    def line(self, board: Board, square: int) -> list[int]:
        """The squares that it may ever attack, nearest first."""
        most = 1 if self.atom.kind == "lame leaper" else self.atom.limit
        squares = []
        for target in board.line(square, self.step):
            if not self.allowed >> target & 1:
                break
            squares.append(target)
            if self.atom.kind != "hopper" and len(squares) == most:
                break
        return squares

    def attacks(self, board: Board, square: int, occupied: int) -> int:
        return step_attacks(board, self.atom, square, self.step, occupied, self.allowed)

    def blockers(self, board: Board, square: int, target: int) -> Iterable[int]:
        """The squares that can matter to whether it attacks this one."""
        if self.atom.kind == "lame leaper":
            ends = (square, target)
            return legs_between(board, *(ends[::-1] if self.atom.from_target else ends))
        line = self.line(board, square)
        return line[: line.index(target)]


Steps = frozenset[OneStep]


def steps_of(board: Board, movement: Movement, square: int) -> Steps:
    """The steps of a piece on a square, each by itself."""
    allowed = allowed_squares(board, movement, square)
    return frozenset(
        OneStep(replace(atom, steps=(step,)), allowed)
        for atom in movement.atoms
        for step in atom.steps
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """A square that one side attacks and the other does not, with an occupancy (a1 = 0)."""

    target: int
    occupied: int


def differences(
    board: Board, square: int, piece: Steps, parts: Steps, leaps: int
) -> Iterator[Difference | None]:
    """Where a piece and its parts and leaps attack different squares; None for a square that is not
    decided.
    """
    if piece == parts and not leaps:
        return
    other = [step.line(board, square) for step in piece ^ parts]
    for target in sorted({*chain.from_iterable(other), *squares_of(leaps)}):
        sides = [[s for s in side if target in s.line(board, square)] for side in (piece, parts)]
        always = bool(leaps >> target & 1)
        if not always and set(sides[0]) == set(sides[1]):
            continue
        squares = {b for side in sides for s in side for b in s.blockers(board, square, target)}
        if len(squares) > MOST_BLOCKERS:
            yield None
            continue
        for occupied in carry_rippler(bitboard(squares)):
            first, second = (
                any(s.attacks(board, square, occupied) >> target & 1 for s in side)
                for side in sides
            )
            if first != (second or always):
                yield Difference(target, occupied)
                break


@dataclass(frozen=True, slots=True)
class JoinedChecks:
    """What was found of all joined pieces of a table, and which of them are not decided."""

    findings: list[Finding]
    undecided: list[str]


def check_joined(table: Table) -> JoinedChecks:
    """Hold each joined piece against its parts and leaps."""
    findings: list[Finding] = []
    undecided: list[str] = []
    for name in table.joined:
        wrong: list[tuple[int, Difference]] = []
        open_squares = 0
        for square, difference in _all_differences(table, name):
            if difference is None:
                open_squares += 1
            else:
                wrong.append((square, difference))
        if wrong:
            findings.append(_finding(table, name, wrong))
        elif open_squares:
            undecided.append(name)
    return JoinedChecks(findings, undecided)


def _all_differences(table: Table, name: str) -> Iterator[tuple[int, Difference | None]]:
    board, piece = table.board, table.joined[name]
    movements = [table.pieces[part].movement for part in piece.parts]
    leaps_by_bit = table.leaps_of(name) or [0] * board.squares
    for bit, words in enumerate(leaps_by_bit):
        square = table.bit_square(bit)
        leaps = bitboard(table.bit_square(place) for place in squares_of(words))
        parts = frozenset().union(*(steps_of(board, m, square) for m in movements))
        whole = steps_of(board, piece.movement, square)
        for difference in differences(board, square, whole, parts, leaps):
            yield square, difference


def _finding(table: Table, name: str, wrong: list[tuple[int, Difference]]) -> Finding:
    """The finding of one piece, by its simplest position."""
    board, piece = table.board, table.joined[name]
    square, shown = min(wrong, key=lambda x: (x[1].occupied.bit_count(), x[0], x[1].target))
    truly = attacks_of(board, piece.movement, square, shown.occupied) >> shown.target & 1
    by_parts = [
        part for part in piece.parts
        if attacks_of(board, table.pieces[part].movement, square, shown.occupied)
        >> shown.target & 1
    ]  # fmt: skip
    target, occupied = board.name(shown.target), [*map(board.name, squares_of(shown.occupied))]
    where = f"with {' '.join(occupied)} occupied" if occupied else "on the empty board"
    if truly:
        message = f"{where} it attacks {target}, which none of its parts and leaps does"
    else:
        who = f"its part {by_parts[0]} does" if by_parts else "its leaps have"
        message = f"{where} it does not attack {target}, which {who}"
    squares = {place for place, _ in wrong}
    count = f" ({len(squares)} squares in all)" if len(squares) > 1 else ""
    return Finding(
        kind="parts", squares=[f"{name} {board.name(square)}"],
        message=f"{message}{count}", count=len(squares), lookups=[],
    )  # fmt: skip
