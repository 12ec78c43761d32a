"""`magicert check`: does a certificate show what it claims?"""

import sys
from typing import Any

import click

from magicert.cli.declared import Json, declared, request_of
from magicert.problem import InputError, printable
from magicert.requests.check import Check
from magicert.show.document import bad_data, echo_json

SHOWN_PROBLEMS = 20


@click.command("check")
@declared(Check, Json, several="certificate")
def command(**given: Any) -> None:  # noqa: ANN401
    """Check certificates: does this square really have no magic but these?

    CERT is a file, or the name of a certificate that ships with magicert: bishop-d1-4 is
    bishop d1 with 4 bits, bishop-d1-4.drup the solver's proof of the same, rook-c2-8.tsv
    what an independent program counted of a chain. An atlas is held against its files.

    Of a cover every leaf is checked with two multiplications, and that the leaves cover all
    magics. The checker shares no code with the search; docs/cover-certificates.md has the
    format. Of large cells only counts and hashes are kept: --replay rebuilds what they stand
    for, and --sample has leaves written for small pieces of every shard. Every step of a
    solver's proof is checked by a verified checker.

        magicert check bishop-d1-4
        magicert check my-cell.cover.xz
        magicert check bishop-a5-4 --replay 5
        magicert check bishop-a6-3 --replay all --proved
        magicert check rook-c2-8.tsv --recount 1

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided (leaves are not in the file).
    """
    names = given.pop("certificate")
    told: list[dict[str, Any]] | None = [] if given.pop("as_json") else None
    statuses = [check_one(name, given, told) for name in names]
    if told is not None:
        echo_json({"checked": told})
    sys.exit(max(statuses, key=(0, 3, 1, 2).index))


def check_one(name: str, given: dict[str, Any], told: list[dict[str, Any]] | None) -> int:
    """Check one, and say what came of it, or add it to what is `told` as JSON; the exit status.
    What is wrong with it does not stop the others.
    """
    from magicert.cli.progress import ProgressDisplay

    try:
        asked = request_of(Check, {**given, "certificate": name})
        checked = asked.run(ProgressDisplay)
    except InputError as error:
        if told is None:
            click.echo(error, err=True)
        else:
            told.append({"file": name, **bad_data(error.problems)})
        return error.exit_status
    if told is not None:
        magics = [[f"{magic:#018x}" for magic in interval] for interval in checked.magics]
        own = {"claim": checked.claim, "evidence": checked.evidence, "magics": magics}
        said = {"said": [checked.said, *checked.lines], "problems": checked.problems}
        told.append({"file": str(asked.path), "verdict": checked.verdict, **own, **said})
        return asked.exit_status(checked)
    click.echo(f"{checked.verdict:<8} {printable(asked.path)}: {checked.said}")
    for line in checked.lines:
        click.echo(f"  {line}")
    for text in checked.problems[:SHOWN_PROBLEMS]:
        click.echo(f"  {text}", err=True)
    return asked.exit_status(checked)
