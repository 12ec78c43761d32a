"""Pieces of any board: a set of magics, and the bytes of each form of a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from magicert.board import Board
from magicert.cli.display.sets import left_json, magics_json, show_left, show_whole
from magicert.jobs.boards.sizes import Classes, Size
from magicert.jobs.sets.boards import BoardSetFound, BoardSetLeft


def show_set(result: BoardSetFound | BoardSetLeft, output: Path | None) -> int:
    """Show a set; its exit status. Without an output file the table goes to stdout."""
    if isinstance(result, BoardSetLeft):
        return show_left(result, f"on {result.board}", result.board.name, 0)
    heading = [
        f"EXISTS set of {len(result.magics)} magics on {result.board}",
        *(f"  {size}" for size in result.sizes),
        f"  {result.bytes:,} bytes in all",
    ]
    return show_whole(result, heading, output)


def set_json(result: BoardSetFound | BoardSetLeft, output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square."""
    magics = magics_json(result.magics, result.board.name, 2 + result.board.word // 4)
    about: dict[str, Any] = {"board": str(result.board), "magics": magics}
    if isinstance(result, BoardSetLeft):
        return left_json(result, about, result.board.name)
    written = None if output is None else str(output)
    figures = {"bytes": result.bytes, "lookups": result.lookups, "seconds": result.seconds}
    return {"outcome": "exists", **about, **figures, "output": written}


def show_sizes(board: Board, sizes: Sequence[Size], classes: Classes | None) -> None:
    """A line for each form."""
    click.echo(f"{'bytes':>13}  {'slots':>11}  lookups  options of find --set --board {board}")
    for size in sizes:
        options = " ".join(size.form.options) or "(none: whole pieces, least masks)"
        levels = f"  ({size.sets:,} attack sets)" if size.sets else ""
        click.echo(f"{size.bytes:13,}  {size.slots:11,}  {size.lookups:7}  {options}{levels}")
    if classes is not None:
        what = "computed only: a byte for each line in one buffer of all pieces"
        click.echo(f"{classes.bytes:13,}  {classes.slots:11,}  {1:7}  {what}")


def sizes_json(board: Board, sizes: Sequence[Size], classes: Classes | None) -> dict[str, Any]:
    """The same for --json."""
    forms = [
        {
            "options": " ".join(size.form.options),
            "lookups": size.lookups,
            "slots": size.slots,
            "entry_bytes": size.entry,
            "attack_sets": size.sets or None,
            "bytes": size.bytes,
        }
        for size in sizes
    ]
    computed = None if classes is None else {"slots": classes.slots, "bytes": classes.bytes}
    return {"board": str(board), "forms": forms, "computed": computed}
