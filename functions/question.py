"""What is asked about a function: the words of the command line, of Python and of the file beside
the source.

    # glue.function.toml beside glue.cpp
    functions = { rook = "rook_attacks", "setwise:fR" = "north_fill" }
    flags = ["-O2", "-mavx2"]
    init = "init"
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from magicert.betza import parse_piece
from magicert.board import CHESS, Board, Movement, orders, parse_board
from magicert.problem import InputError, Problem, listed, suggestion

KINDS = {
    "attacks": ("occupied",), "index": ("occupied",), "xray": ("occupied", "blockers"),
    "setwise": ("sliders", "occupied"),
}  # fmt: skip
"""The bitboards that a function of each kind takes. All but set-wise ones take a square first."""


@dataclass(frozen=True, slots=True)
class FunctionClaim:
    """One function: its name, and what it is said to compute."""

    name: str
    kind: str
    piece: str
    movement: Movement

    @property
    def key(self) -> str:
        """As it was asked: rook, or setwise:fR."""
        return self.piece if self.kind == "attacks" else f"{self.kind}:{self.piece}"

    @property
    def leaps(self) -> bool:
        """Whether it may go without bitboards: the attack sets of a king, knight or pawn."""
        atoms = self.movement.atoms
        return self.kind == "attacks" and all((a.kind, a.limit) == ("rider", 1) for a in atoms)

    @property
    def takes(self) -> tuple[tuple[str, ...], ...]:
        """What it may be called with: a square, and bitboards by their names."""
        square = () if self.kind == "setwise" else ("square",)
        whole = (*square, *KINDS[self.kind])
        return (whole, square) if self.leaps else (whole,)


@dataclass(frozen=True, slots=True)
class FunctionQuestion:
    """Functions of some sources, and how these are compiled.

    `proof` is a folder for clauses and proofs.
    `init` names a function that is run before tables are read, and `run` allows to load and call
    the module: both run the user's code. `seconds` and `memory` (MiB) are for all of the work.
    """

    sources: tuple[Path, ...]
    functions: tuple[FunctionClaim, ...]
    flags: tuple[str, ...] = ()
    target: str = ""
    compiler: str = ""
    init: str = ""
    run: bool = False
    order: str = "a1"
    board: Board = CHESS
    traps: bool = True
    squares: tuple[int, ...] = ()
    proof: Path | None = None
    seconds: float | None = 600
    memory: int | None = 2048
    solvers: tuple[str, ...] = ("z3",)


def asked(key: str, name: str) -> FunctionClaim:
    """One entry of `functions`. Raises InputError."""
    kind, colon, piece = key.rpartition(":")
    kind = kind if colon else "attacks"
    if kind not in KINDS:
        hint = suggestion(kind, KINDS) or f"expected one of {', '.join(KINDS)}"
        message = f"unknown kind {kind!r}: {hint}"
        raise InputError([Problem(message, key=f"--function {key}={name}")])
    try:
        movement = parse_piece(piece)
    except ValueError as error:
        raise InputError([Problem(str(error), key=f"--function {key}={name}")]) from None
    if not name:
        message = "expected a function's name, such as rook=rook_attacks"
        raise InputError([Problem(message, key=f"--function {key}=")])
    return FunctionClaim(name, kind, piece, movement)


def called(init: str) -> str:
    """An init as it is called."""
    return init if init.endswith(")") else f"{init}()"


def beside(source: Path) -> Path:
    """The file that may say all of it: glue.function.toml beside glue.cpp."""
    return source.with_name(f"{source.stem}.function.toml")


_STATED = ("flags", "target", "compiler", "init", "run", "order", "board", "traps")


def question_of(sources: tuple[Path, ...], given: Mapping[str, Any]) -> FunctionQuestion:
    """What is given, and what the file beside the first source says of the rest.

    `given` has the fields of Question, `functions` as a mapping of keys to names. Raises InputError
    with every problem.
    """
    stated: dict[str, Any] = {}
    file = beside(sources[0])
    said_by = ""
    if file.is_file():
        stated, said_by = _read(file), str(file)
    _check(given, "")
    stated.update(
        {key: value for key, value in given.items() if value not in (None, (), [], "", {})}
    )
    problems: list[Problem] = []
    functions = []
    for key, name in stated.pop("functions", {}).items():
        try:
            functions.append(asked(str(key), str(name)))
        except InputError as error:
            problems += error.problems
    if not functions and not problems:
        message = "expected functions: --function rook=rook_attacks, for example"
        problems.append(Problem(message, file=str(sources[0])))
    board = stated.get("board", CHESS)
    if isinstance(board, str):
        try:
            board = parse_board(board)
        except ValueError as error:
            problems.append(Problem(str(error), file=said_by))
            board = CHESS
    stated["board"] = board
    order = stated.get("order", "a1")
    if order not in orders(board):
        known = ", ".join(orders(board))
        problems.append(Problem(f"order {order!r}: expected one of {known}", file=said_by))
    if problems:
        raise InputError(problems)
    stated["flags"] = tuple(stated.get("flags", ()))
    question = FunctionQuestion(sources, tuple(functions))
    return replace(question, **stated)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(file))]) from None
    known = ["functions", *_STATED]
    for key in found:
        if key not in known:
            hint = suggestion(key, known) or f"expected one of {listed(known)}"
            raise InputError([Problem(f"unknown: {hint}", file=str(file), key=key)])
    _check(found, str(file))
    return found


def _check(found: Mapping[str, Any], file: str) -> None:
    """Raises InputError for all values that are of another type than they must be."""
    kinds = {item.name: item.type for item in fields(FunctionQuestion)}
    problems = []
    for key, value in found.items():
        if value is None:
            continue
        if key == "functions":
            named = isinstance(value, Mapping) and all(isinstance(v, str) for v in value.values())
            expected = "" if named else 'a table of names, such as rook = "rook_attacks"'
        elif key == "flags":
            texts = isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
            expected = "" if texts else "a list of strings"
        elif key in ("seconds", "memory"):
            number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
            expected = "" if number else "a number above 0"
        elif key in _STATED:
            kind = bool if kinds[key] in (bool, "bool") else str
            wanted = "true or false" if kind is bool else "a text"
            expected = "" if isinstance(value, kind) else wanted
        else:
            continue
        if expected:
            problems.append(Problem(f"{value!r}: expected {expected}", file, key))
    if problems:
        raise InputError(problems)
