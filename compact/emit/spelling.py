"""How the names and lists of an emitted program are spelt, whatever the language."""

import re
from collections.abc import Sequence

from magicert.board import Piece

STEPS = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}
"""Steps in files and ranks, for the ray walks of the emitted programs."""


def title(text: str) -> str:
    """A name with a capital: "rook" is "Rook"."""
    return text[:1].upper() + text[1:]


def camel(name: str) -> str:
    """A name in camel case: "rook_buffer" is "RookBuffer"."""
    return "".join(map(title, name.split("_")))


def identifier(name: str) -> str:
    """A piece's name as a part of names in a program: "cannon-h" is "cannon_h"."""
    return re.sub(r"\W|^(?=\d)", "_", name, flags=re.ASCII)


def buffer_name(buffer: str) -> str:
    """What a buffer is called, in small letters: "attacks", "numbers", or "rook_buffer"."""
    return buffer if buffer in ("attacks", "numbers") else f"{identifier(buffer)}_buffer"


def sets_name(piece: str) -> str:
    """What the attack sets of a two-level table are called: "rook_sets"."""
    return f"{identifier(piece)}_sets"


def lines(shown: Sequence[str], indent: str, row: int) -> str:
    """A list's items, `row` to a line."""
    return "".join(
        f"{indent}{', '.join(shown[place : place + row])},\n" for place in range(0, len(shown), row)
    )
