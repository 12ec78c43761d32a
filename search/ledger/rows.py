"""A shard's row in the ledger: written with a seal, and believed only with a good one.

A seal is a hash of what the shard was (cell, plan, root) and of all that it came to. It tells
a row that was damaged, edited or moved to another cell, plan or number. It is no signature:
whoever wants to deceive can seal what he likes, and only a replay would tell.
"""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from magicert.cell import Cell
from magicert.known_magics import KnownMagic
from magicert.scheme import resolve_scheme
from magicert.search.ledger.division import Division
from magicert.search.ledger.schema import NotALedgerError
from magicert.search.shards.rest import Rest, can_divide
from magicert.search.shards.shard import (
    MOST_LISTED,
    Counts,
    Root,
    ShardResult,
    Work,
    program_of,
)
from magicert.targets import target_of

UNRECORDED = "a version that was not recorded"


class OtherProgramError(ValueError):
    """A shard was done by another program than the one that would do it here: whether that one
    was right, nobody here can say.
    """

    def __init__(self, program: str) -> None:
        super().__init__(f"it was done by {program or UNRECORDED}")
        self.program = program


COLUMNS = (
    "nodes", "drops", "cells", "words", "examined", "leaves", "sha256", "magics", "magic_count",
    "seconds", "survivors", "digest", "engine", "seal",
)  # fmt: skip
"""Of a shard that is done."""


def key_of(cell: Cell) -> str:
    """What makes two cells the same question, as text."""
    fixed = sorted(cell.fixed.items())
    return json.dumps([cell.scheme.name, *cell.target.parts, cell.bits, fixed, cell.largest_index])


def cell_of(key: str) -> Cell:
    """The cell with that key. Raises NotALedgerError if there is none."""
    try:
        scheme, *parts, bits, fixed, largest = json.loads(key)
        return Cell(resolve_scheme(scheme), target_of(*parts), bits, dict(fixed), largest)
    except (TypeError, ValueError) as error:
        raise NotALedgerError(f"no cell: {key!r}: {error}") from None


def seal_of(work: Work, result: ShardResult) -> str:
    """The seal of a shard's result."""
    identity = [
        key_of(work.cell),
        work.plan.text,
        work.level,
        result.number,
        work.root(result.number),
    ]
    findings = [
        result.counts.values, result.leaves, result.sha256, result.magics, result.magic_count,
        result.survivors, result.digest, result.engine,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps([identity, findings]).encode()).hexdigest()


def column_values(work: Work, result: ShardResult) -> list[object]:
    """What COLUMNS hold for a result."""
    return [
        *result.counts.values, result.leaves, result.sha256,
        json.dumps([[hex(low), hex(high)] for low, high in result.magics]),
        str(result.magic_count), result.seconds, result.survivors, result.digest, result.engine,
        seal_of(work, result),
    ]  # fmt: skip


def read_row(work: Work, row: sqlite3.Row) -> ShardResult:
    """The result in a row that says it is done. ValueError if it cannot be believed:
    OtherProgramError where that is only since another program did it.
    """
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
    if row["seal"] is None and row["engine"] is None:
        raise OtherProgramError("")
    if row["seal"] != seal_of(work, result):
        raise ValueError("its seal is of something else")
    _check_result(work, result)
    if result.engine != program_of(work.plan):
        raise OtherProgramError(result.engine)
    return result


# A begun shard's row: its stretches, in the order of the search. What was said of seals holds here.


def stretches_text(division: Division) -> str:
    """Its stretches as JSON."""
    return json.dumps([_stretch_values(stretch) for stretch in division.stretches])


def _stretch_values(stretch: ShardResult | Rest) -> dict[str, Any]:
    if isinstance(stretch, Rest):
        return {
            "path": [[hex(base), side] for base, side in stretch.path],
            "behind": stretch.behind, "top": stretch.top, "pairs": stretch.pairs,
        }  # fmt: skip
    return {
        "counts": stretch.counts.values, "seconds": stretch.seconds,
        "magics": [[hex(low), hex(high)] for low, high in stretch.magics],
        "magic_count": str(stretch.magic_count),
    }  # fmt: skip


