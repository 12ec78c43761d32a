"""What is asked about a function: the words of the command line, of Python and of a file that one
of them names.

    # --function-file glue.function.toml
    functions = { rook = "rook_attacks", "setwise:fR" = "north_fill" }
    flags = ["-O2", "-mavx2"]
    init = "init"
"""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.betza import parse_piece
from magicert.board import CHESS, Board, parse_board
from magicert.functions.compare import pairs
from magicert.functions.compare.layout import layout_of
from magicert.problem import InputError, Problem, listed, suggestion

if TYPE_CHECKING:  # what reads Rust is not imported for a table
    from magicert.functions.compile.crates import Crate

from magicert.functions.compare.claim import ALONG_LINES, KINDS, FunctionClaim

_EVERY_KIND = (
    "a piece (rook=, king=, fF= for a white pawn), setwise:PIECE=, xray:PIECE=, index:PIECE=, "
    + ", ".join(f"{kind}=" for kind in pairs.KINDS)
)


@dataclass(frozen=True, slots=True)
class FunctionQuestion:
    """Functions of some sources, and how these are compiled.

    `proof` is a folder for clauses and proofs.
    `init` names a function that is run before tables are read, and `run` allows to load and call
    the module: both run the user's code. `seconds` and `memory` (MiB) are for all of the work.
    `states_order`: the user has said the order, and it is no guess.
    `cached`: what was compiled or proved in an earlier run is taken from the cache.
    """

    sources: tuple[Path, ...]
    functions: tuple[FunctionClaim, ...]
    flags: tuple[str, ...] = ()
    target: str = ""
    compiler: str = ""
    init: str = ""
    run: bool = False
    order: str = "a1"
    states_order: bool = False
    board: Board = CHESS
    traps: bool = True
    squares: tuple[int, ...] = ()
    proof: Path | None = None
    seconds: float | None = 600
    memory: int | None = 2048
    solvers: tuple[str, ...] = ("z3",)
    cached: bool = False
    crate: "Crate | None" = None
    """What is compiled in place of a source of Rust that does not compile."""
    stand_ins: bool = True
    """Whether that may have stand-ins for crates that are not here."""

    @property
    def for_each_target(self) -> "list[FunctionQuestion]":
        """The same question of each target that is named, of one that is named twice once. Of
        several each has a folder of its own for its proofs.
        """
        names = [*dict.fromkeys(name.strip() for name in self.target.split(","))]
        folders = [
            self.proof / name if self.proof and len(names) > 1 else self.proof for name in names
        ]
        return [
            replace(self, target=name, proof=folder)
            for name, folder in zip(names, folders, strict=True)
        ]

    def with_flags(self, more: Sequence[str]) -> "FunctionQuestion":
        """The same with more flags; of two versions of a language the last."""
        flags = list(self.flags)
        if any(flag.startswith("-std=") for flag in more):
            flags = [flag for flag in flags if not flag.startswith("-std=")]
        return replace(self, flags=(*flags, *(flag for flag in more if flag not in flags)))


def claim_of(key: str, name: str, board: Board) -> FunctionClaim:
    """One entry of `functions`. Raises InputError."""
    kind, colon, piece = key.rpartition(":")
    if not colon:
        kind, piece = (key, ALONG_LINES) if key in pairs.KINDS else ("attacks", key)
    where = f"--function {key}={name}"
    if kind not in KINDS:
        hint = suggestion(kind, KINDS)
        message = f"unknown kind {kind!r}: {f'{hint} ' if hint else ''}expected {_EVERY_KIND}"
        raise InputError([Problem(message, key=where)])
    try:
        movement = parse_piece(piece, board)
    except ValueError as error:
        hint = "" if colon else suggestion(key, pairs.KINDS)
        message = f"{error}; {f'{hint} ' if hint else ''}keys are {_EVERY_KIND}"
        raise InputError([Problem(message, key=where)]) from None
    if kind in pairs.KINDS and any((a.kind, a.limit) != ("rider", 0) for a in movement.atoms):
        message = f"{piece} does not move along lines: expected such as {kind}:rook or {kind}:queen"
        raise InputError([Problem(message, key=where)])
    if not name:
        message = "expected a function's name, such as rook=rook_attacks"
        raise InputError([Problem(message, key=f"--function {key}=")])
    return FunctionClaim(name, kind, piece, movement)


