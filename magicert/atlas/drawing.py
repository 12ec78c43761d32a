"""Boards of text: the fewest bits of every square, or the shortest table."""

from collections.abc import Callable, Iterable

from magicert.atlas.cells import Atlas
from magicert.atlas.entry import Entry
from magicert.board import Piece, mask, parse_square, square_name
from magicert.outcome import Evidence

MARKS: dict[Evidence | None, str] = {
    Evidence.LEAVES: "=",
    Evidence.HASHES: "h",
    Evidence.RECOUNT: "r",
    Evidence.COUNTS: "c",
    Evidence.PROOF: "p",
    Evidence.SOLVER: "s",
    None: "-",
}
"""How the drawing shows that fewer bits are impossible: by the kind of evidence."""
OPEN_MARK = "?"
CLAIMED_MARK = "~"
"""Somebody says that a range is the smallest."""
BOUND_MARK = "-"
"""A range is the smallest by `Atlas.least_range`, without a search."""
RANGE_MARKS = {
    **{mark: str(kind) for kind, mark in MARKS.items() if kind},
    BOUND_MARK: "no fewer bits or slots",
    CLAIMED_MARK: "published, not proved here",
    OPEN_MARK: "open",
}
"""What the marks of ranges mean."""


def label(atlas: Atlas, piece: Piece, square: int) -> str:
    """A square's state in three characters: the fewest bits known, and the MARKS of why there
    are not fewer, OPEN_MARK if that is open.
    """
    best, bound = atlas.best(piece, square), atlas.bound(piece, square)
    bits = best.bits if best else mask(piece, square).bit_count()
    settled = bound is not None and bound.bits == bits - 1
    return f"{bits:>2}{MARKS[bound.evidence] if bound and settled else OPEN_MARK}"


def range_label(atlas: Atlas, piece: Piece, square: int) -> str:
    """The shortest table of the fewest bits known, in five characters: its largest index, and
    why there is no smaller one; blanks where nothing is known.
    """
    best = atlas.best(piece, square)
    if best is None or best.range is None:
        return " " * 5
    return f"{best.range.largest:>4}{range_mark(best)}"


def range_mark(entry: Entry) -> str:
    """Why a cell's range is the smallest."""
    given = entry.range
    if given is not None and given.is_smallest:
        return MARKS[given.evidence] if given.certificate else BOUND_MARK
    return CLAIMED_MARK if given is not None and given.claim else OPEN_MARK


def board(atlas: Atlas, piece: Piece) -> list[str]:
    """A piece's board of bits: rank 8 first."""
    return _board(lambda square: label(atlas, piece, square))


def range_board(atlas: Atlas, piece: Piece) -> list[str]:
    """A piece's board of largest indexes: rank 8 first."""
    return _board(lambda square: range_label(atlas, piece, square))


def _board(labelled: Callable[[int], str]) -> list[str]:
    rows = [[labelled(8 * rank + file) for file in range(8)] for rank in range(8)]
    width = len(rows[0][0])
    lines = [f"{rank + 1} {' '.join(rows[rank])}".rstrip() for rank in range(7, -1, -1)]
    return [*lines, _files(width)]


def _files(width: int) -> str:
    """The names of the files, each below the last figure of its column."""
    names: Iterable[str] = "abcdefgh"
    return "  " + " ".join(f"{name:>{width - 1}} " for name in names).rstrip()


def entry_name(entry: Entry) -> str:
    """Such as "bishop d1, 4 bits"."""
    return f"{entry.piece} {square_name(parse_square(entry.square))}, {entry.bits} bits"
