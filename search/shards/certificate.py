"""A finished cell's certificate (docs/cover-certificates.md), and its leaves through a pipe."""

import json
import lzma
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.search.problem import is_mirrored
from magicert.search.shards.shard import (
    MOST_LISTED,
    Root,
    ShardResult,
    Work,
    leaf_work,
    run_shard,
)
from magicert.system.whole_file import write_precious

MAGIC = b"magicert cover 1\n"
UNRECORDED = "a program that was not recorded"
MOST_PACKED_BYTES = 1_000_000
"""A certificate of more bytes, packed, is written without leaves, unless the caller insists."""
MOST_LEAVES = 5_000_000
"""With more leaves than this none has been so small."""


class Collector:
    """Keeps a leaf stream."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []

    def add(self, block: bytes) -> None:
        self.blocks.append(block)

    def finish(self) -> None:
        """Nothing is left to do."""


def write_certificate(
    path: Path,
    work: Work,
    results: list[ShardResult],
    streams: bool | None = None,
) -> bool:
    """Write the certificate of a finished cell; whether the leaves are in it.

    Leaves are not kept by the ledger: the shards are run again, and must come to the same.
    `streams` None: only if the file is at most MOST_PACKED_BYTES then. InputError where a mirrored
    shard has more magics than it lists, or where one comes to something else.
    """
    if len(results) != work.shards:
        raise ValueError(f"{work.cell}: {len(results)} of {work.shards} shards are done")
    with_leaves = streams
    if with_leaves is None:
        with_leaves = work.record and sum(result.leaves for result in results) <= MOST_LEAVES
    data = _certificate_bytes(work, results, with_leaves)
    packed = lzma.compress(data, preset=6)
    if streams is None and with_leaves and len(packed) > MOST_PACKED_BYTES:
        with_leaves = False
        data = _certificate_bytes(work, results, with_leaves)
        packed = lzma.compress(data, preset=6)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_precious(path, packed if path.suffix == ".xz" else data)
    return with_leaves


def _certificate_bytes(work: Work, results: list[ShardResult], streams: bool) -> bytes:
    """The certificate, unpacked."""
    results, bodies = _run_again(work, results) if streams else (results, [])
    header = json.dumps(header_of(work, results, streams), separators=(",", ":"))
    return MAGIC + header.encode() + b"\n" + b"".join(bodies)


def _run_again(work: Work, results: list[ShardResult]) -> tuple[list[ShardResult], list[bytes]]:
    recording = Work(work.cell, work.plan, work.level, record=True)
    repeated, bodies = [], []
    for result in results:
        collector = Collector()
        rebuilt = run_shard(recording, result.number, (collector,))
        same = rebuilt.counts == result.counts and rebuilt.magics == result.magics
        if not same or result.sha256 not in ("", rebuilt.sha256):
            message = f"shard {result.number} came out differently when it was done again"
            raise InputError([Problem(message, key=str(work.cell))])
        repeated.append(
            replace(
                rebuilt, seconds=result.seconds, survivors=result.survivors, digest=result.digest
            )
        )
        bodies += collector.blocks
    return repeated, bodies


def header_of(work: Work, results: list[ShardResult], streams: bool) -> dict[str, Any]:
    """The header of a certificate, as plain values."""
    cell: Cell = work.cell
    return {
        "scheme": cell.scheme.name,
        **cell.target.described,
        "bits": cell.bits,
        "largest_index": cell.last_index,
        "constant": hex(cell.fixed.get("constant", 0)),
        "plan": work.plan.text,
        "level": work.level,
        "engine": "; ".join(sorted({result.engine or UNRECORDED for result in results})),
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(sum(result.seconds for result in results), 3),
        "streams": streams,
        "shards": [shard for _, shard in sorted(header_parts(work, results), key=itemgetter(0))],
    }


def header_parts(work: Work, results: list[ShardResult]) -> Iterator[tuple[int, dict[str, Any]]]:
    """What the header says of each part, by its number. A mirrored shard is two, and its counts
    are said of both.
    """
    for result in results:
        if not is_mirrored(work.plan):
            yield result.number, _shard(work, result.number, result)
            continue
        if sum(high - low + 1 for low, high in result.magics) < result.magic_count:
            message = (
                f"shard {result.number} and its mirror image have {result.magic_count:,} magics, "
                f"and {MOST_LISTED:,} are listed: a plan without m can be certified"
            )
            raise InputError([Problem(message, key=str(work.cell))])
        for part in work.parts_of(result.number):
            w, low, high = work.root(part)
            inside = [pair for pair in result.magics if low <= pair[0] % (1 << w) <= high]
            magics = tuple(sorted(inside))
            count = sum(last - first + 1 for first, last in magics)
            yield part, _shard(work, part, replace(result, magics=magics, magic_count=count))


def _shard(work: Work, part: int, result: ShardResult) -> dict[str, Any]:
    w, low, high = work.root(part)
    shard: dict[str, Any] = {
        "root": [w, hex(low), hex(high)],
        "leaves": result.leaves,
        "sha256": result.sha256,
        "counts": list(result.counts.values),
        "magics": [[hex(low), hex(high)] for low, high in result.magics],
        "magic_count": hex(result.magic_count),
    }
    if result.digest:
        shard["survivors"] = {"count": result.survivors, "sha256": result.digest}
    return shard


# Leaves through a pipe, for the proved checker: docs/cover-certificates.md, "The pipe".
#
# Nothing is kept: a block is written as it is made.

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
    recording = replace(leaf_work(work), record=True)
    for done, result in enumerate(results):
        progress(done, len(results))
        for part, declared in header_parts(work, [result]):
            pipe.begin(part, work.root(part))
            repeated = run_shard(recording, part, (pipe,))
            pipe.declare(repeated.leaves, declared["magics"], declared["magic_count"])
    pipe.end()


@contextmanager
def open_leaf_file(name: str) -> Iterator[IO[bytes]]:
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
