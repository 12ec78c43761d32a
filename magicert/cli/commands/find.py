"""`magicert find` and `magicert disprove`: ask an engine about one cell, or for a set."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece
from magicert.board.betza import parse_piece
from magicert.cli.commands.finding.boards import check_board, settle_board_set, settle_wide
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import (
    PIECES,
    BoardType,
    NearChoice,
    PieceType,
    cell_arguments,
    values_by_name,
)
from magicert.cli.options.work import (
    CLUSTER,
    ENGINE_OPTION,
    JSON,
    MEMORY,
    SEED,
    TIMEOUT,
    WORKERS,
    file_option,
    keys_option,
    options,
)
from magicert.engine import ENGINES, load

if TYPE_CHECKING:
    from magicert.cell import Subject
    from magicert.jobs.find import Answer, Wanted
    from magicert.jobs.sets.chess import SetWanted

PROOF_ENGINE = "sat"
"""The engine whose solvers write proofs."""

QUESTION = options(
    keys_option("Not a square, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md)."),
    click.option(
        "--bits", type=int, metavar="K",
        help="Index bits; if not given, popcount(mask), or of keys the fewest that are found.",
    ),
    click.option("--scheme", default="white", show_default=True, help="A scheme or a formula."),
    click.option(
        "--board", type=BoardType(), is_eager=True, metavar="FILESxRANKS",
        help="A board such as 9x10; pieces by name or in Betza's notation (docs/boards.md).",
    ),
    click.option("--largest-index", type=int, metavar="N", help="The largest index allowed."),
    panel="The question",
)  # fmt: skip
ALL = options(
    click.option("--all", "everything", is_flag=True, help="All magics of the cell."),
    panel="The question",
)
WORK = options(
    click.option(
        "--engine", type=NearChoice(list(ENGINES)),
        help="If not given: trial; where magics are rare or a proof is wanted, window or z3.",
    ),
    ENGINE_OPTION, TIMEOUT, MEMORY, SEED, WORKERS,
    file_option("--ledger", help="Keep what is done: the same command resumes (window, sat)."),
    CLUSTER, panel="How to answer it",
)  # fmt: skip
"""With the question, what `find` and `disprove` share."""

OF_A_SET = options(
    click.option("--set", "whole_set", is_flag=True, help="All squares, as a table."),
    click.option(
        "--piece", "only_pieces", type=PieceType(PIECES.choices), multiple=True, metavar="PIECE",
        help="One piece only; with --board all pieces, as in rook, or cannon=pR.",
    ),
    click.option(
        "--fixed-shift", is_flag=True,
        help="One shift for all squares (12 bits for rooks, 9 for bishops, or the widest mask).",
    ),
    click.option(
        "--fewer-bits", is_flag=True,
        help="Known magics where fewer than popcount(mask) bits suffice.",
    ),
    file_option("-o", "--output", help="The table file; standard output if not given."),
    panel="A whole set (with --set)",
)  # fmt: skip
OF_A_BOARD = options(
    click.option(
        "--form", type=NearChoice(["whole", "lines"]),
        help="Whole pieces, or each line a piece of its own: one lookup a line, far fewer bytes.",
    ),
    click.option("--two-level", is_flag=True, help="Numbers of 8 or 16 bits; attack sets behind."),
    click.option(
        "--masks", type=NearChoice(["usual", "least"]),
        help="Least masks (if not given) leave out squares that cannot matter.",
    ),
    click.option("--sizes", is_flag=True, help="Only show the bytes that each form takes."),
    panel="A set of another board (with --set --board)",
)  # fmt: skip


@click.command("find")
@cell_arguments(required=False)
@QUESTION
@ALL
@OF_A_SET
@OF_A_BOARD
@WORK
@JSON
@FORCE
def command(**given: Any) -> None:  # noqa: ANN401
    """Find a magic for one square, or prove that there is none; or find a whole set.

    For example:

        magicert find rook e4
        magicert find bishop d8 --bits 4
        magicert find --set -o table.toml
        magicert find --set --piece rook --scheme two-halves --fixed-shift -o table.toml
        magicert find --set --board 9x10 --piece rook --piece cannon --form lines -o xiangqi.toml
        magicert find pR e5 --board 9x10

    Every magic is checked for all occupancies before it is printed. An interrupted set
    prints what it has and keeps it beside the output; the same command resumes from there.

    The keys of a file are hashed by the same product: keys without values get indexes of their
    own, of keys with values those with different ones. Without --bits the fewest that hold them
    are tried first:

        magicert find --keys words.txt

    Exit status: 0 found, 1 proved impossible, 2 bad input, 3 unknown.
    """
    if "help" in given["given"]:
        show_engine_options(given["engine"])
        return
    check_usage(given)
    check_outputs(given)
    if given["keys"] is not None:
        sys.exit(settle_keys(given, everything=given["everything"], proof=given["everything"]))
    if given["whole_set"] and given["board"] is not None:
        sys.exit(settle_board_set(given))
    if given["board"] is not None and given["board"].word > 64:
        sys.exit(settle_wide(given))
    if given["whole_set"]:
        sys.exit(settle_set(set_of(given), given["as_json"]))
    wanted = wanted_of(given, everything=given["everything"], proof=given["everything"])
    sys.exit(settle(wanted, given["as_json"]))


@click.command("disprove")
@cell_arguments(required=False)
@QUESTION
@WORK
@file_option("--proof", help="Write a proof that a verified checker accepts (engine sat).")
@JSON
@FORCE
def disprove(**given: Any) -> None:  # noqa: ANN401
    """Prove that a square, or a file of keys, has no magic of so many bits, or find one.

    For example:

        magicert disprove bishop d1 --bits 4
        magicert disprove bishop d1 --bits 4 --engine window -O certificate=d1.cover.xz
        magicert disprove bishop d1 --bits 4 --proof bishop-d1-4.drup.xz
        magicert disprove --keys words.txt --bits 5

    Exit status: 0 proved impossible, 1 a magic exists, 2 bad input, 3 unknown.
    """
    if "help" in given["given"]:
        show_engine_options(given["engine"])
        return
    check_board(given)
    check_subject(given)
    check_outputs(given)
    if given["keys"] is not None:
        status = settle_keys(given, everything=False, proof=True)
        sys.exit({0: 1, 1: 0}.get(status, status))
    if given["board"] is not None and given["board"].word > 64:
        status = settle_wide(given)
        sys.exit({0: 1, 1: 0}.get(status, status))
    wanted = wanted_of(given, everything=False, proof=True)
    if given["proof"] is None:
        status = settle(wanted, given["as_json"])
    else:
        status = prove_with(wanted, given["proof"], given["as_json"])
    sys.exit({0: 1, 1: 0}.get(status, status))


def check_usage(given: dict[str, Any]) -> None:
    """Refuse options that do not go together. Raises click.UsageError."""
    check_board(given)
    if not given["whole_set"]:
        of_a_set = {
            "--piece": "only_pieces",
            "--fixed-shift": "fixed_shift",
            "--fewer-bits": "fewer_bits",
            "--output": "output",
            "--form": "form",
            "--two-level": "two_level",
            "--masks": "masks",
            "--sizes": "sizes",
        }
        alone = [shown for shown, name in of_a_set.items() if given[name]]
        if alone:
            raise click.UsageError(f"{', '.join(alone)}: expected together with --set")
        check_subject(given, "or --set")
        return
    if given["keys"] is not None:
        raise click.UsageError("--set is for all squares: not together with --keys")
    if given["piece"] is not None:
        raise click.UsageError("--set is for all squares: expected --piece rook, not PIECE SQUARE")
    of_a_square = {
        "--all": given["everything"],
        "--largest-index": given["largest_index"] is not None,
        "--ledger": given["ledger"],
        "--cluster": given["cluster"],
    }
    for shown, is_given in of_a_square.items():
        if is_given:
            raise click.UsageError(f"{shown} is for one square: not together with --set")
    ways = [given["bits"] is not None, given["fixed_shift"], given["fewer_bits"]]
    if sum(ways) > 1:
        raise click.UsageError("expected one of --bits, --fixed-shift and --fewer-bits")


def check_subject(given: dict[str, Any], other: str = "") -> None:
    """Refuse anything but a square or keys. Raises click.UsageError."""
    has_square = given["piece"] is not None and given["square"] is not None
    if given["keys"] is None and not has_square:
        ways = ", ".join(filter(None, ["expected PIECE and SQUARE, or --keys FILE", other]))
        raise click.UsageError(ways)
    if given["keys"] is not None and given["piece"] is not None:
        raise click.UsageError("--keys is for no square: expected --keys FILE, or PIECE SQUARE")
    if given["keys"] is not None and given.get("proof") is not None:
        raise click.UsageError("--proof is for squares: expected -O certificate=FILE with --keys")
    certificate = "certificate" in values_by_name(given["given"])
    if given["keys"] is not None and given["bits"] is None and certificate:
        raise click.UsageError("-O certificate: expected --bits with --keys")


def check_outputs(given: dict[str, Any]) -> None:
    """Refuse to write over what is not magicert's: -o, --proof and the engine's certificate."""
    certificate = values_by_name(given["given"]).get("certificate")
    written = [given.get("output"), given.get("proof")]
    if certificate and Path(certificate).parent.is_dir():  # else its folder is made
        written.append(Path(certificate))
    for path in filter(None, written):
        check_output(path, [given["ledger"], given["keys"]], force=given["force"])


def show_engine_options(engine: str | None) -> None:
    """Answer `-O help`."""
    for option in load(engine or next(iter(ENGINES))).OPTIONS:
        click.echo(f"{option.name}={option.default}  {option.help}")


def wanted_of(
    given: dict[str, Any], *, everything: bool, proof: bool, about: "Subject | None" = None
) -> "Wanted":
    """The question that these options ask, about the square they name or something else."""
    from magicert.jobs.find import Wanted

    ledger: Path | None = given["ledger"]
    own = {"ledger": str(ledger or ""), "cluster": given["cluster"]}
    named = {name: value for name, value in own.items() if value}
    return Wanted(
        about=about or square_of(given),
        scheme=given["scheme"],
        bits=given["bits"],
        largest_index=given["largest_index"],
        engine=given["engine"],
        everything=everything,
        proof=proof,
        seconds=given["seconds"],
        memory=given["memory"],
        seed=given["seed"],
        workers=given["workers"],
        options=values_by_name(given["given"]) | named,
    )


def square_of(given: dict[str, Any]) -> "Subject":
    """The square that these options name, of chess or of another board of up to 64."""
    from magicert.cell import Mover, Slider

    if given["board"] is None:
        return Slider(Piece(given["piece"]), given["square"])
    return Mover(given["board"], parse_piece(given["piece"]), given["square"])


def set_of(given: dict[str, Any]) -> "SetWanted":
    """The set that these options ask for."""
    from magicert.jobs.sets.chess import SetWanted

    only = given["only_pieces"]
    return SetWanted(
        pieces=tuple(map(Piece, only)) or tuple(Piece),
        scheme=given["scheme"],
        bits=given["bits"],
        fixed_shift=given["fixed_shift"],
        fewer_bits=given["fewer_bits"],
        engine=given["engine"],
        seconds=given["seconds"],
        memory=given["memory"],
        seed=given["seed"],
        workers=given["workers"],
        options=values_by_name(given["given"]),
        output=given["output"],
    )


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
