"""`magicert disprove`: that a square has no magic of so many bits."""

from pathlib import Path
from typing import Any

from magicert.commands.command import Answer, OutputPath, command, option
from magicert.commands.find import about_a_square, answer_of
from magicert.commands.options import show_engine_options
from magicert.outcome import OutcomeKind


@command("disprove", success=OutcomeKind.IMPOSSIBLE, force=True)
@about_a_square
@option("--proof", type=OutputPath(), metavar="FILE", recorded=False,
        help="Write a proof that a verified checker accepts (engine sat).")  # fmt: skip
def run(proof: Path | None, force: bool, **fields: Any) -> Answer:  # noqa: ANN401
    """Prove that a square has no magic of so many bits, or find one.

    For example:

        magicert disprove bishop d1 --bits 4
        magicert disprove bishop d1 --bits 4 -O certificate=d1.cover.xz
        magicert disprove bishop d1 --bits 4 --proof bishop-d1-4.drup.xz

    Exit status: 0 proved impossible, 1 a magic exists, 2 bad input, 3 unknown.
    """
    show_engine_options(fields)
    from magicert.api.find import Question

    return answer_of(Question(**fields, proof=proof, wants_proof=True), force=force)
