"""What the tests of compact/ share: all lookups of the board, with their true answers, and programs
that are compiled and run.
"""

import os
import random
import shutil
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from magicert.board import WORD
from magicert.chess import Piece, attack_set, mask
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


@pytest.fixture(scope="session")
def ran() -> Callable[..., bytes]:
    """Runs commands in a folder, with the same input; what the last one has written. A tool that
    is not here skips the test, and a command that fails shows what it said.
    """

    def all_of(folder: Path, *commands: str, queries: bytes = b"") -> bytes:
        for tool in (command.split()[0] for command in commands):
            if tool[0] not in "./" and shutil.which(tool) is None:
                pytest.skip(f"no {tool} here")
        environment = {**os.environ, "GOCACHE": str(folder / "gocache"), "GOFLAGS": "-mod=mod"}
        for command in commands:
            done = subprocess.run(
                command.split(), cwd=folder, input=queries, capture_output=True, check=False,
                env=environment,
            )  # fmt: skip
            written = (done.stdout + done.stderr).decode(errors="replace")
            assert done.returncode == 0, written[-3000:]
        return done.stdout

    return all_of


@pytest.fixture(scope="session")
def answers(all_lookups: AllLookups) -> Callable[[str], None]:
    """Runs an emitted Python module: some of all lookups, of rooks and bishops."""

    def answer(module: str) -> None:
        scope: dict[str, Any] = {}
        exec(module, scope)
        for n in (*range(0, 102_400, 100), *range(102_400, 107_648, 10)):
            attacks = scope["rook_attacks" if n < 102_400 else "bishop_attacks"]
            assert attacks(*all_lookups.pairs[n]) == all_lookups.attacks[n]

    return answer
