"""Lemmas about a table or a shape, as a document."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from magicert.outcome import Impossible, Unknown
from magicert.problem import printable
from magicert.requests.lemma import ShapeLemma, TableLemmas, verdict_of
from magicert.show.answers import outcome_json
from magicert.show.document import PlainDocument
from magicert.z3models.lemmas import LEMMAS
from magicert.z3models.shape import Words


def lemma_document(answer: TableLemmas | ShapeLemma) -> PlainDocument:
    """What came of them."""
    if isinstance(answer, ShapeLemma):
        return PlainDocument(_shape_lines(answer), lambda: _shape_data(answer))
    result = answer.result
    if isinstance(result, Unknown):
        line = f"unknown  {printable(answer.name)}: {result.reason}: {result.progress}"
        return PlainDocument([line], lambda: outcome_json(result))
    lines = []
    told: list[dict[str, Any]] = []
    for one in result:
        verdict, statement = verdict_of(one), LEMMAS[one.lemma][0]
        told.append({"verdict": verdict, "statement": statement, **asdict(one)})
        squares = f"{one.proved} of {one.asked} squares"
        lines.append(f"{verdict:<8} {one.piece} {one.lemma}: {statement} ({squares})")
        against = (*one.counterexamples[:1], *one.undecided[:1])
        lines += [f"         {square}: {text}" for square, text in against]
    return PlainDocument(lines, lambda: {"table": answer.name, "lemmas": told})


def _shape_data(answer: ShapeLemma) -> dict[str, Any]:
    shape, result = answer.shape, answer.result
    named = {"shape": answer.text, "bits": shape.bits, "scheme": shape.scheme}
    about = named | {"squares": [*shape.named]}
    if isinstance(result, Words):
        words = [f"{word:#018x}" for word in result.words]
        constant = {"constant": f"{result.constant:#018x}"} if shape.scheme == "black" else {}
        return {**about, "outcome": "refuted", "words": words, **constant}
    return about | outcome_json(result)


def _shape_lines(answer: ShapeLemma) -> Iterator[str]:
    shape, result = answer.shape, answer.result
    match result:
        case Impossible():
            yield f"proved   {shape}: no square of this shape has a magic, {shape.scheme} scheme"
            yield f"         {result.argument}"
            yield f"         settles {', '.join(shape.named) or 'no square of the board'}"
        case Words():
            yield f"refuted  {shape}: free words satisfy it, so nothing follows"
            yield from (f"         word {word:#018x}" for word in result.words)
            if shape.scheme == "black":
                yield f"         constant {result.constant:#018x}"
        case Unknown():
            yield f"unknown  {shape}: {result.reason}"
