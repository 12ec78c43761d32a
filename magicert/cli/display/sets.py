"""A set of magics for people: whole, or what there is of it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import square_name
from magicert.jobs.sets.chess import SetFound, SetLeft
from magicert.outcome import Impossible, Unknown
from magicert.problem import printable
from magicert.search.sets.magic_list import Magic

if TYPE_CHECKING:
    from magicert.jobs.sets.boards import BoardSetFound, BoardSetLeft

SHOWN = 8
"""Squares without a magic that are named one by one."""
Name = Callable[[int], str]
"""The name of a square."""


def show_set(result: SetFound | SetLeft, output: Path | None) -> int:
    """Show a set; its exit status. Without an output file the table goes to stdout."""
    if isinstance(result, SetLeft):
        return show_left(result, f"of {result.scheme}", square_name, 18)
    heading = f"EXISTS set of {result.scheme}, {result.squares} squares"
    return show_whole(result, [heading, *(f"  {size}" for size in result.sizes)], output)


def show_whole(
    result: "SetFound | BoardSetFound", heading: Sequence[str], output: Path | None
) -> int:
    """Show a whole set below its heading; its exit status."""
    lines = [
        *heading,
        f"  verified exhaustively, {result.lookups:,} lookups; seconds {result.seconds:.3g}",
    ]
    if output is None:
        click.echo(result.text, nl=False)
    else:
        lines.append(f"  written to {printable(output)}")
    click.echo("\n".join(lines), err=output is None)
    return result.exit_status


def show_left(result: "SetLeft | BoardSetLeft", which: str, name: Name, digits: int) -> int:
    """Show what there is of a set, magics as hexadecimal text of so many characters at least;
    its exit status.
    """
    verdict = "IMPOSSIBLE" if result.impossible else "UNKNOWN"
    click.echo(f"{verdict} set {which}: {len(result.magics)} of {result.squares}")
    for (piece, square), outcome in list(result.left.items())[:SHOWN]:
        match outcome:
            case Impossible(argument=reason) | Unknown(reason=reason):
                click.echo(f"  {piece} {name(square)}: {reason}", err=True)
    if len(result.left) > SHOWN:
        click.echo(f"  and {len(result.left) - SHOWN} more squares", err=True)
    for (piece, square), magic in sorted(result.magics.items()):
        click.echo(f"  {piece} {name(square)} {magic.bits} {magic.magic:#0{digits}x}")
    if result.partial is not None:
        click.echo(
            f"kept in {printable(result.partial)}: the same command resumes from it", err=True
        )
    return result.exit_status


def set_json(result: SetFound | SetLeft, output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square, and the table where it is whole."""
    about: dict[str, Any] = {"scheme": result.scheme, "squares": result.squares}
    about["magics"] = magics_json(result.magics, square_name, 18)
    if isinstance(result, SetFound):
        written = None if output is None else str(output)
        figures = {"lookups": result.lookups, "seconds": result.seconds, "output": written}
        return {"outcome": "exists", **about, **figures}
    return left_json(result, about, square_name)


def magics_json(
    magics: Mapping[Any, Magic], name: Name, digits: int
) -> dict[str, dict[str, dict[str, Any]]]:
    """Magics by piece and square."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for (piece, square), magic in sorted(magics.items()):
        one = {"bits": magic.bits, "magic": f"{magic.magic:#0{digits}x}"}
        found.setdefault(str(piece), {})[name(square)] = one
    return found


def left_json(
    result: "SetLeft | BoardSetLeft", about: Mapping[str, Any], name: Name
) -> dict[str, Any]:
    """What there is of a set, and why the other squares are open."""
    left = {
        f"{piece} {name(square)}": outcome.reason
        if isinstance(outcome, Unknown)
        else str(getattr(outcome, "argument", ""))
        for (piece, square), outcome in result.left.items()
    }
    kept = None if result.partial is None else str(result.partial)
    outcome = "impossible" if result.impossible else "unknown"
    return {"outcome": outcome, **about, "left": left, "kept": kept}
