"""`magicert find`: a magic for a square. `disprove` has its options, and shows its answers so."""

from typing import TYPE_CHECKING, Any

import click

from magicert.arguments import LOWEST_BIT
from magicert.commands.command import Answer, command, option
from magicert.commands.options import (
    QUESTION,
    WORK,
    PieceName,
    SquareName,
    Unsigned,
    bits,
    board,
    budget,
    cluster,
    engine,
    engine_options,
    largest_index,
    ledger,
    memory,
    order,
    scheme,
    seed,
    show_engine_options,
    workers,
)
from magicert.show.outputs import check_output
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.api.find import Question

OPTIONS = (
    click.argument("piece", type=PieceName(others=(LOWEST_BIT,)), required=False),
    click.argument("square", type=SquareName(), required=False),
    bits(),
    scheme(),
    board(),
    order(),
    largest_index(),
    engine(),
    option("--search", is_flag=True, panel=WORK, seldom=True,
           help="Search even if the answer is known."),
    engine_options(),
    budget(),
    memory(),
    seed(),
    workers(),
    ledger(),
    cluster(),
)  # fmt: skip
"""What `find` and `disprove` have in common: the fields of a `Question`."""


def about_a_square(work: Any) -> Any:  # noqa: ANN401
    """The decorator of these options."""
    for decorate in reversed(OPTIONS):
        work = decorate(work)
    return work


@command("find", force=True)
@about_a_square
@option("--all", "all_magics", is_flag=True, panel=QUESTION,
        help="All magics of this square and number of bits.")  # fmt: skip
@option("--magic", type=Unsigned(64, "0x1f"), metavar="NUMBER", panel=QUESTION,
        help="Only check this number, for all occupancies.")  # fmt: skip
def run(force: bool, **fields: Any) -> Answer:  # noqa: ANN401
    """Find a magic for one square, or prove that there is none.

    For example:

        magicert find rook e4
        magicert find rook a8 --order a8
        magicert find bishop d8 --bits 4
        magicert find pR e5 --board 9x10

    Known answers come from the shipped results. --search, --engine, an option of the engine or
    --all search anyway. Magics of all squares, as a table: magicert find-set.

    Every magic is checked for all occupancies before it is printed.

    With --magic the number is only checked. magicert find lowest-bit looks for the multiplier
    of a bit scan, which gives each of 64 words with a single bit a different index
    (docs/finders.md).

    Exit status: 0 found, 1 proved impossible or no magic, 2 bad input, 3 unknown.
    """
    show_engine_options(fields)
    from magicert.api.find import Question

    return answer_of(Question(**fields), force=force)


def answer_of(question: "Question", *, force: bool) -> Answer:
    """Say what is known, ask, and show the answer."""
    from magicert.api.find import answer
    from magicert.show.answers import answer_json, answer_lines

    for path in question.engine_outputs:
        check_output(path, [question.ledger], force=force)
    known = question.known()
    if known is not None:
        say_at_once(f"known: {known.line}")
    with ProgressDisplay(question.title) as observer:
        answered = answer(question, observer)
    return Answer(
        answered.kind,
        answer_lines(question, answered),
        lambda: answer_json(question, answered),
    )


def say_at_once(line: str) -> None:
    """A line of the answer before the rest is there; with --json all is one document."""
    if not click.get_current_context().params["as_json"]:
        click.echo(line)
