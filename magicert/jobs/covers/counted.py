"""What the independent program (verify/recount/recount.c) has counted, as it is stored.

The first line of a file in tables/recounts says of what; each other line that is no comment is a
shard's (tables/recounts/README.md).
"""

import itertools
import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from magicert.problem import InputError, Problem
from magicert.verify.cover.file import Header, unpacked

FOLDER = "recounts"
"""The folder of what was counted again, beside that of the certificates."""
FIRST_LINE = re.compile(r"# recount (rook) ([a-h][1-8]) (\d+) (\d+) (\d+)(?:: .*)?")
ROW = re.compile(r"(\d+)\t(\d+)\t([0-9a-f]{64})\t(\d+)\t(\d+)\t(.*)")
STEP, CELLS = "d1", 4
"""Its plans have only such steps above the chain, and a chain of such cells."""


@dataclass(frozen=True, slots=True)
class Row:
    """A shard: the survivors of its chain, the digest of where they begin, and its magics."""

    survivors: int
    sha256: str
    magics: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A file: a cell of the white scheme, `steps` above its chain, cut in shards at `level`."""

    piece: str
    square: str
    bits: int
    steps: int
    level: int
    rows: Mapping[int, Row]

    @property
    def is_whole(self) -> bool:
        """Whether every shard was counted."""
        return sorted(self.rows) == list(range(1 << self.level))

    @property
    def magics(self) -> int:
        """How many magics its shards have."""
        return sum(row.magics for row in self.rows.values())

    def is_of_cell(self, header: Header) -> bool:
        """Whether it is about the cell of a certificate."""
        full = header.scheme == "white" and header.largest_index == (1 << header.bits) - 1
        cell = (header.piece, header.square, header.bits)
        return full and cell == (self.piece, self.square, self.bits)

    def is_of(self, header: Header) -> bool:
        """Whether its shards and its nodes are those of a certificate, too."""
        steps = header.plan.partition(":")[2].split()
        above = list(itertools.takewhile(lambda step: step[0] != "c", steps))
        chain = steps[len(above)] if len(above) < len(steps) else ""
        alike = set(above) <= {STEP} and chain.removesuffix("k").endswith(f".{CELLS}")
        return self.is_of_cell(header) and alike and (len(above), header.level) == (
            self.steps, self.level,
        )  # fmt: skip


def counted_beside(certificate: Path) -> Counted | None:
    """What is stored for a certificate's cell; None if nothing is.

    Raises InputError, with the line, where the file is not as it should be.
    """
    name = certificate.name.replace(".cover", ".tsv")
    path = certificate.parent.parent / FOLDER / name
    return read_counted(path) if path.exists() else None


def read_counted(path: Path) -> Counted:
    """Read a file. Raises InputError, with the line, where it is not as it should be."""
    try:
        lines = unpacked(path.read_bytes()).decode("ascii").splitlines()
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(path))]) from None
    head = FIRST_LINE.fullmatch(lines[0] if lines else "")
    if head is None:
        message = f"expected {FIRST_LINE.pattern}"
        raise InputError([Problem(message, file=str(path), line=1)])
    rows: dict[int, Row] = {}
    problems = []
    for line, text in enumerate(lines, 1):
        if text.startswith("#"):
            continue
        row = ROW.fullmatch(text)
        if row is None or int(row[1]) in rows:
            message = "expected a shard's line, once"
            problems.append(Problem(f"found {text[:60]!r}: {message}", str(path), line=line))
        else:
            rows[int(row[1])] = Row(int(row[2]), row[3], int(row[5]))
    if problems:
        raise InputError(problems)
    piece, square, *numbers = head.groups()
    bits, steps, level = map(int, numbers)
    return Counted(piece, square, bits, steps, level, rows)
