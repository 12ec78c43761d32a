"""The outcome of "does a magic exist?", in lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from magicert.outcome import Outcome


def show_outcome(
    what: str, outcome: "Outcome", seconds: float, more: Sequence[str] = (), to_stderr: bool = False
) -> None:
    """The first line is for grep: EXISTS, IMPOSSIBLE or UNKNOWN. The last has the figures; before
    it stands `more`.
    """
    from magicert.outcome import Exists, Impossible

    match outcome:
        case Exists():
            lines = [f"EXISTS {what}", *(f"  magic {magic:#018x}" for magic in outcome.magics)]
            if outcome.complete:
                lines.append(f"  these are all {len(outcome.magics):,}, up to the LCM period")
            elif outcome.progress:
                lines.append(f"  not all of them: {outcome.progress}")
        case Impossible():
            lines = [f"IMPOSSIBLE {what}", f"  {outcome.argument}"]
            lines.append(f"  evidence: {outcome.evidence}")
            lines.append(f"  certificate: {outcome.certificate or 'none'}")
        case _:
            reasons = ": ".join(filter(None, [outcome.reason, outcome.progress]))
            lines = [f"UNKNOWN {what}", f"  {reasons}"]
    figures = {**outcome.figures, "seconds": seconds}
    shown = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
    click.echo("\n".join([*lines, *(f"  {line}" for line in more), f"  {shown}"]), err=to_stderr)


def _figure(value: float | int | str) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)