def as_call(init: str) -> str:
    """An init as it is called."""
    return init if init.endswith(")") else f"{init}()"


def as_command(question: FunctionQuestion) -> str:
    """The command line that asks a question."""
    words = ["magicert", "verify", *map(str, question.sources)]
    if str(question.board) != "8x8":
        words += ["--board", str(question.board)]
    for claim in question.functions:
        words += ["--function", f"{claim.key}={claim.name}"]
    words += [] if question.functions else ["--functions"]
    for name, value in (("init", question.init), ("target", question.target)):
        words += [f"--{name}", value] if value else []
    words += ["--compiler", question.compiler] if question.compiler else []
    order = question.order + GUESSED * (not question.states_order)
    words += ["--order", order] if question.order != "a1" else []
    words += ["--run"] if question.run else []
    words += [] if question.traps else ["--no-traps"]
    words += ["--", *question.flags] if question.flags else []
    return shlex.join(words)


def together(calls: Sequence[str], language: str) -> str:
    """Several calls as one init: Rust has no comma between them, but tuples."""
    text = ", ".join(calls)
    return f"({text})" if language == "rust" and len(calls) > 1 else text


def _each_called(init: str, language: str) -> str:
    """Several inits with a comma between them, each as it is called: of `a, b()` the first one
    would be a name that nothing calls.
    """
    opened, parts = 0, [""]
    for character in init:
        opened += (character in "(<[{") - (character in ")>]}")
        if character == "," and not opened:
            parts.append("")
        else:
            parts[-1] += character
    named = re.compile(r"[\w:.]+(?:<.*>)?")
    parts = [part.strip() for part in parts]
    calls = [as_call(part) if named.fullmatch(part) else part for part in parts]
    return together(calls, language) if len(calls) > 1 else init


ENDING = ".function.toml"
"""How a file is called that says what is asked about functions of the source beside it."""
_CODE = ("compiler", "init", "run")
"""What it says that makes a program of the user's choice, or the source's own code, run."""


@dataclass(frozen=True, slots=True)
class FunctionFile:
    """A file that says what is asked about functions. It is obeyed where its name is given, never
    because it lies somewhere: it can name a compiler, and an init that is run.
    """

    path: Path
    stated: Mapping[str, Any]

    def as_lines(self, options: Mapping[str, Any]) -> list[str]:
        """What it adds to what is given, as lines; what runs code stands last."""
        added = [key for key in self.stated if not is_given(options.get(key))]
        lines_added = [f"{key} = {_as_toml(self.stated[key])}" for key in added if key not in _CODE]
        lines = [f"{self.path}: taken from it: {'; '.join(lines_added)}"] if lines_added else []
        acts = {
            "compiler": "runs the program {}",
            "init": "runs {} of the source",
            "run": "loads and calls the compiled code",
        }
        for key in added:
            if key in _CODE and self.stated[key]:
                value = self.stated[key]
                what = acts[key].format(as_call(value) if key == "init" else value)
                lines.append(f"{self.path}: {key} = {_as_toml(value)}: {what}")
        return lines


