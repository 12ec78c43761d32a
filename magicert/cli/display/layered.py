"""`magicert pack --layered`: what is asked, and what came of it."""

from typing import Any

import click

from magicert.cli.display.documents import echo_json
from magicert.cli.display.progress import ProgressDisplay
from magicert.problem import printable

NOT_FOR_LAYERS = {
    "pieces": "both", "rook_bits": None, "bishop_bits": None, "half": False,
    "apart": False, "private": False, "pools": None, "two_level": None, "exact": None,
}  # fmt: skip
"""Options that a layered table does not have, as they are if nobody gives them."""


def pack_layered_command(given: dict[str, Any], *, as_json: bool) -> int:
    """Pack and say what came of it; the exit status.

    Raises click.UsageError for an option that does not go together with --layered.
    """
    from magicert.jobs.packing.layered import LayeredPacking, PackedInLayers, pack_layered
    from magicert.outcome import Impossible, Unknown
    from magicert.show.buffers import write_map

    refuse_options(options_given(given, NOT_FOR_LAYERS), "--layered")
    asked = LayeredPacking(**{k: v for k, v in given.items() if k not in NOT_FOR_LAYERS})
    outcome = pack_layered(asked, ProgressDisplay)
    picture = write_map(asked.output) if isinstance(outcome, PackedInLayers) else None
    if as_json:
        echo_json(_document(outcome, str(asked.output)) | {"picture": picture and str(picture)})
        return outcome.exit_status
    match outcome:
        case PackedInLayers():
            layout = outcome.layout
            click.echo(
                f"{printable(asked.output)}: {layout.length:,} entries (layered, {layout.scheme}); "
                f"{outcome.used:,} used; {outcome.rounds} rounds, stopped: {outcome.stopped}"
            )
            if picture is not None:
                click.echo(f"  {printable(picture)}: a map of the buffer")
            if outcome.stopped == "interrupted":
                click.echo(
                    f"interrupted: {printable(asked.output)} has the best so far (--resume goes on)"
                )
            elif not outcome.within_limit:
                click.echo(
                    f"UNKNOWN at most {asked.limit:,} entries: the shortest found has "
                    f"{layout.length:,}; no proof that none is shorter"
                )
        case Impossible():
            click.echo(f"IMPOSSIBLE {outcome.argument}")
        case Unknown():
            click.echo(f"UNKNOWN {outcome.reason}")
        case _:
            click.echo("interrupted before there was a layout")
    return outcome.exit_status


def options_given(given: dict[str, Any], usual: dict[str, Any]) -> list[str]:
    """The options that are not as they are if nobody gives them."""
    return [f"--{name.replace('_', '-')}" for name, value in usual.items() if given[name] != value]


def refuse_options(wrong: list[str], kind: str) -> None:
    """click.UsageError for options that this kind of packing does not have."""
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}: expected none with {kind}")


def no_table_document(outcome: Any) -> dict[str, Any]:  # noqa: ANN401
    """For --json, a packing that came to no table."""
    from magicert.outcome import Impossible, Unknown

    if isinstance(outcome, Impossible):
        return {"outcome": "impossible", "argument": outcome.argument}
    if isinstance(outcome, Unknown):
        return {"outcome": "unknown", "reason": outcome.reason}
    return {"outcome": "interrupted", "output": None}


def _document(outcome: Any, output: str) -> dict[str, Any]:  # noqa: ANN401
    from magicert.jobs.packing.layered import PackedInLayers

    if isinstance(outcome, PackedInLayers):
        layout = outcome.layout
        return {
            "outcome": "packed" if outcome.within_limit else "unknown",
            "output": output,
            "scheme": layout.scheme,
            "entries": layout.length,
            "used": outcome.used,
            "rounds": outcome.rounds,
            "stopped": outcome.stopped,
            "limit": outcome.limit,
        }
    return no_table_document(outcome)
