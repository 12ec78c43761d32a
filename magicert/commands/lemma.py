"""`magicert lemma`: what Z3 proves about a table's formula, or about all squares of a shape."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.commands.command import Answer, OutputPath, command, only_with, option, refuse
from magicert.commands.options import TABLE, Choice, WholeNumber, budget, memory
from magicert.outcome import Impossible, OutcomeKind, Unknown
from magicert.problem import Problem, printable
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.z3models.lemmas import LemmaResult
    from magicert.z3models.solvers.child import Budget


@command("lemma")
@click.argument("table", type=TABLE, required=False)
@option("--shape", metavar="LENGTHS", help='Ray lengths such as "3,2", instead of a table.')
@option("--bits", type=WholeNumber(1, 12), help="Index bits; for --shape.")
@option("--scheme", type=Choice(["white", "black"]),
        help="white (if not given) or black; for --shape.")  # fmt: skip
@option("--proof", type=OutputPath(), metavar="FILE",
        help="With --shape: write a proof that a verified checker accepts.")  # fmt: skip
@budget(panel="Options")
@memory(panel="Options")
def run(
    table: Path | None, shape: str | None, bits: int | None, scheme: str | None,
    proof: Path | None, seconds: float | None, memory: int | None,
) -> Answer:  # fmt: skip
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
    problems = [Problem("expected a TABLE, or --shape")] * ((table is None) == (shape is None))
    if shape is None:
        problems += only_with("--shape", "bits", "scheme", "proof")
    elif bits is None:
        problems.append(Problem("--shape needs --bits", key=f"shape {shape}"))
    refuse(problems)
    from magicert.z3models.solvers.child import Budget

    limits = Budget(seconds, memory)
    if table is not None:
        return _of_table(table, limits)
    return _of_shape(shape or "", bits or 0, scheme or "white", proof, limits)


def verdict_of(lemma: "LemmaResult") -> str:
    """What is known of one lemma."""
    return "refuted" if lemma.counterexamples else "unknown" if lemma.undecided else "proved"


def _of_table(path: Path, limits: "Budget") -> Answer:
    from magicert.show.answers import outcome_json
    from magicert.verify.source.read import table_from
    from magicert.z3models.lemmas import LEMMAS, RELIED_ON, prove

    table = table_from(path, ProgressDisplay).table
    with ProgressDisplay(f"lemmas about {path.name}", "lemmas") as observer:
        results = prove(table, observer, limits)
    assert isinstance(results, tuple | Unknown)
    if isinstance(results, Unknown):
        unknown = results
        line = f"unknown  {printable(table.name)}: {unknown.reason}: {unknown.progress}"
        return Answer(OutcomeKind.UNKNOWN, [line], lambda: outcome_json(unknown))
    # An engine relies on some of the lemmas: the others decide nothing.
    relied_on = {verdict_of(result) for result in results if result.lemma in RELIED_ON}
    kinds = {"refuted": OutcomeKind.INVALID, "unknown": OutcomeKind.UNKNOWN}
    kind = next((kinds[verdict] for verdict in kinds if verdict in relied_on), OutcomeKind.VALID)

    def lines() -> Iterator[str]:
        for result in results:
            squares = f"{result.proved} of {result.squares} squares"
            statement = LEMMAS[result.lemma][0]
            yield f"{verdict_of(result):<8} {result.piece} {result.lemma}: {statement} ({squares})"
            for square, text in (*result.counterexamples[:1], *result.undecided[:1]):
                yield f"         {square}: {text}"

    def data() -> object:
        rows = [
            {"verdict": verdict_of(result), "statement": LEMMAS[result.lemma][0], **asdict(result)}
            for result in results
        ]
        return {"table": table.name, "lemmas": rows}

    return Answer(kind, lines(), data)


def _of_shape(text: str, bits: int, scheme: str, proof: Path | None, limits: "Budget") -> Answer:
    from magicert.shapes import Shape, parse_rays
    from magicert.show.answers import outcome_json
    from magicert.z3models.shape import FreeWords, settle_shape

    shape = Shape(parse_rays(text), bits, scheme)
    with ProgressDisplay(str(shape)) as observer:
        if proof is None:
            result = settle_shape(shape, observer, limits)
        else:  # it needs more than Z3: only who wants a proof has to have that
            from magicert.api.prove import ProofWanted, prove

            result = prove(ProofWanted(shape, proof, budget=limits), observer)
    about = {"shape": text, "bits": bits, "scheme": scheme, "squares": [*shape.named]}
    match result:
        case Impossible():
            lines = [
                f"proved   {shape}: no square of this shape has a magic, {scheme} scheme",
                f"         {result.argument}",
                f"         settles {', '.join(shape.named) or 'no square of the board'}",
            ]
            return Answer(OutcomeKind.VALID, lines, lambda: about | outcome_json(result))
        case FreeWords():
            words = [f"{word:#018x}" for word in result.words]
            constant = {"constant": f"{result.constant:#018x}"} if scheme == "black" else {}
            lines = [
                f"refuted  {shape}: free words satisfy it, so nothing follows",
                *(f"         word {word}" for word in words),
                *(f"         constant {word}" for word in constant.values()),
            ]
            data = {**about, "outcome": "refuted", "words": words, **constant}
            return Answer(OutcomeKind.INVALID, lines, lambda: data)
    assert isinstance(result, Unknown)
    line = f"unknown  {shape}: {result.reason}"
    return Answer(OutcomeKind.UNKNOWN, [line], lambda: about | outcome_json(result))
