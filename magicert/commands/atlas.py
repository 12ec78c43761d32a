"""`magicert atlas`: what is known of every square's magics, and what adds to it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.board import CHESS
from magicert.chess import Piece
from magicert.commands.command import Answer, command, only_with, option, refuse
from magicert.commands.options import FILE, Choice, Word, budget, cluster, workers
from magicert.data import atlas_path
from magicert.outcome import OutcomeKind
from magicert.problem import Problem, printable
from magicert.show.outputs import check_output
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.api.settle_atlas import Settled
    from magicert.atlas import Atlas, Labelled

OF_SETTLING = ("seconds", "only", "ledger", "workers", "record", "cluster")
"""Options that go with --settle only."""


class Cells(Word):
    """Which cells: a piece, or a piece and a square."""

    name = "cells"

    def read(self, text: str, ctx: click.Context | None) -> tuple[Piece, int | None]:
        name, colon, square = text.partition(":")
        try:
            return Piece(name), CHESS.parse(square) if colon else None
        except ValueError:
            message = f"{text!r}: expected rook, bishop, or a square such as bishop:d6"
            raise ValueError(message) from None


@command("atlas", force=True)
@option("--atlas", "path", type=FILE, metavar="FILE",
        help="An atlas file, instead of the one that ships.")  # fmt: skip
@option("--scheme", type=Choice(["white", "black"]),
        help="The atlas of this scheme. [default: white]")  # fmt: skip
@option("--cell", "cells", is_flag=True,
        help="List the open cells, in the order of samples of their searches.")  # fmt: skip
@option("--ranges", is_flag=True, help="Draw the largest index of each square's shortest table.")
@option("--html", type=FILE, metavar="FILE",
        help="Write a page: click a square for its magics and certificates.")  # fmt: skip
@option("--submit", type=FILE, metavar="FILE",
        help="Enter the magic in this file: its cell, magic, finder, date, source.")  # fmt: skip
@option("--settle", is_flag=True, help="Settle open cells, the cheapest first.")
@budget(panel="Options")
@option("--only", type=Cells(), metavar="PIECE[:SQUARE]", help="Settle these cells only.")
@option("--ledger", type=FILE, default=Path("atlas.db"), show_default=True, metavar="FILE",
        help="Keeps what is done: the same command resumes.", seldom=True)  # fmt: skip
@option("-o", "--output", type=FILE, default=Path("atlas.toml"), show_default=True, metavar="FILE",
        help="The atlas that --settle and --submit write; certificates go beside it.")  # fmt: skip
@workers(panel="Options")
@option("--record", is_flag=True, seldom=True,
        help="Hash and check all leaves, of large cells too.")  # fmt: skip
@cluster(panel="Options")
def run(
    path: Path | None, scheme: str | None, cells: bool, ranges: bool, html: Path | None,
    submit: Path | None, settle: bool, seconds: float | None,
    only: tuple[Piece, int | None] | None, ledger: Path, output: Path, workers: int, record: bool,
    cluster: str, force: bool,
) -> Answer:  # fmt: skip
    """Show what is known about every square's magics, or find out more.

    For example:

        magicert atlas
        magicert atlas --ranges
        magicert atlas --scheme black
        magicert atlas --html atlas.html
        magicert atlas --settle --budget 2h
        magicert atlas --atlas atlas.toml --settle --only bishop:d6 --budget 30m

    Exit status: 0, 2 bad input, or 3 if cells are still open when the budget ends.
    """
    writes = settle or submit is not None
    problems = []
    if html is not None and writes:
        message = "--html cannot be combined with --settle or --submit"
        problems.append(Problem(message))
    if settle and submit is not None:
        problems.append(Problem("--submit cannot be combined with --settle"))
    if not settle:
        problems += only_with("--settle", *OF_SETTLING)
    if not writes:
        problems += only_with("--settle or --submit", "output")
    refuse(problems)
    # An atlas that is added to may be written over.
    inputs = [ledger, submit] if writes else [path]
    if html is not None:
        check_output(html, inputs, force=force)
    if writes:
        check_output(output, inputs, force=force)
    # Work that went on before goes on with what it wrote.
    resumed = output if writes and output.exists() else None
    source = path or resumed or atlas_path(scheme or "white")
    if submit is not None:
        return _submit(submit, source, output)
    from magicert.api.atlas_files import atlas_of_scheme

    atlas = atlas_of_scheme(source, scheme)
    if not settle:
        if html is not None:
            from magicert.show.atlas_page import atlas_page
            from magicert.system.whole_file import write_whole

            write_whole(html, atlas_page(atlas, source.parent))
        return _show(atlas, cells=cells, ranges=ranges)
    from magicert.api.settle_atlas import cell_of, certificate_name, settle_atlas

    piece, square = only or (None, None)
    atlas_cells = [
        atlas_cell for atlas_cell in atlas.open()
        if piece in (None, atlas_cell.key[0]) and square in (None, atlas_cell.key[1])
    ]  # fmt: skip
    for atlas_cell in atlas_cells:
        certificate = output.parent / certificate_name(cell_of(atlas_cell, atlas.scheme))
        if certificate.exists():
            check_output(certificate, inputs, force=force)
    settled = settle_atlas(
        atlas, atlas_cells, output, ProgressDisplay, ledger=ledger, seconds=seconds,
        workers=workers, record=record, cluster=cluster,
    )  # fmt: skip
    return _settle(atlas.scheme, settled)


def _submit(path: Path, atlas: Path, output: Path) -> Answer:
    """A magic that somebody found: whether it is one, and whether it enters the atlas."""
    import msgspec

    from magicert.api.atlas_files import submit
    from magicert.atlas import cell_name

    submitted = submit(path, atlas, output, datetime.now(UTC).date())
    cell, reason = submitted.cell, submitted.reason
    name = printable(f"{cell_name(cell)}: {cell.magic}")
    line = f"valid     {name}: {cell.credit}; written to {printable(output)}"
    if reason:
        line = f"{'valid    ' if submitted.valid else 'invalid  '} {name}: {reason}"
    data = {"entry": msgspec.to_builtins(cell), "valid": submitted.valid, "reason": reason}
    return Answer(OutcomeKind.INVALID if reason else OutcomeKind.VALID, [line], lambda: data)


def _settle(scheme: str, cells: "Iterator[Settled | None]") -> Answer:
    """Each cell in a line when it is settled; None comes last, where the budget ended."""
    import msgspec

    from magicert.atlas import cell_name

    as_json = click.get_current_context().params["as_json"]
    atlas_cells, finished = [], True
    for cell in cells:
        if cell is None:
            finished = False
            break
        atlas_cell = cell.cell
        atlas_cells.append(msgspec.to_builtins(atlas_cell))
        magics = (
            f"{cell.magic_count:,} magics, {atlas_cell.magic}" if cell.magic_count else "no magic"
        )
        figures = f"{atlas_cell.tests:,} tests, {atlas_cell.seconds:,.1f} s"
        if not as_json:  # each when it is known: a cell may take hours
            click.echo(f"{cell_name(atlas_cell)}, scheme {scheme}: {magics}; {figures}")
    return Answer(
        OutcomeKind.EXISTS if finished else OutcomeKind.UNKNOWN,
        [] if atlas_cells or not finished else ["none of these cells is open"],
        lambda: {"settled": atlas_cells, "finished": finished},
        [] if finished else ["the budget is used up; the ledger keeps what is done"],
    )


# What is known, as text.


def _show(atlas: "Atlas", *, cells: bool, ranges: bool) -> Answer:
    """The atlas as boards with their legends."""
    import msgspec

    lines = _ranges(atlas) if ranges else _bits(atlas, cells=cells)
    atlas_cells = [msgspec.to_builtins(atlas_cell) for atlas_cell in atlas]
    return Answer(OutcomeKind.EXISTS, lines, lambda: {"cells": atlas_cells})


def _bits(atlas: "Atlas", *, cells: bool) -> Iterator[str]:
    """Two boards, their legend, and how many cells are in which state."""
    from magicert.atlas import MARKS, OPEN_MARK, cell_name, label

    yield from _boards(atlas, label)
    kinds = {kind or "not named": MARKS[kind] for kind in atlas.evidence()}
    yield "bits: the fewest known, and why there are not fewer:"
    yield f"  {', '.join(f'{mark} {kind}' for kind, mark in kinds.items())}, {OPEN_MARK} open"
    states = [atlas_cell.state for atlas_cell in atlas]
    yield ", ".join(f"{states.count(s)} {s}" for s in ("exists", "impossible", "open"))
    counts = (f"{count} {kind or 'not named'}" for kind, count in atlas.evidence().items())
    yield f"evidence that there are not fewer: {', '.join(counts)}; docs/atlas.md explains it"
    whole, some = atlas.by_leaves()
    yield (
        f"{whole} have complete proofs; for {some} more at least 1 % of all candidates is proved"
    )
    if proved := atlas.also_proved():
        yield f"{proved} also have a solver's checked proof"
    if range_states := atlas.range_states():
        counted = ", ".join(f"{count} {state}" for state, count in range_states.items())
        yield f"shortest tables: {counted}; --ranges draws them"
    for atlas_cell in atlas.open() if cells else []:
        # No times: samples of open cells were too low by a factor of 150 where it was tried.
        claim = f" claimed to be impossible by {atlas_cell.credit}" if atlas_cell.credit else ""
        yield f"  {cell_name(atlas_cell):<18}{claim}".rstrip()


def _boards(atlas: "Atlas", labelled: "Labelled") -> Iterator[str]:
    """The board of each piece that the atlas has cells of."""
    from magicert.atlas import board
    from magicert.drawing.boards import side_by_side
    from magicert.show.document import width

    pieces = [piece for piece in Piece if any(cell.piece == piece for cell in atlas)]
    yield from side_by_side(
        [[piece.value, *board(atlas, piece, labelled)] for piece in pieces], width()
    )


def _ranges(atlas: "Atlas") -> Iterator[str]:
    """Two boards of largest indexes, and their legend."""
    from magicert.atlas import RANGE_MARKS, range_label, range_mark

    yield from _boards(atlas, range_label)
    there = {range_mark(cell) for cell in atlas}
    yield "largest index of the shortest table known, and why there is no shorter one:"
    meanings = (f"{mark} {meaning}" for mark, meaning in RANGE_MARKS.items() if mark in there)
    yield f"  {', '.join(meanings)}"
    counted = ", ".join(f"{count} {state}" for state, count in atlas.range_states().items())
    yield f"{counted or 'none is known'}; docs/atlas.md explains it"
