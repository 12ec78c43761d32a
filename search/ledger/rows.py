"""A shard's row in the ledger: written with a seal, and believed only with a good one.

A seal is a hash of what the shard was (cell, plan, root) and of all that it came to. It tells
a row that was damaged, edited or moved to another cell, plan or number. It is no signature:
whoever wants to deceive can seal what he likes, and only a replay would tell.
"""

import hashlib
import json
import re
import sqlite3

from magicert.cell import Cell, subject_of
from magicert.scheme import resolve_scheme
from magicert.search.ledger.schema import NotALedgerError
from magicert.search.problem.mirror import is_mirrored
from magicert.search.shards.work import MOST_LISTED, Counts, Root, ShardResult, Work

COLUMNS = (
    "nodes", "drops", "cells", "words", "examined", "leaves", "sha256", "magics", "magic_count",
    "seconds", "survivors", "digest", "engine", "seal",
)  # fmt: skip
"""Of a shard that is done."""
SHA256 = re.compile("[0-9a-f]{64}")


def key_of(cell: Cell) -> str:
    """What makes two cells the same question, as text."""
    fixed = sorted(cell.fixed.items())
    return json.dumps([cell.scheme.name, *cell.about.parts, cell.bits, fixed, cell.largest_index])


def cell_of(key: str) -> Cell:
    """The cell with that key. Raises NotALedgerError if there is none."""
    try:
        scheme, *parts, bits, fixed, largest = json.loads(key)
        return Cell(resolve_scheme(scheme), subject_of(*parts), bits, dict(fixed), largest)
    except (TypeError, ValueError) as error:
        raise NotALedgerError(f"no cell: {key!r}: {error}") from None


def seal_of(work: Work, result: ShardResult) -> str:
    """The seal of a shard's result."""
    about = [key_of(work.cell), work.plan.text, work.level, result.number, work.root(result.number)]
    came_to = [
        result.counts.values, result.leaves, result.sha256, result.magics, result.magic_count,
        result.survivors, result.digest, result.engine,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps([about, came_to]).encode()).hexdigest()


def values_of(work: Work, result: ShardResult) -> list[object]:
    """What COLUMNS hold for a result."""
    return [
        *result.counts.values, result.leaves, result.sha256,
        json.dumps([[hex(low), hex(high)] for low, high in result.magics]),
        str(result.magic_count), result.seconds, result.survivors, result.digest, result.engine,
        seal_of(work, result),
    ]  # fmt: skip


def read_row(work: Work, row: sqlite3.Row, sealed: bool) -> ShardResult:
    """The result in a row that says it is done. ValueError if it cannot be believed."""
    try:
        result = ShardResult(
            number=row["number"],
            counts=Counts(*(int(row[name]) for name in COLUMNS[:5])),
            leaves=int(row["leaves"]),
            sha256=row["sha256"],
            magics=tuple((int(a, 16), int(b, 16)) for a, b in json.loads(row["magics"])),
            magic_count=int(row["magic_count"]),
            seconds=float(row["seconds"]),
            survivors=int(row["survivors"] or 0),
            digest=row["digest"] or "",
            engine=row["engine"] or "",
        )
    except (TypeError, ValueError, AttributeError):
        raise ValueError("what it came to cannot be read") from None
    older = row["seal"] is None and row["engine"] is None and not sealed
    if older and not is_mirrored(work.plan):
        _check_by_itself(work, result)
    elif row["seal"] != seal_of(work, result):
        raise ValueError("its seal is of something else")
    _check_claims(work, result)
    return result


def _check_by_itself(work: Work, result: ShardResult) -> None:
    """Look at a result of the time before seals. ValueError where it contradicts itself."""
    if bool(SHA256.fullmatch(result.sha256)) != work.record or bool(result.leaves) != work.record:
        raise ValueError("its leaves are recorded, and those of the cell are not, or conversely")


def _within(first: int, last: int, root: Root) -> bool:
    """Whether the numbers from first to last lie in an interval modulo 2^w."""
    w, low, high = root
    start = first % (1 << w)
    return 0 <= first <= last and low <= start <= start + last - first <= high


def _check_claims(work: Work, result: ShardResult) -> None:
    """ValueError where a result cannot be of its shard, whoever sealed it."""
    roots = [work.root(part) for part in work.parts_of(result.number)]
    if min(*result.counts.values, result.leaves, result.seconds) < 0 or not result.counts.nodes:
        raise ValueError("its counts are none")
    for first, last in result.magics:
        if not any(_within(first, last, root) for root in roots):
            raise ValueError("it lists magics of other shards")
    listed = sum(b - a + 1 for a, b in result.magics)
    if listed > result.magic_count or (
        listed < result.magic_count and len(result.magics) < MOST_LISTED
    ):
        raise ValueError(f"it lists {listed:,} magics and counts {result.magic_count:,}")
