"""One piece on a board, as a picture in a file."""

from dataclasses import dataclass
from pathlib import Path

from magicert import __version__
from magicert.board import Board, Movement, squares_of
from magicert.board.masks import least_mask, usual_mask
from magicert.board.walk import attack_set
from magicert.draw.board import slider_board
from magicert.draw.markup import as_svg
from magicert.draw.style import PICTURES
from magicert.system.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece to be shown: its board, how it moves, its name; `least` says that its table has the
    least masks.
    """

    board: Board
    movement: Movement
    name: str
    least: bool = False

    def mask(self, square: int) -> int:
        """The squares that a lookup reads."""
        rule = least_mask if self.least else usual_mask
        return rule(self.board, self.movement, square)

    def attacks(self, square: int, occupancy: int) -> int:
        """The squares that it attacks."""
        return attack_set(self.board, self.movement, square, occupancy)

    def word(self, bits: int) -> str:
        """A bitboard as text, as wide as the board's words."""
        return f"0x{bits:0{self.board.word // 4}x}"


def write_piece(path: Path, piece: Shown, square: int, occupancy: int) -> None:
    """Write a piece's board, with its blockers and what it attacks."""
    attacks, on = list(squares_of(piece.attacks(square, occupancy))), piece.board
    blockers = [blocker for blocker in squares_of(occupancy) if blocker != square]
    letter = piece.name[:1].upper()
    picture = slider_board(letter, square, blockers, attacks, on=on)
    title = f"{piece.name} {on.name(square)}, occupancy {piece.word(occupancy)}"
    write_whole(path, as_svg(picture, PICTURES, title, __version__))
