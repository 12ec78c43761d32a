"""`magicert find --board`: pieces of any board of up to 128 squares."""

from typing import TYPE_CHECKING, Any

import click

from magicert.cli.options.types import values_by_name

if TYPE_CHECKING:
    from magicert.jobs.boards.forms import TableForm
    from magicert.jobs.sets.boards import BoardSet

OF_CHESS = {"--keys": "keys", "--ledger": "ledger", "--cluster": "cluster", "--proof": "proof"}
FORMS = {"--form": "form", "--two-level": "two_level", "--masks": "masks", "--sizes": "sizes"}


def check_board(given: dict[str, Any]) -> None:
    """Refuse what does not go together with --board, or without it. Raises click.UsageError."""
    if given["board"] is None:
        alone = [shown for shown, name in FORMS.items() if given.get(name)]
        if alone:
            raise click.UsageError(f"{', '.join(alone)}: expected together with --board")
        if len(given.get("only_pieces") or ()) > 1:
            raise click.UsageError("--piece: expected one, or several together with --board")
        return
    wide = given["board"].word > 64 or given.get("whole_set")
    if given["scheme"] != "white":
        raise click.UsageError("--board: expected --scheme white")
    if wide and given["engine"] not in (None, "trial"):
        message = "of boards beyond 64 squares, and of sets, only trial searches"
        raise click.UsageError(f"--engine {given['engine']}: {message}")
    wrong = [shown for shown, name in OF_CHESS.items() if wide and given.get(name)]
    if given["largest_index"] is not None and wide:
        wrong.append("--largest-index")
    if wide and given.get("everything"):
        wrong.append("--all")
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}: not together with this --board")


def form_of(given: dict[str, Any]) -> "TableForm":
    """The form of the table that the options ask for."""
    from magicert.jobs.boards.forms import TableForm

    return TableForm(
        lines=given["form"] == "lines",
        two_level=given["two_level"],
        masks=given["masks"] or "least",
        fixed_shift=given["fixed_shift"],
    )


def candidates_of(given: dict[str, Any]) -> int | None:
    """What `-O candidates=N` says. Raises InputError for anything else, which trial has not."""
    from magicert.engine import load, option_values

    named = values_by_name(given["given"])
    if not named:
        return None
    unknown = set(named) - {"candidates"}
    if unknown:
        raise click.UsageError(f"-O {min(unknown)}: expected -O candidates=N with --board")
    return int(option_values(load("trial"), named)["candidates"])


def settle_board_set(given: dict[str, Any]) -> int:
    """Find the set, or show what its forms take; the exit status."""
    from magicert.cli.display.documents import echo_json
    from magicert.cli.display.pieces import set_json, show_set, show_sizes, sizes_json
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.boards.sizes import classes, sizes
    from magicert.jobs.sets.boards import find_boards

    wanted = board_set_of(given)
    if given["sizes"]:
        found = sizes(wanted.board, wanted.pieces)
        further = classes(wanted.board, wanted.pieces)
        if given["as_json"]:
            echo_json(sizes_json(wanted.board, found, further))
        else:
            show_sizes(wanted.board, found, further)
        return 0
    with ProgressDisplay(f"set of {', '.join(wanted.pieces)} on {wanted.board}", "squares") as bar:
        result = find_boards(wanted, bar)
    if given["as_json"]:
        echo_json(set_json(result, wanted.output))
        return result.exit_status
    return show_set(result, wanted.output)


def board_set_of(given: dict[str, Any]) -> "BoardSet":
    """The set that these options ask for."""
    from magicert.jobs.boards.forms import pieces_of
    from magicert.jobs.sets.boards import BoardSet

    texts = tuple(given["only_pieces"])
    if not texts:
        raise click.UsageError("--board: expected --piece, such as --piece rook --piece cannon=pR")
    return BoardSet(
        board=given["board"],
        pieces=pieces_of(texts, given["board"]),
        texts=texts,
        form=form_of(given),
        bits=given["bits"],
        fewer_bits=given["fewer_bits"],
        candidates=candidates_of(given),
        seconds=given["seconds"],
        seed=given["seed"],
        workers=given["workers"],
        output=given["output"],
    )


def settle_wide(given: dict[str, Any]) -> int:
    """One square of a board beyond 64: find, show; the exit status."""
    from magicert.board.betza import parse_piece
    from magicert.cli.display.documents import echo_json, outcome_json
    from magicert.cli.display.outcomes import show_outcome
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.boards.find_one import find_one, question_of

    movement = parse_piece(given["piece"])
    question = question_of(given["board"], movement, given["square"], given["bits"])
    with ProgressDisplay(str(question)) as display:
        outcome, seconds = find_one(
            question, given["seed"], given["seconds"], candidates_of(given), display
        )
    if given["as_json"]:
        board, square = str(question.board), question.board.name(question.square)
        named = {"piece": given["piece"], "board": board, "square": square}
        about = {"scheme": "white", **named, "bits": question.bits, "engine": "trial"}
        echo_json({**about, **outcome_json(outcome), "seconds": seconds})
    else:
        show_outcome(str(question), outcome, seconds)
    return outcome.exit_status