def _as_toml(value: Any) -> str:  # noqa: ANN401
    """A value as TOML has it, on one line."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in value.items()) + " }"
        )
    return json.dumps(value)


def is_given(value: Any) -> bool:  # noqa: ANN401
    """Whether somebody said so, and it is not the nothing of an option."""
    return value not in (None, (), [], "", {})


def function_files(sources: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Files that lie beside sources and say something of their functions, each with its source;
    of a folder all below it.
    """
    for path in sources:
        if path.is_dir():
            files = sorted(
                found_file for found_file in path.rglob(f"*{ENDING}") if found_file.is_file()
            )
            yield from ((file, one) for file in files for one in sources_of(file)[:1])
        elif not path.name.endswith(ENDING):
            file = path.with_name(f"{path.stem}{ENDING}")
            if file.is_file() and path.is_file():
                yield file, path


def sources_of(file: Path) -> list[Path]:
    """The sources that a file lies beside: glue.cpp is one of glue.function.toml."""
    stem = file.name.removesuffix(ENDING)
    beside = (path for path in sorted(file.parent.iterdir()) if path.stem == stem)
    return [path for path in beside if path.suffix != ".toml" and path.is_file()]


GUESSED = "?"
"""Behind an order that nobody has stated: by it nothing is refuted that is right in another one."""
_STATED = ("flags", "target", "compiler", "init", "run", "order", "board", "traps")


def question_of(
    sources: tuple[Path, ...], options: Mapping[str, Any], file: FunctionFile | None = None
) -> FunctionQuestion:
    """What the options say, and what a file says of the rest.

    `options` has the fields of Question, `functions` as a mapping of keys to names. Raises
    InputError with every problem.
    """
    stated = dict(file.stated) if file is not None else {}
    said_by = str(file.path) if file is not None else ""
    _check_types(options, "")
    stated.update({key: value for key, value in options.items() if is_given(value)})
    problems: list[Problem] = []
    board = stated.get("board", CHESS)
    if isinstance(board, str):
        try:
            board = parse_board(board)
        except ValueError as error:
            problems.append(Problem(str(error), file=said_by))
            board = CHESS
    if board.word > 128:
        message = f"board {board}: functions are proved on boards of at most 128 squares"
        problems.append(Problem(message, file=said_by))
        board = CHESS
    stated["board"] = board
    functions = []
    for key, name in stated.pop("functions", {}).items():
        try:
            functions.append(claim_of(str(key), str(name), board))
        except InputError as error:
            problems += error.problems
    if not functions and not problems:
        message = "expected functions, such as --function rook=rook_attacks: --functions lists them"
        problems.append(Problem(message, file=str(sources[0])))
    order = stated.pop("order", "")
    stated["order"] = order.removesuffix(GUESSED) if order else "a1"
    stated["states_order"] = bool(order) and not order.endswith(GUESSED)
    try:
        layout_of(stated["order"], board)
    except ValueError as error:
        problems.append(Problem(str(error), file=said_by))
    if problems:
        raise InputError(problems)
    stated["flags"] = tuple(stated.get("flags", ()))
    language = "rust" if sources and sources[0].suffix == ".rs" else ""
    stated["init"] = _each_called(stated.get("init") or "", language)
    question = FunctionQuestion(sources, tuple(functions))
    return replace(question, **stated)


def read_function_file(file: Path) -> FunctionFile:
    """Raises InputError with all that is wrong with it."""
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(file))]) from None
    known = ["functions", *_STATED]
    for key in data:
        if key not in known:
            hint = suggestion(key, known) or f"expected one of {listed(known)}"
            raise InputError([Problem(f"unknown: {hint}", file=str(file), key=key)])
    _check_types(data, str(file))
    return FunctionFile(file, data)


def _check_types(data: Mapping[str, Any], file: str) -> None:
    """Raises InputError for all values that are of another type than they must be."""
    kinds = {item.name: item.type for item in fields(FunctionQuestion)}
    problems = []
    for key, value in data.items():
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
            expected_type = "true or false" if kind is bool else "a text"
            expected = "" if isinstance(value, kind) else expected_type
        else:
            continue
        if expected:
            problems.append(Problem(f"{value!r}: expected {expected}", file, key))
    if problems:
        raise InputError(problems)
