"""Pieces of any board: a set of magics, and the bytes of each form of a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rich_click as click

from magicert.board import Board
from magicert.jobs.boards.find_boards import BoardSetFound, BoardSetLeft
from magicert.jobs.boards.sizes import Classes, Size
from magicert.outcome import Impossible, Unknown

SHOWN = 8
"""Squares without a magic that are named one by one."""


def show_set(result: BoardSetFound | BoardSetLeft, output: Path | None) -> int:
    """Show a set; its exit status. Without an output file the table goes to stdout."""
    if isinstance(result, BoardSetLeft):
        return _show_left(result)
    lines = [
        f"EXISTS set of {len(result.magics)} magics on {result.board}",
        *(f"  {size}" for size in result.sizes),
        f"  {result.bytes:,} bytes in all",
        f"  verified exhaustively, {result.lookups:,} lookups; seconds {result.seconds:.3g}",
    ]
    if output is None:
        click.echo(result.text, nl=False)
    else:
        lines.append(f"  written to {output}")
    click.echo("\n".join(lines), err=output is None)
    return result.exit_status


def _show_left(result: BoardSetLeft) -> int:
    verdict = "IMPOSSIBLE" if result.impossible else "UNKNOWN"
    click.echo(f"{verdict} set on {result.board}: {len(result.magics)} of {result.squares}")
    for (piece, square), outcome in list(result.left.items())[:SHOWN]:
        match outcome:
            case Impossible(argument=reason) | Unknown(reason=reason):
                click.echo(f"  {piece} {result.board.name(square)}: {reason}", err=True)
    if len(result.left) > SHOWN:
        click.echo(f"  and {len(result.left) - SHOWN} more squares", err=True)
    for (piece, square), magic in sorted(result.magics.items()):
        click.echo(f"  {piece} {result.board.name(square)} {magic.bits} {magic.magic:#x}")
    if result.partial is not None:
        click.echo(f"kept in {result.partial}: the same command resumes from it", err=True)
    return result.exit_status


def set_json(result: BoardSetFound | BoardSetLeft, output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square."""
    digits = 2 + result.board.word // 4
    magics: dict[str, dict[str, Any]] = {}
    for (piece, square), magic in sorted(result.magics.items()):
        found = {"bits": magic.bits, "magic": f"{magic.magic:#0{digits}x}"}
        magics.setdefault(piece, {})[result.board.name(square)] = found
    about: dict[str, Any] = {"board": str(result.board), "magics": magics}
    if isinstance(result, BoardSetFound):
        written = None if output is None else str(output)
        figures = {"bytes": result.bytes, "lookups": result.lookups, "seconds": result.seconds}
        return {"outcome": "exists", **about, **figures, "output": written}
    left = {
        f"{piece} {result.board.name(square)}": outcome.reason
        if isinstance(outcome, Unknown)
        else str(getattr(outcome, "argument", ""))
        for (piece, square), outcome in result.left.items()
    }
    kept = None if result.partial is None else str(result.partial)
    outcome = "impossible" if result.impossible else "unknown"
    return {"outcome": outcome, **about, "left": left, "kept": kept}


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
