"""A set of magics for people: whole, or what there is of it; and the bytes of each form."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from magicert.board import CHESS, Board
from magicert.outcome import Impossible, Outcome, Unknown
from magicert.problem import printable
from magicert.requests.set_search import SetFound, SetNotFound, Sizes
from magicert.search.sets import Magic, Square
from magicert.show.document import PlainDocument

SHOWN = 8
"""Squares without a magic that are named one by one."""


def set_document(result: SetFound | SetNotFound, output: Path | None) -> PlainDocument:
    """A set. Without an output file the table goes to stdout."""
    if isinstance(result, SetNotFound):
        lines, remarks = _left(result)
    else:
        lines, remarks = _whole(result, output), []
        if output is None:
            lines, remarks = result.text.splitlines(), lines
    return PlainDocument(lines, lambda: _document(result, output), remarks)


def _which(result: SetFound | SetNotFound) -> str:
    on = "" if result.board == CHESS else f" on {result.board}"
    return f"set of {result.scheme}{on}"


def _whole(result: SetFound, output: Path | None) -> list[str]:
    written = [] if output is None else [f"  written to {printable(output)}"]
    return [
        f"EXISTS {_which(result)}, {len(result.magics)} squares",
        *(f"  {piece} {slots:,} slots" for piece, slots in result.slots.items()),
        f"  {result.bytes:,} bytes in all",
        f"  verified exhaustively, {result.lookups:,} lookups; seconds {result.seconds:.3g}",
        *written,
    ]


def _left(result: SetNotFound) -> tuple[list[str], list[str]]:
    """What there is, and what is missing."""
    name = result.board.name
    lines = [f"{result.kind.upper()} {_which(result)}: {len(result.magics)} of {result.squares}"]
    for (piece, square), magic in sorted(result.magics.items()):
        lines.append(f"  {piece} {name(square)} {magic.bits} {result.board.hex(magic.magic)}")
    remarks = [
        f"  {piece} {name(square)}: {_reason(outcome)}"
        for (piece, square), outcome in list(result.left.items())[:SHOWN]
    ]
    if len(result.left) > SHOWN:
        remarks.append(f"  and {len(result.left) - SHOWN} more squares")
    if result.partial is not None:
        kept = f"kept in {printable(result.partial)}: the same command resumes from it"
        remarks.append(kept)
    return lines, remarks


def _reason(outcome: Outcome) -> str:
    match outcome:
        case Impossible(argument=reason) | Unknown(reason=reason):
            return reason
    return ""


def _document(result: SetFound | SetNotFound, output: Path | None) -> dict[str, Any]:
    """A set for --json: its magics by piece and square, and what there is of a table."""
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
    left = {f"{piece} {name(s)}": _reason(outcome) for (piece, s), outcome in result.left.items()}
    return {**about, "left": left, "kept": None if result.partial is None else str(result.partial)}


def _magics(magics: Mapping[Square, Magic], board: Board) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for (piece, square), magic in sorted(magics.items()):
        one = {"bits": magic.bits, "magic": board.hex(magic.magic)}
        found.setdefault(str(piece), {})[board.name(square)] = one
    return found


def sizes_document(found: Sizes) -> PlainDocument:
    """A line for each form."""
    return PlainDocument(_size_lines(found), lambda: _sizes(found))


def _size_lines(found: Sizes) -> Iterator[str]:
    yield f"{'bytes':>13}  {'slots':>11}  lookups  options of find --set --board {found.board}"
    for size in found.forms:
        options = " ".join(size.form.options) or "(none: whole pieces, least masks)"
        levels = f"  ({size.sets:,} attack sets)" if size.sets else ""
        yield f"{size.bytes:13,}  {size.slots:11,}  {size.lookups:7}  {options}{levels}"


def _sizes(found: Sizes) -> dict[str, Any]:
    forms = [
        {
            "options": " ".join(size.form.options),
            "lookups": size.lookups,
            "slots": size.slots,
            "entry_bytes": size.entry,
            "attack_sets": size.sets or None,
            "bytes": size.bytes,
        }
        for size in found.forms
    ]
    return {"board": str(found.board), "forms": forms}
