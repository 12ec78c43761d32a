"""The ledger of a disproof by cubes: an SQLite file that knows which cubes are settled.

A cube fixes the first `depth` of the bits to be branched on to the binary digits of
`prefix`. It is "refuted" (no valid magic in it) or "split" (both of its halves are to be
settled). Every line is committed at once, so an interrupted run loses one cube's work.

A file belongs to one question and one solver. Each line has a seal, a hash of question, solver
and all that the line says: what was damaged, edited or copied from another file is done again. It
is no signature: whoever wants to deceive can seal what he likes.
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

# Files of the time before seals have a table "cubes": none of their lines is believed.
_SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists sealed (
    depth integer not null, prefix integer not null, verdict text not null,
    conflicts integer not null, seconds real not null, seal text not null,
    primary key (depth, prefix));
"""


class CubeLedger:
    """Cubes of one question and solver; `path` may be ":memory:". Several processes may share a
    file. `damaged` counts the lines without a good seal that were met.
    """

    def __init__(
        self, path: str, question: Question, branching: tuple[int, ...], solver: str
    ) -> None:
        self.path, self.solver, self.damaged = path, solver, 0
        self.digest = _digest(question, branching)
        with self._reported():
            self.file = sqlite3.connect(path, timeout=60, isolation_level=None)
            self.file.execute("pragma journal_mode = wal")
            # A killed process loses nothing; only a machine that loses power may.
            self.file.execute("pragma synchronous = off")
            self.file.executescript(_SCHEMA)
            self._belong("question", self.digest)
            self._belong("solver", solver)

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

    def _belong(self, name: str, expected: str) -> None:
        self.file.execute("insert or ignore into about values (?, ?)", (name, expected))
        (found,) = self.file.execute("select value from about where name = ?", (name,)).fetchone()
        if found != expected:
            message = f"holds cubes of another {name} ({found}): expected {expected}"
            raise InputError([Problem(message, file=self.path)])

    def verdict(self, cube: Cube) -> str | None:
        """What is known of a cube: "refuted", "split", or None where nobody has settled it."""
        with self._reported():
            row = self.file.execute(
                "select verdict, conflicts, seconds, seal from sealed"
                " where depth = ? and prefix = ?",
                cube,
            ).fetchone()
        if row is None:
            return None
        verdict, conflicts, seconds, seal = row
        if seal != self._seal(cube, verdict, conflicts, seconds):
            self.damaged += 1
            return None
        return str(verdict)

    def settle(self, cube: Cube, verdict: str, conflicts: int, seconds: float) -> None:
        """Write a cube down."""
        seal = self._seal(cube, verdict, conflicts, seconds)
        with self._reported():
            self.file.execute(
                "insert or replace into sealed values (?, ?, ?, ?, ?, ?)",
                (*cube, verdict, conflicts, seconds, seal),
            )

    def _seal(self, cube: Cube, verdict: str, conflicts: int, seconds: float) -> str:
        content = [self.digest, self.solver, cube, verdict, conflicts, seconds]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _digest(question: Question, branching: tuple[int, ...]) -> str:
    content = [
        question.formula.text, question.free, dict(sorted(question.values.items())),
        question.occupancies, question.attacks, question.largest_index, branching,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
