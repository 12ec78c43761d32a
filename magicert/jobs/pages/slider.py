"""One slider on a board, as a picture in a file."""

from pathlib import Path

from magicert import __version__
from magicert.board import Piece, attack_set, square_name, squares_of
from magicert.draw.board import slider_board
from magicert.draw.markup import as_svg
from magicert.draw.style import PICTURES
from magicert.system.whole_file import write_whole


def write_slider(path: Path, piece: Piece, square: int, occupancy: int) -> None:
    """Write a slider's board, with its blockers and what it attacks."""
    attacks = attack_set(piece, square, occupancy)
    blockers = [blocker for blocker in squares_of(occupancy) if blocker != square]
    picture = slider_board(piece.value[0].upper(), square, blockers, list(squares_of(attacks)))
    title = f"{piece} {square_name(square)}, occupancy {occupancy:#018x}"
    write_whole(path, as_svg(picture, PICTURES, title, __version__))
