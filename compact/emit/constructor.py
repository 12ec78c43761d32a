"""Magics that an engine builds at start-up: one routine, for any board and any piece.

It builds, and does not search among candidates: see "Magics without a search" in docs/boards.md,
and search/finders/trial.py. The routine is in the templates (`languages/*/construct.*`), as are the
walk that fills the attack tables, and the lookup (`constructor.*`); here is what is put into them.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from magicert import __version__
from magicert.betza import parse_piece
from magicert.board import CHESS, Board
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.printer import Printer, refuse_same_name
from magicert.compact.emit.spelling import camel, commented, identifier
from magicert.movement import Movement
from magicert.problem import InputError, Problem, suggestion

FILE = "constructor"
CHESS_PIECES = ("rook", "bishop")
WIDEST = 128
"""The bits of the longest word of the templates."""
CREDIT = (
    "Magics are built, not searched for, with as many index bits as a mask has squares: an idea of",
    "H.G. Muller (Fairy-Stockfish, issue 972, 2026-01-10). For one line of a rider or hopper, and",
    "for up to three squares, that always succeeds: all such masks were tried. So a piece whose",
    "whole masks are large, or where nothing is built for one of them, is made line by line.",
)


def constructors() -> dict[str, Path]:
    """The templates by language."""
    return {
        name: path
        for name, row in dialects().items()
        if (path := row.path(FILE + row.suffix)).exists()
    }


def refuse_language(language: str) -> None:
    """Raise InputError for a language that has no constructor."""
    if language not in constructors():
        hint = (
            suggestion(language, constructors()) or f"expected one of {', '.join(constructors())}"
        )
        raise InputError([Problem(f"no constructor: {hint}", key=f"--lang {language}")])


def refuse_board(board: Board) -> None:
    """Raise InputError for a board that the routine has no words for, and for one with holes."""
    if board.word > WIDEST:
        message = f"{board.squares} squares, expected at most {WIDEST}"
        raise InputError([Problem(message, key=f"--board {board}")])
    if board.holes:
        message = (
            "a board with holes: expected files and ranks; the routine takes a wall as an occupied "
            "square, to be taken out of the result"
        )
        raise InputError([Problem(message, key=f"--board {board}")])


def constructor(
    printer: Printer, board: Board = CHESS, pieces: Sequence[str] = CHESS_PIECES
) -> str:
    """The source. `board` is the largest one: words have 64 bits if it has at most 64 squares.

    Pieces are names or Betza's notation, as in "cannon=pR". Raises InputError where the language
    has no constructor, or two pieces have one name.
    """
    row = printer.dialect
    refuse_language(row.name)
    refuse_board(board)
    given, movements = pieces_of(pieces), dict(map(_named, pieces))
    wide = board.word > 64
    scope: dict[str, Any] = {
        "wide": wide,
        "width": board.word,
        "bitboard": row.kinds.get(board.word, ""),
        "pieces": given,
        "pieces_joined": ", ".join(f"{piece['piece']}_piece" for piece in given),
        "Pieces_joined": ", ".join(piece["Piece"] for piece in given),
        "first": given[0]["piece"],
        "First": given[0]["Piece"],
    }
    head = [*_head(printer, board, pieces), *_proof(printer, board, movements)]
    scope["heading"] = commented(row.comment, head).removesuffix("\n")
    return printer.shown(FILE + row.suffix, scope)


def pieces_of(pieces: Sequence[str]) -> list[dict[str, Any]]:
    """What a template is given of pieces.

    Raises InputError where two have one name, and for a name that begins with no letter.
    """
    names = [name for name, _ in map(_named, pieces)]
    for name in names:
        if not name[0].isalpha():
            message = f"{name!r}: expected a name that begins with a letter"
            raise InputError([Problem(message, key="--piece")])
        if names.count(name) > 1:
            raise InputError(
                [Problem(f"{name} stands there twice: name one, as in {name}_2=R", key="--piece")]
            )
    refuse_same_name(names)
    return [_piece(*_named(piece)) for piece in pieces]


def _named(piece: str) -> tuple[str, Movement]:
    """A piece's own name, and how it moves."""
    name, _, notation = piece.rpartition("=")
    movement = parse_piece(notation)
    if movement.regions:
        message = "a piece with regions: expected one without; AND its attack set with the region"
        raise InputError([Problem(message, key=f"--piece {piece}")])
    return identifier(name or notation), movement


def _piece(name: str, movement: Movement) -> dict[str, Any]:
    """What a template is given of a piece."""
    steps = []
    for atom in movement.atoms:
        rule = "lame_back" if atom.from_target else atom.kind.removesuffix(" leaper")
        spelt = {"rule": rule, "Rule": camel(rule), "RULE": rule.upper()}
        steps += [{**spelt, "x": x, "y": y, "limit": atom.limit} for x, y in atom.steps]
    return {
        "piece": name, "Piece": camel(name), "PIECE": name.upper(), "steps": steps,
        "step_count": len(steps),
    }  # fmt: skip


def _head(printer: Printer, board: Board, pieces: Sequence[str]) -> Iterator[str]:
    yield f"Attack tables made at start-up, for any board of up to {board.word} squares."
    yield f"Written by magicert {__version__}: {_command(printer, board, pieces)}"
    yield from CREDIT


def _command(printer: Printer, board: Board, pieces: Sequence[str]) -> str:
    """What writes the file again."""
    row = printer.dialect
    scope = [f"--{row.scope_option}", printer.scope] if printer.scope != row.scope else []
    size = ["--board", str(board)] if board != CHESS else []
    named = [word for piece in pieces for word in ("--piece", piece)]
    words = ["magicert", "emit", "--constructor", "--lang", row.name, *size]
    return shlex.join([*words, *(named if tuple(pieces) != CHESS_PIECES else []), *scope])


def _proof(printer: Printer, board: Board, movements: Mapping[str, Movement]) -> Iterator[str]:
    """The command that proves the functions on that board, where the language has one."""
    row = printer.dialect
    if row.proved_constructor is None:
        return
    before = f"{printer.scope}::" if row.scope_option == "namespace" else printer.own
    functions = [
        f"--function {movement.name}={before}{name}_attacks" for name, movement in movements.items()
    ]
    size = [f"--board {board}"] if board != CHESS else []
    scope = {"files": board.files, "ranks": board.ranks}
    init = printer.filled(row.proved_constructor, scope)
    words = ["magicert verify", shlex.quote(printer.filename), *size, *functions, init]
    yield f"To prove its functions on a board of {board}, for all occupancies:"
    yield f"    {' '.join(words)}"
