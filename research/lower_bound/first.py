"""The first program: attack sets by magicert's rays, rooks by `rook.c`."""

import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from magicert.chess import Piece, attack_set, mask
from magicert.occupancy import carry_rippler
from magicert.problem import InputError, Problem
from magicert.system.c_program import c_program

SOURCE = Path(__file__).with_name("rook.c")
DIGITS = 12
"""Intervals are halved until they are 2^-12 slots long."""
SIDES = ((6, 0), (5, 0), (4, 1), (3, 2))
"""How many inner squares of its file a rook on ranks 1, 2, 3 and 4 has above and below it. On
ranks 8, 7, 6 and 5 they are the same the other way round.
"""


@dataclass(frozen=True, slots=True)
class Rooks:
    """Of rooks of a file with so many bits: the least slots of their rank's patterns (L3), and of
    all their attacks by squares above and below (L8).
    """

    file: int
    bits: int
    line: int
    least: dict[tuple[int, int], int]


@cache
def attack_sets(piece: Piece) -> list[set[int]]:
    """Of each square."""
    return [
        {attack_set(piece, square, occupancy) for occupancy in carry_rippler(mask(piece, square))}
        for square in range(64)
    ]


def shared_sets() -> list[set[tuple[Piece, int]]]:
    """Of each attack set of more than one square (L1): whose it is."""
    owners: dict[int, set[tuple[Piece, int]]] = {}
    for piece in Piece:
        for square, sets in enumerate(attack_sets(piece)):
            for attacks in sets:
                owners.setdefault(attacks, set()).add((piece, square))
    return [those for those in owners.values() if len(those) > 1]


def different_sets(piece: Piece) -> int:
    """How many there are."""
    return len(set().union(*attack_sets(piece)))


def least_rooks(
    file: int,
    bits: int,
    width: int = 8,
    sides: Sequence[tuple[int, int]] = SIDES,
    digits: int = DIGITS,
) -> Rooks:
    """Run the program for the rooks of a file with so many bits.

    Raises InputError where nothing compiles it.
    """
    program = c_program(SOURCE)
    if program is None:
        raise InputError([Problem("a lower bound wants a C compiler: cc, or the package ziglang")])
    numbers = [width, file, bits, digits, *(number for pair in sides for number in pair)]
    done = subprocess.run(
        [str(program), *map(str, numbers)], capture_output=True, check=True, text=True
    )
    line, *files = (row.split() for row in done.stdout.splitlines())
    least = {(int(row[1]), int(row[2])): int(row[4]) for row in files}
    return Rooks(file, bits, int(line[1]), least)


@dataclass(frozen=True, slots=True)
class Sum:
    """What all rooks come to, over some numbers of bits."""

    lines: tuple[int, ...]
    """By file: the least slots of the rank's patterns."""
    squares: tuple[tuple[int, ...], ...]
    """By rank and file: the least slots of a rook."""

    @property
    def rooks(self) -> int:
        """Of all squares."""
        return sum(map(sum, self.squares))

    @property
    def by_lines(self) -> int:
        """Of all squares, without overlaps: the classes of each file, times the line."""
        return sum(classes) * sum(self.lines)


classes = [(up + 1) * (down + 1) for up, down in (*SIDES, *reversed(SIDES))]
"""By rank: on how many ways the file can be attacked. Each has slots of its own."""


def add_up(found: Iterable[Rooks]) -> Sum:
    """The least over all bits. A file that is missing counts nothing."""
    least: Counter[tuple[int, tuple[int, int]]] = Counter()
    lines: Counter[int] = Counter()
    for rooks in found:
        lines[rooks.file] = min(rooks.line, lines.get(rooks.file, rooks.line))
        for sides, slots in rooks.least.items():
            key = (rooks.file, sides)
            least[key] = min(slots, least.get(key, slots))
    ranks = (*SIDES, *reversed(SIDES))
    squares = tuple(tuple(least[file, sides] for file in range(8)) for sides in ranks)
    return Sum(tuple(lines[file] for file in range(8)), squares)
