"""`magicert find-set`: a magic for every square of some pieces, as a table."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import CHESS, Board
from magicert.commands.command import (
    Answer,
    command,
    given_options,
    option,
    recorded_command,
    refuse,
)
from magicert.commands.options import (
    QUESTION,
    PieceName,
    bits,
    board,
    budget,
    engine,
    engine_options,
    memory,
    scheme,
    seed,
    show_engine_options,
    table_output,
    workers,
)
from magicert.commands.options import form as form_option
from magicert.commands.options import masks as masks_option
from magicert.outcome import Impossible, Outcome, OutcomeKind, Unknown
from magicert.problem import Problem, printable
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.api.forms import Size
    from magicert.api.sets import SetFound, SetNotFound
    from magicert.search.sets import Magic, Square

FORM = "The form of the table"
WRITTEN = {
    "nothing": "too large for find-set",
    "table": "too large for emit",
    "binary": "too large for a source: emit --lang binary",
}
"""What is said of a form that there cannot be as a source."""
SHOWN = 8
"""Squares without a magic that are named one by one."""


@command("find-set")
@board()
@option("--piece", "pieces", type=PieceName(called=True), multiple=True, metavar="PIECE",
        panel=QUESTION,
        help="rook or bishop; both if not given. With --board: each piece, as in "
        "cannon=pR.")  # fmt: skip
@scheme()
@form_option(panel=FORM, help="Whole pieces, or each line by itself: one lookup for each line, far "
             "fewer bytes. pairs: one lookup for two lines, and for all pieces with the same "
             "masks, in two levels.")  # fmt: skip
@option("--two-level", is_flag=True, panel=FORM, seldom=True,
        help="Entries of 8 or 16 bits, which number the attack sets.")  # fmt: skip
@masks_option(panel=FORM)
@option("--fixed-shift", is_flag=True, panel=QUESTION,
        help="One shift for all squares (12 bits for rooks, 9 for bishops, or the widest "
        "mask).")  # fmt: skip
@bits()
@option("--fewer-bits", is_flag=True, panel=QUESTION,
        help="Magics of fewer than popcount(mask) bits, where some are known or found by "
        "chance.")  # fmt: skip
@engine()
@engine_options()
@seed()
@budget()
@memory()
@workers()
@table_output()
@option("--sizes", is_flag=True, panel=FORM, seldom=True, recorded=False,
        help="Only show the bytes that each form takes.")  # fmt: skip
def run(
    pieces: tuple[str, ...], form: str | None, two_level: bool, masks: str | None,
    fixed_shift: bool, output: Path | None, sizes: bool, **fields: Any,  # noqa: ANN401
) -> Answer:  # fmt: skip
    """Find a magic for every square, as a table that has been verified exhaustively.

    For example:

        magicert find-set -o table.toml
        magicert find-set --piece rook --scheme two-halves --fixed-shift -o t.toml
        magicert find-set --board 9x10 --piece rook --piece cannon -o x.toml

    If it is interrupted, the magics found so far are kept beside the output file, and the same
    command goes on from there. Without -o they are printed.

    Exit status: 0 found, 1 a square has no magic, 2 bad input, 3 unknown.
    """
    show_engine_options(fields)
    if sizes:
        return sizes_of(pieces, fields["board"])
    from magicert.api.forms import form_of
    from magicert.api.sets import SetQuestion, search_set

    question = SetQuestion(
        pieces, form=form_of(form, two_level, masks, fixed_shift), output=output,
        command=recorded_command(), **fields,
    )  # fmt: skip
    with ProgressDisplay(question.title, "squares") as observer:
        result = search_set(question, observer)
    return answer_of(result, output)


def sizes_of(pieces: tuple[str, ...], board: Board | None) -> Answer:
    """The bytes of each form; nothing else may be asked."""
    ctx = click.get_current_context()
    others = {param.name for param in ctx.command.params}
    others -= {"board", "pieces", "sizes", "as_json", "force"}
    wrong = ", ".join(given_options(others))
    refuse([Problem(f"{wrong} cannot be combined with --sizes")] if wrong else [])
    from magicert.api.forms import sizes
    from magicert.api.sets import SetQuestion

    question = SetQuestion(pieces, board=board)
    form_sizes = sizes(question.geometry, question.movements)
    data = {"board": str(question.geometry), "forms": [_size(size) for size in form_sizes]}
    return Answer(OutcomeKind.EXISTS, _size_lines(form_sizes, question.geometry), lambda: data)


def _size_lines(sizes: "Sequence[Size]", board: Board) -> Iterator[str]:
    wide = max(13, *(len(f"{size.bytes:,}") for size in sizes))
    many = max(11, *(len(f"{size.slots:,}") for size in sizes))
    yield f"{'bytes':>{wide}}  {'slots':>{many}}  lookups  options of find-set --board {board}"
    for size in sizes:
        options = " ".join(size.form.options) or "(none: whole pieces, least masks)"
        remarks = [f"{size.sets:,} attack sets"] * bool(size.sets)
        remarks += [WRITTEN[size.written]] if size.written in WRITTEN else []
        behind = f"  ({'; '.join(remarks)})" if remarks else ""
        yield f"{size.bytes:{wide},}  {size.slots:{many},}  {size.lookups:7}  {options}{behind}"


def _size(size: "Size") -> dict[str, Any]:
    return {
        "options": " ".join(size.form.options),
        "lookups": size.lookups,
        "slots": size.slots,
        "entry_bytes": size.entry,
        "attack_sets": size.sets or None,
        "bytes": size.bytes,
        "written": size.written,
    }


def answer_of(result: "SetFound | SetNotFound", output: Path | None) -> Answer:
    """A set. Without an output file the table goes to stdout."""
    from magicert.api.sets import SetNotFound

    if isinstance(result, SetNotFound):
        return Answer(
            result.kind, _part(result), lambda: _data(result, output), list(_missing(result))
        )
    lines = _whole(result, output)
    if output is None:
        table = result.text.splitlines()
        return Answer(result.kind, table, lambda: _data(result, output), lines)
    return Answer(result.kind, lines, lambda: _data(result, output))


def _title(result: "SetFound | SetNotFound") -> str:
    on = "" if result.board == CHESS else f" on {result.board}"
    return f"set of magics{on}, scheme {result.scheme}"


def _whole(result: "SetFound", output: Path | None) -> list[str]:
    written = [] if output is None else [f"  written to {printable(output)}"]
    return [
        f"EXISTS {_title(result)}, {len(result.magics)} squares",
        *(f"  {piece} {slots:,} slots" for piece, slots in result.slots.items()),
        f"  {result.bytes:,} bytes in all",
        f"  verified exhaustively, {result.lookups:,} lookups; seconds {result.seconds:.3g}",
        *written,
    ]


def _part(result: "SetNotFound") -> Iterator[str]:
    """The magics that there are, unless a file has them."""
    yield f"{result.kind.upper()} {_title(result)}: {len(result.magics)} of {result.squares}"
    if result.partial is not None:
        return
    for (piece, square), magic in sorted(result.magics.items()):
        name, number = result.board.name(square), result.board.hex(magic.magic)
        yield f"  {piece} {name} {magic.bits} {number}"


def _missing(result: "SetNotFound") -> Iterator[str]:
    """The squares that have none, and where the magics are kept."""
    for (piece, square), outcome in list(result.missing.items())[:SHOWN]:
        yield f"  {piece} {result.board.name(square)}: {_reason(outcome)}"
    if len(result.missing) > SHOWN:
        yield f"  and {len(result.missing) - SHOWN} more squares"
    if result.partial is not None:
        yield f"kept in {printable(result.partial)}: the same command resumes from it"


def _reason(outcome: Outcome) -> str:
    match outcome:
        case Impossible(argument=reason) | Unknown(reason=reason):
            return reason
    return ""


def _data(result: "SetFound | SetNotFound", output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square, and what there is of a table."""
    from magicert.api.sets import SetFound

    about = {
        "outcome": str(result.kind),
        "scheme": result.scheme,
        "board": str(result.board),
        "squares": len(result.magics) if isinstance(result, SetFound) else result.squares,
        "magics": _magics(result.magics, result.board),
    }
    if isinstance(result, SetFound):
        return {
            **about,
            "bytes": result.bytes,
            "lookups": result.lookups,
            "seconds": result.seconds,
            "output": None if output is None else str(output),
        }
    name = result.board.name
    left = {
        f"{piece} {name(square)}": _reason(outcome)
        for (piece, square), outcome in result.missing.items()
    }
    return {**about, "left": left, "kept": None if result.partial is None else str(result.partial)}


def _magics(magics: "Mapping[Square, Magic]", board: Board) -> dict[str, dict[str, Any]]:
    by_piece: dict[str, dict[str, Any]] = {}
    for (piece, square), magic in sorted(magics.items()):
        row = {"bits": magic.bits, "magic": board.hex(magic.magic)}
        by_piece.setdefault(str(piece), {})[board.name(square)] = row
    return by_piece
