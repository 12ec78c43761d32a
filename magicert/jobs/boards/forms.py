"""The pieces of a table: whole, or as lines; with which masks; with how many index bits."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from magicert.board import CHESS, Board, Movement, Piece
from magicert.board.betza import parse_piece
from magicert.board.lines import lines_of
from magicert.board.masks import least_mask, usual_mask
from magicert.board.walk import attack_set
from magicert.problem import InputError, Problem
from magicert.search.boards.blockers import MagicQuestion
from magicert.table.model import MaskRule

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")
_OF_TABLES = ("provenance", "two_level")
_MASKS = {"usual": usual_mask, "least": least_mask}


@dataclass(frozen=True, slots=True)
class TableForm:
    """How a table holds its pieces.

    `lines`: each line of a piece is a piece of its own, and the attack set is the OR of the
    lookups. `two_level`: the buffer holds small numbers of attack sets.
    """

    lines: bool = False
    two_level: bool = False
    masks: MaskRule = "least"
    fixed_shift: bool = False

    @property
    def options(self) -> list[str]:
        """The options of `find --set` that ask for it."""
        named = {"--form lines": self.lines, "--two-level": self.two_level}
        parts = [option for option, is_on in named.items() if is_on]
        parts += ["--masks usual"] * (self.masks == "usual")
        parts += ["--fixed-shift"] * self.fixed_shift
        return " ".join(parts).split()


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
    squares = range(board.squares)
    if not any(
        least_mask(board, movement, s) or attack_set(board, movement, s, 0) for s in squares
    ):
        raise ValueError(f"it has no moves on a board of {board}")


def parts_of(pieces: Mapping[str, Movement], form: TableForm) -> dict[str, Movement]:
    """The pieces that the table holds, by name: the given ones, or their lines."""
    if not form.lines:
        return dict(pieces)
    parts: dict[str, Movement] = {}
    for name, movement in pieces.items():
        lines = lines_of(movement)
        if len(lines) == 1:
            parts[name] = movement
        else:
            parts |= {f"{name}_{suffix}": line for suffix, line in lines.items()}
    return parts


def questions_of(
    board: Board, parts: Mapping[str, Movement], form: TableForm, bits: int | None = None
) -> dict[tuple[str, int], MagicQuestion]:
    """What is asked about each square: `bits` index bits, or as many as its mask has squares, or
    as the widest mask of the piece has.
    """
    questions = {}
    for name, movement in parts.items():
        masks = [_MASKS[form.masks](board, movement, s) for s in range(board.squares)]
        widest = max(mask.bit_count() for mask in masks)
        for square, mask in enumerate(masks):
            own = widest if form.fixed_shift else mask.bit_count()
            wanted = max(1, own) if bits is None else bits
            questions[name, square] = MagicQuestion(board, movement, square, mask, wanted)
    return questions
