"""What is looked up: random positions, and those of played games and around them."""

import random
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice
from pathlib import Path

from magicert.board import squares_of
from magicert.chess import Piece, attack_set, parse_square

_BACK_RANK = "rnbqkbnr"
SLIDERS = {"r": (Piece.ROOK,), "b": (Piece.BISHOP,), "q": (Piece.ROOK, Piece.BISHOP)}
"""How a piece slides, by its letter."""


def positions(text: str) -> Iterator[dict[int, str]]:
    """The positions of a game in UCI moves, each as {square: piece letter}.

    Castling is seen by the king's two steps, en passant by a pawn's capture of nothing.
    Lines that begin with # are comments.
    """
    board = {square: _BACK_RANK[square] for square in range(8)}
    board |= {56 + square: _BACK_RANK[square] for square in range(8)}
    board |= dict.fromkeys([*range(8, 16), *range(48, 56)], "p")
    yield dict(board)
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    for move in " ".join(lines).split():
        start, end = parse_square(move[:2]), parse_square(move[2:4])
        piece = board.pop(start)
        if piece == "k" and abs(start - end) == 2:
            rook = end + 1 if end > start else end - 2
            board[(start + end) // 2] = board.pop(rook)
        if piece == "p" and (start - end) % 8 and end not in board:
            del board[8 * (start >> 3) + (end & 7)]
        board[end] = move[4:] or piece
        yield dict(board)


def searched(folder: Path) -> Iterator[dict[int, str]]:
    """Every position of the games in a folder, and those after each move of each slider: what a
    search looks at around the games. A slider captures what stands in its way, of either side.
    """
    for path in sorted(folder.glob("*.txt")):
        for board in positions(path.read_text(encoding="utf-8")):
            yield board
            occupied = sum(1 << square for square in board)
            for square, letter in sorted(board.items()):
                without_piece = {
                    place: piece_there for place, piece_there in board.items() if place != square
                }
                for piece in SLIDERS.get(letter, ()):
                    for target in squares_of(attack_set(piece, square, occupied)):
                        yield without_piece | {target: letter}


# For harness.c.

PIECES = ("rook", "bishop", "queen")
POSITIONS = ("random", "games")
"""Random occupancies, and those around played games."""
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
    by_position = [list(_sliders(board, piece)) for board in boards]
    share = min(1.0, LOOKUPS / sum(map(len, by_position)))
    chosen = (
        lookups for n, lookups in enumerate(by_position) if int((n + 1) * share) > int(n * share)
    )
    return list(islice(cycle(list(chain.from_iterable(chosen))), LOOKUPS))


def _sliders(board: dict[int, str], piece: str) -> Iterator[Lookup]:
    occupied = sum(1 << square for square in board)
    for square, letter in sorted(board.items()):
        moves = SLIDERS.get(letter, ())
        if len(moves) == 2 if piece == "queen" else Piece(piece) in moves:
            yield square, occupied
