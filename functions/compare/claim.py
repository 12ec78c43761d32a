"""One function, and what it is said to compute."""

import re
from dataclasses import dataclass

from magicert.functions.compare import pairs
from magicert.movement import Movement

KINDS = {
    "attacks": ("occupied",), "index": ("occupied",), "xray": ("occupied", "blockers"),
    "setwise": ("sliders", "occupied"), **dict.fromkeys(pairs.KINDS, ("target",)),
}  # fmt: skip
"""What a function of each kind takes: bitboards, or a second square. All but set-wise ones take a
square first.
"""
PAWNS = {"fF": "white pawn", "bF": "black pawn"}
"""Whose captures these are, in Betza's notation."""
SIDES = {"f": "north", "b": "south", "r": "east", "l": "west"}
"""The directions of Betza's notation on the board."""
_ONE_WAY = re.compile("[fbrl][WR]|[fb][rl][FB]")
"""One direction in Betza's notation, by one square or as far as a slider goes."""
ALONG_LINES = "queen"
"""Along whose lines two squares lie, if nobody says."""


@dataclass(frozen=True, slots=True)
class FunctionClaim:
    """One function: its name, and what it is said to compute."""

    name: str
    kind: str
    piece: str
    movement: Movement
    guessed: bool = False
    """Whether its name alone says what it computes: then it can be proved, but not refuted."""

    @property
    def key(self) -> str:
        """As it was asked: rook, or setwise:fR."""
        if self.of_two_squares and self.piece == ALONG_LINES:
            return self.kind
        return self.piece if self.kind == "attacks" else f"{self.kind}:{self.piece}"

    @property
    def option(self) -> str:
        """As the command line asks it, and messages name it: --function rook=rook_attacks."""
        return f"--function {self.key}={self.name}"

    @property
    def sets(self) -> str:
        """Which sets it gives, if it is what it is said to be: the attack set of the rook."""
        piece = PAWNS.get(self.piece, self.piece)
        if self.kind != "setwise":
            return f"the attack set of the {piece}" if piece.islower() else f"what {piece} attacks"
        if _ONE_WAY.fullmatch(piece):
            where = "-".join(SIDES[side] for side in piece[:-1])
            if self.leaps:
                return f"the whole set moved by one square to the {where}"
            return f"what all sliders attack to the {where}"
        if not piece.islower():
            return f"what all pieces {piece} attack"
        return f"the union of the attack sets of all {piece}s"

    @property
    def of_two_squares(self) -> bool:
        """Whether it takes two squares and no bitboard."""
        return self.kind in pairs.KINDS

    @property
    def leaps(self) -> bool:
        """Whether it may go without the occupancy: the attack sets of a king, knight or pawn, and
        shifts.
        """
        atoms = self.movement.atoms
        leaper = all((a.kind, a.limit) == ("rider", 1) for a in atoms)
        return self.kind in {"attacks", "setwise"} and leaper

    @property
    def takes(self) -> tuple[tuple[str, ...], ...]:
        """What it may be called with: a square, and bitboards by their names."""
        square = () if self.kind == "setwise" else ("square",)
        whole = (*square, *KINDS[self.kind])
        return (whole, whole[:1]) if self.leaps else (whole,)
