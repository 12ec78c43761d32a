"""What is asked of a whole set: the pieces of a board, and how a table holds them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from magicert.betza import lines_of, parse_piece
from magicert.board import CHESS, Board, Movement, Piece
from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.find import subject_of
from magicert.requests.request import OfPiece, OneOf, Request, Result, budget, option
from magicert.scheme import Scheme, resolve_scheme
from magicert.table.read import moves_at_all

Square = tuple[str, int]
"""A piece by its name, and a square."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")
_OF_TABLES = ("provenance", "two_level")
OF_SETS = "A whole set (with --set)"
OF_FORMS = "The form of its table (with --set)"

chosen_pieces = partial(
    option, (), "One piece only; of another board all of them, as in rook, or cannon=pR.",
    OfPiece(called=True), flags=("--piece",), several=True, panel=OF_SETS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableForm:
    """How a table holds its pieces.

    `lines`: each line of a piece is a piece of its own, and the attack set is the OR of the
    lookups. `two_level`: the buffer holds small numbers of attack sets.
    """

    lines: bool = False
    two_level: bool = False
    masks: Literal["usual", "least"] = "least"
    fixed_shift: bool = False

    @property
    def options(self) -> list[str]:
        """The options of `find --set` that ask for it."""
        named = {"--form lines": self.lines, "--two-level": self.two_level}
        parts = [option for option, is_on in named.items() if is_on]
        parts += ["--masks usual"] * (self.masks == "usual")
        parts += ["--fixed-shift"] * self.fixed_shift
        return " ".join(parts).split()

    def parts_of(self, pieces: Mapping[str, Movement]) -> dict[str, Movement]:
        """The pieces that the table holds, by name: the given ones, or their lines."""
        if not self.lines:
            return dict(pieces)
        parts: dict[str, Movement] = {}
        for name, movement in pieces.items():
            lines = lines_of(movement)
            if len(lines) == 1:
                parts[name] = movement
            else:
                parts |= {f"{name}_{suffix}": line for suffix, line in lines.items()}
        return parts

    def cells(
        self, board: Board, parts: Mapping[str, Movement], scheme: Scheme, bits: int | None = None
    ) -> dict[Square, Cell]:
        """What is asked about each square: `bits` index bits, or as many as its mask has squares,
        or as the widest mask of the piece has.
        """
        cells: dict[Square, Cell] = {}
        for name, movement in parts.items():
            squares = range(board.squares)
            own = [subject_of(board, movement, square, masks=self.masks) for square in squares]
            widest = max(about.usual_bits for about in own)
            for square, about in enumerate(own):
                usual = widest if self.fixed_shift else about.usual_bits
                cells[name, square] = Cell(scheme, about, usual if bits is None else bits)
        return cells


def pieces_of(texts: Iterable[str], board: Board) -> dict[str, Movement]:
    """Pieces as options name them: "rook", "pR", or "cannon=pR".

    Raises InputError with all that are none, have no moves on this board, or share a name.
    """
    problems: list[Problem] = []
    pieces: dict[str, Movement] = {}
    for text in texts:
        name, _, notation = text.rpartition("=")
        name = name or notation
        try:
            movement = parse_piece(notation)
            _check(name, movement, board, pieces)
        except ValueError as error:
            problems.append(Problem(str(error), key=f"--piece {text}"))
        else:
            pieces[name] = movement
    if problems:
        raise InputError(problems)
    return pieces


def _check(name: str, movement: Movement, board: Board, others: Mapping[str, Movement]) -> None:
    if not _NAME.fullmatch(name) or name in _OF_TABLES:
        raise ValueError(f"{name!r} cannot be the name of a piece: expected letters, digits, _")
    if name in others:
        raise ValueError(f"two pieces are called {name}: expected such as first=R")
    if board == CHESS and name in set(Piece) and movement.name not in (name, name[0].upper()):
        raise ValueError(f"it is not called as chess's {name}: expected another name")
    if not moves_at_all(board, movement):
        raise ValueError(f"it has no moves on a board of {board}")


@dataclass(frozen=True, slots=True)
class SetQuestion(Request[Result]):
    """Find a magic for every square of these pieces, as a table that has been verified.

    Index bits: `bits` for all squares, or those of the widest mask (`fixed_shift`), or
    popcount(mask), less where a magic of fewer bits is known or met (`fewer_bits`). `seconds` is
    for the whole set; `options` are the engine's own, as texts; `output` None writes no file.
    """

    begins = ("find", "--set")
    pieces: tuple[str, ...] = chosen_pieces()
    _: KW_ONLY
    board: Board | str | None = words.board()
    scheme: str = words.scheme()
    form: str | None = option(
        None, "Whole pieces, or each line a piece of its own: one lookup a line, far fewer bytes.",
        OneOf(["whole", "lines"]), panel=OF_FORMS, seldom=True,
    )  # fmt: skip
    two_level: bool = option(
        False, "Numbers of 8 or 16 bits; attack sets behind.", panel=OF_FORMS, seldom=True
    )
    masks: str | None = option(
        None, "Least masks (if not given) leave out squares that cannot matter.",
        OneOf(["usual", "least"]), panel=OF_FORMS, seldom=True,
    )  # fmt: skip
    fixed_shift: bool = option(
        False, "One shift for all squares (12 bits for rooks, 9 for bishops, or the widest mask).",
        panel=OF_SETS,
    )  # fmt: skip
    bits: int | None = words.bits()
    fewer_bits: bool = option(
        False, "Magics of fewer than popcount(mask) bits, where some are known or met by chance.",
        panel=OF_SETS,
    )  # fmt: skip
    engine: str | None = words.engine()
    options: Mapping[str, str] = words.engine_options()
    seed: int = words.seed()
    seconds: float | None = budget()
    memory: int | None = words.memory()
    workers: int = words.workers()
    output: Path | None = words.output()

    def problems(self) -> Iterator[Problem]:
        if sum([self.bits is not None, self.fixed_shift, self.fewer_bits]) > 1:
            yield Problem("expected one of --bits, --fixed-shift and --fewer-bits")
        if self.board not in (None, CHESS) and not self.pieces:
            example = "--piece rook --piece cannon=pR"
            yield Problem(f"--board: expected --piece, such as {example}")

    @property
    def on(self) -> Board:
        assert not isinstance(self.board, str)
        return self.board or CHESS

    @property
    def names(self) -> tuple[str, ...]:
        """The pieces as they were given; both of chess, if none were."""
        return self.pieces or tuple(piece.value for piece in Piece)

    @property
    def table_form(self) -> TableForm:
        masks: Literal["usual", "least"] = "usual" if self.masks == "usual" else "least"
        return TableForm(self.form == "lines", self.two_level, masks, self.fixed_shift)

    @property
    def title(self) -> str:
        if self.board is None:
            return f"set of {resolve_scheme(self.scheme).name}"
        return f"set of {', '.join(pieces_of(self.names, self.on))} on {self.on}"

    @property
    def partial(self) -> Path | None:
        """The file that keeps an interrupted set, beside the output."""
        return self.output and self.output.with_name(self.output.name + ".partial")
