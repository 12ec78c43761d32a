"""`magicert pack`: the smallest buffer that can be found in a given time."""

import sys
from typing import Any

import click

from magicert.board import Piece
from magicert.cli.declared import Force, Json, check_outputs, declared, request_of
from magicert.requests.pack import Pack


@click.command("pack")
@declared(Pack, Json, Force)
def command(**given: Any) -> None:  # noqa: ANN401
    """Pack all attack sets into the smallest shared buffer that the budget allows.

    The best layout so far is always on disk, verified, with its certificate. The same
    seed, workers and rounds give the same layout; --budget only limits the rounds.

        magicert pack --budget 10m --workers 2
        magicert pack --scheme white --budget 1h -o mine.toml
        magicert pack --from shakmaty --budget 1h -o shorter.toml
        magicert pack --from mine.toml --resume --budget 8h -o mine.toml
        magicert pack --layered --budget 10m -o layered.toml
        magicert pack --two-level overlaid --budget 20m -o levels.toml

    From nothing the first layout takes some minutes; a smaller budget ends before it.

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import tell
    from magicert.show.packing import packing_document

    asked = request_of(Pack, given)
    refuse_outputs(asked, force=given["force"])
    outcome = asked.run(ProgressDisplay)
    tell(packing_document(outcome, asked), as_json=given["as_json"])
    sys.exit(asked.exit_status(outcome.kind))


def refuse_outputs(asked: Pack, *, force: bool) -> None:
    """Refuse to write over the table given, unless to go on with it, or over what is not
    magicert's.
    """
    output = asked.path
    beside = [output.with_suffix(".certificate.json"), output.with_suffix(".svg")]
    if asked.numbers is not None:
        from magicert.compact.layouts import sidecars

        second = output.with_name(f"{output.stem}-two-level.toml")
        beside += [second, second.with_suffix(".certificate.json")]
        if not second.exists():  # buffers say of themselves whose they are only through it
            beside += sidecars(second, tuple(Piece))
    if output in beside:
        raise click.UsageError(f"--output {output}: the map of the buffer goes there")
    source = None if asked.resume else asked.given
    check_outputs(asked, force=force, also=beside, inputs=[source] if source else [])
