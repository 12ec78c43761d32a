"""What is looked up: random positions, and positions around played games."""

import random
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice
from pathlib import Path

from magicert.board import Piece
from magicert.compact.timing.frontier.figures import PIECES
from magicert.compact.timing.games import SLIDERS, searched

LOOKUPS = 8192
"""Of each kind of positions and each piece; harness.c says the same."""
Lookup = tuple[int, int]
"""A square and the occupied squares."""


def write_lookups(path: Path, games: Path) -> None:
    """Write the file that harness.c reads, for the games in a folder."""
    boards = list(searched(games))
    parts = [*map(random_lookups, range(len(PIECES)))]
    parts += [game_lookups(boards, piece) for piece in PIECES]
    with path.open("wb") as file:
        for square, occupied in chain.from_iterable(parts):
            file.write(struct.pack("<QII", occupied, square, 0))


def random_lookups(seed: int) -> list[Lookup]:
    """Any square, and a quarter of the board occupied."""
    noise = random.Random(seed)
    return [
        (noise.randrange(64), noise.getrandbits(64) & noise.getrandbits(64)) for _ in range(LOOKUPS)
    ]


def game_lookups(boards: Sequence[dict[int, str]], piece: str) -> list[Lookup]:
    """The sliders of each position, position by position: what a move generator asks for.

    Where that is too much, whole positions are left out evenly; where it is too little, it comes
    again.
    """
    asked = [list(_sliders(board, piece)) for board in boards]
    kept = min(1.0, LOOKUPS / sum(map(len, asked)))
    some = (one for n, one in enumerate(asked) if int((n + 1) * kept) > int(n * kept))
    return list(islice(cycle(list(chain.from_iterable(some))), LOOKUPS))


def _sliders(board: dict[int, str], piece: str) -> Iterator[Lookup]:
    occupied = sum(1 << square for square in board)
    for square, letter in sorted(board.items()):
        moves = SLIDERS.get(letter, ())
        if len(moves) == 2 if piece == "queen" else Piece(piece) in moves:
            yield square, occupied
