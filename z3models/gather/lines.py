"""Lines of the board: ranks, files, diagonals (a1-h8 and its parallels), antidiagonals
(a8-h1 and its parallels), with or without their edge squares.
"""

from dataclasses import dataclass

from magicert.board import ray, square_name
from magicert.occupancy import carry_rippler
from magicert.problem import InputError, Problem

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
    for name in names:
        if name in FAMILIES or name == "all":
            wanted = FAMILIES if name == "all" else (name,)
            chosen |= {line.name: line for each in wanted for line in family(each)}
        elif name in single or "-".join(reversed(name.split("-"))) in single:
            line = single.get(name) or single["-".join(reversed(name.split("-")))]
            chosen[line.name] = line
        else:
            known = ", ".join((*FAMILIES, "all"))
            message = f"expected one of {known}, or a line by its ends such as a8-h1"
            problems.append(Problem(message, key=name))
    if problems:
        raise InputError(problems)
    lines = chosen.values()
    return tuple(lines if edges else (line.inner for line in lines if len(line.squares) > 2))
