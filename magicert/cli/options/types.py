"""Argument types that several commands share: squares, tables, occupancies, durations."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from magicert.betza import parse_piece
from magicert.board import (
    CHESS,
    WORD,
    Board,
    Piece,
    bitboard,
    parse_board,
    square_name,
)
from magicert.data import find_table, tables_by_name
from magicert.problem import InputError, suggestion
from magicert.requests.kinds import Duration


class NearChoice(click.Choice[str]):
    """One of some words; what is nearly one is suggested."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401
        """What to say of a word that is none of them."""
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} {suggestion(str(value), self.choices).capitalize()}".rstrip()


PIECES = NearChoice([piece.value for piece in Piece])


class PieceType(NearChoice):
    """A piece of chess, or with --board any: a name, or Betza's notation."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The piece's name, as it was given."""
        if _board_of(ctx) is None:
            return super().convert(value, param, ctx)
        try:
            parse_piece(str(value).rpartition("=")[2])
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


class BoardType(click.ParamType[Board]):
    """A board by its files and ranks: 9x10."""

    name = "board"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Board:
        """The board."""
        if isinstance(value, Board):
            return value
        try:
            return parse_board(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _board_of(ctx: click.Context | None) -> Board | None:
    """What --board says, where a command has it and reads it first."""
    board = None if ctx is None else ctx.params.get("board")
    return board if isinstance(board, Board) else None


class SquareType(click.ParamType[int]):
    """A square by name, a1..h8."""

    name = "square"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """The square's number."""
        if isinstance(value, int):
            return value
        board = _board_of(ctx) or CHESS
        try:
            return board.parse(str(value).lower())
        except ValueError as error:
            turned = str(value).lower()[::-1]
            near = turned in map(board.name, range(board.squares))
            self.fail(f"{error}{f'; did you mean {turned}?' if near else ''}", param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """All squares that begin so."""
        names = map(square_name, range(64))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class OccupancyType(click.ParamType[int]):
    """A set of squares: "e6,c4", "0x1000", or "" for none."""

    name = "squares"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """The bitboard, a1=0."""
        if isinstance(value, int):
            return value
        board = _board_of(ctx) or CHESS
        text = str(value).strip().lower()
        if text.startswith("0x"):
            if not re.fullmatch("0x[0-9a-f]+", text):
                self.fail(f"{text!r}: expected a bitboard such as 0x1000", param, ctx)
            if int(text, 16) >> board.word:
                self.fail(f"{text}: expected at most {board.word} bits", param, ctx)
            return int(text, 16)
        try:
            return bitboard(board.parse(name) for name in text.replace(",", " ").split())
        except ValueError as error:
            self.fail(f"{error}; or a bitboard such as 0x1000", param, ctx)


class WordType(click.ParamType[int]):
    """A number of 64 bits: "0x1f", or "31"."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """The number."""
        if isinstance(value, int):
            return value
        if not re.fullmatch("0[xX][0-9a-fA-F]+|[0-9]+", str(value)):
            self.fail(f"{value!r}: expected a number such as 0x1f", param, ctx)
        number = int(value, 16 if value[:2] in ("0x", "0X") else 10)
        if number > WORD:
            self.fail(f"{value}: expected at most 64 bits", param, ctx)
        return number


class DurationType(click.ParamType[float]):
    """A time, in seconds: "90", "90s", "10m" or "2h"."""

    name = "time"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The seconds: more than 0."""
        if isinstance(value, float):
            return value
        try:
            return Duration().read(str(value), {})
        except ValueError as error:
            self.fail(str(error), param, ctx)


class NameType(click.ParamType[str]):
    """A text that names something that ships with magicert, looked up later; with `files` it may
    be a path as well. `shipped` gives what ships, by name.
    """

    def __init__(self, name: str, shipped: Callable[[], dict[str, Path]], *, files: bool) -> None:
        self.name = name
        self.shipped = shipped
        self.files = files

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """Names that begin so, and files if they will do."""
        found = [CompletionItem(name) for name in self.shipped() if name.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")] if self.files else found


class TableType(NameType):
    """A table file, or the name of one that ships, as a path."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # type: ignore[override]  # noqa: ANN401
        """The path."""
        try:
            return find_table(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)


TABLE = TableType("table", tables_by_name, files=True)
TableNameType = partial(NameType, "table", tables_by_name)
