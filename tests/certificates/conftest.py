import importlib.util
import json
import lzma
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import Cell
from magicert.scheme import SCHEMES
from magicert.search.problem.plan import Plan
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import run_shard
from magicert.search.shards.work import Work
from magicert.verify.cover.file import Root
from magicert.verify.cover.stream import HEAD, block_length, read_block

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


@pytest.fixture(scope="session")
def writer() -> ModuleType:
    """The writer beside this file (tests import what is installed, and it is not)."""
    spec = importlib.util.spec_from_file_location("writer", Path(__file__).with_name("writer.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def leaves_of():
    return _leaves_of


def _leaves_of(data: bytes) -> tuple[dict[str, Any], list[tuple[Root, list[tuple[int, ...]]]]]:
    """A certificate's header, and the root and leaves of each shard."""
    _, line, body = data.split(b"\n", 2)
    header, place, shards = json.loads(line), 0, []
    for shard in header["shards"]:
        root = (shard["root"][0], int(shard["root"][1], 16), int(shard["root"][2], 16))
        leaves: list[tuple[int, ...]] = []
        while len(leaves) < shard["leaves"]:
            length = block_length(body[place : place + HEAD])
            before = leaves[-1][2] if leaves else root[1] - 1
            block = read_block(body[place : place + length], (before + 1) & ((1 << 64) - 1))
            leaves += zip(*(column.tolist() for column in block), strict=True)
            place += length
        shards.append((root, leaves))
    return header, shards
