"""What serves chess's rook and bishop only, on the 8x8 board, says so in one place."""

from magicert.board import Piece
from magicert.problem import InputError, Problem
from magicert.table.model import PieceTable, Table


def chess_only(table: Table, what: str, file: str = "") -> None:
    """Refuse a table of another board or of other pieces, for `what` serves chess only.

    Raises InputError.
    """
    if table.is_chess():
        return
    others = ", ".join(piece for piece in table.pieces if not isinstance(piece, Piece))
    found = f"a table of {others} on {table.board}" if others else f"a table on {table.board}"
    message = f"{found}: {what} serves chess only: expected rook and bishop on 8x8"
    raise InputError([Problem(message, file=file)])


def chess_halves(table: Table, what: str, file: str = "") -> dict[Piece, PieceTable]:
    """The rook's and the bishop's part of a table; `chess_only` of any other."""
    chess_only(table, what, file)
    return {half.slider: half for half in table.pieces.values()}
