"""`magicert lemma`: what Z3 proves about a table's formula, for all 2^64 occupancies."""

import sys
from pathlib import Path

import rich_click as click

from magicert.cli.arguments import TableType
from magicert.cli.find import CommandObserver, duration


@click.command("lemma")
@click.argument("table", type=TableType())
@click.option("--timeout", callback=duration, metavar="TIME", help="For all proofs: 90s, 10m.")
@click.option("--memory", type=click.IntRange(min=64), help="Limit, in MiB.")
def command(table: Path, timeout: float | None, memory: int | None) -> None:
    r"""Prove lemmas about a table's index formula, for all 2^64 occupancies at once.

    \b
    mask      no square outside the mask changes the index
    bound     the index stays below 2^bits, whatever stands on the board
    period    the magic matters only modulo the LCM period 2^(64 - ctz(mask))
    constant  black is white with a constant added

    What does not hold is shown with a counterexample. An engine relies on the first two;
    the others are facts about the scheme (black schemes have no LCM period).

    \b
    magicert lemma my-engine.toml
    magicert lemma shakmaty

    Exit status: 0 mask and bound are proved, 1 one of them is refuted, 2 bad input, 3 unknown.
    """
    from magicert.outcome import Unknown
    from magicert.table import read_table
    from z3models.engine_lemma import Asked, Findings, prove
    from z3models.lemmas import LEMMAS, RELIED_ON

    read = read_table(table).table
    with CommandObserver(f"lemmas about {table.name}") as observer:
        result = prove(Asked(read, timeout, memory), observer)
    if not isinstance(result, Findings):
        assert isinstance(result, Unknown)
        click.echo(f"unknown  {read.name}: {result.reason}: {result.progress}")
        sys.exit(result.exit_status)
    status = 0
    for finding in result.findings:
        refuted, unknown = finding.counterexamples, finding.undecided
        verdict = "refuted" if refuted else "unknown" if unknown else "proved"
        squares = f"{finding.proved} of {finding.asked} squares"
        statement = LEMMAS[finding.lemma][0]
        click.echo(f"{verdict:<8} {finding.piece} {finding.lemma}: {statement} ({squares})")
        for square, text in (*refuted[:1], *unknown[:1]):
            click.echo(f"         {square}: {text}")
        if finding.lemma in RELIED_ON:
            # A refutation outweighs what is unknown.
            status = 1 if refuted or status == 1 else 3 if unknown else status
    sys.exit(status)
