import json
import lzma
from pathlib import Path

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import Cell
from magicert.scheme import SCHEMES
from magicert.search.problem.plan import Plan
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, run_shard

DOWN = Plan(26, ("d1",) * 26, 4, 1)


class Parts:
    """A certificate taken apart: its header, and each shard's stream of columns."""

    def __init__(self, data: bytes) -> None:
        self.first, line, self.body = data.split(b"\n", 2)
        self.header = json.loads(line)

    def join(self) -> bytes:
        return b"\n".join([self.first, json.dumps(self.header).encode(), self.body])


@pytest.fixture(scope="session")
def parts():
    return Parts


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bishop d8 at 2 bits: no magic, a few dozen leaves in two shards."""
    cell = Cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 2)
    return _certificate(tmp_path_factory.mktemp("small"), Work(cell, DOWN, 1))


@pytest.fixture(scope="session")
def with_magics(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bishop d8 at 5 bits: 9,547 magics."""
    cell = Cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5)
    plan = Plan(26, ("d1",) * 26, 2, 3)
    return _certificate(tmp_path_factory.mktemp("magics"), Work(cell, plan, 2))


@pytest.fixture(scope="session")
def counted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bishop d8 at 2 bits, counted only: no leaves, no hashes."""
    cell = Cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 2)
    return _certificate(tmp_path_factory.mktemp("counted"), Work(cell, DOWN, 2, record=False))


def _certificate(folder: Path, work: Work) -> bytes:
    path = folder / "c.cover.xz"
    write_certificate(path, work, [run_shard(work, number) for number in range(work.shards)])
    return lzma.decompress(path.read_bytes())
