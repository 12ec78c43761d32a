"""What a square wants of the entries of a layered table, and who can share entries with whom.

An entry is loaded and ANDed with the *line*, the attack set on the empty board. So a square asks
for ones on its attack set and zeros on the rest of its line; nobody asks for the other bits.
Two squares may use one entry if they agree on the bits that both lines have.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece, attack_set, mask, squares_of
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.squares import SquareData, Words, square_data, subsets
from magicert.compact.pages.lines import COLUMNS, PAGE

ALWAYS, MAYBE, NEVER = 0, 1, 2
"""How two squares get on in one column of a page."""
A_FILE = 0x0101010101010101
"""The squares of the a-file."""


@dataclass(frozen=True, slots=True)
class Needs:
    """A square with its wants: `zeros[n]` must be 0 where occupancy n looks, in doubling order;
    its attack set, `square.attacks[n]`, must be 1.
    """

    square: SquareData
    line: int
    zeros: Words


@cache
def needs_of(piece: Piece, square: int) -> Needs:
    """The wants of a square, made once."""
    data = square_data(piece, square)
    line = attack_set(piece, square, 0)
    return Needs(data, line, np.uint64(line) & ~data.attacks)


@cache
def relation(one: Key, other: Key) -> int:
    """ALWAYS: whatever bit both lines have is attacked by both on every board. MAYBE: rooks of one
    file or of neighbouring files, whose columns can agree. NEVER: all others.
    """
    common = attack_set(*one, 0) & attack_set(*other, 0)
    if not common & ~(_everywhere(one) & _everywhere(other)):
        return ALWAYS
    rooks = one[0] is other[0] is Piece.ROOK
    return MAYBE if rooks and abs((one[1] & 7) - (other[1] & 7)) <= 1 else NEVER


def _everywhere(key: Key) -> int:
    """What a square attacks on every board."""
    return attack_set(*key, (1 << 64) - 1)


@cache
def classes_agree(one: int, other: int) -> NDArray[np.bool_]:
    """For each attack set of a rook's file, which ones of another rook's file it can share a column
    with, whatever their ranks read. Attack sets have the numbers of `lines.rook_lines`.
    """
    wants, others = _file_wants(one), _file_wants(other)
    return np.array([[_agree(own, its) for its in others] for own in wants])


class _Wants(NamedTuple):
    """What a rook wants in a column: ones, zeros, and the bits of its rank, which vary by row."""

    ones: int
    zeros: int
    vary: int


def _file_wants(square: int) -> list[_Wants]:
    key = Piece.ROOK, square
    line, always = attack_set(*key, 0), _everywhere(key)
    on_file = A_FILE << (square & 7)
    blockers = list(squares_of(mask(*key) & on_file))
    sets = sorted({attack_set(*key, occupancy) & on_file for occupancy in subsets(blockers)})
    return [_Wants(one | always, line & on_file & ~one, line & ~on_file & ~always) for one in sets]


def _agree(one: _Wants, other: _Wants) -> bool:
    clash = one.ones & other.zeros | one.zeros & other.ones
    return not clash and not one.vary & _bits(other) and not other.vary & _bits(one)


def _bits(wants: _Wants) -> int:
    return wants.ones | wants.zeros | wants.vary


def page_length(scheme: str) -> int:
    """The entries of a page. Under white only an offset turns columns: those that it pushes over
    the edge stand one row further down.
    """
    return PAGE + COLUMNS if scheme == "white" else PAGE
