"""What the tests of compact/ share: all lookups of the board, with their true answers."""

import random
import struct
from dataclasses import dataclass

import pytest

from magicert.board import WORD, Piece, attack_set, mask
from magicert.occupancy import carry_rippler


@dataclass(frozen=True)
class AllLookups:
    """All 107,648 lookups, rooks first, as (square, occupancy) pairs and their attack sets.

    Squares outside the mask are occupied at random: they must not matter.
    """

    pairs: tuple[tuple[int, int], ...]
    attacks: tuple[int, ...]

    @property
    def queries(self) -> bytes:
        """The pairs as little-endian 64-bit words."""
        return b"".join(struct.pack("<QQ", *pair) for pair in self.pairs)

    @property
    def answers(self) -> bytes:
        """The attack sets as little-endian 64-bit words."""
        return struct.pack(f"<{len(self.attacks)}Q", *self.attacks)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch):
    """Packing from nothing in seconds, and not so well: small pools, few holes looked at."""
    from magicert.compact import start
    from magicert.compact.kernels import WalkEffort

    monkeypatch.setattr(start, "EFFORTS", dict.fromkeys(Piece, (1, 12_000)))
    monkeypatch.setattr(start, "WINDOWS_TRIED", 2)
    monkeypatch.setattr(start, "IN_HOLES", WalkEffort(2_000, 4.0, 0.3))
    monkeypatch.setattr(start, "AT_END", WalkEffort(2_000, 12.0, 0.8))


@pytest.fixture(scope="session")
def all_lookups():
    noise = random.Random(5)
    pairs, attacks = [], []
    for piece in Piece:
        for square in range(64):
            relevant = mask(piece, square)
            for occupancy in carry_rippler(relevant):
                other = noise.getrandbits(64) & ~relevant & WORD
                pairs.append((square, occupancy | other))
                attacks.append(attack_set(piece, square, occupancy))
    assert len(pairs) == 107_648
    return AllLookups(tuple(pairs), tuple(attacks))
