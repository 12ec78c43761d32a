"""Boards as text: a slider, its blockers, its attack set."""

from collections.abc import Iterable, Sequence

from magicert.board import Piece

LEGEND = "R/B slider   # blocker   + attacked   * attacked blocker"


def board(slider: int, piece: Piece, blockers: Iterable[int], attacked: Iterable[int]) -> list[str]:
    """Nine lines, rank 8 first, the names of the files last. Squares have a1=0."""
    blocked, reached = set(blockers), set(attacked)
    lines = []
    for rank in range(7, -1, -1):
        cells = []
        for square in range(8 * rank, 8 * rank + 8):
            if square == slider:
                cells.append(piece.value[0].upper())
            elif square in blocked:
                cells.append("*" if square in reached else "#")
            else:
                cells.append("+" if square in reached else ".")
        lines.append(f"{rank + 1} {' '.join(cells)}")
    return [*lines, "  a b c d e f g h"]


def squares(marked: Iterable[int]) -> list[str]:
    """A set of squares, with a1=0, as nine lines."""
    found = set(marked)
    lines = [
        f"{rank + 1} {' '.join('+' if 8 * rank + file in found else '.' for file in range(8))}"
        for rank in range(7, -1, -1)
    ]
    return [*lines, "  a b c d e f g h"]


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
