"""Ask, and show the answer: about a square, about keys, with a proof, or for a set."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import CHESS
from magicert.cell import Slider
from magicert.cli.commands.finding.wanted import wanted_of
from magicert.square_order import FILES, ORDERS, names_in

if TYPE_CHECKING:
    from magicert.cell import Cell
    from magicert.jobs.find import Answer, Wanted
    from magicert.jobs.sets.chess import SetWanted

PROOF_ENGINE = "sat"
"""The engine whose solvers write proofs."""


def settle(wanted: "Wanted", order: str, as_json: bool) -> int:
    """Say what is known, ask, show the answer; its exit status for `find`."""
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.engine import Quiet
    from magicert.jobs.find import find

    known = say_known(wanted, as_json)
    if wanted.answer is not None:
        return show_answer(find(wanted, Quiet()), known, order, as_json)
    with ProgressDisplay(f"{wanted.engine_name}: {title(wanted.cell, order)}") as display:
        answer = find(wanted, display)
    return show_answer(answer, known, order, as_json)


def say_known(wanted: "Wanted", as_json: bool) -> str:
    """What the atlas says, at once; "" where that is nothing."""
    known = wanted.known
    if known is not None and not as_json:
        click.echo(f"known: {known.said}")
    return "" if known is None else known.said


def title(cell: "Cell", order: str) -> str:
    """The cell as the user calls it: in the user's order."""
    if not isinstance(cell.about, Slider) or order == ORDERS[0]:
        return str(cell)
    name = names_in(order, CHESS)[cell.about.square]
    shown = f"{cell.about.piece} {name} (bit {cell.about.square} of order {order})"
    return str(cell).replace(str(cell.about), shown, 1)


def settle_keys(given: dict[str, Any], *, everything: bool, proof: bool) -> int:
    """Ask about keys, show the answer; its exit status for `find`."""
    from magicert.cell.key_file import read_keys
    from magicert.cli.display.keys import show_keys
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.keyed.find_keys import find_keys

    file = read_keys(given["keys"])
    wanted = wanted_of(given, everything=everything, proof=proof, about=file.keys)
    if proof and wanted.bits is None:
        wanted = replace(wanted, bits=file.keys.least_bits)
    with ProgressDisplay(f"{file.keys}") as display:
        answer = find_keys(wanted, display)
    return show_keys(file, answer, given["as_json"])


def prove_with(wanted: "Wanted", order: str, output: Path, as_json: bool) -> int:
    """Write a proof to `output`, show the answer; its exit status for `find`."""
    import time

    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.find import Answer
    from magicert.jobs.prove import ProofWanted, prove
    from magicert.z3models.solvers.proving import PROVERS

    others = [f"-O {name}" for name in wanted.options if name != "solver"]
    if wanted.engine not in (None, PROOF_ENGINE) or others:
        what = ", ".join(others) or f"--engine {wanted.engine}"
        message = f"--proof goes with --engine {PROOF_ENGINE} and -O solver only, not with {what}"
        raise click.UsageError(message)
    asked = ProofWanted(
        wanted.cell, output, wanted.options.get("solver", PROVERS[0]),
        wanted.seconds, wanted.memory,
    )  # fmt: skip
    known = say_known(wanted, as_json)
    started = time.monotonic()
    with ProgressDisplay(f"proof: {title(wanted.cell, order)}") as display:
        outcome = prove(asked, display)
    answer = Answer(wanted.cell, PROOF_ENGINE, outcome, time.monotonic() - started)
    return show_answer(answer, known, order, as_json)


def show_answer(answer: "Answer", known: str, order: str, as_json: bool) -> int:
    """Show an answer; its exit status for `find`."""
    from magicert.cli.display.documents import echo_json, outcome_json
    from magicert.cli.display.outcomes import show_outcome

    outcome, cell = answer.outcome, answer.cell
    if as_json:
        asked = {"known": known, **about(answer, order)}
        echo_json({**asked, **outcome_json(outcome), "seconds": answer.seconds})
    else:
        show_outcome(title(cell, order), outcome, answer.seconds, use(answer, order))
    return outcome.exit_status


def use(answer: "Answer", order: str) -> list[str]:
    """What a magic is used with: mask, shift and square order, for people."""
    from magicert.outcome import Exists

    outcome, cell = answer.outcome, answer.cell
    if not isinstance(outcome, Exists) or outcome.mask is None:
        return []
    lines = [f"mask {outcome.mask:#018x}, index {cell.scheme.formula.text}"]
    if outcome.shift is not None:
        lines.append(f"shift {outcome.shift}")
    if isinstance(cell.about, Slider):
        lines.append(f"order {order}: {order.removesuffix(FILES)} is bit 0")
    return lines


def about(answer: "Answer", order: str) -> dict[str, Any]:
    """The question of an answer, for --json."""
    cell = answer.cell
    named = cell.about.named
    if isinstance(cell.about, Slider):
        named |= {"square": names_in(order, CHESS)[cell.about.square], "order": order}
    return {
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        **named,
        "bits": cell.bits,
        "largest_index": cell.last_index,
        "engine": answer.engine,
    }


def settle_set(wanted: "SetWanted", as_json: bool) -> int:
    """Find the set, show what came of it; the exit status."""
    from magicert.cli.display.documents import echo_json
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.cli.display.sets import set_json, show_set
    from magicert.jobs.sets.chess import find_set

    with ProgressDisplay(f"set of {wanted.scheme}", "squares") as display:
        result = find_set(wanted, display)
    if as_json:
        echo_json(set_json(result, wanted.output))
        return result.exit_status
    return show_set(result, wanted.output)
