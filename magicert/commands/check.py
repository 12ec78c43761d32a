"""`magicert check`: does a certificate show what it claims?"""

from pathlib import Path

import click

from magicert.api.check import CheckedCertificate, FurtherChecks, check_file, parse_shards
from magicert.commands.command import Answer, command, option, show
from magicert.commands.options import FILE, ShippedName, WholeNumber, Word
from magicert.data import certificates_by_name, find_certificate
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, printable

SHOWN_PROBLEMS = 20
"""How many problems of a certificate are shown; with --json all are."""
WORST_LAST = (OutcomeKind.VALID, OutcomeKind.UNKNOWN, OutcomeKind.INVALID, OutcomeKind.BAD_INPUT)


class Shards(Word):
    """How many shards: a number, or all; with `ranges` also those from A to B."""

    def __init__(self, *, ranges: bool = False) -> None:
        self.ranges = ranges

    def read(self, text: str, ctx: click.Context | None) -> int | range:
        return parse_shards(text, ranges=self.ranges)


@command("check")
@click.argument(
    "certificates", nargs=-1, required=True, metavar="CERT...",
    type=ShippedName(certificates_by_name, str),
)  # fmt: skip
@option("--replay", type=Shards(ranges=True), metavar="N|A-B|all",
        help="Rebuild N random shards, those from A to B, or all: check their leaves, compare "
        "hashes.")  # fmt: skip
@option("--proved", is_flag=True,
        help="With --replay: have the leaves checked by magicert-proved, whose proof Coq has "
        "checked.")  # fmt: skip
@option("--settled", type=FILE, metavar="FILE", seldom=True,
        help="With --proved: add a line for each shard, so that several machines share a "
        "cell.")  # fmt: skip
@option("--recount", type=Shards(), metavar="N|all",
        help="Count the survivors of the chains of N random shards, or all, apart from the search; "
        "or their slots again.")  # fmt: skip
@option("--sample", type=WholeNumber(1), metavar="N",
        help="Search N small random subtrees of every shard anew: check their leaves, compare "
        "magics.")  # fmt: skip
@option("--seed", type=WholeNumber(0), metavar="N", seldom=True,
        help="Chooses the random shards and subtrees; if not given, others each time.")  # fmt: skip
@option("--magics", "list_magics", is_flag=True, help="List the magics, as intervals.")
def run(
    certificates: tuple[str, ...], replay: int | range | None, proved: bool, settled: Path | None,
    recount: int | None, sample: int | None, seed: int | None, list_magics: bool,
) -> Answer:  # fmt: skip
    """Check certificates: does this square really have no magic but these?

    CERT is a file, or the name of a certificate that ships with magicert: bishop-d1-4 is
    bishop d1 with 4 bits, bishop-d1-4.drup the solver's proof of the same, rook-c2-8.tsv
    what an independent program counted of a chain. An atlas is compared with its files.

    Of a cover every leaf is checked with two multiplications, and that the leaves cover all
    magics. The checker shares no code with the search; docs/cover-certificates.md has the
    format. Of large cells only counts and hashes are kept: --replay rebuilds what they stand
    for, and --sample has leaves written for small subtrees of every shard. Every step of a
    solver's proof is checked by a verified checker.

        magicert check bishop-d1-4
        magicert check my-cell.cover.xz
        magicert check bishop-a5-4 --replay 5
        magicert check bishop-a6-3 --replay all --proved
        magicert check rook-c2-8.tsv --recount 1

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided (leaves are not in the file).
    """
    further = FurtherChecks(replay, proved, settled, recount, sample, seed, list_magics)
    as_json = click.get_current_context().params["as_json"]
    answers = []
    for name in certificates:
        answers.append(_answer(name, further))
        if not as_json:  # each when it is known: a check may take hours
            show(answers[-1], as_json=False)
    worst = max((answer.kind for answer in answers), key=WORST_LAST.index)
    return Answer(worst, data=lambda: {"checked": [answer.data() for answer in answers]})


def _answer(name: str, further: FurtherChecks) -> Answer:
    """Check a certificate. What is wrong with it does not stop others."""
    from magicert.show.document import bad_data
    from magicert.show.progress import ProgressDisplay

    try:
        path = find_certificate(name)
        checked = check_file(path, further, ProgressDisplay)
    except InputError as error:
        data = {"file": name, **bad_data(error.problems)}
        return Answer(OutcomeKind.BAD_INPUT, (), lambda: data, [str(error)])
    lines = [f"{checked.verdict:<8} {printable(path)}: {checked.statement}"]
    lines += [f"  {line}" for line in checked.lines]
    problems = [f"  {text}" for text in checked.problems[:SHOWN_PROBLEMS]]
    return Answer(checked.kind, lines, lambda: _data(path, checked), problems)


def _data(path: Path, checked: CheckedCertificate) -> dict[str, object]:
    magics = [[f"{magic:#018x}" for magic in interval] for interval in checked.magics]
    return {
        "file": str(path), "verdict": checked.verdict, "claim": checked.claim,
        "evidence": checked.evidence, "magics": magics,
        "said": [checked.statement, *checked.lines], "problems": checked.problems,
    }  # fmt: skip
