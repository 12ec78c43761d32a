"""What commands print with --json."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from magicert.show.render import echo_json

if TYPE_CHECKING:
    from magicert.outcome import Outcome

__all__ = ["echo_json", "outcome_json"]


def outcome_json(outcome: "Outcome") -> dict[str, Any]:
    """The outcome of a cell; magics as 0x and 16 digits."""
    from magicert.outcome import Exists, Impossible

    match outcome:
        case Exists():
            said: Mapping[str, Any] = {
                "outcome": "exists",
                "magics": [f"{magic:#018x}" for magic in outcome.magics],
                "complete": outcome.complete,
                "progress": outcome.progress,
                "mask": None if outcome.mask is None else f"{outcome.mask:#018x}",
                "shift": outcome.shift,
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
