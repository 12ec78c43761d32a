"""What a certificate is about, from nothing but the rules of chess, or its own list of keys, and
the specification.

The attack sets are this checker's own: it shares no line with the search, and tests hold
them against the ray walk of the other packages.
"""

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
SchemeName = Literal["white", "black", "constant"]
WORD = (1 << 64) - 1
STEPS = {
    "rook": ((0, 1), (1, 0), (0, -1), (-1, 0)),
    "bishop": ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}


@dataclass(frozen=True)
class Statement:
    """slot(n, m) = (x[n] * m + constant) >> (64 - bits), and slots outside [least, most] are not
    allowed.

    Word n, an occupancy or a key, is row n of `x` (multiplicands) and of `attack` (the number of
    its attack set, or of its value).
    """

    x: Words
    constant: int
    attack: NDArray[np.int64]
    bits: int
    least: int
    most: int

    @property
    def period(self) -> int:
        """The number of bits of m that count: x * 2^period = 0 modulo 2^64 for every row."""
        together = int(np.bitwise_or.reduce(self.x))
        return 64 - ((together & -together).bit_length() - 1) if together else 0


def lines(piece: str, square: int) -> list[list[int]]:
    """The squares of each ray of a piece, nearest first, to the edge of the board."""
    texts = []
    for right, up in STEPS[piece]:
        file, rank, line = square % 8 + right, square // 8 + up, []
        while file in range(8) and rank in range(8):
            line.append(8 * rank + file)
            file, rank = file + right, rank + up
        texts.append(line)
    return texts


def occupancies(piece: str, square: int) -> list[int]:
    """All subsets of the relevant occupancy in pdep order: bit 0 of n is its lowest square."""
    subsets = [0]
    for target in sorted(target for line in lines(piece, square) for target in line[:-1]):
        subsets += [subset | 1 << target for subset in subsets]
    return subsets


def attack_set(piece: str, square: int, occupied: int) -> int:
    """The squares that a piece attacks: each ray up to its first blocker, the blocker included."""
    attacked = 0
    for line in lines(piece, square):
        for target in line:
            attacked |= 1 << target
            if occupied & 1 << target:
                break
    return attacked


def statement(
    scheme: SchemeName,
    piece: str,
    square: int,
    bits: int,
    largest_index: int | None = None,
    constant: int = 0,
) -> Statement:
    """The statement of a cell of the board. `constant` counts for the scheme of that name only."""
    subsets = occupancies(piece, square)
    numbers: dict[int, int] = {}
    attack = [numbers.setdefault(attack_set(piece, square, o), len(numbers)) for o in subsets]
    return statement_of(scheme, subsets, attack, bits, largest_index, constant)


def statement_of(
    scheme: SchemeName,
    words: Sequence[int],
    attack: Sequence[int],
    bits: int,
    largest_index: int | None = None,
    constant: int = 0,
) -> Statement:
    """The statement about any words, each with the number of its attack set or value."""
    last = (1 << bits) - 1
    largest = last if largest_index is None else largest_index
    if scheme == "black":
        # occ | ~mask = -x modulo 2^64 with x = (mask & ~occ) + 1, and -(x * m) = ~(x * m - 1).
        mask = functools.reduce(operator.or_, words)
        x = [((mask & ~word) + 1) & WORD for word in words]
        added, least, most = WORD, last - largest, last
    else:
        x, least, most = list(words), 0, largest
        added = constant & WORD if scheme == "constant" else 0
    return Statement(
        np.array(x, dtype=np.uint64), added, np.array(attack, dtype=np.int64), bits, least, most
    )
