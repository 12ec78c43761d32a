"""`magicert atlas`: what is known, square by square, and how to learn more."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import CHESS, Piece
from magicert.cli.declared import Force, as_json, check_output, declared, request_of
from magicert.dataclass import dataclass
from magicert.problem import printable
from magicert.requests import words
from magicert.requests.request import Given, Kind, OneOf, budget, option

if TYPE_CHECKING:
    from collections.abc import Callable

    from magicert.atlas import Atlas
    from magicert.jobs.settle_atlas import Settled, Settling


class Cells(Kind):
    """Which cells: a piece, or a piece and a square."""

    def read(self, text: str, given: Given) -> tuple[Piece, int | None]:
        """The piece and the square; None for all."""
        name, colon, square = text.partition(":")
        try:
            return Piece(name), CHESS.parse(square) if colon else None
        except ValueError:
            message = f"{text!r}: expected rook, bishop, or a square such as bishop:d6"
            raise ValueError(message) from None


@dataclass(frozen=True, slots=True)
class AtlasOptions:
    """Which atlas, how it is shown, and how to learn more."""

    path: Path | None = option(None, "Another atlas than the one shipped.", flags=("--atlas",))
    scheme: str | None = option(
        None, "The atlas of this scheme. [default: white]", OneOf(("white", "black"))
    )
    cells: bool = option(False, "List the open cells, the cheapest first.", flags=("--cell",))
    ranges: bool = option(False, "Draw the largest index of each square's shortest table.")
    html: Path | None = option(
        None, "Write a page: click a square for its magics and certificates."
    )
    as_json: bool = as_json()
    submit: Path | None = option(
        None, "Enter a magic that was found: cell, magic, finder, date, source."
    )
    settle: bool = option(False, "Settle open cells, the cheapest first.")
    seconds: float | None = budget(panel=None)
    only: tuple[Piece | None, int | None] = option(
        (None, None), "Settle these cells only.", Cells(), "PIECE[:SQUARE]"
    )
    ledger: Path = option(
        Path("atlas.db"), "Keeps finished shards: the same command resumes.", seldom=True,
        shows_default=True,
    )  # fmt: skip
    output: Path = option(
        Path("atlas.toml"), "The atlas that --settle and --submit write; certificates go beside "
        "it.", flags=("-o", "--output"), shows_default=True,
    )  # fmt: skip
    workers: int = words.workers(panel=None)
    record: bool = option(False, "Hash and check all leaves, of large cells too.", seldom=True)
    cluster: str = words.cluster(panel=None)


@click.command("atlas")
@declared(AtlasOptions, Force)
def command(**given: Any) -> None:  # noqa: ANN401
    """Show what is known about every square's magics, or find out more.

    For example:

        magicert atlas
        magicert atlas --ranges
        magicert atlas --scheme black
        magicert atlas --html atlas.html
        magicert atlas --settle --budget 2h
        magicert atlas --atlas atlas.toml --settle --only bishop:d6 --budget 30m

    Exit status: 0, 2 bad input, or 3 if the budget ended before the open cells did.
    """
    from magicert.data import atlas_path

    asked, force = request_of(AtlasOptions, given), given["force"]
    path = asked.path
    if asked.html is not None:
        if asked.settle:
            raise click.UsageError("--html shows an atlas as it is: expected no --settle")
        check_output(asked.html, [path], force=force)
    if asked.settle or asked.submit is not None:
        check_output(asked.output, [asked.ledger, asked.submit], force=force)
        path = path or (asked.output if asked.output.exists() else None)
    path = path or atlas_path(asked.scheme or "white")
    if asked.submit is not None:
        sys.exit(enter(asked.submit, path, asked.output))
    atlas = read(path, asked.scheme)
    if asked.settle:
        from magicert.jobs.settle_atlas import Settling

        settling = Settling(
            path, asked.output, asked.ledger, *asked.only, asked.seconds, asked.workers,
            asked.record, asked.cluster,
        )  # fmt: skip
        for certificate in filter(Path.exists, settling.certificates()):
            check_output(certificate, [asked.ledger], force=force)
        sys.exit(settle_cells(settling, asked.as_json, atlas.scheme))
    if asked.html is not None:
        from magicert.show.atlas_page import atlas_page
        from magicert.system.whole_file import write_whole

        write_whole(asked.html, atlas_page(atlas, path.parent))
    if asked.as_json:
        import msgspec

        from magicert.show.document import echo_json

        echo_json({"cells": [msgspec.to_builtins(entry) for entry in atlas]})
    elif asked.ranges:
        show_ranges(atlas)
    else:
        show(atlas, asked.cells)


def enter(submitted: Path, atlas: Path, output: Path) -> int:
    """Enter what was submitted, and say what came of it; the exit status."""
    from datetime import UTC, datetime

    from magicert.atlas import entry_name
    from magicert.jobs.atlas_files import submit

    found = submit(submitted, atlas, output, datetime.now(UTC).date())
    name = printable(f"{entry_name(found.entry)}: {found.entry.magic}")
    if found.reason:
        click.echo(f"{'valid    ' if found.valid else 'invalid  '} {name}: {found.reason}")
        return 1
    click.echo(f"valid     {name}: {found.entry.credit}; written to {printable(output)}")
    return 0


def read(path: Path, scheme: str | None) -> "Atlas":
    """An atlas, which is to be about the scheme, if one is named."""
    from magicert.atlas import read_atlas
    from magicert.problem import InputError, Problem

    atlas = read_atlas(path)
    if scheme not in (None, atlas.scheme):
        found = f"the scheme is {atlas.scheme}: expected {scheme}"
        raise InputError([Problem(found, file=str(path))])
    return atlas


def show(atlas: "Atlas", cells: bool) -> None:
    """Two boards, their legend, and how many cells are in which state."""
    from magicert.atlas import MARKS, OPEN_MARK, board, entry_name

    draw_boards(atlas, board)
    kinds = {kind or "not named": MARKS[kind] for kind in atlas.evidence()}
    click.echo("bits: the fewest known, and why there are not fewer:")
    click.echo(f"  {', '.join(f'{mark} {kind}' for kind, mark in kinds.items())}, {OPEN_MARK} open")
    all_states = [entry.state for entry in atlas]
    click.echo(", ".join(f"{all_states.count(s)} {s}" for s in ("exists", "impossible", "open")))
    counts = (f"{count} {kind or 'not named'}" for kind, count in atlas.evidence().items())
    click.echo(f"evidence of the impossible: {', '.join(counts)}; docs/atlas.md says what it means")
    whole, some = atlas.by_leaves()
    click.echo(f"leaves prove all of m for {whole} of them, 1 % or more for {some} others")
    if proved := atlas.also_proved():
        click.echo(f"{proved} also have a solver's checked proof")
    if states := atlas.range_states():
        counted = ", ".join(f"{count} {state}" for state, count in states.items())
        click.echo(f"shortest tables: {counted}; --ranges draws them")
    for entry in atlas.open() if cells else []:
        cost = f"about {entry.estimate:,.3g} s" if entry.estimate else "no estimate"
        claim = f"  said to be impossible by {entry.credit}" if entry.credit else ""
        click.echo(f"  {entry_name(entry):<18} {cost}{claim}")


def draw_boards(atlas: "Atlas", board: "Callable[[Atlas, Piece], list[str]]") -> None:
    """The board of each piece that the atlas has cells of."""
    from magicert.show.document import beside, width

    pieces = [piece for piece in Piece if any(entry.piece == piece for entry in atlas)]
    for line in beside([[piece.value, *board(atlas, piece)] for piece in pieces], width()):
        click.echo(line)


def show_ranges(atlas: "Atlas") -> None:
    """Two boards of largest indexes, and their legend."""
    from magicert.atlas import RANGE_MARKS, range_board, range_mark

    draw_boards(atlas, range_board)
    drawn = {range_mark(entry) for entry in atlas}
    meant = (f"{mark} {meaning}" for mark, meaning in RANGE_MARKS.items() if mark in drawn)
    click.echo("largest index of the shortest table known, and why there is no shorter one:")
    click.echo(f"  {', '.join(meant)}")
    counted = ", ".join(f"{count} {state}" for state, count in atlas.range_states().items())
    click.echo(f"{counted or 'none is known'}; docs/atlas.md says what it means")


def settle_cells(asked: "Settling", as_json: bool, scheme: str) -> int:
    """Settle cells and say what each came to; the exit status."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.jobs.settle_atlas import Settled, settle_atlas

    settled: list[Settled] = []
    finished = True
    for result in settle_atlas(asked, ProgressDisplay):
        if isinstance(result, Settled):
            settled.append(result)
            if not as_json:
                click.echo(f"{scheme} {said(result)}")
        else:
            finished = False
            click.echo("the budget is used up; the ledger keeps what is done", err=True)
    if as_json:
        import msgspec

        from magicert.show.document import echo_json

        cells = [msgspec.to_builtins(result.entry) for result in settled]
        echo_json({"settled": cells, "finished": finished})
    elif not settled and finished:
        click.echo("no open cell among those asked for")
    return 0 if finished else 3


def said(settled: "Settled") -> str:
    """A settled cell in a line."""
    from magicert.atlas import entry_name

    entry = settled.entry
    found = "no magic"
    if settled.magic_count:
        found = f"{settled.magic_count:,} magics, {entry.magic}"
    figures = f"{entry.tests:,} tests, {entry.seconds:,.1f} s"
    return f"{entry_name(entry)}: {found}; {figures}"
