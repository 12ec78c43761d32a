"""The ledger of a disproof by cubes: an SQLite file that knows which cubes are settled.

A cube fixes the first `depth` of the bits to be branched on to the binary digits of
`prefix`. It is "refuted" (no valid magic in it) or "split" (both of its halves are to be
settled). Every line is committed at once, so an interrupted run loses one cube's work.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from magicert.problem import InputError, Problem
from magicert.z3models.question import Question

Cube = tuple[int, int]
"""(depth, prefix)."""

_SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists cubes (
    depth integer not null, prefix integer not null, verdict text not null,
    conflicts integer not null, seconds real not null, solver text not null,
    primary key (depth, prefix));
"""


class CubeLedger:
    """Cubes of one question; `path` may be ":memory:". Several processes may share a file."""

    def __init__(self, path: str, question: Question, branching: tuple[int, ...]) -> None:
        self.path = path
        with self._reported():
            self.file = sqlite3.connect(path, timeout=60, isolation_level=None)
            self.file.execute("pragma journal_mode = wal")
            # A killed process loses nothing; only a machine that loses power may.
            self.file.execute("pragma synchronous = off")
            self.file.executescript(_SCHEMA)
            self._belong(_digest(question, branching))

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """What SQLite cannot read or write is an error of the file's, as on a full disk."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise  # ours: the file is sound, what we asked of it is not
        except (sqlite3.DatabaseError, OSError) as error:
            message = f"cannot be used as a ledger: {error}"
            raise InputError([Problem(message, file=self.path)]) from None

    def _belong(self, digest: str) -> None:
        insert = "insert or ignore into about values ('question', ?)"
        self.file.execute(insert, (digest,))
        (found,) = self.file.execute("select value from about where name = 'question'").fetchone()
        if found != digest:
            message = f"holds cubes of another question ({found[:12]}): expected {digest[:12]}"
            raise InputError([Problem(message, file=self.path)])

    def verdict(self, cube: Cube) -> str | None:
        """What is known of a cube: "refuted", "split", or None where nobody has settled it."""
        row = self.file.execute(
            "select verdict from cubes where depth = ? and prefix = ?", cube
        ).fetchone()
        return row[0] if row else None

    def settle(self, cube: Cube, verdict: str, conflicts: int, seconds: float, solver: str) -> None:
        """Write a cube down."""
        with self._reported():
            self.file.execute(
                "insert or replace into cubes values (?, ?, ?, ?, ?, ?)",
                (*cube, verdict, conflicts, seconds, solver),
            )

    def totals(self) -> dict[str, float]:
        """Refuted cubes, their part of the whole, and what they cost."""
        cubes, part, conflicts, seconds = self.file.execute(
            "select count(*), total(1.0 / (1 << depth)), total(conflicts), total(seconds)"
            " from cubes where verdict = 'refuted'"
        ).fetchone()
        return {"cubes": cubes, "part": part, "conflicts": int(conflicts), "cpu": seconds}


def _digest(question: Question, branching: tuple[int, ...]) -> str:
    content = [
        question.formula.text, question.free, dict(sorted(question.values.items())),
        question.occupancies, question.attacks, question.largest_index, branching,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
