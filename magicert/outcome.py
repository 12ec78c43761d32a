"""The outcome of "does a magic exist?": never a bare bool.

A cell is (scheme, piece, square, bits). An engine answers EXISTS with the magic,
IMPOSSIBLE with its evidence, or UNKNOWN with the reason and how far it came.
Timeouts, interruptions and a solver's "unknown" are UNKNOWN.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from magicert.board import Piece


@dataclass(frozen=True, slots=True)
class Cell:
    """One question: is there a magic for `piece` on `square` with `bits` index bits?"""

    scheme: str
    piece: Piece
    square: int
    bits: int


@dataclass(frozen=True, slots=True)
class Exists:
    """A magic, verified exhaustively before anybody sees it."""

    exit_status: ClassVar[int] = 0
    magic: int
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Impossible:
    """No magic exists. `evidence` names a certificate file or the engine's argument."""

    exit_status: ClassVar[int] = 1
    evidence: str
    certified: bool
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not settled: why, and how far the engine came."""

    exit_status: ClassVar[int] = 3
    reason: str
    progress: str = ""
    figures: dict[str, float] = field(default_factory=dict)


Outcome = Exists | Impossible | Unknown