def seal_of_stretches(work: Work, number: int, text: str, engine: str) -> str:
    """The seal of a begun shard's row."""
    identity = [key_of(work.cell), work.plan.text, work.level, number, work.root(number)]
    return hashlib.sha256(json.dumps([identity, text, engine]).encode()).hexdigest()


def read_stretches(work: Work, row: sqlite3.Row) -> Division:
    """The stretches of a begun shard. ValueError if they cannot be believed: OtherProgramError
    where that is only since another program did them.
    """
    number = row["number"]
    if row["seal"] != seal_of_stretches(work, number, row["stretches"], row["engine"]):
        raise ValueError("the seal of its stretches is of something else")
    if row["engine"] != program_of(work.plan):
        raise OtherProgramError(row["engine"])
    try:
        values = json.loads(row["stretches"])
        stretches = tuple(_read_stretch(number, row["engine"], value) for value in values)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise ValueError("its stretches cannot be read") from None
    if not can_divide(work) or not any(isinstance(stretch, Rest) for stretch in stretches):
        raise ValueError("its stretches are none of a shard that was begun")
    for stretch in stretches:
        if isinstance(stretch, ShardResult):
            _check_stretch(work, stretch)
    return Division(stretches)


def _read_stretch(number: int, engine: str, values: Mapping[str, Any]) -> ShardResult | Rest:
    if "path" in values:
        return Rest(
            tuple((int(base, 16), int(side)) for base, side in values["path"]),
            bool(values["behind"]), int(values["top"]),
            tuple((int(first), int(second)) for first, second in values["pairs"]),
        )  # fmt: skip
    return ShardResult(
        number=number, counts=Counts(*map(int, values["counts"])), leaves=0, sha256="",
        magics=tuple((int(low, 16), int(high, 16)) for low, high in values["magics"]),
        magic_count=int(values["magic_count"]), seconds=float(values["seconds"]),
        finished=False, engine=engine,
    )  # fmt: skip


def _is_within(first: int, last: int, root: Root) -> bool:
    """Whether the numbers from first to last lie in an interval modulo 2^w."""
    w, low, high = root
    start = first % (1 << w)
    return 0 <= first <= last and low <= start <= start + last - first <= high


def _check_result(work: Work, result: ShardResult) -> None:
    """ValueError where a result cannot be of its shard, whoever sealed it."""
    if not result.counts.nodes:
        raise ValueError("its counts are none")
    _check_stretch(work, result)


def _check_stretch(work: Work, result: ShardResult) -> None:
    """ValueError where a result cannot be of a stretch of its shard."""
    roots = [work.root(part) for part in work.parts_of(result.number)]
    if min(*result.counts.values, result.leaves, result.seconds) < 0:
        raise ValueError("its counts are none")
    for first, last in result.magics:
        if not any(_is_within(first, last, root) for root in roots):
            raise ValueError("it lists magics of other shards")
    listed = sum(b - a + 1 for a, b in result.magics)
    if listed > result.magic_count or (
        listed < result.magic_count and len(result.magics) < MOST_LISTED
    ):
        raise ValueError(f"it lists {listed:,} magics and counts {result.magic_count:,}")


def unlisted_magic(
    work: Work, result: ShardResult, known: Sequence[KnownMagic]
) -> KnownMagic | None:
    """A known magic of the cell that lies in a shard, and that its result does not list. Nothing is
    said where there are more than are listed, in no order.
    """
    if len(result.magics) >= MOST_LISTED:
        return None
    roots = [work.root(part) for part in work.parts_of(result.number)]
    for known_magic in known:
        magic = known_magic.magic % work.cell.period
        inside = any(_is_within(magic, magic, root) for root in roots)
        listed = any(low <= magic <= high for low, high in result.magics)
        if inside and not listed:
            return known_magic
    return None
