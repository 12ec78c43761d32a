"""A set of magics for people: whole, or what there is of it."""

from pathlib import Path

import rich_click as click

from magicert.board import square_name
from magicert.jobs.find_set import SetFound, SetLeft
from magicert.outcome import Exists, Impossible, Unknown

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
    return Exists.exit_status


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
    return Impossible.exit_status if result.impossible else Unknown.exit_status
