"""Documents as plain text, and boards: a piece, its blockers, its attack set."""

import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence

import click

from magicert.board import CHESS, FILES, Board, Piece
from magicert.problem import listed, printable
from magicert.show.document import Annotation, Diagram, Document, Rows

COLOURS = {"valid": "green", "invalid": "red", "unknown": "yellow", "bad input": "magenta"}
MARKS = "# blocker   + attacked   * attacked blocker"
MOST_NAMES = 16
PIPED = 100
"""Columns where nobody says how many there are."""


def width() -> int:
    """Columns of the terminal; 100 when piped."""
    if not sys.stdout.isatty():
        return PIPED
    import shutil

    return shutil.get_terminal_size((PIPED, 24)).columns


def echo(documents: Sequence[Document], everything: bool = False) -> None:
    """Documents on standard output; the verdict in its colour."""
    parted = False
    for number, document in enumerate(one for one in documents if everything or not one.aside):
        told = bool(document.annotations) and not document.problems
        if number and (everything or parted or told):
            click.echo("")
        parted = told
        for line in lines(document, everything):
            if line == document.line:
                word = document.verdict
                line = click.style(word, fg=COLOURS[word]) + line.removeprefix(word)  # noqa: PLW2901
            click.echo(line)


def lines(document: Document, everything: bool = False, columns: int = 0) -> Iterator[str]:
    """What is wrong, as a compiler says it; then the verdict and what it rests on."""
    columns = columns or width()
    yield from map(str, document.problems)
    told = [one for one in document.annotations if one.rule != "input"]
    shown = told if everything else told[: document.shown]
    for number, one in enumerate(shown):
        yield from annotated(one, columns, drawn=everything or number == 0)
    if shown and len(told) > len(shown):
        names = list(dict.fromkeys(one.where for one in told[len(shown) :] if one.where))
        named = f" ({listed(names, MOST_NAMES)})" if names else ""
        yield f"... and {len(told) - len(shown):,} more: --full shows them all{named}"
    if document.help:
        yield printable(f"help: {document.help}")
    yield document.line
    for remark in document.remarks:
        yield f"{'':<9} {printable(remark)}"
    if everything or not document.brief:
        yield from listed_rows(document.facts, columns)
    if everything or not document.brief or document.verdict != "valid":
        yield from (f"  note: {printable(note)}" for note in document.notes)


def annotated(said: Annotation, columns: int, *, drawn: bool) -> Iterator[str]:
    """One thing that is said, with its figures and its boards."""
    yield printable(f"{said.place}: {said.title}: {said.message}")
    yield from (printable(f"{place}: and this one") for place in said.related)
    if drawn:
        yield from listed_rows(said.rows, columns)
        yield from (f"    {line}".rstrip() for line in drawn_boards(said.diagrams, columns - 4))


def listed_rows(rows: Rows, columns: int) -> Iterator[str]:
    """Names and what stands behind them, in two columns."""
    wide = max([12, *(len(name) for name, _ in rows)])
    for name, text in rows:
        head, below = f"  {name:<{wide}} ", " " * (wide + 3)
        yield from textwrap.wrap(
            printable(text), max(columns, wide + 40), initial_indent=head, subsequent_indent=below,
            break_long_words=False, break_on_hyphens=False,
        ) or [head.rstrip()]  # fmt: skip


def drawn_boards(diagrams: Sequence[Diagram], columns: int) -> list[str]:
    """Boards side by side below their titles, and what the marks mean."""
    blocks = [
        [*one.title, *board(one.square, one.piece, one.blockers, one.attacked, one.on)]
        for one in diagrams
    ]
    return [*beside(blocks, columns), *dict.fromkeys(legend(one.piece) for one in diagrams)]


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
    cells = ["+" if one in reached else "." for one in range(on.squares)]
    for one in blocked:
        cells[one] = "*" if one in reached else "#"
    cells[square] = piece[:1].upper()
    return _ranks(cells, on)


def squares(marked: Iterable[int], on: Board = CHESS) -> list[str]:
    """A set of squares, with a1=0, as such a board."""
    found = set(marked)
    return _ranks(["+" if square in found else "." for square in range(on.squares)], on)


def _ranks(cells: Sequence[str], on: Board) -> list[str]:
    wide = len(str(on.ranks))
    ranks = [
        f"{rank + 1:>{wide}} {' '.join(cells[rank * on.files : (rank + 1) * on.files])}"
        for rank in reversed(range(on.ranks))
    ]
    return [*ranks, f"{'':>{wide}} {' '.join(FILES[: on.files])}"]


def beside(blocks: Sequence[Sequence[str]], columns: int, gap: int = 4) -> list[str]:
    """Blocks of lines next to one another, as many as the width allows, then below."""
    found: list[str] = []
    row: list[Sequence[str]] = []
    for block in blocks:
        if row and sum(_widest(b) + gap for b in [*row, block]) - gap > columns:
            found += [*_join(row, gap), ""]
            row = []
        row.append(block)
    return found + _join(row, gap)


def _widest(block: Sequence[str]) -> int:
    return max(map(len, block), default=0)


def _join(row: Sequence[Sequence[str]], gap: int) -> list[str]:
    height = max(map(len, row), default=0)
    padded = [
        [line.ljust(_widest(block) + gap) for line in [*block, *[""] * (height - len(block))]]
        for block in row
    ]
    return ["".join(parts).rstrip() for parts in zip(*padded, strict=True)]


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int]
) -> Iterator[str]:
    """Columns under their titles, those of `right` to the right."""
    wide = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = [
            text.rjust(wide[at]) if at in right else text.ljust(wide[at])
            for at, text in enumerate(row)
        ]
        yield "  ".join(cells).rstrip()
