"""`magicert check`: does a certificate show what it claims?"""

import sys
from typing import Any

import click

from magicert.cli.declared import Json, declared, request_of
from magicert.problem import InputError, printable
from magicert.requests.check import Check, CheckedCertificate
from magicert.show.document import PlainDocument, bad_data, echo_json, tell

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
    names, as_json = given.pop("certificate"), given.pop("as_json")
    statuses, told = [], []
    for name in names:
        document, status = answered(name, given)
        statuses.append(status)
        if as_json:
            told.append(document.data())
        else:
            tell(document, as_json=False)
    if as_json:
        echo_json({"checked": told})
    sys.exit(max(statuses, key=(0, 3, 1, 2).index))


def answered(name: str, given: dict[str, Any]) -> tuple[PlainDocument, int]:
    """Check one: its document, and the exit status. What is wrong with it does not stop others."""
    from magicert.show.progress import ProgressDisplay

    try:
        asked = request_of(Check, {**given, "certificate": name})
        checked = asked.run(ProgressDisplay)
    except InputError as error:
        data = {"file": name, **bad_data(error.problems)}
        return PlainDocument((), lambda: data, [str(error)]), error.exit_status
    return document_of(asked, checked), asked.exit_status(checked)


def document_of(asked: Check, checked: CheckedCertificate) -> PlainDocument:
    """What came of one certificate."""
    magics = [[f"{magic:#018x}" for magic in interval] for interval in checked.magics]
    return PlainDocument(
        [f"{checked.verdict:<8} {printable(asked.path)}: {checked.said}",
         *(f"  {line}" for line in checked.lines)],
        lambda: {
            "file": str(asked.path), "verdict": checked.verdict, "claim": checked.claim,
            "evidence": checked.evidence, "magics": magics,
            "said": [checked.said, *checked.lines], "problems": checked.problems,
        },
        [f"  {text}" for text in checked.problems[:SHOWN_PROBLEMS]],
    )  # fmt: skip
