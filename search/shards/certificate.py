"""Writing a finished cell's certificate, in the format of docs/cover-certificates.md."""

import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from magicert import __version__
from magicert.cell import Cell
from magicert.search.shards.shard import run_shard
from magicert.search.shards.work import ShardResult, Work
from magicert.system.whole_file import write_precious

MAGIC = b"magicert cover 1\n"
MOST_LEAVES = 700_000
"""A certificate with more leaves is written without them, unless the caller insists."""


class Collector:
    """Keeps a leaf stream."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []

    def add(self, block: bytes) -> None:
        """Keep one block."""
        self.blocks.append(block)

    def finish(self) -> None:
        """Nothing is left to do."""


def write_certificate(
    path: Path,
    work: Work,
    results: list[ShardResult],
    streams: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Write the certificate of a finished cell; whether the leaves are in it.

    Leaves are not kept by the ledger: the shards are run again, and must come to the same.
    `streams` None: only if there are at most MOST_LEAVES of them.
    """
    if len(results) != work.shards:
        raise ValueError(f"{work.cell}: {len(results)} of {work.shards} shards are done")
    if streams is None:
        streams = work.record and sum(result.leaves for result in results) <= MOST_LEAVES
    if streams:
        results, bodies = _rebuilt(work, results, progress)
    else:
        bodies = []
    header = json.dumps(header_of(work, results, streams), separators=(",", ":"))
    data = MAGIC + header.encode() + b"\n" + b"".join(bodies)
    if path.suffix == ".xz":
        data = lzma.compress(data, preset=6)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_precious(path, data)
    return streams


def _rebuilt(
    work: Work, results: list[ShardResult], progress: Callable[[int, int], None] | None
) -> tuple[list[ShardResult], list[bytes]]:
    recording = Work(work.cell, work.plan, work.level, record=True)
    again, bodies = [], []
    for result in results:
        collector = Collector()
        rebuilt = run_shard(recording, result.number, (collector,))
        if rebuilt.counts != result.counts or (result.sha256 not in ("", rebuilt.sha256)):
            raise AssertionError(f"{work.cell}: shard {result.number} came out differently")
        again.append(
            replace(
                rebuilt, seconds=result.seconds, survivors=result.survivors, digest=result.digest
            )
        )
        bodies += collector.blocks
        if progress:
            progress(len(again), len(results))
    return again, bodies


def header_of(work: Work, results: list[ShardResult], streams: bool) -> dict[str, Any]:
    """The header of a certificate, as plain values."""
    cell: Cell = work.cell
    return {
        "scheme": cell.scheme.name,
        **cell.about.described,
        "bits": cell.bits,
        "largest_index": cell.last_index,
        "constant": hex(cell.fixed.get("constant", 0)),
        "plan": work.plan.text,
        "level": work.level,
        "engine": engine_of(results),
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(sum(result.seconds for result in results), 3),
        "streams": streams,
        "shards": [_shard(work, result) for result in results],
    }


def engine_of(results: list[ShardResult]) -> str:
    """The versions that did the shards; this one stands for those that were not recorded."""
    unknown = f"magicert {__version__} window search"
    return "; ".join(sorted({result.engine or unknown for result in results}))


def _shard(work: Work, result: ShardResult) -> dict[str, Any]:
    w, low, high = work.root(result.number)
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
