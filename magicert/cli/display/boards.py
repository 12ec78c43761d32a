"""Boards as text: a piece, its blockers, its attack set."""

import shutil
import sys
from collections.abc import Iterable, Sequence

from magicert.board import CHESS, Board, Piece
from magicert.board.geometry import FILES

MARKS = "# blocker   + attacked   * attacked blocker"
LEGEND = f"R/B slider   {MARKS}"


def width() -> int:
    """Columns of the terminal; 100 when piped."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100


def legend(piece: str) -> str:
    """What the marks mean."""
    return LEGEND if piece in set(Piece) else f"{letter(piece)} {piece}   {MARKS}"


def letter(piece: str) -> str:
    """The mark of a piece: the first letter of its name."""
    return piece[:1].upper()


def board(
    square: int,
    piece: str,
    blockers: Iterable[int],
    attacked: Iterable[int],
    on: Board = CHESS,
) -> list[str]:
    """A line for each rank, the last one first, and the names of the files. Squares have a1=0."""
    blocked, reached = set(blockers), set(attacked)
    cells = ["+" if one in reached else "." for one in range(on.squares)]
    for one in blocked:
        cells[one] = "*" if one in reached else "#"
    cells[square] = letter(piece)
    return _lines(cells, on)


def squares(marked: Iterable[int], on: Board = CHESS) -> list[str]:
    """A set of squares, with a1=0, as such a board."""
    found = set(marked)
    return _lines(["+" if square in found else "." for square in range(on.squares)], on)


def _lines(cells: Sequence[str], on: Board) -> list[str]:
    width = len(str(on.ranks))
    lines = [
        f"{rank + 1:>{width}} {' '.join(cells[rank * on.files : (rank + 1) * on.files])}"
        for rank in reversed(range(on.ranks))
    ]
    return [*lines, f"{'':>{width}} {' '.join(FILES[: on.files])}"]


def beside(blocks: Sequence[Sequence[str]], width: int, gap: int = 4) -> list[str]:
    """Blocks of lines next to one another, as many as the width allows, then below."""
    lines: list[str] = []
    row: list[Sequence[str]] = []
    for block in blocks:
        if row and sum(_width(b) + gap for b in [*row, block]) - gap > width:
            lines += [*_join(row, gap), ""]
            row = []
        row.append(block)
    return lines + _join(row, gap)


def _width(block: Sequence[str]) -> int:
    return max(map(len, block), default=0)


def _join(row: Sequence[Sequence[str]], gap: int) -> list[str]:
    height = max(map(len, row), default=0)
    padded = [
        [line.ljust(_width(block) + gap) for line in [*block, *[""] * (height - len(block))]]
        for block in row
    ]
    return ["".join(parts).rstrip() for parts in zip(*padded, strict=True)]
