"""Boards as text: a piece, its blockers, what it attacks; and several side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from magicert.board import CHESS, FILES, Board
from magicert.chess import Piece

MARKS = "# blocker   + attacked   * attacked blocker"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A piece on a board with its blockers and what it attacks; `differing` squares are marked
    where it is drawn. `title` has a line or more for a narrow column, `caption` says it in one.
    """

    piece: str
    square: int
    blockers: frozenset[int]
    attacked: frozenset[int]
    title: tuple[str, ...] = ()
    caption: str = ""
    differing: frozenset[int] = frozenset()
    on: Board = CHESS


def drawn_boards(diagrams: Sequence[Diagram], columns: int) -> list[str]:
    """Boards side by side below their titles, and what the marks mean."""
    blocks = [
        [
            *diagram.title,
            *board(diagram.square, diagram.piece, diagram.blockers, diagram.attacked, diagram.on),
        ]
        for diagram in diagrams
    ]
    return [
        *side_by_side(blocks, columns),
        *dict.fromkeys(legend(diagram.piece) for diagram in diagrams),
    ]


def legend(piece: str) -> str:
    """What the marks mean."""
    named = "R/B slider" if piece in set(Piece) else f"{piece[:1].upper()} {piece}"
    return f"{named}   {MARKS}"


def board(
    square: int,
    piece: str,
    blockers: Iterable[int],
    attacked: Iterable[int],
    on: Board = CHESS,
) -> list[str]:
    """A line for each rank, the last one first, and the names of the files. Squares have a1=0."""
    blocked, reached = set(blockers), set(attacked)
    cells = ["+" if other in reached else "." for other in range(on.squares)]
    for blocker in blocked:
        cells[blocker] = "*" if blocker in reached else "#"
    cells[square] = piece[:1].upper()
    return _ranks(cells, on)


def squares(marked: Iterable[int], on: Board = CHESS) -> list[str]:
    """A set of squares, with a1=0, as such a board."""
    shown = set(marked)
    return _ranks(["+" if square in shown else "." for square in range(on.squares)], on)


def _ranks(cells: Sequence[str], on: Board) -> list[str]:
    """Holes are blank."""
    wide = len(str(on.ranks))
    shown = [cell if on.has(place) else " " for place, cell in enumerate(cells)]
    ranks = [
        f"{rank + 1:>{wide}} {' '.join(shown[rank * on.files : (rank + 1) * on.files])}".rstrip()
        for rank in reversed(range(on.ranks))
    ]
    return [*ranks, f"{'':>{wide}} {' '.join(FILES[: on.files])}"]


def side_by_side(blocks: Sequence[Sequence[str]], columns: int, gap: int = 4) -> list[str]:
    """Blocks of lines next to one another, as many as the width allows, then below."""
    rows: list[str] = []
    row: list[Sequence[str]] = []
    for block in blocks:
        if row and sum(_widest(b) + gap for b in [*row, block]) - gap > columns:
            rows += [*_join(row, gap), ""]
            row = []
        row.append(block)
    return rows + _join(row, gap)


def _widest(block: Sequence[str]) -> int:
    return max(map(len, block), default=0)


def _join(row: Sequence[Sequence[str]], gap: int) -> list[str]:
    height = max(map(len, row), default=0)
    padded = [
        [line.ljust(_widest(block) + gap) for line in [*block, *[""] * (height - len(block))]]
        for block in row
    ]
    return ["".join(parts).rstrip() for parts in zip(*padded, strict=True)]
