"""Shapes of masks: squares whose rays have the same lengths."""

from collections.abc import Iterator
from dataclasses import dataclass

from magicert.chess import DIRECTIONS, Piece, ray, square_name
from magicert.problem import InputError, Problem

Rays = tuple[int, ...]
"""How many squares of the mask lie on each ray, longest first, without empty rays."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A question about all squares of one shape at once: is there a magic of `bits` bits, in the
    scheme white or black?
    """

    rays: Rays
    bits: int
    scheme: str = "white"

    def __str__(self) -> str:
        text = f"shape {','.join(map(str, self.rays))}, {self.bits} bits"
        return text if self.scheme == "white" else f"{text}, scheme {self.scheme}"

    def squares(self) -> Iterator[tuple[Piece, int]]:
        for piece in Piece:
            for square in range(64):
                if rays_of(piece, square) == self.rays:
                    yield piece, square

    @property
    def named(self) -> list[str]:
        """Those squares in words, as in "bishop d1"."""
        return [f"{piece} {square_name(square)}" for piece, square in self.squares()]


def rays_of(piece: Piece, square: int) -> Rays:
    """The shape of a square's mask."""
    lengths = (len(ray(square, direction)) - 1 for direction in DIRECTIONS[piece])
    return tuple(sorted((length for length in lengths if length > 0), reverse=True))


def parse_rays(text: str) -> Rays:
    """A shape from "3,2". Raises InputError where it is none."""
    try:
        rays = tuple(sorted(map(int, text.split(",")), reverse=True))
    except ValueError:
        rays = ()
    if not rays or not all(1 <= length <= 6 for length in rays) or sum(rays) > 12:
        message = 'expected ray lengths of 1 to 6, at most 12 squares together, such as "3,2"'
        raise InputError([Problem(message, key=f"shape {text}")])
    return rays
