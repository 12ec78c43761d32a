"""A set of magics for people: whole, or what there is of it."""

from pathlib import Path
from typing import Any

import rich_click as click

from magicert.board import square_name
from magicert.jobs.find_set import SetFound, SetLeft
from magicert.outcome import Impossible, Unknown

SHOWN = 8
"""Squares without a magic that are named one by one."""


def show_set(result: SetFound | SetLeft, output: Path | None) -> int:
    """Show a set; its exit status. Without an output file the table goes to stdout."""
    if isinstance(result, SetLeft):
        return _show_left(result)
    lines = [
        f"EXISTS set of {result.scheme}, {result.squares} squares",
        *(f"  {size}" for size in result.sizes),
        f"  verified exhaustively, {result.lookups:,} lookups; seconds {result.seconds:.3g}",
    ]
    if output is None:
        click.echo(result.text, nl=False)
    else:
        lines.append(f"  written to {output}")
    click.echo("\n".join(lines), err=output is None)
    return result.exit_status


def set_json(result: SetFound | SetLeft, output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square, and the table where it is whole."""
    about: dict[str, Any] = {"scheme": result.scheme, "squares": result.squares}
    magics: dict[str, dict[str, Any]] = {}
    for (piece, square), magic in sorted(result.magics.items()):
        found = {"bits": magic.bits, "magic": f"{magic.magic:#018x}"}
        magics.setdefault(piece.value, {})[square_name(square)] = found
    about["magics"] = magics
    if isinstance(result, SetFound):
        written = None if output is None else str(output)
        figures = {"lookups": result.lookups, "seconds": result.seconds, "output": written}
        return {"outcome": "exists", **about, **figures}
    left = {
        f"{piece} {square_name(square)}": outcome.reason
        if isinstance(outcome, Unknown)
        else str(getattr(outcome, "argument", ""))
        for (piece, square), outcome in result.left.items()
    }
    kept = None if result.partial is None else str(result.partial)
    outcome = "impossible" if result.impossible else "unknown"
    return {"outcome": outcome, **about, "left": left, "kept": kept}


def _show_left(result: SetLeft) -> int:
    verdict = "IMPOSSIBLE" if result.impossible else "UNKNOWN"
    click.echo(f"{verdict} set of {result.scheme}: {len(result.magics)} of {result.squares}")
    for (piece, square), outcome in list(result.left.items())[:SHOWN]:
        match outcome:
            case Impossible(argument=reason) | Unknown(reason=reason):
                click.echo(f"  {piece} {square_name(square)}: {reason}", err=True)
    if len(result.left) > SHOWN:
        click.echo(f"  and {len(result.left) - SHOWN} more squares", err=True)
    for (piece, square), magic in sorted(result.magics.items()):
        click.echo(f"  {piece} {square_name(square)} {magic.bits} {magic.magic:#018x}")
    if result.partial is not None:
        click.echo(f"kept in {result.partial}: the same command resumes from it", err=True)
    return result.exit_status
