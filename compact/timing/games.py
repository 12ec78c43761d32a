"""Occupancies of played games: what an engine really looks up."""

from collections.abc import Iterator
from pathlib import Path

from magicert.board import Piece, attack_set, parse_square, squares_of

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


def slider_lookups(folder: Path) -> list[tuple[Piece, int, int]]:
    """(piece, square, occupancy) for every slider of every position of the games in a folder."""
    found = []
    for path in sorted(folder.glob("*.txt")):
        for board in positions(path.read_text(encoding="utf-8")):
            occupied = sum(1 << square for square in board)
            for square, letter in sorted(board.items()):
                found += [(piece, square, occupied) for piece in SLIDERS.get(letter, ())]
    return found


def searched(folder: Path) -> Iterator[dict[int, str]]:
    """Every position of the games in a folder, and those after each move of each slider: what a
    search looks at around the games. A slider captures what stands in its way, of either side.
    """
    for path in sorted(folder.glob("*.txt")):
        for board in positions(path.read_text(encoding="utf-8")):
            yield board
            occupied = sum(1 << square for square in board)
            for square, letter in sorted(board.items()):
                left = {place: other for place, other in board.items() if place != square}
                for piece in SLIDERS.get(letter, ()):
                    for target in squares_of(attack_set(piece, square, occupied)):
                        yield left | {target: letter}
