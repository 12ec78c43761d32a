"""`magicert pack --two-level overlaid`: what is asked, and what came of it."""

from typing import Any

import click

from magicert.cli.display.documents import echo_json
from magicert.cli.display.layered import no_table_document, options_given, refuse_options
from magicert.cli.display.progress import ProgressDisplay
from magicert.problem import printable

NOT_FOR_OVERLAID = {
    "pieces": "both", "fixed_shift": True, "rook_bits": None, "bishop_bits": None, "half": False,
    "apart": False, "private": False, "pools": None, "exact": None,
}  # fmt: skip
"""Options that such a table does not have, as they are if nobody gives them."""


def pack_overlaid_command(given: dict[str, Any], *, as_json: bool) -> int:
    """Pack and say what came of it; the exit status.

    Raises click.UsageError for an option that does not go together with --two-level overlaid.
    """
    from magicert.jobs.packing.overlaid import Overlaid, OverlaidPacking, pack_overlaid
    from magicert.show.buffers import write_map

    wrong = options_given(given, NOT_FOR_OVERLAID)
    if given["scheme"] == "white" and given["source"] is None:
        wrong.append("--scheme white without --from")
    refuse_options(wrong, "--two-level overlaid")
    left_out = {*NOT_FOR_OVERLAID, "two_level"}
    asked = OverlaidPacking(**{k: v for k, v in given.items() if k not in left_out})
    outcome = pack_overlaid(asked, ProgressDisplay)
    picture = write_map(asked.output) if isinstance(outcome, Overlaid) else None
    if as_json:
        echo_json(_document(outcome, str(asked.output)) | {"picture": picture and str(picture)})
        return outcome.exit_status
    for line in _lines(outcome, str(asked.output)):
        click.echo(line)
    if picture is not None:
        click.echo(f"  {printable(picture)}: a map of the bytes")
    return outcome.exit_status


def _lines(outcome: Any, output: str) -> list[str]:  # noqa: ANN401
    from magicert.jobs.packing.overlaid import Overlaid
    from magicert.outcome import Impossible, Unknown

    match outcome:
        case Impossible():
            return [f"IMPOSSIBLE {outcome.argument}"]
        case Unknown():
            return [f"UNKNOWN {outcome.reason}"]
        case Overlaid():
            lines = [
                f"{printable(output)}: {outcome.bytes:,} bytes in both levels ({outcome.scheme}): "
                f"{outcome.entries:,} entries, {outcome.words:,} words",
                f"  a word serves {outcome.demand / outcome.words:.1f} attack sets, "
                f"{128 - outcome.parties} pairs of rooks share bytes; "
                f"{outcome.rounds} rounds, stopped: {outcome.stopped}",
            ]
            if outcome.stopped == "interrupted":
                lines.append(
                    f"interrupted: {printable(output)} has the best so far (--resume goes on)"
                )
            elif not outcome.within_limit:
                lines.append(
                    f"UNKNOWN at most {outcome.limit:,} bytes: the best found has "
                    f"{outcome.bytes:,}; no proof that none has fewer"
                )
            return lines
        case _:
            return ["interrupted before there was a table"]


def _document(outcome: Any, output: str) -> dict[str, Any]:  # noqa: ANN401
    from magicert.jobs.packing.overlaid import Overlaid

    if not isinstance(outcome, Overlaid):
        return no_table_document(outcome)
    return {
        "outcome": "packed" if outcome.within_limit else "unknown",
        "output": output,
        "scheme": outcome.scheme,
        "bytes": outcome.bytes,
        "entries": outcome.entries,
        "words": outcome.words,
        "rounds": outcome.rounds,
        "stopped": outcome.stopped,
        "limit": outcome.limit,
    }
