"""Leaves through a pipe, for the proved checker: docs/cover-certificates.md, "The pipe".

Nothing is kept: a block is written as it is made.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from magicert.problem import InputError, Problem
from magicert.search.shards.certificate import header_of, header_parts
from magicert.search.shards.shard import run_shard, written_work
from magicert.search.shards.work import Root, ShardResult, Work

FIRST_LINE = b"magicert leaves 2\n"
CELL_KEYS = ("scheme", "piece", "square", "bits", "largest_index", "constant")
LAST_BLOCK = bytes(8)


class Pipe:
    """Writes shards, one after another. A shard's leaves are what it observes between `begin` and
    `finish`; `declare` says what they come to.
    """

    def __init__(self, out: IO[bytes], cell: dict[str, Any]) -> None:
        self.out = out
        out.write(FIRST_LINE)
        self._line({key: cell[key] for key in CELL_KEYS})

    def begin(self, number: int, root: Root) -> None:
        """Say which shard comes."""
        w, low, high = root
        self._line({"shard": number, "root": [w, hex(low), hex(high)]})

    def add(self, block: bytes) -> None:
        """Pass one block on."""
        self.out.write(block)

    def finish(self) -> None:
        """Say that no block follows."""
        self.out.write(LAST_BLOCK)

    def declare(self, leaves: int, magics: Sequence[Sequence[str]], magic_count: str) -> None:
        """What the shard is declared to be: the checker compares it with what it has seen."""
        self._line({"leaves": leaves, "magics": magics, "magic_count": magic_count})

    def end(self) -> None:
        """Nothing follows."""
        self._line({"end": True})
        self.out.flush()

    def _line(self, values: dict[str, Any]) -> None:
        self.out.write(json.dumps(values, separators=(",", ":")).encode() + b"\n")


def write_leaves(
    out: IO[bytes],
    work: Work,
    results: Sequence[ShardResult],
    progress: Callable[[int, int], None],
) -> None:
    """Run finished shards again, and write the leaves of their parts.

    Raises InputError for keys: the proved checker knows the cells of a board only.
    """
    header = header_of(work, [], streams=False)
    if "piece" not in header:
        raise InputError([Problem("a pipe is for a square's leaves", key=str(work.cell))])
    pipe = Pipe(out, header)
    recorded = replace(written_work(work), record=True)
    for done, result in enumerate(results):
        progress(done, len(results))
        for part, declared in header_parts(work, [result]):
            pipe.begin(part, work.root(part))
            again = run_shard(recorded, part, (pipe,))
            pipe.declare(again.leaves, declared["magics"], declared["magic_count"])
    pipe.end()


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """A file to write leaves to, or for "-" the standard output: whatever else is printed goes to
    the standard error then.
    """
    if name != "-":
        with Path(name).open("wb") as file:
            yield file
        return
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as pipe:
        os.dup2(2, 1)
        yield pipe
