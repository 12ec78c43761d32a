import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from magicert.chess import Piece, parse_square
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, run_shard
from magicert.targets import square_cell
from magicert.verify.cover.checker import HEAD, block_length, check, read_block
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.statement import statement


class Parts:
    """A certificate taken apart: its header, and each shard's stream of columns."""

    def __init__(self, data: bytes) -> None:
        self.first, line, self.body = data.split(b"\n", 2)
        self.header = json.loads(line)

    def join(self) -> bytes:
        return b"\n".join([self.first, json.dumps(self.header).encode(), self.body])

    def without_leaves(self) -> "Parts":
        self.header["streams"], self.body = False, b""
        return self


@pytest.fixture(scope="session")
def parts():
    return Parts


@pytest.fixture(scope="session")
def small(writer):
    """Bishop d8 at 2 bits, no magic: a few dozen leaves in two shards, made by walking."""
    return writer.walked(statement("white", "bishop", 59, 2), 2, largest_index=3)


@pytest.fixture(scope="session")
def with_magics(searched):
    """Bishop d8 at 5 bits, 9,547 magics in four shards."""
    return searched(True, 5)


@pytest.fixture(scope="session")
def counted(small):
    """`small` without its leaves and hashes."""
    return _counted(small)


def _counted(data):
    certificate = Parts(data).without_leaves()
    for shard in certificate.header["shards"]:
        shard |= {"leaves": 0, "sha256": ""}
    return certificate.join()


@pytest.fixture
def outcome(tmp_path):
    """A certificate's verdict, or "bad input" where it cannot be read; and the problems."""
    path = tmp_path / "c.cover"

    def judged(data):
        path.write_bytes(data)
        try:
            report = check(read_certificate(path))
        except InputError as error:
            return "bad input", str(error)
        return report.verdict, "; ".join(report.problems)

    return judged


@pytest.fixture(scope="session")
def searched(tmp_path_factory):
    """Bishop d8 as the search writes it, with or without leaves."""

    def made(record, bits=2, level=2):
        cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), bits)
        work = Work(cell, Plan(26, ("d1",) * 26, 4, 1), level, record=record)
        path = tmp_path_factory.mktemp("searched") / "c.cover"
        write_certificate(path, work, [run_shard(work, number) for number in range(work.shards)])
        return path.read_bytes()

    return made


@pytest.fixture(scope="session")
def writer():
    """The writer beside this file (tests import what is installed, and it is not)."""
    return SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("writer.py"))))


@pytest.fixture(scope="session")
def leaves_of():
    return _leaves_of


def _leaves_of(data, shards=None):
    """A certificate's header, and the root and leaves of each shard, or of the first ones."""
    _, line, body = data.split(b"\n", 2)
    header, place, found = json.loads(line), 0, []
    for shard in header["shards"][:shards]:
        root = (shard["root"][0], int(shard["root"][1], 16), int(shard["root"][2], 16))
        leaves = []
        while len(leaves) < shard["leaves"]:
            length = block_length(body[place : place + HEAD])
            before = leaves[-1][2] if leaves else root[1] - 1
            block = read_block(body[place : place + length], (before + 1) & ((1 << 64) - 1))
            leaves += zip(*(column.tolist() for column in block), strict=True)
            place += length
        found.append((root, leaves))
    return header, found
