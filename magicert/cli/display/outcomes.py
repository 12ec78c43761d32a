"""The outcome of "does a magic exist?", as lines or as JSON."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import rich_click as click

if TYPE_CHECKING:
    from magicert.outcome import Outcome


def show_outcome(what: str, outcome: "Outcome", seconds: float) -> None:
    """The first line is for grep: EXISTS, IMPOSSIBLE or UNKNOWN. The last has the figures."""
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
    click.echo("\n".join([*lines, f"  {shown}"]))


def outcome_json(outcome: "Outcome") -> dict[str, Any]:
    """The outcome as plain values; magics as 0x and 16 digits."""
    from magicert.outcome import Exists, Impossible

    match outcome:
        case Exists():
            said: Mapping[str, Any] = {
                "outcome": "exists",
                "magics": [f"{magic:#018x}" for magic in outcome.magics],
                "complete": outcome.complete,
                "progress": outcome.progress,
            }
        case Impossible():
            said = {
                "outcome": "impossible",
                "argument": outcome.argument,
                "evidence": outcome.evidence,
                "certificate": outcome.certificate,
            }
        case _:
            said = {"outcome": "unknown", "reason": outcome.reason, "progress": outcome.progress}
    return {**said, "figures": dict(outcome.figures)}


def echo_json(document: object) -> None:
    """One JSON document on stdout."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(document), indent=1).decode())


def _figure(value: float | int | str) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)
