"""`magicert lemma`: what Z3 proves about a table's formula, for all occupancies."""

import sys
from typing import Any

import click

from magicert.cli.declared import Force, Json, check_outputs, declared, request_of
from magicert.problem import InputError, Problem
from magicert.requests.lemma import Lemma


@click.command("lemma")
@declared(Lemma, Force, Json)
def command(**given: Any) -> None:  # noqa: ANN401
    """Prove lemmas about a table's index formula, for all occupancies at once.

    The lemmas:

        mask      no square outside the mask changes the index
        bound     the index stays below 2^bits, whatever stands on the board
        period    the magic matters only modulo the LCM period 2^(64 - ctz(mask))
        fold      what is multiplied tells all subsets of the mask apart
        line      no bit of a layered table's word outside the line matters
        constant  black is white with a constant added

    What does not hold is shown with a counterexample. An engine relies on the first two;
    the others are facts about the scheme (black schemes have no LCM period).

    With --shape, one proof for all squares whose rays have these lengths, whatever the magic.

        magicert lemma my-engine.toml
        magicert lemma shakmaty
        magicert lemma --shape 3,2 --bits 4
        magicert lemma --shape 3,2 --bits 4 --proof shape-3-2.drup.xz

    Exit status: 0 proved (of a table: mask and bound), 1 refuted, 2 bad input, 3 unknown.
    """
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import tell

    asked = request_of(Lemma, given)
    if (asked.table is None) == (asked.shape is None):
        raise click.UsageError("expected a TABLE, or --shape")
    if asked.proof is not None and asked.shape is None:
        raise click.UsageError("--proof: expected together with --shape")
    check_outputs(asked, force=given["force"])
    if asked.shape is not None and asked.bits is None:
        raise InputError([Problem("expected --bits with a shape", key=f"shape {asked.shape}")])
    answer = asked.run(ProgressDisplay)
    from magicert.show.lemmas import lemma_document  # loads Z3

    tell(lemma_document(answer), as_json=given["as_json"])
    sys.exit(answer.exit_status)
