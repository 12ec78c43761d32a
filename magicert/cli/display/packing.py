"""What packing came to, for --json."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from magicert.jobs.packing.pack import Packed, Packing, PackOutcome


def pack_json(outcome: "PackOutcome", asked: "Packing", picture: "Path | None") -> dict[str, Any]:
    """The outcome ("packed", "interrupted", "impossible", "unknown"), and the layout if any."""
    from magicert.jobs.packing.pack import Interrupted, Packed
    from magicert.outcome import Impossible

    match outcome:
        case Packed():
            return {
                "outcome": _word(outcome),
                "output": str(asked.output),
                **_layout(outcome, picture),
            }
        case Interrupted():
            saved = str(asked.output) if outcome.on_disk else None
            return {"outcome": "interrupted", "output": saved}
        case Impossible():
            return {"outcome": "impossible", "argument": outcome.argument}
    return {"outcome": "unknown", "reason": outcome.reason}


def _word(packed: "Packed") -> str:
    if packed.stopped == "interrupted":
        return "interrupted"
    return "packed" if packed.within_limit else "unknown"


def _layout(packed: "Packed", picture: "Path | None") -> dict[str, Any]:
    layout, second, shorter = packed.layout, packed.second, packed.shorter
    return {
        "scheme": layout.scheme,
        "entries": layout.length,
        "used": layout.used_slots,
        "holes": layout.holes,
        "first": packed.first,
        "bound": packed.bound,
        "rounds": packed.rounds,
        "stopped": packed.stopped,
        "limit": packed.limit,
        "exact": None if packed.exact is None else str(packed.exact),
        "two_level": second and {"output": str(second.path), "bytes": second.bytes},
        "picture": picture and str(picture),
        "shorter": shorter and {"table": shorter[0], "entries": shorter[1]},
    }
