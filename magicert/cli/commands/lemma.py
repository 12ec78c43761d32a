"""`magicert lemma`: what Z3 proves about a table's formula, for all occupancies."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from magicert.cli.declared import Force, Json, check_output, declared, request_of
from magicert.data import find_table, tables_by_name
from magicert.dataclass import dataclass
from magicert.problem import InputError, Problem, printable
from magicert.requests import words
from magicert.requests.request import File, ShippedName, WholeNumber, budget, option

Told = tuple[int, dict[str, Any], list[str]]
"""The exit status, and the answer as JSON and as lines."""


@dataclass(frozen=True, slots=True)
class LemmaOptions:
    """What is to be proved, of a table or of a shape."""

    table: Path | None = option(
        None, kind=ShippedName(None, tables_by_name, find_table), argument=True
    )
    shape: str | None = option(
        None, 'Ray lengths such as "3,2", instead of a table.', metavar="LENGTHS"
    )
    bits: int | None = option(None, "Index bits; for --shape.", WholeNumber(1, 12))
    proof: Path | None = option(
        None, "With --shape: write a proof that a verified checker accepts.", File(output=True)
    )
    seconds: float | None = budget(panel=None)
    memory: int | None = words.memory(panel=None)


@click.command("lemma")
@declared(LemmaOptions, Force, Json)
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
    from magicert.show.document import PlainDocument, tell

    asked = request_of(LemmaOptions, given)
    if (asked.table is None) == (asked.shape is None):
        raise click.UsageError("expected a TABLE, or --shape")
    if asked.proof is not None:
        if asked.shape is None:
            raise click.UsageError("--proof: expected together with --shape")
        check_output(asked.proof, [], force=given["force"])
    if asked.table is None and asked.bits is None:
        raise InputError([Problem("expected --bits with a shape", key=f"shape {asked.shape}")])
    status, told, lines = _about_shape(asked) if asked.table is None else _about_table(asked)
    tell(PlainDocument(lines, lambda: told), as_json=given["as_json"])
    sys.exit(status)


def _about_table(asked: LemmaOptions) -> Told:
    assert asked.table is not None
    from magicert.cli.progress import ProgressDisplay
    from magicert.jobs.read_sources import table_from
    from magicert.outcome import Unknown
    from magicert.show.answers import outcome_json
    from magicert.z3models.solvers.child import missing

    try:
        from magicert.z3models.lemmas import LEMMAS, RELIED_ON, Findings, LemmaQuestion, prove
    except ImportError as error:
        raise missing(error) from None

    read = table_from(asked.table, ProgressDisplay).table
    with ProgressDisplay(f"lemmas about {asked.table.name}", "lemmas") as observer:
        result = prove(LemmaQuestion(read, asked.seconds, asked.memory), observer)
    if not isinstance(result, Findings):
        assert isinstance(result, Unknown)
        line = f"unknown  {printable(read.name)}: {result.reason}: {result.progress}"
        return result.exit_status, outcome_json(result), [line]
    status = 0
    lines, told = [], []
    for finding in result.findings:
        refuted, unknown = finding.counterexamples, finding.undecided
        verdict = "refuted" if refuted else "unknown" if unknown else "proved"
        squares = f"{finding.proved} of {finding.asked} squares"
        statement = LEMMAS[finding.lemma][0]
        told.append({"verdict": verdict, "statement": statement, **asdict(finding)})
        lines.append(f"{verdict:<8} {finding.piece} {finding.lemma}: {statement} ({squares})")
        lines += [f"         {square}: {text}" for square, text in (*refuted[:1], *unknown[:1])]
        if finding.lemma in RELIED_ON:
            # A refutation outweighs what is unknown.
            status = 1 if refuted or status == 1 else 3 if unknown else status
    return status, {"table": read.name, "lemmas": told}, lines


def _about_shape(asked: LemmaOptions) -> Told:
    assert asked.shape is not None
    assert asked.bits is not None
    from magicert.cell import Shape, parse_rays
    from magicert.cli.progress import ProgressDisplay
    from magicert.outcome import Impossible, Unknown
    from magicert.show.answers import outcome_json
    from magicert.z3models.solvers.child import missing

    shape = Shape(parse_rays(asked.shape), asked.bits)
    try:
        from magicert.z3models.shape import ShapeQuestion, Words, settle_shape
    except ImportError as error:
        raise missing(error) from None

    with ProgressDisplay(str(shape)) as observer:
        if asked.proof is None:
            question = ShapeQuestion(shape, asked.seconds, asked.memory)
            result = settle_shape(question, observer)
        else:
            # It needs more than Z3: only who asks for a proof has to have that.
            from magicert.jobs.prove import ProofWanted, prove

            wanted = ProofWanted(shape, asked.proof, seconds=asked.seconds, memory=asked.memory)
            result = prove(wanted, observer)
    about = {"shape": asked.shape, "bits": asked.bits, "squares": [*shape.named]}
    match result:
        case Impossible():
            return 0, about | outcome_json(result), [
                f"proved   {shape}: no square of this shape has a magic, white scheme",
                f"         {result.argument}",
                f"         settles {', '.join(shape.named) or 'no square of the board'}",
            ]  # fmt: skip
        case Words():
            words = [f"{word:#018x}" for word in result.words]
            return 1, about | {"outcome": "refuted", "words": words}, [
                f"refuted  {shape}: free words satisfy it, so nothing follows",
                *(f"         word {word}" for word in words),
            ]  # fmt: skip
    assert isinstance(result, Unknown)
    line = f"unknown  {shape}: {result.reason}"
    return result.exit_status, about | outcome_json(result), [line]
