"""Ask, and show the answer: about a square, about keys, with a proof, or for a set."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.cli.commands.finding.wanted import wanted_of

if TYPE_CHECKING:
    from magicert.jobs.find import Answer, Wanted
    from magicert.jobs.sets.chess import SetWanted

PROOF_ENGINE = "sat"
"""The engine whose solvers write proofs."""


def settle(wanted: "Wanted", as_json: bool) -> int:
    """Ask, show the answer; its exit status for `find`."""
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.find import find

    with ProgressDisplay(f"{wanted.engine_name}: {wanted.cell}") as display:
        answer = find(wanted, display)
    return show_answer(answer, as_json)


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


def prove_with(wanted: "Wanted", output: Path, as_json: bool) -> int:
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
    started = time.monotonic()
    with ProgressDisplay(f"proof: {wanted.cell}") as display:
        outcome = prove(asked, display)
    answer = Answer(wanted.cell, PROOF_ENGINE, outcome, time.monotonic() - started)
    return show_answer(answer, as_json)


def show_answer(answer: "Answer", as_json: bool) -> int:
    """Show an answer; its exit status for `find`."""
    from magicert.cli.display.documents import echo_json, outcome_json
    from magicert.cli.display.outcomes import show_outcome

    if as_json:
        echo_json({**about(answer), **outcome_json(answer.outcome), "seconds": answer.seconds})
    else:
        show_outcome(str(answer.cell), answer.outcome, answer.seconds)
    return answer.outcome.exit_status


def about(answer: "Answer") -> dict[str, Any]:
    """The question of an answer, for --json."""
    cell = answer.cell
    return {
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        **cell.about.named,
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
